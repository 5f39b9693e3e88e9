"""What a trick is worth to the team if a seat wins it: public facts only, so every player works out the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.games.crucible.judge import earlier_open
from alchemy_sim.games.crucible.policies.careful.needs import set_goals, spare_reactions
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
#: Where `look_ahead` puts everybody's goal of tricks, what winning any trick is worth by seat, deeds that must wait for
#: their turn (mission 3), and what a reaction that brings nothing costs.
GOAL = 0
BASE = 5
WAITING = 10
WASTE = 15
AHEAD = 16


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
def task_gain(view: Any, place: int, seat: int, hands: int, ahead: Any) -> float:
    """What it does to one open task if `seat` wins a trick, whatever is in it; `hands`: the largest hand."""
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
        if parameter != Deed.FIRST or view.first_trick != -1:
            return 0.0
        return 1.0 if mine else -fail
    if family == Family.NO_DEED:
        return 0.0
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
    setback = -0.5 * fail if late else -0.25 - ahead[WASTE]
    needed = view.tricks[seat] < ahead[GOAL + seat]
    after = view.tricks[seat] + 1
    if family == Family.MORE:
        if mine:
            return step if needed else 0.0
        if seat != view.lead or needed:
            return 0.0
        return setback if ahead[GOAL + owner] <= after else -0.1
    if family == Family.FEWER:
        if seat == view.lead:
            return step if needed else 0.0
        if not mine or needed:
            return 0.0
        return setback if ahead[GOAL + view.lead] <= after else -0.1
    if family == Family.MOST:
        if mine:
            return step if needed else 0.0
        if needed:
            return 0.0
        return setback if ahead[GOAL + owner] <= after else -0.1
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
def unhurried(view: Any) -> bool:
    """Whether reactions are left over for Transmutes that use up no cards."""
    return view.max_reactions - view.reaction > 2 * largest_hand(view)


@helper
def must_not_lead(view: Any, seat: int) -> bool:
    """Whether it would hurt if the seat had to lead a Transmute."""
    return seat == view.sponge_seat or (view.transmutes_led[seat] == 1 and owns_open(view, seat, Family.LEAD_ONE))


@large_helper
def look_ahead(view: Any, ahead: Any) -> None:
    """Work out once a decision what all gains rest on: `AHEAD` numbers, at the places named above."""
    set_goals(view, ahead)
    slack = spare_reactions(view, ahead)
    # a reaction that uses up cards and brings nothing: for nothing where none can be spared, or cards must leave play
    ahead[WASTE] = weight(view, Weight.WASTE) / (slack + 0.5) if slack >= 0 and unhurried(view) else 0.0
    hands = largest_hand(view)
    for seat in range(view.players):
        # who must not lead would have to Catalyze next, which the Sponge fears
        gain = -0.4 if view.sponge_seat >= 0 and must_not_lead(view, seat) else 0.0
        for place in range(view.drafted):
            if view.status[place] == Status.OPEN:
                gain += task_gain(view, place, seat, hands, ahead)
        ahead[BASE + seat] = gain
        ahead[WAITING + seat] = 0.0
    if view.ordered_tasks:
        for place in range(view.drafted):
            task = view.task[place]
            if view.status[place] == Status.OPEN and FAMILY[task] == Family.DEED and must_wait(view, place):
                ahead[WAITING + view.owner[place]] += float(1 << PARAMETER[task])


@helper
def deeds_gain(view: Any, seat: int, deeds: int, ahead: Any) -> float:
    """What deeds of a seat (bits of `Deed`, surely done) are worth to its own tasks; the first trick apart."""
    wanted = view.wanted[seat] & deeds & ~(1 << Deed.FIRST)
    spoiled = view.barred[seat] & deeds
    if view.ordered_tasks:
        waiting = wanted & int(ahead[WAITING + seat])
        wanted &= ~waiting
        if view.task_order == 0:
            spoiled |= waiting
    return popcount(np.uint64(wanted)) - weight(view, Weight.FAIL) * popcount(np.uint64(spoiled))


@helper
def trick_gain(view: Any, seat: int, deeds: int, ahead: Any) -> float:
    """What it is worth to the team if `seat` wins a trick that does `deeds`; `ahead`: of `look_ahead`."""
    if seat == view.sponge_seat:
        return -weight(view, Weight.FAIL)
    gain = ahead[BASE + seat] + deeds_gain(view, seat, deeds, ahead)
    return gain - ahead[WASTE] if gain <= 0.0 else gain


@large_helper
def pile_gain(view: Any, winner: int, deeds: int, ahead: Any) -> float:
    """What a trick is worth that `winner` wins, where a Hoarder may have claimed the cards."""
    hoarder = view.hoarder
    if hoarder < 0 or hoarder == winner:
        return trick_gain(view, winner, deeds, ahead)
    if view.hoarder_takes == 1:
        return trick_gain(view, hoarder, deeds, ahead)
    return trick_gain(view, winner, deeds & ~OF_CARDS, ahead) + deeds_gain(view, hoarder, deeds & OF_CARDS, ahead)


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
