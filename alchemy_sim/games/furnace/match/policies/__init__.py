"""The players of matches: each one compiled function `int64(view)`, found by name."""

from __future__ import annotations

from alchemy_sim.core.own_policies import OwnPolicies
from alchemy_sim.core.seats import by_name
from alchemy_sim.games.furnace.match.view import POLICIES

#: name -> module of this package and the policy in it
_WHERE = {
    "random": ("random", "random_player"),
    "builder": ("builder", "builder_player"),
    "banker": ("builder", "builder_player"),
    "shark": ("shark", "shark_player"),
}
#: The names a seat can be given.
POLICY_NAMES = tuple(_WHERE)
#: Those from users' files.
OWN_POLICIES = OwnPolicies(POLICIES)

#: The compiled policy of a name.
policy = by_name(__name__, _WHERE)
