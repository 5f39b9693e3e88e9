"""Prototype."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.rng import below, draw
from alchemy_sim.games.furnace.match.policies.random import random_pair
from alchemy_sim.games.furnace.match.search import next_step, search
from alchemy_sim.games.furnace.match.table import Ask
from alchemy_sim.games.furnace.match.view import POLICIES


@POLICIES.declare
def builder_player(view: Any) -> int:
    if view.ask == Ask.PLAY:
        if view.plan.ready == 0:
            search(view, view.me, view.weights[view.me])
        return next_step(view)
    if view.ask == Ask.DISCARD:
        return below(draw(view.source, 0), view.hand)
    if view.ask == Ask.FORCE:
        if below(draw(view.source, 0), 2) == 0:
            return 0
        return view.min_bet
    if view.ask == Ask.CALL:
        return 1
    return random_pair(view)
