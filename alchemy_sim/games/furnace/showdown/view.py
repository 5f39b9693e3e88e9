"""What a player sees before a showdown: the record that every policy is handed, field by field.

A policy is a function `int64(view)`. It answers which cards of its hand it keeps, as a mask of their places.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.jit import PolicyType
from alchemy_sim.core.seen import Field, record_of, rows_of
from alchemy_sim.games.furnace.config import MOST_HAND, MOST_OPEN
from alchemy_sim.games.furnace.fields import HAND_RULES
from alchemy_sim.games.furnace.names import CARDS
from alchemy_sim.games.furnace.outlook import OUTLOOK
from alchemy_sim.games.furnace.tables import HANDS

SEATS = 6

_INT = np.int64
_DECISION = (
    Field("ask", _INT, "the question, an Ask: KEEP"),
    Field("me", _INT, "the asked player's seat"),
    Field("cards", np.uint8, "the cards in the own hand, in the order they were dealt", (MOST_HAND,)),
    Field("source", np.uint64, "random draws of this decision, for core.rng.draw"),
)
_RULES = (
    Field("players", _INT, "how many play"),
    Field("hand", _INT, "cards dealt to each"),
    *HAND_RULES,
)
_TABLE = (
    Field("open", np.uint8, "the cards of the Furnace that lie open, the first `open_cards` of them", (MOST_OPEN,)),
    Field("copies", np.uint8, "how many of each card the deck has", (CARDS,)),
    Field("hands", HANDS, "the tables of the evaluator, for games.furnace.evaluate"),
    Field("outlook", OUTLOOK, "what strengths are worth, for games.furnace.outlook"),
)
#: The fields by what they are about, in the order of the record.
FIELDS = {"decision": _DECISION, "rules": _RULES, "table": _TABLE}
VIEW = record_of(*FIELDS.values())
RULES = record_of(_RULES)

#: The type of the policies a kernel is handed: functions `int64(view)`.
POLICIES = PolicyType(VIEW)


def view_rows() -> list[dict[str, Any]]:
    """The fields as `alchemy-sim list view` shows them."""
    return rows_of(FIELDS)
