"""What a run left, to be read back: its plan, its totals, and its games if they were kept.

`Record` is the common part; `read.Run` has its games in a folder, `memory.Kept` in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from alchemy_sim.core.errors import UsageError, unknown
from alchemy_sim.core.game import Game
from alchemy_sim.mc.frame import FACTS, to_outcomes, to_rounds
from alchemy_sim.mc.plan import Cell, Plan
from alchemy_sim.mc.tables import GAMES, ROUNDS, Columns
from alchemy_sim.mc.totals import CellTotals, Totals, merge, tally
from alchemy_sim.mc.where import Condition, where


@dataclass(frozen=True)
class Found:
    """One game that a search found: its cell, its number, and the columns asked for."""

    cell: Cell
    game: int
    columns: Mapping[str, Any]


class Record:
    """A run as it can be asked about: `plan`, `totals` by cell index, and the manifest."""

    #: what messages and commands call the run
    name: str
    plan: Plan
    totals: list[CellTotals]
    manifest: Mapping[str, Any]

    @property
    def games(self) -> pl.LazyFrame:
        """All games as one lazy table, one row a game. StoreError if they were not kept."""
        raise NotImplementedError

    @property
    def rounds(self) -> pl.LazyFrame:
        """All rounds as one lazy table, one row a round. StoreError if there are none, or they were not kept."""
        raise NotImplementedError

    def frames(self, cell: Cell, columns: Sequence[str] | None = None, table: str = GAMES) -> Iterator[pl.DataFrame]:
        """The games of one cell (or some columns of them), or their rounds, in order, a part at a time.

        StoreError if they were not kept.
        """
        raise NotImplementedError

    def outcomes(self, cell: Cell, condition: pl.Expr | None = None) -> Iterator[Columns]:
        """The outcome columns that a cell has, as its kernel gave them (-1 for null), a part at a time.

        Of all games, or of those that meet a condition; with their rounds. A part without such games is left out.
        """
        rounds = self.frames(cell, None, ROUNDS) if cell.game.rounds else None
        for frame in self.frames(cell):
            mine = None if rounds is None else next(rounds)
            kept = frame if condition is None else frame.filter(condition)
            if not kept.height:
                continue
            found = to_outcomes(cell.game, kept)
            columns = {name: found[name] for name in cell.encoded.columns}
            yield columns if mine is None else columns | to_rounds(cell, mine, kept["game"].to_numpy())

    def row(self, cell: Cell, game: int) -> dict[str, Any] | None:
        """The row of one game as it was kept, None if games were not."""
        raise NotImplementedError

    def ready(self, cell: Cell) -> None:
        """Make sure that games of this cell can be played again as they were. StoreError if they can't."""

    def schema(self, game: Game) -> dict[str, Any]:
        """The columns of the tables of a game with their Polars types."""
        raise NotImplementedError

    def select(
        self, cell: int | None = None, configs: Sequence[str] | None = None, players: Sequence[int] | None = None
    ) -> list[Cell]:
        """The cells with that number, of those configurations, with those players; UsageError if there is none."""
        chosen = list(self.plan.cells)
        if cell is not None and not 0 <= cell < len(chosen):
            raise UsageError(f"--cell {cell}: the run has cells 0 to {len(chosen) - 1}")
        known = self.plan.config_names
        for name in configs or ():
            if name not in known:
                raise UsageError(unknown("configuration of this run", name, known))
        counts = sorted({each.players for each in chosen})
        for count in players or ():
            if count not in counts:
                raise UsageError(f"--players {count}: the run has {', '.join(map(str, counts))}")
        found = [
            each
            for each in chosen
            if (cell is None or each.index == cell)
            and (configs is None or each.config_name in configs)
            and (players is None or each.players in players)
        ]
        if not found:
            raise UsageError("--cell, --config and --players leave no cell of the run")
        return found

    def one(self, cell: int | None = None, config: str | None = None, players: int | None = None) -> Cell:
        """The one cell that is meant; UsageError if there are several."""
        found = self.select(cell, None if config is None else [config], None if players is None else [players])
        if len(found) == 1:
            return found[0]
        options = []
        if len({each.config_name for each in found}) > 1:
            options.append("--config")
        if len({each.players for each in found}) > 1:
            options.append("--players")
        cells = ", ".join(f"{each.config_name} with {each.players}" for each in found[:4])
        more = f" and {len(found) - 4} more" if len(found) > 4 else ""
        raise UsageError(f"name {' and '.join(options) or '--cell'}: the run has {cells}{more}")

    def condition(self, text: str, cells: Sequence[Cell]) -> Condition:
        """The condition `text` on games of these cells; UsageError names what is wrong with it."""
        games = list({cell.game.name: cell.game for cell in cells}.values())
        if len(games) > 1:
            raise UsageError(f"--where: the run has several games ({', '.join(g.name for g in games)}); name --config")
        return where(text, self.schema(games[0]))

    def filtered(self, text: str, cells: Sequence[Cell]) -> list[CellTotals]:
        """Totals by cell index over the games that meet a condition; no totals for cells that weren't asked for."""
        wanted = self.condition(text, cells).expression
        found: list[CellTotals] = [{} for _ in self.plan.cells]
        for cell in cells:
            totals: CellTotals = {metric.name: Totals() for metric in cell.game.metrics}
            for outcomes in self.outcomes(cell, wanted):
                totals = merge(totals, tally(cell.game, outcomes))
            found[cell.index] = totals
        return found

    def find(self, text: str, cells: Sequence[Cell], limit: int) -> list[Found]:
        """The first games that meet a condition, cell by cell, with the first outcome column and those it names."""
        condition = self.condition(text, cells)
        found: list[Found] = []
        for cell in cells:
            heads = [name for name in cell.encoded.columns[:1] if name not in condition.columns]
            names = [*heads, *(name for name in condition.columns if name not in FACTS)]
            for frame in self.frames(cell, list(dict.fromkeys(["game", *names, *condition.columns]))):
                if len(found) == limit:
                    return found
                kept = frame.filter(condition.expression).head(limit - len(found))
                for row in kept.select("game", *names).iter_rows(named=True):
                    found.append(Found(cell, row.pop("game"), row))
        return found
