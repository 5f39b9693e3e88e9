"""`alchemy-sim extend`: more games of a stored run, as if it had been run at once."""

from __future__ import annotations

from typing import Annotated

import typer

from alchemy_sim.cli.reading import RunFolder
from alchemy_sim.cli.run import Format


def extend(
    run: RunFolder,
    games: Annotated[str | None, typer.Option(metavar="N", help="games of each cell in all")] = None,
    workers: Annotated[str | None, typer.Option(metavar="N", help="how many play at a time [all cores]")] = None,
    backend: Annotated[str, typer.Option(metavar="KIND", help="threads or processes")] = "threads",
    chunk: Annotated[str | None, typer.Option(metavar="N", help="games a worker takes at a time [by speed]")] = None,
    format: Format = "table",
) -> None:
    """Play a stored run on to N games of each cell; the files end as if it had been run at once.

    alchemy-sim extend runs/logbook --games 1_000_000
    """
    from pathlib import Path

    from alchemy_sim.cli import options
    from alchemy_sim.cli.output import emit, say
    from alchemy_sim.cli.play import extend_run, workers_of
    from alchemy_sim.core.errors import UsageError
    from alchemy_sim.report.tables import FORMATS

    number = options.integer("--games", games, 1, options.MOST_GAMES)
    if number is None:
        raise UsageError("extend: needs --games, how many games of each cell there are to be in all")
    how = workers_of(workers, backend, chunk)
    style = options.choice("format", format, FORMATS)
    folder = Path(options.filled("RUN", run, "the folder of a run"))
    again = options.command_line("extend", run, [("--games", games)])
    text, line = extend_run(folder, number, how, style, again)
    emit(text)
    say(line)
