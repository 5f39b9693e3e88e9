"""`alchemy-sim tournament`: policies against each other, in every line-up and every seat, with ratings."""

from __future__ import annotations

from typing import Annotated

import typer

from alchemy_sim.cli.run import Config, Format, Set


def tournament(
    config: Config,
    policies: Annotated[
        str, typer.Option(metavar="P,P", help="who competes: two names or more, such as random,rank,my.py:name")
    ],
    players: Annotated[str | None, typer.Option(metavar="N,N", help="player counts, such as 2,3,4")] = None,
    games: Annotated[str | None, typer.Option(metavar="N", help="games of each seating [1_000]")] = None,
    precision: Annotated[
        str | None,
        typer.Option(metavar="P", help="play until every difference of ratings is known to P Elo points, such as 10"),
    ] = None,
    max_games: Annotated[str | None, typer.Option(metavar="N", help="with --precision: no more than N")] = None,
    seed: Annotated[str | None, typer.Option(metavar="N", help="0 to 2^64 - 1 [1]")] = None,
    workers: Annotated[str | None, typer.Option(metavar="N", help="how many play at a time [all cores]")] = None,
    backend: Annotated[str, typer.Option(metavar="KIND", help="threads or processes")] = "threads",
    chunk: Annotated[str | None, typer.Option(metavar="N", help="games a worker takes at a time [by speed]")] = None,
    sets: Set = None,
    format: Format = "table",
) -> None:
    """Rate policies by playing them against each other, in every line-up and every seat, on the same deals.

    alchemy-sim tournament furnace/showdown --policies random,rank,fast --players 2,4

    A rating is in Elo points: 400 more are ten times the strength, and a seat's chance is its policy's strength over
    that of all seats. Ratings of one table have mean 0. The intervals know that all line-ups share their deals. A
    policy that never gets anything has no rating, but is told to be below by so many points or more. Where there would
    be more than 400 seatings each line-up is played in rotation only.
    """
    from alchemy_sim.cli import options
    from alchemy_sim.cli.output import say
    from alchemy_sim.cli.play import workers_of
    from alchemy_sim.cli.rating import Request, rate
    from alchemy_sim.cli.reading import names, print_rows
    from alchemy_sim.core.errors import UsageError
    from alchemy_sim.report.tables import FORMATS

    style = options.choice("format", format, FORMATS)
    if games is not None and precision is not None:
        raise UsageError("--games and --precision: name one of them; --max-games bounds a precision")
    if max_games is not None and precision is None:
        raise UsageError("--max-games: goes with --precision; --games says how many games without it")
    request = Request(
        config=config,
        policies=names("--policies", policies) or (),
        sets=sets or (),
        players=options.integers("--players", players),
        games=options.integer("--games", games, 1, options.MOST_GAMES),
        precision=precision,
        most=options.integer("--max-games", max_games, 1, options.MOST_GAMES),
        seed=options.integer("--seed", seed, 0, options.MOST_SEED),
        workers=workers_of(workers, backend, chunk),
    )
    rows, tables, facts, line = rate(request)
    print_rows("tournament", style, rows, tables, **facts)
    say(line)
