"""How strong a hand is (Furnace 5): a number below 2^18 for up to seven cards, greater is stronger, equal is a tie.

Single hands inside kernels (`strength`), batches from outside (`strengths`). A hand is the sum of its cards' keys (see
`tables`), which a caller can keep adding to, and the cards themselves, needed for flushes: seven numbers, JOKER where
there is no card.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest, popcount
from alchemy_sim.core.jit import array_of, helper, kernel, large_helper, quiet_integers, record_type, types
from alchemy_sim.games.furnace.claims import MOST_CARDS
from alchemy_sim.games.furnace.names import JOKER, RANK_COUNT, TRUMP, Category
from alchemy_sim.games.furnace.tables import (
    BUCKET_BITS,
    CATEGORY_AT,
    COUNTER_BITS,
    COUNTS_AT,
    FIRST_BUCKET,
    FIRST_SLOT,
    HANDS,
    LANES,
    SLOT_BITS,
    TRUMPS_AT,
)

_U = np.uint64
_RANKS = _U((1 << RANK_COUNT) - 1)
_LOW_32 = _U(0xFFFFFFFF)
_TRUMPS_AT, _COUNTS_AT = _U(TRUMPS_AT), _U(COUNTS_AT)
_SLOT_7, _SLOT_MASK_7 = _U(SLOT_BITS[7]), _U((1 << SLOT_BITS[7]) - 1)
_BUCKET_MASK_7 = _U((1 << BUCKET_BITS[7]) - 1)
_SLOT_5, _SLOT_MASK_5 = _U(SLOT_BITS[5]), _U((1 << SLOT_BITS[5]) - 1)
_BUCKET_MASK_5 = _U((1 << BUCKET_BITS[5]) - 1)
_FIRST_BUCKET_5 = int(FIRST_BUCKET[5])
#: The lowest bit of every counter.
_ONES = _U(sum(1 << (COUNTER_BITS * counter) for counter in range(TRUMP + 1)))
_ENTRY_RANKS = _U(RANK_COUNT)
_TRUMP_FIRST_AT = CATEGORY_AT - 1


#: Hands of a batch whose flushes are put off together.
BLOCK = 256


@helper
def slot_of(hands: Any, cards: int, key: Any) -> Any:
    """Where the entry of the ranks of a hand of `cards` cards stands (`tables`)."""
    low = key & _LOW_32
    if cards == 7:
        return integer((low & _SLOT_MASK_7) ^ _U(hands.displacement[(low >> _SLOT_7) & _BUCKET_MASK_7]))
    bits = _U(SLOT_BITS[cards])
    bucket = integer((low >> bits) & _U((1 << BUCKET_BITS[cards]) - 1)) + FIRST_BUCKET[cards]
    slot = (low & _U((1 << SLOT_BITS[cards]) - 1)) ^ _U(hands.displacement[bucket])
    return integer(slot) + FIRST_SLOT[cards]


@helper
def trumps_in(key: Any) -> Any:
    """The ranks of a hand's Trumps, as a mask."""
    return (key >> _TRUMPS_AT) & _RANKS


@helper
def flush_families(key: Any) -> Any:
    """The families (Trumps as their own: number 5) that a hand has at least five cards of: bit 3 * family."""
    counts = key >> _COUNTS_AT
    return (counts >> _U(2)) & ((counts >> ONE) | counts) & _ONES


@helper
def lanes_of(hands: Any, cards: Any) -> Any:
    """The ranks of the first four families among seven cards, as masks in lanes of 16 bits."""
    lanes = hands.lanes
    return (
        (lanes[cards[0]] + lanes[cards[1]])
        + (lanes[cards[2]] + lanes[cards[3]])
        + (lanes[cards[4]] + lanes[cards[5]])
        + lanes[cards[6]]
    )


@helper
def fifth_bit(card: int) -> Any:
    """A card's rank as a mask if it is of the fifth family, which has no lane; else none."""
    rank = card - RANK_COUNT * LANES
    return ONE << _U(rank) if 0 <= rank < RANK_COUNT else ZERO


@helper
def fifth_of(hands: Any, cards: Any) -> Any:
    """The ranks of the fifth family among seven cards."""
    found = ZERO
    if hands.families > LANES:
        for place in range(7):
            found |= fifth_bit(cards[place])
    return found


@helper
def flush_claims(hands: Any, held: Any, wild: Any) -> int:
    """What five or more cards of a family, with its wild Trumps, can be called: bits of Category."""
    straight = integer(hands.straight[held | wild])
    found = 1 << Category.FLUSH
    if straight > 0:
        found |= 1 << Category.STRAIGHT_FLUSH
        if straight - 1 == hands.royal:
            found |= 1 << Category.ROYAL
    return found


@helper
def flush_strength(hands: Any, held: Any, wild: Any, trumps: Any) -> int:
    """The best hand out of a family's ranks `held` and the `wild` ranks of Trumps (five cards or more, as masks).

    `trumps` are those of the ranks that a Trump can stand for. A wild Trump may double a rank, but not in a straight.
    """
    straight = integer(hands.straight[held | wild])
    used, doubled = held | wild, held & wild
    extra = popcount(held) + popcount(wild) - 5
    for dropped in range(2):  # the lowest cards above five, without branches
        low = used & (ZERO - used) & (ZERO - _U(extra > dropped))
        used ^= low & ~doubled
        doubled &= ~low
    key = _U(hands.sums[used]) + _U(hands.sums[doubled])
    bucket = integer((key >> _SLOT_5) & _BUCKET_MASK_5) + _FIRST_BUCKET_5
    slot = (key & _SLOT_MASK_5) ^ _U(hands.displacement[bucket])
    best = integer(hands.flush[slot]) + hands.floor[Category.FLUSH] + hands.trump * integer(used & trumps != ZERO)
    if straight > 0:
        trump = hands.trump * integer(_U(hands.window[straight - 1]) & trumps != ZERO)
        best = max(best, hands.floor[Category.STRAIGHT_FLUSH] + hands.step * straight + trump)
        if straight - 1 == hands.royal:
            best = max(best, hands.floor[Category.ROYAL] + trump)
    return best


@helper
def best_flush(hands: Any, key: Any, lanes: Any, fifth: Any) -> int:
    """The best of the families that a hand has five cards of; there is one."""
    families, trumps, best = flush_families(key), trumps_in(key), 0
    while families != ZERO:
        family = lowest(families) // COUNTER_BITS
        families &= families - ONE
        if family == TRUMP:
            best = max(best, flush_strength(hands, trumps, ZERO, trumps))
        else:
            wild = ZERO if hands.own_family else trumps
            held = (lanes >> _U(16 * family)) & _RANKS if family < LANES else fifth
            best = max(best, flush_strength(hands, held, wild, wild))
    return best


@helper
def _rank_strength(hands: Any, size: int, key: Any, trump: int) -> Any:
    entry = _U(hands.entries[slot_of(hands, size, key)])
    return integer(entry >> _ENTRY_RANKS) + trump * integer(entry & trumps_in(key) != ZERO)


@helper
def rank_strength(hands: Any, size: int, key: Any) -> Any:
    """How strong a hand of `size` cards is by its ranks and Trumps, flushes left out."""
    return _rank_strength(hands, size, key, hands.trump)


@helper
def sum_strength(hands: Any, size: int, key: Any, lanes: Any, fifth: Any) -> int:
    """The strength of a hand of `size` cards as the sums of what its cards add: `keys`, `lanes` and `fifth_bit`.

    It is that of the five cards with the best category and ranks, even where `tie_order` prefers others.
    """
    best = rank_strength(hands, size, key)
    if flush_families(key) != ZERO:
        best = max(best, best_flush(hands, key, lanes, fifth))
    return best


@helper
def plain_strength(hands: Any, size: int, key: Any, cards: Any) -> int:
    """The same of a hand as seven cards (JOKER: none) and the sum of their keys."""
    return sum_strength(hands, size, key, lanes_of(hands, cards), fifth_of(hands, cards))


@helper
def lacks_trump(hands: Any, size: int, key: Any, best: int) -> bool:
    """`trump_then_ranks`: whether a hand has a Trump, and the five cards with the best ranks have none."""
    return hands.trump > 1 and size > 5 and trumps_in(key) != ZERO and not best >> _TRUMP_FIRST_AT & 1


@large_helper
def with_a_trump(hands: Any, cards: Any, best: int) -> int:
    """`trump_then_ranks`: five cards with a Trump may beat higher ones of the same category without; try all fives."""
    for chosen in range(1 << 7):
        if popcount(_U(chosen)) != 5:
            continue
        key, size = ZERO, 0
        one = two = three = four = five = JOKER
        for place in range(7):
            if chosen >> place & 1 and cards[place] != JOKER:
                one, two, three, four, five = two, three, four, five, cards[place]
                key += hands.keys[five]
                size += 1
        if size == 5:
            best = max(best, plain_strength(hands, 5, key, (one, two, three, four, five, JOKER, JOKER)))
    return best


@helper
def strengthened(hands: Any, size: int, key: Any, cards: Any, plain: int) -> int:
    """The strength of a hand whose `plain_strength` is known."""
    return with_a_trump(hands, cards, plain) if lacks_trump(hands, size, key, plain) else plain


@helper
def strength(hands: Any, size: int, key: Any, cards: Any) -> int:
    """The strength of a hand of `size` cards among the seven places of the tuple `cards`; `key` is the sum of keys."""
    return strengthened(hands, size, key, cards, plain_strength(hands, size, key, cards))


@helper
def category_of(hands: Any, strong: int) -> int:
    """The Category of a strength."""
    return hands.category[strong >> CATEGORY_AT]


@helper
def without_trump(hands: Any, strong: int) -> int:
    """A strength as it would be if Trumps broke no ties; take it of `plain_strength`."""
    return strong & ~hands.trump


@helper
def _card(hand: Any, place: int) -> Any:
    return integer(hand[place]) if place < hand.shape[0] else JOKER


@helper
def seven_of(hand: Any) -> Any:
    """A hand of up to seven cards (an array) as a tuple of seven, JOKER where there is none."""
    return (
        _card(hand, 0),
        _card(hand, 1),
        _card(hand, 2),
        _card(hand, 3),
        _card(hand, 4),
        _card(hand, 5),
        _card(hand, 6),
    )


@helper
def _key_of_seven(hands: Any, cards: Any, row: int) -> Any:
    keys = hands.keys
    return (
        keys[cards[row, 0]]
        + keys[cards[row, 1]]
        + keys[cards[row, 2]]
        + keys[cards[row, 3]]
        + keys[cards[row, 4]]
        + keys[cards[row, 5]]
        + keys[cards[row, 6]]
    )


@kernel(types.void(record_type(HANDS), array_of(types.uint8, 2), array_of(types.int32)))
def _strengths(hands: Any, cards: Any, found: Any) -> None:
    size = cards.shape[1]
    for row in range(cards.shape[0]):
        hand = cards[row]
        key = ZERO
        for place in range(size):
            key += hands.keys[hand[place]]
        found[row] = strength(hands, size, key, seven_of(hand))


@kernel(
    types.void(
        record_type(HANDS),
        array_of(types.uint8, 2),
        array_of(types.int32),
        array_of(types.int64),
        array_of(types.uint64),
    )
)
def _strengths_of_seven(hands: Any, cards: Any, found: Any, late: Any, keys: Any) -> None:
    """The same for seven cards, in blocks: all keys, then all ranks, then flushes (`late`, `keys`: room for a block).

    A quarter of the hands of a deck with wild Trumps has a flush, and a branch that can't be foretold costs as much as
    all the rest.
    """
    trump = hands.trump  # once: a load between the stores keeps the compiler from doing several hands at a time
    for first in range(0, cards.shape[0], BLOCK):
        size = min(BLOCK, cards.shape[0] - first)
        for place in range(size):
            keys[place] = _key_of_seven(hands, cards, first + place)
        for place in range(size):
            found[first + place] = _rank_strength(hands, 7, keys[place], trump)
        number = 0
        for place in range(size):
            late[number] = place
            number += integer((flush_families(keys[place]) != ZERO) | (trump > 1))
        for which in range(number):
            row, key = first + late[which], keys[late[which]]
            seven = (
                *(cards[row, 0], cards[row, 1], cards[row, 2]),
                *(cards[row, 3], cards[row, 4], cards[row, 5], cards[row, 6]),
            )
            if trump > 1:
                found[row] = strength(hands, 7, key, seven)
            else:
                found[row] = max(found[row], best_flush(hands, key, lanes_of(hands, seven), fifth_of(hands, seven)))


def strengths(hands: Any, cards: np.ndarray) -> np.ndarray:
    """The strengths of a batch of hands: `cards` uint8 of shape (hands, 1 to 7), int32 of shape (hands,) back."""
    cards = np.ascontiguousarray(cards, np.uint8)
    if cards.ndim != 2 or not 1 <= cards.shape[1] <= MOST_CARDS:
        raise ValueError(f"cards must have the shape (hands, 1 to {MOST_CARDS}), not {cards.shape}")
    found = np.zeros(len(cards), np.int32)
    with quiet_integers():
        if cards.shape[1] == MOST_CARDS:
            _strengths_of_seven(hands, cards, found, np.zeros(BLOCK, np.int64), np.zeros(BLOCK, np.uint64))
        else:
            _strengths(hands, cards, found)
    return found
