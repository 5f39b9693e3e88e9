"""Which card to follow with."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, lowest, popcount
from alchemy_sim.core.jit import helper, large_helper, stack_floats
from alchemy_sim.games.crucible.cards import CATALYST, MANDRAKE, RANK, RANK_OF, SUIT_OF, bit, other_face
from alchemy_sim.games.crucible.disciplines import BOUNDLESS
from alchemy_sim.games.crucible.policies.careful.chances import (
    FACTS,
    SUMS,
    at_most,
    can_exceed,
    ducked_sums,
    foresee,
    won_by,
)
from alchemy_sim.games.crucible.policies.careful.common import (
    USE_POWER,
    blocks,
    boil_cost,
    burning,
    low_for_good,
    needs_high_cards,
    players_before,
    restless,
    second_boil,
    slag_cost,
    tastes,
    useful,
)
from alchemy_sim.games.crucible.policies.careful.exact import (
    ANYBODY,
    FOR_HIGH,
    HITS,
    NOBODY,
    NONE_YET,
    chance_22,
    hits,
    owner_of_22,
    stake,
)
from alchemy_sim.games.crucible.policies.careful.gains import (
    AHEAD,
    CAULDRON_DEEDS,
    look_ahead,
    must_not_lead,
    pile_gain,
    trick_gain,
    weight,
    wished_deeds,
)
from alchemy_sim.games.crucible.policies.careful.purpose import (
    Purpose,
    must_not_fizzle,
    next_with_cards,
    purpose,
    wanted_leader,
)
from alchemy_sim.games.crucible.policies.careful.sponge import exposure
from alchemy_sim.games.crucible.policies.careful.weights import Weight
from alchemy_sim.games.crucible.policies.lead import BURN_BELOW, team_needs_success
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
    if view.trick_count == 0:
        plain |= 1 << Deed.FIRST
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


@helper
def highest_wished(view: Any) -> int:
    """The value in a Transmute that others had better not exceed, for T25: its owner's; 99 if it has not played."""
    for play in range(view.plays):
        if view.wanted[view.play_seat[play]] & (1 << Deed.HIGH):
            return view.play_value[play]
    return 99


@large_helper
def transmute_follow(view: Any) -> int:
    """Follow the leader's convention, and see to who leads next."""
    me = view.me
    ahead = stack_floats(AHEAD)
    look_ahead(view, ahead)
    sums = stack_floats(SUMS)
    ducked_sums(view, view.lead_suit, sums)
    needed = team_needs_success(view)
    no_fizzle = must_not_fizzle(view)
    success = view.play_value[0] >= BURN_BELOW or needed
    wished = view.wanted[me]
    others_wished = 0
    for seat in range(view.players):
        if seat != me:
            others_wished |= view.wanted[seat]
    to_match = highest_wished(view) if others_wished & (1 << Deed.HIGH) else 99
    after = to_come(view)
    winning = beating(view, me, view.legal)
    aim = purpose(view, ahead)
    liking = 3.0 if me == view.sponge_seat else -1.0 if needs_high_cards(view, aim) else 1.0
    target_seat = wanted_leader(view, aim)
    exact = view.needs_22_and_18 == 1 and view.made_18 == 0
    ill_lead = must_not_lead(view, me)
    ill_leader = view.best_seat >= 0 and must_not_lead(view, view.best_seat)
    hit = stack_floats(HITS)
    if exact:
        hits(view, view.lead_suit, 0, ANYBODY, 18, BOUNDLESS, max(8 - view.total, 0), 18 - view.total, hit)
    burn = burning(view, aim) * view.active
    taste = tastes(view, me, ahead)
    worth_lead = weight(view, Weight.PASS)
    light = low_for_good(view, ahead)
    soaked = me == view.sponge_seat
    best = -1
    most = -1e9
    rest = view.legal
    while rest != ZERO:
        face = lowest(rest)
        rest &= rest - ONE
        value = counted_value(view, me, face, -1)
        total = view.total + value
        kept = weight(view, Weight.KEEP) * useful(face, taste)
        fizzles = at_most(sums, view.target_now - 1 - total)
        if success:
            fizzles = 1.0 if 10 * total + after * 65 < 10 * view.target_now else 0.0
        gained = 0.0
        if SUIT_OF[face] == CATALYST:
            kept += light if value < 5 else -0.1
            gained = kept  # it stays as it is
        elif taste:
            gained = weight(view, Weight.KEEP) * useful(other_face(face), taste)
        turned = liking * weight(view, Weight.TURN) * (value - 5 if SUIT_OF[face] != CATALYST else 0) + gained - kept
        worth = (1.0 - fizzles) * turned + fizzles * (burn - kept + liking * weight(view, Weight.HIGH) * value)
        if soaked:
            left = view.hand & ~bit(face) | view.twin & bit(face)
            worth -= weight(view, Weight.SPONGE) * fizzles * exposure(view, left)
            if fizzles < 1.0:
                turned_hand = left | bit(other_face(face))
                worth -= weight(view, Weight.SPONGE) * (1.0 - fizzles) * exposure(view, turned_hand)
        if target_seat >= 0 and target_seat != me:
            worth += fizzles * weight(view, Weight.KEEP) * blocks(view, target_seat, face)
        if needed:
            worth += 0.05 * value + 0.6 * (1.0 - fizzles)
            if value > to_match:
                worth -= 0.6 * (1.0 - fizzles)
        if no_fizzle:
            worth -= fizzles * weight(view, Weight.FAIL)
        if wished & (1 << Deed.NINE) and RANK_OF[face] == 1 and view.hand & RANK[9] == ZERO:
            worth += 0.25 * (1.0 - fizzles)  # its other face is the 9 that is wished
        if wished & (1 << Deed.LOW) and success:
            worth -= 0.2 * value
        if wished & (1 << Deed.HIGH) and success:
            worth += 0.2 * value
        if success and others_wished & (1 << Deed.HIGH):
            worth -= 0.06 * value
        if success and others_wished & (1 << Deed.LOW):
            worth += 0.03 * value
        if exact and total <= 18:
            worth += weight(view, Weight.EXACT) * hit[18 - total]
        if winning & bit(face) != ZERO:
            if ill_lead:
                worth -= 4.0
            elif ill_leader:
                worth += 0.8
            elif target_seat == me:
                worth += worth_lead
            elif target_seat >= 0:
                worth -= worth_lead
        worth += restless(view, face & 7)
        if worth > most:
            most = worth
            best = face
    return best
