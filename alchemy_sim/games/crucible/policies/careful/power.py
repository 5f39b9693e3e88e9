"""When to use a discipline."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ONE, ZERO, lowest
from alchemy_sim.core.jit import large_helper
from alchemy_sim.core.room import stack_floats
from alchemy_sim.games.crucible.cards import SUIT, bit, legal_faces
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.policies.careful.chances import SUMS, at_most, ducked_sums
from alchemy_sim.games.crucible.policies.careful.common import USE_POWER, slag_cost
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
from alchemy_sim.games.crucible.policies.careful.gains import (
    AHEAD,
    OF_CARDS,
    deeds_gain,
    look_ahead,
    trick_gain,
)
from alchemy_sim.games.crucible.policies.careful.purpose import (
    Purpose,
    purpose,
)
from alchemy_sim.games.crucible.policies.powers import least_legal_value, thumb_power
from alchemy_sim.games.crucible.policies.wishes import to_come
from alchemy_sim.games.crucible.rules import beating, counted_value, strength
from alchemy_sim.games.crucible.table import Intent
from alchemy_sim.games.crucible.tasks import face_deeds

BRIMSTONE = 0


@large_helper
def takes_cards(view: Any, ahead: Any) -> bool:
    """Whether the Hoarder's own tasks gain from the cards in the cauldron, or those of who would win them lose."""
    deeds = face_deeds(view)
    gain = deeds_gain(view, view.me, deeds & OF_CARDS, ahead)
    if view.best_seat >= 0:
        gain -= min(deeds_gain(view, view.best_seat, deeds & OF_CARDS, ahead), 1.0 if to_come(view) == 0 else 0.0)
    if gain < 0.7:
        return False
    wins = to_come(view) == 0 and beating(view, view.me, legal_faces(view.hand, view.lead_suit)) != ZERO
    return not wins or trick_gain(view, view.me, deeds, ahead) < gain


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
    """1 to use the own discipline now: when it decides whether the cauldron boils over, or a wanted Transmute.

    A follower notes in the plan that the power is used.
    """
    if view.intent == Intent.TRANSMUTE:
        return thumb_power(view)
    if view.discipline[view.me] == Discipline.HOARDER and view.me == view.sponge_seat:
        return hoards(view)
    if view.plays == 0:
        return 1 if view.plan >= 0 and view.plan & USE_POWER else 0
    discipline = view.discipline[view.me]
    if view.exploded or (discipline > Discipline.PYROMANCER and discipline != Discipline.HOARDER):
        return 0
    ahead = stack_floats(AHEAD)
    look_ahead(view, ahead)
    aim = purpose(view, ahead)
    if aim >> 3 == Purpose.BOIL:
        return thumb_power(view)
    if view.limit_now < 22 and owner_of_22(view) != NOBODY and view.limit_now + raises_by(view, view.me) >= 22:
        only = reserved(view, view.me)
        if chance_with(view, view.limit_now + raises_by(view, view.me)) > max(
            hope(view) if only else 0.5, chance_with(view, view.limit_now)
        ):
            return 1
        if only:
            return 0
    if discipline == Discipline.HOARDER and not takes_cards(view, ahead):
        return 0
    if discipline == Discipline.PYROMANCER:
        follows = view.hand & SUIT[view.lead_suit] != ZERO
        if view.hand & SUIT[BRIMSTONE] == ZERO or (follows and view.lead_suit != BRIMSTONE):
            return 0
    elif discipline != Discipline.HOARDER:
        legal = legal_faces(view.hand, view.lead_suit)
        forced = legal & ~beating(view, view.me, legal) == ZERO
        holder = view.me if forced or view.best_seat < 0 else view.best_seat
        if trick_gain(view, holder, face_deeds(view), ahead) + slag_cost(view, aim) < 0.0:
            return 0  # better a Boil Over than that trick
    sums = stack_floats(SUMS)
    ducked_sums(view, view.lead_suit, sums)
    least = least_legal_value(view)
    room = view.limit_now - view.total - least
    safe = at_most(sums, room)
    if discipline == Discipline.HOARDER:
        return 1 if safe > 0.8 else 0
    if discipline == Discipline.PURIFIER:
        return 1 if safe < 0.4 else 0
    more = 3 if discipline == Discipline.STABILIZER else least
    if at_most(sums, room + more) <= safe + 0.3:
        return 0
    view.plan = USE_POWER
    return 1
