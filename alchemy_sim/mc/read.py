"""Reading a run's folder back. What is missing, damaged or foreign is named; nothing is silently skipped.

Opening a folder reads manifest and summary and looks at the parts from outside: all there, none too many, of the size
they had. A part's digest is checked before its games are first used. The summary alone answers most questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from alchemy_sim.core.errors import StoreError
from alchemy_sim.core.game import Game
from alchemy_sim.mc.files import MEND, digest_of, read_json
from alchemy_sim.mc.frame import FACTS, dtype_of, shared_columns
from alchemy_sim.mc.own import ready
from alchemy_sim.mc.plan import Cell
from alchemy_sim.mc.rebuild import FORMAT, plan_of
from alchemy_sim.mc.record import Record
from alchemy_sim.mc.tables import GAMES, ROUNDS, tables_of
from alchemy_sim.mc.totals import CellTotals, from_json

_PART = re.compile(r"part-\d+\.parquet")


class Run(Record):
    """A run in its folder."""

    def __init__(self, folder: Path | str) -> None:
        """Open it; StoreError if it is no complete run of a format known here."""
        self.folder = Path(folder)
        self.name = str(folder)
        if not (self.folder / "manifest.json").exists() and (self.folder / "started.json").exists():
            raise StoreError(f"{self.name}: the run is unfinished; go on with run and --resume")
        self.manifest: Mapping[str, Any] = read_json(self.folder, "manifest.json")
        if not isinstance(self.manifest, dict):
            raise StoreError(f"{self.name}: manifest.json is not a run's")
        self.plan = plan_of(self.manifest, self.name)
        self.totals = self._totals()
        self._parts = self._looked_at()
        self._checked: set[str] = set()

    def _totals(self) -> list[CellTotals]:
        """The totals of the summary, which has to be of the manifest's run."""
        where = f"{self.name}: summary.json"
        try:
            summary = read_json(self.folder, "summary.json")
            if summary["format"] != FORMAT:
                raise StoreError(f"{where} has format {summary['format']}; this version reads {FORMAT}")
            found = [from_json(cell["metrics"]) for cell in summary["cells"]]
            if len(found) != len(self.plan.cells):
                raise StoreError(f"{where} has {len(found)} cells, the manifest {len(self.plan.cells)}")
            for cell, totals in zip(self.plan.cells, found, strict=True):
                for metric in cell.game.metrics:
                    if metric.name not in totals:
                        made = "another version of the program made it; run it again"
                        raise StoreError(f"{where} lacks {metric.name} of cell {cell.index}: {made}")
                    if totals[metric.name].n != self.plan.games:
                        games = f"{totals[metric.name].n:,} games, the manifest {self.plan.games:,}"
                        raise StoreError(f"{where} has for cell {cell.index} {games}")
        except (KeyError, TypeError, AttributeError) as error:
            raise StoreError(f"{where} is not a run's ({type(error).__name__}: {error})") from None
        return found

    def _looked_at(self) -> list[dict[str, Any]]:
        """The manifest's parts, once they are all there, none too many, and together have every game once."""
        try:
            parts = [dict(each) for each in self.manifest["parts"]]
            if self.kept:
                for table in (GAMES, ROUNDS):
                    self._whole(table, _of(table, parts))
            for each in parts:
                path = self.folder / each["file"]
                if not path.is_file():
                    raise StoreError(f"{path}: this part of the run is missing; {MEND}")
                if path.stat().st_size != each["bytes"]:
                    size = f"{path.stat().st_size:,} bytes instead of {each['bytes']:,}"
                    raise StoreError(f"{path}: this part of the run is damaged ({size}); {MEND}")
        except (KeyError, TypeError, AttributeError) as error:
            raise StoreError(f"{self.name}: manifest.json is not a run's ({type(error).__name__}: {error})") from None
        known = {self.folder / each["file"] for each in parts}
        for table in (GAMES, ROUNDS):
            for path in sorted((self.folder / table).glob("*")):
                if path not in known and _PART.fullmatch(path.name):
                    raise StoreError(f"{path}: this part is not of this run; remove it")
        return parts

    def _whole(self, table: str, parts: list[dict[str, Any]]) -> None:
        """StoreError unless the parts of a table have every game once, of every cell that has the table."""
        upto = {cell.index: 0 for cell in self.plan.cells if table in tables_of(cell.game)}
        for each in sorted(parts, key=lambda part: (part["cell"], part["first"])):
            if upto.get(each["cell"]) != each["first"]:
                raise StoreError(f"{self.name}: manifest.json: part {each['part']} leaves a gap or doubles games")
            upto[each["cell"]] += each["games"]
        of = "" if table == GAMES else f" in {table}"
        for cell, games in upto.items():
            if games != self.plan.games:
                raise StoreError(f"{self.name}: manifest.json: its parts have {games:,} games of cell {cell}{of}")

    @property
    def kept(self) -> bool:
        """Whether the games were kept, not the summary alone."""
        return bool(self.manifest["keep"] == "games")

    @property
    def games(self) -> pl.LazyFrame:
        """All games as one lazy table, one row a game, in the order of the parts. StoreError if they were not kept."""
        return self._lazy(GAMES)

    @property
    def rounds(self) -> pl.LazyFrame:
        """All rounds as one lazy table, of a game that has them. StoreError if there are none."""
        return self._lazy(ROUNDS)

    def _lazy(self, table: str) -> pl.LazyFrame:
        self._need_games()
        parts = _of(table, self._parts)
        if not parts:
            raise StoreError(f"{self.name}: holds no {table}")
        paths: dict[str, list[Path]] = {}
        for each in sorted(parts, key=lambda part: part["part"]):
            paths.setdefault(self.plan.cells[each["cell"]].game.name, []).append(self._sound(each))
        frames = [pl.scan_parquet(each) for each in paths.values()]
        if len(frames) == 1:
            return frames[0]
        return pl.concat(frames, how="diagonal_relaxed")

    def frames(self, cell: Cell, columns: Sequence[str] | None = None, table: str = GAMES) -> Iterator[pl.DataFrame]:
        """The games of one cell (or some columns of them), or their rounds, in order, a part at a time."""
        self._need_games()
        mine = [each for each in _of(table, self._parts) if each["cell"] == cell.index]
        for each in sorted(mine, key=lambda part: part["first"]):
            yield self._part(each, columns)

    def row(self, cell: Cell, game: int) -> dict[str, Any] | None:
        """The stored row of one game, None if games were not kept."""
        if not self.kept:
            return None
        for each in _of(GAMES, self._parts):
            if each["cell"] == cell.index and each["first"] <= game < each["first"] + each["games"]:
                return self._part(each).row(game - each["first"], named=True)
        return None

    def ready(self, cell: Cell) -> None:
        """StoreError if the file of a policy that plays here is not as it was."""
        ready([cell], self.name)

    def schema(self, game: Game) -> dict[str, Any]:
        """The columns of the tables of a game with their Polars types."""
        return self._schemas[game.name]

    @cached_property
    def _schemas(self) -> dict[str, dict[str, Any]]:
        configs = self.plan.config_names
        types = (pl.UInt64(), pl.UInt32(), pl.Enum(configs), pl.UInt8(), pl.UInt64())
        facts: dict[str, Any] = dict(zip(FACTS, types, strict=True))
        games = {cell.game.name: cell.game for cell in self.plan.cells}
        return {
            name: {**facts, **{each.name: dtype_of(each) for each in shared_columns(self.plan.cells, game)}}
            for name, game in games.items()
        }

    def _need_games(self) -> None:
        if not self.kept:
            raise StoreError(f"{self.name}: holds a summary only (--keep summary), no single games")

    def _part(self, part: Mapping[str, Any], columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The table of one part, checked."""
        path = self._sound(part)
        try:
            frame = pl.read_parquet(path, columns=None if columns is None else list(columns))
        except (OSError, pl.exceptions.PolarsError) as error:
            raise StoreError(f"{path}: can't be read: {' '.join(str(error).split())}") from None
        rows = part.get("rows", part["games"])
        if frame.height != rows:
            raise StoreError(f"{path}: has {frame.height:,} rows, the manifest says {rows:,}")
        return frame

    def _sound(self, part: Mapping[str, Any]) -> Path:
        """The file of a part, whose content is what was written."""
        path = self.folder / part["file"]
        if part["file"] not in self._checked:
            if digest_of(path) != part["sha256"]:
                raise StoreError(f"{path}: this part is damaged or of another run (its digest differs); {MEND}")
            self._checked.add(part["file"])
        return path


def _of(table: str, parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries of one table's parts."""
    return [each for each in parts if each["file"].startswith(f"{table}/")]
