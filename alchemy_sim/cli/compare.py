"""`alchemy-sim compare`: what changes between two configurations, or two runs."""

from __future__ import annotations

from typing import Annotated

import typer

from alchemy_sim.cli.run import Format


def compare(
    one: Annotated[str, typer.Argument(metavar="A", help="a configuration, or the folder of a run")],
    other: Annotated[str | None, typer.Argument(metavar="[B]", help="what to compare it with")] = None,
    sets: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="change a value in B; repeatable")
    ] = None,
    players: Annotated[str | None, typer.Option(metavar="N,N", help="player counts, such as 3,4,5")] = None,
    policy: Annotated[str | None, typer.Option(metavar="P", help="who plays, in A and in B")] = None,
    policy_b: Annotated[str | None, typer.Option(metavar="P", help="who plays in B, if not the same")] = None,
    games: Annotated[str | None, typer.Option(metavar="N", help="games of each cell [10_000]")] = None,
    seed: Annotated[str | None, typer.Option(metavar="N", help="0 to 2^64 - 1 [1]")] = None,
    seed_b: Annotated[str | None, typer.Option(metavar="N", help="another seed for B: games are then unpaired")] = None,
    detect: Annotated[
        str | None, typer.Option(metavar="D", help="as many games as find such an effect in 9 of 10 cases: 2pp")
    ] = None,
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help="play each cell on until its main verdict is in")
    ] = False,
    max_games: Annotated[str | None, typer.Option(metavar="N", help="no more than N a cell [1_000_000]")] = None,
    margin: Annotated[
        list[str] | None, typer.Option(metavar="M", help="what counts as no change: 0.5pp, reactions=0.2; repeatable")
    ] = None,
    metric: Annotated[str | None, typer.Option(metavar="M,M", help="only these metrics")] = None,
    by: Annotated[str | None, typer.Option(metavar="WHAT", help="task, discipline, seat, ...")] = None,
    workers: Annotated[str | None, typer.Option(metavar="N", help="how many play at a time [all cores]")] = None,
    backend: Annotated[str, typer.Option(metavar="KIND", help="threads or processes")] = "threads",
    format: Format = "table",
) -> None:
    """Compare two configurations, a configuration with a changed one, or two runs, on the same deals.

    alchemy-sim compare crucible/mission-04 --set limit=24

    Every metric, with the effect (B minus A), its interval and a verdict. All intervals of one comparison hold together
    with 95 % chance. Runs are paired where both kept their games under one seed.
    """
    from alchemy_sim.cli import options
    from alchemy_sim.cli.comparing import Request, compare_request
    from alchemy_sim.cli.output import say
    from alchemy_sim.cli.play import workers_of
    from alchemy_sim.cli.reading import names, print_rows
    from alchemy_sim.report.tables import FORMATS

    style = options.choice("format", format, FORMATS)
    request = Request(
        one=options.filled("A", one, "a configuration or the folder of a run"),
        other=other,
        sets=sets or (),
        players=options.integers("--players", players),
        policy=policy,
        policy_b=policy_b,
        games=options.integer("--games", games, 1, options.MOST_GAMES),
        seed=options.integer("--seed", seed, 0, options.MOST_SEED),
        seed_b=options.integer("--seed-b", seed_b, 0, options.MOST_SEED),
        detect=detect,
        until_decided=until_decided,
        most=options.integer("--max-games", max_games, 1, options.MOST_GAMES),
        margins=margin or (),
        metrics=names("--metric", metric),
        by=by,
        workers=workers_of(workers, backend, None),
    )
    rows, tables, facts, line = compare_request(request)
    print_rows("compare", style, rows, tables, **facts)
    say(line)
