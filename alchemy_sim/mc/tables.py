"""The tables of a run: one row a game and, of a game that has them, one row a round; both in one mapping of columns.

What `simulate` gives for some games has their columns by name, and those of their rounds as `rounds/NAME` in order of
the games; `rounds/game` is the place of a round's game among those of the mapping, from 0. Whatever takes some of the
games, or puts several mappings together, does it here.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from alchemy_sim.core.game import ROUNDS as PREFIX
from alchemy_sim.core.game import Game, Outcomes

#: The tables, by the folder of their parts.
GAMES, ROUNDS = "games", "rounds"
#: The column that says which game a round is of, and its type wherever mappings are put together or read back.
PLACE = f"{PREFIX}game"
PLACE_DTYPE = np.dtype(np.int32)

#: Columns of a part by name: of shape (games of the part,), those of its rounds (rounds of the part,).
Columns = dict[str, np.ndarray]


def tables_of(game: Game) -> tuple[str, ...]:
    """The tables that runs of a game have."""
    return (GAMES, ROUNDS) if game.rounds else (GAMES,)


def part_file(number: int, table: str = GAMES) -> str:
    """The name of a part in its run's folder."""
    return f"{table}/part-{number:06d}.parquet"


def number_of_games(outcomes: Outcomes) -> int:
    """How many games a mapping has."""
    return len(next(values for name, values in outcomes.items() if not name.startswith(PREFIX)))


def first_games(outcomes: Outcomes, games: int) -> Columns:
    """The first so many games, with their rounds."""
    rounds = int(np.searchsorted(outcomes[PLACE], games)) if PLACE in outcomes else 0
    return {name: values[: rounds if name.startswith(PREFIX) else games] for name, values in outcomes.items()}


class Gathered:
    """The columns of one part, chunk by chunk, in order."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._columns: Columns = {}
        self._rounds = 0

    def add(self, start: int, outcomes: Mapping[str, np.ndarray]) -> None:
        """Take the games of a chunk, the first of which has place `start` in the part."""
        end = start + number_of_games(outcomes)
        upto = self._rounds + len(outcomes.get(PLACE, ()))
        for name, values in outcomes.items():
            if not name.startswith(PREFIX):
                column = self._columns.setdefault(name, np.empty(self._games, values.dtype))
                column[start:end] = values
                continue
            dtype = PLACE_DTYPE if name == PLACE else values.dtype
            column = self._columns.setdefault(name, np.empty(0, dtype))
            if len(column) < upto:
                # in place, to what the games so far let expect: pieces put together later would be in memory twice
                column.resize(upto + int(1.05 * upto * max(0, self._games - end) / end), refcheck=False)
            column[self._rounds : upto] = values
            if name == PLACE:
                column[self._rounds : upto] += PLACE_DTYPE.type(start)
        self._rounds = upto

    def taken(self) -> Columns:
        """All columns; nothing is left here."""
        columns, self._columns = self._columns, {}
        for name, values in columns.items():
            if name.startswith(PREFIX):
                values.resize(self._rounds, refcheck=False)
        return columns
