"""Areas, the most points of a scoring phase and of a turn, by brute force, from the rule page alone (Metallurgie 2).

It shares no code with the simulation. Every placing, every order of areas and every choice of cards is tried. Only what
can't bring a point more is left out: see `Scoring.ceiling`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

Place = tuple[int, int]
#: What lies on each place, from the bottom: such as "ICS".
Pattern = dict[Place, str]
Placing = list[tuple[str, Place]]

METALS = "ICSG"
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
START: Pattern = {
    **dict.fromkeys(((0, 0), *STEPS), "I"),
    **dict.fromkeys(((1, 0), (-1, 1), (0, -1)), "IC"),
    (0, 0): "ICS",
}


@dataclass(frozen=True)
class Rules:
    """What scoring depends on, by metal; the first value of a switch is its default."""

    thresholds: tuple[int, ...] = (9, 7, 5, 3)
    removals: tuple[int, ...] = (5, 4, 3, 2)
    must_score: bool = False  # whether one may do with less makes no difference to the most
    score_scope: str = "touched"  # touched | any
    score_again: bool = True


@cache
def around(place: Place) -> tuple[Place, ...]:
    """The six places next to a place."""
    return tuple((place[0] + q, place[1] + r) for q, r in STEPS)


def connected(places: Iterable[Place]) -> list[frozenset[Place]]:
    """The places in connected parts."""
    left, parts = set(places), []
    while left:
        todo = [left.pop()]
        part = set(todo)
        while todo:
            for place in around(todo.pop()):
                if place in left:
                    left.remove(place)
                    part.add(place)
                    todo.append(place)
        parts.append(frozenset(part))
    return parts


def areas(pattern: Pattern) -> list[tuple[str, frozenset[Place]]]:
    """Connected places whose top cards are of one metal (Metallurgie 2.3), of whatever size."""
    return [
        (metal, part)
        for metal in METALS
        for part in connected(place for place, stack in pattern.items() if stack[-1] == metal)
    ]


def is_whole(pattern: Iterable[Place]) -> bool:
    """Whether the pattern is in one part; an empty table is."""
    return len(connected(pattern)) <= 1


def without(pattern: Pattern, places: Iterable[Place]) -> Pattern:
    """The pattern when the top cards of these places are taken away."""
    then = dict(pattern)
    for place in places:
        then[place] = then[place][:-1]
        if not then[place]:
            del then[place]
    return then


def with_placed(pattern: Pattern, placing: Placing) -> Pattern:
    """The pattern when these cards are placed."""
    then = dict(pattern)
    for metal, place in placing:
        then[place] = then.get(place, "") + metal
    return then


def removal_sets(pattern: Pattern, area: Iterable[Place], rules: Rules) -> Iterator[frozenset[Place]]:
    """Every choice of cards that the scorer may take away of an area, whatever its size (Metallurgie 2.3)."""
    places = sorted(area)
    metal = pattern[places[0]][-1]
    for chosen in combinations(places, rules.removals[METALS.index(metal)]):
        if metal != "I" or is_whole(without(pattern, chosen)):
            yield frozenset(chosen)


def may_take(pattern: Pattern, metal: str, place: Place) -> bool:
    """Whether a card may be placed there: on the metal below its own, iron on an empty place next to a card."""
    if metal != "I":
        return place in pattern and pattern[place][-1] == METALS[METALS.index(metal) - 1]
    return place not in pattern and (not pattern or any(each in pattern for each in around(place)))


def places_for(pattern: Pattern, metal: str) -> list[Place]:
    """Where a card may be placed, sorted; on an empty table all places are alike, and (0, 0) stands for them."""
    if metal != "I":
        return sorted(place for place in pattern if may_take(pattern, metal, place))
    return sorted({each for place in pattern for each in around(place)} - set(pattern)) if pattern else [(0, 0)]


def placings(pattern: Pattern, hand: Iterable[str], drawn: str | None, pruned: bool = True) -> Iterator[Placing]:
    """Every legal way of placing in a turn (Metallurgie 2.1 and 2.2); none if there is no place for the first card.

    Pruned, orders that end in the same pattern are given once; no pattern is left out.
    """
    cards = tuple(hand)
    for metal in METALS if drawn is None else drawn:
        most = cards.count(metal) + (drawn is not None)
        if most:
            yield from spread(pattern, metal, most, pruned)
            for first in places_for(pattern, metal):
                placing = [(metal, first)]
                for higher in METALS[METALS.index(metal) + 1 :]:
                    if higher not in cards:
                        break
                    placing = [*placing, (higher, first)]
                    yield placing


def spread(pattern: Pattern, metal: str, most: int, pruned: bool) -> Iterator[Placing]:
    """One to so many cards of one metal, in any places."""
    if metal != "I":  # none of them makes or takes a place for another
        for number in range(1, most + 1):
            for places in (combinations if pruned else permutations)(places_for(pattern, metal), number):
                yield [(metal, place) for place in places]
        return
    layer: list[tuple[tuple[Place, ...], frozenset[Place]]] = [((), frozenset(places_for(pattern, "I")))]
    for _ in range(most):
        seen, longer = set[object](), []
        for places, free in layer:
            for place in sorted(free):
                order = (*places, place)
                key = frozenset(order) if pruned else order
                if key not in seen:
                    seen.add(key)
                    beside = [each for each in around(place) if each not in pattern and each not in places]
                    longer.append((order, (free - {place}).union(beside)))
                    yield [("I", each) for each in order]
        layer = longer


class State(NamedTuple):
    """Where a scoring phase has come to. A set of places is a number: each place is one bit of it."""

    iron: int  # the places with an iron card, covered or not; the others are among them
    copper: int
    silver: int
    gold: int
    touched: int  # places whose top card was placed or uncovered in this turn, or is left of a scored area
    spent: int  # places whose top card is left of a scored area, where such may not be scored again


class Board:
    """Places as bits, with room around a pattern."""

    def __init__(self, pattern: Pattern, room: int = 5) -> None:
        """Room is needed for as many cards as are placed in a row, and one more, so that no row runs into the next."""
        places = list(pattern) or [(0, 0)]
        self.left = min(q for q, _ in places) - room
        self.low = min(r for _, r in places) - room
        self.width = max(q for q, _ in places) - self.left + room + 1

    def bit(self, place: Place) -> int:
        return 1 << ((place[1] - self.low) * self.width + place[0] - self.left)

    def bits(self, places: Iterable[Place]) -> int:
        return sum(self.bit(place) for place in places)

    def state(self, pattern: Pattern, touched: Iterable[Place]) -> State:
        iron, copper, silver, gold = (
            self.bits(place for place, stack in pattern.items() if len(stack) > layer) for layer in range(4)
        )
        return State(iron, copper, silver, gold, self.bits(touched), 0)

    def placed(self, state: State, placing: Placing) -> State:
        """The state when these cards are placed."""
        layers = list(state)
        for metal, place in placing:
            bit = self.bit(place)
            layers[METALS.index(metal)] |= bit
            layers[4] |= bit
        return State(*layers)

    def part(self, seed: int, among: int) -> int:
        """What is connected with these places, themselves included."""
        width, found = self.width, seed
        while True:
            near = seed | seed << 1 | seed >> 1 | seed << width | seed >> width
            near |= seed << (width - 1) | seed >> (width - 1)
            seed = near & among & ~found
            if not seed:
                return found
            found |= seed

    def parts(self, among: int, seeds: int) -> Iterator[int]:
        """The connected parts of these places that hold a seed."""
        while seeds:
            part = self.part(seeds & -seeds, among)
            yield part
            seeds &= ~part


def single_bits(places: int) -> list[int]:
    found = []
    while places:
        found.append(places & -places)
        places &= places - 1
    return found


class TooMany(Exception):
    """More states and choices of cards were to be looked at than were asked for."""


class Scoring:
    """Scoring phases on one board. What was worked out is remembered by state."""

    def __init__(self, board: Board, rules: Rules, limit: int | None = None) -> None:
        self.board, self.rules, self.anywhere = board, rules, rules.score_scope == "any"
        self.limit, self.tried = limit, 0
        #: An area with fewer cards than are to be taken away can't be scored.
        self.needed = tuple(map(max, rules.thresholds, rules.removals))
        self.known: dict[State, int] = {}

    def scorable(self, state: State) -> Iterator[tuple[int, int]]:
        """Each area that is large enough and counts, by layer; whether there are cards to take is not looked at."""
        for layer in range(4):
            top = state[layer] & ~state[layer + 1] if layer < 3 else state.gold
            seeds = top if self.anywhere else top & state.touched
            if top.bit_count() >= self.needed[layer]:
                for area in self.board.parts(top, seeds):
                    if area.bit_count() >= self.needed[layer] and not area & state.spent:
                        yield layer, area

    def removals(self, state: State, layer: int, area: int) -> Iterator[int]:
        """Every choice of cards to take away."""
        for chosen in combinations(single_bits(area), self.rules.removals[layer]):
            self.count()
            gone = sum(chosen)
            left = state.iron & ~gone
            if layer or self.board.part(left & -left, left) == left:
                yield gone

    def after(self, state: State, layer: int, area: int, gone: int) -> State:
        """The state when these cards of an area were taken away."""
        layers = list(state)
        layers[layer] &= ~gone
        if not self.rules.score_again:
            layers[5] |= area & ~gone
        if not self.anywhere:
            layers[4] |= area
            layers[4] &= layers[0]
        return State(*layers)

    def ceiling(self, state: State) -> int:
        """A number of points that no scoring can exceed.

        From gold to iron: the cards of a metal that can ever be on top together are connected by cards that are on top
        or may still be uncovered, which are no more than what can be taken away from above. If n areas of such a part
        are scored, the last of them still has the needed size, and what was taken away for the others is gone by then.
        """
        total = uncovered = open_above = 0
        for layer in (3, 2, 1, 0):
            top = state[layer] & ~state[layer + 1] if layer < 3 else state.gold
            spent = self.board.part(top & state.spent, top) if state.spent else 0
            needed, removed, times, opened = self.needed[layer], self.rules.removals[layer], 0, 0
            candidates = top & ~spent | open_above
            if candidates.bit_count() >= needed:
                seeds = candidates if self.anywhere else candidates & (open_above | state.touched)
                for part in self.board.parts(candidates, seeds):
                    covered = part & open_above
                    size = (part & top).bit_count() + min(covered.bit_count(), uncovered)
                    if size >= needed:
                        times += (size - needed) // removed + 1
                        opened |= part
            total += times
            uncovered, open_above = times * removed, opened
        return total

    def best(self, state: State) -> int:
        """The most points that can be scored from here."""
        found = self.known.get(state)
        if found is None:
            found = self.known[state] = self.searched(state)
        return found

    def count(self) -> None:
        self.tried += 1
        if self.limit is not None and self.tried > self.limit:
            raise TooMany

    def searched(self, state: State) -> int:
        self.count()
        limit, found = self.ceiling(state), 0
        if limit:
            for layer, area in self.scorable(state):
                for gone in self.removals(state, layer, area):
                    found = max(found, 1 + self.best(self.after(state, layer, area, gone)))
                    if found == limit:
                        return found
        return found

    def begin(self, state: State) -> State:
        """Where every area counts, what was touched makes no difference."""
        return state._replace(touched=0) if self.anywhere else state


def best_score(pattern: Pattern, touched: Iterable[Place], rules: Rules, limit: int | None = None) -> int:
    """The most points that one scoring phase can bring: touched are the places whose top card was placed just now."""
    board = Board(pattern)
    scoring = Scoring(board, rules, limit)
    return scoring.best(scoring.begin(board.state(pattern, touched)))


class Turn:
    """All that the turns from one pattern can come to."""

    kind: type[Scoring] = Scoring

    def __init__(self, pattern: Pattern, rules: Rules, limit: int | None = None) -> None:
        self.pattern, self.board = pattern, Board(pattern)
        self.scoring = self.kind(self.board, rules, limit)
        self.start = self.board.state(pattern, ())

    def placings(self, hand: tuple[str, ...], drawn: str | None) -> Iterator[Placing]:
        return placings(self.pattern, hand, drawn)

    def placed(self, placing: Placing) -> State:
        return self.scoring.begin(self.board.placed(self.start, placing))

    def may_score(self, state: State) -> bool:
        return next(self.scoring.scorable(state), None) is not None

    def best(self, hand: tuple[str, ...], drawn: str | None) -> int:
        """The most points, -1 if nothing can be placed; a placing that can't bring more than another is skipped."""
        found = -1
        for placing in self.placings(hand, drawn):
            state = self.placed(placing)
            if found < 0 or (self.may_score(state) and self.scoring.ceiling(state) > found):
                found = max(found, self.scoring.best(state))
        return found

    def all_best(self, hand: tuple[str, ...], drawn: str | None) -> set[tuple[int, int]]:
        found = set()
        for placing in self.placings(hand, drawn):
            state = self.placed(placing)
            found.add((self.scoring.best(state) if self.may_score(state) else 0, len(placing)))
        return found


def best_turn(pattern: Pattern, hand: Iterable[str], drawn: str | None, rules: Rules, limit: int | None = None) -> int:
    """The most points of a turn, with what was drawn or from the hand only; -1 if nothing can be placed.

    TooMany if more states and choices of cards to take away than the limit have to be looked at.
    """
    return Turn(pattern, rules, limit).best(tuple(hand), drawn)


def all_best(
    pattern: Pattern, hand: Iterable[str], drawn: str | None, rules: Rules, limit: int | None = None
) -> set[tuple[int, int]]:
    """For every placing of a turn the most points after it and the number of cards placed."""
    return Turn(pattern, rules, limit).all_best(tuple(hand), drawn)
