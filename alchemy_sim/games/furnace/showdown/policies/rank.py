"""The player who keeps what makes the highest hand with the open cards, as if none were hidden."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ZERO, integer
from alchemy_sim.core.room import stack_masks
from alchemy_sim.games.furnace.evaluate import strength
from alchemy_sim.games.furnace.showdown.policies.choices import (
    MOST_CHOICES,
    key_of,
    known_cards,
    list_choices,
    open_key,
    open_size,
)
from alchemy_sim.games.furnace.showdown.view import POLICIES


@POLICIES.declare
def rank_player(view: Any) -> int:
    """Keep the cards of the highest hand; of equal ones the first in the order of the hand."""
    choices = stack_masks(MOST_CHOICES)
    key, size = open_key(view), open_size(view) + view.kept
    best, kept = -1, ZERO
    for which in range(list_choices(view, choices)):
        chosen = choices[which]
        strong = strength(view.hands, size, key + key_of(view, chosen), known_cards(view, chosen))
        if strong > best:
            best, kept = strong, chosen
    return integer(kept)
