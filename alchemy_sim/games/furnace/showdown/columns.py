"""The outcome columns of a showdown: one row a game, integers inside, words outside."""

from __future__ import annotations

import numpy as np

from alchemy_sim.core.game import Column
from alchemy_sim.games.furnace.names import CATEGORIES
from alchemy_sim.games.furnace.showdown.kept import KEPT_LABELS
from alchemy_sim.games.furnace.showdown.policies import POLICY_NAMES
from alchemy_sim.games.furnace.showdown.table import SHARES
from alchemy_sim.games.furnace.showdown.view import SEATS

_SHOWDOWN = (
    Column("winner", np.int8, "the seat with the best hand; none if several share", nullable=True),
    Column("winners", np.int8, "all winning seats, as a mask"),
    Column("tied", np.int8, "whether several share the pot", flag=True),
    Column("trump_decided", np.int8, "whether others would win if Trumps broke no ties", flag=True),
    Column("jokers_laid", np.int8, "Jokers among the cards first laid in the Furnace", unit="Jokers"),
)


def _seat(seat: int) -> tuple[Column, ...]:
    return (
        Column(f"policy_{seat}", np.int8, f"who plays seat {seat}", labels=POLICY_NAMES, nullable=True, own=True),
        Column(f"share_{seat}", np.int8, f"what seat {seat} gets of the pot, in parts of {SHARES}", nullable=True),
        Column(f"category_{seat}", np.int8, f"final hand of seat {seat}", labels=CATEGORIES, nullable=True),
        Column(f"kept_{seat}", np.int8, f"kind of the cards seat {seat} kept", labels=KEPT_LABELS, nullable=True),
        Column(f"trumps_{seat}", np.int8, f"Trumps dealt to seat {seat}", unit="Trumps", nullable=True),
        Column(f"jokers_{seat}", np.int8, f"Jokers dealt to seat {seat}", unit="Jokers", nullable=True),
    )


COLUMNS = (*_SHOWDOWN, *(column for seat in range(SEATS) for column in _seat(seat)))


def present(players: int) -> tuple[str, ...]:
    """The columns that exist for `players` seats, in order."""
    absent = {column.name for seat in range(players, SEATS) for column in _seat(seat)}
    return tuple(column.name for column in COLUMNS if column.name not in absent)
