"""The random player, as the rule page has it: a uniform choice among the cards that are not Jokers."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, kth, popcount
from alchemy_sim.core.rng import below, draw
from alchemy_sim.games.furnace.showdown.policies.choices import keepable
from alchemy_sim.games.furnace.showdown.view import POLICIES


@POLICIES.declare
def random_player(view: Any) -> int:
    """Keep a uniform pair."""
    places, chosen = keepable(view), ZERO
    for which in range(view.kept):
        place = kth(places, below(draw(view.source, which), popcount(places)))
        chosen |= ONE << np.uint64(place)
        places &= ~chosen
    return integer(chosen)
