"""What the plays that are left can still bring: a bound for the search, from the masks of `reach` (Furnace 4).

A card can be played in zones: Runs of a family, Triads of a place. What the search has excluded leaves zones without
any play, and cards of such zones count no more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.furnace.match.aims import Aim, points_needed
from alchemy_sim.games.furnace.match.board import (
    SUITS,
    Meld,
    Play,
    bit,
    kind_of,
    meld_of,
    position_of,
    run_family,
    run_low,
    triad_place,
    value_at,
)
from alchemy_sim.games.furnace.match.options import families_of, positions_of
from alchemy_sim.games.furnace.match.reach import chained, most_value, value_sum
from alchemy_sim.games.furnace.names import RANK_COUNT, TRUMP

#: Zones as bits: Runs of six families, Triads of fourteen places; and a play that may open any (a card taken).
TRIADS_AT, ANY_AT = SUITS, SUITS + RANK_COUNT
ANY = (1 << (ANY_AT + 1)) - 1
_FAMILIES, _PLACES = (1 << SUITS) - 1, (1 << RANK_COUNT) - 1
#: What a card taken from a layout brings at most, and the value of the highest cards.
HIGHEST_VALUE = 11


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
def joker_value(view: Any, board: Any, code: int) -> int:
    """The most that a Joker, held or still to be taken, can count at this play or at one that it opens."""
    kind, jokers = kind_of(code), board.jokers + view.plan.jokers_there
    if jokers == 0:
        return 0
    if kind == Play.RETRIEVE:
        return HIGHEST_VALUE
    if kind == Play.TRIAD:
        return value_at(view, triad_place(code))
    meld = meld_of(code)
    family = run_family(code) if kind == Play.RUN else integer(board.family[meld])
    if kind == Play.EXTEND and board.kind[meld] == Meld.TRIAD:
        return value_at(view, family)
    there = positions_of(view, board.held[family] | board.held[TRUMP] | view.plan.trumps_there)
    if kind == Play.RUN:
        low, spare = run_low(code), jokers + 3
        return most_value(view, chained(view, there, low, 1, spare) | chained(view, there, low + 2, -1, spare))
    position = position_of(code)
    return most_value(view, chained(view, there, position, 1 if position > board.high[meld] else -1, jokers))


@helper
def potential(view: Any, plan: Any, board: Any, zones: int, joker: int, helped: int) -> Any:
    """The most points that the hand can bring where only plays of these zones are left, and the most cards.

    `joker` is what one can count. A Joker helps cards of one zone; in the zones `helped` one was laid in this turn.
    """
    families, places = zones & _FAMILIES, np.uint64(zones >> TRIADS_AT & _PLACES)
    free_triads = plan.free_triads & places
    held_trumps, extra, taken = board.held[TRUMP], ZERO, 0
    trumps = free_triads
    for family in range(SUITS):
        if families >> family & 1:
            trumps |= plan.free_runs[family]
    if zones >> ANY_AT & 1:
        counted = ZERO
        for family in range(SUITS):
            taken += popcount(plan.take_joker[family] & board.held[family])
            takes = plan.take_trump[family] & board.held[family]
            extra |= takes
            counted |= takes & (plan.free_runs[family] | free_triads)
        taken = min(taken, plan.jokers_there)
        # a card that can be played itself brings no more by taking the Trump of its own place
        held_trumps, extra = held_trumps | extra, extra & ~counted & ~held_trumps
    free_trumps = trumps & (board.held[TRUMP] | extra)
    points, cards = value_sum(view, free_trumps), popcount(free_trumps)
    for family in range(TRUMP):
        free = board.held[family] & (free_triads | plan.free_runs[family] if families >> family & 1 else free_triads)
        points += value_sum(view, free)
        cards += popcount(free)
    spare = board.jokers + taken
    if spare > 0 or helped & zones:
        more, number = _helped(view, plan, board, zones, held_trumps & ~trumps, spare, helped, joker)
        points += more
        cards += number + spare
    return points, cards


@helper
def _helped(view: Any, plan: Any, board: Any, zones: int, trumps: Any, spare: int, helped: int, joker: int) -> Any:
    """The most points of Jokers, `spare` of them, and of cards that need them; and the most such cards.

    Two Jokers help one zone each, or both the same, where they also help what needs two. A Trump is counted once, not
    in each of the zones where it could stand.
    """
    families, places = zones & _FAMILIES, np.uint64(zones >> TRIADS_AT & _PLACES)
    first, second, third, both, every, most, sure = 0, 0, 0, 0, 0, 0, 0
    cards_one, cards_two, cards_both, cards, cards_sure = 0, 0, 0, 0, 0
    free_triads, wild = plan.free_triads & places, ZERO
    for family in range(SUITS):
        if not families >> family & 1:
            continue
        laid = helped >> family & 1
        held = board.held[family] & ~free_triads if family < TRUMP else ZERO
        mask = plan.one_joker[family]
        one, number = min(value_sum(view, held & mask), plan.best_joker[family]), popcount(held & mask)
        more, many = one, number
        if spare > 1 or laid:
            mask = plan.more_jokers[family]
            more, many = value_sum(view, held & mask), popcount(held & mask)
        wild |= trumps & mask
        if laid:
            sure, cards_sure, one, more, number, many = sure + more, cards_sure + many, 0, 0, 0, 0
        double = min(plan.jokers_value[family], joker)
        single = double if laid else min(plan.joker_value[family], joker)
        most, every, cards = max(most, double), every + more, cards + many
        one, more = one + single, more + 2 * double
        both, cards_both = max(both, more), max(cards_both, many)
        first, second, third = max(one, first), max(min(one, first), second), max(min(one, second), third)
        cards_one, cards_two = max(number, cards_one), max(min(number, cards_one), cards_two)
    laid_triads = np.uint64(helped >> TRIADS_AT & _PLACES)
    needy = (plan.triads_of_two | plan.triads_of_one if spare > 1 else plan.triads_of_two | laid_triads) & ~free_triads
    left = (plan.free_triads | needy) & places
    while left != ZERO:
        place = lowest(left)
        left &= left - ONE
        value, many = value_at(view, place), 0
        if needy & bit(place):
            many = popcount(families_of(board, place) & ~bit(TRUMP))
        more, number, one = many * value, 0, 0
        if plan.triads_of_two & bit(place):
            one, number = more, many
        wild |= trumps & needy & bit(place)
        if laid_triads & bit(place):
            sure, cards_sure, one, more, number, many = sure + more, cards_sure + many, 0, 0, 0, 0
        value = min(value, joker)
        most, every, cards = max(most, value), every + more, cards + many
        one, more = one + value, more + 2 * value
        both, cards_both = max(both, more), max(cards_both, many)
        first, second, third = max(one, first), max(min(one, first), second), max(min(one, second), third)
        cards_one, cards_two = max(number, cards_one), max(min(number, cards_one), cards_two)
    sure += value_sum(view, wild)
    cards_sure += popcount(wild)
    if spare == 0:
        return sure, cards_sure
    if spare == 1:
        return sure + first, cards_sure + cards_one
    if spare == 2:
        return sure + max(first + second, both), cards_sure + max(cards_one + cards_two, cards_both)
    if spare == 3:
        return sure + max(first + second + third, both + first), cards_sure + cards
    return sure + every + spare * most, cards_sure + cards


@helper
def bound(
    view: Any, start: Any, board: Any, me: int, aim: Any, now: float, zones: int, joker: int, helped: int
) -> float:
    """No less than the worth of any board that can still be reached by plays of these zones; `now` is this one's."""
    points, cards = potential(view, view.plan, board, zones, joker, helped)
    missing = points_needed(view, start, me) - (board.points[me] - start.points[me])
    odd, purse = 0, board.bag
    for seat in range(view.players):
        odd += board.extended[seat] & 1
        if seat != me:
            purse += board.stones[seat]
    total = now + max(aim[Aim.POINTS], aim[Aim.GIVEN], 0.0) * points
    total += max(aim[Aim.NEEDED], 0.0) * max(min(points, missing), 0)
    if 0 < missing <= points:
        total += max(aim[Aim.QUALIFIED], 0.0)
    total += max(aim[Aim.STONES], 0.0) * min((cards + odd) // 2, purse)
    return total + max(-aim[Aim.CARDS], 0.0) * cards
