"""How many games a wanted precision takes: pilots, then one fixed number (Stein, Ann. Math. Statist. 16, 1945, p. 243).

The games of a pilot say how much one game varies; from that the number of games is fixed, and the interval is the plain
one for so many games. A rule that stops at the first look at which an interval happens to be short would cover less
than it says. A pilot is small (2,000 games, later at most a tenth of what is needed), the spread is taken at the upper
end of its uncertainty, and pilots play the first games of each cell by number: so the answer is the same for any
workers, and the games are those a run of that size plays anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, isfinite, sqrt

from alchemy_sim.core.errors import UsageError
from alchemy_sim.core.game import Game, Metric
from alchemy_sim.mc.plan import Cell
from alchemy_sim.mc.stats import estimate
from alchemy_sim.mc.totals import CellTotals, Totals

FIRST_PILOT = 2_000
#: A pilot of this share of the games it asks for is enough; a smaller one is followed by another.
PILOT_SHARE = 10
#: Standard errors by which the spread of one game may be larger than the pilot shows.
CAUTION = 3.0


@dataclass(frozen=True)
class Wanted:
    """Half the width (of the 95 % interval) that a metric should have in every cell."""

    metric: str
    half: float


def wanted(text: str, game: Game, option: str = "--precision") -> Wanted:
    """`0.5pp`, `win_rate=0.5pp`, `boil_rate=0.002` or `reactions=0.1`; UsageError says what is allowed."""
    name, _, amount = text.rpartition("=")
    metric = game.metric(name.strip() or game.headline)
    number = amount.strip().removesuffix("pp")
    in_points = number != amount.strip()
    try:
        half = float(number)
    except ValueError:
        half = float("nan")
    if in_points:
        if metric.unit != "pp":
            raise UsageError(f"{option} {text}: {metric.name} is counted in {metric.unit}, not in points")
        half /= 100
    if not isfinite(half) or half <= 0 or (metric.unit == "pp" and half >= 0.5):
        raise UsageError(f"{option} {text}: must be an amount such as 0.5pp or {metric.name}=0.002")
    return Wanted(metric.name, half)


def half_width(metric: Metric, totals: Totals) -> float:
    """Half the width of the 95 % interval, infinite while nothing is known."""
    found = estimate(metric, totals)
    if found.low is None or found.high is None:
        return 0.0 if totals.n > 1 and totals.xx * totals.n == totals.x**2 else float("inf")
    return (found.high - found.low) / 2


def cautious_half_width(metric: Metric, totals: Totals) -> float:
    """The half-width that so many games may have when one game varies as much as the pilot allows."""
    n = totals.n
    half = half_width(metric, totals)
    if metric.kind == "proportion":
        # the spread sqrt(p (1 - p)) at the end of p's own interval that is nearer to a half
        share = (totals.x + CAUTION**2 / 2) / (n + CAUTION**2)
        reach = CAUTION * sqrt(share * (1 - share) / n)
        worst = min(max(0.5, share - reach), share + reach)
        return 1.96 * sqrt(worst * (1 - worst) / n)
    return cautious(half, n)


def games_for(metric: Metric, totals: Totals, half: float) -> int:
    """Games after which the interval's half-width is `half`, judged by the totals so far."""
    return max(totals.n, ceil(totals.n * (cautious_half_width(metric, totals) / half) ** 2))


def fixed_number(
    cells: Sequence[Cell],
    aims: Sequence[Wanted],
    pilot: Callable[[int], Sequence[CellTotals]],
    most: int | None = None,
) -> int:
    """The number of games of each cell that gives every cell every wanted half-width, at most `most`.

    `pilot(n)` plays the first n games of every cell and gives their totals.
    """

    def needed(games: int) -> int:
        totals = pilot(games)
        return max(
            games_for(cell.game.metric(aim.metric), totals[cell.index][aim.metric], aim.half)
            for cell in cells
            for aim in aims
        )

    return settled(needed, FIRST_PILOT, most)


def settled(needed: Callable[[int], int], first: int, most: int | None = None) -> int:
    """The number of games that a pilot large enough asks for, at most `most`.

    `needed(n)` plays a pilot of n games and says how many are needed; the first pilot has `first`.
    """
    games = first if most is None else min(first, most)
    while True:
        wished = needed(games)
        enough = wished if most is None else min(wished, most)
        if enough <= PILOT_SHARE * games:
            return enough
        games = ceil(enough / PILOT_SHARE)


def cautious(half: float, n: int) -> float:
    """A half-width of `n` games when one game varies as much as the pilot allows."""
    return half * (1 + CAUTION / sqrt(2 * n))
