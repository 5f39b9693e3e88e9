"""A run's folder: parts, manifest, summary and log.

    started.json     while the run is under way: its manifest without parts, and who has the folder
    games/part-000000.parquet ...   each written beside its name when it is complete, then renamed
    summary.json     integer totals of every metric and cell
    log.json         what depends on the machine or the day
    manifest.json    written last: a folder that has one is complete, and started.json is gone

Manifest, parts and summary have the same bytes whatever workers, backend and chunks played them.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from alchemy_sim.core.errors import Interrupted, StoreError, unknown
from alchemy_sim.mc.frame import shared_columns, to_frame
from alchemy_sim.mc.plan import Part, Plan
from alchemy_sim.mc.provenance import describe
from alchemy_sim.mc.totals import CellTotals, from_json, to_json

KEEP = ("games", "summary")
MANIFEST, SUMMARY, LOG, STARTED = "manifest.json", "summary.json", "log.json", "started.json"


def check_folder(folder: Path) -> None:
    """StoreError unless a new run can be written there: a folder that is empty, or can be made. Writes nothing."""
    try:
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder}: is a file, not a folder for a run")
        if folder.is_dir() and any(folder.iterdir()):
            raise StoreError(f"{folder}: {_held(folder)}; name a new folder, or remove this one")
        nearest = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        if not nearest.is_dir():
            raise StoreError(f"{folder}: can't be made: {nearest} is a file")
        if not os.access(nearest, os.W_OK | os.X_OK):
            raise StoreError(f"{folder}: can't be written: no permission in {nearest}")
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder}: can't be used: {_reason(error)}") from None


def _held(folder: Path) -> str:
    if (folder / MANIFEST).exists():
        return "holds another run"
    return "holds an unfinished run" if (folder / STARTED).exists() else "the folder is not empty"


class Store:
    """A run's folder while it is written; a sink for `runner.play`."""

    def __init__(self, folder: Path, plan: Plan, keep: str = "games") -> None:
        """Make the folder and claim it for this run; StoreError if it is in use or can't be written."""
        if keep not in KEEP:
            raise StoreError(unknown("value of keep", keep, KEEP))
        self.folder = folder
        self.wants_columns = keep == "games"
        self._plan = plan
        self._manifest = describe(plan, keep)
        self._configs = list(dict.fromkeys(cell.config_name for cell in plan.cells))
        self._columns = {cell.game.name: shared_columns(plan.cells, cell.game) for cell in plan.cells}
        self._parts: list[dict[str, Any]] = []
        check_folder(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with open(folder / STARTED, "x", encoding="utf-8", newline="\n") as file:
                file.write(_text(self._manifest))
            if self.wants_columns:
                (folder / "games").mkdir()
        except FileExistsError:
            raise StoreError(f"{folder}: another run is writing there") from None
        except OSError as error:
            raise StoreError(f"{folder}: can't be written: {_reason(error)}") from None

    def done(self, part: Part, totals: CellTotals, columns: Mapping[str, np.ndarray] | None) -> None:
        """Write a complete part. Interrupted if the disk is full or gone."""
        if columns is None:
            return
        cell = self._plan.cells[part.cell]
        frame = to_frame(cell, self._plan.seed, part.first, columns, self._columns[cell.game.name], self._configs)
        buffer = io.BytesIO()
        frame.write_parquet(buffer, compression="zstd", statistics=True, row_group_size=part.count)
        content = buffer.getvalue()
        name = f"games/part-{part.number:06d}.parquet"
        self._write(name, content)
        place = {"part": part.number, "cell": part.cell, "first": part.first, "games": part.count}
        self._parts.append(
            {"file": name, **place, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        )

    def finish(self, totals: Sequence[CellTotals], log: Mapping[str, Any]) -> None:
        """Write summary, log and, last, the manifest: the run is complete."""
        cells = [
            {"cell": cell.index, "config": cell.config_name, "players": cell.players, "metrics": to_json(each)}
            for cell, each in zip(self._plan.cells, totals, strict=True)
        ]
        self._write(SUMMARY, _text({"format": 1, "cells": cells}).encode())
        self._write(LOG, _text(log).encode())
        self._write(MANIFEST, _text({**self._manifest, "parts": self._parts}).encode())
        with contextlib.suppress(OSError):  # the manifest stands, so the run is complete all the same
            (self.folder / STARTED).unlink()

    def _write(self, name: str, content: bytes) -> None:
        try:
            write_atomically(self.folder / name, content)
        except OSError as error:
            raise Interrupted(f"{self.folder / name}: can't be written: {_reason(error)}") from None


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file beside its name, to the disk, and rename it: under its name it is never seen half-written."""
    beside = path.with_name(path.name + ".tmp")
    try:
        with open(beside, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    if os.name == "posix":  # so that the new name, too, outlives a power cut
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def read_json(folder: Path, name: str) -> Any:
    """A JSON file of a run; StoreError if the folder has none or it can't be read."""
    try:
        return json.loads((folder / name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoreError(f"{folder}: no run here ({name} is missing)") from None
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder / name}: can't be read: {_reason(error)}") from None


def read_totals(folder: Path) -> list[CellTotals]:
    """The totals of a run by cell index."""
    return [from_json(cell["metrics"]) for cell in read_json(folder, SUMMARY)["cells"]]


def _text(content: Any) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
