"""What to lead: intent and card together, by what a trick would be worth and what it risks."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ONE, ZERO, lowest
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_floats
from alchemy_sim.games.crucible.cards import INGREDIENTS, RANK_OF, SUIT, SUIT_OF, SUITS, bit, other_face
from alchemy_sim.games.crucible.disciplines import BOUNDLESS, Discipline
from alchemy_sim.games.crucible.policies.careful.catalyze import catalyze_worth, takes_over
from alchemy_sim.games.crucible.policies.careful.chances import (
    DREAD,
    FACTS,
    SUMS,
    at_most,
    foresee,
)
from alchemy_sim.games.crucible.policies.careful.common import (
    USE_POWER,
    boil_cost,
    burning,
    low_for_good,
    needs_high_cards,
    restless,
    second_boil,
    slag_cost,
    spare_limit,
    tastes,
    useful,
    wants_22,
)
from alchemy_sim.games.crucible.policies.careful.exact import (
    ABOVE_SUITS,
    ANYBODY,
    FOR_HIGH,
    HITS,
    NOBODY,
    NONE_YET,
    chance_22,
    hits,
    hope,
    owner_of_22,
    reserved,
)
from alchemy_sim.games.crucible.policies.careful.gains import (
    AHEAD,
    look_ahead,
    must_not_lead,
    unhurried,
    weight,
)
from alchemy_sim.games.crucible.policies.careful.purpose import (
    Purpose,
    hunger,
    must_not_fizzle,
    next_with_cards,
    purpose,
    wanted_leader,
)
from alchemy_sim.games.crucible.policies.careful.sponge import exposure
from alchemy_sim.games.crucible.policies.careful.weights import Weight
from alchemy_sim.games.crucible.policies.lead import BURN_BELOW, high_follow, may_hold, team_needs_success
from alchemy_sim.games.crucible.policies.wishes import owns_open, to_come
from alchemy_sim.games.crucible.rules import counted_value
from alchemy_sim.games.crucible.table import Intent
from alchemy_sim.games.crucible.tasks import Family, largest_hand


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
    if heir == me:
        return worth * rank / 12.0
    return 0.0


@large_helper
def transmute_worth(
    view: Any, face: int, sums: Any, high: int, success: bool, burn: float, liking: float, taste: int, light: float
) -> float:
    """What Transmuting with this lead is worth: a high lead asks for success, a low one for a fizzle."""
    me = view.me
    value = counted_value(view, me, face, -1)
    turn = liking * weight(view, Weight.TURN)
    kept = weight(view, Weight.KEEP) * useful(face, taste)
    # successes use up no cards: without anything left to do they are ever less attractive
    tired = 0.4 if not unhurried(view) else (0.03 if burn > 0.0 else 0.005) * view.transmutes_made
    slack = view.max_reactions - view.reaction - largest_hand(view)
    if slack < 4:
        # each card takes a reaction: a success too many is a stall for sure
        tired = weight(view, Weight.FAIL) if slack < 0 else 0.4 + 1.0 / (slack + 1.0)
    if value < BURN_BELOW:
        fizzles = at_most(sums, view.target_now - 1 - value)
        if face >= INGREDIENTS:
            kept += light
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
    if not reaches:
        # a fizzle, most likely
        return burn * view.active * (0.5 if burn > 0.0 else 1.0) + liking * weight(view, Weight.HIGH) * value - kept
    gained = kept if face >= INGREDIENTS else weight(view, Weight.KEEP) * useful(other_face(face), taste)
    return turned - tired + gained - kept


@helper
def leads_to_22(view: Any, face: int, owner: int, limit: int, hit: Any) -> float:
    """The chance that a trick led with this face ends at 22 and its owner wins it."""
    high = RANK_OF[face] + (ABOVE_SUITS if face >= INGREDIENTS else 0)
    total = counted_value(view, view.me, face, -1)
    return chance_22(view, owner, SUIT_OF[face], total, high, view.me, limit, hit)


@large_helper
def lead_plan(view: Any) -> int:
    """The best lead: 64 * intent + face, and USE_POWER with the leader's own discipline."""
    me = view.me
    ahead = stack_floats(AHEAD)
    look_ahead(view, ahead)
    sums = stack_floats(SUMS)
    facts = stack_floats(FACTS)
    aim = purpose(view, ahead)
    heir = wanted_leader(view, aim)
    burn = burning(view, aim)
    taste = tastes(view, me, ahead)
    light = low_for_good(view, ahead)
    cost = (
        boil_cost(view, me, aim)
        if to_come(view) == 0
        else max(boil_cost(view, me, aim), slag_cost(view, aim) + second_boil(view))
    )
    liking = -1.0 if needs_high_cards(view, aim) else 1.0
    success = team_needs_success(view)
    led_one = owns_open(view, me, Family.LEAD_ONE)
    forbidden = 20.0 if must_not_lead(view, me) else 0.0
    # who leads can't push
    idle = 0.3 if aim == 8 * Purpose.BOIL + me and to_come(view) > 0 and view.transmutes_made < 10 else 0.0
    first_lead = 0.6 if led_one and view.transmutes_led[me] == 0 else 0.0
    wish = hunger(view, me, ahead) - (0.6 if wants_22(view, me) else 0.0)
    wait = weight(view, Weight.WAIT) * max(wish, 0.0)
    dread = weight(view, Weight.DREAD)
    if view.sponge_seat >= 0 and largest_hand(view) <= 3:
        dread *= 3.0  # the Sponge has hardly a card left that others go over
    raised = 0
    burns = False
    price = weight(view, Weight.POWER)
    if view.power_spent[me] == 0 and aim >> 3 != Purpose.BOIL:
        if view.discipline[me] == Discipline.PURIFIER:
            raised = BOUNDLESS
        elif view.discipline[me] == Discipline.STABILIZER:
            raised = 3
            price *= 0.5
        elif view.discipline[me] == Discipline.PYROMANCER:
            burns = True
            price *= 0.5
    # what others can add to the limit when they have to; not what a trick of 22 needs
    helped = 0
    owner = owner_of_22(view)
    if aim >> 3 != Purpose.BOIL and owner == NOBODY and not unhurried(view):
        helped = spare_limit(view) - raised
    hit = stack_floats(HITS)
    hit_raised = stack_floats(HITS)
    hit_18 = stack_floats(HITS)
    # a power that 22 needs is spent on it alone; with another one left it may be tried sooner
    later = 0.0
    if owner != NOBODY and view.limit < 22 <= view.limit + raised:
        later = hope(view) if reserved(view, me) else 0.6 * hope(view)
    exact = weight(view, Weight.EXACT)
    exact_18 = view.needs_22_and_18 == 1 and view.made_18 == 0
    best = -1
    most = -1e9
    for suit in range(SUITS):
        held = view.hand & SUIT[suit]
        if held == ZERO:
            continue
        foresee(view, suit, 1 << suit, heir, ahead, sums, facts)
        high = 0
        seat = me
        for _ in range(view.active - 1):
            seat = next_with_cards(view, seat)
            high += high_follow(suit, view.known[seat], may_hold(view, seat))
        hit[FOR_HIGH] = NONE_YET
        hit_raised[FOR_HIGH] = NONE_YET
        if exact_18:
            hits(view, suit, 0, ANYBODY, 18, BOUNDLESS, 8, 18, hit_18)
        while held != ZERO:
            face = lowest(held)
            held &= held - ONE
            worth = catalyze_worth(view, face, aim, ahead, view.limit_now, cost, burn, sums, facts) - wait - idle
            # worked out only where it can decide
            if owner != NOBODY and worth + exact > most:
                worth += exact * leads_to_22(view, face, owner, view.limit_now, hit)
            if me == view.sponge_seat:
                worth -= weight(view, Weight.SPONGE) * exposure(view, view.hand & ~bit(face) | view.twin & bit(face))
            if worth > most:
                most = worth
                best = 64 * Intent.CATALYZE + face
            if helped > 0:
                worth = (
                    catalyze_worth(view, face, aim, ahead, view.limit_now + helped, cost, burn, sums, facts)
                    - wait
                    - idle
                    - 2.0 * weight(view, Weight.POWER)
                )
                if worth > most:
                    most = worth
                    best = 64 * Intent.CATALYZE + face
            more = RANK_OF[face] if burns and suit == 0 else raised  # Brimstone counts 0
            if more > 0:
                worth = (
                    catalyze_worth(view, face, aim, ahead, view.limit_now + more, cost, burn, sums, facts)
                    - wait
                    - price
                )
                if owner != NOBODY and raised > 0:
                    if worth + max(exact, 2.0) > most:
                        chance = leads_to_22(view, face, owner, view.limit_now + raised, hit_raised)
                        worth += 2.0 * (chance - later) if later > 0.0 else exact * chance
                    else:
                        worth -= 2.0 * later
                if worth > most:
                    most = worth
                    best = USE_POWER + 64 * Intent.CATALYZE + face
            worth = transmute_worth(view, face, sums, high, success, burn, liking, taste, light) + passing(
                view, face, heir, facts
            )
            worth -= dread * facts[DREAD + RANK_OF[face]]
            worth += first_lead - forbidden + restless(view, face & 7)
            if exact_18:
                needed = 18 - counted_value(view, me, face, -1)
                worth += exact * hit_18[needed]
            if worth > most:
                most = worth
                best = 64 * Intent.TRANSMUTE + face
    return best
