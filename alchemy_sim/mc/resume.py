"""Going on with a run: reopening one that was stopped or damaged, and extending one to more games.

What is on the disk is believed only as far as its digest goes; a part that is missing or damaged is played again. A run
goes on only as it began: another configuration, seed, version or source would not give the same digits.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from alchemy_sim.core.errors import StoreError
from alchemy_sim.mc import plan as planning
from alchemy_sim.mc.files import Held, read_json
from alchemy_sim.mc.own import difference
from alchemy_sim.mc.plan import Plan
from alchemy_sim.mc.provenance import describe
from alchemy_sim.mc.store import (
    LOCK,
    MANIFEST,
    PROGRESS,
    STARTED,
    SUMMARY,
    State,
    Store,
    forget,
    is_empty,
    read_totals,
)
from alchemy_sim.mc.tables import GAMES, ROUNDS, part_file

#: Keys of a manifest in which two runs may differ, with the words for it.
_WORDS = {
    "source": "another version of the program (its sources differ)",
    "versions": "other versions of Python or of libraries",
    "configurations": "another configuration",
    "cells": "other player counts or policies",
    "games": "another number of games (use extend)",
    "seed": "another seed",
    "keep": "another value of --keep",
}


def reopen(folder: Path, plan: Plan, keep: str) -> Store:
    """The store of a run that was stopped, or of a complete one that may be damaged; a new one in an empty folder.

    StoreError if the folder holds another run, or is being written to.
    """
    if is_empty(folder):
        return Store(folder, plan, keep)
    _unheld(folder)
    manifest = describe(plan, keep)
    begun = _read(folder, STARTED)
    complete = _read(folder, MANIFEST)
    if not any((folder / name).exists() for name in (STARTED, MANIFEST)):
        raise StoreError(f"{folder}: holds no run that could be resumed")
    if begun is not None:
        _same(folder, begun, manifest)
    elif complete is not None:
        _same(folder, {key: value for key, value in complete.items() if key != "parts"}, manifest)
    progress = _read(folder, PROGRESS)
    if progress is not None:
        state = State.from_json(progress)
    elif complete is not None and _matches(complete, manifest) and _read(folder, SUMMARY) is not None:
        state = _state_of(folder, complete, plan)
    else:  # stopped before the first part was done, or what the totals were can't be read: all is played again
        state = State(0, 0, 0, tuple({} for _ in plan.cells))
    return Store(folder, plan, keep, state)


def extend(folder: Path, plan: Plan, keep: str) -> Store:
    """The store of a complete run that is to have `plan.games` games of each cell; `plan` is otherwise the run's own.

    StoreError if it has as many already. An extension that was stopped goes on.
    """
    _unheld(folder)
    begun = _read(folder, STARTED)
    if begun is not None and begun.get("games") == plan.games:
        return reopen(folder, plan, keep)
    if begun is not None and not (folder / MANIFEST).exists():
        raise StoreError(f"{folder}: unfinished; finish it first (it has {begun.get('games'):,} games of each cell)")
    complete = read_json(folder, MANIFEST)
    had = complete["games"]
    if plan.games <= had:
        raise StoreError(f"{folder}: has {had:,} games of each cell already; --games must be more")
    _same(folder, {**complete, **_sized(complete, plan.games)}, describe(plan, keep))
    state = _state_of(folder, complete, plan)
    blocks, begun_games = divmod(had, planning.PART_GAMES)
    done = blocks * len(plan.cells)
    until = done + (len(plan.cells) if begun_games else 0)
    state = State(done, begun_games, until, state.totals, state.parts)
    store = Store(folder, plan, keep, state)  # started.json and progress.json stand before the old manifest goes
    forget(folder, (MANIFEST, SUMMARY))
    return store


def manifest_of(folder: Path) -> dict[str, Any]:
    """The manifest of a run, or what one under way began with. StoreError if there is none."""
    begun = _read(folder, STARTED)
    found: dict[str, Any] = begun if begun is not None else read_json(folder, MANIFEST)
    if not isinstance(found, dict) or "cells" not in found:
        raise StoreError(f"{folder / MANIFEST}: is not a run's manifest")
    return found


def _unheld(folder: Path) -> None:
    """StoreError if another process is writing there."""
    if (folder / LOCK).exists():
        Held(folder / LOCK).close()


def _sized(manifest: Mapping[str, Any], games: int) -> dict[str, Any]:
    """The keys of a manifest that speak of the number of games, as a run of `games` has them."""
    return {"games": games, "cells": [{**cell, "games": games} for cell in manifest["cells"]]}


def _state_of(folder: Path, complete: Mapping[str, Any], plan: Plan) -> State:
    """The state of a complete run: all parts done, totals from the summary."""
    parts = {entry["file"]: dict(entry) for entry in complete["parts"]}
    number = -(-complete["games"] // planning.PART_GAMES) * len(plan.cells)
    for entry in parts.values():
        if entry["file"] not in [part_file(entry["part"], table) for table in (GAMES, ROUNDS)]:
            raise StoreError(f"{folder / MANIFEST}: names a part {entry['file']} that no run has")
    return State(number, 0, 0, tuple(read_totals(folder)), parts)


def _read(folder: Path, name: str) -> dict[str, Any] | None:
    """A JSON file of the folder, or None where it is missing or was cut off in the middle."""
    with contextlib.suppress(StoreError):
        found = read_json(folder, name)
        return found if isinstance(found, dict) else None
    return None


def _matches(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one.get(key) == value for key, value in other.items())


def _same(folder: Path, stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """StoreError, in words, unless both manifests are alike."""
    for key, value in wanted.items():
        if stored.get(key) != value:
            words = _WORDS.get(key, f"another {key}")
            if key == "own_policies":
                words = difference(stored.get(key), value)
            raise StoreError(f"{folder}: holds a run of {words}; name a new folder, or remove this one")
