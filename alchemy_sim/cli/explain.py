"""`alchemy-sim explain`: what a number of a run means, and where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from alchemy_sim.cli.reading import Configs, OneCell, Players, RunFolder

if TYPE_CHECKING:
    from alchemy_sim.core.game import Metric
    from alchemy_sim.mc.plan import Cell
    from alchemy_sim.mc.read import Run

FORMATS = ("table", "json")


def explain(
    run: RunFolder,
    metric: Annotated[str, typer.Argument(metavar="METRIC", help="any of `list metrics`")],
    cell: OneCell = None,
    config: Configs = None,
    players: Players = None,
    format: Annotated[str, typer.Option(metavar="FORMAT", help="table (text to read) or json")] = "table",
) -> None:
    """Explain a number: what it means, how it is counted, what was played, and three games to look at.

    alchemy-sim explain RUN boil_rate --players 4
    """
    import sys

    from alchemy_sim.cli import options
    from alchemy_sim.cli.output import emit
    from alchemy_sim.cli.reading import chosen, open_run
    from alchemy_sim.core.errors import UsageError, unknown
    from alchemy_sim.mc.stats import rows
    from alchemy_sim.report.tables import as_json, as_table

    style = options.choice("format", format, FORMATS)
    opened = open_run(run)
    cells = chosen(opened, cell, config, players)
    known = {each.name: each for cell in cells for each in cell.game.metrics}
    if metric not in known:
        raise UsageError(unknown("metric", metric, known))
    cells = [each for each in cells if metric in [one.name for one in each.game.metrics]]
    found = [row for row in rows(cells, opened.totals) if row["metric"] == metric]
    facts = _facts(run, opened, cells, known[metric])
    if style == "json":
        emit(as_json("explain", found, **facts))
    else:
        emit("\n".join(_lines(facts)) + "\n\n" + as_table([_table(opened, cells, metric)], sys.stdout))


def _facts(folder: str, run: Run, cells: list[Cell], metric: Metric) -> dict[str, Any]:
    from alchemy_sim.cli.reading import replay_line
    from alchemy_sim.mc.explain import HOW, command, examples, rulings_changed
    from alchemy_sim.mc.own import own_of
    from alchemy_sim.mc.provenance import configurations, source_hash

    how, interval = HOW[metric.kind]
    line, note = command(run)
    games = examples(run, cells[0], metric)
    return {
        "run": run.name,
        "metric": metric.name,
        "means": metric.doc,
        "unit": metric.unit,
        "better": metric.better,
        "computed": how,
        "interval": interval,
        "made_by": line,
        "made_by_note": note,
        "games": run.plan.games,
        "seed": run.plan.seed,
        "policies": {f"{cell.config_name} with {cell.players}": list(cell.policies) for cell in cells},
        "own_policies": [{**own.to_json(), "changed": own.changed()} for own in own_of(cells)],
        "rulings": {name: changed for name, changed in ((c.config_name, rulings_changed(c)) for c in cells) if changed},
        "assumed": {
            each["config"]: each["assumed"]
            for each in configurations(run.plan)
            if each["assumed"] and each["config"] in [cell.config_name for cell in cells]
        },
        "versions": run.manifest.get("versions", {}),
        "same_program": run.manifest.get("source") == source_hash(),
        "examples": [
            {
                "config": each.cell.config_name,
                "players": each.cell.players,
                "game": each.game,
                "value": each.words,
                "replay": replay_line(folder, run, each.cell, each.game),
            }
            for each in games
        ],
    }


def _lines(facts: dict[str, Any]) -> list[str]:
    better = {"high": "; players like it high", "low": "; players like it low"}.get(facts["better"], "")
    names = list(dict.fromkeys(",".join(dict.fromkeys(each)) for each in facts["policies"].values()))
    changed = dict.fromkeys(each["changed"] for each in facts["own_policies"] if each["changed"])
    versions = ", ".join(f"{name} {value}" for name, value in facts["versions"].items())
    lines = [
        f"{facts['metric']}: {facts['means']}{better}",
        f"  computed   {facts['computed']}",
        f"  interval   95 %, {facts['interval']}",
        f"  made by    {facts['made_by']}" + (f" ({facts['made_by_note']})" if facts["made_by_note"] else ""),
        f"  games      {facts['games']:,} of each configuration and number of players, seed {facts['seed']}",
        f"  policy     {'; '.join([*names, *changed])}",
        f"  rulings    {_by_config(facts['rulings']) or 'all as by default'}",
        f"  assumed    {_by_config(facts['assumed']) or 'nothing'}",
        f"  versions   {versions}" + ("" if facts["same_program"] else "; the program has changed since"),
    ]
    lines += [
        f"  {'examples' if not place else '':<10} {each['value']}: {each['replay']}"
        for place, each in enumerate(facts["examples"])
    ]
    return lines if facts["examples"] else [*lines, "  examples   no game among the first ones has it"]


def _by_config(values: dict[str, dict[str, Any]]) -> str:
    return "; ".join(
        f"{config}: {', '.join(f'{key} = {value}' for key, value in each.items())}" for config, each in values.items()
    )


def _table(run: Run, cells: list[Cell], metric: str) -> Any:
    from dataclasses import replace

    from alchemy_sim.report.runs import run_tables

    (table,) = run_tables(replace(run.plan, cells=tuple(cells)), run.totals, [metric])
    return replace(table, notes=())
