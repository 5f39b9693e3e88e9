"""What strengths are worth: the share of all final hands that a hand beats, and what the ranks of a few promise."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np

from alchemy_sim.core.bits import ZERO
from alchemy_sim.core.jit import array_of, helper, kernel, one_record, quiet_integers, record_type, types
from alchemy_sim.core.seen import filled
from alchemy_sim.games.furnace.claims import MOST_CARDS, multisets, ranks_in_deck
from alchemy_sim.games.furnace.counting import count_hands
from alchemy_sim.games.furnace.deck import deck_in
from alchemy_sim.games.furnace.evaluate import rank_strength, slot_of
from alchemy_sim.games.furnace.names import RANK_COUNT
from alchemy_sim.games.furnace.tables import HANDS, RANK_KEYS, SLOTS, STRENGTH_BITS, Deck, hands_of

OUTLOOK = np.dtype(
    [
        # by strength: the share of all hands of as many cards as a final hand has that are weaker, equals counted half
        ("percentile", np.float32, (1 << STRENGTH_BITS,)),
        # by slot (`evaluate.slot_of`): the expected percentile of known cards, the hidden ones to come, without flushes
        ("promise", np.float32, (SLOTS,)),
    ],
    align=True,
)
_KEYS = np.array(RANK_KEYS, np.uint64)
_LOCK = Lock()


@helper
def _add_up(hands: Any, percentile: Any, size: int, key: Any, counts: Any, hidden: int) -> Any:
    """Sum of percentiles, and of weights, over multisets of up to three hidden ranks."""
    total = weight = 0.0
    for one in range(RANK_COUNT if hidden > 0 else 1):
        for two in range(one, RANK_COUNT if hidden > 1 else one + 1):
            for three in range(two, RANK_COUNT if hidden > 2 else two + 1):
                number = 1.0
                whole = key
                for place in range(hidden):
                    rank = one if place == 0 else two if place == 1 else three
                    before = (place > 0 and one == rank) + (place > 1 and two == rank)
                    number *= max(counts[rank] - before, 0) / (1 + before)
                    whole += _KEYS[rank]
                if number > 0:
                    total += number * percentile[rank_strength(hands, size + hidden, whole)]
                    weight += number
    return total, weight


@kernel(
    types.void(
        record_type(HANDS),
        array_of(types.float32),
        array_of(types.int8, 2),
        array_of(types.int64),
        types.int64,
        types.int64,
        array_of(types.float32),
    )
)
def _promise(hands: Any, percentile: Any, known: Any, copies: Any, size: int, hidden: int, promise: Any) -> None:
    """Fill `promise` for all multisets of `size` known ranks (rows of counts); `copies`: cards of each rank."""
    left = np.zeros(RANK_COUNT, np.int64)
    for row in range(known.shape[0]):
        key = ZERO
        for rank in range(RANK_COUNT):
            left[rank] = copies[rank] - known[row, rank]
            for _ in range(known[row, rank]):
                key += _KEYS[rank]
        total, weight = _add_up(hands, percentile, size, key, left, hidden)
        if weight > 0:
            promise[slot_of(hands, size, key)] = total / weight


def percentiles(deck: Deck, cards: int) -> np.ndarray:
    """By strength: the share of all hands of `cards` cards that are weaker, equals counted half; shape (2^18,)."""
    counts = count_hands(deck, cards)
    return (np.cumsum(counts.strengths) - counts.strengths / 2) / counts.total


def outlook_of(deck: Deck, final: int, hidden: int) -> Any:
    """The outlook of a deck with final hands of so many cards, some of them hidden: one `OUTLOOK` record, read only."""
    with _LOCK:
        return _outlook(deck, final, hidden)


@lru_cache(maxsize=4)
@quiet_integers()
def _outlook(deck: Deck, final: int, hidden: int) -> Any:
    outlook, hands = one_record(OUTLOOK), hands_of(deck)
    outlook.percentile[:] = percentiles(deck, final)
    copies = np.zeros(RANK_COUNT, np.int64)
    copies[ranks_in_deck(deck.ranks)] = deck.families + deck.trumps
    for size in range(1, MOST_CARDS - hidden + 1):  # fewer than usual where dead Jokers lie
        _promise(hands, outlook.percentile, multisets(size), copies, size, hidden, outlook.promise)
    return outlook


def view_of(record: np.dtype, rules: np.ndarray, looks_ahead: bool) -> Any:
    """A view of that type with the rules of a cell and its evaluator's tables; with the outlook if it `looks_ahead`.

    (The outlook takes a second to work out, the first time for a deck.)
    """
    view, deck = filled(record, rules), deck_in(rules)
    view["hands"] = hands_of(deck)
    if looks_ahead:
        view["outlook"] = outlook_of(deck, int(view.kept + view.open_cards + view.hidden_cards), int(view.hidden_cards))
    return view
