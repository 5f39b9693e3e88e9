"""The deck that the rules of a cell describe (Furnace 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from alchemy_sim.games.furnace.claims import ranks_in_deck
from alchemy_sim.games.furnace.config import HandRulings
from alchemy_sim.games.furnace.names import CATEGORIES, FIRST_TRUMP, JOKER, RANK_COUNT
from alchemy_sim.games.furnace.tables import Deck


def deck_in(rules: np.ndarray) -> Deck:
    """What the strength of hands depends on, out of the rules of a cell."""
    values = {name: HandRulings.values(name)[int(rules[name][0])] for name in ("ace", "furnace_trump", "tie_order")}
    order = tuple(CATEGORIES[number] for number in rules["hand_order"][0])
    families, ranks, trumps = (int(rules[name][0]) for name in ("families", "ranks", "trumps"))
    return Deck(families, ranks, bool(trumps), **values, order=order)


def give_deck(table: Any, cards: Sequence[int]) -> None:
    """Lay a kernel's deck beside its table."""
    table.deck_size = len(cards)
    table.cards[: len(cards)] = cards


def cards_in(rules: np.ndarray) -> list[int]:
    """All cards of the deck, ascending."""
    ranks = ranks_in_deck(int(rules["ranks"][0]))
    found = [RANK_COUNT * family + rank for family in range(int(rules["families"][0])) for rank in ranks]
    found += [FIRST_TRUMP + rank for rank in ranks] if rules["trumps"][0] else []
    return found + [JOKER] * int(rules["deck_jokers"][0])
