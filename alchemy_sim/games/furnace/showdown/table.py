"""What is on the table in a showdown: what no player sees, and the row of results."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from alchemy_sim.core.jit import one_record
from alchemy_sim.core.seats import seat_fields
from alchemy_sim.games.furnace.config import MOST_HIDDEN, MOST_KEPT, MOST_OPEN
from alchemy_sim.games.furnace.showdown.view import SEATS, VIEW

#: Room for a deck, and for the Furnace with the Jokers that were replaced in it.
MOST_DECK, MOST_FURNACE = 96, MOST_OPEN + MOST_HIDDEN
#: Shares of a win are counted in these: it can be split among two to six.
SHARES = 60


class Ask(IntEnum):
    """What a policy is asked, and what it answers."""

    KEEP = 0  # a mask of places in the hand: `kept` of them, none a Joker


class Purpose(IntEnum):
    """Which draws of a game something uses (see `core.rng`)."""

    DEAL = 0
    FURNACE = 1
    KEEP = 2
    OWN = 3  # the keys of the seats


TABLE = np.dtype(
    [
        ("key", np.uint64),  # the game's key of core.rng
        ("cards", np.uint8, (MOST_DECK,)),  # the deck, sorted
        ("deck_size", np.int64),
        ("deck", np.uint8, (MOST_DECK,)),  # the deck, shuffled as far as it is dealt
        ("furnace", np.uint8, (MOST_FURNACE,)),  # open ones first
        ("jokers_laid", np.int64),  # Jokers among the cards first laid
        ("kept", np.uint8, (SEATS, MOST_KEPT)),  # by seat: the cards it keeps
        ("strength", np.int64, (SEATS,)),
        *seat_fields(VIEW, SEATS),
    ],
    align=True,
)

OUTCOME = np.dtype(
    [
        ("winner", np.int8),  # -1 when several share
        ("winners", np.int8),  # as a mask of seats
        ("tied", np.int8),
        ("trump_decided", np.int8),
        ("jokers_laid", np.int8),
        ("share", np.int8, (SEATS,)),
        ("category", np.int8, (SEATS,)),
        ("kept", np.int8, (SEATS,)),
        ("trumps", np.int8, (SEATS,)),
        ("jokers", np.int8, (SEATS,)),
        ("fault", np.int8),  # 1 + seat of a policy that answered what is not allowed, 0 fine
    ],
    align=True,
)


def blank_table() -> Any:
    """A fresh `TABLE` record."""
    return one_record(TABLE)
