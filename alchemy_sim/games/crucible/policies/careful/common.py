"""What leading and following have in common: what a Boil Over costs, which cards are worth keeping."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.rng import below, draw
from alchemy_sim.games.crucible.cards import CATALYST, INGREDIENTS, MANDRAKE, RANK_OF, SUIT_OF
from alchemy_sim.games.crucible.policies.careful.exact import raises_by, reserved
from alchemy_sim.games.crucible.policies.careful.gains import (
    BASE,
    unhurried,
    weight,
    wished_deeds,
)
from alchemy_sim.games.crucible.policies.careful.purpose import (
    Purpose,
    hunger,
    next_with_cards,
)
from alchemy_sim.games.crucible.policies.careful.sponge import surplus_cost
from alchemy_sim.games.crucible.policies.careful.weights import Weight
from alchemy_sim.games.crucible.policies.wishes import owns_open
from alchemy_sim.games.crucible.tasks import Deed, Family

#: Added to a plan: use the own discipline before the card.
USE_POWER = 4096


@large_helper
def slag_cost(view: Any, aim: int) -> float:
    """What a Slag Token costs, whoever takes it: nearly nothing when nothing is left to do but to get rid of cards."""
    if view.slag_total + 1 >= view.slag_cap:
        return weight(view, Weight.FAIL)
    cost = weight(view, Weight.SLAG)
    if aim == 0 or aim >> 3 == Purpose.LEAD or not unhurried(view):
        cost *= 0.3
    return 0.5 * cost if spare_limit(view) > 0 else cost


@large_helper
def boil_cost(view: Any, seat: int, aim: int) -> float:
    """What a Boil Over caused by `seat` costs the team (negative: it helps)."""
    cost = slag_cost(view, aim)
    if view.slag_total + 1 >= view.slag_cap:
        return cost
    if owns_open(view, seat, Family.ONE_BOIL):
        cost += -2.0 if view.slag[seat] == 0 else weight(view, Weight.FAIL)
    elif aim == 8 * Purpose.BOIL + seat and not view.wanted[seat] & (1 << Deed.AFTER_BOIL):
        cost -= 1.2  # for another's task
    if view.wanted[seat] & (1 << Deed.AFTER_BOIL) and view.boil_pending == 0:
        cost -= 1.2
    return cost + surplus_cost(view) if seat == view.me else cost


@helper
def second_boil(view: Any) -> float:
    """What a Boil Over is likely to cost because one still to play must not cause a second one."""
    seat = view.me
    found = 0.0
    if not unhurried(view):
        return found  # refusing for ever loses as well
    others = view.active - view.plays - 1
    for _ in range(others):
        seat = next_with_cards(view, seat)
        if view.slag[seat] == 1 and view.counting[seat] > 0 and owns_open(view, seat, Family.ONE_BOIL):
            found += 2.0 / others
    return found


@helper
def spare_limit(view: Any) -> int:
    """By how much those still to play can raise the limit when they have to."""
    added = 0
    seat = view.me
    for _ in range(view.active - view.plays):
        raised = raises_by(view, seat)
        if raised > 0 and not reserved(view, seat):
            added += min(raised, 100)
        seat = next_with_cards(view, seat)
    return added


@large_helper
def tastes(view: Any, seat: int, ahead: Any) -> int:
    """What `useful` asks of a seat: the deeds it wishes, bit 32 if it wishes tricks, bit 33 if the last one."""
    if not unhurried(view):
        return 0  # cards must leave play, whichever
    found = wished_deeds(view, seat)
    if hunger(view, seat, ahead) > 0.0:
        found |= 1 << 32
    if owns_open(view, seat, Family.LAST):
        found |= 1 << 33
    return found


@large_helper
def useful(face: int, taste: int) -> float:
    """How useful a card is for the tricks that its player still wishes (`tastes`): 0 to about 2."""
    found = 0.0
    rank = RANK_OF[face]
    catalyst = face >= INGREDIENTS
    if catalyst and (taste >> 33) & 1:
        found += 0.4 * rank
    if (taste >> 32) & 1:
        if catalyst:
            found += 0.4 * rank
            if taste & (1 << Deed.CATALYST | 1 << Deed.TWO_CATALYSTS):
                found += 1.5
            return found
        if rank >= 7:
            found += 0.5 * (rank - 6)
        if (taste >> SUIT_OF[face]) & 1:
            found += 0.5
        if rank == 9 and taste & (1 << Deed.NINE):
            found += 1.0
    return found


@helper
def low_for_good(view: Any, ahead: Any) -> float:
    """What a low Catalyst is worth that stays in the asked player's hand: less than nothing if tricks harm it."""
    if view.barred[view.me] & (1 << Deed.CATALYST) or ahead[BASE + view.me] < 0.0:
        return -0.1
    return 0.05


@helper
def burning(view: Any, aim: int) -> float:
    """What a card that leaves play is worth: much when nothing is left to do, little while tricks are wished."""
    if aim != 0 and aim >> 3 != Purpose.LEAD and unhurried(view):
        return -weight(view, Weight.SAVE)
    return weight(view, Weight.BURN)


@helper
def players_before(view: Any, seat: int) -> int:
    """How many of those still to play after the asked one come before `seat`; all of them if it doesn't play."""
    each = view.me
    for between in range(view.active - view.plays - 1):
        each = next_with_cards(view, each)
        if each == seat:
            return between
    return 9


@helper
def wants_22(view: Any, seat: int) -> bool:
    """Whether a trick of exactly 22 would help if `seat` won it."""
    return view.wanted[seat] & (1 << Deed.SUM_22) != 0 or (view.needs_22_and_18 == 1 and view.made_22 == 0)


@helper
def blocks(view: Any, seat: int, face: int) -> float:
    """How much a card of another hand stands in the way of a trick that `seat` wishes."""
    if SUIT_OF[face] == CATALYST:
        return 0.3 if view.wanted[seat] & (1 << Deed.TWO_CATALYSTS | 1 << Deed.CATALYST) == 0 else 0.0
    wished = wished_deeds(view, seat)
    if SUIT_OF[face] == MANDRAKE and wished & (1 << Deed.TWO_MANDRAKE):
        return 0.1 * RANK_OF[face] if RANK_OF[face] > 4 else -1.5  # low ones are for the owner's trick
    return 0.05 * RANK_OF[face] if (wished >> SUIT_OF[face]) & 1 else 0.0


@helper
def restless(view: Any, option: int) -> float:
    """A random number below 0 that grows with the Transmutes made: turning the same cards for ever leads nowhere."""
    if view.transmutes_made <= 10:
        return 0.0
    return -0.03 * (view.transmutes_made - 10) * below(draw(view.source, option), 1024) / 1024.0


@helper
def needs_high_cards(view: Any, aim: int) -> bool:
    """Whether the team is after a total that three hands hardly reach."""
    return view.active <= 3 and (aim >> 3 == Purpose.BOIL or (aim >> 3 == Purpose.TRICK and wants_22(view, aim & 7)))
