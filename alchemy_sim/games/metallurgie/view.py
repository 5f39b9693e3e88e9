"""What a player sees: the record that every policy is handed, field by field, with the meaning of each.

A policy is a function `int64(view)`. The view is turned towards one seat after another, so it holds the asked player's
own hand, what is public, and the rules. A policy reads it; what it writes into `plan` is still there when it is asked
again in the same turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.jit import PolicyType
from alchemy_sim.core.seen import Field, record_of, rows_of
from alchemy_sim.games.metallurgie.names import METALS
from alchemy_sim.games.metallurgie.pattern import PATTERN
from alchemy_sim.games.metallurgie.plan import PLAN

SEATS = 4
_METALS = (len(METALS),)
_SEATS = (SEATS,)
_INT = np.int64

_DECISION = (
    Field("ask", _INT, "the question, an Ask: DRAW, PLACE or SCORE"),
    Field("me", _INT, "the asked player's seat"),
    Field("hand", _INT, "by metal: cards in the own hand", _METALS),
    Field("source", np.uint64, "random draws of this decision, for core.rng.draw"),
    Field("plan", PLAN, "the player's own note for the turn, the one field a policy may write"),
)
_RULES = (
    Field("players", _INT, "how many play"),
    Field("thresholds", _INT, "by metal: cards that an area needs", _METALS),
    Field("removals", _INT, "by metal: cards that scoring takes away", _METALS),
    Field("deck", _INT, "by metal: cards of the deck", _METALS),
    Field("full_hand", _INT, "cards of a full hand"),
    Field("end_card_depth", _INT, "the end card is one of so many at the bottom"),
    Field("must_score", _INT, "ruling: 0 false, 1 true"),
    Field("score_scope", _INT, "ruling: 0 touched, 1 any"),
    Field("score_again", _INT, "ruling: 0 true, 1 false"),
    Field("bonus", _INT, "ruling: 0 none, 1 majority, 2 first"),
)
_TABLE = (
    Field("turn", _INT, "the turn, from 1"),
    Field("pattern", PATTERN, "the cards on the table (games.metallurgie.pattern)"),
    Field("drawn", _INT, "the metal of the card turned up in this turn, -1 none"),
    Field("placed", _INT, "cards placed in this turn"),
    Field("metal", _INT, "the metal placed last in this turn, -1 none"),
    Field("place", _INT, "the place where it lies, -1 none"),
    Field("mode", _INT, "what this turn's cards have in common, a Mode: FREE, METAL or POSITION"),
    Field("touched", np.uint64, "places with a card placed or uncovered in this turn"),
    Field("spent", np.uint64, "what remains of areas scored in this turn, if `score_again` is false"),
    Field("scored", _INT, "areas scored in this turn"),
    Field("points", _INT, "by seat: points", _SEATS),
    Field("kept", _INT, "by seat and metal: cards kept", (SEATS, len(METALS))),
    Field("hand_sizes", _INT, "cards in each hand", _SEATS),
    Field("pile", _INT, "cards left in the draw pile, the end card among them"),
    Field("gone", _INT, "by metal: cards discarded, kept or out of the game", _METALS),
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
