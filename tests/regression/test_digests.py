"""Outcome columns don't change unnoticed, and are the same compiled, as plain Python and without `pdep`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from alchemy_sim.core.game import game
from tests.conftest import TWIN
from tests.games import packaged
from tests.regression.cells import FEW, GAMES, ROWS, cells
from tests.regression.make_digests import digest, file_of

KNOWN: dict[str, dict[str, dict[str, str]]] = {
    name: json.loads(file_of(name).read_text(encoding="utf-8"))["cells"] for name in ROWS
}
CELLS = {name: cells(name) for name in ROWS}
WHAT_TO_DO = (
    "These cells have other outcomes than before: {}. If a rule or a player was changed on purpose, run "
    "`python -m tests.regression.make_digests` and name the change in CHANGELOG.md; else a change of the code has "
    "changed games, which it must not."
)
GROUPS = dict.fromkeys((name, cell.group) for name in ROWS for cell in CELLS[name].values())
RULINGS = [(name, switch) for name, row in ROWS.items() for switch in row.matters]


def assert_as_before(name: str, found: dict[str, str]) -> None:
    """Of one game: digests by "N CELL"."""
    asked = {each: each.partition(" ") for each in found}
    changed = [
        cell
        for each, (count, _, cell) in asked.items()
        if KNOWN[name].get(cell, {}).get(f"first_{count}") != found[each]
    ]
    assert not changed, WHAT_TO_DO.format("; ".join(changed))


def test_every_game_every_player_and_every_ruling_has_cells() -> None:
    """The list of cells is data, so what it leaves out would go unseen."""
    assert list(ROWS) == packaged()
    for name, row in ROWS.items():
        assert tuple(row.policies) == game(name).policies
        assert {cell.players for cell in CELLS[name].values() if not cell.sets} == set(game(name).players)


@pytest.mark.parametrize("name", ROWS)
def test_the_file_has_every_cell_and_no_other(name: str) -> None:
    told = {each: list(known) for each, known in KNOWN[name].items()}
    assert told == {each: [f"first_{count}" for count in cell.sizes] for each, cell in CELLS[name].items()}, (
        WHAT_TO_DO.format("the list of cells")
    )


@pytest.mark.parametrize(("name", "group"), GROUPS)
def test_outcomes_are_as_before(name: str, group: str) -> None:
    plain = {policy for _, policy, _ in ROWS[name].plain}
    found = {}
    for each, cell in CELLS[name].items():
        if cell.group == group and not (TWIN and cell.policy not in plain):
            count = cell.sizes[0 if TWIN else -1]
            found[f"{count} {each}"] = digest(cell.encoded(), count)
    assert found
    assert_as_before(name, found)


# ---- in other processes ------------------------------------------------------------------------------------


def plain_cells(name: str) -> list[str]:
    """What plain Python works out, as "N CELL"."""
    return [
        f"{count} {each}"
        for count, policy, players in ROWS[name].plain
        for each, cell in CELLS[name].items()
        if not cell.sets and cell.policy == policy and cell.players in players
    ]


def portable_cells(name: str) -> list[str]:
    """What is worked out without `pdep`."""
    return [
        f"{GAMES} {each}" for each, cell in CELLS[name].items() if not cell.sets and cell.policy in ROWS[name].portable
    ]


def elsewhere(name: str, asked: list[str], switch: str) -> dict[str, str]:
    """Digests of a game worked out by another process with a switch in its environment."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"} | {switch: "1"}
    command = [
        sys.executable,
        "-W",
        "error",
        "-m",
        "tests.regression.make_digests",
        name,
        *(f"--of={each}" for each in asked),
    ]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def others() -> Iterator[dict[tuple[str, str], Future[dict[str, str]]]]:
    """The digests of all games in other processes, by game and switch: started at once, two at a time."""
    wanted = {"ALCHEMY_SIM_PORTABLE": portable_cells, "NUMBA_DISABLE_JIT": plain_cells}
    with ThreadPoolExecutor(2) as pool:
        yield {
            (name, switch): pool.submit(elsewhere, name, chosen(name), switch)
            for switch, chosen in wanted.items()
            for name in ROWS
        }
        pool.shutdown(cancel_futures=True)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ROWS)
def test_plain_python_has_the_same_outcomes(name: str, others: dict[tuple[str, str], Future[dict[str, str]]]) -> None:
    found = others[name, "NUMBA_DISABLE_JIT"].result()
    assert list(found) == plain_cells(name)
    assert_as_before(name, found)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ROWS)
def test_without_pdep_the_outcomes_are_the_same(
    name: str, others: dict[tuple[str, str], Future[dict[str, str]]]
) -> None:
    found = others[name, "ALCHEMY_SIM_PORTABLE"].result()
    assert list(found) == portable_cells(name)
    assert_as_before(name, found)


# ---- what digests notice -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "switch"), RULINGS)
def test_the_cells_of_a_ruling_differ(name: str, switch: str) -> None:
    """Else a digest would not notice that a value is ignored; those of rulings that are `alike` are the same."""
    mine = [each for each, cell in CELLS[name].items() if cell.sets and f"rulings.{switch}=" in cell.sets[-1]]
    values = {KNOWN[name][each][f"first_{CELLS[name][each].sizes[-1]}"] for each in mine}
    assert len(mine) >= 2
    assert len(values) == (1 if switch in ROWS[name].alike else len(mine))


@pytest.mark.parametrize("name", ROWS)
def test_a_digest_notices_one_digit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    encoded = next(iter(CELLS[name].values())).encoded()
    columns = {key: value.copy() for key, value in game(name).simulate(encoded, 1, 0, FEW).items()}
    monkeypatch.setitem(game(name).__dict__, "simulate", lambda *_: columns)
    before = digest(encoded, FEW)
    assert before == KNOWN[name][next(iter(CELLS[name]))][f"first_{FEW}"]
    for each in columns.values():
        each[FEW - 1] += 1
        assert digest(encoded, FEW) != before
        each[FEW - 1] -= 1
