"""Carrying a plan out: in memory, or into a run's folder, where damaged parts are mended and missing ones played."""

from __future__ import annotations

import platform
from collections.abc import Callable
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any

from alchemy_sim.mc.plan import Part, Plan
from alchemy_sim.mc.runner import Played, Progress, Workers, play
from alchemy_sim.mc.tables import Columns
from alchemy_sim.mc.totals import CellTotals

if TYPE_CHECKING:
    from alchemy_sim.mc.store import Store  # imports Polars, which a run without a folder does not need


class _Mender:
    """A sink for parts that are played again because their files are damaged."""

    wants_columns = True

    def __init__(self, store: Store) -> None:
        self._store = store

    def done(self, part: Part, _totals: CellTotals, columns: Columns | None) -> None:
        if columns is not None:
            self._store.mend(part, columns)


def carry_out(
    plan: Plan,
    workers: Workers,
    store: Store | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> list[CellTotals]:
    """Play what is left of a plan; the totals of all its games by cell index. Interrupted if it is stopped."""
    if store is None:
        return play(plan, workers, progress=progress).totals
    began, start = datetime.now(UTC), perf_counter()
    try:
        damaged = store.damaged()
        if damaged:
            play(plan, workers, _Mender(store), progress, damaged)
        left = store.left()
        played = play(plan, workers, store, progress, left) if left else Played([], 0, 0, 0)
        log: dict[str, Any] = {
            "began": began.isoformat(timespec="seconds"),
            "seconds": round(perf_counter() - start, 3),
            "host": platform.node(),
            "system": platform.platform(),
            "workers": workers.number,
            "backend": workers.backend,
            "chunk": workers.chunk,
            "chunks": {"number": played.chunks, "smallest": played.smallest, "largest": played.largest},
            "mended": [part.number for part in damaged],
        }
        store.finish(log)
    finally:
        store.close()
    return list(store.state.totals)
