"""The evaluator's tables for one deck: one record, made in a tenth of a second, read by every kernel.

A hand is the sum of its cards' keys. A key holds, from the lowest bit: 32 bits of a hash of its rank, 14 bits that mark
a Trump's rank, and six counters of three bits, one a family (a wild Trump counts in all of them). The sums of the
hashes of all multisets of up to seven ranks differ, so that a two-step perfect hash (bucket, displacement; Fox, Heath,
Chen and Daoud 1992) leads to the entry of each: the best claim by ranks and the ranks it uses.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np

from alchemy_sim.core.jit import array_of, kernel, one_record, types
from alchemy_sim.games.furnace.claims import (
    COUNTING,
    MOST_CARDS,
    code_index,
    flush_codes,
    multisets,
    pattern_claims,
    straight_windows,
)
from alchemy_sim.games.furnace.claims import Deck as Deck
from alchemy_sim.games.furnace.names import (
    CARDS,
    CATEGORIES,
    FIRST_TRUMP,
    MOST_FAMILIES,
    RANK_COUNT,
    TRUMP,
    Category,
)

#: A hash for each rank, found by trial: the low 30 bits of the sums of seven tell all multisets apart, those of fewer
#: cards by as many bits as their tables use (a test holds them to it).
RANK_KEYS = (
    *(290332854, 314036734, 463345678, 583172926, 21384368, 88451546, 504930882),
    *(582059763, 152918406, 191329413, 533205001, 259739036, 167607630, 507850795),
)
#: Bits of a slot and of a bucket, by number of cards (index 0 unused).
SLOT_BITS = np.array([0, 6, 8, 11, 13, 15, 16, 17])
BUCKET_BITS = np.array([0, 12, 12, 12, 12, 12, 13, 13])
#: Where the slots and buckets of each number of cards begin: those of seven first.
_DESCENDING = range(MOST_CARDS, 0, -1)
FIRST_SLOT = np.array([0] + [sum(1 << SLOT_BITS[m] for m in _DESCENDING if m > n) for n in range(1, 8)])
FIRST_BUCKET = np.array([0] + [sum(1 << BUCKET_BITS[m] for m in _DESCENDING if m > n) for n in range(1, 8)])
SLOTS = int(sum(1 << SLOT_BITS[n] for n in _DESCENDING))
BUCKETS = int(sum(1 << BUCKET_BITS[n] for n in _DESCENDING))

#: Where the parts of a key lie.
TRUMPS_AT, COUNTS_AT, COUNTER_BITS = 32, 46, 3
#: A strength is a number below 2^18: the category's place from the weakest, 0 to 9, above 14 bits of ranks and Trump.
STRENGTH_BITS, CATEGORY_AT = 18, 14
#: An entry is the strength without a Trump above the 14 bits of the ranks it uses.
ENTRY_RANKS = RANK_COUNT

MASKS = 1 << RANK_COUNT
#: Families whose ranks fit side by side in a word.
LANES = 4

HANDS = np.dtype(
    [
        ("keys", np.uint64, (CARDS,)),
        ("displacement", np.uint16, (BUCKETS,)),
        ("entries", np.uint32, (SLOTS,)),
        ("claims", np.uint16, (SLOTS,)),  # bit c: the hand can be called Category c by its ranks
        ("straight", np.uint8, (MASKS,)),  # 1 + the highest straight among the ranks of a mask, 0 none
        ("window", np.uint16, (16,)),  # the ranks of each straight, lowest first
        ("flush", np.uint16, (1 << int(SLOT_BITS[COUNTING]),)),  # by slot of five cards: a flush's ranks in a strength
        ("sums", np.uint32, (MASKS,)),  # the sum of the rank hashes of a mask
        ("lanes", np.uint64, (CARDS,)),  # a card's rank as a bit of its family's lane, 0 where there is no lane
        ("floor", np.int64, (len(CATEGORIES),)),  # the lowest strength of each Category
        ("category", np.int64, (len(CATEGORIES),)),  # by place from the weakest, 0 to 9: the Category
        ("families", np.int64),
        ("royal", np.int64),  # the straight that makes a royal flush, -1 none
        ("own_family", np.int64),  # ruling furnace_trump: 0 wild_family, 1 own_family
        ("step", np.int64),  # what one step up in ranks and what a Trump adds to a strength (ruling tie_order):
        ("trump", np.int64),  # 2 and 1 under ranks_then_trump, 1 and 2^13 under trump_then_ranks
    ],
    align=True,
)


@kernel(
    types.int64(
        array_of(types.int64), array_of(types.int64), array_of(types.int64), array_of(types.uint16), types.int64
    )
)
def _displace(first: Any, order: Any, low: Any, displacement: Any, slots: int) -> int:
    """Find a displacement for each bucket (rows `first[b]` to `first[b + 1]` of `low`), the fullest first.

    Returns 0, or 1 if some bucket has none that fits a uint16.
    """
    taken = np.zeros(slots, np.bool_)
    for bucket in order:
        tried = 0
        fits = False
        while not fits:
            if tried >= 65536:
                return 1
            fits = True
            for row in range(first[bucket], first[bucket + 1]):
                if taken[low[row] ^ tried]:
                    fits = False
                    break
            tried += 1
        displacement[bucket] = tried - 1
        for row in range(first[bucket], first[bucket + 1]):
            taken[low[row] ^ (tried - 1)] = True
    return 0


@cache
def _places(cards: int) -> tuple[np.ndarray, np.ndarray]:
    """The slot of every multiset of `cards` ranks (in its own table), and the displacements."""
    sums = multisets(cards).astype(np.int64) @ np.array(RANK_KEYS, np.int64)
    slot_bits, bucket_bits = int(SLOT_BITS[cards]), int(BUCKET_BITS[cards])
    low, bucket = sums & ((1 << slot_bits) - 1), (sums >> slot_bits) & ((1 << bucket_bits) - 1)
    by_bucket = np.argsort(bucket, kind="stable")
    sizes = np.bincount(bucket, minlength=1 << bucket_bits)
    displacement = np.zeros(1 << bucket_bits, np.uint16)
    order = np.argsort(-sizes, kind="stable")
    first = np.concatenate([[0], np.cumsum(sizes)])
    if _displace(first, order, np.ascontiguousarray(low[by_bucket]), displacement, 1 << slot_bits):
        raise AssertionError(f"the rank keys don't hash hands of {cards} cards")
    return low ^ displacement[bucket].astype(np.int64), displacement


def _keys(deck: Deck) -> np.ndarray:
    keys = np.zeros(CARDS, np.uint64)
    own = deck.furnace_trump == "own_family"
    for rank, rank_key in enumerate(RANK_KEYS):
        for family in range(deck.families):
            keys[RANK_COUNT * family + rank] = rank_key | 1 << (COUNTS_AT + COUNTER_BITS * family)
        counters = [TRUMP] if own else range(deck.families)
        marks = sum(1 << (COUNTS_AT + COUNTER_BITS * counter) for counter in counters)
        keys[FIRST_TRUMP + rank] = rank_key | 1 << (TRUMPS_AT + rank) | marks
    return keys


def _fill(hands: Any, cards: int) -> None:
    """The entries and claims of all hands of `cards` cards."""
    slots, displacement = _places(cards)
    at, bucket = int(FIRST_SLOT[cards]), int(FIRST_BUCKET[cards])
    hands.displacement[bucket : bucket + len(displacement)] = displacement
    best = np.full(len(slots), -1, np.int64)
    claims = np.zeros(len(slots), np.int64)
    for category, claim in pattern_claims(cards).items():
        index = np.searchsorted(code_index()[category], claim.code)
        entry = (int(hands.floor[category]) + int(hands.step) * index) << ENTRY_RANKS | claim.used
        best = np.where(claim.there, np.maximum(best, entry), best)
        claims |= np.where(claim.there, 1 << category, 0)
    if cards >= COUNTING:
        held = (multisets(cards) > 0) @ (1 << np.arange(RANK_COUNT))
        straight = hands.straight[held].astype(np.int64)
        used = hands.window[np.maximum(straight - 1, 0)].astype(np.int64)
        entry = (int(hands.floor[Category.STRAIGHT]) + int(hands.step) * straight) << ENTRY_RANKS | used
        best = np.where(straight > 0, np.maximum(best, entry), best)
        claims |= np.where(straight > 0, 1 << Category.STRAIGHT, 0)
    hands.entries[at + slots] = best
    hands.claims[at + slots] = claims


@lru_cache(maxsize=16)
def hands_of(deck: Deck) -> Any:
    """The tables of a deck: one `HANDS` record, shared by whoever asks for the same deck. Read only."""
    hands = one_record(HANDS)
    hands.keys[:] = _keys(deck)
    for place, name in enumerate(reversed(deck.order)):
        hands.floor[CATEGORIES.index(name)] = place << CATEGORY_AT
        hands.category[place] = CATEGORIES.index(name)
    windows, hands.royal = straight_windows(deck.ranks, deck.ace)
    hands.window[: len(windows)] = windows
    held = np.arange(MASKS)
    for place, window in enumerate(windows):
        hands.straight[held & window == window] = 1 + place
    hands.sums[:] = (held[:, None] >> np.arange(RANK_COUNT) & 1) @ np.array(RANK_KEYS)
    for card in range(RANK_COUNT * LANES):
        hands.lanes[card] = 1 << (16 * (card // RANK_COUNT) + card % RANK_COUNT)
    hands.families = deck.families
    hands.own_family = deck.furnace_trump == "own_family"
    hands.step, hands.trump = (2, 1) if deck.tie_order == "ranks_then_trump" else (1, 1 << (CATEGORY_AT - 1))
    rows, codes = flush_codes()
    hands.flush[_places(COUNTING)[0][rows]] = hands.step * np.searchsorted(code_index()[Category.FLUSH], codes)
    for cards in range(1, MOST_CARDS + 1):
        _fill(hands, cards)
    return hands


#: Families and Trumps that have a counter in a key.
COUNTERS = MOST_FAMILIES + 1
