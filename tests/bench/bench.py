"""`make bench`: figures and ratios on the machine it runs on.

Every figure is the median of repeated runs, with the lowest and the highest beside it; ratios are taken between runs
that alternate, so that a machine whose speed drifts does not favour one side.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from tests.bench import furnace, metallurgie
from tests.bench.timing import REPEATS, line, seconds


def missions_a_second() -> None:
    """Missions a second on one core, and what a second core adds."""
    from alchemy_sim.config.load import load
    from alchemy_sim.core.game import game

    crucible = game("crucible")
    crucible.warm()
    config = load("crucible/mission-04").settings[0].config
    asked = {
        "random": "at least 300,000, aim 600,000",
        "thumb": "at least 120,000, aim 250,000",
        "careful": "at least 10,000, aim 40,000",
    }
    for policy in crucible.policies:
        encoded = crucible.encode(config, 4, (policy,) * 4)
        games = 20_000
        crucible.simulate(encoded, 1, 0, games)
        games = int(games * 0.5 / seconds(lambda e=encoded, n=games: crucible.simulate(e, 1, 0, n)))
        one: list[float] = []
        ratio: list[float] = []
        with ThreadPoolExecutor(2) as pool:
            for _ in range(REPEATS):
                alone = seconds(lambda e=encoded, n=games: crucible.simulate(e, 1, 0, n))
                both = seconds(
                    lambda e=encoded, n=games: list(pool.map(lambda f: crucible.simulate(e, 1, f, n), (0, n)))
                )
                one.append(games / alone)
                ratio.append(2 * alone / both)
        line(f"{policy}, mission 4, 4 players", one, "missions/s", asked.get(policy, ""))
        line(f"{policy}, two threads against one", ratio, "times", "at least 1.7")


def command(*arguments: str, **environment: str) -> float:
    """Wall time of the command line, seconds."""
    return seconds(
        lambda: subprocess.run(
            [sys.executable, "-m", "alchemy_sim", *arguments],
            check=True,
            capture_output=True,
            env={**os.environ, **environment},
        )
    )


def shell() -> None:
    """What a user at the shell waits for."""
    line("--help", [command("--help") for _ in range(REPEATS)], "s", "under 0.4")
    with tempfile.TemporaryDirectory() as folder:
        first = command("run", "crucible/mission-04", "--games", "1000", ALCHEMY_SIM_CACHE=folder)
    line("first run, compiling", [first], "s", "compile under 30")
    run = ("run", "crucible/mission-04", "--players", "4", "--games", "1000")
    command(*run)
    line("1,000 missions from the shell, warm", [command(*run) for _ in range(REPEATS)], "s", "under 2.5")


if __name__ == "__main__":
    missions_a_second()
    furnace.evaluations()
    furnace.exact_table()
    furnace.showdowns()
    furnace.matches()
    metallurgie.games_a_second()
    shell()
