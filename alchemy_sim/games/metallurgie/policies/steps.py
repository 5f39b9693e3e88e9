"""How players answer from their plan."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import integer
from alchemy_sim.core.jit import helper
from alchemy_sim.games.metallurgie.names import IRON
from alchemy_sim.games.metallurgie.plan import step_metal, step_where
from alchemy_sim.games.metallurgie.table import STOP, place_code


@helper
def next_step(view: Any, plan: Any) -> int:
    """The answer to PLACE that the plan has for this turn: its next card, or STOP."""
    if plan.done == plan.number:
        return STOP
    metal, where = step_metal(plan.steps[plan.done]), step_where(plan.steps[plan.done])
    plan.done += 1
    return place_code(metal, -1 - integer(view.pattern.grid[where]) if metal == IRON else where)
