"""A check from names to lines: what `check` does once its options are parsed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from alchemy_sim.cli.output import ready_games, say
from alchemy_sim.cli.progress import Bar
from alchemy_sim.cli.reading import known_metrics, open_run
from alchemy_sim.config.load import load
from alchemy_sim.core.errors import StoreError, UsageError
from alchemy_sim.mc.check import Checked, against_bands, against_run, bands_text, read_bands
from alchemy_sim.mc.compare import of_plans
from alchemy_sim.mc.plan import Plan, plan
from alchemy_sim.mc.runner import Workers, play
from alchemy_sim.report.tables import NOTHING, Table, decimals, interval, number


@dataclass(frozen=True)
class Request:
    """What `check` was asked for."""

    config: str
    expect: Path | None = None
    baseline: str | None = None
    write: Path | None = None
    width: float = 0.01
    metrics: Sequence[str] | None = None
    sets: Sequence[str] = ()
    players: Sequence[int] | None = None
    policy: str | None = None
    games: int | None = None
    seed: int | None = None
    workers: Workers = field(default_factory=Workers)


def check_request(request: Request) -> tuple[list[dict[str, Any]], list[Table], dict[str, Any], bool]:
    """Rows, tables, facts for JSON, and whether anything left its band."""
    if request.expect is None and request.baseline is None and request.write is None:
        raise UsageError("check needs --expect FILE, --baseline RUN, or --write FILE to make bands")
    if request.write is not None and request.write.exists():
        raise UsageError(f"--write {request.write}: is there already; remove it first")
    experiment = load(request.config, request.sets, request.players)
    ready_games(experiment)
    base = None if request.baseline is None else open_run(request.baseline)
    games, seed = request.games, request.seed
    if base is not None:  # the same deals, as many as it had
        games = base.plan.games if games is None else games
        seed = base.plan.seed if seed is None else seed
    planned = plan(experiment, games, seed, policy=request.policy)
    known_metrics([cell.game for cell in planned.cells], request.metrics)
    bands = [] if request.expect is None else read_bands(request.expect, planned)
    found: list[Checked] = []
    share = 0.5 if bands and base is not None else 1.0
    with Bar() as bar:
        if bands or request.write is not None:
            totals = play(planned, request.workers, progress=bar).totals
            found += against_bands(bands, totals, share) if bands else ()
        if base is not None:
            found += against_run(of_plans(base, planned, request.workers, bar), request.metrics, share)
    if request.write is not None:
        names = request.metrics or [planned.cells[0].game.headline]
        _write(request.write, bands_text(planned, totals, names, request.width))
        say(f"alchemy-sim: bands written to {request.write}")
    left = [each for each in found if each.left]
    facts = {"seed": planned.seed, "games": planned.games, "checked": len(found), "left": len(left)}
    tables = [_table(planned, found, left)] if found else []
    return [_row(each) for each in found], tables, facts, bool(left)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise StoreError(f"{path}: can't be written: {error.strerror}") from None


def _row(each: Checked) -> dict[str, Any]:
    return {
        "config": each.cell.config_name,
        "players": each.cell.players,
        "metric": each.metric,
        "estimate": each.value,
        "low": each.low,
        "high": each.high,
        "n": each.n,
        "method": "simultaneous",
        "band_low": each.band[0],
        "band_high": each.band[1],
        "left": each.left,
    }


def _table(planned: Plan, found: Sequence[Checked], left: Sequence[Checked]) -> Table:
    """One line for each metric that left its band."""
    rows = [
        [
            each.cell.config_name,
            str(each.cell.players),
            each.metric.replace("_", " "),
            interval(each.value, each.low, each.high, each.unit),
            _band_text(each),
            "above" if each.band[1] is not None and (each.value or 0.0) > each.band[1] else "below",
        ]
        for each in left
    ]
    notes = (
        f"{len(left)} of {len(found)} left their bands; {planned.games:,} games of each cell, seed {planned.seed}",
        "false alarms: at most 5 % of checks (all intervals hold together with 95 % chance)",
    )
    title = f"{planned.title}: {'all within their bands' if not left else 'left its band'}"
    return Table(["configuration", "players", "metric", "is", "band", ""], rows, title, frozenset({1, 3, 4}), notes)


def _band_text(each: Checked) -> str:
    factor, sign = (100.0, " %") if each.unit == "pp" else (1.0, "")
    bounds = [factor * bound for bound in each.band if bound is not None]
    width = bounds[1] - bounds[0] if len(bounds) == 2 else 0.1 * abs(bounds[0])
    low, high = (NOTHING if bound is None else number(factor * bound, decimals(width / 4)) for bound in each.band)
    return f"{low} to {high}{sign}"
