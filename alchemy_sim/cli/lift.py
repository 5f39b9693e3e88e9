"""`alchemy-sim lift`: what a factor is worth, each of its variants."""

from __future__ import annotations

from typing import Annotated

import typer

from alchemy_sim.cli.run import Config, Format, Set

#: Games behind a price list: each task is in a few of a hundred.
PRICED_GAMES = 100_000


def lift(
    config: Config,
    factor: Annotated[str, typer.Option(metavar="WHAT", help="discipline, whispers, task, ruling or policy")],
    pairs: Annotated[bool, typer.Option("--pairs", help="also what two are worth together: discipline, task")] = False,
    sets: Set = None,
    players: Annotated[str | None, typer.Option(metavar="N,N", help="player counts, such as 3,4,5")] = None,
    policy: Annotated[str | None, typer.Option(metavar="P", help="who plays")] = None,
    games: Annotated[
        str | None, typer.Option(metavar="N", help="games of each variant and cell [10_000; task: 100_000]")
    ] = None,
    seed: Annotated[str | None, typer.Option(metavar="N", help="0 to 2^64 - 1 [1]")] = None,
    workers: Annotated[str | None, typer.Option(metavar="N", help="how many play at a time [all cores]")] = None,
    backend: Annotated[str, typer.Option(metavar="KIND", help="threads or processes")] = "threads",
    format: Format = "table",
) -> None:
    """Measure what each discipline, task, ruling or policy is worth, on the same deals.

    alchemy-sim lift crucible/mission-04 --factor discipline

    A discipline is given to one seat drawn at random and held against a card there that does nothing, so what players
    keep or use of their own choice plays no part. The price list of tasks is a logistic regression over the mission's
    own draws.
    """
    from alchemy_sim.cli import options
    from alchemy_sim.cli.output import ready_games, say
    from alchemy_sim.cli.play import workers_of
    from alchemy_sim.cli.progress import Bar
    from alchemy_sim.cli.reading import print_rows
    from alchemy_sim.config.load import load
    from alchemy_sim.core.errors import UsageError
    from alchemy_sim.mc import lift as lifting
    from alchemy_sim.mc.plan import plan
    from alchemy_sim.report import lifted
    from alchemy_sim.report.tables import FORMATS

    style = options.choice("format", format, FORMATS)
    how = workers_of(workers, backend, None)
    many = options.integer("--games", games, 1, options.MOST_GAMES)
    start = options.integer("--seed", seed, 0, options.MOST_SEED)
    counts = options.integers("--players", players)
    experiment = load(config, sets or (), counts)
    ready_games(experiment)
    game = lifting.one_game(experiment)
    options.choice("factor", factor, lifting.factors_of(game))
    paired = [*game.quartets, lifting.PRICED]
    if pairs and factor not in paired:
        raise UsageError(f"--pairs goes with --factor {' or '.join(paired)}")
    if factor == lifting.PRICED and many is None:
        many = PRICED_GAMES
    title = f"{experiment.title or experiment.name}, what each {factor} is worth"
    planned = plan(experiment, many, start, policy=policy)
    facts = {"factor": factor, "seed": planned.seed, "games": planned.games}
    with Bar() as bar:
        if factor == lifting.PRICED:
            lists = lifting.price_lists(planned, how, pairs, bar)
            rows, tables = lifted.price_rows(lists), lifted.price_tables(lists, title.replace("is worth", "costs"))
        else:
            found = lifting.lift(config, factor, many, start, counts, policy, how, sets or (), bar)
            rows, tables = lifted.lift_rows(found), lifted.lift_tables(found, title)
            if pairs:
                both = lifting.together(config, factor, many, start, counts, policy, how, sets or (), bar)
                rows += lifted.together_rows(both)
                tables += lifted.together_tables(both, title)
    print_rows("lift", style, rows, tables, **facts)
    say(f"{planned.games:,} games of each")
