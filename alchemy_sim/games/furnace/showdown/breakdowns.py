"""What `show --by` tells about showdowns: by hand, kind of kept cards, Trumps and Jokers dealt, seat and player.

Several seats of one showdown can carry the same label, so each label has one strip that adds up its seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from alchemy_sim.core.game import Breakdown, Outcomes, Split, Strip
from alchemy_sim.games.furnace.names import CATEGORIES
from alchemy_sim.games.furnace.showdown.kept import Kept
from alchemy_sim.games.furnace.showdown.metrics import best_category
from alchemy_sim.games.furnace.showdown.policies import POLICY_NAMES
from alchemy_sim.games.furnace.showdown.table import SHARES
from alchemy_sim.games.furnace.showdown.view import SEATS

#: Trumps, or Jokers, in a hand told one by one; more share the last label.
COUNTED = 6
_COUNTS = (*map(str, range(COUNTED)), f"{COUNTED}+")

#: Which seats carry a label: has(outcomes, seat, label) -> bool array of shape (games,).
Has = Callable[[Outcomes, int, int], np.ndarray]


def _seats(outcomes: Outcomes) -> range:
    return range(sum(f"share_{seat}" in outcomes for seat in range(SEATS)))


def _equals(column: str) -> Has:
    return lambda outcomes, seat, label: outcomes[f"{column}_{seat}"] == label


def _at_most(column: str) -> Has:
    return lambda outcomes, seat, label: np.minimum(outcomes[f"{column}_{seat}"], COUNTED) == label


def _of_kind(outcomes: Outcomes, seat: int, label: int) -> np.ndarray:
    """`label` is a kind's place in `Kept`, or one more: none of them."""
    kept = outcomes[f"kept_{seat}"]
    return kept & (1 << label) != 0 if label < len(Kept) else kept == 0


def _by(has: Has, labels: int, won: bool) -> Callable[[Outcomes], Iterator[Strip]]:
    """For each label what its seats get of the pot (`won`), or how many of all seats carry it."""

    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        for label in range(labels):
            games = len(outcomes["winners"])
            shares, seats = np.zeros(games, np.int64), np.zeros(games, np.int64)
            for seat in _seats(outcomes):
                mine = has(outcomes, seat, label)
                seats += mine
                shares += np.where(mine, outcomes[f"share_{seat}"], 0)
            if won:
                yield np.where(seats > 0, label, -1), shares, SHARES * seats
            else:
                yield np.full(games, label), seats, np.full(games, len(_seats(outcomes)))

    return strips


def _winning(outcomes: Outcomes) -> Iterator[Strip]:
    best, ones = best_category(outcomes), np.ones(len(outcomes["winners"]), np.int64)
    for category in range(len(CATEGORIES)):
        yield category * ones, (best == category).astype(np.int64), ones


def _breakdown(name: str, doc: str, labels: tuple[str, ...], has: Has, *more: Split) -> Breakdown:
    win_rate = Split("win_rate", "what such a hand gets of the pot", _by(has, len(labels), True), "pp", "high")
    frequency = Split("frequency", "hands that are such", _by(has, len(labels), False), "pp")
    return Breakdown(name, doc, labels, (win_rate, frequency, *more))


BREAKDOWNS = (
    _breakdown(
        "category",
        "each hand, as played",
        CATEGORIES,
        _equals("category"),
        Split("wins", "showdowns won with it", _winning, "pp"),
    ),
    _breakdown(
        "kept",
        "each kind of kept cards (cards can be of several kinds; other: of none)",
        (*(kind.name.lower() for kind in Kept), "other"),
        _of_kind,
    ),
    _breakdown("trumps", "hands by the Trumps they were dealt", _COUNTS, _at_most("trumps")),
    _breakdown("jokers", "hands by the Jokers they were dealt, which can't be kept", _COUNTS, _at_most("jokers")),
    _breakdown(
        "seat", "each seat, clockwise", tuple(map(str, range(SEATS))), lambda o, seat, label: _at(o, seat, label)
    ),
    _breakdown("policy", "each player of the toolkit at the table", POLICY_NAMES, _equals("policy")),
)


def _at(outcomes: Outcomes, seat: int, label: int) -> np.ndarray:
    return np.full(len(outcomes["winners"]), seat == label)
