"""What a card in the hand is good for: runs, Triads and layouts to come, and the Furnace."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import integer
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.games.furnace.match.board import SUITS, Meld, bit, value_at
from alchemy_sim.games.furnace.match.options import positions_of
from alchemy_sim.games.furnace.names import JOKER, RANK_COUNT, TRUMP

#: What a neighbour in a family is worth by its distance, and a card of the same rank, in points of usefulness.
NEAR, NEXT_BUT_ONE, SAME_RANK, FITS = 3.0, 1.5, 1.5, 4.0


@helper
def family_of(card: int) -> int:
    """The family of a card, 5 of a Trump."""
    return card // RANK_COUNT


@helper
def place_of(view: Any, card: int) -> int:
    """The place of a card that is not a Joker."""
    return integer(view.place_of[card % RANK_COUNT])


@helper
def list_families(view: Any, held: Any) -> None:
    """The hand's cards as places by family, into `held` (room for six masks)."""
    for family in range(SUITS):
        held[family] = np.uint64(0)
    for which in range(view.hand):
        card = integer(view.cards[which])
        if card != JOKER:
            held[family_of(card)] |= bit(place_of(view, card))


@helper
def run_use(view: Any, held: Any, family: int, place: int) -> float:
    """How much of a Run of a family is there around a place."""
    use = 0.0
    around = positions_of(view, held[family] | held[TRUMP])
    mine = positions_of(view, bit(place))
    for position in range(view.ranks + 1):
        if not mine & bit(position):
            continue
        found = 0.0
        for step in range(1, 3):
            worth = NEAR if step == 1 else NEXT_BUT_ONE
            if position + step <= view.ranks and around & bit(position + step):
                found += worth
            if position >= step and around & bit(position - step):
                found += worth
        use = max(use, found)
    return use


@helper
def layout_use(view: Any, family: int, place: int) -> float:
    """How well a card fits layouts on the table: at an end, or one place away from it."""
    board, use = view.board, 0.0
    mine = positions_of(view, bit(place))
    for meld in range(board.melds):
        if board.kind[meld] == Meld.TRIAD:
            if integer(board.family[meld]) == place and not board.reals[meld] >> family & 1:
                use = max(use, FITS)
        elif integer(board.family[meld]) == family or family == TRUMP:
            low, high = integer(board.low[meld]), integer(board.high[meld])
            for position in range(view.ranks + 1):
                if mine & bit(position) and (position == low - 1 or position == high + 1):
                    use = max(use, FITS)
                elif mine & bit(position) and (position == low - 2 or position == high + 2):
                    use = max(use, FITS / 2)
    return use


@large_helper
def usefulness(view: Any, held: Any, card: int) -> float:
    """What a card of the hand promises in the rummy phase; `held` are the hand's places by family."""
    if card == JOKER:
        return 100.0
    family, place = family_of(card), place_of(view, card)
    use = 0.0
    for other in range(SUITS):
        if other != family and held[other] & bit(place):
            use += SAME_RANK
    if family == TRUMP:
        best = 0.0
        for each in range(view.families):
            best = max(best, run_use(view, held, each, place))
        use += best + 2.0
    else:
        use += run_use(view, held, family, place)
    return use + layout_use(view, family, place) + 0.1 * value_at(view, place)
