"""Rules of thumb before play: which task to claim and which discipline to keep, by what the hand shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, lowest, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.cards import ALL_CATALYSTS, EITHER_SIDE, RANK, SUIT
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.tasks import FAMILY, PARAMETER, Deed, Family

#: How willingly a player without a reason in the hand takes each task, T01 to T40: rough odds in tenths.
PRICE = np.array(
    [
        *(7, 7, 6, 4, 2, 1),  # tricks 0, 1, 2, 3, 4, 5+
        *(8, 8, 8, 8, 8, 8),  # some of a suit
        *(5, 5, 5, 5, 5, 5),  # none of a suit
        *(6, 6, 7, 7),  # a 9, a 1, a Catalyst, no Catalyst
        *(2, 2, 6, 6, 8, 5),  # 22, one Boil Over, high, low, fizzle, lead one Transmute
        *(4, 4, 6, 1),  # first, last, none of three, after a Boil Over
        *(4, 5, 4, 4),  # more, fewer, most, same
        *(6, 4, 3, 6),  # two Mandrake, three of a suit, two Catalysts, all low
    ],
    np.int64,
)
#: How gladly each discipline is kept, in the order of `Discipline`.
WORTH = np.array([2, 0, 9, 7, 4, 5, 6, 3, 5, 1], np.int64)

HIGH_RANKS = RANK[7] | RANK[8] | RANK[9]
LOW_RANKS = RANK[1] | RANK[2] | RANK[3]


@helper
def claim_score(view: Any, task: int) -> int:
    """How good a task looks to the asked player, in tenths of its odds."""
    family = FAMILY[task]
    parameter = PARAMETER[task]
    hand = view.hand
    catalysts = popcount(hand & ALL_CATALYSTS)
    high = popcount(hand & HIGH_RANKS)
    score = 10 * PRICE[task]
    strong = 4 * catalysts + high - view.cards_left[view.me] // 3
    if family == Family.MORE or family == Family.FEWER:
        if view.me == view.lead:
            return -1000
        return score + (2 if family == Family.MORE else -2) * strong
    if family == Family.TRICKS:
        return score + (strong if parameter >= 2 else -3 * strong)
    if family == Family.TRICKS_PLUS or family == Family.MOST:
        return score + 3 * strong
    if family == Family.DEED and parameter == Deed.FIRST:
        return score + (50 if view.me == view.lead else 10 * catalysts - 20)
    if family == Family.DEED and parameter < 6:
        return score + 3 * popcount(hand & EITHER_SIDE[parameter])
    if family == Family.DEED and (parameter == Deed.CATALYST or parameter == Deed.TWO_CATALYSTS):
        return score + 12 * catalysts
    if family == Family.NO_DEED and parameter < 6:
        return score - 3 * popcount(hand & SUIT[parameter]) - strong
    if family == Family.NO_DEED:
        return score - 12 * catalysts
    if family == Family.DEED and parameter == Deed.TWO_MANDRAKE:
        return score + 4 * popcount(hand & SUIT[5])
    if family == Family.NONE_OF_THREE:
        return score - strong - (30 if view.me == view.lead else 0)
    return score


@helper
def best_claim(view: Any) -> int:
    """The unclaimed task with the best score; the lowest number on a tie."""
    rest = view.unclaimed
    best = -1
    best_score = -100000
    while rest != ZERO:
        task = lowest(rest)
        rest &= rest - ONE
        score = claim_score(view, task)
        if score > best_score:
            best_score = score
            best = task
    return best


@helper
def better_discipline(view: Any) -> int:
    """Which of the two offered disciplines to keep: 0 or 1."""
    worth_0 = WORTH[view.offered[0]]
    worth_1 = WORTH[view.offered[1]]
    catalysts = popcount(view.hand & ALL_CATALYSTS)
    if view.offered[0] == Discipline.VOID_WEAVER:
        worth_0 += 2 * catalysts if view.catalyst_value >= 0 else -catalysts
    if view.offered[1] == Discipline.VOID_WEAVER:
        worth_1 += 2 * catalysts if view.catalyst_value >= 0 else -catalysts
    return 1 if worth_1 > worth_0 else 0
