"""Estimates by label: what the splits of a breakdown say about each label, a cell at a time or over missions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from alchemy_sim.core.errors import UsageError, unknown
from alchemy_sim.core.game import Breakdown, Game, Metric, Outcomes, Split
from alchemy_sim.mc.effects import Effect, identical, paired, unpaired
from alchemy_sim.mc.pairs import Pairs
from alchemy_sim.mc.plan import Cell
from alchemy_sim.mc.stats import FEW, LEVEL, Estimate, estimate, proportion
from alchemy_sim.mc.totals import CellTotals, Totals, split_key


def breakdown_of(games: Iterable[Game], name: str) -> dict[str, Breakdown]:
    """The breakdown `name` by game, for those games that have it; UsageError if none has."""
    listed = list(games)
    found = {game.name: each for game in listed for each in game.breakdowns if each.name == name}
    if not found:
        allowed = dict.fromkeys(each.name for game in listed for each in game.breakdowns)
        raise UsageError(unknown("breakdown", name, allowed))
    return found


def splits_of(breakdown: Breakdown, names: Sequence[str] | None) -> list[Split]:
    """The splits of those names, all when none are named; UsageError on a name the breakdown doesn't have."""
    known = [split.name for split in breakdown.splits]
    for name in names or ():
        if name not in known:
            raise UsageError(unknown(f"metric of --by {breakdown.name}", name, known))
    return [split for split in breakdown.splits if names is None or split.name in names]


def split_estimate(split: Split, totals: Totals, level: float = LEVEL) -> Estimate:
    """The estimate of a split for one label.

    x of y games is a proportion of games (Wilson, or exact), with those y games as n; anything else is a ratio of
    sums with the game as cluster (delta method), with the games whose denominator is not 0 as n.
    """
    if totals.counts_games and totals.y:
        return proportion(totals.x, totals.y, level)
    return estimate(ratio_of(split), totals, level)


def ratio_of(split: Split) -> Metric:
    """A split as a metric, to be estimated from totals: it counts nothing itself."""
    return Metric(split.name, "ratio", split.doc, uncounted, uncounted, unit=split.unit, better=split.better)


def split_effect(metric: Metric, totals: Pairs | tuple[Totals, Totals], same: bool, level: float = LEVEL) -> Effect:
    """The effect on a split (as a ratio metric) for one label, from pairs or from both sides; `same`: the same games.

    Where few games are on one side (`FEW`) the pairs' linearised difference can't be trusted: then both sides are taken
    as if unpaired, with exact or Wilson intervals, which is too wide rather than too narrow.
    """
    one, other = (totals.side(False), totals.side(True)) if isinstance(totals, Pairs) else totals
    if same:
        return identical(metric, one, level)
    if isinstance(totals, Pairs):
        if not one.counts_games or min(one.x, one.y - one.x, other.x, other.y - other.x) >= FEW:
            return paired(metric, totals, level)
    if one.counts_games and other.counts_games and one.y and other.y:
        metric = replace(metric, kind="proportion")
        one, other = (Totals(each.y, each.x, each.y, each.x, each.y, each.x) for each in (one, other))
    return unpaired(metric, one, other, level)


def pooled(found: Sequence[tuple[Totals, Estimate]]) -> Estimate:
    """One number for several missions: the mean of theirs, weighted by their denominators, bounds alike.

    Missions share deals, so their errors may all point one way: bounds that are the mean of the missions' bounds hold
    however much the missions go together, and are too wide where they don't (Cauchy-Schwarz).
    """
    parts = [(totals, each) for totals, each in found if totals.y]
    if len(parts) == 1:
        return parts[0][1]
    n = sum(each.n for _, each in parts)
    below = sum(totals.y for totals, _ in parts)
    if not below:
        return Estimate(None, None, None, n, "pooled")
    value = sum(totals.x for totals, _ in parts) / below
    bounds: list[float | None] = []
    for name in ("low", "high"):
        each_bound = [getattr(each, name) for _, each in parts]
        known = [bound * totals.y for bound, (totals, _) in zip(each_bound, parts, strict=True) if bound is not None]
        bounds.append(sum(known) / below if len(known) == len(parts) else None)
    return Estimate(value, bounds[0], bounds[1], n, "pooled")


def split_rows(
    cells: Sequence[Cell],
    totals: Sequence[CellTotals],
    by: str,
    metrics: Sequence[str] | None = None,
    over: str | None = None,
    level: float = LEVEL,
) -> list[dict[str, Any]]:
    """One row a cell, label and split: config, players, by, label, metric, estimate, low, high, n, method.

    `totals` by cell index. Labels that no game carries have no row. With `over`, a name for all missions together,
    there is one row a player count instead of one a cell, and its config is that name.
    """
    breakdowns = breakdown_of({cell.game.name: cell.game for cell in cells}.values(), by)
    rows = []
    for (config, _, players), group in _groups(cells, over).items():
        breakdown = breakdowns.get(group[0].game.name)
        if breakdown is None:
            continue
        splits = splits_of(breakdown, metrics)
        for label in breakdown.labels:
            for split in splits:
                got = _over(group, totals, breakdown, split, label, level)
                if got is not None:
                    head = {"config": config, "players": players, "by": by, "label": label, "metric": split.name}
                    rows.append({**head, **vars(got)})
    return rows


def _groups(cells: Sequence[Cell], over: str | None) -> dict[tuple[str, str, int], list[Cell]]:
    """The cells by configuration, game and players; by game and players alone if `over` stands for all missions."""
    found: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in cells:
        found.setdefault((over or cell.config_name, cell.game.name, cell.players), []).append(cell)
    return found


def _over(
    cells: Sequence[Cell],
    totals: Sequence[Mapping[str, Totals]],
    breakdown: Breakdown,
    split: Split,
    label: str,
    level: float,
) -> Estimate | None:
    key = split_key(breakdown, split, label)
    held = [totals[cell.index][key] for cell in cells if key in totals[cell.index]]
    found = [(each, split_estimate(split, each, level)) for each in held]
    if not found:
        return None
    return found[0][1] if len(found) == 1 else pooled(found)


def uncounted(_outcomes: Outcomes) -> Any:
    """Estimates are made from totals: nothing is counted here."""
    raise NotImplementedError
