"""Where each weight of `careful` stands in `view.weights[seat]`."""

from __future__ import annotations

from enum import IntEnum, auto

from alchemy_sim.games.crucible.weights import CAREFUL


class _Counting(IntEnum):
    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[int]) -> int:
        return count


class Weight(_Counting):
    """The rows of `CAREFUL`, in order."""

    FAIL = auto()
    STEP = auto()
    SLAG = auto()
    BURN = auto()
    SAVE = auto()
    TURN = auto()
    WAIT = auto()
    PASS = auto()
    KEEP = auto()
    POWER = auto()
    HIGH = auto()


assert tuple(each.name.lower() for each in Weight) == tuple(CAREFUL)
