"""What a round says beyond its columns: who was asked, what a bet or call brought, what lay in the pot before it.

Each function gives one value a round, shape (rounds,); those with a seat tell of that seat.
"""

from __future__ import annotations

import numpy as np

from alchemy_sim.core.game import Outcomes
from alchemy_sim.games.furnace.match.per_match import added, of_rounds, seats
from alchemy_sim.games.furnace.match.table import Result


def ended(outcomes: Outcomes, result: Result) -> np.ndarray:
    """Whether it ended so."""
    return of_rounds(outcomes, "outcome") == result


def forced(outcomes: Outcomes) -> np.ndarray:
    """Whether somebody forced the Furnace."""
    return of_rounds(outcomes, "forcer") >= 0


def forced_by(outcomes: Outcomes, seat: int) -> np.ndarray:
    """Whether that seat did."""
    return of_rounds(outcomes, "forcer") == seat


def of_forcer(outcomes: Outcomes, name: str) -> np.ndarray:
    """A column of the seat that forced; 0 where nobody did."""
    found = np.zeros(len(of_rounds(outcomes, "forcer")), np.int64)
    for seat in seats(outcomes):
        found += np.where(forced_by(outcomes, seat), of_rounds(outcomes, f"{name}_{seat}"), 0)
    return found


def asked(outcomes: Outcomes, seat: int) -> np.ndarray:
    """Whether a seat, still in the match, faced the bet of another."""
    return (of_rounds(outcomes, f"entered_{seat}") >= 0) & ~forced_by(outcomes, seat)


def called(outcomes: Outcomes, seat: int) -> np.ndarray:
    """Whether a seat called."""
    return (of_rounds(outcomes, f"entered_{seat}") == 1) & ~forced_by(outcomes, seat)


def before_bets(outcomes: Outcomes, seat: int) -> np.ndarray:
    """Stones a seat had when the Furnace was forced."""
    return of_rounds(outcomes, f"stones_{seat}") - stake_profit(outcomes, seat)


def could_match(outcomes: Outcomes, seat: int) -> np.ndarray:
    """Whether a seat faced the bet of another and had the Stones for it."""
    return asked(outcomes, seat) & (before_bets(outcomes, seat) >= of_rounds(outcomes, "bet"))


def pot_before(outcomes: Outcomes) -> np.ndarray:
    """Stones in the pot before the bet."""
    staked = [of_rounds(outcomes, f"staked_{seat}") for seat in seats(outcomes)]
    return of_rounds(outcomes, "pot") - added(staked)


def stake_profit(outcomes: Outcomes, seat: int) -> np.ndarray:
    """Stones the pot paid a seat beyond its bet or call; antes are sunk."""
    return of_rounds(outcomes, f"paid_{seat}") - of_rounds(outcomes, f"staked_{seat}")


def pot_profit(outcomes: Outcomes, seat: int) -> np.ndarray:
    """Stones the pot paid a seat beyond all it had put in, antes too."""
    return of_rounds(outcomes, f"paid_{seat}") - of_rounds(outcomes, f"put_in_{seat}")


def force_profit(outcomes: Outcomes) -> np.ndarray:
    """Stones the pot paid the forcer beyond its bet."""
    return of_forcer(outcomes, "paid") - of_forcer(outcomes, "staked")


def call_profit(outcomes: Outcomes) -> np.ndarray:
    """Stones the pot paid all callers beyond what they put in to call."""
    each = [np.where(called(outcomes, seat), stake_profit(outcomes, seat), 0) for seat in seats(outcomes)]
    return added(each)


def seats_gain(outcomes: Outcomes, name: str) -> np.ndarray:
    """A column added up over the seats."""
    return added(of_rounds(outcomes, f"{name}_{seat}") for seat in seats(outcomes))


def pots_gain(outcomes: Outcomes) -> np.ndarray:
    """Stones the pot paid beyond what they had put in to those for whom it was more."""
    each = [np.maximum(pot_profit(outcomes, seat), 0) for seat in seats(outcomes)]
    return added(each)


def forcer_wins(outcomes: Outcomes) -> np.ndarray:
    """Whether the forcer alone has the best hand of a showdown."""
    return ended(outcomes, Result.SHOWDOWN) & (of_rounds(outcomes, "winner") == of_rounds(outcomes, "forcer"))


def uncallable(outcomes: Outcomes) -> np.ndarray:
    """Whether the bet was more than anybody else had."""
    return of_rounds(outcomes, "uncallable") == 1


def uncallable_taken(outcomes: Outcomes) -> np.ndarray:
    """Whether such a bet took the whole pot."""
    return uncallable(outcomes) & (of_forcer(outcomes, "paid") == of_rounds(outcomes, "pot"))


def playing(outcomes: Outcomes, seat: int) -> np.ndarray:
    """Whether a seat was still in the match."""
    out = outcomes[f"out_round_{seat}"][of_rounds(outcomes, "game")]
    return (out < 0) | (of_rounds(outcomes, "round") <= out)
