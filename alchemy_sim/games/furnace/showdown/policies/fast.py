"""Stand-in."""
from alchemy_sim.games.furnace.showdown.policies.best import best_player as fast_player
