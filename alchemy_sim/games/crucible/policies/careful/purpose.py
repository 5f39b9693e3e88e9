"""What the team is after next, from public facts only, and who should lead for it."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.games.crucible.policies.careful.gains import must_not_lead, must_wait, trick_gain, wished_deeds
from alchemy_sim.games.crucible.table import Status, left_of
from alchemy_sim.games.crucible.tasks import FAMILY, PARAMETER, Deed, Family


@large_helper
def hunger(view: Any, seat: int, ahead: Any) -> float:
    """How much a seat wishes to win the next trick if it could choose the cards: at least 0."""
    if view.cards_left[seat] == 0 or seat == view.sponge_seat:
        return 0.0
    deeds = wished_deeds(view, seat) & ~view.barred[seat]
    if not view.boil_pending:
        deeds &= ~(1 << Deed.AFTER_BOIL)
    gain = trick_gain(view, seat, deeds, ahead)
    if view.needs_22_and_18 and view.made_22 == 0 and gain > -0.3:
        gain += 0.6
    return max(gain, 0.0)


@helper
def next_with_cards(view: Any, seat: int) -> int:
    """The next seat clockwise that has cards; somebody has."""
    seat = left_of(view, seat)
    while view.cards_left[seat] == 0:
        seat = left_of(view, seat)
    return seat


@helper
def seat_before(view: Any, seat: int) -> int:
    """The last seat with cards that plays before this one would, were this one to lead."""
    found = seat
    each = next_with_cards(view, seat)
    while each != seat:
        found = each
        each = next_with_cards(view, each)
    return found


@helper
def boil_wisher(view: Any) -> int:
    """Whose task asks for a Boil Over of its own that the team can afford, or -1."""
    if view.slag_total + 1 >= view.slag_cap or view.boil_pending:
        return -1
    for place in range(view.drafted):
        owner = view.owner[place]
        if view.status[place] != Status.OPEN or view.cards_left[owner] == 0 or must_wait(view, place):
            continue
        family = FAMILY[view.task[place]]
        if family == Family.ONE_BOIL and view.slag[owner] == 0:
            return owner
        if family == Family.DEED and PARAMETER[view.task[place]] == Deed.AFTER_BOIL and view.cards_left[owner] > 1:
            if left_of(view, owner) == view.sponge_seat and view.boil_over_timing == 0:
                # the Sponge would keep its card: let another push, after it
                return seat_before(view, owner)
            return owner
    return -1


class Purpose(IntEnum):
    """What the team is after."""

    NONE = 0
    TRICK = 1  # a trick for a seat
    BOIL = 2  # a Boil Over caused by a seat
    LEAD = 3  # the lead of a Transmute for a seat


@large_helper
def purpose(view: Any, ahead: Any) -> int:
    """What the team is after next, as everybody sees it: 8 * kind + seat."""
    boiler = boil_wisher(view)
    if boiler >= 0:
        return 8 * Purpose.BOIL + boiler
    best = -1
    most = 0.3
    seat = view.lead
    for _ in range(view.players):
        wish = hunger(view, seat, ahead)
        if wish > most:
            most = wish
            best = seat
        seat = left_of(view, seat)
    if best >= 0:
        return 8 * Purpose.TRICK + best
    for place in range(view.drafted):
        seat = view.owner[place]
        if view.status[place] == Status.OPEN and FAMILY[view.task[place]] == Family.LEAD_ONE:
            if view.transmutes_led[seat] == 0 and view.cards_left[seat] > 0:
                return 8 * Purpose.LEAD + seat
    return 0


@helper
def wanted_leader(view: Any, aim: int) -> int:
    """Who should lead next for a purpose, or -1."""
    if aim == 0:
        return -1
    seat = aim & 7
    if aim >> 3 != Purpose.BOIL:
        return seat
    # the one who is to push plays last, or last but for those who had better not lead
    leader = next_with_cards(view, seat)
    while leader != seat and must_not_lead(view, leader):
        leader = next_with_cards(view, leader)
    return leader


@helper
def must_not_fizzle(view: Any) -> bool:
    """Mission 3: whether a fizzle would complete a task too early."""
    if not view.ordered_tasks or view.task_order != 0:
        return False
    for place in range(view.drafted):
        task = view.task[place]
        if FAMILY[task] == Family.DEED and PARAMETER[task] == Deed.FIZZLE and view.status[place] == Status.OPEN:
            return must_wait(view, place)
    return False
