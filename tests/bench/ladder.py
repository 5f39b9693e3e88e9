"""`make ladder`: the win rate of every player in every cell of the logbook, as the table in README."""

from __future__ import annotations

import sys

from alchemy_sim.config.load import load
from alchemy_sim.core.game import game
from alchemy_sim.mc.plan import plan
from alchemy_sim.mc.runner import play
from alchemy_sim.mc.stats import LEVEL, Estimate, estimate

GAMES = 100_000


def win_rates(policy: str, games: int, seed: int = 1, level: float = LEVEL) -> dict[tuple[str, int], Estimate]:
    """The win rate of every cell of the logbook with this player in every seat."""
    planned = plan(load("crucible/logbook"), games=games, seed=seed, policy=policy)
    totals = play(planned).totals
    metric = game("crucible").metric("win_rate")
    return {
        (cell.config_name, cell.players): estimate(metric, totals[cell.index]["win_rate"], level)
        for cell in planned.cells
    }


def shown(rate: Estimate) -> str:
    """An estimate in per cent, and half the width of its interval."""
    return f"{100 * rate.estimate:.1f} ± {50 * (rate.high - rate.low):.1f}"


def main() -> None:
    """Print the table, in Markdown; the first argument is the number of missions a cell."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    crucible = game("crucible")
    crucible.warm()
    rates = {policy: win_rates(policy, games) for policy in crucible.policies}
    counts = sorted({players for _, players in rates["random"]})
    print("| mission | " + " | ".join(f"{policy}, {count}" for count in counts for policy in rates) + " |")
    print("|---|" + "---:|" * (len(counts) * len(rates)))
    for name in dict.fromkeys(config for config, _ in rates["random"]):
        cells = [shown(rates[policy][name, count]) for count in counts for policy in rates]
        print(f"| {name.rsplit('-', 1)[-1].lstrip('0')} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
