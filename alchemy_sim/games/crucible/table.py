"""What is on the table: the records a mission is played on, and the words for the kernel's integers.

`VIEW` (see `view`) is all that a player may know: the rules, everything public, and the asked player's own hand.
`TABLE` is what no player sees. `OUTCOME` is one row of results. A policy is handed a view and nothing else.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from alchemy_sim.core.jit import helper, one_record
from alchemy_sim.core.seats import blame, seat_fields
from alchemy_sim.games.crucible.view import POLICIES, RULES, SEATS, TASKS, VIEW, WEIGHTS, view_of

__all__ = [
    "FATE",
    "LOG_ROWS",
    "LOG_WIDTH",
    "OUTCOME",
    "POLICIES",
    "RULES",
    "SEATS",
    "TABLE",
    "TASKS",
    "VIEW",
    "WEIGHTS",
    "Ask",
    "Ending",
    "Hint",
    "Intent",
    "Purpose",
    "Result",
    "Status",
    "blame",
    "blank_table",
    "left_of",
    "view_of",
]

LOG_ROWS = 2048
LOG_WIDTH = 6


class Ask(IntEnum):
    """What a policy is asked, and what it answers."""

    KEEP = 0  # 0 or 1: which of the two offered disciplines
    CLAIM = 1  # a task number out of the mask `unclaimed`
    WHISPER = 2  # -1 to pass, or 4 * face + hint
    INTENT = 3  # an Intent
    POWER = 4  # 0 or 1: use the own discipline now
    SWAP = 5  # -1 to pass, or 64 * own task place + the other's task place
    CARD = 6  # a face out of the mask `legal`


class Intent(IntEnum):
    CATALYZE = 0
    TRANSMUTE = 1


class Result(IntEnum):
    """The outcome of a reaction."""

    SAFE = 0
    BOIL_OVER = 1
    TRANSMUTED = 2
    FIZZLED = 3


class Status(IntEnum):
    """Where a task stands."""

    OPEN = 0
    COMPLETE = 1
    IMPOSSIBLE = 2
    INCOMPLETE = 3


class Ending(IntEnum):
    """How a mission ended (Crucible 4)."""

    WIN = 0
    SLAG = 1
    SPONGE = 2
    IMPOSSIBLE = 3
    INCOMPLETE = 4
    EXTRA_GOAL = 5
    STALLED = 6


class Hint(IntEnum):
    TOP = 0
    BOTTOM = 1
    MIDDLE = 2


class Purpose(IntEnum):
    """Which draws of a turn something uses; each has 64 positions (see `core.rng`).

    Up to SPONGE, and OWN, they are draws of the game's key; the decisions of a seat draw from the seat's own key.
    """

    DEAL = 0
    TASKS = 1
    DISCIPLINES = 2
    SPONGE = 3
    KEEP = 4
    CLAIM = 5
    WHISPER = 6
    INTENT = 7
    POWER = 8
    CARD = 9
    OWN = 10  # the keys of the seats


TABLE = np.dtype(
    [
        ("key", np.uint64),  # the game's key of core.rng
        ("own_key", np.uint64, (SEATS,)),  # by seat: the key of its own draws, which tells nothing of the game's
        ("turn", np.uint64),  # where this reaction's draws start
        ("deck", np.int8, (58,)),
        ("hands", np.uint64, (SEATS,)),
        ("twins", np.uint64, (SEATS,)),
        ("faces", np.uint64),  # the faces in any hand, as of the last judging
        ("task_deck", np.int8, (TASKS,)),  # the pool, shuffled as far as it was needed
        ("task_cards_used", np.int64),
        ("discipline_deck", np.int8, (10,)),
        ("declined", np.int64, (SEATS,)),
        ("pusher", np.int64),  # whose card boiled over, and as which card of the reaction (from 0)
        ("pusher_position", np.int64),
        ("anchored", np.int64, (SEATS,)),  # by play: the card is not flipped on success
        ("result", np.int64),  # a Result
        ("credit", np.int64),  # whose trick the last reaction was, or -1
        ("deed_reaction", np.int64, (SEATS, 32)),  # ordered tasks: when each deed was last done
        ("enabled_at", np.int64, (TASKS,)),  # ordered tasks: since which reaction no earlier one is open, -1 not yet
        ("tasks_changed", np.int64),  # what the view says of open tasks has to be worked out again
        ("lost", np.int64),  # 1 once an ending other than a win is certain
        ("settled_reaction", np.int64, (TASKS,)),  # when each task left the state OPEN
        *seat_fields(VIEW, SEATS),
        ("recording", np.int64),  # 1: write the log
        ("log_first", np.int64),  # which rows of the whole log are kept: LOG_ROWS of them from here
        ("logged", np.int64),  # rows so far, kept or not
        ("log", np.int32, (LOG_ROWS, LOG_WIDTH)),  # see `log`
    ],
    align=True,
)

OUTCOME = np.dtype(
    [
        ("ending", np.int8),
        ("ending_task", np.int8),
        ("reactions", np.int32),
        ("cards_played", np.int32),
        ("lead", np.int8),
        ("sponge_seat", np.int8),
        ("transmutes_tried", np.int32),
        ("transmutes_made", np.int32),
        ("boil_overs", np.int16),
        ("boil_at", np.int16, (SEATS,)),
        ("first_boil_reaction", np.int32),
        ("forced_plays", np.int32),
        ("choices", np.int32),
        ("tricks", np.int16, (SEATS,)),
        ("slag", np.int16, (SEATS,)),
        ("discipline", np.int8, (SEATS,)),
        ("discipline_declined", np.int8, (SEATS,)),
        ("power_used_reaction", np.int32, (SEATS,)),
        ("whispered_reaction", np.int32, (SEATS,)),
        ("lost_reaction", np.int32),
        ("lost_seat", np.int8),
        ("fault", np.int8),  # 1 + seat of a policy that answered what is not allowed, 0 fine
    ],
    align=True,
)

#: One drafted task of one mission; a mission's row has as many as it drafts.
FATE = np.dtype([("task", np.int8), ("owner", np.int8), ("status", np.int8), ("reaction", np.int32)], align=True)


def blank_table() -> Any:
    """A fresh `TABLE` record."""
    return one_record(TABLE)


@helper
def left_of(view: Any, seat: int) -> int:
    """The next seat clockwise. (A comparison: a 64-bit remainder costs as much as a whole play.)"""
    return seat + 1 if seat + 1 < view.players else 0
