"""Effects: by how much a metric differs between two settings, with an interval, from integer totals alone.

On the same deals (paired): for a proportion the adjusted Wald interval of Bonett and Price (Brit. J. Math. Statist.
Psych. 65, 2012, p. 430), or exact bounds where few pairs differ; for means and shares Student's t of the differences;
for ratios the linearised difference with the pair as the cluster. On games of their own (unpaired): for a proportion
Newcombe's hybrid of two Wilson intervals (Statist. Med. 17, 1998, p. 873, method 10), else the root of the summed
squares of both half-widths, which is the same idea.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from scipy.special import ndtri, stdtrit

from alchemy_sim.core.game import Metric
from alchemy_sim.mc.pairs import XA, XB, YA, YB, Pairs
from alchemy_sim.mc.stats import FEW, LEVEL, Estimate, clopper_pearson, estimate
from alchemy_sim.mc.totals import Totals


@dataclass(frozen=True)
class Effect:
    """B minus A with its interval, both sides alone, and how it was got.

    `effect` is None where a side has no estimate; the bounds are None where the games tell nothing of the spread.
    `gain`: how many times as many unpaired games would be needed for the same interval; None if unpaired, or if no
    pair differs.
    """

    a: Estimate
    b: Estimate
    effect: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    gain: float | None = None

    @property
    def half(self) -> float | None:
        """Half the width of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def paired(metric: Metric, pairs: Pairs, level: float = LEVEL) -> Effect:
    """The effect on a metric over pairs on the same deals; `level` is the interval's coverage."""
    a, b = (estimate(metric, pairs.side(each), level) for each in (False, True))
    if a.estimate is None or b.estimate is None:
        return Effect(a, b, None, None, None, pairs.n, "paired")
    if metric.kind == "proportion":
        return _paired_proportion(a, b, pairs, level)
    variance, gain = _spread(metric, pairs)
    method = "paired-delta" if metric.kind == "ratio" else "paired-t"
    effect = b.estimate - a.estimate
    if variance <= 0 or pairs.n < 2:
        return Effect(a, b, effect, None, None, pairs.n, method)
    half = float(-stdtrit(pairs.n - 1, (1 - level) / 2)) * sqrt(variance / (pairs.n - 1))
    return Effect(a, b, effect, effect - half, effect + half, pairs.n, method, gain)


def unpaired(metric: Metric, one: Totals, other: Totals, level: float = LEVEL) -> Effect:
    """The effect on a metric between two sets of games that have nothing to do with each other."""
    a, b = estimate(metric, one, level), estimate(metric, other, level)
    n = min(a.n, b.n)
    method = "newcombe" if metric.kind == "proportion" else "unpaired"
    if a.estimate is None or b.estimate is None:
        return Effect(a, b, None, None, None, n, method)
    effect = b.estimate - a.estimate
    bounds = [a.low, a.high, b.low, b.high]
    if any(each is None for each in bounds):
        return Effect(a, b, effect, None, None, n, method)
    a_low, a_high, b_low, b_high = (float(each) for each in bounds if each is not None)
    below = sqrt((b.estimate - b_low) ** 2 + (a_high - a.estimate) ** 2)
    above = sqrt((b_high - b.estimate) ** 2 + (a.estimate - a_low) ** 2)
    return Effect(a, b, effect, effect - below, effect + above, n, method)


def identical(metric: Metric, totals: Totals, level: float = LEVEL) -> Effect:
    """The effect between a setting and itself on the same games: nothing, and no interval around it."""
    same = estimate(metric, totals, level)
    return Effect(same, same, 0.0, 0.0, 0.0, totals.n, "identical")


def _paired_proportion(a: Estimate, b: Estimate, pairs: Pairs, level: float) -> Effect:
    n = pairs.n
    both = pairs.product(XA, XB)
    lost, won = pairs.sums[XA] - both, pairs.sums[XB] - both
    effect = (won - lost) / n
    tail = (1 - level) / 2
    if lost + won < FEW:
        (least_won, most_won), (least_lost, most_lost) = (clopper_pearson(each, n, tail / 2) for each in (won, lost))
        return Effect(a, b, effect, least_won - most_lost, most_won - least_lost, n, "paired-exact", _gain(pairs))
    z = float(-ndtri(tail))
    one, other = (won + 1) / (n + 2), (lost + 1) / (n + 2)
    half = z * sqrt((one + other - (one - other) ** 2) / (n + 2))
    return Effect(a, b, effect, one - other - half, one - other + half, n, "paired", _gain(pairs))


def _gain(pairs: Pairs) -> float | None:
    """The variances of both sides over that of the difference, for a proportion or a mean."""
    n = pairs.n
    a, b = (n * pairs.product(x, x) - pairs.sums[x] ** 2 for x in (XA, XB))
    together = n * pairs.product(XA, XB) - pairs.sums[XA] * pairs.sums[XB]
    return (a + b) / (a + b - 2 * together) if a + b > 2 * together else None


def _spread(metric: Metric, pairs: Pairs) -> tuple[float, float | None]:
    """The variance of one pair's difference (as if the means were known), and the pairing gain."""
    n, scale = pairs.n, metric.scale
    if metric.kind != "ratio":
        a, b = (n * pairs.product(x, x) - pairs.sums[x] ** 2 for x in (XA, XB))
        together = n * pairs.product(XA, XB) - pairs.sums[XA] * pairs.sums[XB]
        return (a + b - 2 * together) / (n * scale) ** 2, _gain(pairs)
    ya, yb = pairs.sums[YA] / n, pairs.sums[YB] / n
    ra, rb = pairs.sums[XA] / pairs.sums[YA], pairs.sums[XB] / pairs.sums[YB]
    # each game's share in a ratio's error is (x - r y) / mean of y; its mean over all games is 0
    weights = {XA: 1 / ya, YA: -ra / ya, XB: 1 / yb, YB: -rb / yb}

    def over(ones: tuple[int, ...], others: tuple[int, ...]) -> float:
        return sum(weights[i] * weights[j] * pairs.product(i, j) for i in ones for j in others) / n

    a_own, b_own = over((XA, YA), (XA, YA)), over((XB, YB), (XB, YB))
    difference = a_own + b_own - 2 * over((XA, YA), (XB, YB))
    if difference <= 1e-12 * (a_own + b_own):
        return 0.0, None
    return difference / scale**2, (a_own + b_own) / difference
