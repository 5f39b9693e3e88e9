"""A run's folder: parts, manifest, summary and log; written so that it can be stopped at any moment and go on.

    run.lock         while the run is under way: held by the process that writes
    started.json     while the run is under way: its manifest without parts
    progress.json    while the run is under way: how many parts are done, their digests, totals so far
    games/part-000000.parquet ...   each written beside its name when it is complete, then renamed
    summary.json     integer totals of every metric and cell
    log.json         what depends on the machine or the day
    manifest.json    written last: a folder that has one and no other started.json is complete

Manifest, parts and summary have the same bytes whatever workers, backend and chunks played them, and however often the
run was stopped or extended. A part counts as done when progress.json says so; totals there are those of all done parts.
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

import numpy as np
import polars as pl

from alchemy_sim.core.errors import Interrupted, StoreError, unknown
from alchemy_sim.mc import plan as planning
from alchemy_sim.mc.files import Held, digest_of, read_json, reason, text_of, uninterrupted, write_atomically
from alchemy_sim.mc.frame import shared_columns, to_frame
from alchemy_sim.mc.plan import Part, Plan
from alchemy_sim.mc.provenance import describe
from alchemy_sim.mc.totals import CellTotals, from_json, merge, to_json

KEEP = ("games", "summary")
MANIFEST, SUMMARY, LOG, STARTED, PROGRESS = "manifest.json", "summary.json", "log.json", "started.json", "progress.json"
LOCK = "run.lock"


def part_file(number: int) -> str:
    """The name of a part in its run's folder."""
    return f"games/part-{number:06d}.parquet"


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
    which are in the totals (a run that is being extended). `parts` are digest entries by part number.
    """

    done: int
    begun: int
    begun_until: int
    totals: tuple[CellTotals, ...]
    parts: dict[int, dict[str, Any]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As progress.json has it."""
        return {
            "done": self.done,
            "begun": self.begun,
            "begun_until": self.begun_until,
            "parts": [self.parts[number] for number in sorted(self.parts)],
            "totals": [to_json(each) for each in self.totals],
        }

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> State:
        """What `to_json` wrote."""
        return State(
            stored["done"],
            stored["begun"],
            stored["begun_until"],
            tuple(from_json(each) for each in stored["totals"]),
            {entry["part"]: dict(entry) for entry in stored["parts"]},
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
        self._configs = plan.config_names
        self._columns = {cell.game.name: shared_columns(plan.cells, cell.game) for cell in plan.cells}
        if state is None:
            check_folder(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._held = Held(folder / LOCK)
            if state is None and not is_empty(folder):
                raise StoreError(f"{folder}: another run has just been written there")
            write_atomically(folder / STARTED, text_of(self._manifest).encode())
            if self.wants_columns:
                (folder / "games").mkdir(exist_ok=True)
        except OSError as error:
            raise StoreError(f"{folder}: can't be written: {reason(error)}") from None
        self._save()

    def left(self) -> list[Part]:
        """The parts, or what is missing of them, that are still to be played, in order."""
        found = []
        for part in self._plan.parts():
            if part.number < self.state.done:
                continue
            begun = self.state.begun if part.number < self.state.begun_until else 0
            found.append(replace(part, first=part.first + begun, count=part.count - begun))
        return found

    def damaged(self) -> list[Part]:
        """Parts that count as done (or begun) but whose file is missing or not what was written."""
        if not self.wants_columns:
            return []
        found = []
        for part in self._plan.parts():
            entry = self.state.parts.get(part.number)
            if entry is not None and digest_of(self.folder / entry["file"]) != entry["sha256"]:
                found.append(replace(part, count=entry["games"]))
        return found

    def done(self, part: Part, totals: CellTotals, columns: Mapping[str, np.ndarray] | None) -> None:
        """Take a complete part, or the rest of one that was begun. Interrupted if the disk is full or gone."""
        parts = self.state.parts
        if columns is not None:
            with uninterrupted():
                parts = {**parts, part.number: self._write_part(part, columns)}
        sums = list(self.state.totals)
        sums[part.cell] = merge(sums[part.cell], totals)
        self.state = replace(self.state, done=part.number + 1, totals=tuple(sums), parts=parts)
        self._save()

    def mend(self, part: Part, columns: Mapping[str, np.ndarray]) -> None:
        """Write a damaged part again; what it adds to the totals is known already."""
        self.state = replace(self.state, parts={**self.state.parts, part.number: self._write_part(part, columns)})
        self._save()

    def finish(self, log: Mapping[str, Any]) -> None:
        """Write summary, log and, last, the manifest: the run is complete."""
        cells = [
            {"cell": cell.index, "config": cell.config_name, "players": cell.players, "metrics": to_json(each)}
            for cell, each in zip(self._plan.cells, self.state.totals, strict=True)
        ]
        parts = [self.state.parts[number] for number in sorted(self.state.parts)]
        self._write(SUMMARY, text_of({"format": 1, "cells": cells}).encode())
        self._write(LOG, text_of(log).encode())
        self._write(MANIFEST, text_of({**self._manifest, "parts": parts}).encode())
        for name in (PROGRESS, STARTED, LOCK):
            with contextlib.suppress(OSError):  # the manifest stands, so the run is complete all the same
                (self.folder / name).unlink()
        self.close()

    def close(self) -> None:
        """Let go of the folder."""
        self._held.close()

    def _write_part(self, part: Part, columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
        cell = self._plan.cells[part.cell]
        frame = to_frame(cell, self._plan.seed, part.first, columns, self._columns[cell.game.name], self._configs)
        name = part_file(part.number)
        begun = self.state.begun if part.number < self.state.begun_until else 0
        first = part.first
        if begun and part.number >= self.state.done and part.first % planning.PART_GAMES:
            try:
                frame = pl.concat([pl.read_parquet(self.folder / name), frame], rechunk=True)
            except (OSError, pl.exceptions.PolarsError) as error:
                raise Interrupted(f"{self.folder / name}: can't be read: {reason(error)}") from None
            first -= begun
        content = parquet(frame)
        self._write(name, content)
        place = {"part": part.number, "cell": part.cell, "first": first, "games": frame.height}
        return {"file": name, **place, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}

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
    frame.rechunk().write_parquet(buffer, compression="zstd", statistics=True, row_group_size=frame.height)
    return buffer.getvalue()


def read_totals(folder: Path) -> list[CellTotals]:
    """The totals of a run by cell index."""
    return [from_json(cell["metrics"]) for cell in read_json(folder, SUMMARY)["cells"]]


def forget(folder: Path, names: Iterable[str]) -> None:
    """Remove files of a run that no longer hold."""
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            (folder / name).unlink()
