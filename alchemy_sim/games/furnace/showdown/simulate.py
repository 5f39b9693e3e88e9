"""Batches of showdowns and the cards of one: the kernel called from outside."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.game import Encoded
from alchemy_sim.core.jit import JIT_OFF, quiet_integers
from alchemy_sim.core.seats import Seats
from alchemy_sim.games.furnace.claims import ranks_in_deck
from alchemy_sim.games.furnace.config import HandRulings
from alchemy_sim.games.furnace.names import CATEGORIES, FIRST_TRUMP, JOKER, RANK_COUNT
from alchemy_sim.games.furnace.outlook import outlook_of
from alchemy_sim.games.furnace.showdown.kernel import play_showdowns
from alchemy_sim.games.furnace.showdown.policies import OWN_POLICIES, POLICY_NAMES, policy
from alchemy_sim.games.furnace.showdown.table import OUTCOME, Ask, blank_table
from alchemy_sim.games.furnace.showdown.view import view_of
from alchemy_sim.games.furnace.tables import Deck, hands_of

#: Players that never look at the outlook, which takes a second to work out.
WITHOUT_OUTLOOK = {"random", "rank"}
_BY_SEAT = ("share", "category", "kept", "trumps", "jokers")


def deck_in(rules: np.ndarray) -> Deck:
    """What the strength of hands depends on, out of the rules of a cell."""
    values = {name: HandRulings.values(name)[int(rules[name][0])] for name in ("ace", "furnace_trump", "tie_order")}
    order = tuple(CATEGORIES[number] for number in rules["hand_order"][0])
    families, ranks, trumps = (int(rules[name][0]) for name in ("families", "ranks", "trumps"))
    return Deck(families, ranks, bool(trumps), **values, order=order)


def cards_in(rules: np.ndarray) -> list[int]:
    """All cards of the deck, ascending."""
    ranks = ranks_in_deck(int(rules["ranks"][0]))
    found = [RANK_COUNT * family + rank for family in range(int(rules["families"][0])) for rank in ranks]
    found += [FIRST_TRUMP + rank for rank in ranks] if rules["trumps"][0] else []
    return found + [JOKER] * int(rules["jokers"][0])


def ready_view(rules: np.ndarray, outlook: bool = True) -> Any:
    """A view with the rules of a cell, the deck and the evaluator's tables; with the outlook only if it is needed."""
    view, deck = view_of(rules), deck_in(rules)
    view["hands"] = hands_of(deck)
    view.copies[:] = np.bincount(cards_in(rules), minlength=len(view.copies))
    if outlook:
        view["outlook"] = outlook_of(deck, int(view.kept + view.open_cards + view.hidden_cards), int(view.hidden_cards))
    return view


def _asked(view: Any) -> str:
    return f"asked for {Ask(int(view.ask)).name}"


def _play(encoded: Encoded, seed: int, first: int, count: int) -> tuple[Any, Any, np.ndarray, Seats]:
    """Play `count` showdowns from number `first`: the view and table after the last, outcomes of shape (count,)."""
    seats = Seats(encoded, POLICY_NAMES, policy, OWN_POLICIES)
    view, table = ready_view(encoded.rules, bool(set(encoded.policies) - WITHOUT_OUTLOOK)), blank_table()
    cards = cards_in(encoded.rules)
    table.deck_size = len(cards)
    table.cards[: len(cards)] = cards
    seats.sit_down(table)
    outcomes = np.zeros(count, OUTCOME)
    if JIT_OFF:
        with quiet_integers():
            play_showdowns(view, table, np.uint64(seed), np.uint64(first), outcomes.view(np.recarray))
    else:
        play_showdowns(view, table, np.uint64(seed), np.uint64(first), outcomes)
    seats.check(table, outcomes["fault"], first, _asked)
    return view, table, outcomes, seats


def simulate(encoded: Encoded, seed: int, first: int, count: int) -> dict[str, np.ndarray]:
    """Outcome columns of `count` showdowns from number `first`: name -> integers of shape (count,), -1 where absent."""
    _, _, outcomes, seats = _play(encoded, seed, first, count)
    found = seats.columns(count)
    for name in OUTCOME.names or ():
        if name in _BY_SEAT:
            found |= {f"{name}_{seat}": outcomes[name][:, seat] for seat in range(encoded.players)}
        else:
            found[name] = outcomes[name]
    return {name: found[name] for name in encoded.columns}


def record(encoded: Encoded, seed: int, index: int) -> tuple[Any, np.ndarray]:
    """Play showdown `index`: the table as it ends, with every card on it, and its outcome, shape (1,)."""
    _, table, outcomes, _ = _play(encoded, seed, index, 1)
    return table, outcomes
