"""`alchemy-sim trace`: single games as JSON Lines, from the kernel that plays runs."""

from __future__ import annotations

from typing import Annotated

import typer

from alchemy_sim.cli.run import Config, Set


def trace(
    config: Config,
    players: Annotated[str | None, typer.Option(metavar="N,N", help="player counts, such as 4")] = None,
    policy: Annotated[
        str | None, typer.Option(metavar="P", help="who plays: one name, or one a seat: a,b,c; my.py:name")
    ] = None,
    games: Annotated[str | None, typer.Option(metavar="N", help="how many games [1]")] = None,
    seed: Annotated[str | None, typer.Option(metavar="N", help="0 to 2^64 - 1 [1]")] = None,
    first: Annotated[str, typer.Option(metavar="N", help="number of the first game")] = "0",
    sets: Set = None,
) -> None:
    """Print games as JSON Lines, one event a line: every deal, play and result.

    alchemy-sim trace crucible/mission-04 --players 4 --games 1 --seed 7
    """
    import json

    from alchemy_sim.cli import options
    from alchemy_sim.cli.output import emit, ready_game
    from alchemy_sim.config.load import load
    from alchemy_sim.mc.plan import plan

    count = options.integer("--games", games, 1, options.MOST_GAMES) or 1
    start = options.integer("--first", first, 0, options.MOST_GAMES) or 0
    chosen = options.integer("--seed", seed, 0, options.MOST_SEED)
    experiment = load(config, sets or (), options.integers("--players", players))
    for name in dict.fromkeys(setting.game for setting in experiment.settings):
        ready_game(name)
    planned = plan(experiment, count, chosen, policy=policy)
    for cell in planned.cells:
        for index in range(start, start + count):
            events = cell.game.trace(cell.encoded, planned.seed, index)
            emit("".join(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n" for event in events))
