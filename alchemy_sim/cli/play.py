"""A run from a configuration's name to the text of its table: what `run` does once its options are parsed."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from alchemy_sim.cli.output import display_path, ready_game
from alchemy_sim.cli.progress import Bar
from alchemy_sim.config.load import load
from alchemy_sim.core.errors import Interrupted
from alchemy_sim.mc.plan import Plan, plan
from alchemy_sim.mc.provenance import configurations
from alchemy_sim.mc.runner import Workers, play
from alchemy_sim.mc.stats import rows
from alchemy_sim.mc.totals import CellTotals
from alchemy_sim.report import tables
from alchemy_sim.report.runs import run_tables


def play_plan(
    config: str,
    sets: Sequence[str],
    players: Sequence[int] | None,
    policy: str | None,
    games: int | None,
    seed: int | None,
    workers: Workers,
    out: Path | None,
    keep: str,
    style: str,
) -> tuple[str, str]:
    """Play and, with `out`, store; the text for standard output and the closing line for standard error."""
    experiment = load(config, sets, players)
    if out is not None:
        from alchemy_sim.mc.store import check_folder  # imports Polars, which a run without --out does not need

        check_folder(out)
    for name in dict.fromkeys(setting.game for setting in experiment.settings):
        ready_game(name)
    planned = plan(experiment, games, seed, policy=policy)
    start = perf_counter()
    totals = _played(planned, workers, out, keep)
    seconds = perf_counter() - start
    speed = planned.total / seconds
    line = f"{planned.total:,} games in {seconds:.1f} s ({speed:,.0f} a second, {workers.number} {workers.backend})"
    return _text(planned, totals, style), line + (f", kept in {display_path(out)}" if out is not None else "")


def _played(planned: Plan, workers: Workers, out: Path | None, keep: str) -> list[CellTotals]:
    if out is None:
        with Bar() as bar:
            return play(planned, workers, progress=bar).totals
    from alchemy_sim.mc.store import Store

    began, start = datetime.now(UTC), perf_counter()
    store = Store(out, planned, keep)
    try:
        with Bar() as bar:
            played = play(planned, workers, store, bar)
        log = {
            "began": began.isoformat(timespec="seconds"),
            "seconds": round(perf_counter() - start, 3),
            "host": platform.node(),
            "system": platform.platform(),
            "workers": workers.number,
            "backend": workers.backend,
            "chunk": workers.chunk,
            "chunks": {"number": played.chunks, "smallest": played.smallest, "largest": played.largest},
        }
        store.finish(played.totals, log)
    except Interrupted as error:
        raise Interrupted(f"{error}; what {display_path(out)} holds is unfinished", error.resume) from error
    return played.totals


def _text(planned: Plan, totals: list[CellTotals], style: str) -> str:
    import sys

    if style == "table":
        return tables.as_table(run_tables(planned, totals), sys.stdout)
    if style == "md":
        return tables.as_markdown(run_tables(planned, totals))
    found = rows(planned.cells, totals)
    if style == "csv":
        return tables.as_csv(found)
    assumed = {each["config"]: each["assumed"] for each in configurations(planned) if each["assumed"]}
    return tables.as_json("run", found, seed=planned.seed, games=planned.games, assumed=assumed)
