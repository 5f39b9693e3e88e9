"""`alchemy-sim odds`: chances at one moment of a game: a hand before a showdown, or a total of random cards."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from alchemy_sim.cli.run import Format, Set


def odds(
    config: Annotated[
        str, typer.Argument(help="a configuration of the Furnace, or of the Crucible (or just crucible)")
    ],
    sets: Set = None,
    hand: Annotated[
        str | None, typer.Option(metavar="CARDS", help='Furnace: the own hand, as "W10 CN TA JK ..."')
    ] = None,
    open_cards: Annotated[str | None, typer.Option("--open", metavar="CARDS", help="Furnace: its open cards")] = None,
    keep: Annotated[
        str | None, typer.Option(metavar="CARDS", help="Furnace: only this choice of cards to keep")
    ] = None,
    players: Annotated[int, typer.Option(help="Furnace: how many go to the showdown, oneself among them")] = 4,
    against: Annotated[str | None, typer.Option(help="Furnace: the player who keeps cards at the other seats")] = None,
    pot: Annotated[float | None, typer.Option(help="Furnace: Stones in the pot before the bets")] = None,
    bet: Annotated[float | None, typer.Option(help="Furnace: the bet that everyone at the showdown puts in")] = None,
    games: Annotated[str | None, typer.Option(metavar="N", help="Furnace: how many deals of the hidden cards")] = None,
    seed: Annotated[int, typer.Option(help="Furnace: where the random numbers start")] = 1,
    cards: Annotated[int | None, typer.Option("--cards", help="Crucible: how many random cards")] = None,
    over: Annotated[int | None, typer.Option("--over", help="Crucible: the total to exceed")] = None,
    format: Format = "table",
) -> None:
    """Tell what each choice of cards is worth before a showdown, or how likely a total of random cards is.

    alchemy-sim odds furnace/default --hand "W10 WJ C3 T6 JK S2 P2 C9 P7" --open "W3 TQ S9" --pot 7 --bet 2

    alchemy-sim odds crucible --cards 4 --over 22
    """
    from alchemy_sim.cli import options
    from alchemy_sim.cli.chances import crucible_odds, furnace_odds
    from alchemy_sim.core.errors import UsageError
    from alchemy_sim.report.tables import FORMATS

    style = options.choice("format", format, FORMATS)
    of_furnace = {
        "--hand": hand,
        "--open": open_cards,
        "--keep": keep,
        "--against": against,
        "--pot": pot,
        "--bet": bet,
        "--games": games,
    }
    of_crucible = {"--cards": cards, "--over": over}
    if any(value is not None for value in of_crucible.values()):
        _refuse(of_furnace, "the Furnace, --cards and --over of the Crucible")
        if cards is None or over is None:
            raise UsageError("odds: --cards and --over are needed together, as in --cards 4 --over 22")
        crucible_odds(config, sets or (), cards, over, style)
        return
    if hand is None or open_cards is None:
        raise UsageError("odds: name --hand and --open (the Furnace), or --cards and --over (the Crucible)")
    if (pot is None) != (bet is None):
        raise UsageError("odds: --pot and --bet are needed together")
    deals = options.integer("--games", games, 1, options.MOST_GAMES) or 20_000
    stakes: Any = None if pot is None else (pot, bet)
    furnace_odds(config, sets or (), hand, open_cards, keep, players, against, stakes, deals, seed, style)


def _refuse(given: dict[str, Any], whose: str) -> None:
    from alchemy_sim.core.errors import UsageError

    for name, value in given.items():
        if value is not None:
            raise UsageError(f"odds: {name} is an option of {whose}")
