"""The greedy player: the turn with the most points, from the hand if the hand scores, else after a draw."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.core.room import stack_masks
from alchemy_sim.games.metallurgie.chain import most_points
from alchemy_sim.games.metallurgie.joins import joined_by, list_areas
from alchemy_sim.games.metallurgie.names import IRON
from alchemy_sim.games.metallurgie.pattern import top
from alchemy_sim.games.metallurgie.plan import begin_sketch
from alchemy_sim.games.metallurgie.plays import search_turn
from alchemy_sim.games.metallurgie.policies.steps import next_step
from alchemy_sim.games.metallurgie.table import STOP, Ask, place_code
from alchemy_sim.games.metallurgie.view import POLICIES


@helper
def least_joined(view: Any, metal: int) -> int:
    """The answer to PLACE that puts a card where it joins the fewest of its metal."""
    areas, pattern = stack_masks(64), view.pattern
    listed, best, answer = list_areas(pattern, metal, areas), 1000, STOP
    if metal == IRON:
        for free in range(pattern.free):
            cards = popcount(joined_by(pattern.free_near[free], areas, listed))
            if cards < best:
                best, answer = cards, place_code(metal, free)
        return answer
    left = top(pattern, metal - 1)
    while left != ZERO:
        place = lowest(left)
        left &= left - ONE
        cards = popcount(joined_by(pattern.near[place], areas, listed))
        if cards < best:
            best, answer = cards, place_code(metal, place)
    return answer


@POLICIES.declare
def greedy_player(view: Any) -> int:
    """The turn with the most points."""
    plan = view.plan
    if view.ask == Ask.DRAW:
        plan.turn = view.turn
        return 1 if search_turn(view, plan, -1, 0) == 0 else 0
    if view.ask == Ask.SCORE:
        begin_sketch(view, plan)
        plan.nodes = 0
        most_points(view, plan)
        return integer(plan.taking)
    if view.placed == 0 and (view.drawn >= 0 or plan.turn != view.turn):
        plan.turn = view.turn
        search_turn(view, plan, view.drawn, 0)
    if view.placed == 0 and plan.number == 0:
        return least_joined(view, view.drawn)
    return next_step(view, plan)
