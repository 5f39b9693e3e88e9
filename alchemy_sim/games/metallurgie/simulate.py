"""Batches of games and the log of one: the kernel called from outside."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.game import Encoded
from alchemy_sim.core.jit import quiet_integers, records
from alchemy_sim.core.seats import Seats, columns_of
from alchemy_sim.core.seen import filled
from alchemy_sim.games.metallurgie.kernel import play_games
from alchemy_sim.games.metallurgie.names import METALS, metal_number
from alchemy_sim.games.metallurgie.policies import OWN_POLICIES, POLICY_NAMES, policy
from alchemy_sim.games.metallurgie.table import OUTCOME, Ask, blank_table
from alchemy_sim.games.metallurgie.view import VIEW


def ready_table(encoded: Encoded) -> Any:
    """A table with the start pattern of a cell."""
    table = blank_table()
    start = encoded.facts["rules"]["start"]
    table.start_size = len(start)
    for number, (letter, q, r) in enumerate(start):
        table.start[number] = metal_number(letter), q, r
    return table


def _asked(view: Any) -> str:
    return f"asked for {Ask(int(view.ask)).name} in turn {int(view.turn)}"


def _play(encoded: Encoded, seed: int, first: int, count: int, table: Any) -> tuple[np.ndarray, Seats]:
    """Play `count` games from number `first`: outcomes, shape (count,)."""
    seats = Seats(encoded, POLICY_NAMES, policy, OWN_POLICIES)
    seats.sit_down(table)
    outcomes = np.zeros(count, OUTCOME)
    with quiet_integers():
        play_games(filled(VIEW, encoded.rules), table, np.uint64(seed), np.uint64(first), records(outcomes))
    seats.check(table, outcomes["fault"], first, _asked)
    return outcomes, seats


def simulate(encoded: Encoded, seed: int, first: int, count: int) -> dict[str, np.ndarray]:
    """Outcome columns of `count` games from number `first`: name -> integers of shape (count,), -1 where absent."""
    outcomes, seats = _play(encoded, seed, first, count, ready_table(encoded))
    found = columns_of(outcomes, encoded.players) | seats.columns(count)
    for number, metal in enumerate(METALS):
        found[f"points_{metal}"] = outcomes[metal][:, : encoded.players].sum(1, dtype=np.int16)
        found[f"placed_{metal}"] = outcomes["placed"][:, number]
    return {name: found[name] for name in encoded.columns}


def record(encoded: Encoded, seed: int, index: int) -> np.ndarray:
    """Play game `index` and keep its log: rows of shape (rows, LOG_WIDTH)."""
    table = ready_table(encoded)
    table.recording = 1
    _play(encoded, seed, index, 1, table)
    return np.array(table.log[: int(table.logged)], np.int64)
