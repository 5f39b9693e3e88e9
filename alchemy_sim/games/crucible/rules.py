"""What a card counts and how high it ranks (Crucible 3 and 7): read by the kernel and by players alike."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ONE, ZERO
from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.cards import ALL_CATALYSTS, CATALYST, INGREDIENTS, RANK_OF, SUIT, SUIT_OF, bit
from alchemy_sim.games.crucible.disciplines import Discipline


@helper
def counted_value(view: Any, seat: int, face: int, power: int) -> int:
    """What a card adds to the total (Crucible 3 and 7)."""
    suit = SUIT_OF[face]
    if suit == CATALYST:
        if view.discipline[seat] == Discipline.VOID_WEAVER:
            return 0
        return view.catalyst_value if view.catalyst_value >= 0 else RANK_OF[face]
    if power == Discipline.PYROMANCER and suit == 0:
        return 0
    return RANK_OF[face]


@helper
def strength(view: Any, seat: int, face: int) -> int:
    """How high a card ranks: a Catalyst above the lead suit above nothing (Crucible 3)."""
    suit = SUIT_OF[face]
    if suit == CATALYST:
        return 0 if view.discipline[seat] == Discipline.VOID_WEAVER else 100 + RANK_OF[face]
    return RANK_OF[face] if suit == view.lead_suit else 0


@helper
def beating(view: Any, seat: int, faces: Any) -> Any:
    """Those of the faces that would be the highest card so far, if this seat followed with them."""
    best = view.best_strength
    catalysts = ZERO if view.discipline[seat] == Discipline.VOID_WEAVER else faces & ALL_CATALYSTS
    if best >= 100:
        return catalysts & ~((bit(INGREDIENTS + best - 101) << ONE) - ONE)
    suit = view.lead_suit
    if suit == CATALYST:  # led by the Void Weaver
        return catalysts
    above = faces & SUIT[suit]
    if best > 0:
        above &= ~((bit(9 * suit + best - 1) << ONE) - ONE)
    return catalysts | above
