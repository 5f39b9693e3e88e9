"""Where cards of a metal can go on a sketch, and which cards of it would lie together there."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest, popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_masks
from alchemy_sim.games.metallurgie.areas import spread
from alchemy_sim.games.metallurgie.names import IRON
from alchemy_sim.games.metallurgie.pattern import beside, bit, spot_of, top
from alchemy_sim.games.metallurgie.plan import are_beside, near_spot, was_tried

#: Spots and places that are listed at most: the free ones, and those opened by irons of the turn.
_ROOM = 512


@large_helper
def list_areas(plan: Any, metal: int, areas: Any) -> int:
    """The areas of a metal, into `areas` (room for 64 masks); how many they are."""
    left, number = top(plan, metal), 0
    while left != ZERO:
        areas[number] = spread(plan, left & (~left + ONE), left)
        left &= ~areas[number]
        number += 1
    return number


@large_helper
def joined_by(near: Any, areas: Any, number: int) -> Any:
    """The places of the areas that a card joins which lies next to these places."""
    joined = ZERO
    for which in range(number):
        if areas[which] & near:
            joined |= areas[which]
    return joined


@helper
def _sort_in(where: Any, joins: Any, found: int, here: int, joined: Any) -> None:
    """Add a place, and what it joins, to those found, which stay sorted."""
    at, cards = found, popcount(joined)
    while at > 0 and popcount(joins[at - 1]) < cards:
        where[at], joins[at] = where[at - 1], joins[at - 1]
        at -= 1
    where[at], joins[at] = here, joined


@helper
def list_places(view: Any, plan: Any, metal: int, joined: int, where: Any, joins: Any) -> int:
    """Where a card of a metal can be placed now, and the places of the areas of another (or its own) that it lies next
    to there, those with most first; how many they are.
    """
    areas, pattern, found = stack_masks(64), view.pattern, 0
    number = list_areas(plan, joined, areas)
    if metal == IRON:
        for free in range(pattern.free):
            spot = spot_of(integer(pattern.free_q[free]), integer(pattern.free_r[free]))
            near = pattern.free_near[free]
            if plan.tried > 0:
                if was_tried(plan, spot):
                    continue
                near = near_spot(view, plan, spot)
            _sort_in(where, joins, found, spot, joined_by(near, areas, number))
            found += 1
        return found
    left = top(plan, metal - 1)
    while left != ZERO:
        place = lowest(left)
        left &= left - ONE
        _sort_in(where, joins, found, place, joined_by(plan.near[place], areas, number))
        found += 1
    return found


@helper
def list_opened(view: Any, spot: int, where: Any, joins: Any, listed: int, end: int) -> int:
    """Add the empty spots that an iron on `spot` opens to those listed; how many they are then."""
    for way in range(6):
        opened = spot + beside(way)
        known = view.pattern.grid[opened] != 0
        for number in range(listed, end):
            known |= integer(where[number]) == opened
        if not known and end < _ROOM:
            where[end], joins[end] = opened, ZERO
            end += 1
    return end


@helper
def _meet(plan: Any, metal: int, one: int, other: int) -> bool:
    """Whether two places, or two spots for irons, are neighbours."""
    if metal == IRON:
        return are_beside(one, other)
    return plan.near[one] & bit(other) != ZERO


@helper
def cards_with(plan: Any, metal: int, where: Any, joins: Any, chosen: Any, depth: int) -> int:
    """How many cards the area has that the last of the cards chosen lies in, the one at this depth."""
    group, together, before = ONE << np.uint64(depth), joins[integer(chosen[depth])], ZERO
    while group != before:
        before = group
        for other in range(depth):
            card = integer(chosen[other])
            if group & bit(other):
                continue
            meets = joins[card] & together != ZERO
            for each in range(depth + 1):
                if group & bit(each) and not meets:
                    meets = _meet(plan, metal, integer(where[card]), integer(where[integer(chosen[each])]))
            if meets:
                group |= bit(other)
                together |= joins[card]
    return popcount(group) + popcount(together)
