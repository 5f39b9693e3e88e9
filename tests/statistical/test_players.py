"""The ladder of players: each beats the one below in every cell of the logbook."""

from __future__ import annotations

from itertools import pairwise

import pytest

from alchemy_sim.games.crucible.policies import POLICY_NAMES
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
