"""Batches of showdowns and the cards of one: the kernel called from outside."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.game import Encoded
from alchemy_sim.core.jit import quiet_integers, records
from alchemy_sim.core.seats import Seats, columns_of
from alchemy_sim.games.furnace.deck import cards_in, give_deck
from alchemy_sim.games.furnace.outlook import view_of
from alchemy_sim.games.furnace.showdown.kernel import play_showdowns
from alchemy_sim.games.furnace.showdown.policies import OWN_POLICIES, POLICY_NAMES, policy
from alchemy_sim.games.furnace.showdown.table import OUTCOME, Ask, blank_table
from alchemy_sim.games.furnace.showdown.view import VIEW

#: Players that never look at the outlook, which takes a second to work out.
WITHOUT_OUTLOOK = {"random", "rank"}


def ready_view(rules: np.ndarray, outlook: bool = True) -> Any:
    """A view with the rules of a cell, its tables and its deck."""
    view = view_of(VIEW, rules, outlook)
    view.copies[:] = np.bincount(cards_in(rules), minlength=len(view.copies))
    return view


def _asked(view: Any) -> str:
    return f"asked for {Ask(int(view.ask)).name}"


def _play(encoded: Encoded, seed: int, first: int, count: int) -> tuple[Any, Any, np.ndarray, Seats]:
    """Play `count` showdowns from number `first`: the view and table after the last, outcomes of shape (count,)."""
    seats = Seats(encoded, POLICY_NAMES, policy, OWN_POLICIES)
    view, table = ready_view(encoded.rules, bool(set(encoded.policies) - WITHOUT_OUTLOOK)), blank_table()
    give_deck(table, cards_in(encoded.rules))
    seats.sit_down(table)
    outcomes = np.zeros(count, OUTCOME)
    with quiet_integers():
        play_showdowns(view, table, np.uint64(seed), np.uint64(first), records(outcomes))
    seats.check(table, outcomes["fault"], first, _asked)
    return view, table, outcomes, seats


def simulate(encoded: Encoded, seed: int, first: int, count: int) -> dict[str, np.ndarray]:
    """Outcome columns of `count` showdowns from number `first`: name -> integers of shape (count,), -1 where absent."""
    _, _, outcomes, seats = _play(encoded, seed, first, count)
    found = columns_of(outcomes, encoded.players) | seats.columns(count)
    return {name: found[name] for name in encoded.columns}


def record(encoded: Encoded, seed: int, index: int) -> tuple[Any, np.ndarray]:
    """Play showdown `index`: the table as it ends, with every card on it, and its outcome, shape (1,)."""
    _, table, outcomes, _ = _play(encoded, seed, index, 1)
    return table, outcomes
