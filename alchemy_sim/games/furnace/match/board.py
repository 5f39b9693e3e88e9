"""What lies on the table in a round: layouts, the acting player's hand, points, Stones (Furnace 3 and 4).

Ranks are counted as places, 0 for the deck's lowest up to the Ace. In a Run a card has a position: its place + 1, and
the Ace stands at 0 or at the top. So the positions of a Run are neighbours; with an Ace at both ends it were too long.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, integer
from alchemy_sim.core.jit import helper
from alchemy_sim.games.furnace.names import MOST_FAMILIES

SEATS = 6
#: The Trumps are counted as a family behind the others.
SUITS = MOST_FAMILIES + 1
#: Every meld has three cards, and the largest deck has 96.
MOST_MELDS = 32


class Meld(IntEnum):
    RUN = 0
    TRIAD = 1


class Play(IntEnum):
    """The kinds of plays; the lowest three bits of a code."""

    STOP = 0
    RUN = 1  # a new Run: family, lowest position, and how each of its three places is filled
    TRIAD = 2  # a new Triad: place, and the mask of the families of its real cards (the rest are Jokers)
    EXTEND = 3  # a meld, the position (Run) or family (Triad) of the card, and how it is filled
    RETRIEVE = 4  # a meld, the position (Run) or the family of the card put there (Triad), and what is taken


class Fill(IntEnum):
    """What stands in a place of a meld."""

    NATURAL = 0  # in a Run of Trumps, and for a Trump in a Triad, the Trump itself
    TRUMP = 1
    JOKER = 2


BOARD = np.dtype(
    [
        ("held", np.uint64, (SUITS,)),  # the acting player's hand: places by family, Trumps last
        ("jokers", np.int64),
        ("melds", np.int64),  # how many there are; of each:
        ("kind", np.int16, (MOST_MELDS,)),  # a Meld
        ("owner", np.int16, (MOST_MELDS,)),
        ("family", np.int16, (MOST_MELDS,)),  # of a Run: its family (5: of Trumps); of a Triad: its place
        ("low", np.int16, (MOST_MELDS,)),  # of a Run: its lowest and highest position
        ("high", np.int16, (MOST_MELDS,)),
        ("trumps", np.uint16, (MOST_MELDS,)),  # of a Run: positions where a Trump stands for another card
        ("wild", np.uint16, (MOST_MELDS,)),  # of a Run: positions where a Joker stands; of a Triad: how many Jokers
        ("reals", np.uint16, (MOST_MELDS,)),  # of a Triad: families of its real cards, the Trump's among them
        ("started", np.int64, (SEATS,)),  # 1: the first Run of the round is laid
        ("points", np.int64, (SEATS,)),
        ("stones", np.int64, (SEATS,)),
        ("bag", np.int64),
        ("extended", np.int64, (SEATS,)),  # cards put onto each player's layout in this turn
        ("owed_jokers", np.int64),  # taken in this turn and still to be played
        ("owed_trumps", np.uint64),
        ("from_bag", np.int64),  # Stones earned in this turn
        ("from_others", np.int64),
    ],
    align=True,
)

#: Values of the ranks from the 2 to the Ace (Furnace 1).
RANK_VALUES = np.array([2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10, 11])

_FAMILY_AT, _LOW_AT, _FILLS_AT = 3, 6, 10
_PLACE_AT, _REALS_AT = 3, 7
_MELD_AT, _POSITION_AT, _FILL_AT = 3, 8, 12
_RUN_BITS, _TRIAD_BITS, _OTHER_BITS = _FILLS_AT + 6, _REALS_AT + SUITS, _FILL_AT + 2


@helper
def run_code(family: int, low: int, one: int, two: int, three: int) -> int:
    """The code of a new Run."""
    return Play.RUN | family << _FAMILY_AT | low << _LOW_AT | (one | two << 2 | three << 4) << _FILLS_AT


@helper
def triad_code(place: int, reals: int) -> int:
    """The code of a new Triad."""
    return Play.TRIAD | place << _PLACE_AT | reals << _REALS_AT


@helper
def extend_code(meld: int, position: int, fill: int) -> int:
    """The code of one card put onto a meld; `position` is the family in a Triad."""
    return Play.EXTEND | meld << _MELD_AT | position << _POSITION_AT | fill << _FILL_AT


@helper
def retrieve_code(meld: int, position: int, fill: int) -> int:
    """The code of taking a wild card (`fill`) out of a meld; `position` is the family put there in a Triad."""
    return Play.RETRIEVE | meld << _MELD_AT | position << _POSITION_AT | fill << _FILL_AT


@helper
def kind_of(code: int) -> int:
    """The Play of a code."""
    return code & 7


@helper
def bits_of(kind: int) -> int:
    """How many bits the codes of a kind have: further ones would give a play a second code."""
    if kind == Play.RUN:
        return _RUN_BITS + 0
    return _TRIAD_BITS + 0 if kind == Play.TRIAD else _OTHER_BITS + 0


@helper
def run_family(code: int) -> int:
    return code >> _FAMILY_AT & 7


@helper
def run_low(code: int) -> int:
    return code >> _LOW_AT & 15


@helper
def run_fill(code: int, card: int) -> int:
    return code >> (_FILLS_AT + 2 * card) & 3


@helper
def triad_place(code: int) -> int:
    return code >> _PLACE_AT & 15


@helper
def triad_reals(code: int) -> int:
    return code >> _REALS_AT & 63


@helper
def meld_of(code: int) -> int:
    """The meld that a code extends or takes from."""
    return code >> _MELD_AT & 31


@helper
def position_of(code: int) -> int:
    return code >> _POSITION_AT & 15


@helper
def fill_of(code: int) -> int:
    return code >> _FILL_AT & 3


@helper
def place_at(ranks: int, position: int) -> int:
    """The place of the card at a position of a Run: the Ace's at 0."""
    return position - 1 if position > 0 else ranks - 1


@helper
def bit(place: int) -> Any:
    """A place, position or family as a mask."""
    return ONE << np.uint64(place)


@helper
def lowest_position(view: Any) -> int:
    """Where a Run may begin: at the low Ace, or above it (`ace = high`)."""
    return 1 if view.ace == 1 else 0


@helper
def highest_position(view: Any) -> int:
    """Where a Run may end: at the high Ace, or below it (`ace = low`)."""
    return view.ranks - 1 if view.ace == 2 else view.ranks


@helper
def value_at(view: Any, place: int) -> int:
    """Points of a place."""
    return integer(view.values[place])
