"""Which card to follow a Transmute with."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ONE, ZERO, lowest
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_floats
from alchemy_sim.games.crucible.cards import CATALYST, RANK, RANK_OF, SUIT_OF, bit, other_face
from alchemy_sim.games.crucible.disciplines import BOUNDLESS
from alchemy_sim.games.crucible.policies.careful.chances import (
    SUMS,
    at_most,
    ducked_sums,
)
from alchemy_sim.games.crucible.policies.careful.common import (
    blocks,
    burning,
    low_for_good,
    needs_high_cards,
    restless,
    tastes,
    useful,
)
from alchemy_sim.games.crucible.policies.careful.exact import (
    ANYBODY,
    HITS,
    hits,
)
from alchemy_sim.games.crucible.policies.careful.gains import (
    AHEAD,
    look_ahead,
    must_not_lead,
    weight,
)
from alchemy_sim.games.crucible.policies.careful.purpose import (
    must_not_fizzle,
    purpose,
    wanted_leader,
)
from alchemy_sim.games.crucible.policies.careful.sponge import exposure
from alchemy_sim.games.crucible.policies.careful.weights import Weight
from alchemy_sim.games.crucible.policies.lead import BURN_BELOW, team_needs_success
from alchemy_sim.games.crucible.policies.wishes import to_come
from alchemy_sim.games.crucible.rules import beating, counted_value
from alchemy_sim.games.crucible.tasks import Deed


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
