"""Exact counts over all hands of a deck: how often each strength occurs, and each set of names a hand can be called.

Families are alike, so hands are counted up to their order: sets of ranks for the families in descending order, each
standing for as many hands as there are ways to name them. Some sixty million sets stand for the 1.2 thousand million
seven-card hands of the default deck.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from math import comb, factorial
from typing import Any, NamedTuple

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest
from alchemy_sim.core.jit import array_of, helper, kernel, large_helper, quiet_integers, record_type, types
from alchemy_sim.games.furnace.claims import ranks_in_deck
from alchemy_sim.games.furnace.evaluate import (
    flush_claims,
    flush_families,
    flush_strength,
    lacks_trump,
    rank_strength,
    seven_of,
    slot_of,
    with_a_trump,
)
from alchemy_sim.games.furnace.names import CATEGORIES, FIRST_TRUMP, JOKER, MOST_FAMILIES, RANK_COUNT, TRUMP
from alchemy_sim.games.furnace.tables import (
    COUNTER_BITS,
    COUNTS_AT,
    HANDS,
    MASKS,
    RANK_KEYS,
    STRENGTH_BITS,
    TRUMPS_AT,
    Deck,
    hands_of,
)

_U = np.uint64
_KEYS = np.array(RANK_KEYS, np.uint64)
_TRUMPS_AT = _U(TRUMPS_AT)


class Counts(NamedTuple):
    """`strengths`: hands of each strength, shape (2^18,), int64; `claims`: hands by the set of categories that they
    can be called, bits of Category, shape (1024,), int64; `total`: all hands."""

    strengths: np.ndarray
    claims: np.ndarray
    total: int


def _shapes(cards: int, families: int, most: int) -> Iterator[tuple[int, ...]]:
    """The ways to deal `cards` to alike families, each at most `most`: descending, zeros left out."""
    if cards == 0:
        yield ()
    elif families:
        for first in range(min(cards, most), 0, -1):
            for rest in _shapes(cards - first, families - 1, first):
                yield (first, *rest)


@cache
def _masks(ranks: int) -> tuple[np.ndarray, np.ndarray]:
    """All sets of the deck's ranks by their size, as masks, and where each size begins, shape (ranks + 2,)."""
    present = sum(1 << rank for rank in ranks_in_deck(ranks))
    every = np.arange(MASKS)
    every = every[every & ~present == 0]
    sizes = np.array([int(mask).bit_count() for mask in every])
    order = np.argsort(sizes, kind="stable")
    return every[order].astype(np.uint64), np.searchsorted(sizes[order], np.arange(ranks + 2))


@large_helper
def _as_cards(sets: Any, families: int, trumps: Any) -> Any:
    """The cards of a hand of up to seven given as sets of ranks, as a tuple of seven."""
    hand = np.full(7, JOKER)
    place = 0
    for family in range(families + 1):
        left = sets[family] if family < families else trumps
        first = RANK_COUNT * family if family < families else FIRST_TRUMP
        while left != ZERO:
            hand[place] = first + lowest(left)
            left &= left - ONE
            place += 1
    return seven_of(hand)


@helper
def _add(
    hands: Any, size: int, key: Any, sets: Any, families: int, trumps: Any, number: int, strengths: Any, claims: Any
) -> None:
    """Count `number` hands with the ranks `sets` by family (a mask each) and these Trumps."""
    best = rank_strength(hands, size, key)
    called = integer(hands.claims[slot_of(hands, size, key)])
    flushes = flush_families(key)
    while flushes != ZERO:
        family = lowest(flushes) // COUNTER_BITS
        flushes &= flushes - ONE
        held = trumps if family == TRUMP else sets[family]
        wild = ZERO if hands.own_family else trumps
        best = max(best, flush_strength(hands, held, wild, held if family == TRUMP else wild))
        called |= flush_claims(hands, held, wild)
    if lacks_trump(hands, size, key, best):
        best = with_a_trump(hands, _as_cards(sets, families, trumps), best)
    strengths[best] += number
    claims[called] += number


@kernel(
    types.void(
        record_type(HANDS),
        array_of(types.uint64),  # all masks
        array_of(types.int64),  # for each level (families, then Trumps) where its masks begin and end
        array_of(types.int64),
        array_of(types.uint64),  # what a card of each level adds to the counters of a key
        types.int64,
        types.int64,
        types.int64,
        array_of(types.int64),
        array_of(types.int64),
    )
)
def _count(
    hands: Any,
    masks: Any,
    begins: Any,
    ends: Any,
    marks: Any,
    size: int,
    families: int,
    ways: int,
    strengths: Any,
    claims: Any,
) -> None:
    """Count all hands of one shape: the sets of family 0 in its range, of family 1 in its own, not above ..., of the
    Trumps last. `ways`: in how many ways the families could be named if all sets differed."""
    level_keys = np.zeros((len(begins), masks.shape[0]), np.uint64)
    for level in range(len(begins)):
        for at in range(begins[level], ends[level]):
            mask, key = masks[at], ZERO
            while mask != ZERO:
                key += _KEYS[lowest(mask)] + marks[level]
                mask &= mask - ONE
            level_keys[level, at] = key
    last = len(begins) - 1  # the Trumps
    at = begins.copy()
    sets = np.zeros(TRUMP, np.uint64)
    going = True
    while going:
        key = ZERO
        number, alike = ways, 1
        for level in range(families):
            key += level_keys[level, at[level]]
            sets[level] = masks[at[level]]
            alike = alike + 1 if level and at[level] == at[level - 1] else 1
            number //= alike
        for trumps in range(begins[last], ends[last]):
            whole = key + level_keys[last, trumps]
            whole += masks[trumps] << _TRUMPS_AT
            _add(hands, size, whole, sets, families, masks[trumps], number, strengths, claims)
        going = False
        for level in range(families - 1, -1, -1):
            at[level] += 1
            top = ends[level]
            if level and ends[level] == ends[level - 1]:
                top = at[level - 1] + 1  # of equal sizes the sets descend
            if at[level] < top:
                for lower in range(level + 1, families):
                    at[lower] = begins[lower]
                going = True
                break


@lru_cache(maxsize=16)
def count_hands(deck: Deck, cards: int) -> Counts:
    """All hands of `cards` cards (5 to 7), counted. The last few are kept."""
    hands = hands_of(deck)
    masks, starts = _masks(deck.ranks)
    own = deck.furnace_trump == "own_family"
    marks = [1 << (COUNTS_AT + COUNTER_BITS * family) for family in range(MOST_FAMILIES)]
    of_trump = 1 << (COUNTS_AT + COUNTER_BITS * TRUMP) if own else sum(marks[: deck.families])
    strengths, claims = np.zeros(1 << STRENGTH_BITS, np.int64), np.zeros(1 << len(CATEGORIES), np.int64)
    for trumps in range(min(cards, deck.ranks) + 1 if deck.trumps else 1):
        for shape in _shapes(cards - trumps, deck.families, deck.ranks):
            empty = deck.families - len(shape)
            begins = np.array([starts[size] for size in (*shape, trumps)])
            ends = np.array([starts[size + 1] for size in (*shape, trumps)])
            ways = factorial(deck.families) // factorial(empty)
            level_marks = np.array([*marks[: len(shape)], of_trump], np.uint64)
            with quiet_integers():
                _count(hands, masks, begins, ends, level_marks, cards, len(shape), ways, strengths, claims)
    total = int(strengths.sum())
    size = deck.ranks * (deck.families + deck.trumps)
    assert total == int(claims.sum()) == comb(size, cards), (deck, cards, total)
    return Counts(strengths, claims, total)
