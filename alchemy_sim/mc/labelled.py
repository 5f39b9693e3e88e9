"""Sums by label: what the strips of a split add up to over outcome columns, as exact integers.

Speed matters here, for a run counts every split of every game: columns of Booleans are counted by one bincount over
label and value together, a label that is the same for all games (a view with stride 0) needs no bincount at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.game import Breakdown, Outcomes, Split, Strip

#: The six sums of `totals.Totals`, in its order. `n` counts the games whose y is not 0: those that an estimate rests
#: on, the same however games are cut into chunks (a strip may leave out a label that no game of its chunk has).
SUMS = ("n", "x", "y", "xx", "yy", "xy")
#: Below this a sum of integers is exact in float64, which is what bincount adds weights in.
_EXACT = 2**53


def sums_by_label(breakdown: Breakdown, split: Split, outcomes: Outcomes) -> np.ndarray:
    """The six sums of a split for each label: shape (labels, 6), Python integers."""
    found = np.zeros((len(breakdown.labels), len(SUMS)), object)
    for strip in split.strips(outcomes):
        _add(found, strip)
    return found


def dot(a: np.ndarray, b: np.ndarray) -> int:
    """The exact sum of products of two integer columns."""
    if not len(a):
        return 0
    if _largest(a) * _largest(b) * len(a) < 2**63:
        return int(np.dot(a.astype(np.int64, copy=False), b.astype(np.int64, copy=False)))
    return sum(int(i) * int(j) for i, j in zip(a, b, strict=True))


def _add(found: np.ndarray, strip: Strip) -> None:
    """Add what one strip says to the sums of all labels."""
    label, x, y = strip
    if not len(label):
        return
    if label.strides == (0,):
        if label[0] >= 0:
            found[label[0]] += _row(x, y)
        return
    x, y = _flags(x), _flags(y)
    if x.dtype == np.bool_ and y.dtype == np.bool_:
        found += _flag_sums(label, x, y, len(found))
        return
    x = x.astype(np.int64, copy=False)
    if y.strides != (0,):
        y = y.astype(np.int64, copy=False)
    if max(_largest(x), _largest(y)) ** 2 * len(x) < _EXACT:
        found += _weighted_sums(label, x, y, len(found))
        return
    for each in np.unique(label[label >= 0]):  # numbers too large for floats: one label at a time, in Python's integers
        carries = label == each
        found[each] += _row(x[carries], y[carries])


def _flags(values: np.ndarray) -> np.ndarray:
    """The values as Booleans if all are 0 or 1, else as they are."""
    if values.dtype == np.bool_ or values.min() < 0 or values.max() > 1:
        return values
    return np.asarray(values, np.bool_)


def _largest(values: np.ndarray) -> int:
    """The largest absolute value."""
    return max(abs(int(values.max())), abs(int(values.min())))


def _row(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The sums over games that all carry one label."""
    if x.dtype == np.bool_ and y.dtype == np.bool_:
        has_x, has_y, both = (int(np.count_nonzero(each)) for each in (x, y, x & y))
        return np.array([has_y, has_x, has_y, has_x, has_y, both], object)
    if y.strides == (0,):  # the same y in every game
        total, each = int(x.sum(dtype=np.int64)), int(y[0])
        games = len(x) if each else 0
        return np.array([games, total, len(x) * each, dot(x, x), len(x) * each**2, total * each], object)
    total, below = (int(each.sum(dtype=np.int64)) for each in (x, y))
    return np.array([int(np.count_nonzero(y)), total, below, dot(x, x), dot(y, y), dot(x, y)], object)


def _flag_sums(label: np.ndarray, x: np.ndarray, y: np.ndarray, labels: int) -> np.ndarray:
    """The sums where x and y are 0 or 1: games counted by label, x and y together."""
    # label -1, no label, comes first and is dropped; one byte a game where that is enough
    kind: Any = label.astype(np.uint8 if 4 * labels + 4 <= 256 else np.int32)
    kind += 1
    kind *= 4
    kind += x
    kind += x
    kind += y
    _, only_y, only_x, both = np.bincount(kind, minlength=4 * labels + 4).reshape(labels + 1, 4)[1:].T
    has_x, has_y = only_x + both, only_y + both
    return np.stack([has_y, has_x, has_y, has_x, has_y, both], axis=1)


def _weighted_sums(label: np.ndarray, x: np.ndarray, y: np.ndarray, labels: int) -> np.ndarray:
    """The sums where every one of them is below 2^53, so that float64 adds them exactly."""
    place = label.astype(np.int64) + 1

    def add(weights: np.ndarray | None = None) -> np.ndarray:
        return np.bincount(place, weights, minlength=labels + 1)[1:].astype(np.int64)

    games, total, squares = add(), add(x), add(x * x)
    if y.strides == (0,):  # the same y in every game
        each = int(y[0])
        return np.stack([games * (each != 0), total, games * each, squares, games * each**2, total * each], axis=1)
    return np.stack([add(y != 0), total, add(y), squares, add(y * y), add(x * y)], axis=1)
