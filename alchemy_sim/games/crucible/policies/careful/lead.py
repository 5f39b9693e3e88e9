"""What to lead: intent and card together, by what a trick would be worth and what it risks."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, highest, lowest, popcount
from alchemy_sim.core.jit import helper, large_helper, stack_floats
from alchemy_sim.games.crucible.cards import CATALYST, INGREDIENTS, MANDRAKE, RANK_OF, SUIT, SUIT_OF, SUITS, bit
from alchemy_sim.games.crucible.disciplines import BOUNDLESS, Discipline
from alchemy_sim.games.crucible.policies.careful.chances import (
    ALL_LOW,
    DREAD,
    FACTS,
    NO_ONE,
    NONE_FOLLOWS,
    NONE_VOID,
    ONE_FOLLOWS,
    PASSES,
    RISK,
    SUMS,
    at_most,
    can_exceed,
    foresee,
    hidden_cards,
    none_of,
    won_by,
)
from alchemy_sim.games.crucible.policies.careful.common import (
    boil_cost,
    burning,
    needs_high_cards,
    players_before,
    restless,
    slag_cost,
    tastes,
    useful,
    wants_22,
)
from alchemy_sim.games.crucible.policies.careful.gains import (
    Purpose,
    hunger,
    must_not_fizzle,
    must_not_lead,
    next_with_cards,
    purpose,
    trick_gain,
    unhurried,
    wanted_leader,
    weight,
    wished_deeds,
)
from alchemy_sim.games.crucible.policies.careful.sponge import exposure
from alchemy_sim.games.crucible.policies.careful.weights import Weight
from alchemy_sim.games.crucible.policies.lead import BURN_BELOW, high_follow, may_hold, team_needs_success
from alchemy_sim.games.crucible.policies.wishes import owns_open, to_come
from alchemy_sim.games.crucible.rules import counted_value
from alchemy_sim.games.crucible.table import Intent
from alchemy_sim.games.crucible.tasks import DEEDS_OF_FACE, Deed, Family, largest_hand

#: Added to a plan: use the own discipline before the card.
USE_POWER = 4096


@large_helper
def likely_deeds(view: Any, seat: int, face: int, facts: Any) -> float:
    """What the cards that follow are likely to add for a seat that leads `face` and wins, beside its own card's."""
    wished = wished_deeds(view, seat)
    barred = view.barred[seat]
    suit = SUIT_OF[face]
    feeds = 0.85 if suit == CATALYST else 0.6 * (1.0 - facts[NONE_VOID])
    many = 1.0 - facts[NONE_FOLLOWS] - facts[ONE_FOLLOWS]
    found = 0.0
    fed = wished & ((1 << Deed.NINE) | 0x3F) & ~DEEDS_OF_FACE[face]
    if fed:
        found += feeds * popcount(np.uint64(fed))
    if wished & (1 << Deed.ONE) and RANK_OF[face] != 1:
        found += 1.0 - facts[NO_ONE]
    if wished & (1 << Deed.THREE_OF_A_SUIT):
        found += many
    if wished & (1 << Deed.ALL_LOW) and RANK_OF[face] <= 5:
        found += facts[ALL_LOW]
    if suit == MANDRAKE and wished & (1 << Deed.TWO_MANDRAKE):
        found += 1.0 - facts[NONE_FOLLOWS]
    if suit == CATALYST and wished & (1 << Deed.TWO_CATALYSTS):
        found += 1.0 - facts[NONE_FOLLOWS]
    if wants_22(view, seat):
        others = to_come(view)
        needed = 22 - counted_value(view, seat, face, -1)
        found += max(0.0, 0.65 - abs(needed - 5.0 * others) / (6.0 * max(others, 1)))
    if barred:
        # those who are void can mostly choose what to discard; at the end they can't
        forced = 0.02 if largest_hand(view) > 3 else 0.15
        found -= weight(view, Weight.FAIL) * forced * (1.0 - facts[NONE_VOID]) * popcount(np.uint64(barred & 0x1FF))
    return found


@helper
def can_take(view: Any, seat: int, face: int) -> float:
    """The chance that a seat can win over a led face by following suit."""
    suit = SUIT_OF[face]
    higher = SUIT[suit] & ~((bit(face) << ONE) - ONE)
    if view.known[seat] & higher != ZERO:
        return 1.0
    pool = may_hold(view, seat)
    return 1.0 - none_of(popcount(pool), popcount(pool & higher), hidden_cards(view, seat))


@large_helper
def takes_over(view: Any, seat: int, face: int, facts: Any) -> float:
    """The chance that a seat, the heir of `facts`, wins over a led face when everybody else ducks."""
    held = view.known[seat] & SUIT[SUIT_OF[face]]
    top = RANK_OF[highest(held)] if held != ZERO else 8
    return can_take(view, seat, face) * facts[PASSES + top]


@large_helper
def catalyze_worth(
    view: Any, face: int, aim: int, limit: int, cost: float, burn: float, sums: Any, facts: Any
) -> float:
    """What Catalyzing with this lead is worth under a limit; `cost`: of a Boil Over, `burn`: of a card that leaves."""
    me = view.me
    value = counted_value(view, me, face, -1)
    deeds = DEEDS_OF_FACE[face]
    if view.trick_count == 0:
        deeds |= 1 << Deed.FIRST
    if view.boil_pending:
        deeds |= 1 << Deed.AFTER_BOIL
    safe = at_most(sums, limit - value)
    mine = trick_gain(view, me, deeds) + likely_deeds(view, me, face, facts)
    worth = won_by(facts, RANK_OF[face], mine)
    if view.discipline[me] == Discipline.VOID_WEAVER and face >= INGREDIENTS:
        worth = 0.0
    best = safe * worth - (1.0 - safe) * cost
    seat = aim & 7
    if aim >> 3 == Purpose.TRICK and seat != me:
        takes = takes_over(view, seat, face, facts)
        roomy = at_most(sums, limit - value - 4)
        wished = trick_gain(view, seat, deeds | wished_deeds(view, seat) & deeds)
        spoiled = (1.0 - takes) * min(mine, 0.0) + facts[RISK + RANK_OF[face]]
        best = max(best, roomy * (takes * wished + spoiled) - (1.0 - roomy) * cost)
        safe = max(safe, roomy)
    if aim >> 3 == Purpose.BOIL and seat != me:
        between = players_before(view, seat)
        if between <= 3:
            # the fewer play after the one who is to push, the better, but for those who had better not lead
            left = 0
            after = next_with_cards(view, seat)
            while after != me:
                if not must_not_lead(view, after):
                    left += 1
                after = next_with_cards(view, after)
            each = 7.5 if between == 1 else 6.4 if between == 2 else 5.4
            room = view.limit_now - value - int(each * between)
            pushes = 0.95 * can_exceed(view, seat, SUIT_OF[face], room) - 0.4 * left if between > 0 else 0.0
            best = max(best, pushes * 1.2 - 0.2 + 0.3 * (1.0 - pushes) * min(worth, 0.0))
    return best - 0.03 + max(burn, 0.0) * view.active * (safe + 0.6 * (1.0 - safe))


@helper
def passing(view: Any, face: int, heir: int, facts: Any) -> float:
    """What a Transmute with this lead does for the next lead."""
    me = view.me
    worth = weight(view, Weight.PASS)
    rank = RANK_OF[face] if face < INGREDIENTS else 9
    if heir >= 0 and heir != me:
        return worth * takes_over(view, heir, face, facts)
    if must_not_lead(view, me):
        return -worth * rank / 9.0
    if heir == me and view.transmutes_made < 10:
        return worth * rank / 12.0
    return 0.0


@large_helper
def transmute_worth(
    view: Any, face: int, sums: Any, high: int, success: bool, burn: float, liking: float, taste: int
) -> float:
    """What Transmuting with this lead is worth: a high lead asks for success, a low one for a fizzle."""
    me = view.me
    value = counted_value(view, me, face, -1)
    turn = liking * weight(view, Weight.TURN)
    kept = weight(view, Weight.KEEP) * useful(face, taste)
    # successes use up no cards: without anything left to do they are ever less attractive
    tired = 0.4 if not unhurried(view) else (0.03 if burn > 0.0 else 0.005) * view.transmutes_made
    if value < BURN_BELOW:
        fizzles = at_most(sums, view.target_now - 1 - value)
        if face >= INGREDIENTS:
            kept += 0.05  # low for good: the last to be burnt
        worth = fizzles * (burn * view.active - kept + liking * weight(view, Weight.HIGH) * value) - (1.0 - fizzles) * (
            0.1 + tired
        )
        if must_not_fizzle(view):
            worth -= fizzles * weight(view, Weight.FAIL)
        return worth - 1.0 if success else worth
    reaches = 10 * value + high >= 10 * view.target_now + 5
    turned = turn * ((value - 5 if face < INGREDIENTS else 0) + (high - 50 * (view.active - 1)) / 10.0)
    if success:
        soon = 0.4 if view.needs_22_and_18 and view.made_22 == 0 and unhurried(view) else 1.0
        return soon if reaches else 0.3 * soon
    return turned - tired - kept if reaches else burn * view.active * 0.5 - kept


@large_helper
def lead_plan(view: Any) -> int:
    """The best lead: 64 * intent + face, and USE_POWER with the leader's own discipline."""
    me = view.me
    sums = stack_floats(SUMS)
    facts = stack_floats(FACTS)
    aim = purpose(view)
    heir = wanted_leader(view, aim)
    burn = burning(view, aim)
    taste = tastes(view, me)
    cost = boil_cost(view, me, aim) if to_come(view) == 0 else max(boil_cost(view, me, aim), slag_cost(view, aim))
    liking = -1.0 if needs_high_cards(view, aim) else 1.0
    success = team_needs_success(view)
    led_one = owns_open(view, me, Family.LEAD_ONE)
    forbidden = 20.0 if must_not_lead(view, me) else 0.0
    first_lead = 0.6 if led_one and view.transmutes_led[me] == 0 else 0.0
    wish = hunger(view, me) - (0.6 if wants_22(view, me) else 0.0)
    wait = weight(view, Weight.WAIT) * max(wish, 0.0)
    dread = weight(view, Weight.DREAD)
    if view.sponge_seat >= 0 and largest_hand(view) <= 3:
        dread *= 3.0  # the Sponge has hardly a card left that others go over
    raised = 0
    price = weight(view, Weight.POWER)
    if view.power_spent[me] == 0 and aim >> 3 != Purpose.BOIL:
        if view.discipline[me] == Discipline.PURIFIER:
            raised = BOUNDLESS
        elif view.discipline[me] == Discipline.STABILIZER:
            raised = 3
            price *= 0.5
    best = -1
    most = -1e9
    for suit in range(SUITS):
        held = view.hand & SUIT[suit]
        if held == ZERO:
            continue
        foresee(view, suit, 1 << suit, heir, sums, facts)
        high = 0
        seat = me
        for _ in range(view.active - 1):
            seat = next_with_cards(view, seat)
            high += high_follow(suit, view.known[seat], may_hold(view, seat))
        while held != ZERO:
            face = lowest(held)
            held &= held - ONE
            worth = catalyze_worth(view, face, aim, view.limit_now, cost, burn, sums, facts) - wait
            if me == view.sponge_seat:
                worth -= weight(view, Weight.SPONGE) * exposure(view, view.hand & ~bit(face) | view.twin & bit(face))
            if worth > most:
                most = worth
                best = 64 * Intent.CATALYZE + face
            if raised > 0:
                worth = catalyze_worth(view, face, aim, view.limit_now + raised, cost, burn, sums, facts) - wait - price
                if worth > most:
                    most = worth
                    best = USE_POWER + 64 * Intent.CATALYZE + face
            worth = transmute_worth(view, face, sums, high, success, burn, liking, taste) + passing(
                view, face, heir, facts
            )
            worth -= dread * facts[DREAD + RANK_OF[face]]
            worth += first_lead - forbidden + restless(view, face & 7)
            if worth > most:
                most = worth
                best = 64 * Intent.TRANSMUTE + face
    return best
