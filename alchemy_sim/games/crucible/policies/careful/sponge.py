"""The Sponge: how exposed it is to having to win, and what it costs when it keeps more cards than the others."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ONE, ZERO, popcount
from alchemy_sim.core.jit import large_helper
from alchemy_sim.games.crucible.cards import ALL_CATALYSTS, SUIT
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.policies.careful.chances import hidden_cards
from alchemy_sim.games.crucible.policies.careful.gains import (
    weight,
)
from alchemy_sim.games.crucible.policies.careful.weights import Weight

#: How exposed a Catalyst makes its holder, who can shed it only under a higher one.
BURDEN = 0.3


@large_helper
def surplus_cost(view: Any) -> float:
    """What it costs that the Sponge keeps a card when the asked player's card boils over (negative: it helps).

    Alone with cards, the Sponge would have to win them.
    """
    sponge = view.sponge_seat
    if sponge < 0 or view.boil_over_timing != 0:
        return 0.0
    before = 0
    after = 0
    for seat in range(view.players):
        if seat != sponge:
            after = max(after, view.cards_left[seat] - (1 if seat == view.me else 0))
            before = max(before, view.cards_left[seat])
    for play in range(view.plays):
        seat = view.play_seat[play]
        if seat != sponge:
            before = max(before, view.cards_left[seat] + 1)
    mine = view.cards_left[sponge]
    after = mine - (1 if sponge == view.me else 0) - after
    for play in range(view.plays):
        if view.play_seat[play] == sponge:
            mine += 1
    before = mine - before
    fail = weight(view, Weight.FAIL)
    cost = 0.0
    if after > 0:
        cost += 0.7 * fail
    elif after < 0:
        cost -= 0.5
    if before > 0:
        cost -= 0.7 * fail
    elif before < 0:
        cost += 0.5
    return cost


@large_helper
def exposure(view: Any, hand: Any) -> float:
    """The chance that the next lead would force the asked player to win with its lowest card of the suit."""
    faces = view.unseen & ~view.hand
    hidden = 0
    known = 0
    for seat in range(view.players):
        if seat != view.me:
            hidden += hidden_cards(view, seat)
            known += view.cards_left[seat] - hidden_cards(view, seat)
    if hidden + known == 0:
        return 0.0
    share = hidden / max(popcount(faces), 1) if hidden > 0 else 0.0
    found = 0.0
    for suit in range(6):
        held = hand & SUIT[suit]
        if held == ZERO:
            continue
        least = held & (ZERO - held)
        below = (least - ONE) & SUIT[suit]
        above = SUIT[suit] & ~below & ~least
        lower = share * popcount(faces & below)
        higher = share * popcount(faces & above)
        for seat in range(view.players):
            if seat != view.me:
                lower += popcount(view.known[seat] & below)
                higher += popcount(view.known[seat] & above)
        found += lower / (1.0 + 0.5 * higher)
    found /= hidden + known
    if view.discipline[view.me] != Discipline.VOID_WEAVER:
        found += BURDEN * popcount(hand & ALL_CATALYSTS)
    return found
