"""What a card counts and how high it ranks (Crucible 3 and 7): read by the kernel and by players alike."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.cards import CATALYST, RANK_OF, SUIT_OF
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
