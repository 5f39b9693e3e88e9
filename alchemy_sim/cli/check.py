"""`alchemy-sim check`: does a configuration still play as it should."""

from __future__ import annotations

from typing import Annotated

import typer

from alchemy_sim.cli.run import Config, Format, Set


def check(
    config: Config,
    expect: Annotated[str | None, typer.Option(metavar="FILE", help="bands: a .toml file, or a shipped name")] = None,
    baseline: Annotated[str | None, typer.Option(metavar="RUN", help="a stored run to hold it against")] = None,
    write: Annotated[str | None, typer.Option(metavar="FILE", help="write bands around what comes out")] = None,
    width: Annotated[float, typer.Option(metavar="W", help="with --write: so much to each side")] = 0.01,
    metric: Annotated[str | None, typer.Option(metavar="M,M", help="with --baseline or --write: only these")] = None,
    sets: Set = None,
    players: Annotated[str | None, typer.Option(metavar="N,N", help="player counts, such as 3,4,5")] = None,
    policy: Annotated[str | None, typer.Option(metavar="P", help="who plays")] = None,
    games: Annotated[str | None, typer.Option(metavar="N", help="games of each cell [10_000]")] = None,
    seed: Annotated[str | None, typer.Option(metavar="N", help="0 to 2^64 - 1 [1]")] = None,
    workers: Annotated[str | None, typer.Option(metavar="N", help="how many play at a time [all cores]")] = None,
    backend: Annotated[str, typer.Option(metavar="KIND", help="threads or processes")] = "threads",
    format: Format = "table",
) -> None:
    """Check that a configuration plays within its bands, or as an earlier run did; exit 1 if anything left.

    alchemy-sim check crucible/logbook --expect experiments/logbook-bands

    A metric has left its band when its interval lies wholly outside. All intervals of a check hold together with 95 %
    chance, so at most 5 % of checks of an unchanged configuration raise a false alarm.
    """
    from pathlib import Path

    from alchemy_sim.cli import options
    from alchemy_sim.cli.checking import Request, check_request
    from alchemy_sim.cli.play import workers_of
    from alchemy_sim.cli.reading import names, print_rows
    from alchemy_sim.config.source import find_bands
    from alchemy_sim.core.errors import CheckFailed
    from alchemy_sim.report.tables import FORMATS

    style = options.choice("format", format, FORMATS)
    request = Request(
        config=config,
        expect=None if expect is None else find_bands(options.filled("--expect", expect, "a file of bands")),
        baseline=None if baseline is None else options.filled("--baseline", baseline, "the folder of a run"),
        write=None if write is None else Path(options.filled("--write", write, "the name of a new file")),
        width=width,
        metrics=names("--metric", metric),
        sets=sets or (),
        players=options.integers("--players", players),
        policy=policy,
        games=options.integer("--games", games, 1, options.MOST_GAMES),
        seed=options.integer("--seed", seed, 0, options.MOST_SEED),
        workers=workers_of(workers, backend, None),
    )
    rows, tables, facts, failed = check_request(request)
    print_rows("check", style, rows, tables, **facts)
    if failed:
        raise CheckFailed
