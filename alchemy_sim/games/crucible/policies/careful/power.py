"""When to use a discipline."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.jit import large_helper, stack_floats
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.policies.careful.chances import SUMS, at_most, ducked_sums
from alchemy_sim.games.crucible.policies.careful.gains import Purpose, purpose, trick_gain
from alchemy_sim.games.crucible.policies.careful.lead import USE_POWER
from alchemy_sim.games.crucible.policies.powers import least_legal_value, thumb_power
from alchemy_sim.games.crucible.table import Intent
from alchemy_sim.games.crucible.tasks import face_deeds


@large_helper
def hoards(view: Any) -> int:
    """1 if the Sponge's tasks wish a card in the cauldron: the Hoarder takes it without winning the trick."""
    there = face_deeds(view)
    me = view.me
    if view.hoarder_takes == 1 or view.exploded or view.wanted[me] & there == 0 or view.barred[me] & there:
        return 0
    sums = stack_floats(SUMS)
    ducked_sums(view, view.lead_suit, sums)
    return 1 if at_most(sums, view.limit_now - view.total - least_legal_value(view)) > 0.8 else 0


@large_helper
def careful_power(view: Any) -> int:
    """1 to use the own discipline now: when it decides whether the cauldron boils over, or a wanted Transmute."""
    if view.intent == Intent.TRANSMUTE:
        return thumb_power(view)
    if view.discipline[view.me] == Discipline.HOARDER and view.me == view.sponge_seat:
        return hoards(view)
    if view.plays == 0:
        return 1 if view.plan >= 0 and view.plan & USE_POWER else 0
    discipline = view.discipline[view.me]
    raises = discipline == Discipline.PURIFIER or discipline == Discipline.STABILIZER
    if view.exploded or not raises or purpose(view) >> 3 == Purpose.BOIL:
        return thumb_power(view)
    if view.best_seat >= 0 and trick_gain(view, view.best_seat, face_deeds(view)) < -1.0:
        return 0  # better a Boil Over than that trick
    sums = stack_floats(SUMS)
    ducked_sums(view, view.lead_suit, sums)
    room = view.limit_now - view.total - least_legal_value(view)
    safe = at_most(sums, room)
    if discipline == Discipline.PURIFIER:
        return 1 if safe < 0.4 else 0
    return 1 if at_most(sums, room + 3) > safe + 0.3 else 0
