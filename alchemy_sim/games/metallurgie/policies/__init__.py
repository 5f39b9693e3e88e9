"""The players of Metallurgie: each one compiled function `int64(view)`, found by name."""

from __future__ import annotations

from alchemy_sim.core.own_policies import OwnPolicies
from alchemy_sim.core.seats import by_name
from alchemy_sim.games.metallurgie.view import POLICIES

#: The names a seat can be given, weakest first. Each is a module here, and in it `NAME_player`.
POLICY_NAMES = ("random", "greedy")
#: Those from users' files.
OWN_POLICIES = OwnPolicies(POLICIES)
#: The compiled policy of a name.
policy = by_name(__name__, {name: (name, f"{name}_player") for name in POLICY_NAMES})
