"""How many cards areas lack until they can be scored, and what that may bring. This only weighs: it is no search."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ZERO, integer, popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_masks
from alchemy_sim.games.metallurgie.areas import spread
from alchemy_sim.games.metallurgie.chain import points_within
from alchemy_sim.games.metallurgie.joins import list_places, meet
from alchemy_sim.games.metallurgie.names import IRON
from alchemy_sim.games.metallurgie.pattern import bit, top
from alchemy_sim.games.metallurgie.weights import Weight


@helper
def _has_room(plan: Any, metal: int, place: int, area: Any, cards: int) -> bool:
    """Whether so many cards of a metal can be laid one beside the other from a place on, with an area between them."""
    if metal == IRON:
        return area != ZERO
    there = top(plan, metal - 1)
    return popcount(spread(plan, bit(place), there | area) & there) >= cards


@helper
def _list_ways(joins: Any, listed: int, ways: Any) -> int:
    """One of the places listed for each set of areas that a card can join, into `ways`; how many they are."""
    number = 0
    for each in range(listed):
        known = False
        for other in range(number):
            known |= joins[integer(ways[other])] == joins[each]
        if not known:
            ways[number] = each
            number += 1
    return number


@large_helper
def note_short(view: Any, plan: Any, metal: int) -> None:
    """How many cards of a metal make an area that can be scored, and what that may be worth, into the plan.

    Areas are joined by one card, by two or three with an area in common, or by two that lie side by side; each card
    more adds one. (A few ways are not seen: this only weighs.)
    """
    need, best, found = view.thresholds[metal], view.full_hand + 2, ZERO
    plan.short[metal], plan.worth[metal] = best, 0.0
    if popcount(top(plan, metal)) + best - 1 < need:
        return
    where, joins, ways = stack_masks(512), stack_masks(512), stack_masks(512)
    listed = list_places(view, plan, metal, metal, where, joins)
    number = _list_ways(joins, listed, ways)
    for one in range(number):
        place, area = integer(where[integer(ways[one])]), joins[integer(ways[one])]
        size = popcount(area)
        if need - 3 * size >= best or best == 1:
            break
        cards = max(1, need - size)
        if cards < best and _has_room(plan, metal, place, area, cards):
            best, found = cards, area
        for two in range(one + 1, number):
            second = joins[integer(ways[two])]
            if need - size - 2 * popcount(second) >= best or best <= 2:
                break
            both = area | second
            cards = max(2, need - popcount(both))
            if cards < best and second & area and _has_room(plan, metal, place, both, cards):
                best, found = cards, both
            for three in range(two + 1, number):
                third = joins[integer(ways[three])]
                if need - popcount(both) - popcount(third) >= best or best <= 3:
                    break
                cards = max(3, need - popcount(both | third))
                if cards < best and second & area and third & both:
                    best, found = cards, both | third
    for one in range(listed):
        size = popcount(joins[one])
        if need - 2 * size >= best or best <= 2:
            break
        for two in range(one + 1, listed):
            if need - size - popcount(joins[two]) >= best or best <= 2:
                break
            both = joins[one] | joins[two]
            cards = max(2, need - popcount(both))
            if cards >= best or joins[one] & joins[two]:
                continue
            place = integer(where[one])
            if meet(plan, metal, place, integer(where[two])) and _has_room(plan, metal, place, both, cards):
                best, found = cards, both
    plan.short[metal] = best
    if best < view.full_hand + 2:
        plan.worth[metal] = _worth(view, plan, metal, found, popcount(found) + best)


@helper
def _worth(view: Any, plan: Any, metal: int, area: Any, cards: int) -> float:
    """What scoring an area of so many cards may bring with what it uncovers; the latter counts by a weight."""
    above = points_within(view, metal, cards) if view.score_again == 0 else 1
    reached, chain = area, view.weights[view.me][Weight.CHAIN]
    found = 1.0 + chain * (above - 1)
    for down in range(metal):
        below = metal - 1 - down
        there = top(plan, below)
        reached = spread(plan, reached, there | reached)
        above = points_within(view, below, popcount(reached & there) + view.removals[below + 1] * above)
        if above == 0:
            break
        found += chain * above
    return found


@large_helper
def _pile_completes(view: Any, plan: Any, high: int) -> bool:
    """Whether a card of a metal and the one below it, laid on one place, complete an area."""
    if high == IRON or popcount(top(plan, high)) + 1 < view.thresholds[high]:
        return False
    where, joins = stack_masks(512), stack_masks(512)
    listed = list_places(view, plan, high - 1, high, where, joins)
    return listed > 0 and 1 + popcount(joins[0]) >= view.thresholds[high]


@helper
def note_shortage(view: Any, plan: Any, metal: int) -> None:
    """What areas of a metal lack on the sketch."""
    note_short(view, plan, metal)
    plan.pile[metal] = 1 if plan.short[metal] > 1 and _pile_completes(view, plan, metal) else 0
