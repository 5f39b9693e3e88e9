"""A run that was played without a folder: its games in memory, to be asked about like a stored one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from alchemy_sim.core.errors import StoreError
from alchemy_sim.core.game import Game
from alchemy_sim.mc.frame import Framer
from alchemy_sim.mc.plan import Cell, Part, Plan
from alchemy_sim.mc.provenance import describe
from alchemy_sim.mc.record import Record
from alchemy_sim.mc.runner import Workers, play
from alchemy_sim.mc.tables import GAMES, ROUNDS, Columns, tables_of
from alchemy_sim.mc.totals import CellTotals


class Kept(Record):
    """A run in memory; a sink for `runner.play` while it is played."""

    def __init__(self, plan: Plan, keep: str = "games") -> None:
        self.name = plan.name
        self.plan = plan
        self.manifest: Mapping[str, Any] = describe(plan, keep)
        self.wants_columns = keep == "games"
        self._frames: dict[tuple[int, str], list[pl.DataFrame]] = {
            (cell.index, table): [] for cell in plan.cells for table in tables_of(cell.game)
        }
        self._framed = Framer(plan)

    def play(self, workers: Workers) -> None:
        """Play the plan."""
        self.totals = play(self.plan, workers, self).totals

    def done(self, part: Part, _totals: CellTotals, columns: Columns | None) -> None:
        """Take a complete part."""
        if columns is not None:
            for table, frame in self._framed(part, columns):
                self._frames[part.cell, table].append(frame)

    @property
    def games(self) -> pl.LazyFrame:
        """All games as one lazy table, one row a game, cell by cell. StoreError if they were not kept."""
        return self._lazy(GAMES)

    @property
    def rounds(self) -> pl.LazyFrame:
        """All rounds as one lazy table, one row a round, cell by cell. StoreError if there are none."""
        return self._lazy(ROUNDS)

    def _lazy(self, table: str) -> pl.LazyFrame:
        cells = [cell for cell in self.plan.cells if table in tables_of(cell.game)]
        if not cells:
            raise StoreError(f"{self.name}: holds no {table}")
        frames = [frame for cell in cells for frame in self.frames(cell, None, table)]
        alike = len({cell.game.name for cell in cells}) == 1
        return pl.concat(frames, how="vertical" if alike else "diagonal_relaxed").lazy()

    def frames(self, cell: Cell, columns: Sequence[str] | None = None, table: str = GAMES) -> Iterator[pl.DataFrame]:
        """The games of one cell (or some columns of them), or their rounds, in order, a part at a time."""
        if not self.wants_columns:
            raise StoreError(f'{self.name}: holds a summary only (keep="summary"), no single games')
        for frame in self._frames[cell.index, table]:
            yield frame if columns is None else frame.select(columns)

    def row(self, cell: Cell, game: int) -> dict[str, Any] | None:
        """The row of one game, None if games were not kept."""
        for frame in self._frames[cell.index, GAMES]:
            if game < int(frame["game"][0]) + frame.height:
                return frame.row(game - int(frame["game"][0]), named=True)
        return None

    def schema(self, game: Game) -> dict[str, Any]:
        """The columns of the tables of a game with their Polars types."""
        for cell in self.plan.cells:
            if cell.game.name == game.name:
                for frame in self.frames(cell):
                    return dict(frame.schema)
        raise StoreError(f"{self.name}: holds no games of {game.title}")
