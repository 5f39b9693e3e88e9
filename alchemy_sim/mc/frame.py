"""Outcome columns as a Polars table, and back: integers inside, words outside.

Every table starts with `game` (its number in the cell), `cell`, `config`, `players` and `seed`. Labels become Enums,
-1 becomes null where a column is nullable, flags become Booleans. A column that a cell doesn't have is null there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from alchemy_sim.core.game import ABSENT, Column, Game, Outcomes
from alchemy_sim.mc.plan import Cell

#: The columns that every table starts with.
FACTS = ("game", "cell", "config", "players", "seed")


def shared_columns(cells: Iterable[Cell], game: Game) -> tuple[Column, ...]:
    """The columns that any of the cells of this game has, in the game's order: one schema for all parts of a run."""
    mine = [cell.encoded for cell in cells if cell.game.name == game.name]
    present = {name for encoded in mine for name in encoded.columns}
    own = tuple(each.name for each in mine[0].own) if mine else ()
    return tuple(
        replace(column, labels=(*column.labels, *own)) if column.own and column.labels is not None else column
        for column in game.columns
        if column.name in present
    )


def to_frame(
    cell: Cell, seed: int, first: int, outcomes: Outcomes, columns: Sequence[Column], configs: Sequence[str]
) -> pl.DataFrame:
    """Games `first`, `first + 1`, ... of a cell as a table of `columns`; `configs` are the names of the run's Enum."""
    games = len(next(iter(outcomes.values())))
    facts = [
        pl.Series("game", np.arange(first, first + games, dtype=np.uint64)),
        pl.Series("cell", [cell.index], pl.UInt32).new_from_index(0, games),
        pl.Series("config", [cell.config_name], pl.Enum(configs)).new_from_index(0, games),
        pl.Series("players", [cell.players], pl.UInt8).new_from_index(0, games),
        pl.Series("seed", [seed], pl.UInt64).new_from_index(0, games),
    ]
    return pl.DataFrame([*facts, *(_series(column, outcomes.get(column.name), games) for column in columns)])


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
    found = {}
    for column in game.columns:
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
