"""What a player sees in a match: the record that every policy is handed, field by field, with the meaning of each.

A policy is a function `int64(view)`. The view is turned towards one seat after another, so it holds the asked player's
own hand, what is public, and the rules. A policy reads it and writes nothing but `plan`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.jit import PolicyType
from alchemy_sim.core.seen import Field, record_of, rows_of
from alchemy_sim.games.furnace.config import MOST_OPEN
from alchemy_sim.games.furnace.fields import HAND_RULES
from alchemy_sim.games.furnace.match.board import BOARD, SEATS, SUITS
from alchemy_sim.games.furnace.names import CARDS, RANK_COUNT
from alchemy_sim.games.furnace.outlook import OUTLOOK
from alchemy_sim.games.furnace.tables import HANDS

#: Cards a hand can have in the course of a turn: nine, the one drawn, and those taken from layouts.
MOST_IN_HAND = 32
#: Steps of a plan, boards of a search, and weights of a player.
STEPS, DEPTH, WEIGHTS = 40, 28, 32
#: Plays of one board, and those of all boards of a search that are still to be tried.
LISTED, WAITING = 4096, 1 << 14
#: Groups of plays that a search tries one after the other.
GROUPS = 27

#: The note of a player: the one field it may write. It is blank whenever another player was asked before.
PLAN = np.dtype(
    [
        ("ready", np.int64),  # 1: `steps` hold what to do in this turn
        ("next", np.int64),
        ("number", np.int64),
        ("steps", np.int64, (STEPS,)),
        ("searched", np.int64),  # 1: this turn's plays had to be searched for; read by the kernel
        ("nodes", np.int64),  # boards looked at, 0 if masks settled it
        ("given_up", np.int64),  # 1: there were more boards than are looked at
        ("boards", BOARD, (DEPTH,)),
        ("line", np.int64, (DEPTH,)),  # the plays that led to the board of each depth
        # what is tried at a board: the plays that the last one opened, `first` to `end` in `codes`, and then what was
        # still to be tried where it was made: from `rest` on, among those opened at depth `rest_of`
        ("first", np.int64, (DEPTH,)),
        ("end", np.int64, (DEPTH,)),
        ("rest", np.int64, (DEPTH,)),
        ("rest_of", np.int64, (DEPTH,)),
        ("tried", np.int64, (DEPTH,)),  # which comes next at a board, among those opened at depth `tried_of`
        ("tried_of", np.int64, (DEPTH,)),
        ("worth", np.float64, (DEPTH,)),  # of the board of each depth
        ("helped", np.int64, (DEPTH,)),  # zones in which Jokers were laid
        ("bound", np.float64, (DEPTH,)),  # what that board can come to by plays of the zones beside it
        ("bound_zones", np.int64, (DEPTH,)),
        ("bound_joker", np.int64, (DEPTH,)),
        ("codes", np.int32, (WAITING,)),
        ("zones", np.int32, (WAITING,)),  # the zones of a play and of all that come after it (match.bound)
        ("joker", np.int16, (WAITING,)),  # and what a Joker can count there
        ("group_worth", np.float64, (GROUPS,)),  # the plays of the first board by group
        ("group_size", np.int64, (GROUPS,)),
        ("group_first", np.int64, (GROUPS,)),
        ("group_at", np.int64, (GROUPS,)),
        ("listed", np.int32, (LISTED,)),
        ("free_runs", np.uint64, (SUITS,)),  # by family: places that can stand in its Runs without a Joker
        ("one_joker", np.uint64, (SUITS,)),  # those that need one, and those that need one or more
        ("more_jokers", np.uint64, (SUITS,)),
        (
            "joker_value",
            np.int64,
            (SUITS,),
        ),  # the most one can count in its Runs, alone, or
        ("jokers_value", np.int64, (SUITS,)),  # beside others
        ("best_joker", np.int64, (SUITS,)),  # the most points of cards that one Joker brings into Runs of the family
        ("free_triads", np.uint64),  # places that can stand in Triads without a Joker
        ("triads_of_two", np.uint64),  # those that need one Joker, and two
        ("triads_of_one", np.uint64),
        ("take_joker", np.uint64, (SUITS,)),  # by family: places that can take a Joker from a layout, or a Trump
        ("take_trump", np.uint64, (SUITS,)),
        ("patient", np.uint64, (SUITS,)),  # cards that take nothing; of these those that no Run can use (match.waste)
        ("idle", np.uint64, (SUITS,)),
        ("triads_with_trump", np.uint64),  # places of Triads in layouts that have a Trump
        ("trumps_there", np.uint64),  # Trumps held, or that can be taken
        ("jokers_there", np.int64),  # how many Jokers can be taken
    ],
    align=True,
)

_INT = np.int64
_SEATS = (SEATS,)
_DECISION = (
    Field("ask", _INT, "the question, an Ask: PLAY, DISCARD, FORCE, CALL or KEEP"),
    Field("me", _INT, "the asked player's seat"),
    Field("cards", np.uint8, "the own hand, ascending, the first `hand` of them; none at PLAY", (MOST_IN_HAND,)),
    Field("hand", _INT, "how many cards the own hand has; 0 at PLAY"),
    Field("source", np.uint64, "random draws of this decision, for core.rng.draw"),
    Field("plan", PLAN, "the player's own note for the turn, the one field a policy may write"),
)
_RULES = (
    Field("players", _INT, "how many play"),
    Field("dealt", _INT, "cards dealt to each, and the most at the end of a turn"),
    Field("start_stones", _INT, "Stones of each player at the start"),
    Field("bag_stones", _INT, "Stones in the bag at the start"),
    Field("qualify", _INT, "points that qualify for forcing the Furnace"),
    Field("min_bet", _INT, "the least bet"),
    Field("max_turns", _INT, "turns until a round is stalled"),
    Field("max_rounds", _INT, "rounds until a match is unfinished"),
    *HAND_RULES,
    Field("ante_per", _INT, "ruling: 0 round, 1 turn"),
    Field("stones_a_turn", _INT, "ruling: 0 per_pair, 1 one"),
    Field("single_extension", _INT, "ruling: 0 allowed, 1 forbidden"),
    Field("points_for", _INT, "ruling: 0 layout_owner, 1 who_played"),
    Field("short_call", _INT, "ruling: 0 fold, 1 all_in"),
    Field("weights", np.float64, "numbers that some policies of the toolkit read, by seat", (SEATS, WEIGHTS)),
)
_TABLE = (
    Field("round_number", _INT, "the round, from 1"),
    Field("turn", _INT, "the turn in the round, from 1"),
    Field("starter", _INT, "who has the first turn of the round"),
    Field("playing", _INT, "by seat: 1 while still in the match", _SEATS),
    Field("hand_sizes", _INT, "cards in each hand", _SEATS),
    Field("pot", _INT, "Stones in the pot"),
    Field("pile", _INT, "cards left in the draw pile"),
    Field("discarded", np.uint8, "by card: how many lie in the discard pile", (CARDS,)),
    Field("open", np.uint8, "the cards of the Furnace that lie open, the first `open_cards` of them", (MOST_OPEN,)),
    Field("forcer", _INT, "who forced the Furnace, -1 nobody yet"),
    Field("bet", _INT, "the forcer's bet"),
    Field("entered", _INT, "by seat: Stones put in as bet or call, -1 not decided, 0 folded", _SEATS),
    Field("board", BOARD, "layouts, points, Stones, and in one's own turn the own hand (match.board)"),
    Field("copies", np.uint8, "by card: how many lie neither in a layout nor in the discard pile", (CARDS,)),
    Field("values", np.int64, "points of each place, from the lowest rank to the Ace", (RANK_COUNT,)),
    Field("value_bits", np.uint64, "places by the bits of their points", (4,)),
    Field("rank_at", np.int64, "the rank of each place", (RANK_COUNT,)),
    Field("place_of", np.int64, "the place of each rank, -1 if the deck lacks it", (RANK_COUNT,)),
    Field("hands", HANDS, "the tables of the evaluator, for games.furnace.evaluate"),
    Field("outlook", OUTLOOK, "what strengths are worth, for games.furnace.outlook"),
)
#: The fields by what they are about, in the order of the record.
FIELDS = {"decision": _DECISION, "rules": _RULES, "table": _TABLE}
VIEW = record_of(*FIELDS.values())
RULES = record_of(_RULES)
NOTE = "plan"

#: The type of the policies a kernel is handed: functions `int64(view)`.
POLICIES = PolicyType(VIEW, NOTE)


def view_rows() -> list[dict[str, Any]]:
    """The fields as `alchemy-sim list view` shows them."""
    return rows_of(FIELDS)
