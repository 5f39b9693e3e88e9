"""What players who search have in common: their plays, discards and cards kept; they differ in how they bet."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import integer
from alchemy_sim.core.jit import helper
from alchemy_sim.core.room import stack_masks
from alchemy_sim.games.furnace.match.policies.cards import list_families, usefulness
from alchemy_sim.games.furnace.match.search import next_step, search
from alchemy_sim.games.furnace.match.table import Ask
from alchemy_sim.games.furnace.names import CARDS
from alchemy_sim.games.furnace.showdown.policies.fast import fast_choice

#: What a card of the best pair for the Furnace is worth beside its use in melds, once the player is near to forcing.
_FOR_THE_FURNACE = 6.0


@helper
def discard_place(view: Any) -> int:
    """The place of the card that promises least; those kept for the Furnace count when forcing comes near."""
    held = stack_masks(6)
    list_families(view, held)
    near = 2 * view.board.points[view.me] >= view.qualify
    chosen, _ = fast_choice(view) if near else (held[0], 0.0)
    worst, least = 0, 1e9
    for place in range(view.hand):
        use = usefulness(view, held, integer(view.cards[place]))
        if near and integer(chosen) >> place & 1:
            use += _FOR_THE_FURNACE
        if use < least:
            worst, least = place, use
    return worst


@helper
def no_card_comes(view: Any) -> bool:
    """Whether nobody draws any more in this round: neither the pile nor the discards, which replace it, have a card."""
    if view.pile > 0:
        return False
    for card in range(CARDS):
        if view.discarded[card] > 0:
            return False
    return True


@helper
def nothing_will_change(view: Any) -> bool:
    """Whether waiting to force brings nothing: no card comes any more, or the round ends before the next turn."""
    return no_card_comes(view) or view.turn + view.players > view.max_turns


@helper
def answer_by_search(view: Any) -> int:
    """Answer PLAY by search for the weights' aim, DISCARD by usefulness, KEEP by what promises most."""
    if view.ask == Ask.PLAY:
        if view.plan.ready == 0:
            search(view, view.me, view.weights[view.me])
        return next_step(view)
    if view.ask == Ask.DISCARD:
        return discard_place(view)
    chosen, _ = fast_choice(view)
    return integer(chosen)
