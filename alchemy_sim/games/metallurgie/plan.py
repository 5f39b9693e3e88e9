"""A player's note: what it means to do in this turn, and a sketch of the pattern on which it tries things out.

The sketch has the fields of a pattern that areas need (`layer`, `near`), so that what is asked of a pattern can be
asked of it, and those of a view that scoring needs (`touched`, `spent`). An iron that is tried takes the number of the
place that it would get on the table.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.games.metallurgie.config import MOST_HAND
from alchemy_sim.games.metallurgie.names import IRON, METALS, MOST_IRON
from alchemy_sim.games.metallurgie.pattern import LAYERS, SIDE, beside, bit

#: Cards of a turn at most: a full hand and the drawn one.
MOST_STEPS = MOST_HAND + 1
#: Turns of as many points that are kept.
MOST_TIES = 16
METAL_COUNT = len(METALS)
#: Numbers of cards of one metal that chances are worked out for, from none on.
COUNTS = MOST_HAND + 3
#: A step is _STEP times the metal, plus the place; of an iron, its spot in the grid.
_STEP = 1 << 15

PLAN = np.dtype(
    [
        ("turn", np.int64),  # the turn that `steps` are for, 0 none
        ("number", np.int64),
        ("done", np.int64),  # how many of them are placed
        ("steps", np.int64, (MOST_STEPS,)),
        ("best", np.int64),  # the points of `steps`
        ("gather", np.int64),  # 1: turns of as many points are kept too
        ("ties", np.int64),  # how many; of each the number of its cards, and the steps
        ("tie_number", np.int64, (MOST_TIES,)),
        ("tie_steps", np.int64, (MOST_TIES, MOST_STEPS)),
        ("nodes", np.int64),  # sets of cards to take away that were looked at
        ("given_up", np.int64),  # 1: there were more than are looked at
        ("layer", np.uint64, (LAYERS,)),
        ("near", np.uint64, (MOST_IRON,)),
        ("touched", np.uint64),
        ("spent", np.uint64),
        ("taking", np.uint64),  # the cards to take first in the best scoring phase from the sketch
        ("tried", np.int64),  # cards that lie on the sketch only; of each the step, its place, `touched` before it
        ("trial", np.int64, (MOST_STEPS,)),
        ("trial_place", np.int64, (MOST_STEPS,)),
        ("trial_touched", np.uint64, (MOST_STEPS,)),
        # what `outlook` weighs with
        ("unseen", np.float64, (METAL_COUNT,)),  # by metal: cards in other hands and the pile
        ("unknown", np.float64),  # these together
        ("chances", np.float64, (MOST_STEPS, METAL_COUNT, COUNTS)),  # of so many of a metal among so many of them
        # that so many of a metal are not among so many cards and the next one of the pile
        ("miss", np.float64, (MOST_STEPS, METAL_COUNT, COUNTS)),
        ("held", np.int64, (METAL_COUNT,)),  # by metal: cards left in the own hand
        ("short", np.int64, (METAL_COUNT,)),  # by metal: cards that an area lacks
        ("worth", np.float64, (METAL_COUNT,)),  # by metal: points that it may bring to complete it
        ("turned", np.int64),  # cards of the pile that are turned up in thought only
        ("weighed", np.int64),  # the turn that `drawn_step` is for, 0 none
        ("drawn_step", np.int64, (METAL_COUNT,)),  # by metal of the card drawn: where to place it
        ("value", np.float64, (2,)),  # of the best placing of a card drawn, and of one of the hand
        ("step", np.int64, (2,)),
        ("pile", np.int64, (METAL_COUNT,)),  # by metal: 1 if a card of it and one below it complete an area
    ],
    align=True,
)


@helper
def step_code(metal: int, where: int) -> int:
    """A card and where it goes: the place, or of an iron the spot."""
    return _STEP * metal + where


@helper
def step_metal(code: int) -> int:
    """The metal of a step."""
    return code // _STEP


@helper
def step_where(code: int) -> int:
    """The place of a step; of an iron the spot."""
    return code % _STEP


@large_helper
def begin_sketch(view: Any, plan: Any) -> None:
    """A sketch of the table as it is."""
    for metal in range(LAYERS):
        plan.layer[metal] = view.pattern.layer[metal]
    left = plan.layer[IRON]
    while left != ZERO:
        place = lowest(left)
        left &= left - ONE
        plan.near[place] = view.pattern.near[place]
    plan.touched, plan.spent = view.touched, view.spent
    plan.tried = 0


@helper
def are_beside(spot: int, other: int) -> bool:
    """Whether two spots are neighbours."""
    step = abs(spot - other)
    return step == 1 or step == SIDE or step == SIDE - 1


@helper
def was_tried(plan: Any, spot: int) -> bool:
    """Whether an iron lies on this spot of the sketch only."""
    for number in range(plan.tried):
        if plan.trial[number] == step_code(IRON, spot):
            return True
    return False


@helper
def near_free(plan: Any, near: Any, spot: int) -> Any:
    """The places of the sketch beside a free spot, which has those of `near` beside it on the table."""
    for number in range(plan.tried):
        code = plan.trial[number]
        if step_metal(code) == IRON and are_beside(spot, step_where(code)):
            near |= bit(plan.trial_place[number])
    return near


@large_helper
def near_spot(view: Any, plan: Any, spot: int) -> Any:
    """The places of the sketch beside a spot."""
    near = ZERO
    for way in range(6):
        there = integer(view.pattern.grid[spot + beside(way)])
        if there > 0:
            near |= bit(there - 1)
    return near_free(plan, near, spot)


@large_helper
def try_card(view: Any, plan: Any, metal: int, where: int) -> int:
    """Lay a card on the sketch (an iron on an empty spot, others on a place); its place."""
    place = where
    if metal == IRON:
        place, near = lowest(~plan.layer[IRON]), near_spot(view, plan, where)
        plan.near[place] = near
        while near != ZERO:
            plan.near[lowest(near)] |= bit(place)
            near &= near - ONE
    plan.trial[plan.tried] = step_code(metal, where)
    plan.trial_place[plan.tried] = place
    plan.trial_touched[plan.tried] = plan.touched
    plan.layer[metal] |= bit(place)
    plan.touched |= bit(place)
    plan.tried += 1
    return place


@large_helper
def take_back(plan: Any) -> None:
    """Take the card that was tried last off the sketch."""
    plan.tried -= 1
    place, metal = plan.trial_place[plan.tried], step_metal(plan.trial[plan.tried])
    plan.touched = plan.trial_touched[plan.tried]
    plan.layer[metal] &= ~bit(place)
    if metal == IRON:
        near = plan.near[place]
        while near != ZERO:
            plan.near[lowest(near)] &= ~bit(place)
            near &= near - ONE


@helper
def keep_trial(plan: Any, points: int) -> None:
    """What lies on the sketch is what to do; or a way of as many points, with no more cards."""
    if points > plan.best:
        plan.best, plan.number, plan.ties = points, plan.tried, 0
        for number in range(plan.tried):
            plan.steps[number] = plan.trial[number]
    if plan.gather and plan.ties < MOST_TIES:
        plan.tie_number[plan.ties] = plan.tried
        for number in range(plan.tried):
            plan.tie_steps[plan.ties, number] = plan.trial[number]
        plan.ties += 1


@helper
def interest(plan: Any, cards: int) -> int:
    """The points from which a turn of so many cards, or more, is of interest."""
    if plan.gather and plan.best > 0 and cards <= plan.number:
        return plan.best
    return plan.best + 1
