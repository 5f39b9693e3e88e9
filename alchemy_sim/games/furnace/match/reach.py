"""What the hand can still bring in a turn: a bound for the search, from masks (Furnace 4).

Once a turn it is worked out which cards can stand in any meld at all: those that need no wild card beyond the hand's
Trumps (`free`), and those that need a Joker (`needy`). A card can be played in zones: Runs of a family, Triads of a
place. What the search has excluded leaves zones without any play, and cards of such zones count no more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.furnace.match.aims import Aim, cards_left, points_needed
from alchemy_sim.games.furnace.match.board import (
    SUITS,
    Meld,
    Play,
    bit,
    highest_position,
    kind_of,
    lowest_position,
    meld_of,
    place_at,
    position_of,
    run_family,
    run_low,
    triad_place,
    value_at,
)
from alchemy_sim.games.furnace.match.options import families_of, positions_of
from alchemy_sim.games.furnace.match.plays import families_in_triads
from alchemy_sim.games.furnace.names import RANK_COUNT, TRUMP

#: Zones as bits: Runs of six families, Triads of fourteen places; and a play that may open any (a card taken).
TRIADS_AT, ANY_AT = SUITS, SUITS + RANK_COUNT
ANY = (1 << (ANY_AT + 1)) - 1
_FAMILIES, _PLACES = (1 << SUITS) - 1, (1 << RANK_COUNT) - 1
#: What a card taken from a layout brings at most, and the value of the highest cards.
HIGHEST_VALUE = 11
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
def _reach_runs(view: Any, plan: Any, start: Any, family: int, spare: int) -> None:
    """Places of a family that can stand in Runs: without a Joker (`free`), or with (`needy`)."""
    natural = positions_of(view, start.held[family])
    there = natural | positions_of(view, start.held[TRUMP])
    free, needy = ZERO, ZERO
    for low in range(lowest_position(view), highest_position(view) - 1):
        window = (there >> np.uint64(low)) & _THREE
        missing = 3 - popcount(window)
        if missing == 0:
            free |= _THREE << np.uint64(low)
        elif missing <= min(spare, 2):
            needy |= window << np.uint64(low)
    for meld in range(start.melds):
        if start.kind[meld] == Meld.RUN and integer(start.family[meld]) == family:
            low, high = integer(start.low[meld]), integer(start.high[meld])
            free |= chained(view, there, high + 1, 1, 0) | chained(view, there, low - 1, -1, 0)
            if spare > 0:
                needy |= chained(view, there, high + 1, 1, spare) | chained(view, there, low - 1, -1, spare)
    plan.free_runs[family] = places_of(view, free & there)
    plan.needy_runs[family] = places_of(view, needy & there) & ~plan.free_runs[family]


@helper
def _reach_triads(view: Any, plan: Any, start: Any, spare: int) -> None:
    """Places whose cards can stand in Triads."""
    plan.free_triads = plan.needy_triads = ZERO
    if families_in_triads(view) < 3:
        return
    for place in range(view.ranks):
        number = popcount(families_of(start, place))
        if number >= 3:
            plan.free_triads |= bit(place)
        elif number > 0 and number + min(spare, 2) >= 3:
            plan.needy_triads |= bit(place)
    for meld in range(start.melds):
        if start.kind[meld] == Meld.TRIAD:
            size = popcount(np.uint64(start.reals[meld])) + integer(start.wild[meld])
            if size < families_in_triads(view):
                plan.free_triads |= bit(integer(start.family[meld]))
    plan.needy_triads &= ~plan.free_triads


@helper
def _takers(view: Any, start: Any, family: int) -> Any:
    """Places of a family's cards in the hand that can take a wild card."""
    found = ZERO
    for meld in range(start.melds):
        wild = np.uint64(start.wild[meld])
        if start.kind[meld] == Meld.TRIAD:
            if family < TRUMP and (wild != ZERO or np.uint64(start.reals[meld]) & bit(TRUMP)):
                found |= bit(integer(start.family[meld]))
        elif integer(start.family[meld]) == family:
            found |= places_of(view, wild | np.uint64(start.trumps[meld]))
    return found & start.held[family]


@helper
def note_reach(view: Any, plan: Any, start: Any) -> None:
    """Work out, once a turn, what can be played at all.

    Cards that can take a wild one count as Jokers here: what they take may stand for any card, or nearly.
    """
    number = 0
    for family in range(SUITS):
        plan.takers[family] = _takers(view, start, family)
        number += popcount(plan.takers[family])
    spare = start.jokers + number
    for family in range(SUITS):
        plan.free_runs[family] = plan.needy_runs[family] = ZERO
        if family < view.families or (family == TRUMP and view.trumps):
            _reach_runs(view, plan, start, family, spare)
    _reach_triads(view, plan, start, spare)


@helper
def zone_of(board: Any, code: int) -> int:
    """The zone of a play, as a mask."""
    kind = kind_of(code)
    if kind == Play.RUN:
        return 1 << run_family(code)
    if kind == Play.TRIAD:
        return 1 << (TRIADS_AT + triad_place(code))
    if kind == Play.RETRIEVE:
        return ANY
    meld = meld_of(code)
    family = integer(board.family[meld])
    return 1 << family if board.kind[meld] == Meld.RUN else 1 << (TRIADS_AT + family)


@helper
def _highest_value(view: Any, there: Any, start: int, step: int, jokers: int) -> int:
    """The most that a Joker can count in a Run that grows from a position in one direction."""
    reached, best = chained(view, there, start, step, jokers), 0
    while reached != ZERO:
        best = max(best, value_at(view, place_at(view.ranks, lowest(reached))))
        reached &= reached - ONE
    return best


@helper
def joker_value(view: Any, board: Any, code: int) -> int:
    """The most that a Joker can count, at this play or at one that it opens."""
    kind, jokers = kind_of(code), board.jokers
    if jokers == 0 and kind != Play.RETRIEVE:
        return 0
    if kind == Play.RETRIEVE:
        return HIGHEST_VALUE
    if kind == Play.TRIAD:
        return value_at(view, triad_place(code))
    if kind == Play.RUN:
        family, low = run_family(code), run_low(code)
        there = positions_of(view, board.held[family] | board.held[TRUMP])
        up = _highest_value(view, there, low, 1, jokers + 3)
        return max(up, _highest_value(view, there, low + 2, -1, jokers + 3))
    meld, position = meld_of(code), position_of(code)
    family = integer(board.family[meld])
    if board.kind[meld] == Meld.TRIAD:
        return value_at(view, family)
    there = positions_of(view, board.held[family] | board.held[TRUMP])
    step = 1 if position > board.high[meld] else -1
    return _highest_value(view, there, position, step, jokers)


@helper
def potential(view: Any, plan: Any, board: Any, zones: int, joker: int) -> Any:
    """The most points that the hand can bring where only plays of these zones are left, and the most cards.

    `joker` is what one can count. A Joker helps the needy cards of one zone at most.
    """
    families, places = zones & _FAMILIES, np.uint64(zones >> TRIADS_AT & _PLACES)
    free_triads, needy_triads = plan.free_triads & places, plan.needy_triads & places
    taken = 0
    if zones >> ANY_AT & 1:
        for family in range(SUITS):
            taken += popcount(plan.takers[family] & board.held[family])
    spare = board.jokers + taken
    trumps, held_trumps = free_triads, board.held[TRUMP]
    for family in range(SUITS):
        if families >> family & 1:
            trumps |= plan.free_runs[family]
    trumps &= held_trumps
    points, cards = value_sum(view, trumps), popcount(trumps)
    most, second, third, rest = 0, 0, 0, 0
    for family in range(SUITS):
        alive = families >> family & 1
        held = board.held[family]
        free = free_triads | plan.free_runs[family] if alive else free_triads
        if family < TRUMP:
            points += value_sum(view, held & free)
            cards += popcount(held & free)
        if spare > 0 and alive:
            needy = plan.needy_runs[family]
            own = held & needy & ~free if family < TRUMP else ZERO
            helped = held_trumps & needy & ~trumps
            if own | helped:
                cards += popcount(own) + popcount(helped)
                total = value_sum(view, own) + value_sum(view, helped)
                if total > most:
                    most, second, third, rest = total, most, second, rest + third
                elif total > second:
                    second, third, rest = total, second, rest + third
                elif total > third:
                    third, rest = total, rest + third
                else:
                    rest += total
    if spare > 0:
        while needy_triads != ZERO:
            place = lowest(needy_triads)
            needy_triads &= needy_triads - ONE
            number = popcount(families_of(board, place))
            if number > 0:
                cards += number
                total = number * value_at(view, place)
                if total > most:
                    most, second, third, rest = total, most, second, rest + third
                elif total > second:
                    second, third, rest = total, second, rest + third
                elif total > third:
                    third, rest = total, rest + third
                else:
                    rest += total
        points += most
        if spare > 1:
            points += second
        if spare > 2:
            points += third
        if spare > 3:
            points += rest
    points += board.jokers * joker + taken * HIGHEST_VALUE
    return points, cards + spare


@helper
def bound(view: Any, start: Any, board: Any, me: int, aim: Any, zones: int, joker: int) -> float:
    """No less than the worth of any board that can still be reached by plays of these zones."""
    points, cards = potential(view, view.plan, board, zones, joker)
    gained, needed = board.points[me] - start.points[me], points_needed(view, start, me)
    odd, purse, given = 0, board.bag, 0
    for seat in range(view.players):
        odd += board.extended[seat] & 1
        if seat != me:
            purse += board.stones[seat]
            given += board.points[seat] - start.points[seat]
    total = aim[Aim.POINTS] * gained + max(aim[Aim.POINTS], aim[Aim.GIVEN], 0.0) * points
    total += aim[Aim.NEEDED] * min(gained, needed) + max(aim[Aim.NEEDED], 0.0) * max(min(points, needed - gained), 0)
    if gained >= needed:
        total += aim[Aim.QUALIFIED]
    elif gained + points >= needed:
        total += max(aim[Aim.QUALIFIED], 0.0)
    total += aim[Aim.STONES] * (board.from_bag + board.from_others)
    total += max(aim[Aim.STONES], 0.0) * min((cards + odd) // 2, purse)
    total += aim[Aim.CARDS] * cards_left(board) + max(-aim[Aim.CARDS], 0.0) * cards
    return total + aim[Aim.GIVEN] * given
