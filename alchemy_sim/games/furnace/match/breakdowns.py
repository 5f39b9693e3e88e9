"""What `show --by` tells about matches, in order."""

from __future__ import annotations

from alchemy_sim.games.furnace.match.bet_splits import BET_BREAKDOWNS
from alchemy_sim.games.furnace.match.match_splits import MATCH_BREAKDOWNS
from alchemy_sim.games.furnace.match.round_splits import ROUND_BREAKDOWNS

BREAKDOWNS = (*MATCH_BREAKDOWNS, *ROUND_BREAKDOWNS, *BET_BREAKDOWNS)
