"""Which card to follow a Catalyze with."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, lowest, popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_floats
from alchemy_sim.games.crucible.cards import CATALYST, MANDRAKE, RANK_OF, SUIT_OF, bit
from alchemy_sim.games.crucible.policies.careful.chances import (
    FACTS,
    SUMS,
    at_most,
    can_exceed,
    foresee,
    won_by,
)
from alchemy_sim.games.crucible.policies.careful.common import (
    USE_POWER,
    boil_cost,
    players_before,
    second_boil,
    slag_cost,
    tastes,
    useful,
)
from alchemy_sim.games.crucible.policies.careful.exact import (
    FOR_HIGH,
    HITS,
    NOBODY,
    NONE_YET,
    chance_22,
    owner_of_22,
    stake,
)
from alchemy_sim.games.crucible.policies.careful.gains import (
    AHEAD,
    CAULDRON_DEEDS,
    look_ahead,
    pile_gain,
    trick_gain,
    weight,
    wished_deeds,
)
from alchemy_sim.games.crucible.policies.careful.purpose import (
    Purpose,
    next_with_cards,
    purpose,
)
from alchemy_sim.games.crucible.policies.careful.sponge import exposure
from alchemy_sim.games.crucible.policies.careful.weights import Weight
from alchemy_sim.games.crucible.policies.wishes import to_come
from alchemy_sim.games.crucible.rules import beating, counted_value, strength
from alchemy_sim.games.crucible.tasks import DEEDS_OF_FACE, Deed, all_low_in, deeds_of_suits, face_deeds, suits_in


@large_helper
def keenest_to_come(view: Any, there: int, ahead: Any) -> int:
    """The player still to play to whom the trick is worth most, or -1."""
    most = 0.0
    best = -1
    seat = view.me
    for _ in range(to_come(view)):
        seat = next_with_cards(view, seat)
        gain = trick_gain(view, seat, there | wished_deeds(view, seat) & CAULDRON_DEEDS, ahead)
        if gain > most:
            most = gain
            best = seat
    return best


@helper
def first_of_several(view: Any, seat: int, face: int, there: int) -> float:
    """What a card is worth that may be joined by others of its suit, so many `there`, in a trick that a seat wins."""
    wanted = view.wanted[seat]
    if wanted & (1 << Deed.TWO_MANDRAKE) and SUIT_OF[face] == MANDRAKE and there == 0:
        return 0.3
    return 0.2 if wanted & (1 << Deed.THREE_OF_A_SUIT) and there == 1 else 0.0


@helper
def spoilt_by(view: Any, deeds: int) -> float:
    """What deeds that the own card adds would cost if each still to come won them."""
    seat = view.me
    barred = 0
    for _ in range(to_come(view)):
        seat = next_with_cards(view, seat)
        barred += popcount(np.uint64(view.barred[seat] & deeds))
    return weight(view, Weight.FAIL) * barred


@large_helper
def catalyze_follow(view: Any) -> int:
    """The card that is worth most to the team in a Catalyze."""
    me = view.me
    ahead = stack_floats(AHEAD)
    look_ahead(view, ahead)
    sums = stack_floats(SUMS)
    facts = stack_floats(FACTS)
    after = to_come(view)
    limit = view.limit_now
    winning = beating(view, me, view.legal)
    plain = face_deeds(view)
    if view.boil_pending:
        plain |= 1 << Deed.AFTER_BOIL
    of_suit = suits_in(view)
    low = all_low_in(view)
    there = plain | deeds_of_suits(of_suit, low)
    foresee(view, view.lead_suit, there, -1, ahead, sums, facts)
    keen = keenest_to_come(view, there, ahead)
    taste = tastes(view, me, ahead)
    aim = purpose(view, ahead)
    cost = slag_cost(view, aim) + second_boil(view)
    own_cost = 0.0 if view.exploded else boil_cost(view, me, aim)
    before_boiler = players_before(view, aim & 7) if aim >> 3 == Purpose.BOIL and aim & 7 != me else 9
    power = view.discipline[me] if view.plan >= USE_POWER else -1
    owner = owner_of_22(view)
    share = stake(view)
    hit = stack_floats(HITS)
    hit[FOR_HIGH] = NONE_YET
    soaked = me == view.sponge_seat
    barred = 0
    seat = me
    for _ in range(after):
        seat = next_with_cards(view, seat)
        barred |= view.barred[seat]
    best = -1
    most = -1e9
    rest = view.legal
    while rest != ZERO:
        face = lowest(rest)
        rest &= rest - ONE
        value = counted_value(view, me, face, power)
        total = view.total + value
        worth = weight(view, Weight.HIGH) * value - weight(view, Weight.KEEP) * useful(face, taste)
        if soaked:
            worth -= weight(view, Weight.SPONGE) * exposure(view, view.hand & ~bit(face) | view.twin & bit(face))
        if view.exploded or total > limit:
            worth -= own_cost
        else:
            deeds = plain | DEEDS_OF_FACE[face]
            deeds |= deeds_of_suits(of_suit + (1 << 4 * SUIT_OF[face]), low and RANK_OF[face] <= 5)
            takes = winning & bit(face) != ZERO
            suited = (of_suit >> (4 * SUIT_OF[face])) & 15
            holder = me if takes or view.best_seat < 0 else view.best_seat
            high = strength(view, me, face) if takes else view.best_strength
            won = pile_gain(view, holder, deeds, ahead)
            rank = high - 100 if view.lead_suit == CATALYST else high
            if after > 0 and 0 < rank < 10:
                won = won_by(facts, rank, won)
                if facts[rank] < 1.0 and deeds & ~there & barred:
                    won -= (1.0 - facts[rank]) / after * spoilt_by(view, deeds & ~there)
            if keen >= 0:
                later = trick_gain(view, keen, deeds, ahead)
                if later > won:
                    # one who wishes it more is still to come: the more room the better
                    won = 0.5 * won + 0.5 * later - 0.03 * min(high, 10)
            if after > 0 and holder != me:
                worth += first_of_several(view, holder, face, suited)
            safe = at_most(sums, limit - total)
            if before_boiler <= 3:
                # bring the total to the brink, and leave room for those between
                room = limit - total - 4 * before_boiler
                worth += 0.1 * total if room >= 0 else -0.3 - 0.1 * (total - limit)
                if won < 0.0:
                    # the trick that comes of it when nobody can push
                    worth += (1.0 - can_exceed(view, aim & 7, view.lead_suit, max(room, 0))) * won
            else:
                worth += safe * won - (1.0 - safe) * cost
            if owner != NOBODY:
                worth += share * chance_22(view, owner, view.lead_suit, total, high, holder, limit, hit)
        if worth > most:
            most = worth
            best = face
    return best
