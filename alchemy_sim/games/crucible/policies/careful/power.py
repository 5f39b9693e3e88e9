"""When to use a discipline."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ONE, ZERO, lowest
from alchemy_sim.core.jit import large_helper, stack_floats
from alchemy_sim.games.crucible.cards import bit, legal_faces
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.policies.careful.chances import SUMS, at_most, ducked_sums
from alchemy_sim.games.crucible.policies.careful.exact import (
    FOR_HIGH,
    HITS,
    NOBODY,
    NONE_YET,
    chance_22,
    hope,
    owner_of_22,
    raises_by,
    reserved,
)
from alchemy_sim.games.crucible.policies.careful.gains import Purpose, purpose, trick_gain
from alchemy_sim.games.crucible.policies.careful.lead import USE_POWER
from alchemy_sim.games.crucible.policies.powers import least_legal_value, thumb_power
from alchemy_sim.games.crucible.rules import beating, counted_value, strength
from alchemy_sim.games.crucible.table import Intent
from alchemy_sim.games.crucible.tasks import face_deeds


@large_helper
def chance_with(view: Any, limit: int) -> float:
    """The chance that the asked player's best card leads to a wanted total of 22 under a limit."""
    owner = owner_of_22(view)
    hit = stack_floats(HITS)
    hit[FOR_HIGH] = NONE_YET
    most = 0.0
    suit = view.lead_suit
    legal = legal_faces(view.hand, suit)
    winning = beating(view, view.me, legal)
    while legal != ZERO:
        face = lowest(legal)
        legal &= legal - ONE
        total = view.total + counted_value(view, view.me, face, -1)
        takes = winning & bit(face) != ZERO
        holder = view.me if takes else view.best_seat
        high = strength(view, view.me, face) if takes else view.best_strength
        most = max(most, chance_22(view, owner, suit, total, high, holder, limit, hit))
    return most


@large_helper
def careful_power(view: Any) -> int:
    """1 to use the own discipline now: when it decides whether the cauldron boils over, or a wanted Transmute."""
    if view.intent == Intent.TRANSMUTE:
        return thumb_power(view)
    if view.plays == 0:
        return 1 if view.plan >= 0 and view.plan & USE_POWER else 0
    discipline = view.discipline[view.me]
    raises = discipline == Discipline.PURIFIER or discipline == Discipline.STABILIZER
    if view.exploded or not raises or purpose(view) >> 3 == Purpose.BOIL:
        return thumb_power(view)
    if view.limit_now < 22 and owner_of_22(view) != NOBODY and view.limit_now + raises_by(view, view.me) >= 22:
        only = reserved(view, view.me)
        if chance_with(view, view.limit_now + raises_by(view, view.me)) > max(
            hope(view) if only else 0.5, chance_with(view, view.limit_now)
        ):
            return 1
        if only:
            return 0
    if view.best_seat >= 0 and trick_gain(view, view.best_seat, face_deeds(view)) < -1.0:
        return 0  # better a Boil Over than that trick
    sums = stack_floats(SUMS)
    ducked_sums(view, view.lead_suit, sums)
    room = view.limit_now - view.total - least_legal_value(view)
    safe = at_most(sums, room)
    if discipline == Discipline.PURIFIER:
        return 1 if safe < 0.4 else 0
    return 1 if at_most(sums, room + 3) > safe + 0.3 else 0
