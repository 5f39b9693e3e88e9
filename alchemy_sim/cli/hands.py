"""`alchemy-sim hands`: the order of the Furnace's hands beside how rare they are, counted exactly."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from alchemy_sim.cli.run import Config, Format, Set


def hands(
    config: Config,
    sets: Set = None,
    cards: Annotated[int, typer.Option("--cards", help="cards that a hand is the best five of: 5, 6 or 7")] = 7,
    format: Format = "table",
) -> None:
    """Count all hands of a deck of the Furnace, and hold the printed order against how rare they are.

    alchemy-sim hands furnace/default --cards 5

    Both readings of the Trump stand side by side (ruling furnace_trump). Every pair of hands that is the wrong way
    round is named, and the nearest order that has fewest.
    """
    from concurrent.futures import ThreadPoolExecutor
    from itertools import repeat

    from alchemy_sim.cli import options
    from alchemy_sim.cli.reading import print_rows
    from alchemy_sim.core.errors import UsageError
    from alchemy_sim.games.furnace.order import judge_order
    from alchemy_sim.report.hands import hand_rows, hand_table, verdicts
    from alchemy_sim.report.tables import FORMATS

    style = options.choice("format", format, FORMATS)
    if cards not in (5, 6, 7):
        raise UsageError(f"--cards {cards}: 5, 6 or 7 are allowed")
    setting = furnace_setting("hands", config, sets or ())
    given: Any = setting.config
    deck = given.evaluated()
    if cards > given.deck.natural:
        raise UsageError(f"--cards {cards}: the deck has {given.deck.natural} cards that are not Jokers")
    readings = [deck.furnace_trump]
    if deck.trumps:
        readings += [value for value in ("wild_family", "own_family") if value not in readings]
    decks = [deck._replace(furnace_trump=reading) for reading in readings]
    with ThreadPoolExecutor(len(decks)) as pool:  # the counting lets go of the interpreter
        found = list(pool.map(judge_order, decks, repeat(cards)))
    rows = hand_rows(setting.name, found)
    table = hand_table(setting.config.title or setting.name, found)
    print_rows("hands", style, rows, [table], readings=verdicts(found))


def furnace_setting(command: str, name: str, sets: Any) -> Any:
    """The one configuration of that name; UsageError if it is not one of the Furnace."""
    from alchemy_sim.config.load import load
    from alchemy_sim.core.errors import UsageError
    from alchemy_sim.games.furnace.config import HandConfig

    settings = load(name, sets).settings
    if len(settings) > 1 or not isinstance(settings[0].config, HandConfig):
        what = "an experiment" if len(settings) > 1 else f"a configuration of the {settings[0].game}"
        raise UsageError(f"{command}: {name} is {what}; name one of the Furnace, such as furnace/default")
    return settings[0]
