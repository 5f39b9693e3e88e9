"""The players at a table's seats; and a policy that broke the rules: which one, where, what it answered or raised."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from alchemy_sim.core.errors import AlchemyError, ConfigError, unknown
from alchemy_sim.core.game import Encoded
from alchemy_sim.core.jit import RAISED, Policy, copy_record, helper, what_it_raises
from alchemy_sim.core.own import is_own
from alchemy_sim.core.own_policies import OwnPolicies


def seat_fields(view: np.dtype, seats: int) -> list[tuple[Any, ...]]:
    """The fields of a kernel's table that `Seats` fills and reads, and `blame` writes."""
    return [
        ("policy", np.uint64, (seats,)),  # where each seat's policy stands in memory
        ("faults", np.int64),  # how often a policy of this batch answered what is not allowed
        ("answer", np.int64),  # the first such answer, or core.jit.RAISED
        ("witness", view),  # and the view that it was an answer to
    ]


@helper
def blame(view: Any, table: Any, out: Any, answer: int) -> None:
    """Write down that the asked player's policy answered what is not allowed, or raised; the first time in full."""
    out.fault = 1 + view.me
    if table.faults == 0:
        table.answer = answer
        copy_record(view, table.witness)
    table.faults += 1


def by_name(package: str, where: Mapping[str, tuple[str, str]]) -> Callable[[str], Policy]:
    """A function that finds the compiled policy of a name: `where` has its module in the package, and its own name."""

    @cache
    def policy(name: str) -> Policy:
        module, function = where[name]
        found: Policy = getattr(import_module(f"{package}.{module}"), function)
        return found

    return policy


def check_seats(
    title: str, allowed: Sequence[int], players: int, policies: Sequence[str], names: Sequence[str]
) -> None:
    """ConfigError unless so many can play, and each seat has a policy of those names or a user's own.

    (Whether those of users' files are there is found when a run is planned.)
    """
    if players not in allowed:
        raise ConfigError(f"players = {players}: {title} is played by {', '.join(map(str, allowed))}")
    if len(policies) != players:
        raise ConfigError(f"{len(policies)} policies named for {players} players")
    for name in policies:
        if name not in names and not is_own(name):
            raise ConfigError(unknown("policy", name, names))


def columns_of(outcomes: np.ndarray, players: int, first: Mapping[str, int] | None = None) -> dict[str, np.ndarray]:
    """The fields of outcome records as columns: what has a number a seat as `name_0`, `name_1`, ...

    `first` has the fields that are counted from another number.
    """
    found = {}
    for name in outcomes.dtype.names or ():
        values = outcomes[name]
        if values.ndim == 1:
            found[name] = values
            continue
        start = (first or {}).get(name, 0)
        found |= {f"{name}_{seat + start}": values[:, seat] for seat in range(players)}
    return found


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
