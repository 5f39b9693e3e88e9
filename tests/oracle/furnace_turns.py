"""All that a turn's plays can come to, by brute force, from the rule page alone (Furnace 4).

It shares no code with the simulation. From a position every legal play is tried, then every play after it, and so on;
nothing is cut, but a state that was reached before is not looked at again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from tests.oracle.furnace_melds import Meld, Rules, Run, book_of, without


@dataclass(frozen=True)
class Position:
    """What a player has before it at the start of its plays."""

    rules: Rules
    me: int
    hand: tuple[str, ...]
    melds: tuple[Meld, ...]
    points: tuple[int, ...]  # by player, as are Stones
    stones: tuple[int, ...]
    bag: int
    qualify: int = 33


class State(NamedTuple):
    """Where a turn has come to. Melds are a set: each has a card of its own, and in which order they lie is nothing."""

    hand: tuple[str, ...]  # sorted
    owed: tuple[str, ...]  # taken and not played yet
    melds: frozenset[Meld]
    put: tuple[int, ...]  # cards put onto each player's layout
    gained: int
    given: int


class Outcome(NamedTuple):
    """What a turn has brought when it ends."""

    gained: int
    stones: int
    given: int
    left: int


class Aim(NamedTuple):
    points: float = 0.0
    stones: float = 0.0
    given: float = 0.0
    cards: float = 0.0
    needed: float = 0.0
    qualified: float = 0.0


def worth(aim: Aim, outcome: Outcome, needed: int) -> float:
    """What an outcome is worth to a player who needed so many points to qualify."""
    total = aim.points * outcome.gained + aim.stones * outcome.stones + aim.given * outcome.given
    total += aim.cards * outcome.left + aim.needed * min(outcome.gained, needed)
    return total + (aim.qualified if outcome.gained >= needed else 0.0)


def paid(owed: tuple[str, ...], laid: Iterable[str]) -> tuple[str, ...]:
    """What is still owed when these cards are laid: Jokers are alike, so a taken one is the first to go."""
    if not owed:
        return owed
    left = list(owed)
    for card in laid:
        if card in left:
            left.remove(card)
    return tuple(left)


class TooMany(Exception):
    """A turn has more states than were asked for."""


class Turn:
    """The plays of one turn."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.me = position.me
        self.book = book_of(position.rules)
        self.needed = max(position.qualify - position.points[self.me], 0)
        nothing = (0,) * len(position.points)
        self.start = State(tuple(sorted(position.hand)), (), frozenset(position.melds), nothing, 0, 0)
        self._openings: dict[tuple[str, ...], list[tuple[Meld, int, tuple[str, str, str]]]] = {}

    def plays(self, state: State) -> Iterator[State]:
        """The state after each legal play. The first Run is a player's first meld, and melds never go away."""
        started = any(meld.owner == self.me for meld in state.melds)
        yield from self.openings(state, started)
        if started:
            yield from self.extensions(state)
            yield from self.retrievals(state)

    def openings(self, state: State, started: bool) -> Iterator[State]:
        found = self._openings.get(state.hand)
        if found is None:
            threes = set(combinations(state.hand, 3))
            found = [(meld, points, three) for three in threes for meld, points in self.book.new(self.me, three)]
            self._openings[state.hand] = found
        for meld, points, three in found:
            if started or isinstance(meld, Run):
                hand, owed = without(state.hand, *three), paid(state.owed, three)
                yield State(hand, owed, state.melds | {meld}, state.put, state.gained + points, state.given)

    def extensions(self, state: State) -> Iterator[State]:
        for meld in state.melds:
            for card, then, points in self.book.additions(meld):
                if card in state.hand:
                    mine = meld.owner == self.me or self.position.rules.points_for == "who_played"
                    put = (*state.put[: meld.owner], state.put[meld.owner] + 1, *state.put[meld.owner + 1 :])
                    hand, owed = without(state.hand, card), paid(state.owed, (card,))
                    gained, given = state.gained + points * mine, state.given + points * (not mine)
                    yield State(hand, owed, state.melds - {meld} | {then}, put, gained, given)

    def retrievals(self, state: State) -> Iterator[State]:
        """Only naturals, and Trumps from the start, are put down: a card taken goes into a meld or an extension."""
        for meld in state.melds:
            for card, taken, then in self.book.exchanges(meld):
                if card in state.hand and card not in state.owed:
                    hand = tuple(sorted((*without(state.hand, card), taken)))
                    owed = tuple(sorted((*state.owed, taken)))
                    yield State(hand, owed, state.melds - {meld} | {then}, state.put, state.gained, state.given)

    def may_stop(self, state: State) -> bool:
        single = self.position.rules.single_extension == "forbidden" and 1 in state.put
        return not state.owed and not single

    def outcome(self, state: State) -> Outcome:
        """A turn's Stones only go to its player, so the order of its plays makes no difference to them."""
        stones = 0
        for player, cards in enumerate(state.put):
            due = cards // 2 if self.position.rules.stones_a_turn == "per_pair" else int(cards >= 2)
            stones += min(due, self.position.bag if player == self.me else self.position.stones[player])
        return Outcome(state.gained, stones, state.given, len(state.hand))

    def states(self, limit: int) -> set[State]:
        """All that can be reached; TooMany if they are more than the limit."""
        known, todo = {self.start}, [self.start]
        while todo:
            for state in self.plays(todo.pop()):
                if state not in known:
                    known.add(state)
                    todo.append(state)
            if len(known) > limit:
                raise TooMany
        return known

    def ends(self, limit: int) -> list[State]:
        """All states in which the turn may end."""
        return [state for state in self.states(limit) if self.may_stop(state)]

    def best(self, aim: Aim, outcomes: Iterable[Outcome]) -> Outcome:
        return max(outcomes, key=lambda outcome: worth(aim, outcome, self.needed))
