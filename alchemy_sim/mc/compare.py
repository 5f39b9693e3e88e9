"""Comparing two settings, cell by cell: on the same deals where that is possible, else on games of their own.

Cells are matched by configuration and number of players. Both games of a pair have the same number under the same
seed, so the same deal, drafts and draws; what is common to both falls out of the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from alchemy_sim.core.errors import UsageError
from alchemy_sim.core.game import Metric
from alchemy_sim.mc.effects import Effect, identical, paired, unpaired
from alchemy_sim.mc.pairs import CellPairs, Two, count_pairs, count_side, tally_pairs
from alchemy_sim.mc.plan import Cell, Part, Plan
from alchemy_sim.mc.record import Record
from alchemy_sim.mc.runner import Counting, Progress, Workers, play
from alchemy_sim.mc.splits import breakdown_of, ratio_of, split_effect
from alchemy_sim.mc.tables import Columns, first_games, number_of_games
from alchemy_sim.mc.totals import CellTotals, merge, split_key
from alchemy_sim.mc.verdicts import Family, Verdict, margin_of, verdict

#: The first look of a comparison that goes on until it is decided; each further look has twice the games.
FIRST_LOOK = 2_000


@dataclass(frozen=True)
class Match:
    """A cell of A and the cell of B it is compared with."""

    a: Cell
    b: Cell

    @property
    def same(self) -> bool:
        """Whether both play the very same games, under one seed."""
        one, other = self.a.encoded, self.b.encoded
        return one.policies == other.policies and bool(np.array_equal(one.rules, other.rules))


@dataclass
class Comparison:
    """What came of a comparison: matched cells and, by match, totals of pairs, or of both sides where unpaired.

    `looks` by match is the number of the look it was decided in, None where only one was planned. `why` says why games
    are not paired.
    """

    a: Plan
    b: Plan
    matches: tuple[Match, ...]
    pairs: list[CellPairs]
    sides: list[tuple[CellTotals, CellTotals]]
    looks: list[int | None]
    why: str = ""
    #: whether the games of both sides are known to be the same where the settings are (not so for a stored run)
    one_program: bool = True

    @property
    def paired(self) -> bool:
        """Whether both sides played the same deals, game by game."""
        return not self.why

    def effect(self, place: int, metric: Metric, level: float) -> Effect:
        """The effect on a metric in a match."""
        if not self.paired:
            one, other = self.sides[place]
            return unpaired(metric, one[metric.name], other[metric.name], level)
        pairs = self.pairs[place][metric.name]
        if self.one_program and self.matches[place].same:
            return identical(metric, pairs.side(False), level)
        return paired(metric, pairs, level)


@dataclass(frozen=True)
class Finding:
    """One line of a comparison: the effect on a metric in a match (for a label of a breakdown), and its verdict."""

    match: Match
    metric: Metric
    effect: Effect
    verdict: Verdict
    level: float
    label: str | None = None


def matched(a: Plan, b: Plan) -> tuple[Match, ...]:
    """The cells of two plans that belong together; UsageError if there are none.

    By the name of the configuration and the players; plans with one configuration each are compared whatever its name,
    and so are plans with as many, in their order, if they have no name in common.
    """
    names_a, names_b = a.config_names, b.config_names
    as_named = dict(zip(names_a, names_b, strict=True)) if len(names_a) == len(names_b) else {}
    if set(names_a) & set(names_b) and len(names_a) > 1:
        as_named = {name: name for name in names_a if name in names_b}
    there = {(cell.config_name, cell.players): cell for cell in b.cells}
    found = [
        Match(cell, there[as_named[cell.config_name], cell.players])
        for cell in a.cells
        if (as_named.get(cell.config_name), cell.players) in there
    ]
    if not found:
        raise UsageError("nothing to compare: no configuration and number of players is in both")
    for match in found:
        if match.a.game.name != match.b.game.name:
            raise UsageError(f"{match.a.config_name} and {match.b.config_name} are of different games")
    return tuple(found)


def family_of(matches: Sequence[Match], metrics: Sequence[str] | None = None) -> Family:
    """The verdicts a comparison gives together: all metrics of all matches, or those named."""
    game = matches[0].a.game
    named = [each.name for each in game.metrics if metrics is None or each.name in metrics]
    head = game.headline if game.headline in named else named[0]
    return Family(head, len(matches), len(named) - 1)


def play_both(
    a: Plan,
    b: Plan,
    workers: Workers,
    by: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    decided: Callable[[Comparison, int, int], bool] | None = None,
    most: int | None = None,
) -> Comparison:
    """Compare two plans by playing both; under one seed game by game on the same deals.

    With `decided(comparison, place, look)` a match is played on, at most to `most` games, until it says so.
    """
    matches = matched(a, b)
    both = _nothing_yet(a, b, matches, _unpairable(a, b))
    if decided is None:
        _play_on(both, range(len(matches)), 0, a.games, workers, by, progress)
        return both
    first, games, look = 0, FIRST_LOOK if most is None else min(FIRST_LOOK, most), 0
    open_ones: Sequence[int] = range(len(matches))
    while open_ones:
        _play_on(both, open_ones, first, games, workers, by, progress)
        for place in open_ones:
            both.looks[place] = look
        open_ones = [place for place in open_ones if not decided(both, place, look)]
        if games == most:
            break
        first, games, look = games, min(2 * games, most or 2 * games), look + 1
    return both


def _nothing_yet(a: Plan, b: Plan, matches: tuple[Match, ...], why: str) -> Comparison:
    empty: list[tuple[CellTotals, CellTotals]] = [({}, {}) for _ in matches]
    return Comparison(a, b, matches, [{} for _ in matches], empty, [None] * len(matches), why)


def of_runs(a: Record, b: Record, ours: Sequence[Cell], theirs: Sequence[Cell], by: str | None = None) -> Comparison:
    """Compare cells of two stored runs: paired where both kept their games under one seed, else unpaired.

    Of runs of different lengths the games that both have are paired.
    """
    matches = matched(replace(a.plan, cells=tuple(ours)), replace(b.plan, cells=tuple(theirs)))
    why = _unpairable(a.plan, b.plan, a, b)
    both = replace(_nothing_yet(a.plan, b.plan, matches, why), one_program=False)
    for place, match in enumerate(matches):
        if why:
            both.sides[place] = a.totals[match.a.index], b.totals[match.b.index]
            continue
        for one, other in zip(a.outcomes(match.a), b.outcomes(match.b), strict=False):
            games = min(number_of_games(one), number_of_games(other))
            mine, its = first_games(one, games), first_games(other, games)
            both.pairs[place] = merge(both.pairs[place], tally_pairs(match.a.game, mine, its, by))
    return both


class _Beside:
    """A sink that pairs the games of B, as they are played, with the stored ones of A."""

    wants_columns = True

    def __init__(self, both: Comparison, stored: Record) -> None:
        self._both = both
        self._place = {match.b.index: place for place, match in enumerate(both.matches)}
        self._stored = {match.b.index: stored.outcomes(match.a) for match in both.matches}

    def done(self, part: Part, _totals: CellTotals, columns: Columns | None) -> None:
        """Parts hold the same numbers of games in every run, and come in order."""
        kept = next(self._stored[part.cell], None) if part.cell in self._place else None
        if kept is None or columns is None:
            return
        place = self._place[part.cell]
        match = self._both.matches[place]
        games = min(number_of_games(kept), part.count)
        mine, its = first_games(kept, games), first_games(columns, games)
        self._both.pairs[place] = merge(self._both.pairs[place], tally_pairs(match.a.game, mine, its))


def of_plans(a: Record, b: Plan, workers: Workers, progress: Callable[[Progress], None] | None = None) -> Comparison:
    """Compare a stored run with a plan that is played now: paired if the run kept its games under the same seed."""
    matches = matched(a.plan, b)
    both = replace(_nothing_yet(a.plan, b, matches, _unpairable(a.plan, b, a)), one_program=False)
    if both.paired:
        play(b, workers, _Beside(both, a), progress)
        return both
    totals = play(b, workers, None, progress).totals
    for place, match in enumerate(matches):
        both.sides[place] = a.totals[match.a.index], totals[match.b.index]
    return both


def _unpairable(a: Plan, b: Plan, *stored: Record) -> str:
    """Why games of two plans can't be paired, of which some are taken from stored runs; or ''."""
    if a.seed != b.seed:
        return f"seeds differ ({a.seed} and {b.seed})"
    bare = [each.name for each in stored if each.manifest["keep"] != "games"]
    return f"{' and '.join(bare)} kept sums only, no games" if bare else ""


def _play_on(
    both: Comparison,
    places: Sequence[int],
    first: int,
    upto: int,
    workers: Workers,
    by: str | None,
    progress: Callable[[Progress], None] | None,
) -> None:
    """Add the games from number `first` up to `upto` to the totals of some matches."""
    parts = [Part(number, place, first, upto - first) for number, place in enumerate(places)]

    def cells(plan: Plan, chosen: Sequence[Cell]) -> Plan:
        return replace(plan, cells=tuple(replace(cell, index=place) for place, cell in enumerate(chosen)))

    ours = cells(both.a, [match.a for match in both.matches])
    if both.paired:
        twos = [Two(match.a.encoded, None if match.same else match.b.encoded, by) for match in both.matches]
        played = play(ours, workers, None, progress, parts, Counting(count_pairs, twos))
        for place in places:
            both.pairs[place] = merge(both.pairs[place], played.totals[place])
        return
    theirs = cells(both.b, [match.b for match in both.matches])
    one, other = (
        play(
            plan,
            workers,
            None,
            progress,
            parts,
            Counting(count_side, [Two(c.encoded, None, by) for c in plan.cells]),
        ).totals
        for plan in (ours, theirs)
    )
    for place in places:
        mine, its = both.sides[place]
        both.sides[place] = merge(mine, one[place]), merge(its, other[place])


def findings(
    both: Comparison, metrics: Sequence[str] | None = None, margins: Mapping[str, float] | None = None
) -> Iterator[Finding]:
    """Every metric (or those named) in every match, with its verdict; intervals hold together with 95 % chance."""
    family = family_of(both.matches, metrics)
    for place, match in enumerate(both.matches):
        for metric in match.a.game.metrics:
            if metrics is None or metric.name in metrics:
                yield finding(both, place, metric, family, margins)


def finding(
    both: Comparison, place: int, metric: Metric, family: Family, margins: Mapping[str, float] | None = None
) -> Finding:
    """One metric in one match."""
    level = family.level(metric.name, both.looks[place])
    return _judged(both.matches[place], metric, both.effect(place, metric, level), level, margins)


def _judged(
    match: Match,
    metric: Metric,
    effect: Effect,
    level: float,
    margins: Mapping[str, float] | None,
    label: str | None = None,
) -> Finding:
    """An effect with its verdict."""
    margin = margin_of(metric, effect, (margins or {}).get(metric.name))
    return Finding(match, metric, effect, verdict(metric, effect, margin), level, label)


def label_findings(
    both: Comparison, by: str, metrics: Sequence[str] | None = None, margins: Mapping[str, float] | None = None
) -> list[Finding]:
    """The splits of a breakdown (or those named), label by label; all their intervals hold together."""
    found: list[tuple[int, Metric, str, Any]] = []
    breakdowns = breakdown_of([match.a.game for match in both.matches], by)
    for place, match in enumerate(both.matches):
        breakdown = breakdowns[match.a.game.name]
        for split in breakdown.splits:
            if metrics is not None and split.name not in metrics:
                continue
            metric = ratio_of(split)
            for label in breakdown.labels:
                key = split_key(breakdown, split, label)
                if both.paired and key in both.pairs[place]:
                    found.append((place, metric, label, both.pairs[place][key]))
                elif not both.paired and all(key in side for side in both.sides[place]):
                    found.append((place, metric, label, tuple(side[key] for side in both.sides[place])))
    shown = []
    for place, metric, label, totals in found:
        level = Family(metric.name, len(found), 0).level(metric.name, both.looks[place])
        effect = split_effect(metric, totals, both.one_program and both.matches[place].same, level)
        shown.append(_judged(both.matches[place], metric, effect, level, margins, label))
    return shown
