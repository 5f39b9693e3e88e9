"""How many pairs of games find an effect of a given size, and what size a given number finds.

An effect d is found when its interval of coverage c leaves 0 out. With n pairs whose difference has the standard
deviation s that happens with the chance P if d = (z_c + z_P) s / sqrt(n), z the normal quantiles (Lachin, Controlled
Clinical Trials 2, 1981, p. 93). s comes from a pilot, at the upper end of what the pilot allows.
"""

from __future__ import annotations

from math import ceil, sqrt

from scipy.special import ndtri

from alchemy_sim.mc.effects import Effect

#: The chance with which an effect should be found.
POWER = 0.9
#: Standard errors by which the spread may be larger than the pilot shows.
CAUTION = 2.0
#: Pairs of a pilot.
PILOT = 2_000


def spread(effect: Effect, level: float, caution: float = 0.0) -> float | None:
    """The standard deviation of one pair's difference, from an interval of this level; None if nothing is known."""
    if effect.half is None or effect.n < 2:
        return None
    z = float(-ndtri((1 - level) / 2))
    return effect.half / z * sqrt(effect.n) * (1 + caution / sqrt(2 * effect.n))


def pairs_for(effect: Effect, level: float, size: float) -> int:
    """The pairs that find an effect of this size with the chance `POWER`, judged by a pilot; at least the pilot's."""
    deviation = spread(effect, level, CAUTION)
    if deviation is None:
        return effect.n
    z = float(-ndtri((1 - level) / 2)) + float(ndtri(POWER))
    return max(effect.n, ceil((z * deviation / size) ** 2))


def found_size(effect: Effect, level: float) -> float | None:
    """The effect that so many pairs find with the chance `POWER`; None if nothing is known of the spread."""
    deviation = spread(effect, level)
    if not deviation:
        return None
    z = float(-ndtri((1 - level) / 2)) + float(ndtri(POWER))
    return z * deviation / sqrt(effect.n)
