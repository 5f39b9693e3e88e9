"""Does the order of the hands agree with how rare they are (Furnace 5)? Exact counts, inversions, the nearest order.

A hand counts as the strongest category it can be called, so counts depend on the order itself: moving a category up
takes hands from those it passes. An order is right when it agrees with the counts that it leads to. The high card is no
combination (everybody has it), so it stays last.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, permutations

import numpy as np

from alchemy_sim.games.furnace.counting import Counts, count_hands
from alchemy_sim.games.furnace.names import CATEGORIES, Category
from alchemy_sim.games.furnace.tables import Deck

_LAST = CATEGORIES[Category.HIGH]


@dataclass(frozen=True)
class Move:
    """A category taken out of the order and put back right below another (None: at the top)."""

    category: str
    below: str | None


@dataclass(frozen=True)
class Ordering:
    """What the counts say of an order of hands, strongest first.

    `counts` are hands by category as played under `order`; `inversions` are the pairs (stronger, weaker) of which the
    stronger is the commoner. `nearest` is the order with the fewest inversions in the counts that it leads to
    (`nearest_counts`), of several the one that the fewest `moves` lead to; `left` are the inversions that no order is
    without: none if `nearest` is right.
    """

    deck: Deck
    cards: int
    total: int
    counts: Mapping[str, int]
    inversions: tuple[tuple[str, str], ...]
    nearest: tuple[str, ...]
    nearest_counts: Mapping[str, int]
    moves: tuple[Move, ...]
    left: tuple[tuple[str, str], ...]

    @property
    def order(self) -> tuple[str, ...]:
        """The order as printed."""
        return self.deck.order

    @property
    def rarity(self) -> tuple[str, ...]:
        """The categories from the rarest to the commonest, as played under the printed order."""
        return tuple(sorted(self.order, key=self.counts.__getitem__))

    def inverted(self, category: str) -> bool:
        """Whether a category is the wrong way round with any other."""
        return any(category in pair for pair in self.inversions)


def counts_under(counts: Counts, order: Sequence[str]) -> dict[str, int]:
    """Hands by category if the hands had this order: each counts as the first it can be called."""
    left, found = np.arange(len(counts.claims)), {}
    number = counts.claims.copy()
    for name in order:
        mine = left >> CATEGORIES.index(name) & 1 == 1
        found[name] = int(number[mine].sum())
        number[mine] = 0
    return found


@cache
def _all_orders(number: int) -> np.ndarray:
    """All orders of so many things, shape (number!, number)."""
    return np.array(list(permutations(range(number))), np.int8)


def nearest_orders(counts: Counts, order: Sequence[str]) -> list[tuple[str, ...]]:
    """The orders with the fewest inversions in the counts they lead to, the nearest to `order` first.

    All 362,880 orders of the nine combinations are tried: what a category counts depends on the set of those above it.
    """
    names = [name for name in order if name != _LAST]
    bits = np.array([1 << CATEGORIES.index(name) for name in names])
    share = np.zeros((1 << len(names), len(names)), np.int64)  # by set of stronger ones (bits by place in `names`)
    claims = np.arange(len(counts.claims))
    for stronger in range(1 << len(names)):
        taken = sum(int(bit) for place, bit in enumerate(bits) if stronger >> place & 1)
        free = claims & taken == 0
        for place, bit in enumerate(bits):
            share[stronger, place] = counts.claims[free & (claims & bit != 0)].sum()
    tried = _all_orders(len(names))
    above = np.zeros(len(tried), np.int64)
    found = np.zeros((len(names), len(tried)), np.int64)
    for number in range(len(names)):
        found[number] = share[above, tried[:, number]]
        above |= 1 << tried[:, number].astype(np.int64)
    wrong = np.zeros(len(tried), np.int64)
    for number in range(len(names)):
        wrong += (found[number] > found[number + 1 :]).sum(0)
    best = tried[wrong == wrong.min()]
    orders = [(*(names[place] for place in row), _LAST) for row in best.tolist()]
    return sorted(orders, key=lambda each: (len(fewest_moves(order, each)), _exchanges(order, each)))


def _exchanges(order: Sequence[str], other: Sequence[str]) -> int:
    """How many pairs stand the other way round (Kendall's distance)."""
    place = {name: number for number, name in enumerate(other)}
    return sum(place[strong] > place[weak] for strong, weak in combinations(order, 2))


def fewest_moves(order: Sequence[str], wanted: Sequence[str]) -> tuple[Move, ...]:
    """The fewest moves of one category each from one order to another: all but a longest increasing subsequence."""
    place = {name: number for number, name in enumerate(order)}
    places = [place[name] for name in wanted]
    tails: list[int] = []  # patience sorting: the least last member of an increasing subsequence of each length
    lengths = []
    for each in places:
        at = bisect_left(tails, each)
        tails[at : at + 1] = [each]
        lengths.append(at)
    staying, needed = set(), len(tails) - 1
    for number in reversed(range(len(places))):
        if lengths[number] == needed:
            staying.add(wanted[number])
            needed -= 1
    return tuple(
        Move(name, wanted[number - 1] if number else None) for number, name in enumerate(wanted) if name not in staying
    )


def inversions_in(order: Sequence[str], counts: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    """The pairs (stronger, weaker) of which the stronger is the commoner."""
    return tuple((strong, weak) for strong, weak in combinations(order, 2) if counts[strong] > counts[weak])


@lru_cache(maxsize=16)
def judge_order(deck: Deck, cards: int) -> Ordering:
    """All hands of so many cards (5 to 7), counted by category under the deck's order, and what that says of it."""
    counted = count_hands(deck, cards)
    counts = counts_under(counted, deck.order)
    nearest = nearest_orders(counted, deck.order)[0]
    under = counts_under(counted, nearest)
    left = tuple(pair for pair in inversions_in(nearest, under) if _LAST not in pair)
    moves = fewest_moves(deck.order, nearest)
    return Ordering(deck, cards, counted.total, counts, inversions_in(deck.order, counts), nearest, under, moves, left)
