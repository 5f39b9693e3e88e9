"""The players of matches: each one compiled function `int64(view)`, found by name."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from alchemy_sim.core.jit import Policy
from alchemy_sim.core.own_policies import OwnPolicies
from alchemy_sim.games.furnace.match.view import POLICIES

#: The names a seat can be given. Each is a module here, and in it `NAME_player`.
POLICY_NAMES = ("random", "builder")
#: Those from users' files.
OWN_POLICIES = OwnPolicies(POLICIES)


@cache
def policy(name: str) -> Policy:
    """The compiled policy of that name."""
    found: Policy = getattr(import_module(f"{__name__}.{name}"), f"{name}_player")
    return found
