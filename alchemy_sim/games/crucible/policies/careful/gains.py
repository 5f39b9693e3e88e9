"""What a trick is worth to the team if a seat wins it: public facts only, so every player works out the same."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.games.crucible.judge import earlier_open
from alchemy_sim.games.crucible.policies.careful.needs import goal_of, spare
from alchemy_sim.games.crucible.policies.careful.weights import Weight
from alchemy_sim.games.crucible.policies.wishes import IN_CAULDRON, owns_open
from alchemy_sim.games.crucible.table import Status, left_of
from alchemy_sim.games.crucible.tasks import BOUND, FAMILY, PARAMETER, Deed, Family, largest_hand

#: Deeds that depend on what is in the cauldron, its total included.
CAULDRON_DEEDS = IN_CAULDRON | 1 << Deed.SUM_22
#: Deeds of the cards in the winner's pile, which a Hoarder may take (T07 to T22).
OF_CARDS = (1 << (Deed.ONE + 1)) - 1
#: Deeds that only Transmutes do.
BY_TRANSMUTE = 1 << Deed.HIGH | 1 << Deed.LOW | 1 << Deed.FIZZLE


@helper
def weight(view: Any, which: int) -> float:
    """One of the asked player's weights."""
    return view.weights[view.me, which]


@helper
def must_wait(view: Any, place: int) -> bool:
    """Mission 3: whether an earlier task that binds the order is still open."""
    return view.ordered_tasks == 1 and BOUND[view.task[place]] == 1 and earlier_open(view, place)


@helper
def count_gain(view: Any, won: int, aim: int) -> float:
    """One more trick for a task that wants exactly `aim` of them."""
    if won >= aim:
        return -weight(view, Weight.FAIL)
    return weight(view, Weight.STEP)


@large_helper
def task_gain(view: Any, place: int, seat: int, deeds: int, hands: int, ahead: int) -> float:
    """What it does to one open task if `seat` wins a trick that does `deeds` (bits of `Deed`, surely done).

    `hands`: the largest hand.
    """
    task = view.task[place]
    owner = view.owner[place]
    family = FAMILY[task]
    parameter = PARAMETER[task]
    fail = weight(view, Weight.FAIL)
    late = hands <= 2
    step = 0.5 * fail if late else weight(view, Weight.STEP)
    won = view.tricks[owner]
    mine = seat == owner
    if family == Family.DEED:
        if parameter == Deed.FIRST:
            if view.first_trick != -1:
                return 0.0
            return 1.0 if mine else -fail
        if not mine or (deeds >> parameter) & 1 == 0:
            return 0.0
        if must_wait(view, place):
            return -fail if view.task_order == 0 else 0.0
        return 1.0
    if family == Family.NO_DEED:
        return -fail if mine and (deeds >> parameter) & 1 else 0.0
    if family == Family.TRICKS:
        return count_gain(view, won, parameter) if mine else 0.0
    if family == Family.TRICKS_PLUS:
        if not mine:
            return 0.0
        return (-fail if must_wait(view, place) and won == 4 else step) if won < 5 else 0.0
    if family == Family.NONE_OF_THREE:
        if view.trick_count >= 3:
            return 0.0
        return -fail if mine else 0.1
    if family == Family.LAST:
        ending = hands <= 3
        if view.last_trick == owner:
            return 0.0 if mine else (-0.5 * fail if ending else -0.1)
        return (step if ending else 0.35) if mine else 0.0
    # a trick beyond a goal on which the owner's goal stands takes one more to make up for
    setback = -0.5 * fail if late else -0.25 - waste(view, ahead)
    needed = view.tricks[seat] < goal_of(ahead, seat)
    after = view.tricks[seat] + 1
    if family == Family.MORE:
        if mine:
            return step if needed else 0.1
        if seat != view.lead or needed:
            return 0.0
        return setback if goal_of(ahead, owner) <= after else -0.1
    if family == Family.FEWER:
        if seat == view.lead:
            return step if needed else 0.1
        if not mine or needed:
            return 0.0
        return setback if goal_of(ahead, view.lead) <= after else -0.1
    if family == Family.MOST:
        if mine:
            return step if needed else 0.1
        if needed:
            return 0.0
        return setback if goal_of(ahead, owner) <= after else -0.1
    if family == Family.SAME:
        left = left_of(view, owner)
        if owner == view.sponge_seat or left == view.sponge_seat:
            # no trick of the one means no trick of the other
            return -fail if mine or seat == left else 0.0
        apart = won - view.tricks[left]
        if mine or seat == left:
            if apart != 0 and mine == (apart < 0):
                return step
            return 0.0 if needed else setback
    return 0.0


@helper
def waste(view: Any, ahead: int) -> float:
    """What a reaction costs that uses up cards and brings nothing."""
    slack = spare(ahead)
    if slack < 0 or not unhurried(view):
        return 0.0  # nothing to lose, or cards must leave play before the reactions run out
    return weight(view, Weight.WASTE) / (slack + 0.5)


@helper
def must_not_lead(view: Any, seat: int) -> bool:
    """Whether it would hurt if the seat had to lead a Transmute."""
    return seat == view.sponge_seat or (view.transmutes_led[seat] == 1 and owns_open(view, seat, Family.LEAD_ONE))


@large_helper
def trick_gain(view: Any, seat: int, deeds: int, ahead: int) -> float:
    """What it is worth to the team if `seat` wins a trick that does `deeds`; `ahead`: the `outlook`."""
    if seat == view.sponge_seat:
        return -weight(view, Weight.FAIL)
    gain = 0.0
    if view.sponge_seat >= 0 and must_not_lead(view, seat):
        gain -= 0.4  # it would have to Catalyze next, which the Sponge fears
    hands = largest_hand(view)
    for place in range(view.drafted):
        if view.status[place] == Status.OPEN:
            gain += task_gain(view, place, seat, deeds, hands, ahead)
    if gain <= 0.0:
        gain -= waste(view, ahead)
    return gain


@large_helper
def card_gain(view: Any, seat: int, deeds: int, ahead: int) -> float:
    """What it is worth to the team if cards that do `deeds` go to a seat's pile, whoever wins the trick (Hoarder)."""
    gain = 0.0
    hands = largest_hand(view)
    for place in range(view.drafted):
        if view.status[place] == Status.OPEN and view.owner[place] == seat and PARAMETER[view.task[place]] <= Deed.ONE:
            if FAMILY[view.task[place]] <= Family.NO_DEED:
                gain += task_gain(view, place, seat, deeds, hands, ahead)
    return gain


@large_helper
def pile_gain(view: Any, winner: int, deeds: int, ahead: int) -> float:
    """What a trick is worth that `winner` wins, where a Hoarder may have claimed the cards."""
    hoarder = view.hoarder
    if hoarder < 0 or hoarder == winner:
        return trick_gain(view, winner, deeds, ahead)
    if view.hoarder_takes == 1:
        return trick_gain(view, hoarder, deeds, ahead)
    return trick_gain(view, winner, deeds & ~OF_CARDS, ahead) + card_gain(view, hoarder, deeds, ahead)


@helper
def wished_deeds(view: Any, seat: int) -> int:
    """Deeds that a seat's open tasks ask of a trick, where the order of tasks lets them."""
    if not view.ordered_tasks:
        return view.wanted[seat] & ~BY_TRANSMUTE
    deeds = 0
    for place in range(view.drafted):
        task = view.task[place]
        if view.status[place] == Status.OPEN and view.owner[place] == seat and FAMILY[task] == Family.DEED:
            if not must_wait(view, place):
                deeds |= 1 << PARAMETER[task]
    return deeds & ~BY_TRANSMUTE


@large_helper
def hunger(view: Any, seat: int, ahead: int) -> float:
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
def purpose(view: Any, ahead: int) -> int:
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
def unhurried(view: Any) -> bool:
    """Whether reactions are left over for Transmutes that use up no cards."""
    return view.max_reactions - view.reaction > 2 * largest_hand(view)


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
