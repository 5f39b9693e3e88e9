"""The most points of a scoring phase, worked out on the sketch of a plan (Metallurgie 2.3)."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest, popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_masks
from alchemy_sim.games.metallurgie.areas import area_of, behind, counts, kth_taking, mark_scored, may_take, spread
from alchemy_sim.games.metallurgie.names import IRON
from alchemy_sim.games.metallurgie.pattern import top

#: Sets of cards to take away that are looked at in one turn; hardly a turn of the default rules needs a hundred.
MOST_NODES = 200_000
#: Areas scored one after the other that are looked at.
MOST_CHAIN = 64


@helper
def points_within(view: Any, metal: int, cards: int) -> int:
    """The most points that areas of a metal give that have so many cards together.

    One area gives no fewer than two of its size together, for removals never exceed thresholds.
    """
    more = cards - view.thresholds[metal]
    return 0 if more < 0 else 1 + more // view.removals[metal]


@large_helper
def phase_bound(view: Any, plan: Any) -> int:
    """No scoring phase from the sketch gives more points than this.

    From gold to iron: the cards connected with those that count, and those that scorings above may uncover.
    """
    found, above, uncovered = 0, 0, ZERO
    for down in range(4):
        metal = 3 - down
        there = top(plan, metal)
        within = starts = there | uncovered
        if view.score_scope == 0:
            starts = (there & plan.touched) | uncovered
        points, reached = 0, ZERO
        while starts != ZERO:
            area = spread(plan, starts & (~starts + ONE), within)
            starts &= ~area
            cards = popcount(area & there)
            if above > 0:
                cards += min(popcount(area & uncovered), view.removals[metal + 1] * above)
            if cards >= view.thresholds[metal]:
                points += points_within(view, metal, cards)
                reached |= area
        found += points
        above, uncovered = points, reached
    return found


@helper
def _next_set(area: Any, taken: Any) -> Any:
    """The next set of as many places of an area, in the order of masks; none after the last (Gosper's hack)."""
    carried = ((taken | ~area) + (taken & (~taken + ONE))) & area
    if carried <= taken:
        return ZERO
    missing, left = popcount(taken) - popcount(carried), area
    for _ in range(missing):
        carried |= left & (~left + ONE)
        left &= left - ONE
    return carried


@helper
def _first_set(area: Any, number: int) -> Any:
    taken, left = ZERO, area
    for _ in range(number):
        taken |= left & (~left + ONE)
        left &= left - ONE
    return taken


@helper
def _next_area(view: Any, plan: Any, metal: int, left: Any) -> Any:
    """The first area among the places `left` of a metal that is large enough and counts; none if there is none."""
    while popcount(left) >= view.thresholds[metal]:
        area = area_of(plan, metal, lowest(left))
        left &= ~area
        if counts(view, plan, metal, area):
            return area
    return ZERO


@large_helper
def most_points(view: Any, plan: Any) -> int:
    """The most points of the scoring phase on the sketch; `plan.taking` is what to take first, 0 for nothing.

    Every order of areas and every set of cards is tried, depth first, until the bound is reached. (A stack of its own:
    compiled functions that call each other in a ring can't be kept in the cache.)
    """
    bounds, bests, metals = stack_masks(64), stack_masks(64), stack_masks(64)
    lefts, areas, takens = stack_masks(64), stack_masks(64), stack_masks(64)
    touched, spent = stack_masks(64), stack_masks(64)
    depth, entering = 0, True
    plan.taking = ZERO
    while True:
        if entering:
            bound = phase_bound(view, plan) if depth + 1 < MOST_CHAIN else 0
            bounds[depth], bests[depth], metals[depth] = bound, 0, 3
            lefts[depth], areas[depth] = top(plan, 3), ZERO
            entering = False
        metal, done = integer(metals[depth]), bests[depth] >= bounds[depth]
        number = view.removals[metal]
        if not done and areas[depth] != ZERO:
            takens[depth] = _next_set(areas[depth], takens[depth])
            if takens[depth] == ZERO:
                areas[depth] = ZERO
        if not done and areas[depth] == ZERO:
            area = _next_area(view, plan, metal, lefts[depth])
            while area == ZERO and metal > 0:
                metal -= 1
                lefts[depth] = top(plan, metal)
                area = _next_area(view, plan, metal, lefts[depth])
            metals[depth], areas[depth], number = metal, area, view.removals[metal]
            lefts[depth] = behind(lefts[depth], area)
            takens[depth] = _first_set(area, number)
            done = area == ZERO
        if plan.nodes >= MOST_NODES:
            plan.given_up, done = 1, True
        if done:
            if depth == 0:
                return integer(bests[0])
            depth -= 1
            metal = integer(metals[depth])
            plan.layer[metal] |= takens[depth]
            plan.touched, plan.spent = touched[depth], spent[depth]
            if bests[depth] < bests[depth + 1] + ONE:
                bests[depth] = bests[depth + 1] + ONE
                plan.taking = takens[depth] if depth == 0 else plan.taking
            continue
        if bounds[depth] == ONE:
            # nothing can follow, so any set will do
            if metal == IRON:
                takens[depth] = kth_taking(plan, areas[depth], number, 0)
            if takens[depth] != ZERO:
                bests[depth] = ONE
                plan.taking = takens[depth] if depth == 0 else plan.taking
            areas[depth] = ZERO
            continue
        plan.nodes += 1
        if may_take(plan, metal, takens[depth]):
            touched[depth], spent[depth] = plan.touched, plan.spent
            plan.layer[metal] &= ~takens[depth]
            mark_scored(view, plan, plan.layer[IRON], areas[depth], takens[depth])
            depth, entering = depth + 1, True
