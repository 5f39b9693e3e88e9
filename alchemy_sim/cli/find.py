"""`alchemy-sim find`: games of a stored run that meet a condition, each with the line that replays it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from alchemy_sim.cli.reading import Configs, OneCell, Players, RunFolder
from alchemy_sim.cli.run import Format


def find(
    run: RunFolder,
    where: Annotated[
        str,
        typer.Option(metavar="COND", help="what the games must have: \"ending == 'impossible' and boil_overs == 2\""),
    ],
    limit: Annotated[str, typer.Option(metavar="N", help="how many games")] = "3",
    cell: OneCell = None,
    config: Configs = None,
    players: Players = None,
    format: Format = "table",
) -> None:
    """Find games of a run that meet a condition; the first ones by mission, players and number.

    alchemy-sim find RUN --where "task_0 in ('T23', 'T24') and lost_reaction < 4" --limit 5
    """
    from alchemy_sim.cli import options
    from alchemy_sim.cli.output import say
    from alchemy_sim.cli.reading import chosen, open_run, print_rows, replay_line
    from alchemy_sim.report.tables import FORMATS, plain_table

    style = options.choice("format", format, FORMATS)
    most = options.integer("--limit", limit, 1, 1_000_000) or 1
    opened = open_run(run)
    cells = chosen(opened, cell, config, players)
    rows: list[dict[str, Any]] = []
    for each in opened.find(where, cells, most):
        head = {"config": each.cell.config_name, "players": each.cell.players, "game": each.game}
        rows.append({**head, **each.columns, "replay": replay_line(run, opened, each.cell, each.game)})
    if rows or style in ("json", "csv"):
        print_rows("find", style, rows, [plain_table(rows)], run=opened.name, where=where)
    if not rows:
        say(f"no game has {where}")
