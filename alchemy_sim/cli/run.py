"""`alchemy-sim run`: play a configuration or an experiment and print its table."""

from __future__ import annotations

from typing import Annotated

import typer

Config = Annotated[str, typer.Argument(metavar="CONFIG", help="a shipped name (crucible/mission-04) or a .toml file")]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="change a value of the configuration; repeatable")
]
Format = Annotated[str, typer.Option("--format", metavar="FORMAT", help="table, json, csv or md")]


def run(
    config: Config,
    players: Annotated[str | None, typer.Option(metavar="N,N", help="player counts, such as 3,4,5")] = None,
    games: Annotated[str | None, typer.Option(metavar="N", help="games of each cell [10_000]")] = None,
    policy: Annotated[str | None, typer.Option(metavar="P", help="who plays: one name, or one a seat: a,b,c")] = None,
    seed: Annotated[str | None, typer.Option(metavar="N", help="0 to 2^64 - 1 [1]")] = None,
    workers: Annotated[str | None, typer.Option(metavar="N", help="how many play at a time [all cores]")] = None,
    backend: Annotated[str, typer.Option(metavar="KIND", help="threads or processes")] = "threads",
    chunk: Annotated[str | None, typer.Option(metavar="N", help="games a worker takes at a time [by speed]")] = None,
    keep: Annotated[str, typer.Option(metavar="WHAT", help="with --out: games or summary")] = "games",
    sets: Set = None,
    out: Annotated[str | None, typer.Option(metavar="RUN", help="a new folder for the run's files")] = None,
    format: Format = "table",
) -> None:
    """Play many games of a configuration or an experiment and print what came out.

    alchemy-sim run crucible/logbook --games 20_000
    """
    from pathlib import Path

    from alchemy_sim.cli import options
    from alchemy_sim.cli.output import emit, say
    from alchemy_sim.cli.play import play_plan
    from alchemy_sim.mc.runner import BACKENDS, Workers
    from alchemy_sim.report.tables import FORMATS

    number = options.integer("--games", games, 1, options.MOST_GAMES)
    start = options.integer("--seed", seed, 0, options.MOST_SEED)
    how = Workers(
        options.integer("--workers", workers, 1, options.MOST_WORKERS),
        options.choice("backend", backend, BACKENDS),
        options.integer("--chunk", chunk, 1, options.MOST_GAMES),
    )
    style = options.choice("format", format, FORMATS)
    kept = options.choice("value of --keep", keep, ("games", "summary"))
    counts = options.integers("--players", players)
    folder = None if out is None else Path(options.filled("--out", out, "the name of a new folder"))
    text, line = play_plan(config, sets or (), counts, policy, number, start, how, folder, kept, style)
    emit(text)
    say(line)
