"""The tables of a run: headline metrics with intervals a cell, how the losses split, and what to know about them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from alchemy_sim.core.game import Game, Metric
from alchemy_sim.mc.plan import Cell, Plan
from alchemy_sim.mc.provenance import configurations
from alchemy_sim.mc.stats import estimate
from alchemy_sim.mc.totals import CellTotals
from alchemy_sim.report.tables import Table, interval

#: How an interval was got, in words.
METHODS = {
    "wilson": "Wilson for shares of games",
    "clopper-pearson": "Clopper-Pearson (exact) where fewer than 10 games are on one side",
    "t": "Student's t for means",
    "delta": "delta method, the game as cluster, for ratios",
    "pooled": "over missions: the mean of their intervals, for missions share deals",
}
#: So many headline metrics with one first word (lost_slag, lost_stalled, ...) make a table of their own.
_FAMILY = 2


def run_tables(
    plan: Plan, totals: Sequence[CellTotals], metrics: Sequence[str] | None = None, condition: str | None = None
) -> list[Table]:
    """The tables of a run, its notes below the last; `totals` by cell index.

    One table of `metrics` where they are named, else of the headline ones; `condition` is what the games had to meet.
    """
    tables: list[Table] = []
    for game in {cell.game.name: cell.game for cell in plan.cells}.values():
        cells = [cell for cell in plan.cells if cell.game.name == game.name]
        if metrics is None:
            tables += _game_tables(plan, game, cells, totals)
        else:
            columns = {label(each): each for each in game.metrics if each.name in metrics}
            tables.append(_table(plan, cells, totals, f"{plan.title}: {game.title}", columns, with_games=True))
    tables[-1] = replace(tables[-1], notes=(*tables[-1].notes, *notes(plan, totals, metrics, condition)))
    return tables


def label(metric: Metric) -> str:
    """A metric's name as a column head."""
    return metric.name.replace("_", " ")


def headline_text(game: Game, totals: CellTotals) -> str:
    """The game's headline metric so far, as the progress line shows it."""
    metric = game.metric(game.headline)
    got = estimate(metric, totals[metric.name])
    return f"{label(metric)} {interval(got.estimate, got.low, got.high, metric.unit)}"


def policy_text(cell: Cell) -> str:
    """A cell's policies: one name if all seats have it."""
    return cell.policies[0] if len(set(cell.policies)) == 1 else ",".join(cell.policies)


def shown_names(plan: Plan) -> dict[str, str]:
    """What tables call each configuration: its title where titles tell them apart; ` *` marks assumed values."""
    titles = {cell.config_name: cell.title for cell in plan.cells}
    unique = len(set(titles.values())) == len(titles)
    assumed = {cell.config_name for cell in plan.cells if cell.setting.config.assumed}
    return {name: (title if unique else name) + (" *" if name in assumed else "") for name, title in titles.items()}


def main_table(plan: Plan, game: Game, cells: Sequence[Cell], totals: Sequence[CellTotals]) -> Table:
    """The headline metrics of a game's cells but those of families."""
    columns = {label(each): each for each in headline_split(game)[0]}
    return _table(plan, cells, totals, f"{plan.title}: {game.title}", columns, with_games=True)


def family_table(
    plan: Plan, cells: Sequence[Cell], totals: Sequence[CellTotals], word: str, family: Sequence[Metric]
) -> Table:
    """Metrics that share their first word, those that any game has; no columns but the keys if there are none."""
    seen = seen_of(family, cells, totals)
    never = ", ".join(each.name for each in family if each not in seen)
    notes = (f"in no game: {never}",) if never else ()
    columns = {label(each).removeprefix(f"{word} "): each for each in seen}
    return _table(plan, cells, totals, f"{word}, of all games", columns, notes)


def seen_of(family: Sequence[Metric], cells: Sequence[Cell], totals: Sequence[CellTotals]) -> list[Metric]:
    """The metrics of a family that are not 0 in all games."""
    return [each for each in family if any(totals[cell.index][each.name].x for cell in cells)]


def headline_split(game: Game) -> tuple[list[Metric], dict[str, list[Metric]]]:
    """The headline metrics of the first table, and families of proportions that share their first word."""
    metrics = [metric for metric in game.metrics if metric.headline]
    families: dict[str, list[Metric]] = {}
    for metric in metrics:
        if metric.kind == "proportion" and "_" in metric.name:
            families.setdefault(metric.name.split("_")[0], []).append(metric)
    families = {word: family for word, family in families.items() if len(family) >= _FAMILY}
    grouped = [metric for family in families.values() for metric in family]
    return [metric for metric in metrics if metric not in grouped], families


def _game_tables(plan: Plan, game: Game, cells: Sequence[Cell], totals: Sequence[CellTotals]) -> list[Table]:
    tables = [main_table(plan, game, cells, totals)]
    for word, family in headline_split(game)[1].items():
        table = family_table(plan, cells, totals, word, family)
        if seen_of(family, cells, totals):
            tables.append(table)
        else:
            tables[-1] = replace(tables[-1], notes=table.notes)
    return tables


def _table(
    plan: Plan,
    cells: Sequence[Cell],
    totals: Sequence[CellTotals],
    title: str,
    metrics: Mapping[str, Metric],
    notes: Sequence[str] = (),
    with_games: bool = False,
) -> Table:
    mixed = len({policy_text(cell) for cell in plan.cells}) > 1
    names = shown_names(plan)
    head = ["configuration", *(["policy"] if mixed else []), "players", *(["games"] if with_games else [])]
    rows = []
    for cell in cells:
        row = [names[cell.config_name], *([policy_text(cell)] if mixed else []), str(cell.players)]
        row += [f"{next(iter(totals[cell.index].values())).n:,}"] if with_games else []
        for metric in metrics.values():
            got = estimate(metric, totals[cell.index][metric.name])
            row.append(interval(got.estimate, got.low, got.high, metric.unit))
        rows.append(row)
    keys = 3 if mixed else 2
    return Table([*head, *metrics], rows, title, frozenset(range(keys - 1, len(head) + len(metrics))), notes, keys)


def notes(
    plan: Plan, totals: Sequence[CellTotals], metrics: Sequence[str] | None = None, condition: str | None = None
) -> list[str]:
    """What to know about the metrics of a run: assumed values, who played, how intervals were got."""
    used = {
        estimate(metric, totals[cell.index][metric.name]).method
        for cell in plan.cells
        for metric in cell.game.metrics
        if (metric.headline if metrics is None else metric.name in metrics)
    }
    return [*origin_notes(plan, condition), method_note(used)]


def origin_notes(plan: Plan, condition: str | None = None) -> list[str]:
    """Assumed values, who played, and which games count."""
    found = assumed_notes(plan)
    policies = {policy_text(cell) for cell in plan.cells}
    who = f"policy {policies.pop()}, " if len(policies) == 1 else ""
    found.append(f"{who}seed {plan.seed}, {plan.games:,} games of each")
    return [*found, f"only games with {condition}"] if condition else found


def method_note(used: Collection[str]) -> str:
    """How the intervals of those methods were got."""
    return f"95 % intervals: {'; '.join(words for method, words in METHODS.items() if method in used)}"


def assumed_notes(plan: Plan) -> list[str]:
    """One line on the values that no source gives, with what was assumed; none if there are none."""
    values: dict[str, list[Any]] = {}
    for each in configurations(plan):
        for key, value in each["assumed"].items():
            values.setdefault(key, [])
            if value not in values[key]:
                values[key].append(value)
    if not values:
        return []
    shown = "; ".join(f"{key} ({', '.join(map(str, each))})" for key, each in values.items())
    return [f"* assumed, the game's source text does not give it: {shown}"]
