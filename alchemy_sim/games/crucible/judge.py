"""Judging tasks after the draft, after each reaction and at the end, in draft order (Crucible 4, 5 and 8)."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.log import Event, note
from alchemy_sim.games.crucible.sharp import provably_impossible
from alchemy_sim.games.crucible.table import Status
from alchemy_sim.games.crucible.tasks import (
    BOUND,
    FAMILY,
    PARAMETER,
    STANDING,
    Family,
    deed_barred,
    fulfilled_at_end,
    look_at_hands,
    verdict,
)


@helper
def earlier_open(view: Any, place: int) -> bool:
    """Whether a task that binds the order stands before `place` and is not complete (mission 3)."""
    for other in range(place):
        if BOUND[view.task[other]] and view.status[other] != Status.COMPLETE:
            return True
    return False


@helper
def happened_since(view: Any, table: Any, place: int) -> bool:
    """`deferred`: whether the event happened in or after the reaction in which the last earlier task completed."""
    deed = PARAMETER[view.task[place]]
    return table.deed_reaction[view.owner[place], deed] >= table.enabled_at[place]


@helper
def in_order(view: Any, table: Any, place: int, status: int) -> int:
    """What mission 3's order makes of a bound task's status while cards are left (Crucible 8, `task_order`)."""
    blocked = earlier_open(view, place)
    if view.task_order == 0:
        return Status.IMPOSSIBLE if status == Status.COMPLETE and blocked else status
    if not blocked and table.enabled_at[place] < 0:
        table.enabled_at[place] = view.reaction
    if status != Status.COMPLETE:
        return status
    task = view.task[place]
    if FAMILY[task] != Family.DEED or STANDING[PARAMETER[task]]:
        return Status.OPEN if blocked else Status.COMPLETE
    if not blocked and happened_since(view, table, place):
        return Status.COMPLETE
    # it must happen again, if it still can
    hopeless = deed_barred(view, table, PARAMETER[task], view.owner[place])
    return Status.IMPOSSIBLE if hopeless else Status.OPEN


@helper
def settle(view: Any, table: Any, place: int, status: int) -> None:
    """Give a task its status and write it down."""
    view.status[place] = status
    table.tasks_changed = 1
    table.settled_reaction[place] = view.reaction
    note(table, Event.TASK, view.reaction, view.task[place], view.owner[place], status, 0)


@helper
def first_impossible(view: Any) -> int:
    """The place of the first impossible task, or -1."""
    for place in range(view.drafted):
        if view.status[place] == Status.IMPOSSIBLE:
            return place
    return -1


@helper
def judge(view: Any, table: Any) -> None:
    """Judge every open task while cards are left."""
    look_at_hands(view, table)
    for place in range(view.drafted):
        if view.status[place] != Status.OPEN:
            continue
        task = view.task[place]
        status = verdict(view, table, task, view.owner[place])
        if view.ordered_tasks and BOUND[task]:
            status = in_order(view, table, place, status)
        if status == Status.OPEN and view.impossible_test == 1 and provably_impossible(view, task, view.owner[place]):
            status = Status.IMPOSSIBLE
        if status != Status.OPEN:
            settle(view, table, place, status)


@helper
def judge_at_end(view: Any, table: Any) -> None:
    """Judge every task still open when no card is left: complete or incomplete (Crucible 4)."""
    for place in range(view.drafted):
        if view.status[place] != Status.OPEN:
            continue
        task = view.task[place]
        done = fulfilled_at_end(view, task, view.owner[place])
        if done and view.ordered_tasks and BOUND[task]:
            done = in_order(view, table, place, Status.COMPLETE) == Status.COMPLETE
        settle(view, table, place, Status.COMPLETE if done else Status.INCOMPLETE)


@helper
def all_complete(view: Any) -> bool:
    """Whether every drafted task is complete."""
    for place in range(view.drafted):
        if view.status[place] != Status.COMPLETE:
            return False
    return True


@helper
def extra_goal_met(view: Any) -> bool:
    """Missions 2 and 10 (Crucible 8)."""
    if view.needs_transmute and view.transmutes_made == 0:
        return False
    return not view.needs_22_and_18 or (view.made_22 == 1 and view.made_18 == 1)
