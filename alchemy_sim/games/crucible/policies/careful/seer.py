"""The Seer: which tasks to swap."""

from __future__ import annotations

from math import exp
from typing import Any

from alchemy_sim.core.jit import large_helper
from alchemy_sim.games.crucible.policies.careful.draft import odds_of, together
from alchemy_sim.games.crucible.table import Status
from alchemy_sim.games.crucible.tasks import (
    FAMILY,
    PARAMETER,
    Deed,
    Family,
    first_three_over,
    fulfilled_at_end,
    largest_hand,
)

#: A swap must be worth so many tasks.
SWAP_FOR = 0.25


@large_helper
def prospect(view: Any, seat: int, task: int) -> float:
    """The chance, as things stand, that a seat would complete a task."""
    family = FAMILY[task]
    parameter = PARAMETER[task]
    won = view.tricks[seat]
    hands = largest_hand(view)
    if family == Family.DEED:
        if (view.deeds[seat] >> parameter) & 1:
            return 1.0
        if parameter == Deed.FIRST and view.first_trick != -1:
            return 0.0
    elif family == Family.NO_DEED:
        if (view.deeds[seat] >> parameter) & 1:
            return 0.0
    elif family == Family.TRICKS:
        if won > parameter or won + hands < parameter:
            return 0.0
    elif family == Family.TRICKS_PLUS:
        if won >= parameter or won + hands < parameter:
            return 1.0 if won >= parameter else 0.0
    elif family == Family.ONE_BOIL:
        if view.slag[seat] > 0:
            return 0.95 if view.slag[seat] == 1 else 0.0
    elif family == Family.LEAD_ONE:
        if view.transmutes_led[seat] > 0:
            return 0.9 if view.transmutes_led[seat] == 1 else 0.0
    elif family == Family.NONE_OF_THREE:
        if view.deeds[seat] & (1 << Deed.FIRST | 1 << Deed.SECOND_OR_THIRD):
            return 0.0
        if first_three_over(view):
            return 1.0
    elif (family == Family.MORE or family == Family.FEWER) and seat == view.lead:
        return 0.0
    if hands <= 2:
        return 0.9 if fulfilled_at_end(view, task, seat) else 0.2
    return 1.0 / (1.0 + exp(-odds_of(view, seat, task)))


@large_helper
def with_others(view: Any, seat: int, task: int, gone: int) -> float:
    """How a task goes with the other open tasks of a seat, of which it gives one away (its place)."""
    found = 0.0
    for place in range(view.drafted):
        if place != gone and view.owner[place] == seat and view.status[place] == Status.OPEN:
            found += max(together(view, seat, task, seat, view.task[place]), -1.0)
    return found


@large_helper
def careful_swap(view: Any) -> int:
    """The best swap of an own open task with another player's: 64 * own place + the other's, or -1."""
    if view.ordered_tasks:
        return -1  # what a swap completes at once may come too early
    me = view.me
    best = -1
    most = SWAP_FOR
    for mine in range(view.drafted):
        if view.owner[mine] != me or view.status[mine] != Status.OPEN:
            continue
        task = view.task[mine]
        kept = prospect(view, me, task) + with_others(view, me, task, mine)
        for theirs in range(view.drafted):
            owner = view.owner[theirs]
            if owner == me or view.status[theirs] != Status.OPEN:
                continue
            other = view.task[theirs]
            worth = prospect(view, owner, task) + with_others(view, owner, task, theirs) - kept
            worth += prospect(view, me, other) + with_others(view, me, other, mine)
            worth -= prospect(view, owner, other) + with_others(view, owner, other, theirs)
            if worth > most:
                most = worth
                best = 64 * mine + theirs
    return best
