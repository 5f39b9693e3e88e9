"""Where each weight of `careful` stands in `view.weights[seat]`."""

from __future__ import annotations

from enum import IntEnum

from alchemy_sim.games.crucible.weights import CAREFUL


class Weight(IntEnum):
    """The rows of `CAREFUL`, in order."""

    FAIL = 0
    STEP = 1
    SLAG = 2
    BURN = 3
    SAVE = 4
    TURN = 5
    WAIT = 6
    PASS = 7
    KEEP = 8
    POWER = 9
    HIGH = 10
    EXACT = 11
    HOPE = 12
    WASTE = 13
    SPONGE = 14
    DREAD = 15


assert tuple(each.name.lower() for each in Weight) == tuple(CAREFUL)
