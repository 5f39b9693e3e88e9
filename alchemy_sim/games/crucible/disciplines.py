"""The ten disciplines (Crucible 7) as rows: when each may be used and what it changes.

Effects of several players add up, so a row is a set of increments; the kernel adds the row of a used power to the
reaction in progress and knows no discipline by name, save the two passive ones and the Seer.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.table import Intent


class Discipline(IntEnum):
    VOID_WEAVER = 0
    APPRENTICE = 1
    PURIFIER = 2
    STABILIZER = 3
    PYROMANCER = 4
    METALLURGIST = 5
    TRANSMUTER = 6
    ANCHOR = 7
    HOARDER = 8
    SEER = 9


class Timing(IntEnum):
    PASSIVE = -1
    CATALYZE = Intent.CATALYZE
    TRANSMUTE = Intent.TRANSMUTE
    ANY = 2


#: A limit or target so far away that no total reaches it.
BOUNDLESS = 1_000_000

#: timing, added to the limit, added to the target
_ROWS = {
    Discipline.VOID_WEAVER: (Timing.PASSIVE, 0, 0),
    Discipline.APPRENTICE: (Timing.PASSIVE, 0, 0),
    Discipline.PURIFIER: (Timing.CATALYZE, BOUNDLESS, 0),
    Discipline.STABILIZER: (Timing.CATALYZE, 3, 0),
    Discipline.PYROMANCER: (Timing.CATALYZE, 0, 0),
    Discipline.METALLURGIST: (Timing.TRANSMUTE, 0, -5),
    Discipline.TRANSMUTER: (Timing.TRANSMUTE, 0, -BOUNDLESS),
    Discipline.ANCHOR: (Timing.TRANSMUTE, 0, 0),
    Discipline.HOARDER: (Timing.CATALYZE, 0, 0),
    Discipline.SEER: (Timing.ANY, 0, 0),
}
TIMING = np.array([_ROWS[each][0] for each in Discipline], np.int64)
LIMIT_ADDED = np.array([_ROWS[each][1] for each in Discipline], np.int64)
TARGET_ADDED = np.array([_ROWS[each][2] for each in Discipline], np.int64)


@helper
def may_use(view: Any, seat: int) -> bool:
    """Whether the seat holds an unspent power that fits the reaction's intent (Crucible 7)."""
    if view.power_spent[seat]:
        return False
    timing = TIMING[view.discipline[seat]]
    return timing == Timing.ANY or timing == view.intent
