"""What a hand can be called by its ranks alone (Furnace 5): every multiset of ranks, every category, the best claim.

Slow and obvious, in numpy, run once to fill the evaluator's tables. Up to five cards count; a hand of fewer than five
(dead Jokers) counts whole. A claim is a code: its ranks in the order of comparison as digits of base 15, none as 0.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from alchemy_sim.games.furnace.names import ACE, CATEGORIES, KNIGHT, RANK_COUNT, Category

#: The most cards a hand is made of, and how many count.
MOST_CARDS, COUNTING = 7, 5
_BASE = RANK_COUNT + 1


class Deck(NamedTuple):
    """What a deck's hands depend on (Furnace 1 and 5)."""

    families: int = 4
    ranks: int = RANK_COUNT
    trumps: bool = True
    ace: str = "both"
    furnace_trump: str = "wild_family"
    tie_order: str = "ranks_then_trump"
    order: tuple[str, ...] = CATEGORIES


class Claim(NamedTuple):
    """The best claim of one category: whether there is one, its code, and the ranks it uses as a mask; shape (n,)."""

    there: np.ndarray
    code: np.ndarray
    used: np.ndarray


@cache
def multisets(cards: int) -> np.ndarray:
    """All multisets of `cards` ranks: how often each has each rank, shape (n, 14), int8."""
    chosen = np.array(list(combinations_with_replacement(range(RANK_COUNT), cards)), np.int64).reshape(-1, cards)
    counts = np.zeros((len(chosen), RANK_COUNT), np.int8)
    for place in range(cards):
        counts[np.arange(len(chosen)), chosen[:, place]] += 1
    return counts


def _top(among: np.ndarray) -> np.ndarray:
    """The highest rank marked in each row, -1 where none is."""
    return np.where(among.any(1), RANK_COUNT - 1 - among[:, ::-1].argmax(1), -1)


def _without(among: np.ndarray, rank: np.ndarray) -> np.ndarray:
    return among & (np.arange(RANK_COUNT) != rank[:, None])


def _claim(taken: list[tuple[np.ndarray, bool]], among: np.ndarray, kickers: int) -> Claim:
    """A claim of these ranks (each with whether it has to be there), then the highest `kickers` of those left."""
    ranks = [rank for rank, _ in taken]
    for rank in ranks:
        among = _without(among, rank)
    for _ in range(kickers):
        ranks.append(_top(among))
        among = _without(among, ranks[-1])
    there = np.ones(len(among), bool)
    code, used = np.zeros((2, len(among)), np.int64)
    for rank in ranks:
        there &= rank >= 0
        code = code * _BASE + rank + 1
        used |= np.where(rank >= 0, 1 << np.maximum(rank, 0), 0)
    return Claim(there, code * _BASE ** (COUNTING - len(ranks)), used)


@cache
def pattern_claims(cards: int) -> dict[Category, Claim]:
    """The best claim of every category that is a pattern of ranks, for every multiset of `cards` ranks.

    A pattern is exact: five cards that are a full house are not a pair. Five of a rank is four and the fifth as kicker.
    """
    counts = multisets(cards)
    size = min(cards, COUNTING)
    held, pairs, threes, fours = (counts >= times for times in (1, 2, 3, 4))
    found = {}
    if size >= 4:
        four = _top(fours)
        rest = np.where(np.arange(RANK_COUNT) == four[:, None], counts > 4, held)
        kicker = [(_top(rest), True)] if size > 4 else []
        found[Category.FOUR] = _claim([(four, True), *kicker], held, 0)
        high = _top(pairs)
        low = _top(_without(pairs, high))
        found[Category.TWO_PAIR] = _claim([(high, True), (low, True)], held, size - 4)
    if size >= 5:
        three = _top(threes)
        found[Category.FULL_HOUSE] = _claim([(three, True), (_top(_without(pairs, three)), True)], held, 0)
    if size >= 3:
        found[Category.THREE] = _claim([(_top(threes), True)], held, size - 3)
    if size >= 2:
        found[Category.PAIR] = _claim([(_top(pairs), True)], held, size - 2)
    found[Category.HIGH] = _claim([], held, size)
    return found


@cache
def code_index() -> dict[Category, np.ndarray]:
    """The codes that occur in each category for hands of any size, ascending: a claim's index is its place here."""
    found: dict[Category, list[np.ndarray]] = {}
    for cards in range(1, MOST_CARDS + 1):
        for category, claim in pattern_claims(cards).items():
            found.setdefault(category, []).append(np.unique(claim.code[claim.there]))
    index = {category: np.unique(np.concatenate(codes)) for category, codes in found.items()}
    index[Category.FLUSH] = np.unique(flush_codes()[1])
    return index


@cache
def flush_codes() -> tuple[np.ndarray, np.ndarray]:
    """Which multisets of five ranks a flush can have (a wild Trump doubles a rank), as rows, and their codes."""
    counts = multisets(COUNTING)
    rows = np.flatnonzero(counts.max(1) <= 2)
    code = np.zeros(len(rows), np.int64)
    for rank in reversed(range(RANK_COUNT)):
        for copy in (1, 2):
            code = np.where(counts[rows, rank] >= copy, code * _BASE + rank + 1, code)
    return rows, code


def ranks_in_deck(ranks: int) -> list[int]:
    """The ranks of a deck of so many: without the Knight from 13 down, then without the lowest (Furnace 1)."""
    present = list(range(RANK_COUNT))
    if ranks < RANK_COUNT:
        present.remove(KNIGHT)
    return present[len(present) - ranks :]


def straight_windows(ranks: int, ace: str) -> tuple[list[int], int]:
    """The sets of five ranks that are a straight, lowest first, as masks; and the place of the royal one, or -1.

    `ace`: which end of a straight an Ace can stand at, `both`, `high` or `low` (Furnace 1).
    """
    present = ranks_in_deck(ranks)
    found = [present[start : start + COUNTING] for start in range(len(present) - COUNTING + 1)]
    royal = found[-1:] if ace != "low" else []
    if ace == "low":
        found = [window for window in found if ACE not in window]
    if ace != "high":
        wheel = [ACE, *present[: COUNTING - 1]]
        found = [wheel, *found] if sorted(wheel) not in found else found
    masks = [sum(1 << rank for rank in window) for window in found]
    return masks, (found.index(royal[0]) if royal else -1)
