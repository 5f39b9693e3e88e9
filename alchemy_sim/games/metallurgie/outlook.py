"""What a table is worth to who leaves it to the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.games.metallurgie.chances import still_on
from alchemy_sim.games.metallurgie.weights import Weight


@helper
def lead_of(view: Any) -> float:
    """1 if the asked player alone has the most points, -1 if somebody has more, else 0."""
    best = -1
    for seat in range(view.players):
        if seat != view.me:
            best = max(best, view.points[seat])
    return float(np.sign(view.points[view.me] - best))


@large_helper
def outlook(view: Any, plan: Any, placed: int) -> float:
    """What the sketch is worth when the turn ends on it, `placed` cards of the hand gone.

    Others may score before the next own turn, which costs; nobody may, and the own hand does then. The end card may
    show while the hand is refilled, which is good for who leads.
    """
    weights = view.weights[view.me]
    nobody, mine, theirs, own_points, kept = 1.0, 1.0, 0.0, 0.0, 0.0
    looked = 0
    for _ in range(4):
        # who can score more than one metal takes the one that is worth most
        metal = -1
        for each in range(4):
            if not looked >> each & 1 and (metal < 0 or plan.worth[each] > plan.worth[metal]):
                metal = each
        looked |= 1 << metal
        short, own, worth = plan.short[metal], plan.held[metal], plan.worth[metal]
        lack, miss = plan.miss[view.full_hand, metal, short], plan.miss[placed, metal, max(short - own, 0)]
        if plan.pile[metal]:
            below, same = plan.chances[view.full_hand, metal - 1, 0], plan.chances[view.full_hand, metal, 0]
            lack *= 1.0 - (1.0 - below) * (1.0 - same)
            if own > 0 and plan.held[metal - 1] > 0:
                miss = 0.0
        theirs += nobody * (1.0 - lack) * worth
        own_points += mine * (1.0 - miss) * worth
        nobody *= lack
        mine *= miss
        fading = 1.0
        for _ in range(short - own):
            fading *= weights[Weight.FADE]
        kept += fading if own > 0 else 0.0
    quiet, fed = 1.0, 0.0
    for seat in range(1, view.players):
        fed += still_on(view, plan, placed + seat - 1) * quiet * theirs
        quiet *= nobody
    own_points *= still_on(view, plan, placed + view.players - 1) * quiet
    ends = weights[Weight.FINISH] * lead_of(view) * (1.0 - still_on(view, plan, placed))
    value = ends + weights[Weight.OWN] * own_points - weights[Weight.FEED] * fed / (view.players - 1)
    return value + weights[Weight.KEEP] * kept
