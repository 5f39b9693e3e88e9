"""Exact totals: the chance that those still to play, each choosing for it, end a reaction at 22 or at 18."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, lowest, popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_floats
from alchemy_sim.games.crucible.cards import ALL_INGREDIENTS, CATALYST, INGREDIENTS, RANK, SUIT, bit
from alchemy_sim.games.crucible.disciplines import BOUNDLESS, Discipline
from alchemy_sim.games.crucible.policies.careful.chances import VALUES, catalyst_worth, hidden_cards, none_of
from alchemy_sim.games.crucible.policies.careful.gains import (
    weight,
    wished_deeds,
)
from alchemy_sim.games.crucible.policies.careful.purpose import (
    next_with_cards,
)
from alchemy_sim.games.crucible.policies.careful.weights import Weight
from alchemy_sim.games.crucible.policies.lead import may_hold
from alchemy_sim.games.crucible.policies.wishes import to_come
from alchemy_sim.games.crucible.tasks import Deed, largest_hand, sum_22_barred

#: What a total may still need: 0 to 22.
NEEDS = 23
#: Where `chance_22` notes for which highest card it has worked out the rest, and none yet.
FOR_HIGH = NEEDS
HITS = NEEDS + 1
NONE_YET = -1.0
#: Nobody in particular must win.
ANYBODY = -1
#: Nobody is after the total.
NOBODY = -2
#: A Catalyst ranks as its printed value above this.
ABOVE_SUITS = 100


@helper
def owner_of_22(view: Any) -> int:
    """Who needs a trick of exactly 22, ANYBODY if it is the mission, or NOBODY."""
    for seat in range(view.players):
        if wished_deeds(view, seat) & (1 << Deed.SUM_22):
            return seat if view.cards_left[seat] > 0 else NOBODY
    return ANYBODY if view.needs_22_and_18 and view.made_22 == 0 else NOBODY


@helper
def raises_by(view: Any, seat: int) -> int:
    """By how much a seat's unspent discipline can raise the limit."""
    if view.power_spent[seat]:
        return 0
    if view.discipline[seat] == Discipline.PURIFIER:
        return BOUNDLESS
    return 3 if view.discipline[seat] == Discipline.STABILIZER else 0


@large_helper
def reserved(view: Any, seat: int) -> bool:
    """Whether a seat's discipline is the only one left with which a wanted trick of 22 is safe."""
    if view.limit >= 22 or view.limit + raises_by(view, seat) < 22 or owner_of_22(view) == NOBODY:
        return False
    for other in range(view.players):
        if other != seat and view.limit + raises_by(view, other) >= 22:
            return False
    return True


@helper
def stake(view: Any) -> float:
    """What hitting the wanted 22 is worth: all when the last power that allows it is spent on this reaction."""
    return weight(view, Weight.FAIL) if sum_22_barred(view) else weight(view, Weight.EXACT)


@helper
def hope(view: Any) -> float:
    """The chance that a power kept for the trick of 22 makes it later."""
    return weight(view, Weight.HOPE) * (1.0 - 1.0 / max(largest_hand(view), 1))


@helper
def best_choice(hit: Any, need: int, values: Any, offers: Any) -> float:
    """The chance to hit when a player picks the best of `values`, each of which it has with the chance `offers`."""
    found = 0.0
    rest = 1.0
    # no value above the need
    left = values & ((ONE << np.uint64(need + 1)) - ONE)
    while left != ZERO:
        best = 0.0
        at = -1
        each = left
        while each != ZERO:
            value = lowest(each)
            each &= each - ONE
            if hit[need - value] > best:
                best = hit[need - value]
                at = value
        if at < 0:
            break
        found += rest * offers[at] * best
        rest *= 1.0 - offers[at]
        if rest < 0.02:
            break
        left ^= bit(at)
    return found


@helper
def positive(offers: Any) -> Any:
    """Which values have a chance above 0, as a mask."""
    values = ZERO
    for value in range(VALUES):
        if offers[value] > 0.0:
            values |= bit(value)
    return values


@large_helper
def aims(view: Any, seat: int, suit: int, low: int, top: int, discards: Any, least: int, most: int, hit: Any) -> None:
    """`hit[need]` with a seat more to play, for needs from `least` to `most`.

    It follows `suit` with a rank above `low` up to `top`; void, it may play one of `discards`.
    """
    follow = stack_floats(VALUES)
    free = stack_floats(VALUES)
    for value in range(VALUES):
        follow[value] = 0.0
        free[value] = 0.0
    pool = may_hold(view, seat)
    size = popcount(pool)
    drawn = hidden_cards(view, seat)
    known = view.known[seat]
    each = drawn / size if size > 0 else 0.0
    for rank in range(low + 1, top + 1):
        card = bit(9 * suit + rank - 1)
        value = rank if suit != CATALYST else catalyst_worth(view, seat, rank)
        chance = 1.0 if known & card != ZERO else each if pool & card != ZERO else 0.0
        follow[value] = 1.0 - (1.0 - follow[value]) * (1.0 - chance)
    void = 0.0
    if known & SUIT[suit] == ZERO:
        suited = popcount(pool & SUIT[suit])
        void = none_of(size, suited, drawn)
        rest = pool & ~SUIT[suit]
        size -= suited
        each = min(drawn / size, 1.0) if size > 0 else 0.0
        if void > 0.01:
            for rank in range(1, 10):
                faces = discards & RANK[rank]
                if known & faces != ZERO:
                    free[rank] = 1.0
                else:
                    none = 1.0
                    for _ in range(popcount(rest & faces)):
                        none *= 1.0 - each
                    free[rank] = 1.0 - none
            for rank in range(1, 5):
                card = bit(INGREDIENTS + rank - 1) & discards
                chance = 1.0 if known & card != ZERO else each if rest & card != ZERO else 0.0
                if chance > 0.0:
                    value = catalyst_worth(view, seat, rank)
                    free[value] = 1.0 - (1.0 - free[value]) * (1.0 - chance)
    followed = positive(follow)
    discarded = positive(free) if void > 0.01 else ZERO
    for need in range(most, least - 1, -1):
        found = best_choice(hit, need, followed, follow)
        if discarded != ZERO:
            found += void * best_choice(hit, need, discarded, free)
        hit[need] = found


@large_helper
def hits(view: Any, suit: int, high: int, owner: int, goal: int, limit: int, least: int, most: int, hit: Any) -> None:
    """The chance that the total ends at exactly `goal`, by what it needs after the asked player's card.

    For needs from `least` to `most`.
    `high`: the strength of the highest card then. `owner`: who must win it, by that card or one still to come.
    """
    many = to_come(view)
    order = 0
    takes = -1
    powered = -1
    seat = view.me
    for place in range(many):
        seat = next_with_cards(view, seat)
        order |= seat << (3 * place)
        if seat == owner:
            takes = place
        if limit < goal and limit + raises_by(view, seat) >= goal:
            powered = place
    for need in range(NEEDS):
        hit[need] = 0.0
    if limit < goal and powered < 0:
        return
    hit[0] = 1.0
    catalyst = ABOVE_SUITS if suit == CATALYST else 0
    top = 9 if suit != CATALYST else 4
    spread = VALUES - 1 if view.catalyst_value > 9 else 9
    rank = min(max(high - catalyst, 0), top)
    for place in range(many - 1, -1, -1):
        seat = (order >> (3 * place)) & 7
        discards = ALL_INGREDIENTS
        low = 0
        under = rank
        if owner == ANYBODY:
            discards = ~ZERO
            under = top
        elif place == takes:
            low = rank
            under = top
            over = INGREDIENTS + max(high - ABOVE_SUITS, 0)
            discards = ~(bit(over) - ONE)
        elif place > takes >= 0:
            under = max(rank, top - 2)
        # those before leave no less, those after add no more
        floor = max(least - spread * place, 0)
        aims(view, seat, suit, low, under, discards, floor, min(most, spread * (many - place)), hit)
        if place == powered:
            for need in range(goal - limit):
                hit[need] = 0.0


@helper
def can_win(view: Any, owner: int, holder: int) -> bool:
    """Whether the owner of an exact total holds the highest card or is still to play."""
    if owner in (ANYBODY, holder):
        return True
    seat = view.me
    for _ in range(to_come(view)):
        seat = next_with_cards(view, seat)
        if seat == owner:
            return True
    return False


@large_helper
def chance_22(view: Any, owner: int, suit: int, total: int, high: int, holder: int, limit: int, hit: Any) -> float:
    """The chance that a trick whose total and highest card are such ends at 22 and its owner wins it.

    `holder`: whose that card is. `hit`: `HITS` numbers, kept while the asked player's cards are compared.
    """
    need = 22 - total
    if need < 0 or total > limit or not can_win(view, owner, holder):
        return 0.0
    shared = owner == ANYBODY or holder != view.me
    for_high = float(high) if owner != ANYBODY else 0.0
    if hit[FOR_HIGH] != for_high:
        # other cards of the own hand leave other needs, unless each changes the highest card
        hits(view, suit, high, owner, 22, limit, max(need - 10, 0) if shared else need, 22 if shared else need, hit)
        hit[FOR_HIGH] = for_high
    return hit[need]
