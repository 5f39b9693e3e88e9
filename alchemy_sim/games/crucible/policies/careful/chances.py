"""Chances of what others hold: hypergeometric in the cards that nobody has shown, and the totals that follow."""

from __future__ import annotations

from math import exp, lgamma
from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, lowest, popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_floats
from alchemy_sim.games.crucible.cards import ALL_CATALYSTS, ALL_INGREDIENTS, CATALYST, DECK, RANK, RANK_OF, SUIT
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.policies.careful.gains import (
    must_not_lead,
    trick_gain,
)
from alchemy_sim.games.crucible.policies.careful.purpose import (
    next_with_cards,
)
from alchemy_sim.games.crucible.policies.lead import may_hold
from alchemy_sim.games.crucible.policies.wishes import to_come

LOG_FACTORIAL = np.array([lgamma(n + 1) for n in range(DECK + 2)])
#: Faces of rank r or less, by r; Catalysts apart.
UP_TO = np.array([0] + [int(sum(int(RANK[q]) for q in range(1, r + 1))) for r in range(1, 10)], np.uint64)

#: Chances below this count as none.
UNLIKELY = 0.002
#: Room for sums of four ducked cards, and for one card's values.
SUMS = 48
VALUES = 12
#: What `foresee` finds beside the sums: places 1 to 9 the chance that nobody is forced above that rank, and
NO_ONE = 10  # that nobody ducks with a 1
NONE_FOLLOWS = 11
ONE_FOLLOWS = 12
ALL_LOW = 13  # that nobody's card is above 5
NONE_VOID = 14
#: From here on, by rank 1 to 9: how many are forced above it on average, and what their winning is worth together.
FORCED = 15
HARM = 25
#: By rank: the chance that nobody but the one who is to lead next is forced above it.
PASSES = 35
#: By rank: the chance that one is forced above it who must not lead.
DREAD = 45
#: By rank: what those who are forced above it spoil.
RISK = 55
FACTS = 65


@large_helper
def none_of(size: int, marked: int, drawn: int) -> float:
    """The chance that `drawn` of `size` cards miss all `marked` ones."""
    if marked == 0 or drawn == 0:
        return 1.0
    rest = size - marked - drawn
    if rest < 0:
        return 0.0
    return exp(LOG_FACTORIAL[size - marked] + LOG_FACTORIAL[size - drawn] - LOG_FACTORIAL[rest] - LOG_FACTORIAL[size])


@helper
def hidden_cards(view: Any, seat: int) -> int:
    """How many of a seat's cards nobody else has seen."""
    return view.cards_left[seat] - popcount(view.known[seat]) - popcount(view.known_twin[seat])


@helper
def catalyst_worth(view: Any, seat: int, rank: int) -> int:
    """What a seat's Catalyst adds, at most 10 here."""
    if view.discipline[seat] == Discipline.VOID_WEAVER:
        return 0
    return min(view.catalyst_value, 10) if view.catalyst_value >= 0 else rank


@large_helper
def ducks(view: Any, seat: int, suit: int, chance: Any, above: Any) -> float:
    """How a seat ducks a lead of `suit`: chances of its lowest value and of being void.

    `chance[v]`, v = 0 to 10: its card adds v. `above[r]`, r = 1 to 9: it must follow, and with more than rank r.
    """
    for value in range(VALUES):
        chance[value] = 0.0
        above[value] = 0.0
    pool = may_hold(view, seat)
    size = popcount(pool)
    drawn = hidden_cards(view, seat)
    follows = view.known[seat] & SUIT[suit]
    least = RANK_OF[lowest(follows)] if follows != ZERO else 10
    suited = pool & SUIT[suit]
    before = 1.0
    now = 1.0
    unmarked = size
    card = ONE << np.uint64(9 * suit)
    for rank in range(1, 10 if suit != CATALYST else 5):
        if suited & card != ZERO:
            # one card more that none of the hidden ones may be: `none_of`, step by step
            now *= max(unmarked - drawn, 0) / unmarked
            unmarked -= 1
        card <<= ONE
        if rank >= least or now < UNLIKELY:
            now = 0.0
        above[rank] = now
        chance[rank if suit != CATALYST else catalyst_worth(view, seat, rank)] += before - now
        before = now
        if now <= 0.0:
            return 0.0
    void = before
    # nothing but Catalysts: forced to win whatever the rank
    only = 0.0
    if suit != CATALYST and view.known[seat] & ALL_INGREDIENTS == ZERO:
        only = none_of(size, popcount(pool & ALL_INGREDIENTS), drawn)
    bound = only if view.discipline[seat] != Discipline.VOID_WEAVER else 0.0
    for rank in range(1, 10):
        above[rank] = max(above[rank] - void, 0.0) + bound
    if void < 0.02:
        chance[2] += void
        return void
    # void: the lowest card of the rest
    rest = pool & ~SUIT[suit] & ALL_INGREDIENTS
    size = popcount(rest)
    known = view.known[seat] & ALL_INGREDIENTS
    for rank in range(1, 10):
        now = 0.0
        if known & UP_TO[rank] == ZERO and rank < 9:
            now = void * none_of(size, popcount(rest & UP_TO[rank]), min(drawn, size))
            if now < UNLIKELY:
                now = 0.0
        elif rank == 9:
            now = min(only, before)
        chance[rank] += before - now
        before = now
        if now <= 0.0:
            break
    if before > 0.0:
        catalysts = view.known[seat] & ALL_CATALYSTS
        chance[catalyst_worth(view, seat, RANK_OF[lowest(catalysts)] if catalysts != ZERO else 2)] += before
    return void


@helper
def add_card(chance: Any, sums: Any, span: int) -> int:
    """One ducked card more in `sums`, whose totals lie in `span` (64 * greatest + least); returns the new span."""
    top = span >> 6
    bottom = span & 63
    most = 10
    while chance[most] == 0.0 and most > 0:
        most -= 1
    least = 0
    while chance[least] == 0.0 and least < most:
        least += 1
    after = min(top + most, SUMS - 1)
    for total in range(after, bottom + least - 1, -1):
        found = 0.0
        for value in range(max(total - top, least), min(total - bottom, most) + 1):
            found += chance[value] * sums[total - value]
        sums[total] = found
    for total in range(bottom, min(bottom + least, SUMS)):
        sums[total] = 0.0
    return after << 6 | min(bottom + least, after)


@helper
def no_cards(sums: Any) -> None:
    """The sum of no cards: 0 for sure."""
    for total in range(SUMS):
        sums[total] = 0.0
    sums[0] = 1.0


@large_helper
def ducked_sums(view: Any, suit: int, sums: Any) -> None:
    """The sum that players still to come add to a lead of `suit` when all duck: `sums[t]`."""
    chance = stack_floats(VALUES)
    above = stack_floats(VALUES)
    no_cards(sums)
    span = 0
    seat = view.me
    for _ in range(to_come(view)):
        seat = next_with_cards(view, seat)
        ducks(view, seat, suit, chance, above)
        span = add_card(chance, sums, span)


@large_helper
def foresee(view: Any, suit: int, there: int, heir: int, ahead: Any, sums: Any, facts: Any) -> None:
    """`ducked_sums`, and the `facts` named above.

    `there`: the deeds of the cards in the cauldron. `heir`: who is to lead next, or -1. `ahead`: of `look_ahead`.
    """
    chance = stack_floats(VALUES)
    above = stack_floats(VALUES)
    no_cards(sums)
    for place in range(FACTS):
        facts[place] = 1.0
    facts[ONE_FOLLOWS] = 0.0
    for place in range(FORCED, FACTS):
        facts[place] = 1.0 if PASSES <= place < DREAD else 0.0
    span = 0
    seat = view.me
    for _ in range(to_come(view)):
        seat = next_with_cards(view, seat)
        void = ducks(view, seat, suit, chance, above)
        facts[NONE_VOID] *= 1.0 - void
        facts[NO_ONE] *= 1.0 - chance[1]
        facts[ONE_FOLLOWS] = facts[ONE_FOLLOWS] * void + facts[NONE_FOLLOWS] * (1.0 - void)
        facts[NONE_FOLLOWS] *= void
        low = 0.0
        for value in range(6):
            low += chance[value]
        facts[ALL_LOW] *= low
        span = add_card(chance, sums, span)
        if above[1] <= 0.0:
            continue
        dread = 1.0 if must_not_lead(view, seat) else 0.0
        passes = 0.0 if seat == heir else 1.0
        gain = trick_gain(view, seat, there, ahead)
        loss = min(gain, 0.0)
        for rank in range(1, 10):
            forced = above[rank]
            if forced <= 0.0:
                break  # the higher, the less
            facts[rank] *= 1.0 - forced
            facts[PASSES + rank] *= 1.0 - passes * forced
            facts[DREAD + rank] += dread * forced
            facts[FORCED + rank] += forced
            facts[HARM + rank] += gain * forced
            facts[RISK + rank] += loss * forced


@helper
def won_by(facts: Any, rank: int, mine: float) -> float:
    """What a trick is worth whose highest card so far, of this rank, is worth `mine` if it stays so."""
    stays = facts[rank]
    if facts[FORCED + rank] <= 0.0:
        return mine
    return stays * mine + (1.0 - stays) * facts[HARM + rank] / facts[FORCED + rank]


@helper
def at_most(sums: Any, most: int) -> float:
    """The chance that a foreseen sum is not above `most`."""
    found = 0.0
    for total in range(min(most + 1, SUMS)):
        found += sums[total]
    return found


@helper
def can_add(view: Any, seat: int, suit: int, faces: Any) -> float:
    """The chance that a seat that plays to a lead of `suit` may and can play one of `faces`."""
    pool = may_hold(view, seat)
    drawn = hidden_cards(view, seat)
    size = popcount(pool)
    known = view.known[seat]
    if known & SUIT[suit] & faces != ZERO:
        return 1.0
    found = 1.0 - none_of(size, popcount(pool & SUIT[suit] & faces), drawn)
    if known & SUIT[suit] == ZERO:
        void = none_of(size, popcount(pool & SUIT[suit]), drawn)
        rest = pool & ~SUIT[suit]
        size = popcount(rest)
        holds = 1.0 if known & faces != ZERO else 1.0 - none_of(size, popcount(rest & faces), min(drawn, size))
        found += void * holds
    return found


@large_helper
def can_exceed(view: Any, seat: int, suit: int, room: int) -> float:
    """The chance that a seat that plays to a lead of `suit` can add more than `room`."""
    return can_add(view, seat, suit, ALL_INGREDIENTS & ~UP_TO[max(room, 0)]) if room < 9 else 0.0
