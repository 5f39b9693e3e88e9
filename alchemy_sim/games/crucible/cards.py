"""Cards as faces and masks (Crucible 1).

A face is 9 * suit + rank - 1, suits numbered in the order B Q S L A M; faces 54 to 57 are the Catalysts 1 to 4, suit 6.
The other face of an ingredient is 53 - face. After Transmutes a hand can hold the same face twice, so a hand is two
masks: `hand` (faces held) and `twin` (faces held twice; a face has no third card).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, highest, kth, lowest, mask_of, popcount
from alchemy_sim.core.jit import helper

DECK = 58
INGREDIENTS = 54
MANDRAKE = 5
CATALYST = 6
SUITS = 7
RANKS = 9

#: Masks of the faces of each suit, of all ingredients, of each rank (index 0 unused).
SUIT = np.array([mask_of(range(9 * s, min(9 * s + 9, DECK))) for s in range(SUITS)], np.uint64)
ALL_INGREDIENTS = mask_of(range(INGREDIENTS))
ALL_CATALYSTS = SUIT[CATALYST]
RANK = np.array([0] + [int(mask_of(range(r - 1, INGREDIENTS, 9))) for r in range(1, 10)], np.uint64)
#: Faces of either side of a suit pair: a card with Brimstone on a face has B or M up (suit s or 5 - s).
EITHER_SIDE = np.array([SUIT[s] | SUIT[5 - s] for s in range(6)], np.uint64)
NINE_OR_ONE = RANK[9] | RANK[1]

#: Suit and rank of each face, as small tables the kernel reads.
SUIT_OF = np.array([f // 9 for f in range(DECK)], np.int64)
RANK_OF = np.array([f % 9 + 1 for f in range(DECK)], np.int64)


@helper
def bit(face: int) -> Any:
    """The mask of one face."""
    return ONE << np.uint64(face)


@helper
def other_face(face: int) -> int:
    """The face on the other side; a Catalyst has only one (Crucible 1)."""
    return face if face >= INGREDIENTS else INGREDIENTS - 1 - face


@helper
def count(hand: Any, twin: Any) -> int:
    """How many cards the two masks hold."""
    return popcount(hand) + popcount(twin)


@helper
def kth_card(hand: Any, twin: Any, k: int) -> int:
    """The face of the k-th card, the second ones of equal faces counted last."""
    single = popcount(hand)
    return kth(hand, k) if k < single else kth(twin, k - single)


#: Faces whose rank has each binary digit: four counts give a sum of ranks.
_PLANES = tuple(mask_of([f for f in range(DECK) if RANK_OF[f] >> digit & 1]) for digit in range(4))
_ONES, _TWOS, _FOURS, _EIGHTS = _PLANES


@helper
def rank_sum(faces: Any) -> int:
    """The sum of the ranks of the faces in a mask (Catalysts by their printed values)."""
    return (
        popcount(faces & _ONES)
        + 2 * popcount(faces & _TWOS)
        + 4 * popcount(faces & _FOURS)
        + 8 * popcount(faces & _EIGHTS)
    )


@helper
def legal_faces(hand: Any, lead_suit: int) -> Any:
    """The faces that may be played: the lead suit when held, else any; `lead_suit` -1 for the leader (Crucible 3)."""
    if lead_suit < 0:
        return hand
    follow = hand & SUIT[lead_suit]
    return follow if follow != ZERO else hand


@helper
def hintable(hand: Any) -> Any:
    """The faces about which a true hint can be given: highest and lowest of each suit held (Crucible 6)."""
    faces = ZERO
    for suit in range(SUITS):
        held = hand & SUIT[suit]
        if held != ZERO:
            faces |= bit(lowest(held)) | bit(highest(held))
    return faces


@helper
def true_hints(hand: Any, face: int) -> int:
    """The hints that are true of a held face: bit 0 top, bit 1 bottom, bit 2 middle (Crucible 6)."""
    held = hand & SUIT[SUIT_OF[face]]
    hints = 0
    if highest(held) == face:
        hints |= 1
    if lowest(held) == face:
        hints |= 2
    if held == bit(face):
        hints |= 4
    return hints


@helper
def ruled_out_by(face: int, hint: int) -> Any:
    """The faces that a hint (0 top, 1 bottom, 2 middle) rules out among the holder's other hidden cards."""
    suit = SUIT[SUIT_OF[face]]
    above = ~((bit(face) << ONE) - ONE) & suit
    under = (bit(face) - ONE) & suit
    if hint == 0:
        return above
    if hint == 1:
        return under
    return above | under
