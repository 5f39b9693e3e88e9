"""Rules of thumb for disciplines: a power is used when it decides something."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ONE, ZERO, lowest
from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.cards import SUIT, legal_faces
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.policies.lead import team_needs_success
from alchemy_sim.games.crucible.policies.wishes import owns_open, to_come
from alchemy_sim.games.crucible.rules import counted_value
from alchemy_sim.games.crucible.table import Intent
from alchemy_sim.games.crucible.tasks import Deed, Family


@helper
def wants_boil(view: Any) -> bool:
    """Whether the asked player's own tasks want a Boil Over that the team can afford."""
    if view.slag_total + 1 >= view.slag_cap:
        return False
    if view.boil_pending == 0 and view.wanted[view.me] & (1 << Deed.AFTER_BOIL):
        return True
    return view.slag[view.me] == 0 and owns_open(view, view.me, Family.ONE_BOIL)


@helper
def least_legal_value(view: Any) -> int:
    """The least that the asked player can add, before a power; `view.legal` is not set yet when powers are asked."""
    legal = legal_faces(view.hand, view.lead_suit)
    least = 99
    while legal != ZERO:
        least = min(least, counted_value(view, view.me, lowest(legal), -1))
        legal &= legal - ONE
    return least


@helper
def thumb_power(view: Any) -> int:
    """Use the power when it decides something: a Boil Over saved, a wanted Transmute turned."""
    discipline = view.discipline[view.me]
    if view.intent == Intent.CATALYZE:
        total = view.total + least_legal_value(view)
        if view.exploded or total <= view.limit_now or wants_boil(view):
            return 0
        if discipline == Discipline.PURIFIER:
            return 1
        if discipline == Discipline.STABILIZER:
            return 1 if total <= view.limit_now + 3 else 0
        if discipline == Discipline.PYROMANCER:
            suit = view.lead_suit
            follows = suit <= 0 or view.hand & SUIT[suit] == ZERO
            return 1 if follows and view.hand & SUIT[0] != ZERO else 0
        return 0
    if not team_needs_success(view) or to_come(view) > 0:
        return 0
    missing = view.target_now - view.total - 9
    if discipline == Discipline.METALLURGIST:
        return 1 if 0 < missing <= 5 else 0
    if discipline == Discipline.TRANSMUTER:
        return 1 if missing > 0 else 0
    return 0
