"""A run from a configuration's name to the text of its table: what `run` does once its options are parsed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from alchemy_sim.cli import options
from alchemy_sim.cli.output import display_path, ready_game, ready_games, say
from alchemy_sim.cli.progress import Bar
from alchemy_sim.config.load import Experiment, load
from alchemy_sim.core.errors import Interrupted, UsageError
from alchemy_sim.mc.plan import Plan, plan
from alchemy_sim.mc.precision import fixed_number, half_width, wanted
from alchemy_sim.mc.preflight import LONG_SECONDS, forecast
from alchemy_sim.mc.provenance import configurations
from alchemy_sim.mc.runner import BACKENDS, Workers, play
from alchemy_sim.mc.session import carry_out
from alchemy_sim.mc.stats import rows
from alchemy_sim.mc.totals import CellTotals
from alchemy_sim.report import tables
from alchemy_sim.report.runs import run_tables

if TYPE_CHECKING:
    from alchemy_sim.mc.store import Store


@dataclass(frozen=True)
class Request:
    """What `run` was asked for; `again` is the command line that resumes it."""

    config: str
    sets: Sequence[str] = ()
    players: Sequence[int] | None = None
    policy: str | None = None
    games: int | None = None
    seed: int | None = None
    workers: Workers = field(default_factory=Workers)
    out: Path | None = None
    keep: str = "games"
    resume: bool = False
    precision: Sequence[str] = ()
    most: int | None = None
    again: str = ""


def workers_of(count: str | None, backend: str, chunk: str | None) -> Workers:
    """Who plays, from the options as they were typed; UsageError says what is allowed."""
    return Workers(
        options.integer("--workers", count, 1, options.MOST_WORKERS),
        options.choice("backend", backend, BACKENDS),
        options.integer("--chunk", chunk, 1, options.MOST_GAMES),
    )


def play_request(request: Request, style: str) -> tuple[str, str]:
    """Play and, with `out`, store; the text for standard output and the closing line for standard error."""
    experiment = load(request.config, request.sets, request.players)
    if request.out is not None and not request.resume:
        from alchemy_sim.mc.store import check_folder  # imports Polars, which a run without --out does not need

        check_folder(request.out)
    ready_games(experiment)
    planned = _planned(request, experiment)
    start = perf_counter()
    totals = _played(planned, request)
    seconds = perf_counter() - start
    workers = request.workers
    speed = planned.total / seconds
    line = f"{planned.total:,} games in {seconds:.1f} s ({speed:,.0f} a second, {workers.number} {workers.backend})"
    if request.out is not None:
        line = f"{planned.total:,} games in {display_path(request.out)} ({seconds:.1f} s)"
    return text_of_run(planned, totals, style), line


def extend_run(folder: Path, games: int, workers: Workers, style: str, again: str) -> tuple[str, str]:
    """Extend the run in a folder to `games` of each cell; texts as those of `play_request`."""
    from alchemy_sim.mc.resume import extend, manifest_of

    manifest = manifest_of(folder)
    for name in {str(cell["game"]) for cell in manifest["cells"]}:
        ready_game(name)
    from alchemy_sim.mc.own import ready
    from alchemy_sim.mc.rebuild import plan_of

    planned = replace(plan_of(manifest, folder), games=games)
    ready(planned.cells, str(folder))  # before anything is written
    start = perf_counter()
    try:
        with Bar() as bar:
            totals = carry_out(planned, workers, extend(folder, planned, manifest["keep"]), bar)
    except Interrupted as error:
        raise Interrupted(str(error), again) from error
    line = f"{planned.total:,} games in {display_path(folder)} ({perf_counter() - start:.1f} s)"
    return text_of_run(planned, totals, style), line


def _planned(request: Request, experiment: Experiment) -> Plan:
    """The plan, its number of games found by pilots where a precision is asked for."""
    if not request.precision:
        return plan(experiment, request.games, request.seed, policy=request.policy)
    if request.games is not None:
        raise UsageError("--games and --precision: name one of them; --max-games bounds a precision")
    first = plan(experiment, 1, request.seed, policy=request.policy)
    aims = [wanted(text, first.cells[0].game) for text in request.precision]

    def pilot(games: int) -> list[CellTotals]:
        return play(plan(experiment, games, request.seed, policy=request.policy), request.workers).totals

    number = fixed_number(first.cells, aims, pilot, request.most)
    return plan(experiment, number, request.seed, policy=request.policy)


def _played(planned: Plan, request: Request) -> list[CellTotals]:
    try:
        expected = forecast(planned, request.workers, request.out is not None and request.keep == "games")
        if expected.seconds > LONG_SECONDS:
            say(f"alchemy-sim: {expected}")
        with Bar() as bar:
            totals = carry_out(planned, request.workers, _store(planned, request), bar)
    except KeyboardInterrupt:
        raise Interrupted("stopped before the first game", request.again if request.out is not None else "") from None
    except Interrupted as error:
        if request.out is None:
            raise
        raise Interrupted(str(error), request.again) from error
    for text in request.precision:
        for cell in planned.cells:
            aim = wanted(text, cell.game)
            got = half_width(cell.game.metric(aim.metric), totals[cell.index][aim.metric])
            if got > aim.half * 1.05:
                say(f"alchemy-sim: {cell.title}, {cell.players} players: {aim.metric} is known to {got:.4g} only")
    return totals


def _store(planned: Plan, request: Request) -> Store | None:
    if request.out is None:
        return None
    from alchemy_sim.mc.resume import reopen
    from alchemy_sim.mc.store import Store

    if request.resume:
        return reopen(request.out, planned, request.keep)
    return Store(request.out, planned, request.keep)


def text_of_run(planned: Plan, totals: list[CellTotals], style: str) -> str:
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
