"""The players at a table's seats; and a policy that broke the rules: which one, where, what it answered or raised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from alchemy_sim.core.errors import AlchemyError, ConfigError, unknown
from alchemy_sim.core.game import Encoded
from alchemy_sim.core.jit import RAISED, Policy, what_it_raises
from alchemy_sim.core.own_policies import OwnPolicies


class PolicyFault(AlchemyError):
    """A policy answered what the rules don't allow, or raised an exception."""


class Seats:
    """The compiled policies of one cell by seat: a game's own by name, those from users' files by what was planned."""

    def __init__(
        self, encoded: Encoded, names: Sequence[str], policy: Callable[[str], Policy], own_policies: OwnPolicies
    ) -> None:
        self._encoded = encoded
        self._own_policies = own_policies
        own = {each.name: each for each in encoded.own}
        for name in encoded.policies:
            if name not in names and name not in own:
                raise ConfigError(unknown("policy", name, [*names, *own]))
        self._own = own
        self.policies = [policy(name) if name in names else own_policies.policy(own[name]) for name in encoded.policies]
        self.labels = (*names, *own)

    def sit_down(self, table: Any) -> None:
        """Tell the kernel's table where each seat's policy stands in memory."""
        for seat, policy in enumerate(self.policies):
            table.policy[seat] = policy.address

    def columns(self, count: int) -> dict[str, np.ndarray]:
        """The columns `policy_k` of so many games."""
        names = self._encoded.policies
        return {f"policy_{seat}": np.full(count, self.labels.index(name), np.int8) for seat, name in enumerate(names)}

    def check(self, table: Any, faults: np.ndarray, first: int, asked: Callable[[Any], str]) -> None:
        """PolicyFault for the first fault of a batch (`faults` by game, from number `first`), if there is one.

        The kernel left its view and answer in the table; `asked(view)` says what the question was.
        """
        found = np.flatnonzero(faults)
        if not found.size:
            return
        view, game = table.witness, first + int(found[0])
        seat = int(view.me)
        name = self._encoded.policies[seat]
        who = f'policy "{name}" (seat {seat})'
        if int(table.answer) != RAISED:
            answer = int(table.answer)
            raise PolicyFault(f"{who} broke the rules in game {game}: {asked(view)}, it answered {answer}")
        error = what_it_raises(self.policies[seat], view)
        what, where = "an exception", ""
        if error is not None:
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            where = f" ({self._own_policies.place(self._own[name], error)})" if name in self._own else ""
        raise PolicyFault(f"{who} raised an exception in game {game}: {asked(view)}, {what}{where}") from error
