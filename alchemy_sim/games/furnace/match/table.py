"""What is on the table in a match: what no player sees, rows of results, and the words for the kernel's integers."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from alchemy_sim.core.jit import helper, one_record
from alchemy_sim.core.seats import seat_fields
from alchemy_sim.games.furnace.config import MOST_HIDDEN, MOST_KEPT, MOST_OPEN
from alchemy_sim.games.furnace.match.board import SEATS, SUITS
from alchemy_sim.games.furnace.match.view import PLAN, VIEW

MOST_DECK, MOST_FURNACE = 96, MOST_OPEN + MOST_HIDDEN
LOG_ROWS, LOG_WIDTH = 8192, 6
#: Chances are told as integers: so many are certainty.
CHANCES = 10_000


class Ask(IntEnum):
    """What a policy is asked, and what it answers."""

    PLAY = 0  # the code of a play (match.board), 0 to stop
    DISCARD = 1  # a place of `cards` to discard
    FORCE = 2  # 0, or the bet with which to force the Furnace
    CALL = 3  # 0 to fold, 1 to call
    KEEP = 4  # a mask of places of `cards`: `kept` of them, none a Joker


class Result(IntEnum):
    """How a round ended (Furnace 3 and 5)."""

    SHOWDOWN = 0
    FOLDED = 1
    STALLED = 2


class Purpose(IntEnum):
    """Which draws of a turn something uses; each has 64 positions (see `core.rng`).

    Up to SHUFFLE, and OWN, they are draws of the round's key; a seat's decisions draw from the seat's own key.
    """

    DEAL = 0  # and the following one: a whole deck takes 96 draws
    FURNACE = 2
    STARTER = 3
    SHUFFLE = 4  # and the following one
    PLAY = 6
    DISCARD = 7
    FORCE = 8
    CALL = 9
    KEEP = 10
    OWN = 11


class Event(IntEnum):
    """Rows of the log: the kind, and up to five numbers."""

    ROUND = 0  # number, starter, pot
    HAND = 1  # seat, card
    UP = 2  # card
    DOWN = 3  # card
    ANTE = 4  # seat
    TURN = 5  # number, player, card drawn or -1, reshuffled
    PLAY = 6  # code
    STONE = 7  # 0 the bag, else 1 + seat
    DISCARD = 8  # card
    TOTALS = 9  # seat, points, Stones, bag
    FORCE = 10  # player, bet
    CALL = 11  # player, Stones
    FOLD = 12  # player
    KEPT = 13  # seat, card
    CATEGORY = 14  # seat, category
    PAID = 15  # seat, Stones
    ROUND_END = 16  # result, pot, bag
    OUT = 17  # seat
    END = 18  # winner or -1, rounds
    STONES = 19  # seat, Stones: at the start of a round, and at its end


TABLE = np.dtype(
    [
        ("key", np.uint64),  # the round's key of core.rng
        ("match_key", np.uint64),
        ("own_key", np.uint64, (SEATS,)),
        ("cards", np.uint8, (MOST_DECK,)),  # the deck, sorted
        ("deck_size", np.int64),
        ("pile", np.uint8, (MOST_DECK,)),  # the top card is the last
        ("pile_size", np.int64),
        ("discards", np.uint8, (MOST_DECK,)),
        ("discard_size", np.int64),
        ("reshuffles", np.int64),
        ("held", np.uint64, (SEATS, SUITS)),
        ("jokers", np.int64, (SEATS,)),
        ("furnace", np.uint8, (MOST_FURNACE,)),
        ("kept", np.uint8, (SEATS, MOST_KEPT)),  # by seat: the cards it keeps
        ("strength", np.int64, (SEATS,)),
        ("layer", np.int64, (SEATS,)),  # what each put in for the showdown
        *seat_fields(VIEW, SEATS),
        ("judged", np.int64),  # 1: the chances of hands are worked out for the rows of rounds
        ("guests", np.int64),  # 1: policies from users' files play, and nobody's note may be left for them
        ("blank_plan", PLAN),
        ("recording", np.int64),
        ("log_first", np.int64),
        ("logged", np.int64),
        ("log", np.int32, (LOG_ROWS, LOG_WIDTH)),
    ],
    align=True,
)

#: One match.
OUTCOME = np.dtype(
    [
        ("winner", np.int8),  # -1 unfinished
        ("rounds", np.int32),
        ("turns", np.int32),
        ("showdowns", np.int32),
        ("folded", np.int32),
        ("stalled", np.int32),
        ("reshuffles", np.int32),
        ("bag_empty_round", np.int32),  # -1 never
        ("bag", np.int32),
        ("pot", np.int32),
        ("plays", np.int32),
        ("searched", np.int32),
        ("nodes", np.int64),
        ("given_up", np.int32),
        ("out_round", np.int32, (SEATS,)),  # -1 still in
        ("stones", np.int32, (SEATS,)),
        ("from_bag", np.int32, (SEATS,)),
        ("from_players", np.int32, (SEATS,)),
        ("from_pots", np.int32, (SEATS,)),  # what pots paid, less antes, bets and calls
        ("forced", np.int32, (SEATS,)),
        ("called", np.int32, (SEATS,)),
        ("fault", np.int8),
    ],
    align=True,
)

#: One round of a match.
ROUND = np.dtype(
    [
        ("game", np.int64),  # place of the match in its batch
        ("number", np.int32),  # of the round, from 1
        ("outcome", np.int8),  # a Result
        ("starter", np.int8),
        ("turns", np.int32),
        ("forcer", np.int8),
        ("bet", np.int32),
        ("callers", np.int8),
        ("pot", np.int32),  # what was paid, or stays
        ("winner", np.int8),  # -1 shared or nobody
        ("category", np.int8),  # of the best hand, -1 not shown
        ("uncallable", np.int8),  # 1: nobody else had as many Stones as the bet
        ("turn_of_first_33", np.int32),
        ("waited", np.int32),  # how often the forcer could have forced before and did not
        ("trump_decided", np.int8),
        ("tied", np.int8),
        ("points", np.int32, (SEATS,)),
        ("from_bag", np.int32, (SEATS,)),
        ("from_players", np.int32, (SEATS,)),
        ("put_in", np.int32, (SEATS,)),  # antes, bets and calls
        ("staked", np.int32, (SEATS,)),  # of these what was bet or called
        ("declined", np.int32, (SEATS,)),  # how often it could have forced and did not
        ("chance", np.int32, (SEATS,)),  # of its best choice when it forced or was asked to call, -1 not known
        ("paid", np.int32, (SEATS,)),
        ("stones", np.int32, (SEATS,)),  # at the end
        ("entered", np.int8, (SEATS,)),  # 0 folded, 1 entered, -1 not asked
    ],
    align=True,
)


def blank_table() -> Any:
    """A fresh `TABLE` record."""
    return one_record(TABLE)


@helper
def note(table: Any, kind: int, a: int, b: int, c: int, d: int) -> None:
    """Write a row of the log, if one is kept."""
    if table.recording:
        row = table.logged - table.log_first
        if 0 <= row < LOG_ROWS:
            line = table.log[row]
            line[0], line[1], line[2], line[3], line[4], line[5] = kind, a, b, c, d, 0
        table.logged += 1
