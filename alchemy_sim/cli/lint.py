"""`alchemy-sim lint`: what the rules alone say of a configuration, before any game."""

from __future__ import annotations

from typing import Annotated

import typer

from alchemy_sim.cli.run import Config, Format, Set


def lint(
    config: Config,
    sets: Set = None,
    players: Annotated[str | None, typer.Option(metavar="N,N", help="player counts, such as 3,4,5")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="exit 1 if anything is dead")] = False,
    format: Format = "table",
) -> None:
    """Find what can't work in a configuration: dead tasks, tasks that spoil each other, goals out of reach.

    alchemy-sim lint crucible/mission-05

    dead: nobody can complete it, whatever is played. needs: only with one of the disciplines named. owner: not for the
    owners named. Every remark is a proof from the rules; what is merely hard is not remarked on.
    """
    from alchemy_sim.cli import options
    from alchemy_sim.cli.reading import print_rows
    from alchemy_sim.config.load import load
    from alchemy_sim.core.errors import CheckFailed
    from alchemy_sim.report.linted import DEAD, lint_rows, lint_tables
    from alchemy_sim.report.tables import FORMATS

    style = options.choice("format", format, FORMATS)
    counts = options.integers("--players", players)
    experiment = load(config, sets or (), counts)
    rows = lint_rows(experiment, counts)
    print_rows("lint", style, rows, lint_tables(experiment, rows))
    if strict and any(row["status"] == DEAD for row in rows):
        raise CheckFailed
