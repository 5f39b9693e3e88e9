"""A run's folder: parts, manifest, summary and log; written so that it can be stopped at any moment and go on.

    run.lock         while the run is under way: held by the process that writes
    started.json     while the run is under way: its manifest without parts
    progress.json    while the run is under way: how many parts are done, their digests, totals so far
    games/part-000000.parquet ...   each written beside its name when it is complete, then renamed
    rounds/part-000000.parquet ...  the rounds of the same games, of a game that has rounds
    summary.json     integer totals of every metric and cell
    log.json         what depends on the machine or the day
    manifest.json    written last: a folder that has one and no other started.json is complete

Manifest, parts and summary have the same bytes whatever workers, backend and chunks played them, and however often the
run was stopped or extended. A part counts as done when progress.json says so, and that is when all its files are there;
totals there are those of all done parts.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from alchemy_sim.core.errors import Interrupted, StoreError, unknown
from alchemy_sim.mc import plan as planning
from alchemy_sim.mc.files import Held, digest_of, read_json, reason, text_of, uninterrupted, write_atomically
from alchemy_sim.mc.frame import Framer
from alchemy_sim.mc.plan import Part, Plan
from alchemy_sim.mc.provenance import describe
from alchemy_sim.mc.tables import GAMES, Columns, part_file, tables_of
from alchemy_sim.mc.totals import CellTotals, from_json, merge, to_json

KEEP = ("games", "summary")
MANIFEST, SUMMARY, LOG, STARTED, PROGRESS = "manifest.json", "summary.json", "log.json", "started.json", "progress.json"
LOCK = "run.lock"
#: Rows that a file's reader takes or leaves together; a part has no more games.
_ROW_GROUP = 2**18


def check_folder(folder: Path) -> None:
    """StoreError unless a new run can be written there: a folder that is empty, or can be made. Writes nothing."""
    try:
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder}: is a file, not a folder for a run")
        if not is_empty(folder):
            raise StoreError(f"{folder}: {_held(folder)}")
        nearest = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        if not nearest.is_dir():
            raise StoreError(f"{folder}: can't be made: {nearest} is a file")
        if not os.access(nearest, os.W_OK | os.X_OK):
            raise StoreError(f"{folder}: can't be written: no permission in {nearest}")
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder}: can't be used: {reason(error)}") from None


def is_empty(folder: Path) -> bool:
    """Whether nothing stands in the way of a new run there."""
    return not folder.is_dir() or all(each.name == LOCK for each in folder.iterdir())


def _held(folder: Path) -> str:
    if (folder / MANIFEST).exists():
        return "holds another run; name a new folder, or remove this one"
    if (folder / STARTED).exists():
        return "holds an unfinished run; go on with --resume, name a new folder, or remove this one"
    return "the folder is not empty; name a new folder, or remove this one"


@dataclass(frozen=True)
class State:
    """How far a run is. Parts below `done` are complete; those from there below `begun_until` hold `begun` games each,
    which are in the totals (a run that is being extended). `parts` are digest entries by file: games and rounds.
    """

    done: int
    begun: int
    begun_until: int
    totals: tuple[CellTotals, ...]
    parts: dict[str, dict[str, Any]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As progress.json has it."""
        return {
            "done": self.done,
            "begun": self.begun,
            "begun_until": self.begun_until,
            "parts": self.entries(),
            "totals": [to_json(each) for each in self.totals],
        }

    def entries(self) -> list[dict[str, Any]]:
        """The entries of all files, part by part, games before rounds."""
        return sorted(self.parts.values(), key=lambda entry: (entry["part"], entry["file"]))

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> State:
        """What `to_json` wrote."""
        return State(
            stored["done"],
            stored["begun"],
            stored["begun_until"],
            tuple(from_json(each) for each in stored["totals"]),
            {entry["file"]: dict(entry) for entry in stored["parts"]},
        )


class Store:
    """A run's folder while it is written; a sink for `runner.play`.

    Made for a new run; `resume.reopen` and `resume.extend` make it for a folder that holds one.
    """

    def __init__(self, folder: Path, plan: Plan, keep: str = "games", state: State | None = None) -> None:
        """Claim the folder for this run; StoreError if it is in use or can't be written. Without `state` it is new."""
        if keep not in KEEP:
            raise StoreError(unknown("value of keep", keep, KEEP))
        self.folder = folder
        self.keep = keep
        self.wants_columns = keep == "games"
        self.state = state or State(0, 0, 0, tuple({} for _ in plan.cells))
        self._plan = plan
        self._manifest = describe(plan, keep)
        self._framed = Framer(plan)
        if state is None:
            check_folder(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._held = Held(folder / LOCK)
            if state is None and not is_empty(folder):
                raise StoreError(f"{folder}: another run has just been written there")
            write_atomically(folder / STARTED, text_of(self._manifest).encode())
            if self.wants_columns:
                for table in {table for cell in plan.cells for table in tables_of(cell.game)}:
                    (folder / table).mkdir(exist_ok=True)
        except OSError as error:
            raise StoreError(f"{folder}: can't be written: {reason(error)}") from None
        self._save()

    def left(self) -> list[Part]:
        """The parts, or what is missing of them, that are still to be played, in order."""
        found = []
        for part in self._plan.parts():
            if part.number < self.state.done:
                continue
            begun = self._begun(part)
            found.append(replace(part, first=part.first + begun, count=part.count - begun))
        return found

    def damaged(self) -> list[Part]:
        """Parts that count as done (or begun) but of which a file is missing or not what was written."""
        if not self.wants_columns:
            return []
        found = []
        for part in self._plan.parts():
            games = part.count if part.number < self.state.done else self._begun(part)
            if games and not all(self._sound(name) for name in self._files(part)):
                found.append(replace(part, count=games))
        return found

    def _begun(self, part: Part) -> int:
        """How many games a part had before the run was extended, if it is still to be filled."""
        return self.state.begun if self.state.done <= part.number < self.state.begun_until else 0

    def _files(self, part: Part) -> list[str]:
        return [part_file(part.number, table) for table in tables_of(self._plan.cells[part.cell].game)]

    def _sound(self, name: str) -> bool:
        entry = self.state.parts.get(name)
        return entry is not None and digest_of(self.folder / name) == entry["sha256"]

    def done(self, part: Part, totals: CellTotals, columns: Columns | None) -> None:
        """Take a complete part, or the rest of one that was begun. Interrupted if the disk is full or gone."""
        parts = self.state.parts
        if columns is not None:
            with uninterrupted():
                parts = {**parts, **self._write_part(part, columns)}
        sums = list(self.state.totals)
        sums[part.cell] = merge(sums[part.cell], totals)
        self.state = replace(self.state, done=part.number + 1, totals=tuple(sums), parts=parts)
        self._save()

    def mend(self, part: Part, columns: Columns) -> None:
        """Write a damaged part again; what it adds to the totals is known already."""
        self.state = replace(self.state, parts={**self.state.parts, **self._write_part(part, columns)})
        self._save()

    def finish(self, log: Mapping[str, Any]) -> None:
        """Write summary, log and, last, the manifest: the run is complete."""
        cells = [
            {"cell": cell.index, "config": cell.config_name, "players": cell.players, "metrics": to_json(each)}
            for cell, each in zip(self._plan.cells, self.state.totals, strict=True)
        ]
        self._write(SUMMARY, text_of({"format": 1, "cells": cells}).encode())
        self._write(LOG, text_of(log).encode())
        self._write(MANIFEST, text_of({**self._manifest, "parts": self.state.entries()}).encode())
        for name in (PROGRESS, STARTED, LOCK):
            with contextlib.suppress(OSError):  # the manifest stands, so the run is complete all the same
                (self.folder / name).unlink()
        self.close()

    def close(self) -> None:
        """Let go of the folder."""
        self._held.close()

    def _write_part(self, part: Part, columns: Columns) -> dict[str, dict[str, Any]]:
        """Write the files of a part, or of the rest of one that was begun; their entries by name."""
        begun = self._begun(part) if part.first % planning.PART_GAMES else 0
        place = {"part": part.number, "cell": part.cell, "first": part.first - begun, "games": part.count + begun}
        entries = {}
        for table, frame in self._framed(part, columns):
            name = part_file(part.number, table)
            if begun:
                frame = self._before(name).vstack(frame)
            content = parquet(frame)
            self._write(name, content)
            rows = {} if table == GAMES else {"rows": frame.height}
            entries[name] = {
                "file": name,
                **place,
                **rows,
                "bytes": len(content),
                "sha256": hashlib.sha256(content).hexdigest(),
            }
        return entries

    def _before(self, name: str) -> pl.DataFrame:
        """What a file has of a part that was begun."""
        try:
            return pl.read_parquet(self.folder / name)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise Interrupted(f"{self.folder / name}: can't be read: {reason(error)}") from None

    def _save(self) -> None:
        self._write(PROGRESS, json.dumps(self.state.to_json()).encode())

    def _write(self, name: str, content: bytes) -> None:
        try:
            write_atomically(self.folder / name, content)
        except OSError as error:
            raise Interrupted(f"{self.folder / name}: can't be written: {reason(error)}") from None


def parquet(frame: pl.DataFrame) -> bytes:
    """The bytes of a part: the same for equal tables, whatever they were put together from."""
    buffer = io.BytesIO()
    rows = min(max(1, frame.height), _ROW_GROUP)
    frame.rechunk().write_parquet(buffer, compression="zstd", statistics=True, row_group_size=rows)
    return buffer.getvalue()


def read_totals(folder: Path) -> list[CellTotals]:
    """The totals of a run by cell index."""
    return [from_json(cell["metrics"]) for cell in read_json(folder, SUMMARY)["cells"]]


def forget(folder: Path, names: Iterable[str]) -> None:
    """Remove files of a run that no longer hold."""
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            (folder / name).unlink()
