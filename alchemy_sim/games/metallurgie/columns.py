"""The outcome columns of a game of Metallurgie: one row a game, integers inside, words outside."""

from __future__ import annotations

import numpy as np

from alchemy_sim.core.game import Column
from alchemy_sim.games.metallurgie.names import METALS
from alchemy_sim.games.metallurgie.policies import POLICY_NAMES
from alchemy_sim.games.metallurgie.table import SHARES
from alchemy_sim.games.metallurgie.view import SEATS

_GAME = (
    Column("winners", np.int8, "all winning seats, as a mask"),
    Column("first", np.int8, "the seat that had the first turn"),
    Column("turns", np.int16, "turns until the end card showed", unit="turns"),
    Column("draws", np.int16, "turns that began with the top card of the pile", unit="turns"),
    Column("discards", np.int16, "turns whose drawn card could not be placed", unit="turns"),
    Column("unplayable", np.int16, "turns in which no card of the hand could be placed", unit="turns"),
    Column("longest_chain", np.int8, "most areas scored one out of the other", unit="areas"),
    Column("biggest_turn", np.int8, "most points of one turn", unit="points"),
    Column("lead_changes", np.int16, "how often somebody else came to have the most points alone", unit="changes"),
    Column("after_unscored", np.int16, "turns right after one that placed cards and scored nothing", unit="turns"),
    Column("fed", np.int16, "points scored right after a turn that placed cards and scored nothing", unit="points"),
    Column("end_in_refill", np.int8, "whether the end card showed while a hand was refilled", flag=True),
    *(Column(f"points_{metal}", np.int16, f"points of {metal}, of all players", unit="points") for metal in METALS),
    *(Column(f"placed_{metal}", np.int16, f"{metal} placed in turns", unit="cards") for metal in METALS),
)


def _seat(seat: int) -> tuple[Column, ...]:
    who = f"of seat {seat}"
    return (
        Column(f"policy_{seat}", np.int8, f"who plays seat {seat}", labels=POLICY_NAMES, nullable=True, own=True),
        Column(f"share_{seat}", np.int8, f"share {who} in the win, in parts of {SHARES}", nullable=True),
        Column(f"points_{seat}", np.int16, f"points {who}, with the bonus", unit="points", nullable=True),
        Column(f"bonus_{seat}", np.int8, f"bonus points {who}", unit="points", nullable=True),
        *(Column(f"{metal}_{seat}", np.int16, f"{metal} kept {who}", unit="cards", nullable=True) for metal in METALS),
        Column(f"seat_turns_{seat}", np.int16, f"turns {who}", unit="turns", nullable=True),
        Column(f"seat_draws_{seat}", np.int16, f"turns {who} that began with a draw", unit="turns", nullable=True),
    )


#: All columns, in the order of a table.
COLUMNS = (*_GAME, *(column for seat in range(SEATS) for column in _seat(seat)))


def present(players: int) -> tuple[str, ...]:
    """The columns that a game of so many players fills."""
    return tuple(column.name for group in (_GAME, *map(_seat, range(players))) for column in group)
