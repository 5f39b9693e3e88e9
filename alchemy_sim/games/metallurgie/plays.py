"""The turn that scores the most points, found by trying all that can matter (Metallurgie 2).

Cards of one metal are tried in all sets of places, cards of one position in all orders that ascend. A set is left out
only where too few cards come together for a point more than the best turn so far.
"""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ONE, ZERO, integer, popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_masks
from alchemy_sim.games.metallurgie.chain import most_points, phase_bound, points_within
from alchemy_sim.games.metallurgie.joins import cards_with, list_opened, list_places
from alchemy_sim.games.metallurgie.names import IRON
from alchemy_sim.games.metallurgie.pattern import top
from alchemy_sim.games.metallurgie.plan import begin_sketch, interest, keep_trial, take_back, try_card


@large_helper
def judge_trial(view: Any, plan: Any) -> None:
    """Keep what lies on the sketch if it scores more than the best so far, or as much where ties are gathered."""
    wanted = interest(plan, plan.tried)
    if phase_bound(view, plan) < wanted:
        return
    points = most_points(view, plan)
    if points >= wanted:
        keep_trial(plan, points)


@helper
def _most_below(view: Any, plan: Any, metal: int, points: int) -> int:
    """The most points when areas of a metal give so many: theirs, and what they uncover may give."""
    found, above = points, points
    for down in range(metal):
        below = metal - 1 - down
        cards = popcount(top(plan, below)) + view.removals[below + 1] * above
        above = points_within(view, below, cards) if above > 0 else 0
        found += above
    return found


@helper
def _most_of_all(view: Any, plan: Any, metal: int, cards: int) -> int:
    """The most points of any scoring phase when so many cards of a metal are placed."""
    found, above = 0, 0
    for down in range(4):
        each = 3 - down
        there = popcount(top(plan, each)) + (cards if each == metal else 0)
        there += view.removals[each + 1] * above if each < 3 else 0
        above = points_within(view, each, there)
        found += above
    return found


@helper
def _judge_set(view: Any, plan: Any, metal: int, where: Any, chosen: Any, cards: int) -> None:
    """Try the cards chosen."""
    for number in range(cards):
        try_card(view, plan, metal, integer(where[integer(chosen[number])]))
    judge_trial(view, plan)
    for _ in range(cards):
        take_back(plan)


@large_helper
def _try_sets(view: Any, plan: Any, metal: int, most: int) -> None:
    """Try up to `most` cards of one metal in all sets of places.

    With `score_scope` touched a set counts once an area with a card of it is large enough; more cards elsewhere may
    hold the pattern together, or make another area large enough.
    """
    anywhere, all_there = view.score_scope != 0, popcount(top(plan, metal))
    if _most_of_all(view, plan, metal, most) < interest(plan, 1):
        return
    if not anywhere and points_within(view, metal, all_there + most) == 0:
        return
    where, joins = stack_masks(512), stack_masks(512)
    chosen, ends, joined, ripe = stack_masks(16), stack_masks(16), stack_masks(16), stack_masks(16)
    listed = list_places(view, plan, metal, metal, where, joins)
    depth, number, end = 0, 0, listed
    joined[0] = ripe[0] = ZERO
    while True:
        left = most - depth
        if number < end and not anywhere:
            # those that come later join no more cards than this one
            before = popcount(joined[depth])
            more = min(left * popcount(joins[number]), all_there - before)
            points = points_within(view, metal, most + before + more)
            if points == 0 or _most_below(view, plan, metal, points) < interest(plan, depth + 1):
                number = end
        if number == end:
            if depth == 0:
                return
            depth -= 1
            number, end = integer(chosen[depth]) + 1, integer(ends[depth])
            continue
        chosen[depth], ends[depth] = number, end
        ripe[depth + 1], joined[depth + 1] = ripe[depth], joined[depth] | joins[number]
        if anywhere:
            ripe[depth + 1] = ONE
        elif depth + 1 + popcount(joined[depth + 1]) >= view.thresholds[metal] and ripe[depth] == ZERO:
            enough = cards_with(plan, metal, where, joins, chosen, depth) >= view.thresholds[metal]
            ripe[depth + 1] = ONE if enough else ZERO
        if ripe[depth + 1] != ZERO:
            _judge_set(view, plan, metal, where, chosen, depth + 1)
        if left > 1:
            if metal == IRON:
                end = list_opened(view, integer(where[number]), where, joins, listed, end)
            depth += 1
        number += 1


@large_helper
def _try_piles(view: Any, plan: Any, low: int, high: int) -> None:
    """Try cards from one metal up to another, one on the other, on every place."""
    anywhere = view.score_scope != 0
    if not anywhere and points_within(view, high, popcount(top(plan, high)) + 1) == 0:
        return
    where, joins = stack_masks(512), stack_masks(512)
    listed = list_places(view, plan, low, high, where, joins)
    for number in range(listed):
        if not anywhere and 1 + popcount(joins[number]) < view.thresholds[high]:
            return
        place = try_card(view, plan, low, integer(where[number]))
        for metal in range(low + 1, high + 1):
            try_card(view, plan, metal, place)
        judge_trial(view, plan)
        for _ in range(low, high + 1):
            take_back(plan)


@large_helper
def search_turn(view: Any, plan: Any, drawn: int, gather: int) -> int:
    """The most points of this turn, from its first card on; how to get them goes to `plan.steps`.

    `drawn` is the metal of the card turned up, -1 if the hand alone is played. With `gather` = 1 turns that score as
    much go to `plan.tie_steps`.
    """
    begin_sketch(view, plan)
    plan.gather = gather
    plan.best = plan.ties = plan.number = plan.done = plan.nodes = plan.given_up = 0
    for metal in range(4):
        held = view.hand[metal] + (drawn == metal)
        if held == 0 or (drawn >= 0 and drawn != metal):
            continue
        _try_sets(view, plan, metal, held)
        for high in range(metal + 1, 4):
            if view.hand[high] == 0:
                break
            _try_piles(view, plan, metal, high)
    return plan.best
