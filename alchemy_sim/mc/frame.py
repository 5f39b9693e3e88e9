"""Outcome columns as Polars tables, and back: integers inside, words outside.

Every table, of games or of their rounds, starts with `game` (its number in the cell), `cell`, `config`, `players` and
`seed`. Labels become Enums, -1 becomes null where a column is nullable, flags become Booleans. A column that a cell
doesn't have is null there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from alchemy_sim.core.game import ABSENT, Column, Game, Outcomes
from alchemy_sim.core.game import ROUNDS as PREFIX
from alchemy_sim.mc.plan import Cell, Part, Plan
from alchemy_sim.mc.tables import GAMES, PLACE, PLACE_DTYPE, ROUNDS, Columns, number_of_games, tables_of

#: The columns that every table starts with.
FACTS = ("game", "cell", "config", "players", "seed")


class Framer:
    """Makes the tables of a run: those of its games, and of their rounds where a game has them."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._configs = plan.config_names
        games = {cell.game.name: cell.game for cell in plan.cells}
        self._columns = {
            (name, table): shared_columns(plan.cells, game, table)
            for name, game in games.items()
            for table in tables_of(game)
        }

    def __call__(self, part: Part, columns: Columns) -> Iterator[tuple[str, pl.DataFrame]]:
        """Each table of a part by name, made when it is asked for. What rounds take from `columns` is gone there.

        (The rounds of a part can be ten million: their columns and the table are not in memory both.)
        """
        cell = self._plan.cells[part.cell]
        for table in tables_of(cell.game):
            wanted = self._columns[cell.game.name, table]
            if table == ROUNDS:
                numbers = columns.pop(PLACE).astype(np.uint64) + np.uint64(part.first)
                mine: Columns = {name: columns.pop(PREFIX + name) for name in cell.encoded.rounds}
            else:
                numbers = np.arange(part.first, part.first + part.count, dtype=np.uint64)
                mine = {name: columns[name] for name in cell.encoded.columns}
            yield table, _table(cell, self._plan.seed, numbers, mine, wanted, self._configs)


def shared_columns(cells: Iterable[Cell], game: Game, table: str = GAMES) -> tuple[Column, ...]:
    """The columns that any of the cells of this game has, in the game's order: one schema for all parts of a run."""
    every = game.columns if table == GAMES else game.rounds
    mine = [cell.encoded for cell in cells if cell.game.name == game.name]
    present = {name for encoded in mine for name in (encoded.columns if table == GAMES else encoded.rounds)}
    own = tuple(each.name for each in mine[0].own) if mine else ()
    return tuple(
        replace(column, labels=(*column.labels, *own)) if column.own and column.labels is not None else column
        for column in every
        if column.name in present
    )


def to_frame(
    cell: Cell, seed: int, first: int, outcomes: Outcomes, columns: Sequence[Column], configs: Sequence[str]
) -> pl.DataFrame:
    """Games `first`, `first + 1`, ... of a cell as a table of `columns`; `configs` are the names of the run's Enum."""
    numbers = np.arange(first, first + number_of_games(outcomes), dtype=np.uint64)
    return _table(cell, seed, numbers, dict(outcomes), columns, configs)


def _table(
    cell: Cell, seed: int, numbers: np.ndarray, taken: Columns, columns: Sequence[Column], configs: Sequence[str]
) -> pl.DataFrame:
    """Rows of the games `numbers`, shape (rows,) as all that is `taken`, which is used up."""
    rows = len(numbers)
    facts = [
        pl.Series("game", numbers),
        pl.Series("cell", [cell.index], pl.UInt32).new_from_index(0, rows),
        pl.Series("config", [cell.config_name], pl.Enum(configs)).new_from_index(0, rows),
        pl.Series("players", [cell.players], pl.UInt8).new_from_index(0, rows),
        pl.Series("seed", [seed], pl.UInt64).new_from_index(0, rows),
    ]
    return pl.DataFrame([*facts, *(_series(column, taken.pop(column.name, None), rows) for column in columns)])


def dtype_of(column: Column) -> pl.DataType:
    """The type a reader sees."""
    if column.labels is not None:
        return pl.Enum(column.labels)
    if column.flag:
        return pl.Boolean()
    return pl.Series(np.zeros(0, column.dtype)).dtype


def _series(column: Column, values: np.ndarray | None, games: int) -> pl.Series:
    if values is None:
        return pl.Series(column.name, [None], dtype_of(column)).new_from_index(0, games)
    if column.labels is not None:
        # the -1 of an absent value picks the last entry, which is the null
        words: list[str | None] = [*column.labels, None]
        return pl.Series(column.name, words, pl.Enum(column.labels)).gather(np.ascontiguousarray(values))
    series = pl.Series(column.name, np.ascontiguousarray(values, column.dtype))
    if column.nullable:
        here = pl.col(column.name)
        series = series.to_frame().select(pl.when(here != ABSENT).then(here))[column.name]
    return series.cast(pl.Boolean) if column.flag else series


def to_outcomes(game: Game, frame: pl.DataFrame) -> dict[str, np.ndarray]:
    """The outcome columns of a table of one cell, as `simulate` gave them: integers of shape (games,), -1 for null.

    A column that the cell doesn't have (all null, and not nullable) is left out.
    """
    return _integers(game.columns, frame)


def to_rounds(cell: Cell, frame: pl.DataFrame, numbers: np.ndarray) -> dict[str, np.ndarray]:
    """The rounds of the games `numbers` of a cell (ascending, at least one), as `simulate` gave them.

    `frame` has the rounds of these games, and may have others', which are left out.
    """
    games = frame["game"].to_numpy()
    place = np.searchsorted(numbers, games)
    wanted = numbers[np.minimum(place, len(numbers) - 1)] == games
    if not wanted.all():
        frame, place = frame.filter(pl.Series(wanted)), place[wanted]
    found = _integers(cell.game.rounds, frame)
    return {PLACE: place.astype(PLACE_DTYPE), **{PREFIX + name: found[name] for name in cell.encoded.rounds}}


def _integers(columns: Iterable[Column], frame: pl.DataFrame) -> dict[str, np.ndarray]:
    found = {}
    for column in columns:
        if column.name not in frame.columns:
            continue
        series = frame[column.name]
        if not column.nullable and series.null_count() and series.null_count() == len(series):
            continue
        if column.labels is not None:
            series = series.to_physical()
        series = series.cast(pl.Series(np.zeros(0, column.dtype)).dtype).fill_null(ABSENT)
        found[column.name] = series.to_numpy().astype(column.dtype, copy=False)
    return found
