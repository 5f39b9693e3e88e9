"""What the hand can still bring in a turn: a bound for the search, from masks (Furnace 4).

Once a turn it is worked out which cards can stand in any meld at all: those that need no wild card beyond the hand's
Trumps (`free`), and those that need Jokers. A card can be played in zones: Runs of a family, Triads of a
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
def _segment_sum(view: Any, there: Any, wanted: Any, ends: Any, joker: int) -> int:
    """Points of the wanted cards of a family that a Joker at one position brings into a Run, or none."""
    found = chained(view, there, joker + 1, 1, 0) | chained(view, there, joker - 1, -1, 0)
    whole = found | bit(joker)
    if popcount(whole) < 3 and not whole & ends:
        return 0
    return value_sum(view, places_of(view, found) & wanted)


@helper
def _most_value(view: Any, positions: Any) -> int:
    """The most that a card at one of these positions counts."""
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
    plan.joker_value[family] = _most_value(view, near | near << ONE | near >> ONE)
    for _ in range(min(spare, 3)):
        near |= near << ONE | near >> ONE
    plan.jokers_value[family] = _most_value(view, near)
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
    spare = start.jokers + plan.jokers_there
    for family in range(SUITS):
        plan.free_runs[family] = plan.one_joker[family] = plan.more_jokers[family] = ZERO
        if family < view.families or (family == TRUMP and view.trumps):
            _reach_runs(view, plan, start, family, trumps, spare)
    _reach_triads(view, plan, start, trumps, spare)


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
    """The most that a Joker, held or still to be taken, can count at this play or at one that it opens."""
    kind, jokers = kind_of(code), board.jokers + view.plan.jokers_there
    if jokers == 0:
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
def bound(view: Any, start: Any, board: Any, me: int, aim: Any, zones: int, joker: int, helped: int) -> float:
    """No less than the worth of any board that can still be reached by plays of these zones."""
    points, cards = potential(view, view.plan, board, zones, joker, helped)
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
