"""The ladder of players: each beats the one below in every cell of the logbook."""

from __future__ import annotations

from itertools import pairwise

import pytest

from alchemy_sim.config.load import load
from alchemy_sim.core.game import game
from alchemy_sim.games.crucible.policies import POLICY_NAMES
from alchemy_sim.mc.plan import plan
from alchemy_sim.mc.runner import play
from alchemy_sim.mc.stats import Estimate, estimate

pytestmark = pytest.mark.compiled

GAMES = 8_000
#: Coverage of an interval, so that 108 of them are all right in 999 of 1,000 seeds.
LEVEL = 1 - 0.001 / 108


def win_rates(policy: str) -> dict[tuple[str, int], Estimate]:
    """The win rate of every cell of the logbook with this policy in every seat."""
    planned = plan(load("crucible/logbook"), games=GAMES, seed=21, policy=policy)
    totals = play(planned).totals
    metric = game("crucible").metric("win_rate")
    return {
        (cell.config_name, cell.players): estimate(metric, totals[cell.index]["win_rate"], LEVEL)
        for cell in planned.cells
    }


def test_each_player_beats_the_one_below_wherever_it_wins_at_all():
    """Intervals apart in every cell in which the stronger player wins at least 1 %."""
    for weaker, stronger in pairwise(POLICY_NAMES):
        below, above = win_rates(weaker), win_rates(stronger)
        assert len(above) == 36
        for cell, rate in above.items():
            if rate.estimate >= 0.01:
                assert rate.low > below[cell].high, (cell, weaker, stronger)
