"""What a match says beyond its columns: how long each seat was in it, who went out when, what each source brought.

Each function gives (or returns one that gives) an integer a match, int64 of shape (matches,).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from alchemy_sim.core.game import Outcomes
from alchemy_sim.games.furnace.match.per_match import Values, added, seats

_NEVER = np.iinfo(np.int64).max


def column(name: str) -> Values:
    """A column."""
    return lambda outcomes: outcomes[name].astype(np.int64)


def seats_sum(name: str) -> Values:
    """A column of each seat, added up over the seats."""
    return lambda outcomes: added(outcomes[f"{name}_{seat}"] for seat in seats(outcomes))


def won_by(outcomes: Outcomes, seat: int) -> np.ndarray:
    """1 where that seat is the Supreme Alchemist."""
    return (outcomes["winner"] == seat).astype(np.int64)


def finished(outcomes: Outcomes) -> np.ndarray:
    """1 where there is a Supreme Alchemist."""
    return (outcomes["winner"] >= 0).astype(np.int64)


def of_winner(name: str) -> Values:
    """A column of the seat that wins; 0 where none does."""

    def values(outcomes: Outcomes) -> np.ndarray:
        mine = [outcomes[f"{name}_{seat}"] * won_by(outcomes, seat) for seat in seats(outcomes)]
        return added(mine)

    return values


def rounds_in(outcomes: Outcomes, seat: int) -> np.ndarray:
    """Rounds that a seat played: up to the one in which it went out, or all."""
    return outcomes["rounds"].astype(np.int64) - rounds_out(outcomes, seat)


def rounds_out(outcomes: Outcomes, seat: int) -> np.ndarray:
    """Rounds that a seat had to sit through after it went out."""
    rounds, out = outcomes["rounds"].astype(np.int64), outcomes[f"out_round_{seat}"]
    return np.where(out >= 0, rounds - out, 0)


def over_seats(count: Callable[[Outcomes, int], np.ndarray]) -> Values:
    """Something of each seat, added up over the seats."""
    return lambda outcomes: added(count(outcomes, seat) for seat in seats(outcomes))


def out_early(outcomes: Outcomes, seat: int) -> np.ndarray:
    """Whether a seat went out before the last round."""
    return rounds_out(outcomes, seat) > 0


def first_out(outcomes: Outcomes) -> np.ndarray:
    """The round in which the first player went out, 0 where none did."""
    outs = [outcomes[f"out_round_{seat}"].astype(np.int64) for seat in seats(outcomes)]
    first = np.min([np.where(out >= 0, out, _NEVER) for out in outs], axis=0)
    return np.where(first == _NEVER, 0, first)


def any_out(outcomes: Outcomes) -> np.ndarray:
    """1 where any player went out."""
    return (first_out(outcomes) > 0).astype(np.int64)
