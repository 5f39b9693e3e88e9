"""What kind of cards a player has kept: of one rank, of one family, neighbours, a Trump among them."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.furnace.names import ACE, FIRST_TRUMP, KNIGHT, RANK_COUNT


class Kept(IntEnum):
    """Kinds of kept cards, as bits: several can hold."""

    PAIR = 1  # two of a rank
    FAMILY = 2  # all of one family (Trumps as their own)
    CONNECTED = 4  # neighbours in rank, as straights have them
    TRUMP = 8  # at least one Trump


#: The sets of kinds as labels of a column: "other", "pair", ..., "family_connected_trump".
KEPT_LABELS = tuple("_".join(kind.name.lower() for kind in Kept if value & kind) or "other" for value in range(16))

_ACE = ONE << np.uint64(ACE)


@helper
def in_a_row(ranks: Any) -> bool:
    """Whether the members of a mask follow on each other."""
    run = ranks >> np.uint64(lowest(ranks))
    return run & (run + ONE) == ZERO


@helper
def connected(view: Any, ranks: Any) -> bool:
    """Whether different ranks (a mask) are neighbours: without the Knight J and Q are, and the Ace as `ace` has it."""
    if view.ranks < RANK_COUNT:  # close the gap that the Knight leaves
        below = (ONE << np.uint64(KNIGHT)) - ONE
        ranks = (ranks & below) | ((ranks & ~below) >> ONE)
    ace = _ACE >> np.uint64(view.ranks < RANK_COUNT)
    if view.ace != 2 and in_a_row(ranks):
        return True
    if view.ace == 1 or not ranks & ace:
        return view.ace == 2 and in_a_row(ranks)
    lowest_rank = np.uint64(max(RANK_COUNT - 1 - view.ranks, 0))
    return in_a_row(((ranks ^ ace) << ONE) | (ONE << lowest_rank))


@helper
def kind_of(view: Any, chosen: Any) -> int:
    """The kinds (`Kept`) of the cards at the places `chosen` (a mask) of the view's hand."""
    first = integer(view.cards[lowest(chosen)]) // RANK_COUNT
    ranks, kind, left = ZERO, Kept.FAMILY + 0, chosen
    while left != ZERO:
        card = integer(view.cards[lowest(left)])
        left &= left - ONE
        ranks |= ONE << np.uint64(card % RANK_COUNT)
        if card // RANK_COUNT != first:
            kind &= ~Kept.FAMILY
        if card >= FIRST_TRUMP:
            kind |= Kept.TRUMP
    if popcount(ranks) < popcount(chosen):
        return kind | Kept.PAIR
    return kind | Kept.CONNECTED if popcount(chosen) > 1 and connected(view, ranks) else kind
