"""Standard output and standard error: UTF-8 with \\n, and what to do when nobody reads."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from alchemy_sim.core.errors import StoreError

if TYPE_CHECKING:
    from alchemy_sim.config.load import Experiment
    from alchemy_sim.core.game import Game


def prepare() -> None:
    """UTF-8 and \\n on both streams; a stream that was closed from the start swallows what is written."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - open until the end
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def emit(text: str) -> None:
    """Write to standard output. A full disk is the user's to mend; a closed pipe ends the command in `main`."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        silence()
        raise StoreError(f"standard output can't be written: {error.strerror or error}") from None


def silence() -> None:
    """Send what is still in standard output's buffer nowhere, so that Python's exit does not complain."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # no file behind it
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open until the end


def say(line: str) -> None:
    """One line for the person at the terminal, on standard error."""
    print(line, file=sys.stderr, flush=True)


def ready_game(name: str) -> Game:
    """The game of that name with its kernels compiled; says so when that will take a while."""
    from alchemy_sim.core.ahead import compile_policies
    from alchemy_sim.core.game import REGISTRY
    from alchemy_sim.core.game import game as find_game  # imports numpy, which `--help` does not need

    if _compiles(name):
        say("alchemy-sim: compiling the kernels, once for this version: about 35 s ...")
        compile_policies(REGISTRY[name])
    game = find_game(name)
    game.warm()
    return game


def ready_games(*experiments: Experiment) -> None:
    """The games of some experiments with their kernels compiled."""
    for name in dict.fromkeys(setting.game for each in experiments for setting in each.settings):
        ready_game(name)


def _compiles(name: str) -> bool:
    from alchemy_sim.core.game import REGISTRY

    where = REGISTRY.get(name, "")
    if not where.startswith("alchemy_sim.") or where in sys.modules:
        return False
    try:
        from alchemy_sim.core.jit import compiled_before
    except ImportError:
        return False
    return not compiled_before(name)


def display_path(path: Path) -> str:
    """A path as a shell can take it."""
    text = str(path)
    return f'"{text}"' if " " in text else text
