"""What strengths are worth: the share of all final hands that a hand beats, and what an unfinished hand promises."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np

from alchemy_sim.core.jit import one_record
from alchemy_sim.games.furnace.counting import count_hands
from alchemy_sim.games.furnace.tables import STRENGTH_BITS, Deck

OUTLOOK = np.dtype([("percentile", np.float32, (1 << STRENGTH_BITS,))], align=True)
_LOCK = Lock()


def percentiles(deck: Deck, cards: int) -> np.ndarray:
    """By strength: the share of all hands of `cards` cards that are weaker, equals counted half; shape (2^18,)."""
    counts = count_hands(deck, cards)
    return (np.cumsum(counts.strengths) - counts.strengths / 2) / counts.total


def outlook_of(deck: Deck, final: int) -> Any:
    """The outlook of a deck with final hands of so many cards: one `OUTLOOK` record, read only."""
    with _LOCK:
        return _outlook(deck, final)


@lru_cache(maxsize=4)
def _outlook(deck: Deck, final: int) -> Any:
    outlook = one_record(OUTLOOK)
    outlook.percentile[:] = percentiles(deck, final)
    return outlook
