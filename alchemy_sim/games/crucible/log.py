"""The kernel's recorder: rows of six integers that `trace` turns into JSON.

The same kernel plays runs and traces. The log is a window of fixed length in the table's record: a longer one is read
by playing the same mission again with the window moved on.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.table import LOG_ROWS


class Event(IntEnum):
    """What a row tells; its other five numbers."""

    DEAL = 0  # seat (-1 left over), face
    KEEP = 1  # seat, offered, offered, kept
    REVEAL = 2  # task
    REDRAW = 3  # old task, new task
    CLAIM = 4  # seat, task
    WHISPER = 5  # reaction, seat, face, hint
    SWAP = 6  # reaction, seat, task given, other seat, task taken
    REACTION = 7  # number, leader, intent
    PLAY = 8  # seat, face, running total, discipline used or -1
    RESULT = 9  # result, winner or -1, credit or -1, next leader, pusher or -1
    TASK = 10  # reaction, task, owner, status
    END = 11  # ending, task or -1, reactions


@helper
def note(table: Any, event: int, a: int, b: int, c: int, d: int, e: int) -> None:
    """Write one row, if anybody records."""
    if table.recording:
        row = table.logged - table.log_first
        if 0 <= row < LOG_ROWS:
            table.log[row, 0] = event
            table.log[row, 1] = a
            table.log[row, 2] = b
            table.log[row, 3] = c
            table.log[row, 4] = d
            table.log[row, 5] = e
        table.logged += 1
