"""Integer totals of metrics and splits: all that any estimate needs, the same whatever order games arrive in.

For each metric a game gives a numerator x and a denominator y (1 where the metric has none); a run keeps the number of
games and the sums of x, y, x^2, y^2 and xy as exact integers. The splits of a game's breakdowns have the same sums for
each label, n being the games whose y is not 0, under the key `breakdown/split/label`; a label no game carries has none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

import numpy as np

from alchemy_sim.core.game import Breakdown, Game, Metric, Outcomes, Split
from alchemy_sim.mc.labelled import dot, sums_by_label
from alchemy_sim.mc.tables import number_of_games

#: Totals by metric name and by `split_key`: what a chunk, a part or a cell adds up to.
CellTotals = dict[str, "Totals"]


class Addable(Protocol):
    """Sums that add up."""

    def __add__(self, other: Self, /) -> Self:
        """The sums of both."""


Sums = TypeVar("Sums", bound=Addable)


@dataclass(frozen=True)
class Totals:
    """Sums over games: `n` games, `x` and `y` of numerators and denominators, `xx`, `yy`, `xy` of their products."""

    n: int = 0
    x: int = 0
    y: int = 0
    xx: int = 0
    yy: int = 0
    xy: int = 0

    def __add__(self, other: Totals) -> Totals:
        """Totals of both sets of games."""
        return Totals(
            self.n + other.n,
            self.x + other.x,
            self.y + other.y,
            self.xx + other.xx,
            self.yy + other.yy,
            self.xy + other.xy,
        )

    @property
    def counts_games(self) -> bool:
        """Whether x and y are 0 or 1 in every game, and x is never without y: x of y games."""
        # for integers x^2 >= x, equal only at 0 and 1; then xy counts the games that have both
        return self.xx == self.x and self.yy == self.y and self.xy == self.x


def count(metric: Metric, outcomes: Outcomes, games: int) -> Totals:
    """Totals of one metric over outcome columns of shape (games,); ValueError if a proportion is not 0 or 1."""
    x = metric.numerator(outcomes)
    total, squares = int(x.sum(dtype=np.int64)), dot(x, x)
    if metric.kind == "proportion" and squares != total:  # x^2 >= x for integers, equal only at 0 and 1
        raise ValueError(f"metric {metric.name}: a proportion's numerator must be 0 or 1 in every game")
    if metric.denominator is None:
        return Totals(games, total, games, squares, games, total)
    y = metric.denominator(outcomes)
    return Totals(games, total, int(y.sum(dtype=np.int64)), squares, dot(y, y), dot(x, y))


def split_key(breakdown: Breakdown, split: Split, label: str) -> str:
    """Where the totals of a split for one label stand among those of a cell."""
    return f"{breakdown.name}/{split.name}/{label}"


def tally(game: Game, outcomes: Outcomes, by: Collection[str] | None = None) -> CellTotals:
    """Totals of every metric and split of a game over outcome columns.

    `by` names the breakdowns to count where not all are wanted.
    """
    # a kernel's columns are fields of records; side by side they are read several times faster
    columns = {name: np.ascontiguousarray(values) for name, values in outcomes.items()}
    games = number_of_games(columns)
    found = {metric.name: count(metric, columns, games) for metric in game.metrics}
    for breakdown in game.breakdowns:
        for split in breakdown.splits if by is None or breakdown.name in by else ():
            for label, sums in zip(breakdown.labels, sums_by_label(breakdown, split, columns), strict=True):
                if sums[0]:
                    found[split_key(breakdown, split, label)] = Totals(*map(int, sums))
    return found


def merge(one: Mapping[str, Sums], other: Mapping[str, Sums]) -> dict[str, Sums]:
    """Totals of two sets of games (or pairs of games) of one cell; either may be empty."""
    found = {**one, **other}
    return found | {name: one[name] + other[name] for name in found if name in one and name in other}


def to_json(totals: Mapping[str, Totals]) -> dict[str, dict[str, int]]:
    """The totals as plain dicts of integers: metrics, then splits by their keys, whatever chunk met one first.

    Splits, of which there are hundreds, go without xx, yy and xy where these say nothing new: where x and y are 0 or 1
    in every game and x is never without y, which makes them x, y and x.
    """
    found = {}
    for name, each in sorted(totals.items(), key=lambda item: item[0] if "/" in item[0] else ""):
        found[name] = {"n": each.n, "x": each.x, "y": each.y}
        if "/" not in name or not each.counts_games:
            found[name] |= {"xx": each.xx, "yy": each.yy, "xy": each.xy}
    return found


def from_json(stored: Mapping[str, Mapping[str, int]]) -> CellTotals:
    """The totals that `to_json` wrote."""
    plain = {name: {"xx": each["x"], "yy": each["y"], "xy": each["x"], **each} for name, each in stored.items()}
    return {name: Totals(**each) for name, each in plain.items()}
