"""What the hand can still bring in a turn, worked out once: which cards can stand in any meld at all (Furnace 4).

Those that need no wild card beyond the hand's Trumps, and those that a layout's Trump may help, are `free`; others need
a Joker, or more. Cards that can take a wild one from a layout count as bringing it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.furnace.match.board import (
    SUITS,
    Meld,
    bit,
    highest_position,
    lowest_position,
    place_at,
    value_at,
)
from alchemy_sim.games.furnace.match.options import families_of, positions_of
from alchemy_sim.games.furnace.match.plays import families_in_triads
from alchemy_sim.games.furnace.names import TRUMP

_THREE = np.uint64(7)


@helper
def value_sum(view: Any, places: Any) -> int:
    """Points of a set of places."""
    total = 0
    for place in range(4):
        total += popcount(places & view.value_bits[place]) << place
    return total


@helper
def places_of(view: Any, positions: Any) -> Any:
    """Positions of a Run as places."""
    top = bit(view.ranks - 1)
    places = positions >> ONE
    return places | top if positions & ONE else places


@helper
def chained(view: Any, there: Any, start: int, step: int, spare: int) -> Any:
    """Positions that a Run can grow over from one, in one direction, with so many Jokers in the gaps."""
    found, missing, at = ZERO, 0, start
    while lowest_position(view) <= at <= highest_position(view):
        if there & bit(at) == ZERO:
            missing += 1
            if missing > spare:
                break
        found |= bit(at)
        at += step
    return found


@helper
def _segment_sum(view: Any, there: Any, wanted: Any, ends: Any, joker: int) -> int:
    """Points of the wanted cards of a family that a Joker at one position brings into a Run, or none."""
    found = chained(view, there, joker + 1, 1, 0) | chained(view, there, joker - 1, -1, 0)
    whole = found | bit(joker)
    if popcount(whole) < 3 and not whole & ends:
        return 0
    return value_sum(view, places_of(view, found) & wanted)


@helper
def most_value(view: Any, positions: Any) -> int:
    """The most that a card at one of these positions counts, 0 if there is none."""
    best = 0
    for position in range(lowest_position(view), highest_position(view) + 1):
        if positions & bit(position):
            best = max(best, value_at(view, place_at(view.ranks, position)))
    return best


@helper
def _reach_runs(view: Any, plan: Any, start: Any, family: int, trumps: Any, spare: int) -> None:
    """Places of a family that can stand in Runs: without a Joker (`free`), with one, or with more."""
    there = positions_of(view, trumps if family == TRUMP else start.held[family] | trumps)
    free, one, more, ends = ZERO, ZERO, ZERO, ZERO
    for low in range(lowest_position(view), highest_position(view) - 1):
        window = (there >> np.uint64(low)) & _THREE
        missing = 3 - popcount(window)
        if missing == 0:
            free |= _THREE << np.uint64(low)
        elif missing == 1:
            one |= window << np.uint64(low)
        elif missing == 2:
            more |= window << np.uint64(low)
    for meld in range(start.melds):
        if start.kind[meld] == Meld.RUN and integer(start.family[meld]) == family:
            low, high = integer(start.low[meld]), integer(start.high[meld])
            free |= chained(view, there, high + 1, 1, 0) | chained(view, there, low - 1, -1, 0)
            one |= chained(view, there, high + 1, 1, 1) | chained(view, there, low - 1, -1, 1)
            more |= chained(view, there, high + 1, 1, spare) | chained(view, there, low - 1, -1, spare)
            ends |= bit(high + 1)
            if low > 0:
                ends |= bit(low - 1)
    near = there | ends
    plan.joker_value[family] = most_value(view, near | near << ONE | near >> ONE)
    for _ in range(min(spare, 3)):
        near |= near << ONE | near >> ONE
    plan.jokers_value[family] = most_value(view, near)
    plan.free_runs[family] = places_of(view, free & there)
    if spare == 0:
        one = ZERO
    if spare < 2:
        more = ZERO
    plan.one_joker[family] = places_of(view, one & there) & ~plan.free_runs[family]
    plan.more_jokers[family] = places_of(view, (one | more) & there) & ~plan.free_runs[family]
    plan.best_joker[family] = 0
    if plan.one_joker[family] != ZERO:
        best = 0
        for joker in range(lowest_position(view), highest_position(view) + 1):
            best = max(best, _segment_sum(view, there, plan.one_joker[family], ends, joker))
        plan.best_joker[family] = best


@helper
def _reach_triads(view: Any, plan: Any, start: Any, trumps: Any, spare: int) -> None:
    """Places whose cards can stand in Triads: without a Joker, with one, or with two."""
    plan.free_triads = plan.triads_of_two = plan.triads_of_one = ZERO
    if families_in_triads(view) < 3:
        return
    for place in range(view.ranks):
        number = popcount(families_of(start, place) & ~bit(TRUMP)) + (trumps & bit(place) != ZERO)
        if number >= 3:
            plan.free_triads |= bit(place)
        elif number == 2 and spare > 0:
            plan.triads_of_two |= bit(place)
        elif number == 1 and spare > 1:
            plan.triads_of_one |= bit(place)
    for meld in range(start.melds):
        if start.kind[meld] == Meld.TRIAD:
            size = popcount(np.uint64(start.reals[meld])) + integer(start.wild[meld])
            if size < families_in_triads(view):
                plan.free_triads |= bit(integer(start.family[meld]))
    plan.triads_of_two &= ~plan.free_triads
    plan.triads_of_one &= ~plan.free_triads


@helper
def _note_takers(view: Any, plan: Any, start: Any) -> None:
    """By family: places of the hand's cards that can take a Joker, or a Trump; and how many Jokers can be taken.

    The Trump has the place of the card that takes it.
    """
    plan.jokers_there = 0
    for family in range(SUITS):
        plan.take_joker[family] = plan.take_trump[family] = ZERO
    for meld in range(start.melds):
        wild, family = np.uint64(start.wild[meld]), integer(start.family[meld])
        if start.kind[meld] == Meld.RUN:
            jokers = places_of(view, wild) & start.held[family]
            plan.jokers_there += popcount(jokers)
            plan.take_joker[family] |= jokers
            plan.take_trump[family] |= places_of(view, np.uint64(start.trumps[meld])) & start.held[family]
            continue
        reals = np.uint64(start.reals[meld])
        fitting = families_of(start, family) & ~reals & ~bit(TRUMP)
        plan.jokers_there += min(popcount(fitting), integer(wild))
        for each in range(TRUMP):
            if fitting & bit(each):
                if wild:
                    plan.take_joker[each] |= bit(family)
                if reals & bit(TRUMP):
                    plan.take_trump[each] |= bit(family)


@helper
def note_reach(view: Any, plan: Any, start: Any) -> None:
    """Work out, once a turn, what can be played at all, with the wild cards that can be taken from layouts."""
    _note_takers(view, plan, start)
    trumps = start.held[TRUMP]
    for family in range(SUITS):
        trumps |= plan.take_trump[family]
    plan.trumps_there = trumps
    spare = start.jokers + plan.jokers_there
    for family in range(SUITS):
        plan.free_runs[family] = plan.one_joker[family] = plan.more_jokers[family] = ZERO
        if family < view.families or (family == TRUMP and view.trumps):
            _reach_runs(view, plan, start, family, trumps, spare)
    _reach_triads(view, plan, start, trumps, spare)
