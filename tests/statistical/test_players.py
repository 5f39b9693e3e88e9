"""Ladders of players: each beats the one below in every cell of the logbook, and from every seat of Metallurgie."""

from __future__ import annotations

from itertools import pairwise

import pytest

from alchemy_sim.config.load import load
from alchemy_sim.games.crucible.policies import POLICY_NAMES
from alchemy_sim.games.metallurgie.game import GAME as METALLURGIE
from alchemy_sim.games.metallurgie.policies import POLICY_NAMES as METALLURGISTS
from alchemy_sim.games.metallurgie.table import SHARES
from tests.bench.ladder import win_rates

pytestmark = pytest.mark.compiled

GAMES = 8_000
#: Coverage of an interval, so that 108 of them are all right in 999 of 1,000 seeds.
LEVEL = 1 - 0.001 / 108


def test_each_player_beats_the_one_below_wherever_it_wins_at_all():
    """Intervals apart in every cell in which the stronger player wins at least 1 %."""
    for weaker, stronger in pairwise(POLICY_NAMES):
        below, above = (win_rates(player, GAMES, 21, LEVEL) for player in (weaker, stronger))
        assert len(above) == 36
        for cell, rate in above.items():
            if rate.estimate >= 0.01:
                assert rate.low > below[cell].high, (cell, weaker, stronger)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("weaker", "stronger"), [*pairwise(METALLURGISTS)])
def test_each_metallurgist_beats_those_below_from_every_seat(weaker: str, stronger: str, players: int) -> None:
    """One among weaker ones wins more than its part; chances of an error of this test are one in ten thousand."""
    config = load("metallurgie/default").settings[0].config
    for seat in range(players):
        policies = [stronger if each == seat else weaker for each in range(players)]
        found = METALLURGIE.simulate(METALLURGIE.encode(config, players, policies), 21, 0, 500)
        share = found[f"share_{seat}"] / SHARES
        low = share.mean() - 4.3 * share.std(ddof=1) / len(share) ** 0.5
        assert low > 1 / players, (seat, share.mean())
