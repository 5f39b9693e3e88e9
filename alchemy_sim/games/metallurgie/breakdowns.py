"""What `show --by` tells about games of Metallurgie: by seat, place behind the first player, policy, metal, and by how
a game went.

Several seats of a game can carry the same label (a policy), so each label has one strip that adds up its seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from alchemy_sim.core.game import Breakdown, Outcomes, Split, Strip
from alchemy_sim.games.metallurgie.names import METALS
from alchemy_sim.games.metallurgie.policies import POLICY_NAMES
from alchemy_sim.games.metallurgie.table import SHARES
from alchemy_sim.games.metallurgie.values import (
    SeatValues,
    Values,
    added,
    all_metals,
    alone_with_most,
    behind_first,
    best_points,
    column,
    everywhere,
    kept,
    loses,
    margin,
    of_seat,
    over_seats,
    seats,
    wins,
    worth,
)
from alchemy_sim.games.metallurgie.view import SEATS

_SEATS = tuple(map(str, range(SEATS)))

#: Which seats carry a label: has(outcomes, seat, label) -> bool array of shape (games,).
Has = Callable[[Outcomes, int, int], np.ndarray]
Strips = Callable[[Outcomes], Iterator[Strip]]


def _times(number: int) -> SeatValues:
    return lambda outcomes, _seat: everywhere(outcomes, number)


_ONE = _times(1)

#: What is told of a seat: name, doc, x and y a game, unit, better.
_OF_SEATS: tuple[tuple[str, str, SeatValues, SeatValues, str, str], ...] = (
    (
        "win_rate",
        "what it gets of the win (a shared win is split evenly)",
        of_seat("share"),
        _times(SHARES),
        "pp",
        "high",
    ),
    ("points", "its points, with the bonus", of_seat("points"), _ONE, "points", "high"),
    ("turns", "its turns", of_seat("seat_turns"), _ONE, "turns", ""),
    ("points_a_turn", "points of one of its turns, without the bonus", kept, of_seat("seat_turns"), "points", "high"),
    ("draws", "its turns that begin with a draw", of_seat("seat_draws"), of_seat("seat_turns"), "pp", ""),
    *((metal, f"points of {metal}", of_seat(metal), _ONE, "points", "") for metal in METALS),
)


def _by(has: Has, labels: int, x: SeatValues, y: SeatValues) -> Strips:
    """For each label the sums over its seats."""

    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        found = [(seat, x(outcomes, seat), y(outcomes, seat)) for seat in seats(outcomes)]
        for label in range(labels):
            carried = [(has(outcomes, seat, label), above, below) for seat, above, below in found]
            above = added(np.where(mine, each, 0) for mine, each, _ in carried)
            below = added(np.where(mine, each, 0) for mine, _, each in carried)
            yield everywhere(outcomes, label), above, below

    return strips


def _of_seats(name: str, doc: str, labels: tuple[str, ...], has: Has) -> Breakdown:
    splits = (Split(split, says, _by(has, len(labels), x, y), *told) for split, says, x, y, *told in _OF_SEATS)
    return Breakdown(name, doc, labels, tuple(splits))


def _by_metal(x: Callable[[str], Values], y: Callable[[str], Values]) -> Strips:
    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        for label, metal in enumerate(METALS):
            yield everywhere(outcomes, label), x(metal)(outcomes), y(metal)(outcomes)

    return strips


def _column(name: str) -> Callable[[str], Values]:
    return lambda metal: column(f"{name}_{metal}")


def _a_game(_metal: str) -> Values:
    return lambda outcomes: everywhere(outcomes, 1)


def _kept_by(who: SeatValues) -> Callable[[str], Values]:
    """Cards of a metal that such seats kept."""
    return lambda metal: over_seats(lambda outcomes, seat: who(outcomes, seat) * of_seat(metal)(outcomes, seat))


def _number_of(who: SeatValues) -> Callable[[str], Values]:
    """How many such seats there are."""
    return lambda _metal: over_seats(who)


def _share_of_most(metal: str) -> Values:
    most = alone_with_most(metal)
    return over_seats(lambda outcomes, seat: most(outcomes, seat) * of_seat("share")(outcomes, seat))


def _somebody_has_most(metal: str) -> Values:
    """In parts of a win."""
    return lambda outcomes: SHARES * over_seats(alone_with_most(metal))(outcomes)


_METALS = Breakdown(
    "metal",
    "each metal",
    METALS,
    (
        Split(
            "share",
            "share of all points, without the bonus",
            _by_metal(_column("points"), lambda _: all_metals("points")),
            "pp",
        ),
        Split("points", "points of all players together", _by_metal(_column("points"), _a_game), "points"),
        Split("placed", "cards of it placed in turns", _by_metal(_column("placed"), _a_game), "cards"),
        Split("worth", "points for each card of it placed in turns", _by_metal(worth, _column("placed")), "points"),
        Split("winner", "cards of it that a winner kept", _by_metal(_kept_by(wins), _number_of(wins)), "points"),
        Split("others", "cards of it that anybody else kept", _by_metal(_kept_by(loses), _number_of(loses)), "points"),
        Split(
            "most_wins",
            "what the player who kept the most of it, alone, gets of the win",
            _by_metal(_share_of_most, _somebody_has_most),
            "pp",
        ),
    ),
)


def _spread(name: str, doc: str, values: Values, last: int, *more: tuple[str, str, Values, str]) -> Breakdown:
    """Games by a number, those of `last` and above together; `more` is told of each."""
    labels = (*map(str, range(last)), f"{last}+")

    def frequency(outcomes: Outcomes) -> Iterator[Strip]:
        found = values(outcomes)
        for label in range(last + 1):
            has = found >= last if label == last else found == label
            yield everywhere(outcomes, label), has.astype(np.int64), everywhere(outcomes, 1)

    def mean(of: Values) -> Strips:
        def strips(outcomes: Outcomes) -> Iterator[Strip]:
            yield np.minimum(values(outcomes), last), of(outcomes), everywhere(outcomes, 1)

        return strips

    splits = (Split(split, says, mean(of), unit) for split, says, of, unit in more)
    return Breakdown(name, doc, labels, (Split("share", "share of all games", frequency, "pp"), *splits))


_WINNER = ("winner_points", "points of the winner", best_points, "points")
_ALL = ("points", "points of all players together", over_seats(of_seat("points")), "points")
_LEADS = ("lead_changes", "times that somebody else came to lead alone", column("lead_changes"), "changes")

BREAKDOWNS = (
    _of_seats(
        "seat",
        "each seat, clockwise (the first player is drawn, so seats differ by player alone)",
        _SEATS,
        lambda outcomes, seat, label: everywhere(outcomes, seat == label),
    ),
    _of_seats(
        "order",
        "seats by their place behind the first player, clockwise; 0 is the first player",
        _SEATS,
        lambda outcomes, seat, label: behind_first(outcomes, seat) == label,
    ),
    _of_seats(
        "policy",
        "each player of the toolkit at the table, a seat of it at a time",
        POLICY_NAMES,
        lambda outcomes, seat, label: outcomes[f"policy_{seat}"] == label,
    ),
    _METALS,
    _spread("margin", "games by the points of the best player beyond the second best", margin, 8, _WINNER, _LEADS),
    _spread("turn", "games by the most points of one turn", column("biggest_turn"), 6, _WINNER, _ALL),
    _spread("chain", "games by the most areas scored one out of the other", column("longest_chain"), 6, _WINNER, _ALL),
)
