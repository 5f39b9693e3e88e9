"""Integer totals of pairs: two games with one number, one under each of two settings, so on the same deal.

For each metric a pair gives x and y (numerator and denominator, 1 where the metric has none) of both its games, A's and
B's; kept are the number of pairs, the four sums and the ten sums of products, exact integers. Splits have the same for
each label, n being the pairs in which either game carries it.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from itertools import combinations_with_replacement

import numpy as np

from alchemy_sim.core.game import Breakdown, Encoded, Game, Outcomes, Split
from alchemy_sim.mc.labelled import dot
from alchemy_sim.mc.tables import number_of_games
from alchemy_sim.mc.totals import CellTotals, Totals, split_key, tally

#: The four numbers of a pair, and the products that are summed.
XA, YA, XB, YB = range(4)
PRODUCTS = tuple(combinations_with_replacement(range(4), 2))
_PLACE = {pair: place for place, pair in enumerate(PRODUCTS)}

#: Totals of pairs by metric name and by `split_key`.
CellPairs = dict[str, "Pairs"]


@dataclass(frozen=True)
class Pairs:
    """`n` pairs, the `sums` of XA, YA, XB, YB, and those of the `PRODUCTS` of two of them."""

    n: int = 0
    sums: tuple[int, ...] = (0,) * 4
    products: tuple[int, ...] = (0,) * len(PRODUCTS)

    def __add__(self, other: Pairs) -> Pairs:
        """Totals of both sets of pairs."""
        return Pairs(
            self.n + other.n,
            tuple(a + b for a, b in zip(self.sums, other.sums, strict=True)),
            tuple(a + b for a, b in zip(self.products, other.products, strict=True)),
        )

    def product(self, one: int, other: int) -> int:
        """The sum of products of two of the four."""
        return self.products[_PLACE[min(one, other), max(one, other)]]

    def side(self, b: bool) -> Totals:
        """The totals of A's games alone, or of B's."""
        x, y = (XB, YB) if b else (XA, YA)
        n = self.n if self.product(y, y) != self.sums[y] else self.sums[y]  # of a label: the games that carry it
        return Totals(n, self.sums[x], self.sums[y], self.product(x, x), self.product(y, y), self.product(x, y))


def pairs_of(n: int, four: tuple[np.ndarray, ...]) -> Pairs:
    """The totals of `n` pairs whose XA, YA, XB and YB are integer columns of shape (pairs,)."""
    sums = tuple(int(each.sum(dtype=np.int64)) for each in four)
    return Pairs(n, sums, tuple(dot(four[one], four[other]) for one, other in PRODUCTS))


def tally_pairs(game: Game, one: Outcomes, other: Outcomes, by: str | None = None) -> CellPairs:
    """Totals of every metric over the outcomes of A and of B, game by game; `by` adds the splits of a breakdown."""
    columns = [{name: np.ascontiguousarray(values) for name, values in each.items()} for each in (one, other)]
    games = number_of_games(columns[0])
    ones = np.ones(games, np.int64)
    found: CellPairs = {}
    for metric in game.metrics:
        four: list[np.ndarray] = []
        for each in columns:
            four += [metric.numerator(each), ones if metric.denominator is None else metric.denominator(each)]
        found[metric.name] = pairs_of(games, tuple(four))
    for breakdown in game.breakdowns:
        if breakdown.name == by:
            for split in breakdown.splits:
                found |= _split_pairs(breakdown, split, columns, games)
    return found


def _split_pairs(breakdown: Breakdown, split: Split, columns: list[dict[str, np.ndarray]], games: int) -> CellPairs:
    four = [values for each in columns for values in _dense(breakdown, split, each, games)]
    found = {}
    for place, label in enumerate(breakdown.labels):
        carry = np.flatnonzero((four[YA][place] != 0) | (four[YB][place] != 0))
        if carry.size:
            mine = tuple(each[place, carry].astype(np.int64) for each in four)
            found[split_key(breakdown, split, label)] = pairs_of(int(carry.size), mine)
    return found


def _dense(breakdown: Breakdown, split: Split, outcomes: Outcomes, games: int) -> tuple[np.ndarray, np.ndarray]:
    """The x and y of every label in every game, 0 where a game does not carry it: shapes (labels, games)."""
    x_of, y_of = (np.zeros((len(breakdown.labels), games), np.int32) for _ in range(2))
    for label, x, y in split.strips(outcomes):
        at = np.flatnonzero(label >= 0)
        x_of[label[at], at] += x[at].astype(np.int32)
        y_of[label[at], at] += y[at].astype(np.int32)
    return x_of, y_of


@dataclass(frozen=True)
class Two:
    """What a kernel needs for both settings of a cell; `by` names a breakdown to count too.

    `other` is None where both are the same.
    """

    one: Encoded
    other: Encoded | None
    by: str | None = None


def count_pairs(module: str, two: Two, seed: int, first: int, count: int, _keep: bool) -> tuple[CellPairs, None]:
    """What a worker does for a chunk of pairs; see `runner.count_games`."""
    game: Game = import_module(module).GAME
    one = game.simulate(two.one, seed, first, count)
    other = one if two.other is None else game.simulate(two.other, seed, first, count)
    return tally_pairs(game, one, other, two.by), None


def count_side(module: str, two: Two, seed: int, first: int, count: int, _keep: bool) -> tuple[CellTotals, None]:
    """What a worker does for games of one setting (`two.one`) alone."""
    game: Game = import_module(module).GAME
    return tally(game, game.simulate(two.one, seed, first, count), () if two.by is None else (two.by,)), None
