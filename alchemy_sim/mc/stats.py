"""Estimates with intervals, from integer totals alone.

Proportions: Wilson (1927), or the exact interval of Clopper and Pearson (1934) where fewer than `FEW` games are on one
side. Means and shares: Student's t. Ratios: linearised with the game as the cluster (Cochran, Sampling Techniques, 3rd
ed. 1977, sections 2.11 and 6.3), not Wilson on counts, for what happens inside one game is correlated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from scipy.special import betaincinv, ndtri, stdtrit

from alchemy_sim.core.game import Metric
from alchemy_sim.mc.plan import Cell
from alchemy_sim.mc.totals import Totals

LEVEL = 0.95
#: With fewer games than this on one side a proportion's interval is the exact one.
FEW = 10


@dataclass(frozen=True)
class Estimate:
    """A number with its interval (95 % unless asked otherwise), the games behind it and how it was got.

    `estimate` is None where there is nothing to estimate (no games, or a ratio's denominator is 0 in all of them);
    `low` and `high` are None where the games tell nothing of the spread (one game, or all alike).
    """

    estimate: float | None
    low: float | None
    high: float | None
    n: int
    method: str


def estimate(metric: Metric, totals: Totals, level: float = LEVEL) -> Estimate:
    """The estimate of a metric from its totals; `level` is the interval's coverage."""
    if metric.kind == "proportion":
        return proportion(totals.x, totals.n, level)
    if metric.kind == "ratio":
        found = _ratio(totals, metric.scale, level)
    elif metric.kind in ("mean", "share"):
        found = _mean(totals, metric.scale, level)
        if metric.kind == "share" and totals.n and found.low is None:
            found = _constant_share(totals, metric.scale, level)
    else:
        raise ValueError(f"metric {metric.name}: unknown kind {metric.kind}")
    bounded = metric.unit == "pp" or metric.kind == "share"
    return _within_0_and_1(found) if bounded else found


def proportion(successes: int, n: int, level: float = LEVEL) -> Estimate:
    """A proportion of `n` games: Wilson's interval, or Clopper and Pearson's with fewer than `FEW` on one side."""
    if n == 0:
        return Estimate(None, None, None, 0, "wilson")
    share = successes / n
    tail = (1 - level) / 2
    if min(successes, n - successes) < FEW:
        return Estimate(share, *clopper_pearson(successes, n, tail), n, "clopper-pearson")
    z = float(-ndtri(tail))
    centre = (successes + z * z / 2) / (n + z * z)
    half = z * sqrt(share * (1 - share) * n + z * z / 4) / (n + z * z)
    return Estimate(share, centre - half, centre + half, n, "wilson")


def clopper_pearson(successes: int, n: int, tail: float) -> tuple[float, float]:
    """The exact bounds of a proportion, `tail` beyond each."""
    low = float(betaincinv(successes, n - successes + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, n - successes, 1 - tail)) if successes < n else 1.0
    return low, high


def _mean(totals: Totals, scale: int, level: float) -> Estimate:
    if totals.n == 0:
        return Estimate(None, None, None, 0, "t")
    squares = totals.n * totals.xx - totals.x**2  # n times the sum of squared deviations, an exact integer
    half = _half(squares / totals.n**2, totals.n, level)
    return _around(totals.x / totals.n / scale, half / scale, totals.n, "t")


def _ratio(totals: Totals, scale: int, level: float) -> Estimate:
    if totals.y == 0:
        return Estimate(None, None, None, totals.n, "delta")
    # the sum over games of (x - R y)^2, times y^2: an exact integer, so nothing cancels
    squares = totals.xx * totals.y**2 - 2 * totals.x * totals.y * totals.xy + totals.x**2 * totals.yy
    half = _half(squares / totals.y**2 * totals.n / totals.y**2, totals.n, level)
    return _around(totals.x / totals.y / scale, half / scale, totals.n, "delta")


def _half(variance: float, n: int, level: float) -> float:
    """Half the width of a t interval: `variance` of one game's value as if its mean were known; 0 for one game."""
    if n < 2:
        return 0.0
    return float(-stdtrit(n - 1, (1 - level) / 2)) * sqrt(variance / (n - 1))


def _around(value: float, half: float, n: int, method: str) -> Estimate:
    if half == 0:
        return Estimate(value, None, None, n, method)
    return Estimate(value, value - half, value + half, n, method)


def _constant_share(totals: Totals, scale: int, level: float) -> Estimate:
    """A share that was 0 (or 1) in every game: as a proportion, for a share is at most the chance of not being 0."""
    if totals.x in (0, totals.n * scale):
        return proportion(totals.x // scale, totals.n, level)
    return Estimate(totals.x / totals.n / scale, None, None, totals.n, "t")


def _within_0_and_1(found: Estimate) -> Estimate:
    if found.low is None or found.high is None:
        return found
    return Estimate(found.estimate, max(found.low, 0.0), min(found.high, 1.0), found.n, found.method)


def rows(cells: Iterable[Cell], totals: Sequence[Mapping[str, Totals]], level: float = LEVEL) -> list[dict[str, Any]]:
    """One row a cell and metric: config, players, metric, estimate, low, high, n, method. `totals` by cell index."""
    found = []
    for cell in cells:
        for metric in cell.game.metrics:
            if metric.name in totals[cell.index]:
                got = estimate(metric, totals[cell.index][metric.name], level)
                head = {"config": cell.config_name, "players": cell.players, "metric": metric.name}
                found.append({**head, **vars(got)})
    return found
