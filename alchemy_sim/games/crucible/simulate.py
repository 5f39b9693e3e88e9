"""Batches of missions and the log of one: the kernel called from outside."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.game import Encoded
from alchemy_sim.core.jit import quiet_integers, records
from alchemy_sim.core.seats import Seats, columns_of
from alchemy_sim.games.crucible.kernel import play_missions
from alchemy_sim.games.crucible.policies import OWN_POLICIES, POLICY_NAMES, policy
from alchemy_sim.games.crucible.table import FATE, LOG_ROWS, LOG_WIDTH, OUTCOME, Ask, blank_table, view_of

#: Columns of the outcome record that have a number a seat, counted from another than 0: `boil_at_1`.
COUNTED_FROM = {"boil_at": 1}


def _seats(encoded: Encoded) -> Seats:
    return Seats(encoded, POLICY_NAMES, policy, OWN_POLICIES)


def _asked(view: Any) -> str:
    return f"asked for {Ask(int(view.ask)).name} in reaction {int(view.reaction)}"


def _play(
    encoded: Encoded, seats: Seats, seed: int, first: int, count: int, table: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Play `count` missions from number `first`: outcome records and fates, shapes (count,) and (count, tasks)."""
    view = view_of(encoded.rules)
    seats.sit_down(table)
    outcomes = np.zeros(count, OUTCOME)
    fates = np.zeros((count, int(encoded.rules["tasks"][0])), FATE)
    with quiet_integers():
        play_missions(view, table, np.uint64(seed), np.uint64(first), records(outcomes), records(fates))
    seats.check(table, outcomes["fault"], first, _asked)
    return outcomes, fates


def simulate(encoded: Encoded, seed: int, first: int, count: int) -> dict[str, np.ndarray]:
    """Outcome columns of `count` missions from number `first`: name -> integers of shape (count,), -1 where absent."""
    seats = _seats(encoded)
    outcomes, fates = _play(encoded, seats, seed, first, count, blank_table())
    found = columns_of(outcomes, encoded.players, COUNTED_FROM) | seats.columns(count)
    for place in range(fates.shape[1]):
        for name in FATE.names or ():
            found[f"task_{place}" if name == "task" else f"task_{place}_{name}"] = fates[name][:, place]
    return {name: found[name] for name in encoded.columns}


def record(encoded: Encoded, seed: int, index: int) -> tuple[int, int, np.ndarray]:
    """Play mission `index` and keep its log: the Lead, the Sponge's seat or -1, and rows of shape (rows, 6)."""
    table = blank_table()
    table.recording = 1
    windows: list[np.ndarray] = []
    while True:
        table.log_first = len(windows) * LOG_ROWS
        outcomes, _ = _play(encoded, _seats(encoded), seed, index, 1, table)
        rows = min(int(table.logged) - int(table.log_first), LOG_ROWS)
        windows.append(np.array(table.log[:rows], np.int64).reshape(rows, LOG_WIDTH))
        if table.logged <= len(windows) * LOG_ROWS:
            return int(outcomes["lead"][0]), int(outcomes["sponge_seat"][0]), np.concatenate(windows)
