"""The errors a user can meet, one tree.

    AlchemyError            exit code 2: a message of one line, no traceback
    |-- ConfigError         a key, value, name or file of a configuration
    |-- UsageError          an option or argument of a command
    |-- StoreError          a run folder that is damaged, foreign or in use
    `-- Interrupted         exit code 3: work that can be resumed; `resume` is the line that does

CheckFailed, beside the tree, is no mistake: a check or lint said no, in its output; exit code 1. Anything else that
escapes is a bug and keeps its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class AlchemyError(Exception):
    """A mistake that the user can mend; `str()` is the one line to print."""

    exit_code = 2


class CheckFailed(Exception):
    """What was asked to be checked does not hold; the command has said so."""

    exit_code = 1


class ConfigError(AlchemyError):
    """Something is wrong in a configuration: file, key and what is allowed."""


class UsageError(AlchemyError):
    """Something is wrong in the command line or a function's argument."""


class StoreError(AlchemyError):
    """A run folder can't be read or written as it is."""


class Interrupted(AlchemyError):
    """Work stopped before its end and can be resumed by the command `resume`."""

    exit_code = 3

    def __init__(self, message: str, resume: str = "") -> None:
        super().__init__(message)
        self.resume = resume


def nearest(name: str, allowed: Iterable[str]) -> str:
    """' (did you mean "x"?)' for the allowed name nearest to `name`, or '' when none is near."""
    names = list(allowed)
    folded = {each.casefold(): each for each in names}
    close = get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.6)
    return f' (did you mean "{folded[close[0]]}"?)' if close else ""


def unknown(kind: str, name: str, allowed: Iterable[str]) -> str:
    """One line on a name that is not among the allowed ones, with the nearest and the whole list."""
    names = list(allowed)
    return f'unknown {kind} "{name}"{nearest(name, names)}; allowed: {", ".join(names)}'
