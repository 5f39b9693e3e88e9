"""Verdicts: what an effect's interval decides, and how many games more would decide it.

All verdicts of one comparison are a family: with 95 % chance none of them is false. Half of the 5 % is shared by the
cells of the game's headline metric, half by all other metrics (Bonferroni's inequality, with weights), so the first
question is not paid for by the others. A comparison that looks again and again (`looks`) spends its 5 % over the looks
as 1/2, 1/6, 1/12, ..., which add up to 1 however many there are. A verdict is read off the interval that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log10

from alchemy_sim.core.game import Metric
from alchemy_sim.mc.effects import Effect
from alchemy_sim.mc.stats import LEVEL

#: What counts as no change unless said otherwise: half a point of a rate, this share of any other number.
POINTS = 0.005
SHARE = 0.02
SAME, UNDECIDED = "same", "undecided"


@dataclass(frozen=True)
class Family:
    """The verdicts that are given together: `cells` of a headline metric, and of `others` more metrics."""

    headline: str
    cells: int
    others: int

    def level(self, metric: str, look: int | None = None) -> float:
        """The coverage of the interval of one verdict; `look`, from 0, if it is one of many looks."""
        error = 1 - LEVEL
        if self.others:
            error /= 2
        error /= self.cells * (1 if metric == self.headline else self.others)
        return 1 - (error if look is None else error / ((look + 1) * (look + 2)))


@dataclass(frozen=True)
class Verdict:
    """A word (a metric's own, `same` or `undecided`), the margin of `same`, and the games more that would decide."""

    word: str
    margin: float
    more: int | None = None

    @property
    def decided(self) -> bool:
        """Whether the interval says something."""
        return self.word != UNDECIDED


def margin_of(metric: Metric, effect: Effect, wanted: float | None = None) -> float:
    """What counts as no change: the wanted margin, else half a point, or 2 % of what it is in A."""
    if wanted is not None:
        return wanted
    if metric.unit == "pp":
        return POINTS
    return SHARE * abs(effect.a.estimate or 0.0)


def verdict(metric: Metric, effect: Effect, margin: float) -> Verdict:
    """What the interval decides: lower, higher, no change larger than the margin, or nothing yet."""
    low, high = effect.low, effect.high
    if low is None or high is None:
        return Verdict(UNDECIDED, margin)
    if low > 0:
        return Verdict(metric.words[1], margin)
    if high < 0:
        return Verdict(metric.words[0], margin)
    if -margin <= low and high <= margin:
        return Verdict(SAME, margin)
    return Verdict(UNDECIDED, margin, _more(effect, margin))


def _more(effect: Effect, margin: float) -> int | None:
    """The games more after which any effect is decided: a half-width of half the margin leaves no way out."""
    half = effect.half
    if half is None or margin <= 0:
        return None
    more = effect.n * ((2 * half / margin) ** 2 - 1)
    if more <= 0:
        return 1
    step = 10 ** max(0, int(log10(more)) - 1)
    return ceil(more / step) * step
