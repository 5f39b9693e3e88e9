"""What is on the table: the records a mission is played on, and the words for the kernel's integers.

`VIEW` is all that a player may know: the rules, everything public, and the asked player's own hand. `TABLE` is what no
player sees. `OUTCOME` is one row of results. A policy is handed a view and nothing else.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from alchemy_sim.core.jit import PolicyType, helper, one_record

SEATS = 5
TASKS = 40
WEIGHTS = 64
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


RULES_FIELDS: list[tuple[Any, ...]] = [
    ("players", np.int64),
    ("limit", np.int64),
    ("target", np.int64),
    ("slag_cap", np.int64),
    ("tasks", np.int64),
    ("max_reactions", np.int64),
    ("catalyst_value", np.int64),  # what a Catalyst counts, -1: its printed value
    ("whispers", np.int64),
    ("disciplines", np.int64),
    ("ordered_tasks", np.int64),
    ("needs_transmute", np.int64),
    ("needs_22_and_18", np.int64),
    ("sponge", np.int64),
    ("pool", np.int64),  # how many tasks the pool has
    ("pool_tasks", np.int8, (TASKS,)),  # their numbers, the first `pool` of them
    # rulings: the place of the value among the switch's values, 0 the default
    ("boil_over_timing", np.int64),
    ("early_win", np.int64),
    ("after_loss", np.int64),
    ("impossible_test", np.int64),
    ("impossible_draft", np.int64),
    ("trick_order", np.int64),
    ("fizzle_credit", np.int64),
    ("hoarder_takes", np.int64),
    ("task_order", np.int64),
    ("sponge_is", np.int64),
    ("weights", np.float64, (SEATS, WEIGHTS)),  # numbers a policy reads, by seat
]

VIEW = np.dtype(
    [
        # -- the decision
        ("ask", np.int64),  # an Ask
        ("me", np.int64),  # the asked player's seat
        ("hand", np.uint64),  # faces in the own hand
        ("twin", np.uint64),  # faces held twice
        ("legal", np.uint64),  # faces that may be played (CARD)
        ("offered", np.int64, (2,)),  # own two disciplines (KEEP)
        ("unclaimed", np.uint64),  # task numbers still to claim (CLAIM)
        ("source", np.uint64),  # random draws of this decision, see core.rng.draw
        ("plan", np.int64),  # the leader's own note, from INTENT to its card; nobody else ever sees it
        # -- the rules
        *RULES_FIELDS,
        # -- the mission so far, public
        ("reaction", np.int64),  # the reaction being played, from 1; 0 before the first
        ("lead", np.int64),  # the Lead Alchemist's seat
        ("sponge_seat", np.int64),  # or -1
        ("next_leader", np.int64),  # who leads next, before players without cards are skipped
        ("cards_left", np.int64, (SEATS,)),  # hand sizes
        ("unseen", np.uint64),  # cards nobody has shown yet, in other hands, the own hand or left over
        ("known", np.uint64, (SEATS,)),  # faces everybody knows to be in a hand
        ("known_twin", np.uint64, (SEATS,)),  # known twice
        ("excluded", np.uint64, (SEATS,)),  # faces that a player's hidden cards can't be (voids shown, hints)
        ("slag", np.int64, (SEATS,)),  # Slag Tokens, which is Boil Overs caused
        ("slag_total", np.int64),
        ("tricks", np.int64, (SEATS,)),  # W(p): tricks credited
        ("trick_count", np.int64),  # tricks so far
        ("deeds", np.int64, (SEATS,)),  # what each player has done, bits of tasks.Deed
        ("transmutes_led", np.int64, (SEATS,)),
        ("transmutes_tried", np.int64),
        ("transmutes_made", np.int64),
        ("made_22", np.int64),  # mission 10: a trick of exactly 22 was won
        ("made_18", np.int64),  # mission 10: a Transmute of exactly 18 succeeded
        ("first_trick", np.int64),  # who won the first trick, -1 none yet (-2: nobody can any more)
        ("last_trick", np.int64),  # who won the last trick so far, or -1
        ("boil_pending", np.int64),  # the last reaction was a Boil Over
        ("discipline", np.int64, (SEATS,)),  # kept disciplines, -1 before they are open
        ("power_spent", np.int64, (SEATS,)),  # 1 once used; passive ones count as spent
        ("whisper_left", np.int64, (SEATS,)),  # 1 while the Whisper Token is there
        ("whispers_left", np.int64),
        ("task", np.int64, (TASKS,)),  # drafted tasks in draft order, task numbers 0..39
        ("owner", np.int64, (TASKS,)),
        ("status", np.int64, (TASKS,)),  # a Status
        ("drafted", np.int64),  # how many tasks have been claimed so far
        ("wanted", np.int64, (SEATS,)),  # deeds (tasks.Deed) that a seat's open tasks ask for
        ("barred", np.int64, (SEATS,)),  # deeds that would fail a seat's open tasks
        ("counting", np.int64, (SEATS,)),  # open tasks of a seat that are of neither kind: they count or compare
        # -- the reaction in progress, public
        ("leader", np.int64),
        ("intent", np.int64),  # an Intent
        ("lead_suit", np.int64),  # -1 before the first card
        ("active", np.int64),  # players who had cards when it began
        ("plays", np.int64),  # cards played so far in this reaction
        ("play_seat", np.int64, (SEATS,)),
        ("play_face", np.int64, (SEATS,)),
        ("play_value", np.int64, (SEATS,)),  # counted values
        ("total", np.int64),
        ("limit_now", np.int64),  # limit in force, very large under a Purifier
        ("target_now", np.int64),  # target in force, very small under a Transmuter
        ("best_seat", np.int64),  # who has the highest card so far, -1 nobody eligible
        ("best_strength", np.int64),  # and how high it ranks (`rules.strength`)
        ("exploded", np.int64),  # the total has crossed the limit (end_of_reaction plays on)
        ("hoarder", np.int64),  # who claimed the cards with the Hoarder, -1 nobody
    ],
    align=True,
)

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
        ("policy", np.uint64, (SEATS,)),  # where each seat's policy stands in memory
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


def view_of(rules: np.ndarray) -> Any:
    """A fresh `VIEW` record with the rules of a cell (`rules`: structured, shape (1,)) filled in."""
    view = one_record(VIEW)
    for name in rules.dtype.names or ():
        view[name] = rules[name][0]
    view.task[:] = view.owner[:] = -1
    return view


RULES = np.dtype(RULES_FIELDS, align=True)

#: The type of the policies a kernel is handed: functions `int64(view)`.
POLICIES = PolicyType(VIEW)


@helper
def left_of(view: Any, seat: int) -> int:
    """The next seat clockwise. (A comparison: a 64-bit remainder costs as much as a whole play.)"""
    return seat + 1 if seat + 1 < view.players else 0
