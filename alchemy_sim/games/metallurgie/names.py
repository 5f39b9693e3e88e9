"""The words of Metallurgie: metals and places (Metallurgie 1).

A metal is a number, 0 to 3 from iron to gold: its cards lie in the layer of that number plus one, so the height of a
place tells its top card. A place is a pair of axial coordinates (q, r).
"""

from __future__ import annotations

from alchemy_sim.core.errors import ConfigError, unknown

METALS = ("iron", "copper", "silver", "gold")
#: What the cards are written as, by metal.
LETTERS = "ICSG"
IRON, COPPER, SILVER, GOLD = range(len(METALS))
#: Irons of a deck: sets of places, each of which has an iron, are masks of so many bits.
MOST_IRON = 64
#: What the end card is written as.
END = "END"

#: The way from a place to each of its neighbours.
NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def metal_number(letter: str) -> int:
    """The number of the metal that a letter means; ConfigError for any other text."""
    if len(letter) != 1 or letter not in LETTERS:
        raise ConfigError(unknown("metal", letter, LETTERS))
    return LETTERS.index(letter)
