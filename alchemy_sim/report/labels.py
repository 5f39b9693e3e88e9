"""The tables of `show --by`: a row for each label, the splits of the breakdown as columns, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from alchemy_sim.core.game import Breakdown
from alchemy_sim.mc.plan import Plan
from alchemy_sim.mc.splits import breakdown_of
from alchemy_sim.report.runs import method_note, origin_notes
from alchemy_sim.report.tables import NOTHING, Table, interval

#: A split's estimate by table (configuration and players), label and split.
Estimates = dict[tuple[str, int], dict[str, dict[str, Mapping[str, Any]]]]


def label_tables(plan: Plan, rows: Sequence[Mapping[str, Any]], by: str, condition: str | None = None) -> list[Table]:
    """One table for each configuration and number of players in `rows` (of `mc.splits.split_rows`)."""
    titles = {cell.config_name: cell.title for cell in plan.cells} | {plan.name: plan.title}
    games = {cell.config_name: cell.game.name for cell in plan.cells}
    breakdowns = breakdown_of((cell.game for cell in plan.cells), by)
    found = []
    for (config, players), labels in _grouped(rows).items():
        breakdown = breakdowns.get(games.get(config, ""), next(iter(breakdowns.values())))
        title = f"{titles.get(config, config)}, {players} players: {breakdown.doc}"
        found.append(_table(breakdown, labels, title))
    if not found:
        return [Table([by], [], f"{plan.title}: no game says anything by {by}", notes=origin_notes(plan, condition))]
    methods = {row["method"] for row in rows}
    notes = (*split_notes(breakdowns.values(), rows), *origin_notes(plan, condition), method_note(methods))
    return [*found[:-1], replace(found[-1], notes=notes)]


def word(name: str) -> str:
    """A split's name as a column head."""
    return name.replace("_", " ")


def _grouped(rows: Iterable[Mapping[str, Any]]) -> Estimates:
    found: Estimates = {}
    for row in rows:
        table = found.setdefault((row["config"], row["players"]), {})
        table.setdefault(row["label"], {})[row["metric"]] = row
    return found


def split_notes(breakdowns: Iterable[Breakdown], rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """What each split that occurs in the rows tells, in order."""
    shown = {row["metric"] for row in rows}
    splits = [split for breakdown in breakdowns for split in breakdown.splits if split.name in shown]
    return [f"{word(split.name)}: {split.doc}" for split in splits]


def _table(breakdown: Breakdown, labels: Mapping[str, Mapping[str, Mapping[str, Any]]], title: str) -> Table:
    shown = {name for each in labels.values() for name in each}
    splits = [split for split in breakdown.splits if split.name in shown]
    body = []
    for label, estimates in labels.items():
        games = max(row["n"] for row in estimates.values())
        cells = [label, f"{games:,}"]
        for split in splits:
            row = estimates.get(split.name)
            cells.append(NOTHING if row is None else interval(row["estimate"], row["low"], row["high"], split.unit))
        body.append(cells)
    head = [breakdown.name, "games", *(word(split.name) for split in splits)]
    return Table(head, body, title, frozenset(range(1, len(head))))
