"""The melds of a round: which can be made, extended and taken from, from the rule page alone (Furnace 1 and 4).

Cards are written as on the rule page. What was worked out is remembered, for positions ask for the same again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from tests.oracle.furnace_oracle import JOKER, TRUMP, deck_families, deck_ranks

ACE = "A"


@dataclass(frozen=True)
class Rules:
    """What the plays of a turn depend on; the first value of a switch is its default."""

    families: int = 4
    ranks: int = 14
    trumps: bool = True
    jokers: int = 6
    ace: str = "both"  # both | high | low
    stones_a_turn: str = "per_pair"  # per_pair | one
    single_extension: str = "allowed"  # allowed | forbidden
    points_for: str = "layout_owner"  # layout_owner | who_played


class Run(NamedTuple):
    """The cards from place `low` upwards: 1 for the deck's lowest rank and so on, the Ace at 0 or above the King."""

    owner: int
    family: str
    low: int
    cards: tuple[str, ...]


class Triad(NamedTuple):
    owner: int
    rank: str
    cards: tuple[str, ...]  # sorted, for their order means nothing


Meld = Run | Triad


def value(rank: str) -> int:
    """Furnace 1: Ace 11, 2 to 10 their face, J N Q K 10."""
    return 11 if rank == ACE else int(rank) if rank.isdigit() else 10


def without(cards: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


class Book:
    """Which melds can be made, extended and taken from under some rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.families = deck_families(rules.families, rules.trumps)
        self.ranks = deck_ranks(rules.ranks)
        self.line = dict(enumerate(self.ranks[:-1], start=1))
        if rules.ace in ("both", "low"):
            self.line[0] = ACE
        if rules.ace in ("both", "high"):
            self.line[len(self.ranks)] = ACE
        self.new = lru_cache(1 << 16)(self._new)
        self.additions = lru_cache(1 << 16)(self._additions)
        self.exchanges = lru_cache(1 << 16)(self._exchanges)

    def fits(self, card: str, family: str, rank: str) -> bool:
        """Whether a card may lie in a Run where that card belongs: itself, the Trump of its rank, a Joker."""
        return card in (family + rank, TRUMP + rank, JOKER)

    def _new(self, owner: int, cards: tuple[str, str, str]) -> tuple[tuple[Meld, int], ...]:
        """All melds of three cards, with their points; never of Jokers alone."""
        found: dict[Meld, int] = {}
        real = sorted((card for card in cards if card != JOKER), key=lambda card: card[0] == TRUMP)
        if not real:
            return ()
        # A natural card tells the family of a Run, a Trump may be of any; the Run lies around it.
        families = self.families if real[0][0] == TRUMP else real[0][0]
        lows = {at - shift for at, rank in self.line.items() if rank == real[0][1:] for shift in range(3)}
        orders = set(permutations(cards))
        for low in lows:
            ranks = [self.line[at] for at in range(low, low + 3) if at in self.line]
            if len(ranks) < 3:
                continue
            for family in families:
                for order in orders:
                    if all(self.fits(card, family, rank) for card, rank in zip(order, ranks, strict=True)):
                        found[Run(owner, family, low, order)] = sum(value(rank) for rank in ranks)
        if len({card[1:] for card in real}) == 1 and len(self.families) >= 3:
            rank = real[0][1:]
            found[Triad(owner, rank, tuple(sorted(cards)))] = 3 * value(rank)
        return tuple(found.items())

    def _additions(self, meld: Meld) -> tuple[tuple[str, Meld, int], ...]:
        """Every card that may be put onto a meld, what the meld is then, and its points."""
        if isinstance(meld, Triad):
            if len(meld.cards) == len(self.families):
                return ()
            names = [family + meld.rank for family in self.families]
            fitting = [*(card for card in names if card not in meld.cards), JOKER]
            return tuple(
                (card, meld._replace(cards=tuple(sorted((*meld.cards, card)))), value(meld.rank)) for card in fitting
            )
        if len(meld.cards) == len(self.ranks):
            return ()
        found: list[tuple[str, Meld, int]] = []
        for at in (meld.low - 1, meld.low + len(meld.cards)):
            rank = self.line.get(at)
            if rank is None:
                continue
            for card in sorted({meld.family + rank, TRUMP + rank, JOKER}):
                cards = (card, *meld.cards) if at < meld.low else (*meld.cards, card)
                found.append((card, meld._replace(low=min(at, meld.low), cards=cards), value(rank)))
        return tuple(found)

    def _exchanges(self, meld: Meld) -> tuple[tuple[str, str, Meld], ...]:
        """Every wild card that may be taken from a meld: the correct card, the card taken, what the meld is then."""
        found: list[tuple[str, str, Meld]] = []
        if isinstance(meld, Triad):
            naturals = [family + meld.rank for family in self.families if family != TRUMP]
            for taken in sorted({JOKER, TRUMP + meld.rank} & set(meld.cards)):
                for card in naturals:
                    if card not in meld.cards:
                        cards = tuple(sorted((*without(meld.cards, taken), card)))
                        found.append((card, taken, meld._replace(cards=cards)))
            return tuple(found)
        for place, taken in enumerate(meld.cards):
            correct = meld.family + self.line[meld.low + place]
            if taken != correct:
                cards = (*meld.cards[:place], correct, *meld.cards[place + 1 :])
                found.append((correct, taken, meld._replace(cards=cards)))
        return tuple(found)


@lru_cache(64)
def book_of(rules: Rules) -> Book:
    return Book(rules)
