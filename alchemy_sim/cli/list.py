"""`alchemy-sim list`: what there is to name in configurations and options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from alchemy_sim.cli.run import Format

if TYPE_CHECKING:
    from alchemy_sim.core.game import Game

#: What every game has; the rest is the game's own.
_GENERAL = ("games", "policies", "metrics")


def list_command(
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT", help="games, missions, tasks, disciplines, policies, weights, rulings, metrics or view"
        ),
    ],
    game: Annotated[str | None, typer.Option(metavar="GAME", help="of one game only")] = None,
    format: Format = "table",
) -> None:
    """List what there is: games, missions, tasks, disciplines, policies, their weights and view, rulings, metrics."""
    import sys

    from alchemy_sim.cli import options
    from alchemy_sim.cli.output import emit, ready_game
    from alchemy_sim.core.game import REGISTRY
    from alchemy_sim.report import tables

    style = options.choice("format", format, tables.FORMATS)
    names = list(REGISTRY) if game is None else [options.choice("game", game, REGISTRY)]
    games = [ready_game(name) for name in names]
    allowed = [*_GENERAL, *dict.fromkeys(key for each in games for key in each.lists)]
    options.choice("list", what, allowed)
    rows = [row for each in games for row in _rows(each, what, named=len(games) > 1)]
    if style == "json":
        emit(tables.as_json("list", rows, list=what))
    elif style == "csv":
        emit(tables.as_csv(rows))
    elif style == "md":
        emit(tables.as_markdown([tables.plain_table(rows)]))
    else:
        emit(tables.as_table([tables.plain_table(rows)], sys.stdout))


def _rows(game: Game, what: str, named: bool) -> list[dict[str, Any]]:
    if what == "games":
        return [
            {
                "game": game.name,
                "title": game.title,
                "players": list(game.players),
                "policies": list(game.policies),
                "default_policy": game.default_policy,
            }
        ]
    if what == "policies":
        found: list[dict[str, Any]] = [
            {"policy": name, "default": name == game.default_policy} for name in game.policies
        ]
    elif what == "metrics":
        found = [
            {"metric": each.name, "kind": each.kind, "unit": each.unit, "better": each.better, "tells": each.doc}
            for each in game.metrics
        ]
    else:
        found = game.lists[what]() if what in game.lists else []
    return [{"game": game.name, **row} for row in found] if named else found
