"""Checking a run's folder against its own manifest: digests, gaps, doubles and files that don't belong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from alchemy_sim.mc.files import digest_of, read_json
from alchemy_sim.mc.store import MANIFEST, SUMMARY
from alchemy_sim.mc.tables import GAMES, ROUNDS, part_file


def problems(folder: Path) -> list[str]:
    """What is wrong with a complete run, one line each.

    StoreError if there is no manifest that can be read.
    """
    manifest = read_json(folder, MANIFEST)
    found = list(_plan_problems(manifest))
    found += _file_problems(folder, manifest)
    found += _summary_problems(folder, manifest)
    return found


def _plan_problems(manifest: dict[str, Any]) -> Iterator[str]:
    """Gaps and doubles in what the manifest says of parts."""
    if manifest["keep"] != "games":
        return
    block, games, cells = manifest["part_games"], manifest["games"], len(manifest["cells"])
    wanted = {}
    for number in range(cells * -(-games // block)):
        first = block * (number // cells)
        for table in manifest["cells"][number % cells].get("tables", [GAMES]):
            wanted[part_file(number, table)] = (number, number % cells, first, min(block, games - first))
    seen: set[str] = set()
    for entry in manifest["parts"]:
        file = entry["file"]
        if file in seen:
            yield f"{file}: named twice"
        seen.add(file)
        if file not in wanted:
            yield f"{file}: is no part of this run"
        elif (entry["part"], entry["cell"], entry["first"], entry["games"]) != wanted[file]:
            yield f"{file}: holds other games than this part of the run has"
    for file in sorted(wanted.keys() - seen):
        yield f"{file}: not in the manifest"


def _file_problems(folder: Path, manifest: dict[str, Any]) -> Iterator[str]:
    named = {entry["file"] for entry in manifest["parts"]}
    for entry in manifest["parts"]:
        path = folder / entry["file"]
        if not path.is_file():
            yield f"{entry['file']}: missing"
        elif path.stat().st_size != entry["bytes"]:
            yield f"{entry['file']}: damaged ({path.stat().st_size:,} bytes instead of {entry['bytes']:,})"
        elif digest_of(path) != entry["sha256"]:
            yield f"{entry['file']}: damaged, or of another run (its digest differs)"
    for table in (GAMES, ROUNDS):
        for path in sorted((folder / table).glob("*")):
            name = path.relative_to(folder).as_posix()
            if name not in named:
                yield f"{name}: does not belong to this run"


def _summary_problems(folder: Path, manifest: dict[str, Any]) -> Iterator[str]:
    try:
        summary = read_json(folder, SUMMARY)
        cells = [(cell["cell"], cell["config"], cell["players"]) for cell in summary["cells"]]
        games = {each["n"] for cell in summary["cells"] for name, each in cell["metrics"].items() if "/" not in name}
    except Exception:
        yield f"{SUMMARY}: missing or damaged"
        return
    if cells != [(cell["cell"], cell["config"], cell["players"]) for cell in manifest["cells"]]:
        yield f"{SUMMARY}: is of another run"
    elif games != {manifest["games"]}:
        yield f"{SUMMARY}: counts other games than the manifest"
