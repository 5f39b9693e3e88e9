"""What a game says beyond its columns: points of all seats, the margin, what winners kept.

Each function gives (or returns one that gives) an integer a game, int64 of shape (games,), unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from alchemy_sim.core.game import Outcomes
from alchemy_sim.games.metallurgie.names import METALS
from alchemy_sim.games.metallurgie.view import SEATS

#: An integer of each game.
Values = Callable[[Outcomes], np.ndarray]
#: The same of one seat.
SeatValues = Callable[[Outcomes, int], np.ndarray]


def seats(outcomes: Outcomes) -> range:
    """The seats of these games."""
    return range(sum(f"share_{seat}" in outcomes for seat in range(SEATS)))


def everywhere(outcomes: Outcomes, value: int) -> np.ndarray:
    """The same value for every game, without a copy of it for each."""
    return np.broadcast_to(np.asarray(value), len(outcomes["winners"]))


def added(columns: Iterable[np.ndarray]) -> np.ndarray:
    """Columns added up row by row."""
    return np.add.reduce(list(columns), axis=0, dtype=np.int64)


def column(name: str) -> Values:
    """A column."""
    return lambda outcomes: outcomes[name].astype(np.int64)


def of_seat(name: str) -> SeatValues:
    """A column that each seat has."""
    return lambda outcomes, seat: column(f"{name}_{seat}")(outcomes)


def over_seats(values: SeatValues) -> Values:
    """Something of each seat, added up over the seats."""
    return lambda outcomes: added(values(outcomes, seat) for seat in seats(outcomes))


def all_metals(name: str) -> Values:
    """A column that each metal has, added up over the metals."""
    return lambda outcomes: added(outcomes[f"{name}_{metal}"] for metal in METALS)


def wins(outcomes: Outcomes, seat: int) -> np.ndarray:
    """1 where that seat wins, alone or with others."""
    return outcomes["winners"].astype(np.int64) >> seat & 1


def loses(outcomes: Outcomes, seat: int) -> np.ndarray:
    """1 where that seat does not win."""
    return 1 - wins(outcomes, seat)


def kept(outcomes: Outcomes, seat: int) -> np.ndarray:
    """Cards a seat kept, of all metals: its points without the bonus."""
    return added(outcomes[f"{metal}_{seat}"] for metal in METALS)


def behind_first(outcomes: Outcomes, seat: int) -> np.ndarray:
    """How many seats behind the first player a seat is, clockwise."""
    return (seat - outcomes["first"].astype(np.int64)) % len(seats(outcomes))


def at_order(values: SeatValues, behind: int) -> Values:
    """Something of the seat so many seats behind the first player's, 0 if there are not so many."""
    return over_seats(
        lambda outcomes, seat: np.where(behind_first(outcomes, seat) == behind, values(outcomes, seat), 0)
    )


def has_order(behind: int, value: int) -> Values:
    """A value for every game if so many players sit behind the first, else 0."""
    return lambda outcomes: everywhere(outcomes, value if behind < len(seats(outcomes)) else 0)


def best_points(outcomes: Outcomes) -> np.ndarray:
    """Points of the winner."""
    return _ranked(outcomes)[-1]


def margin(outcomes: Outcomes) -> np.ndarray:
    """Points of the best beyond those of the second best: 0 where a win is shared."""
    ranked = _ranked(outcomes)
    return ranked[-1] - ranked[-2]


def _ranked(outcomes: Outcomes) -> np.ndarray:
    """Points of all seats from the fewest to the most: shape (players, games)."""
    return np.sort([outcomes[f"points_{seat}"].astype(np.int64) for seat in seats(outcomes)], axis=0)


def shared(outcomes: Outcomes) -> np.ndarray:
    """1 where more than one seat wins."""
    return (over_seats(wins)(outcomes) > 1).astype(np.int64)


def alone_with_most(metal: str) -> SeatValues:
    """1 where a seat has kept more of a metal than every other."""

    def values(outcomes: Outcomes, seat: int) -> np.ndarray:
        mine = outcomes[f"{metal}_{seat}"]
        others = [mine > outcomes[f"{metal}_{other}"] for other in seats(outcomes) if other != seat]
        return np.logical_and.reduce(others).astype(np.int64)

    return values


def worth(metal: str) -> Values:
    """Points of a metal, of games in which any of it is placed (a start pattern can have more to score than that)."""
    return lambda outcomes: np.where(outcomes[f"placed_{metal}"] > 0, outcomes[f"points_{metal}"], 0).astype(np.int64)
