"""What the commands that read a run have in common: its folder, the choice of cells, the formats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from alchemy_sim.core.game import Game
    from alchemy_sim.mc.plan import Cell
    from alchemy_sim.mc.read import Run
    from alchemy_sim.report.tables import Table

RunFolder = Annotated[str, typer.Argument(metavar="RUN", help="the folder of a run")]
OneCell = Annotated[str | None, typer.Option("--cell", metavar="N", help="the cell of that number, from 0")]
Configs = Annotated[str | None, typer.Option("--config", metavar="C,C", help="of these configurations")]
Players = Annotated[str | None, typer.Option("--players", metavar="N,N", help="at these player counts")]


def open_run(folder: str) -> Run:
    """The run in a folder; says so when the kernels of its game have to be compiled."""
    from alchemy_sim.cli import options
    from alchemy_sim.cli.output import ready_game
    from alchemy_sim.core.game import REGISTRY
    from alchemy_sim.mc.files import read_json

    path = Path(options.filled("RUN", folder, "the folder of a run"))
    if (path / "manifest.json").exists():
        manifest = read_json(path, "manifest.json")
        cells = manifest.get("cells", ()) if isinstance(manifest, dict) else ()
        for name in {str(each.get("game")) for each in cells if isinstance(each, dict)} & set(REGISTRY):
            ready_game(name)
    from alchemy_sim.mc.read import Run

    return Run(path)


def chosen(run: Run, cell: str | None, config: str | None, players: str | None) -> list[Cell]:
    """The cells that the options name."""
    from alchemy_sim.cli import options

    return run.select(
        options.integer("--cell", cell, 0, len(run.plan.cells) - 1),
        names("--config", config),
        options.integers("--players", players),
    )


def names(option: str, text: str | None) -> list[str] | None:
    """Names with commas between; None for an option that isn't given."""
    from alchemy_sim.cli import options

    if text is None:
        return None
    return [each.strip() for each in options.filled(option, text, "names with commas between").split(",")]


def known_metrics(games: Iterable[Game], names: Iterable[str] | None) -> None:
    """UsageError if one of the names is no metric of any of the games."""
    from alchemy_sim.core.errors import UsageError, unknown

    known = dict.fromkeys(each.name for game in games for each in game.metrics)
    for name in names or ():
        if name not in known:
            raise UsageError(unknown("metric", name, known))


def print_rows(command: str, style: str, rows: Sequence[dict[str, Any]], tables: Sequence[Table], **more: Any) -> None:
    """Rows in JSON or CSV, or the tables that show them."""
    import sys

    from alchemy_sim.cli.output import emit
    from alchemy_sim.report import tables as writing

    if style == "json":
        emit(writing.as_json(command, rows, **more))
    elif style == "csv":
        emit(writing.as_csv(rows))
    elif style == "md":
        emit(writing.as_markdown(tables))
    else:
        emit(writing.as_table(tables, sys.stdout))


def replay_line(folder: str, run: Run, cell: Cell, game: int) -> str:
    """The command line that replays a game."""
    from alchemy_sim.cli.options import command_line

    more: list[tuple[str, str | None]] = [("--game", str(game))]
    if len(run.plan.cells) > 1:
        alike = [
            each for each in run.plan.cells if (each.config_name, each.players) == (cell.config_name, cell.players)
        ]
        place = [("--config", cell.config_name), ("--players", str(cell.players))]
        more += place if len(alike) == 1 else [("--cell", str(cell.index))]
    return command_line("replay", folder, more)
