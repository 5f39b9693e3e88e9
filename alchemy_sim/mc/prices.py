"""The price list: what each label (a drafted task) costs the chance of success, alone and beside another.

A logistic regression of the headline metric, a proportion, on which labels a game carries, by Newton's method. As every
game of a cell carries equally many, only differences between labels are known: prices are in log-odds against the
average label, which costs 0. A pair's price is what both cost together beyond their sum, an interaction. Which stand
out is told by the efficient score test (Cox and Hinkley, Theoretical Statistics, 1974, section 9.3) with Benjamini
and Hochberg's control of the false-discovery rate (J. R. Statist. Soc. B 57, 1995, p. 289); theirs are fitted in full,
the others' prices are the score's one step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import expit, ndtri
from scipy.stats import false_discovery_control, norm

#: Labels that succeed, or fail, in fewer games than this have no price: nothing is known of it, or it is infinite.
LEAST = 5
#: Pairs in fewer games than this are not told.
LEAST_PAIR = 30
#: The share of false ones among the pairs that stand out.
RATE = 0.05
_STEPS = 60


@dataclass(frozen=True)
class Price:
    """What a label, or a pair of labels, costs: log-odds with an interval, games that carry it, and their successes."""

    labels: tuple[int, ...]
    cost: float | None
    low: float | None
    high: float | None
    n: int
    successes: int
    stands_out: bool = False


class Prices:
    """The regression of one cell: `carried` (games, places) label numbers, `success` (games,) of 0 and 1."""

    def __init__(self, carried: np.ndarray, success: np.ndarray, labels: int) -> None:
        self.labels = labels
        self._success = success.astype(np.float64)
        self._design = np.zeros((len(success), labels), np.int8)
        for place in range(carried.shape[1]):
            self._design[np.arange(len(success)), carried[:, place]] = 1
        self.n = self._design.sum(axis=0, dtype=np.int64)
        self.successes = (self._design * success[:, None]).sum(axis=0, dtype=np.int64)
        self.priced = np.flatnonzero(np.minimum(self.successes, self.n - self.successes) >= LEAST)
        unpriced = np.setdiff1d(np.arange(labels), self.priced)
        self._kept = self._design[:, unpriced].sum(axis=1) == 0
        self._fit()

    def _fit(self) -> None:
        """Newton's method on the games whose labels all have a price."""
        x = self._design[np.ix_(self._kept, self.priced)].astype(np.float64)
        y = self._success[self._kept]
        # labels add up to the same in every game, so their mean is taken out and stands in the constant
        self._beta = np.zeros(len(self.priced))
        for _ in range(_STEPS):
            p = expit(x @ self._beta)
            information = (x * (p * (1 - p))[:, None]).T @ x
            step = np.linalg.solve(information + 1e-9 * np.eye(len(self.priced)), x.T @ (y - p))
            self._beta += step
            if np.abs(step).max() < 1e-9:
                break
        self._p = expit(x @ self._beta)
        self._information = (x * (self._p * (1 - self._p))[:, None]).T @ x + 1e-9 * np.eye(len(self.priced))
        self._inverse = np.linalg.inv(self._information)
        self._x = x

    def singles(self, level: float) -> list[Price]:
        """The price of every label that any game carries; None where it has none."""
        centre = np.eye(len(self.priced)) - 1 / len(self.priced)
        costs = -centre @ self._beta
        errors = np.sqrt(np.diag(centre @ self._inverse @ centre.T))
        z = float(-ndtri((1 - level) / 2))
        found = []
        for label in np.flatnonzero(self.n):
            place = np.searchsorted(self.priced, label)
            n, successes = int(self.n[label]), int(self.successes[label])
            if place < len(self.priced) and self.priced[place] == label:
                half = z * float(errors[place])
                cost = float(costs[place])
                found.append(Price((int(label),), cost, cost - half, cost + half, n, successes))
            else:
                found.append(Price((int(label),), None, None, None, n, successes))
        return found

    def pairs(self, level: float) -> list[Price]:
        """What pairs cost beyond the sum of both, those that stand out marked."""
        y, p = self._success[self._kept], self._p
        weight = p * (1 - p)
        found: list[tuple[tuple[int, int], float, float, int, int]] = []
        for i in range(len(self.priced)):
            mine = np.flatnonzero(self._x[:, i])
            for j in range(i + 1, len(self.priced)):
                both = mine[self._x[mine, j] > 0]
                if len(both) < LEAST_PAIR:
                    continue
                score = float((y[both] - p[both]).sum())
                crossed = self._x[both].T @ weight[both]
                information = float(weight[both].sum() - crossed @ self._inverse @ crossed)
                if information > 1e-6:
                    pair = (int(self.priced[i]), int(self.priced[j]))
                    found.append((pair, score / information, 1 / sqrt(information), len(both), int(y[both].sum())))
        if not found:
            return []
        chances = 2 * norm.sf([abs(gain / error) for _, gain, error, _, _ in found])
        out: Sequence[bool] = (false_discovery_control(chances) <= RATE).tolist()
        z = float(-ndtri((1 - level) / 2))
        prices = []
        for (pair, gain, error, n, successes), stands in zip(found, out, strict=True):
            if stands and LEAST <= successes <= n - LEAST:
                gain, error = self._fitted(pair, gain)
            prices.append(Price(pair, -gain, -gain - z * error, -gain + z * error, n, successes, stands))
        return prices

    def _fitted(self, pair: tuple[int, int], start: float) -> tuple[float, float]:
        """The interaction of a pair and its standard error, with all labels fitted anew beside it.

        Newton's steps; the information is brought up to date for the games that carry both, where it changes most.
        """
        one, other = np.searchsorted(self.priced, pair)
        y = self._success[self._kept]
        both = np.flatnonzero((self._x[:, one] > 0) & (self._x[:, other] > 0))
        x = self._x[both]
        weight = self._p[both] * (1 - self._p[both])
        beta, gain = self._beta.copy(), min(max(start, -3.0), 3.0)
        size = len(beta)
        whole = np.zeros((size + 1, size + 1))
        for _ in range(_STEPS):
            scores = self._x @ beta
            scores[both] += gain
            p = expit(scores)
            now = p[both] * (1 - p[both])
            whole[:size, :size] = self._information + (x * (now - weight)[:, None]).T @ x
            whole[:size, size] = whole[size, :size] = x.T @ now
            whole[size, size] = now.sum()
            step = np.linalg.solve(whole, np.append(self._x.T @ (y - p), (y[both] - p[both]).sum()))
            beta += step[:size]
            gain += step[size]
            if np.abs(step).max() < 1e-6:
                break
        return float(gain), float(np.sqrt(np.linalg.inv(whole)[size, size]))
