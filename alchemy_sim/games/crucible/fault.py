"""A policy that broke the rules: which one, where it sat, in which game, and what it answered or raised."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.errors import AlchemyError
from alchemy_sim.core.jit import RAISED, Policy, what_it_raises
from alchemy_sim.core.own import Own
from alchemy_sim.games.crucible.policies import OWN_POLICIES
from alchemy_sim.games.crucible.table import Ask


class PolicyFault(AlchemyError):
    """A policy answered what the rules don't allow, or raised an exception."""


def fault_of(policy: Policy, name: str, own: Own | None, table: Any, game: int) -> PolicyFault:
    """The error for the first fault of a batch, which the kernel left in the table; `game` is its number."""
    view = table.witness
    asked = f"asked for {Ask(int(view.ask)).name} in reaction {int(view.reaction)}"
    who = f'policy "{name}" (seat {int(view.me)})'
    if int(table.answer) != RAISED:
        return PolicyFault(f"{who} broke the rules in game {game}: {asked}, it answered {int(table.answer)}")
    error = what_it_raises(policy, view)
    what, where = "an exception", ""
    if error is not None:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        where = "" if own is None else f" ({OWN_POLICIES.place(own, error)})"
    fault = PolicyFault(f"{who} raised an exception in game {game}: {asked}, {what}{where}")
    fault.__cause__ = error
    return fault
