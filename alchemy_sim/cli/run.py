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
    policy: Annotated[
        str | None, typer.Option(metavar="P", help="who plays: one name, or one a seat: a,b,c; my.py:name")
    ] = None,
    seed: Annotated[str | None, typer.Option(metavar="N", help="0 to 2^64 - 1 [1]")] = None,
    workers: Annotated[str | None, typer.Option(metavar="N", help="how many play at a time [all cores]")] = None,
    backend: Annotated[str, typer.Option(metavar="KIND", help="threads or processes")] = "threads",
    chunk: Annotated[str | None, typer.Option(metavar="N", help="games a worker takes at a time [by speed]")] = None,
    keep: Annotated[str, typer.Option(metavar="WHAT", help="with --out: games or summary")] = "games",
    sets: Set = None,
    out: Annotated[str | None, typer.Option(metavar="RUN", help="a new folder for the run's files")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with, or mend, the run that --out holds")] = False,
    precision: Annotated[
        list[str] | None,
        typer.Option(metavar="P", help="play until every cell is known so well: 0.5pp, or boil_rate=0.002; repeatable"),
    ] = None,
    max_games: Annotated[str | None, typer.Option(metavar="N", help="with --precision: no more than N a cell")] = None,
    format: Format = "table",
) -> None:
    """Play many games of a configuration or an experiment and print what came out.

    alchemy-sim run crucible/logbook --games 20_000
    """
    from pathlib import Path

    from alchemy_sim.cli import options
    from alchemy_sim.cli.output import emit, say
    from alchemy_sim.cli.play import Request, play_request, workers_of
    from alchemy_sim.core.errors import UsageError
    from alchemy_sim.report.tables import FORMATS

    how = workers_of(workers, backend, chunk)
    style = options.choice("format", format, FORMATS)
    if resume and out is None:
        raise UsageError("--resume: needs --out, the folder of the run that goes on")
    if max_games is not None and not precision:
        raise UsageError("--max-games: goes with --precision; --games says how many games without it")
    given = {"--players": players, "--games": games, "--policy": policy, "--seed": seed, "--keep": keep, "--out": out}
    more = [("--set", each) for each in sets or ()] + [("--precision", each) for each in precision or ()]
    again = options.command_line("run", config, [*given.items(), *more, ("--max-games", max_games)], "--resume")
    request = Request(
        config=config,
        sets=sets or (),
        players=options.integers("--players", players),
        policy=policy,
        games=options.integer("--games", games, 1, options.MOST_GAMES),
        seed=options.integer("--seed", seed, 0, options.MOST_SEED),
        workers=how,
        out=None if out is None else Path(options.filled("--out", out, "the name of a new folder")),
        keep=options.choice("value of --keep", keep, ("games", "summary")),
        resume=resume,
        precision=precision or (),
        most=options.integer("--max-games", max_games, 1, options.MOST_GAMES),
        again=again,
    )
    text, line = play_request(request, style)
    emit(text)
    say(line)
