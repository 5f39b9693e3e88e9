"""Batches of matches and the log of one: the kernel called from outside."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import mask_of
from alchemy_sim.core.game import ROUNDS, Encoded
from alchemy_sim.core.jit import quiet_integers, records
from alchemy_sim.core.seats import Seats, columns_of
from alchemy_sim.games.furnace.claims import ranks_in_deck
from alchemy_sim.games.furnace.deck import cards_in, give_deck
from alchemy_sim.games.furnace.match.board import RANK_VALUES
from alchemy_sim.games.furnace.match.kernel import play_matches
from alchemy_sim.games.furnace.match.policies import OWN_POLICIES, POLICY_NAMES, policy
from alchemy_sim.games.furnace.match.table import LOG_ROWS, LOG_WIDTH, OUTCOME, ROUND, Ask, blank_table
from alchemy_sim.games.furnace.match.view import VIEW
from alchemy_sim.games.furnace.outlook import view_of

#: Players that never look at the outlook, which takes a second to work out.
WITHOUT_OUTLOOK = {"random"}
#: Room for the rounds of a batch; when it is full the batch goes on in another one.
ROUND_ROOM = 1 << 14


def ready_view(rules: np.ndarray, outlook: bool = True) -> Any:
    """A view with the rules of a cell, its tables and the places of its ranks."""
    view = view_of(VIEW, rules, outlook)
    ranks = ranks_in_deck(int(view.ranks))
    view.place_of[:] = -1
    view.place_of[ranks] = np.arange(len(ranks))
    view.rank_at[: len(ranks)] = ranks
    view.values[: len(ranks)] = RANK_VALUES[ranks]
    for each in range(4):
        view.value_bits[each] = mask_of(np.flatnonzero(RANK_VALUES[ranks] >> each & 1))
    return view


def _asked(view: Any) -> str:
    return f"asked for {Ask(int(view.ask)).name} in round {int(view.round_number)}, turn {int(view.turn)}"


def _play(encoded: Encoded, seed: int, first: int, count: int, table: Any, room: int) -> tuple[Any, Any, Seats]:
    """Play `count` matches from number `first`: outcomes, shape (count,), and the rows of their rounds."""
    seats = Seats(encoded, POLICY_NAMES, policy, OWN_POLICIES)
    looks_ahead = bool(set(encoded.policies) - WITHOUT_OUTLOOK)
    view = ready_view(encoded.rules, looks_ahead)
    table.judged, table.guests = looks_ahead, bool(encoded.own)
    give_deck(table, cards_in(encoded.rules))
    seats.sit_down(table)
    outcomes, used = np.zeros(count, OUTCOME), np.zeros(1, np.int64)
    batches, done = [], 0
    while done < count:
        rounds = np.zeros(room, ROUND)
        todo = outcomes[done:]
        with quiet_integers():
            start = np.uint64(first + done)
            played = play_matches(view, table, np.uint64(seed), start, records(todo), records(rounds), used)
        seats.check(table, todo["fault"][:played], first + done, _asked)
        if not played:  # one match with more rounds than there is room
            room *= 4
            continue
        kept = rounds[: int(used[0])].copy()
        kept["game"] += done
        batches.append(kept)
        done += int(played)
    return outcomes, np.concatenate(batches) if batches else np.zeros(0, ROUND), seats


def simulate(encoded: Encoded, seed: int, first: int, count: int) -> dict[str, np.ndarray]:
    """Outcome columns of `count` matches from number `first`: name -> integers of shape (count,), -1 where absent.

    Those of their rounds besides, `rounds/NAME`, of shape (rounds,) each; `rounds/game` is a match's place, from 0.
    """
    outcomes, rounds, seats = _play(encoded, seed, first, count, blank_table(), ROUND_ROOM)
    found = columns_of(outcomes, encoded.players) | seats.columns(count)
    rows = columns_of(rounds, encoded.players)
    rows["round"] = rows.pop("number")
    columns = {name: found[name] for name in encoded.columns}
    return columns | {ROUNDS + name: rows[name] for name in ("game", *encoded.rounds)}


def record(encoded: Encoded, seed: int, index: int) -> np.ndarray:
    """Play match `index` and keep its log: rows of shape (rows, LOG_WIDTH)."""
    table = blank_table()
    table.recording = 1
    windows: list[np.ndarray] = []
    while True:
        table.log_first, table.logged = len(windows) * LOG_ROWS, 0
        _play(encoded, seed, index, 1, table, 1024)
        rows = min(int(table.logged) - int(table.log_first), LOG_ROWS)
        windows.append(np.array(table.log[:rows], np.int64).reshape(rows, LOG_WIDTH))
        if table.logged <= len(windows) * LOG_ROWS:
            return np.concatenate(windows)
