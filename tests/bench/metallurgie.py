"""Metallurgie's part of `make bench`: games a second by each player."""

from __future__ import annotations

from tests.bench.timing import REPEATS, line, seconds

ASKED = {
    "random": "at least 15,000",
    "greedy": "at least 300, aim 2,000",
    "careful": "at least 100, aim 400",
}


def games_a_second() -> None:
    """Games of three players a second on one core, and how long a turn takes."""
    from alchemy_sim.config.load import load
    from alchemy_sim.core.game import game

    metallurgie = game("metallurgie")
    metallurgie.warm()
    config = load("metallurgie/default").settings[0].config
    for policy in metallurgie.policies:
        encoded = metallurgie.encode(config, 3, (policy,) * 3)
        games = int(100 * 0.5 / seconds(lambda e=encoded: metallurgie.simulate(e, 1, 0, 100)))
        found, turns = [], []
        for _ in range(REPEATS):
            time = seconds(lambda e=encoded, n=games: metallurgie.simulate(e, 1, 0, n))
            found.append(games / time)
            turns.append(1e6 * time / int(metallurgie.simulate(encoded, 1, 0, games)["turns"].sum()))
        line(f"{policy}, Metallurgie, 3 players", found, "games/s", ASKED.get(policy, ""))
        line(f"{policy}, a turn", turns, "us", "")
