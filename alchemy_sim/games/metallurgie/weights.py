"""The numbers that players weigh by: rows of configuration (`[weights.NAME]`), in the kernel's order."""

from __future__ import annotations

from enum import IntEnum


class Weight(IntEnum):
    """The columns of `careful`."""

    FEED = 0
    OWN = 1
    KEEP = 2
    FADE = 3
    DRAW = 4
    CHAIN = 5
    FINISH = 6


_MEANINGS = {
    "feed": "what a point for others before the next own turn costs, shared among them, in own points",
    "own": "what a point in the next own turn is worth",
    "keep": "what cards in hand are worth that fit an area which lacks no more of their metal",
    "fade": "by what factor that is less for each card that the area lacks besides",
    "draw": "what to draw first is worth besides what it brings",
    "chain": "what a point counts that may be scored by what another uncovers",
    "finish": "what it is worth that the game ends while leading, and costs while somebody else leads",
}
_CAREFUL = (1.0, 0.8, 0.02, 0.4, 0.0, 0.5, 0.3)

#: player -> number -> (default, meaning).
WEIGHTS = {
    "careful": {name: (default, meaning) for default, (name, meaning) in zip(_CAREFUL, _MEANINGS.items(), strict=True)}
}
