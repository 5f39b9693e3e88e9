"""The player who keeps what promises most over every hidden set of cards, worked out in full."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.room import stack_floats, stack_masks
from alchemy_sim.games.furnace.showdown.policies.choices import MOST_CHOICES, list_choices
from alchemy_sim.games.furnace.showdown.policies.expect import expect, most_promising
from alchemy_sim.games.furnace.showdown.view import POLICIES


@POLICIES.declare
def best_player(view: Any) -> int:
    """Keep the choice of the highest expected percentile."""
    choices, worth = stack_masks(MOST_CHOICES), stack_floats(MOST_CHOICES)
    number = list_choices(view, choices)
    expect(view, choices, number, worth)
    return most_promising(choices, number, worth)
