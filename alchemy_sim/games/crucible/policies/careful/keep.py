"""Which discipline to keep: by what each was measured to be worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ZERO, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.cards import ALL_CATALYSTS
from alchemy_sim.games.crucible.disciplines import Discipline

#: Points of the win rate that each adds over one that does nothing, with 3, 4, 5 players: least squares over missions 5
#: to 8, 10 and 12 with disciplines kept at random.
_WORTH = {
    Discipline.PURIFIER: (0.7, 1.5, 2.0),
    Discipline.STABILIZER: (0.3, 1.2, 2.2),
    Discipline.PYROMANCER: (0.2, 0.1, 0.5),
    Discipline.METALLURGIST: (0.3, 0.2, 0.4),
    Discipline.TRANSMUTER: (0.4, 0.3, 0.2),
    Discipline.ANCHOR: (0.2, 0.3, 0.1),
    Discipline.HOARDER: (0.2, 1.0, 1.2),
    Discipline.SEER: (0.7, 0.7, 0.9),
}
#: The others do nothing, the Void Weaver as long as it has no Catalyst.
WORTH = np.array([_WORTH.get(each, (0.0, 0.0, 0.0)) for each in Discipline])
#: By each Catalyst in the hand of a Void Weaver, and if Catalysts count 10.
CATALYST_LOST, CATALYST_LIGHT = -3.7, 1.5
#: More for the Purifier where the limit is short, and where Catalysts count 10.
SHORT_LIMIT, HEAVY = 2.0, 5.0


@helper
def worth_of(view: Any, discipline: int) -> float:
    """What a discipline is worth to the asked player, in points of the win rate."""
    worth = WORTH[discipline, view.players - 3]
    heavy = view.catalyst_value >= 5
    if discipline == Discipline.VOID_WEAVER:
        worth += popcount(view.hand & ALL_CATALYSTS) * (CATALYST_LIGHT if heavy else CATALYST_LOST)
    if discipline == Discipline.PURIFIER:
        worth += HEAVY if heavy else SHORT_LIMIT if view.limit < 20 else 0.0
    return worth


@helper
def worthier_discipline(view: Any) -> int:
    """Which of the two offered disciplines to keep: 0 or 1."""
    if view.me == view.sponge_seat:
        # Catalysts that are never highest; then cards without a trick
        for place in range(2):
            if view.offered[place] == Discipline.VOID_WEAVER and view.hand & ALL_CATALYSTS != ZERO:
                return place
        for place in range(2):
            if view.offered[place] == Discipline.HOARDER and view.hoarder_takes == 0:
                return place
    return 1 if worth_of(view, view.offered[1]) > worth_of(view, view.offered[0]) else 0
