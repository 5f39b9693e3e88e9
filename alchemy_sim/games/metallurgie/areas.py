"""Areas of one metal, and what may be taken from them (Metallurgie 2.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, lowest, popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_masks
from alchemy_sim.games.metallurgie.names import IRON
from alchemy_sim.games.metallurgie.pattern import bit, top


@helper
def spread(pattern: Any, start: Any, within: Any) -> Any:
    """The places of `within` that are connected with those of `start`, these included (flood fill)."""
    found, left = start, start
    while left != ZERO:
        place = lowest(left)
        left &= left - ONE
        new = pattern.near[place] & within & ~found
        found |= new
        left |= new
    return found


@helper
def area_of(pattern: Any, metal: int, place: int) -> Any:
    """The area that a place belongs to, on which a card of this metal lies on top."""
    return spread(pattern, bit(place), top(pattern, metal))


@helper
def metal_of(pattern: Any, taken: Any) -> int:
    """The metal on top at all these places, -1 if they differ or are empty."""
    if taken == ZERO:
        return -1
    for metal in range(4):
        if not taken & ~top(pattern, metal):
            return metal
    return -1


@helper
def is_whole(pattern: Any, places: Any) -> bool:
    """Whether a set of places is connected, or empty."""
    return places == ZERO or spread(pattern, places & (~places + ONE), places) == places


@helper
def _peels(pattern: Any, area: Any, number: int) -> bool:
    """Whether so many irons can be taken one after the other, the pattern whole all the time: mostly they can."""
    rest, left, taken = pattern.layer[IRON], area, 0
    while left != ZERO and taken < number:
        place = left & (~left + ONE)
        left ^= place
        if is_whole(pattern, rest & ~place):
            rest ^= place
            taken += 1
            left = area & rest  # what had to stay before may go now
    return taken == number


@large_helper
def kth_taking(pattern: Any, area: Any, number: int, k: int) -> Any:
    """The k-th set of so many irons of an area without which the pattern is whole; k = -1 counts them.

    Sets are tried place by place, taken or left. A branch ends when the places left there and those outside the area
    are not connected any more by what may still be left.
    """
    stack = stack_masks(195)  # taken, left, undecided, at every step
    outside = pattern.layer[IRON] & ~area
    stack[0], stack[1], stack[2] = ZERO, ZERO, area
    depth, count = 0, 0
    while depth >= 0:
        taken, kept, open_places = stack[3 * depth], stack[3 * depth + 1], stack[3 * depth + 2]
        depth -= 1
        missing = number - popcount(taken)
        if missing > popcount(open_places):
            continue
        must = outside | kept
        if missing == 0:
            must |= open_places
        if must != ZERO:
            reached = spread(pattern, must & (~must + ONE), must | open_places)
            if must & ~reached:
                continue
        if missing == 0:
            if count == k:
                return taken
            count += 1
            continue
        place = open_places & (~open_places + ONE)
        depth += 1
        stack[3 * depth], stack[3 * depth + 1], stack[3 * depth + 2] = taken, kept | place, open_places ^ place
        depth += 1
        stack[3 * depth], stack[3 * depth + 1], stack[3 * depth + 2] = taken | place, kept, open_places ^ place
    return np.uint64(count) if k < 0 else ZERO


@helper
def can_take(pattern: Any, metal: int, area: Any, number: int) -> bool:
    """Whether an area has a set of so many cards that may be taken (iron: without splitting the pattern)."""
    if metal != IRON:
        return popcount(area) >= number
    return _peels(pattern, area, number) or kth_taking(pattern, area, number, 0) != ZERO


@helper
def may_take(pattern: Any, metal: int, taken: Any) -> bool:
    """Whether taking these cards of an area leaves the pattern whole."""
    return metal != IRON or is_whole(pattern, pattern.layer[IRON] & ~taken)


@helper
def mark_scored(view: Any, where: Any, irons: Any, area: Any, taken: Any) -> None:
    """What scoring an area leaves behind in `touched` and `spent` of `where`; `irons` are the places left."""
    uncovered = taken & irons
    where.touched = (where.touched | uncovered) & irons
    where.spent &= irons
    if view.score_again == 0:
        where.touched |= area & ~taken
    else:
        where.spent = (where.spent & ~uncovered) | (area & ~taken)


@helper
def counts(view: Any, where: Any, metal: int, area: Any) -> bool:
    """Whether an area is large enough, and `touched` and `spent` of `where` let it be scored."""
    if popcount(area) < view.thresholds[metal] or area & where.spent:
        return False
    return view.score_scope != 0 or area & where.touched != ZERO


@helper
def may_score(view: Any, metal: int, area: Any) -> bool:
    """Whether an area may be scored now: its size, `score_scope`, `score_again`, and a choice of cards."""
    return counts(view, view, metal, area) and can_take(view.pattern, metal, area, view.removals[metal])


@helper
def next_area(view: Any, metal: int, left: Any) -> Any:
    """The first area of a metal, among the places `left`, that may be scored; none if there is none."""
    while popcount(left) >= view.thresholds[metal]:
        area = area_of(view.pattern, metal, lowest(left))
        left &= ~area
        if may_score(view, metal, area):
            return area
    return ZERO


@helper
def behind(left: Any, area: Any) -> Any:
    """What is left to look at behind an area that was found: places above its lowest, without its own."""
    return ZERO if area == ZERO else left & ~area & ~((area & (~area + ONE)) - ONE)


@helper
def anything_to_score(view: Any) -> bool:
    """Whether any area may be scored now."""
    for metal in range(4):
        if next_area(view, metal, top(view.pattern, metal)) != ZERO:
            return True
    return False
