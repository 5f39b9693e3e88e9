"""The words of the Furnace: families, ranks, cards and hands (Furnace 1 and 5).

A card is a number: 14 * family + rank for the natural ones, then the fourteen Trumps, then the Joker (all Jokers are
alike). Ranks go up from the 2 to the Ace, which is the highest wherever ranks are compared.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from alchemy_sim.config.locate import shortened
from alchemy_sim.core.errors import ConfigError, nearest

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K", "A")
RANK_COUNT = len(RANKS)
ACE, KNIGHT = RANKS.index("A"), RANKS.index("N")


class Family(NamedTuple):
    """A family: the letter its cards are written with, and its name."""

    letter: str
    name: str


#: As many of these as a deck has families.
FAMILIES = (
    Family("W", "Wands"),
    Family("C", "Cups"),
    Family("S", "Swords"),
    Family("P", "Pentacles"),
    Family("E", "Embers"),
)
MOST_FAMILIES = len(FAMILIES)
TRUMP = MOST_FAMILIES  # the number of the Trumps, as if they were a family
#: The first Trump, the Joker, and how many different cards there are.
FIRST_TRUMP = RANK_COUNT * TRUMP
JOKER = FIRST_TRUMP + RANK_COUNT
CARDS = JOKER + 1

_LETTERS = (*(each.letter for each in FAMILIES), "T")


class Category(IntEnum):
    """The hands in the order of the seed, strongest first; the last is the ruling's (Furnace 5)."""

    ROYAL = 0
    STRAIGHT_FLUSH = 1
    FOUR = 2
    FULL_HOUSE = 3
    FLUSH = 4
    STRAIGHT = 5
    THREE = 6
    TWO_PAIR = 7
    PAIR = 8
    HIGH = 9


#: Their names in data, and the order of the seed.
CATEGORIES = tuple(each.name.lower() for each in Category)
#: The same for people.
TITLES = (
    "Royal Flush",
    "Straight Flush",
    "Four of a Kind",
    "Full House",
    "Flush",
    "Straight",
    "Three of a Kind",
    "Two Pair",
    "Pair",
    "high card",
)


def card_name(card: int) -> str:
    """How a card is written: `W10`, `TA`, `JK` (Furnace 1)."""
    if card == JOKER:
        return "JK"
    family, rank = divmod(card, RANK_COUNT)
    return _LETTERS[family] + RANKS[rank]


_NUMBERS = {card_name(card): card for card in range(CARDS)}


def card_number(name: str) -> int:
    """The number of a card; ConfigError names the nearest."""
    if name not in _NUMBERS:
        raise ConfigError(
            f'unknown card "{shortened(name)}"{nearest(name, _NUMBERS)}; cards are written W10, CN, TA, JK'
        )
    return _NUMBERS[name]
