"""`alchemy-sim show`: the tables of a stored run, as a whole or by task, seat, reaction and so on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from alchemy_sim.cli.reading import Configs, OneCell, Players, RunFolder
from alchemy_sim.cli.run import Format

if TYPE_CHECKING:
    from alchemy_sim.mc.plan import Cell
    from alchemy_sim.mc.read import Run

OVER = ("missions", "none")


def show(
    run: RunFolder,
    by: Annotated[
        str | None,
        typer.Option(metavar="WHAT", help="task, discipline, seat, position, reaction, ending; category; metal"),
    ] = None,
    metric: Annotated[str | None, typer.Option(metavar="M,M", help="only these; any of `list metrics`")] = None,
    where: Annotated[
        str | None, typer.Option(metavar="COND", help="only games with it: \"ending == 'slag' and reactions < 9\"")
    ] = None,
    over: Annotated[
        str | None,
        typer.Option(metavar="WHAT", help="with --by: missions (all in one table) or none (one table each)"),
    ] = None,
    cell: OneCell = None,
    config: Configs = None,
    players: Players = None,
    format: Format = "table",
) -> None:
    """Show what came out of a run that was kept with --out.

    alchemy-sim show RUN --by task --players 4

    With --by, tables and Markdown take all missions of a run together, a table for each number of players; --over none
    gives each mission its own, as JSON and CSV do unless --over missions is given. Missions share deals, so an interval
    over missions is the mean of theirs: never too narrow. --where reads comparisons, and, or, not, in, is null, + - * /
    // %; labels stand in quotes; a comparison with a missing value never holds.
    """
    from alchemy_sim.cli import options
    from alchemy_sim.cli.reading import chosen, names, open_run
    from alchemy_sim.core.errors import UsageError
    from alchemy_sim.report.tables import FORMATS

    style = options.choice("format", format, FORMATS)
    metrics = names("--metric", metric)
    if over is not None and by is None:
        raise UsageError("--over goes with --by")
    opened = open_run(run)
    cells = chosen(opened, cell, config, players)
    if by is None:
        _whole(opened, cells, metrics, where, style)
        return
    merged = options.choice("value of --over", over or ("missions" if style in ("table", "md") else "none"), OVER)
    _labels(opened, cells, by, metrics, where, merged == "missions", style)


def _totals(run: Run, cells: list[Cell], condition: str | None) -> list[Any]:
    return run.totals if condition is None else run.filtered(condition, cells)


def _whole(run: Run, cells: list[Cell], metrics: list[str] | None, condition: str | None, style: str) -> None:
    from dataclasses import replace

    from alchemy_sim.cli.reading import known_metrics, print_rows
    from alchemy_sim.mc.stats import rows
    from alchemy_sim.report.runs import run_tables

    known_metrics([cell.game for cell in cells], metrics)
    totals = _totals(run, cells, condition)
    found = [row for row in rows(cells, totals) if metrics is None or row["metric"] in metrics]
    shown = run_tables(replace(run.plan, cells=tuple(cells)), totals, metrics, condition)
    print_rows("show", style, found, shown, **_facts(run, condition))


def _labels(
    run: Run, cells: list[Cell], by: str, metrics: list[str] | None, condition: str | None, merged: bool, style: str
) -> None:
    from dataclasses import replace

    from alchemy_sim.cli.reading import print_rows
    from alchemy_sim.mc.splits import breakdown_of, split_rows, splits_of
    from alchemy_sim.report.labels import label_tables

    for breakdown in breakdown_of((cell.game for cell in cells), by).values():
        splits_of(breakdown, metrics)  # a mistake is answered before games are read
    totals = _totals(run, cells, condition)
    several = len({cell.config_name for cell in cells}) > 1
    found = split_rows(cells, totals, by, metrics, run.plan.name if merged and several else None)
    shown = label_tables(replace(run.plan, cells=tuple(cells)), found, by, condition)
    print_rows("show", style, found, shown, by=by, **_facts(run, condition))


def _facts(run: Run, condition: str | None) -> dict[str, Any]:
    from alchemy_sim.mc.provenance import configurations

    assumed = {each["config"]: each["assumed"] for each in configurations(run.plan) if each["assumed"]}
    facts = {"run": run.name, "seed": run.plan.seed, "games": run.plan.games, "assumed": assumed}
    return facts if condition is None else {**facts, "where": condition}
