"""Batches of missions and the log of one: the kernel called from outside."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.errors import ConfigError, unknown
from alchemy_sim.core.game import Encoded
from alchemy_sim.core.jit import JIT_OFF, Policy, quiet_integers
from alchemy_sim.games.crucible.fault import fault_of
from alchemy_sim.games.crucible.kernel import play_missions
from alchemy_sim.games.crucible.policies import OWN_POLICIES, POLICY_NAMES, policy
from alchemy_sim.games.crucible.table import FATE, LOG_ROWS, LOG_WIDTH, OUTCOME, blank_table, view_of

#: Columns of the outcome record that hold one number a seat, and whether they are named from 1 (`boil_at_1`).
BY_SEAT = {
    "boil_at": 1,
    "tricks": 0,
    "slag": 0,
    "discipline": 0,
    "discipline_declined": 0,
    "power_used_reaction": 0,
    "whispered_reaction": 0,
}


def _policy(encoded: Encoded, name: str) -> Policy:
    """The compiled policy that a cell's seat names: the toolkit's, or a user's own."""
    if name in POLICY_NAMES:
        return policy(name)
    for own in encoded.own:
        if own.name == name:
            return OWN_POLICIES.policy(own)
    raise ConfigError(unknown("policy", name, [*POLICY_NAMES, *(own.name for own in encoded.own)]))


def _play(encoded: Encoded, seed: int, first: int, count: int, table: Any) -> tuple[np.ndarray, np.ndarray]:
    """Play `count` missions from number `first`: outcome records and fates, shapes (count,) and (count, tasks)."""
    view = view_of(encoded.rules)
    for seat, name in enumerate(encoded.policies):
        table.policy[seat] = _policy(encoded, name).address
    outcomes = np.zeros(count, OUTCOME)
    fates = np.zeros((count, int(encoded.rules["tasks"][0])), FATE)
    if JIT_OFF:
        with quiet_integers():
            play_missions(
                view, table, np.uint64(seed), np.uint64(first), outcomes.view(np.recarray), fates.view(np.recarray)
            )
    else:
        play_missions(view, table, np.uint64(seed), np.uint64(first), outcomes, fates)
    faults = np.flatnonzero(outcomes["fault"])
    if faults.size:
        name = encoded.policies[int(table.witness.me)]
        own = next((each for each in encoded.own if each.name == name), None)
        raise fault_of(_policy(encoded, name), name, own, table, first + int(faults[0]))
    return outcomes, fates


def simulate(encoded: Encoded, seed: int, first: int, count: int) -> dict[str, np.ndarray]:
    """Outcome columns of `count` missions from number `first`: name -> integers of shape (count,), -1 where absent."""
    outcomes, fates = _play(encoded, seed, first, count, blank_table())
    found: dict[str, np.ndarray] = {}
    for name in OUTCOME.names or ():
        if name in BY_SEAT:
            for seat in range(encoded.players):
                found[f"{name}_{seat + BY_SEAT[name]}"] = outcomes[name][:, seat]
        else:
            found[name] = outcomes[name]
    labels = (*POLICY_NAMES, *(own.name for own in encoded.own))
    for seat, name in enumerate(encoded.policies):
        found[f"policy_{seat}"] = np.full(count, labels.index(name), np.int8)
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
        outcomes, _ = _play(encoded, seed, index, 1, table)
        rows = min(int(table.logged) - int(table.log_first), LOG_ROWS)
        windows.append(np.array(table.log[:rows], np.int64).reshape(rows, LOG_WIDTH))
        if table.logged <= len(windows) * LOG_ROWS:
            return int(outcomes["lead"][0]), int(outcomes["sponge_seat"][0]), np.concatenate(windows)
