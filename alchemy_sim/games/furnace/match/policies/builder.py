"""Two players who differ by weights alone: `builder` melds for points and forces early, `banker` for Stones, late."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import integer
from alchemy_sim.core.jit import helper
from alchemy_sim.core.room import stack_masks
from alchemy_sim.games.furnace.match.policies.cards import list_families, usefulness
from alchemy_sim.games.furnace.match.search import next_step, search
from alchemy_sim.games.furnace.match.table import Ask
from alchemy_sim.games.furnace.match.view import POLICIES
from alchemy_sim.games.furnace.match.weights import Threshold
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
def bet_of(view: Any) -> int:
    """The bet of a player that may force: 0 where its hand is too weak, or it is too early."""
    weights = view.weights[view.me]
    late = (view.turn - 1) // view.players - weights[Threshold.LATE]
    if late < 0.0 and view.board.bag > 0:
        return 0
    _, percentile = fast_choice(view)
    nothing_new = view.pile == 0 or view.turn + view.players > view.max_turns
    if percentile < weights[Threshold.FORCE] - weights[Threshold.HURRY] * max(late, 0.0) and not nothing_new:
        return 0
    stones = view.board.stones[view.me]
    return max(view.min_bet, min(stones, integer(weights[Threshold.BET] * stones)))


@helper
def calls(view: Any) -> int:
    """Whether to call: the more of the own Stones the bet takes, the better the hand must be."""
    _, percentile = fast_choice(view)
    stones, weights = view.board.stones[view.me], view.weights[view.me]
    share = min(view.bet, stones) / stones
    return 1 if percentile >= weights[Threshold.CALL] + weights[Threshold.CALL_MORE] * share else 0


@POLICIES.declare
def builder_player(view: Any) -> int:
    """Answer by search for the plays, by usefulness for discards, by percentiles for the Furnace."""
    if view.ask == Ask.PLAY:
        if view.plan.ready == 0:
            search(view, view.me, view.weights[view.me])
        return next_step(view)
    if view.ask == Ask.DISCARD:
        return discard_place(view)
    if view.ask == Ask.FORCE:
        return bet_of(view)
    if view.ask == Ask.CALL:
        return calls(view)
    chosen, _ = fast_choice(view)
    return integer(chosen)
