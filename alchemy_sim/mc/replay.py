"""One game of a run again: played by the rules of that run, checked against what was kept, and told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from alchemy_sim.core.errors import StoreError, UsageError
from alchemy_sim.mc.frame import shared_columns, to_frame
from alchemy_sim.mc.plan import Cell
from alchemy_sim.mc.provenance import source_hash
from alchemy_sim.mc.record import Record


@dataclass(frozen=True)
class Replay:
    """A game as events, as text, and its row: the outcome columns as a table shows them. `checked` against a kept one.

    `stale` says that the program has changed since the run was made.
    """

    cell: Cell
    game: int
    events: list[dict[str, Any]]
    text: str
    row: dict[str, Any]
    checked: bool
    stale: bool


def replay(record: Record, cell: Cell, game: int) -> Replay:
    """Play game `game` of a cell again. UsageError if the run has no such game.

    StoreError if the kept one differs, or a policy is not as it was.
    """
    if not 0 <= game < record.plan.games:
        raise UsageError(f"--game {game}: the run has games 0 to {record.plan.games - 1} of each cell")
    record.ready(cell)
    stale = record.manifest.get("source") != source_hash()
    outcomes = cell.game.simulate(cell.encoded, record.plan.seed, game, 1)
    configs = record.plan.config_names
    columns = shared_columns(record.plan.cells, cell.game)
    row = to_frame(cell, record.plan.seed, game, outcomes, columns, configs).row(0, named=True)
    kept = record.row(cell, game)
    if kept is not None and any(name not in row or row[name] != value for name, value in kept.items()):
        _differ(record, cell, game, kept, row, stale)
    events = cell.game.trace(cell.encoded, record.plan.seed, game)
    text = cell.game.tell(events, {name: int(values[0]) for name, values in outcomes.items()})
    return Replay(cell, game, events, text, row, kept is not None, stale)


def _differ(record: Record, cell: Cell, game: int, kept: dict[str, Any], row: dict[str, Any], stale: bool) -> None:
    """StoreError: which column differs, and why that may be."""
    name = next(each for each in kept if each not in row or kept[each] != row[each])
    why = "the program has changed since the run was made" if stale else "the stored row is not what was played"
    where = f"{record.name}: game {game} of {cell.config_name} with {cell.players}"
    raise StoreError(f"{where}: {name} is {kept[name]} in the run and {row.get(name)} played again: {why}")
