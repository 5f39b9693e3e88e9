"""Two players who differ by weights alone: `builder` melds for points and forces early, `banker` for Stones, late."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import integer
from alchemy_sim.core.jit import helper
from alchemy_sim.games.furnace.match.policies.rummy import answer_by_search, nothing_will_change
from alchemy_sim.games.furnace.match.table import Ask
from alchemy_sim.games.furnace.match.view import POLICIES
from alchemy_sim.games.furnace.match.weights import Threshold
from alchemy_sim.games.furnace.showdown.policies.fast import fast_choice


@helper
def bet_of(view: Any) -> int:
    """The bet of a player that may force: 0 where its hand is too weak, or it is too early."""
    weights = view.weights[view.me]
    late = (view.turn - 1) // view.players - weights[Threshold.LATE]
    if late < 0.0 and view.board.bag > 0:
        return 0
    _, percentile = fast_choice(view)
    wanted = weights[Threshold.FORCE] - weights[Threshold.HURRY] * max(late, 0.0)
    if percentile < wanted and not nothing_will_change(view):
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
    if view.ask == Ask.FORCE:
        return bet_of(view)
    if view.ask == Ask.CALL:
        return calls(view)
    return answer_by_search(view)
