"""From rounds to matches: sums over the rounds of each match, so that the match is the cluster of every ratio.

A number by label (what forcing brings by the forcer's chance, ...) is a strip a label: arrays of one integer a match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from alchemy_sim.core.game import ROUNDS, Outcomes, Strip

#: Something of each match or of each round, integers or Booleans: shape (matches,) or (rounds,).
Values = Callable[[Outcomes], np.ndarray]
#: The same of one seat.
SeatValues = Callable[[Outcomes, int], np.ndarray]
#: Label numbers (-1: none), x and y by round.
Part = tuple[np.ndarray, np.ndarray, np.ndarray]


def seats(outcomes: Outcomes) -> range:
    """The seats of these matches."""
    players = 0
    while f"stones_{players}" in outcomes:
        players += 1
    return range(players)


def matches(outcomes: Outcomes) -> int:
    """How many matches there are."""
    return len(outcomes["winner"])


def everywhere(outcomes: Outcomes, value: int | bool) -> np.ndarray:
    """The same value for every match, without a copy of it for each."""
    return np.broadcast_to(np.asarray(value), matches(outcomes))


def added(columns: Iterable[np.ndarray]) -> np.ndarray:
    """Columns of one length, added up row by row: int64."""
    return np.add.reduce(list(columns), axis=0, dtype=np.int64)


def of_rounds(outcomes: Outcomes, name: str) -> np.ndarray:
    """A column of the rounds: shape (rounds,)."""
    return outcomes[ROUNDS + name]


def _add(places: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
    """Sums of values by place, int64 of shape (size,)."""
    if values.dtype == np.bool_:
        return np.bincount(places[values], minlength=size).astype(np.int64, copy=False)
    # bincount adds in float64, which is exact here: Stones and turns of a match are far below 2^53
    return np.bincount(places, values, minlength=size).astype(np.int64)


def summed(outcomes: Outcomes, values: np.ndarray) -> np.ndarray:
    """Sums of values of rounds by match."""
    return _add(of_rounds(outcomes, "game"), values, matches(outcomes))


def rounds_sum(values: Values) -> Values:
    """Something of rounds, added up over the rounds of each match."""
    return lambda outcomes: summed(outcomes, values(outcomes))


class Bins:
    """Labels for ranges of whole numbers: each begins at a bound and ends before the next, the last is open.

    `labels` name them otherwise. A number below the first bound has no label.
    """

    def __init__(self, *bounds: int, labels: tuple[str, ...] = ()) -> None:
        # a label for each number from -1 to the last bound: looking up is several times faster than searching
        self._last = bounds[-1]
        self._places = np.searchsorted(bounds, np.arange(-1, self._last + 1), "right") - 1
        ranges = [f"{low}" if low == high - 1 else f"{low}-{high - 1}" for low, high in pairwise(bounds)]
        self.labels = labels or (*ranges, f"{bounds[-1]}+")

    def of(self, values: np.ndarray) -> np.ndarray:
        """The number of each value's label, -1 for none."""
        return self._places[np.clip(values, -1, self._last) + 1]


def by_label(outcomes: Outcomes, labels: int, parts: Sequence[Part]) -> Iterator[Strip]:
    """A strip a label: sums by match of x and y over the rounds that carry it; `parts` is one, or one for each seat."""
    games, many = of_rounds(outcomes, "game"), matches(outcomes)
    above, below = np.zeros((labels, many), np.int64), np.zeros((labels, many), np.int64)
    for label, x, y in parts:
        carries = np.flatnonzero(label >= 0)
        places = label[carries].astype(np.int64) * many + games[carries]
        above += _add(places, x[carries], labels * many).reshape(labels, many)
        below += _add(places, y[carries], labels * many).reshape(labels, many)
    for number in range(labels):
        yield everywhere(outcomes, number), above[number], below[number]
