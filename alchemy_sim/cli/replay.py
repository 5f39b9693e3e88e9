"""`alchemy-sim replay`: one game of a stored run, told so that people can act it out."""

from __future__ import annotations

from typing import Annotated

import typer

from alchemy_sim.cli.reading import RunFolder

FORMATS = ("table", "json")


def replay(
    run: RunFolder,
    game: Annotated[str, typer.Option(metavar="N", help="the game's number in its cell, from 0")],
    cell: Annotated[str | None, typer.Option(metavar="N", help="the cell of that number, from 0")] = None,
    config: Annotated[str | None, typer.Option(metavar="C", help="of this configuration")] = None,
    players: Annotated[str | None, typer.Option(metavar="N", help="at this player count")] = None,
    format: Annotated[str, typer.Option(metavar="FORMAT", help="table (text to read) or json")] = "table",
) -> None:
    """Play one game of a run again, by the rules of that run, and tell it card by card.

    alchemy-sim replay RUN --game 48213 --config crucible/mission-04 --players 4
    """
    from alchemy_sim.cli import options
    from alchemy_sim.cli.output import emit, say
    from alchemy_sim.cli.reading import open_run
    from alchemy_sim.mc.replay import replay as play_again
    from alchemy_sim.report.tables import as_json

    style = options.choice("format", format, FORMATS)
    number = options.integer("--game", game, 0, options.MOST_GAMES) or 0
    opened = open_run(run)
    place = opened.one(
        options.integer("--cell", cell, 0, len(opened.plan.cells) - 1),
        config,
        options.integer("--players", players, 1, 1000),
    )
    found = play_again(opened, place, number)
    if found.stale:
        say("alchemy-sim: the program has changed since this run was made; its rules were taken from the run")
    if style == "json":
        emit(as_json("replay", [found.row], run=opened.name, events=found.events, text=found.text))
    else:
        emit(found.text)
