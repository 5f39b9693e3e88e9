"""Outcome columns don't change unnoticed, and are the same compiled, as plain Python and without `pdep`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alchemy_sim.games.crucible.config import CrucibleRulings
from alchemy_sim.games.crucible.game import GAME
from tests.conftest import games
from tests.regression.make_digests import FEW, FILE, GAMES, SEED, SOME, cells, digest

KNOWN: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))["cells"]
CELLS = cells()
WHAT_TO_DO = (
    "These cells have other outcomes than before: {}. If a rule or a player was changed on purpose, run "
    "`python -m tests.regression.make_digests` and name the change in CHANGELOG.md; else a change of the code has "
    "changed games, which it must not."
)
#: A cell for each number of players, by player.
RANDOM, THUMB = ([f"mission-04 {players} players {name}" for players in GAME.players] for name in ("random", "thumb"))


def assert_as_before(found: dict[str, str], first: int) -> None:
    changed = [name for name, value in found.items() if KNOWN.get(name, {}).get(f"first_{first}") != value]
    assert not changed, WHAT_TO_DO.format("; ".join(changed))


def elsewhere(names: list[str], first: int, **switches: str) -> dict[str, str]:
    """Digests worked out by another process with switches in its environment."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"} | switches
    command = [sys.executable, "-m", "tests.regression.make_digests", *names, "--first", str(first)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_the_file_has_every_cell_and_no_other() -> None:
    assert list(KNOWN) == list(CELLS), WHAT_TO_DO.format("the list of cells")


@pytest.mark.parametrize("group", ["mission-04 3", "mission-04 4", "mission-04 5", "="])
def test_outcomes_are_as_before(group: str) -> None:
    first = games(GAMES, FEW)
    names = [name for name in CELLS if name.startswith(group) or (group == "=" and "=" in name)]
    assert names
    assert_as_before({name: digest(CELLS[name], first) for name in names}, first)


@pytest.mark.compiled
def test_plain_python_has_the_same_outcomes() -> None:
    assert_as_before(elsewhere(RANDOM, SOME, NUMBA_DISABLE_JIT="1"), SOME)
    assert_as_before(elsewhere(THUMB[1:2], FEW, NUMBA_DISABLE_JIT="1"), FEW)


@pytest.mark.compiled
def test_without_pdep_the_outcomes_are_the_same() -> None:
    names = [name for name in CELLS if "=" not in name]
    assert_as_before(elsewhere(names, GAMES, ALCHEMY_SIM_PORTABLE="1"), GAMES)


@pytest.mark.parametrize("switch", CrucibleRulings.switches(), ids=lambda switch: switch.name)
def test_the_cells_of_a_ruling_differ(switch: Any) -> None:
    """Else a digest would not notice that a value is ignored."""
    values = [known[f"first_{GAMES}"] for name, known in KNOWN.items() if f" {switch.name}=" in name]
    assert len(set(values)) == len(values) == len(switch.values)


@pytest.mark.parametrize("name", [RANDOM[0], THUMB[1], RANDOM[2]])
def test_chunks_leave_no_mark(name: str) -> None:
    """A batch is its games one after another, wherever it is cut."""
    count = games(1000, 40)
    whole = GAME.simulate(CELLS[name], SEED, 0, count)
    for size in (1, 7, 333):
        parts = [GAME.simulate(CELLS[name], SEED, first, min(size, count - first)) for first in range(0, count, size)]
        assert all(np.array_equal(np.concatenate([part[key] for part in parts]), whole[key]) for key in whole)


def test_a_digest_notices_one_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {key: value.copy() for key, value in GAME.simulate(CELLS[RANDOM[0]], SEED, 0, FEW).items()}

    class Same:
        @staticmethod
        def simulate(*_: Any) -> dict[str, np.ndarray]:
            return columns

    monkeypatch.setattr("tests.regression.make_digests.GAME", Same)
    before = digest(CELLS[RANDOM[0]], FEW)
    columns["reactions"][FEW - 1] += 1
    assert digest(CELLS[RANDOM[0]], FEW) != before
