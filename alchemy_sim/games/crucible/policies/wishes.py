"""What a seat wishes of the trick in the cauldron, from public facts: its open tasks and the cards played so far."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.table import Status, left_of
from alchemy_sim.games.crucible.tasks import FAMILY, PARAMETER, Deed, Family, first_three_over

#: A trick that would make a task impossible; one that it needs; one that would help.
NEVER = -20
NEEDS = 6
LIKES = 3


#: Deeds that winning the trick in the cauldron does when they are in it (not those of timing or of Transmutes).
IN_CAULDRON = (1 << (Deed.ONE + 1)) - 1 | sum(
    1 << deed for deed in (Deed.TWO_MANDRAKE, Deed.THREE_OF_A_SUIT, Deed.TWO_CATALYSTS, Deed.ALL_LOW)
)
#: Deeds done by winning a trick at all.
BY_TRICK = IN_CAULDRON | 1 << Deed.FIRST | 1 << Deed.AFTER_BOIL | 1 << Deed.SUM_22


@helper
def base_wish(view: Any, seat: int) -> int:
    """How much a seat wishes any trick, by its open tasks that count tricks or look at when they are won."""
    if seat == view.sponge_seat:
        return 2 * NEVER
    wanted = view.wanted[seat]
    total = -popcount(np.uint64(view.barred[seat]))
    if wanted & (1 << Deed.FIRST):
        total += 2 * NEEDS
    if wanted & (1 << Deed.AFTER_BOIL) and view.boil_pending:
        total += 2 * NEEDS
    if wanted & (1 << Deed.SUM_22):
        total += NEEDS if view.total == 22 else 1
    if view.counting[seat] == 0:
        return total
    won = view.tricks[seat]
    for place in range(view.drafted):
        if view.owner[place] != seat or view.status[place] != Status.OPEN:
            continue
        task = view.task[place]
        family = FAMILY[task]
        if family == Family.TRICKS:
            total += LIKES if won < PARAMETER[task] else NEVER
        elif family == Family.TRICKS_PLUS:
            total += LIKES
        elif family == Family.NONE_OF_THREE:
            total += 0 if first_three_over(view) else NEVER
        elif family == Family.LAST:
            total += LIKES if view.cards_left[seat] <= 2 else 0
        elif family == Family.MORE or family == Family.MOST:
            total += LIKES - 1
        elif family == Family.FEWER:
            total -= LIKES
        elif family == Family.SAME:
            behind = view.tricks[left_of(view, seat)] - won
            total += LIKES if behind > 0 else (-LIKES if behind < 0 else -1)
    return total


@helper
def wish_for(view: Any, seat: int, deeds: int) -> int:
    """What the deeds in the cauldron add to a seat's wish."""
    gained = popcount(np.uint64(view.wanted[seat] & IN_CAULDRON & deeds))
    spoiled = popcount(np.uint64(view.barred[seat] & deeds))
    return NEEDS * gained + NEVER * spoiled


@helper
def needs_tricks(view: Any, seat: int) -> bool:
    """Whether an open task of the seat can only be completed by winning a trick, or by the Lead or others winning."""
    if view.wanted[seat] & BY_TRICK:
        return True
    if view.counting[seat] == 0:
        return False
    won = view.tricks[seat]
    for place in range(view.drafted):
        if view.owner[place] != seat or view.status[place] != Status.OPEN:
            continue
        task = view.task[place]
        family = FAMILY[task]
        if family == Family.TRICKS:
            if won < PARAMETER[task]:
                return True
        elif family == Family.TRICKS_PLUS or family == Family.LAST:
            return True
        elif family == Family.MORE:
            if won <= view.tricks[view.lead]:
                return True
        elif family == Family.FEWER:
            if won >= view.tricks[view.lead]:
                return True
        elif family == Family.MOST:
            for other in range(view.players):
                if other != seat and won <= view.tricks[other]:
                    return True
        elif family == Family.SAME:
            if won != view.tricks[left_of(view, seat)]:
                return True
    return False


@helper
def owns_open(view: Any, seat: int, family: int) -> bool:
    """Whether the seat has an open task of this family."""
    for place in range(view.drafted):
        if view.owner[place] == seat and view.status[place] == Status.OPEN and FAMILY[view.task[place]] == family:
            return True
    return False


@helper
def wanted_by_any(view: Any) -> int:
    """The deeds that open tasks of any seat ask for."""
    deeds = 0
    for seat in range(view.players):
        deeds |= view.wanted[seat]
    return deeds


@helper
def to_come(view: Any) -> int:
    """How many players with cards still play after the asked one."""
    return view.active - view.plays - 1
