"""How many tricks the open tasks still ask for, and how many reactions can be spared."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.jit import large_helper
from alchemy_sim.games.crucible.policies.wishes import BY_TRICK
from alchemy_sim.games.crucible.table import Status, left_of
from alchemy_sim.games.crucible.tasks import FAMILY, PARAMETER, Family, largest_hand


@large_helper
def set_goals(view: Any, goal: Any) -> None:
    """The fewest tricks by seat with which all open tasks would be complete, as far as that can be: `goal[seat]`."""
    for seat in range(view.players):
        goal[seat] = view.tricks[seat] + (1.0 if view.wanted[seat] & BY_TRICK else 0.0)
    compared = False
    for place in range(view.drafted):
        if view.status[place] != Status.OPEN:
            continue
        owner = view.owner[place]
        family = FAMILY[view.task[place]]
        if family == Family.TRICKS:
            goal[owner] = max(goal[owner], float(PARAMETER[view.task[place]]))
        elif family == Family.TRICKS_PLUS:
            goal[owner] = max(goal[owner], 5.0)
        elif family == Family.LAST:
            if view.last_trick != owner:
                goal[owner] = max(goal[owner], view.tricks[owner] + 1.0)
        elif family >= Family.MORE:
            compared = True
    if not compared:
        return
    for _ in range(2):
        for place in range(view.drafted):
            if view.status[place] != Status.OPEN:
                continue
            owner = view.owner[place]
            family = FAMILY[view.task[place]]
            if family == Family.MORE:
                goal[owner] = max(goal[owner], goal[view.lead] + 1.0)
            elif family == Family.FEWER:
                goal[view.lead] = max(goal[view.lead], goal[owner] + 1.0)
            elif family == Family.MOST:
                for each in range(view.players):
                    if each != owner:
                        goal[owner] = max(goal[owner], goal[each] + 1.0)
            elif family == Family.SAME:
                left = left_of(view, owner)
                goal[owner] = max(goal[owner], goal[left])
                goal[left] = max(goal[owner], goal[left])


@large_helper
def spare_reactions(view: Any, goal: Any) -> int:
    """The reactions that can go by without a trick that a task needs, by everybody's goal; -1: too few are left."""
    needed = 0
    slack = 20
    for seat in range(view.players):
        more = int(goal[seat]) - view.tricks[seat]
        needed += more
        if more > 0:
            slack = min(slack, view.cards_left[seat] - more)
    return max(min(slack, largest_hand(view) - needed), -1)
