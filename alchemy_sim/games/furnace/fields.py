"""The fields of a view that say how hands are made: the same in showdowns and in matches."""

from __future__ import annotations

import numpy as np

from alchemy_sim.core.seen import Field
from alchemy_sim.games.furnace.names import CATEGORIES

_INT = np.int64

#: The deck, what is kept, and the rulings about hands, as places among a switch's values, 0 the default.
HAND_RULES = (
    Field("open_cards", _INT, "cards of the Furnace that lie open"),
    Field("hidden_cards", _INT, "cards of the Furnace that lie face down"),
    Field("kept", _INT, "cards to keep for the Furnace"),
    Field("families", _INT, "families of the deck"),
    Field("ranks", _INT, "ranks of a family"),
    Field("trumps", _INT, "1: there are Trumps"),
    Field("deck_jokers", _INT, "Jokers in the deck"),
    Field("hand_order", _INT, "the hands (Category) from the strongest to the weakest", (len(CATEGORIES),)),
    Field("ace", _INT, "ruling: 0 both, 1 high, 2 low"),
    Field("community_joker", _INT, "ruling: 0 redraw, 1 dead"),
    Field("furnace_trump", _INT, "ruling: 0 wild_family, 1 own_family"),
    Field("tie_order", _INT, "ruling: 0 ranks_then_trump, 1 trump_then_ranks"),
)
