"""What is on the table in a game: what no player sees, the log of a trace, and the row of results."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from alchemy_sim.core.jit import helper, one_record
from alchemy_sim.core.seats import seat_fields
from alchemy_sim.games.metallurgie.config import MOST_CARDS
from alchemy_sim.games.metallurgie.names import METALS
from alchemy_sim.games.metallurgie.plan import PLAN
from alchemy_sim.games.metallurgie.view import SEATS, VIEW

#: The end card among the metals of a pile.
END_CARD = len(METALS)
#: Shares of a win are counted in these: it can be split among two to four.
SHARES = 12
#: Rows of a log at most: every card is dealt, drawn, placed and taken once, and every turn has some rows of its own.
LOG_ROWS, LOG_WIDTH = 32 * MOST_CARDS, 4


class Ask(IntEnum):
    """What a policy is asked, and what it answers."""

    DRAW = 0  # 1: turn up the top card first; 0: play from the hand
    PLACE = 1  # a card and where it goes (`place_code`), or STOP
    SCORE = 2  # the cards to take away of an area, as a mask of places, or 0 to score no more


class Mode(IntEnum):
    """What the cards placed in one turn have in common."""

    FREE = 0  # none or one yet: both are open
    METAL = 1
    POSITION = 2


class Purpose(IntEnum):
    """Which draws of a game something uses (see `core.rng`)."""

    DEAL = 0
    FIRST = 1
    OWN = 2  # the keys of the seats
    DRAW = 3
    PLACE = 4
    SCORE = 5


class Event(IntEnum):
    """The rows of a log."""

    HAND = 0  # seat, metal
    PILE = 1  # metal or END_CARD, the top card first
    TURN = 2  # seat
    DRAW = 3  # metal or END_CARD
    PLACED = 4  # metal, q, r
    DISCARDED = 5  # metal
    SCORED = 6  # metal, size of the area
    TAKEN = 7  # q, r
    REFILL = 8  # metal or END_CARD
    BONUS = 9  # seat, metal
    END = 10  # winners as a mask of seats


#: The answer to PLACE that ends placing.
STOP = -1

TABLE = np.dtype(
    [
        ("key", np.uint64),  # the game's key of core.rng
        ("own_key", np.uint64, (SEATS,)),
        ("start", np.int16, (MOST_CARDS, 3)),  # the start pattern: metal, q, r
        ("start_size", np.int64),
        ("pile", np.uint8, (MOST_CARDS + 1,)),  # the top card is the last
        ("held", np.int64, (SEATS, len(METALS))),  # by seat and metal: cards in hand
        ("first_scorer", np.int64, (len(METALS),)),  # of each metal, -1 nobody yet
        ("leader", np.int64),  # who alone had the most points last, -1 nobody yet
        ("blank_plan", PLAN),
        *seat_fields(VIEW, SEATS),
        ("recording", np.int64),
        ("logged", np.int64),
        ("log", np.int16, (LOG_ROWS, LOG_WIDTH)),
    ],
    align=True,
)

#: One game.
OUTCOME = np.dtype(
    [
        ("winners", np.int8),  # as a mask of seats
        ("share", np.int8, (SEATS,)),
        ("points", np.int16, (SEATS,)),  # with the bonus
        ("bonus", np.int8, (SEATS,)),
        ("iron", np.int16, (SEATS,)),  # cards kept by metal
        ("copper", np.int16, (SEATS,)),
        ("silver", np.int16, (SEATS,)),
        ("gold", np.int16, (SEATS,)),
        ("seat_turns", np.int16, (SEATS,)),
        ("seat_draws", np.int16, (SEATS,)),
        ("first", np.int8),
        ("turns", np.int16),
        ("draws", np.int16),
        ("discards", np.int16),
        ("unplayable", np.int16),  # turns in which no card of the hand could be placed
        ("placed", np.int16, (len(METALS),)),  # cards placed in turns, by metal
        (
            "longest_chain",
            np.int8,
        ),  # scorings that each took a card uncovered by the one before, or what remained of it
        ("biggest_turn", np.int8),
        ("lead_changes", np.int16),
        ("after_unscored", np.int16),  # turns right after one that placed cards and scored nothing
        ("fed", np.int16),  # points scored in those
        ("end_in_refill", np.int8),
        ("fault", np.int8),
    ],
    align=True,
)


def blank_table() -> Any:
    """A fresh `TABLE` record."""
    return one_record(TABLE)


@helper
def note(table: Any, kind: int, a: int, b: int, c: int) -> None:
    """Write a row of the log, if one is kept."""
    if table.recording:
        line = table.log[table.logged]
        line[0], line[1], line[2], line[3] = kind, a, b, c
        table.logged += 1


@helper
def place_code(metal: int, number: int) -> int:
    """The answer to PLACE: a card of this metal, at a place of this number (iron: an empty place of this number)."""
    return 1024 * metal + number
