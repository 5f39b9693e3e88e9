"""Positions to look for the best plays in: random ones, rich in wild cards and chances, and those of real matches."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.oracle.furnace_melds import Meld, Rules, Run, Triad, book_of
from tests.oracle.furnace_oracle import JOKER, TRUMP
from tests.oracle.furnace_referee import Event, Referee
from tests.oracle.furnace_referee import Run as LaidRun
from tests.oracle.furnace_turns import Position


class Dealer:
    """Lays melds from a deck, each card once, and deals a hand from the rest."""

    def __init__(self, rng: Random, rules: Rules) -> None:
        self.rng, self.rules, self.book = rng, rules, book_of(rules)
        self.pool = {family + rank for family in self.book.families for rank in self.book.ranks}
        self.jokers = rules.jokers

    def take(self, natural: str, trump: float, joker: float) -> str | None:
        """A card for a place in a Run or Triad: by some chances the Trump or a Joker, and what there is."""
        choices = [natural]
        if self.rng.random() < trump:
            choices.insert(0, TRUMP + natural[1:])
        if self.rng.random() < joker:
            choices.insert(0, JOKER)
        for card in choices:
            if card == JOKER and self.jokers:
                self.jokers -= 1
                return card
            if card in self.pool:
                self.pool.remove(card)
                return card
        return None

    def put_back(self, cards: list[str]) -> None:
        self.jokers += cards.count(JOKER)
        self.pool |= set(cards) - {JOKER}

    def lay(self, names: list[str], trump: float) -> tuple[str, ...] | None:
        """Cards for these places; None if some are gone, or all were Jokers."""
        cards: list[str] = []
        for name in names:
            card = self.take(name, trump, 0.2)
            if card is None:
                break
            cards.append(card)
        if len(cards) == len(names) and set(cards) != {JOKER}:
            return tuple(cards)
        self.put_back(cards)
        return None

    def run(self, owner: int) -> Meld | None:
        family = self.rng.choice(self.book.families)
        length = 3 + self.rng.choice((0, 0, 0, 1, 1, 2, 3, 6, 11))
        lows = [low for low in self.book.line if low + length - 1 in self.book.line]
        if not lows or length > len(self.book.ranks):
            return None
        low = self.rng.choice(lows)
        trump = 0.0 if family == TRUMP else 0.25
        cards = self.lay([family + self.book.line[low + place] for place in range(length)], trump)
        return Run(owner, family, low, cards) if cards else None

    def triad(self, owner: int) -> Meld | None:
        size = self.rng.choice((3, 3, 3, 4, 5))
        if size > len(self.book.families):
            return None
        rank = self.rng.choice(self.book.ranks)
        cards = self.lay([family + rank for family in self.rng.sample(self.book.families, size)], 0.0)
        return Triad(owner, rank, tuple(sorted(cards))) if cards else None

    def melds(self, owners: list[int], number: int) -> list[Meld]:
        """Layouts in which every player's first meld is a Run."""
        found: list[Meld] = []
        for _ in range(number):
            owner = self.rng.choice(owners)
            started = any(meld.owner == owner for meld in found)
            meld = self.triad(owner) if started and self.rng.random() < 0.5 else self.run(owner)
            if meld:
                found.append(meld)
        return found

    def hand(self, melds: list[Meld], size: int, jokers: int, opening: bool) -> list[str]:
        """Jokers, and cards that often take a wild card, extend a meld or go with others of the hand.

        An opening is mostly a Run: what a player does who has none yet is decided by it.
        """
        correct = [card for meld in melds for card, _, _ in self.book.exchanges(meld)]
        fitting = [card for meld in melds for card, _, _ in self.book.additions(meld)]
        hand = [JOKER] * min(jokers, self.jokers)
        self.jokers -= len(hand)
        if opening:
            family, low = self.rng.choice(self.book.families), self.rng.choice(sorted(self.book.line))
            run = {family + self.book.line[at] for at in range(low, low + 3) if at in self.book.line} & self.pool
            self.pool -= run
            hand += sorted(run)
        while len(hand) < size and self.pool:
            chance, rest = self.rng.random(), sorted(self.pool)
            near = self.neighbours(self.rng.choice(hand)) if hand else []
            wanted = correct if chance < 0.2 else fitting if chance < 0.45 else near if chance < 0.8 else rest
            card = self.rng.choice([card for card in wanted if card in self.pool] or rest)
            self.pool.remove(card)
            hand.append(card)
        return hand

    def neighbours(self, card: str) -> list[str]:
        """What stands beside a card in its family, and its rank in the others."""
        if card == JOKER:
            return []
        family, rank = card[0], card[1:]
        beside = {
            self.book.line.get(at + step) for at, each in self.book.line.items() if each == rank for step in (1, -1)
        }
        return sorted({family + each for each in beside if each} | {each + rank for each in self.book.families})


def random_position(rng: Random, rules: Rules, players: int) -> Position:
    dealer, me = Dealer(rng, rules), rng.randrange(players)
    owners = [player for player in range(players) if player != me or rng.random() < 0.75]
    melds = dealer.melds(owners, rng.choice((0, 1, 2, 3, 3, 4, 4, 5, 6, 8)))
    jokers = rng.choice((0, 0, 1, 1, 1, 2, 2, 3))
    opening = all(meld.owner != me for meld in melds) and rng.random() < 0.6
    hand = dealer.hand(melds, rng.randint(5, 8) if opening else rng.randint(5, 8 - jokers), jokers, opening)
    return Position(
        rules,
        me,
        tuple(hand),
        tuple(melds),
        tuple(rng.choice((0, 0, rng.randrange(33), rng.randrange(60))) for _ in range(players)),
        tuple(rng.choice((0, 1, 2, 9)) for _ in range(players)),
        rng.choice((0, 1, 2, 30)),
        rng.choice((33, 33, 33, 0, rng.randrange(60))),
    )


class Watcher(Referee):
    """Keeps the position before the plays of every turn of a match that it replays."""

    def __init__(self, events: list[Event], rules: Rules) -> None:
        super().__init__(events)
        self.watched, self.found = rules, list[Position]()

    def draw(self, player: int, card: str | None, reshuffled: bool) -> None:
        super().draw(player, card, reshuffled)
        self.found.append(
            Position(
                self.watched,
                player,
                tuple(self.hands[player]),
                tuple(self.copied(meld) for meld in self.melds),
                tuple(self.points),
                tuple(self.stones),
                self.bag,
                self.match["qualify"],
            )
        )

    def copied(self, meld: Any) -> Meld:
        if isinstance(meld, LaidRun):
            places = sorted(meld.line)
            return Run(meld.owner, meld.family, places[0], tuple(meld.line[place].card for place in places))
        return Triad(meld.owner, meld.rank, tuple(sorted(meld.cards)))


def played_positions(events: list[Event], rules: Rules) -> list[Position]:
    """The positions of a match's trace, one for each turn."""
    watcher = Watcher(events, rules)
    watcher.replay()
    return watcher.found
