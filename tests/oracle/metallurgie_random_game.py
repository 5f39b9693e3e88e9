"""Whole games of "Metallurgie" between random players, slow and plain, as traces (Metallurgie 2 and 4).

They are there to try the referee, and share none of its code: stacks are heights here.
"""

from __future__ import annotations

import copy
import random
from typing import Any

Event = dict[str, Any]
Place = tuple[int, int]
Pair = tuple[str, Place]

LAYERS = "ICSG"
END = "END"
RULES: Event = {
    "thresholds": [9, 7, 5, 3],
    "removals": [5, 4, 3, 2],
    "deck": [44, 30, 18, 11],
    "hand": 3,
    "end_card_depth": 6,
    "start": [
        *(["I", q, r] for q, r in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))),
        *(["C", q, r] for q, r in ((0, 0), (1, 0), (-1, 1), (0, -1))),
        ["S", 0, 0],
    ],
}
RULINGS: Event = {"must_score": False, "score_scope": "touched", "score_again": True, "bonus": "none"}
GOES_ON = 0.5  # Metallurgie 2, the random player; also how often it draws first
TRIES = 100  # at guessing a legal choice of iron, before all are listed


def random_game(
    rng: random.Random,
    players: int = 3,
    rules: Event | None = None,
    rulings: Event | None = None,
    keen: float = 1.0,
) -> list[Event]:
    """The trace of one game; `rules` and `rulings` change the defaults.

    The random player scores whenever it can; with a smaller `keen` only so often, unless it must.
    """
    settings = copy.deepcopy((RULES | (rules or {}), RULINGS | (rulings or {})))
    return Table(rng, players, *settings, keen).play()


def around(place: Place) -> list[Place]:
    q, r = place
    return [(q + 1, r), (q, r + 1), (q - 1, r + 1), (q - 1, r), (q, r - 1), (q + 1, r - 1)]


def parts(places: set[Place]) -> list[set[Place]]:
    """The connected parts of a set of places."""
    found: list[set[Place]] = []
    left = set(places)
    while left:
        part = edge = {min(left)}  # the least, so that a seed always gives the same game
        while edge:
            edge = {other for place in edge for other in around(place)} & left - part
            part = part | edge
        left -= part
        found.append(part)
    return found


class Table:
    """One game being played."""

    def __init__(self, rng: random.Random, players: int, rules: Event, rulings: Event, keen: float) -> None:
        self.rng, self.players, self.rules, self.rulings = rng, players, rules, rulings
        self.keen = 1.0 if rulings["must_score"] else keen
        self.height: dict[Place, int] = {}
        for _, q, r in rules["start"]:
            self.height[q, r] = self.height.get((q, r), 0) + 1
        cards = [metal for metal, copies in zip(LAYERS, rules["deck"], strict=True) for _ in range(copies)]
        for metal, _, _ in rules["start"]:
            cards.remove(metal)
        rng.shuffle(cards)
        size = rules["hand"]
        self.hands = [cards[size * player : size * (player + 1)] for player in range(players)]
        self.pile = cards[size * players :]
        under = rng.randrange(min(rules["end_card_depth"], len(self.pile) + 1))
        self.pile.insert(len(self.pile) - under, END)
        self.first = rng.randrange(players)
        self.points = [0] * players
        self.kept: list[list[str]] = [[] for _ in range(players)]
        self.earliest: dict[str, int] = {}  # who scored a metal first
        self.trace: list[Event] = []

    def tell(self, kind: str, **keys: Any) -> None:
        self.trace.append({"type": kind, **copy.deepcopy(keys)})

    def play(self) -> list[Event]:
        self.tell("setup", game="metallurgie", players=self.players, rules=self.rules, rulings=self.rulings)
        self.trace[-1] |= copy.deepcopy({"seed": 1, "game_index": 0, "first": self.first, "hands": self.hands})
        self.trace[-1]["pile"] = list(self.pile)
        turns, over = 0, False
        while not over:
            over = self.turn(turns + 1, (self.first + turns) % self.players)
            turns += 1
        bonus = self.bonus()
        points = [mine + len(more) for mine, more in zip(self.points, bonus, strict=True)]
        winners = [player for player in range(self.players) if points[player] == max(points)]
        self.tell("end", points=points, bonus=bonus, winners=winners, turns=turns)
        return self.trace

    def bonus(self) -> list[list[str]]:
        found: list[list[str]] = [[] for _ in range(self.players)]
        for metal in LAYERS:
            numbers = [cards.count(metal) for cards in self.kept]
            if self.rulings["bonus"] == "majority" and numbers.count(max(numbers)) == 1:
                found[numbers.index(max(numbers))].append(metal)
            if self.rulings["bonus"] == "first" and metal in self.earliest:
                found[self.earliest[metal]].append(metal)
        return found

    # ---- a turn --------------------------------------------------------------------------------------------

    def turn(self, n: int, player: int) -> bool:
        """Plays one turn: whether the end card shows."""
        hand, refill = self.hands[player], list[str]()
        line: Event = {"draw": None, "placed": [], "discarded": None, "scored": [], "refill": refill}
        pairs = self.pairs(hand)
        if not pairs or self.rng.random() < GOES_ON:
            line["draw"] = drawn = self.pile.pop(0)
            pairs = self.pairs([drawn]) if drawn != END else []
            if drawn != END and not pairs:
                line["discarded"] = drawn
        if pairs:
            placed = self.place(pairs, hand, line["draw"] is not None)
            line["placed"] = [[card, *place] for card, place in placed]
            line["scored"] = self.score(player, {place for _, place in placed})
        over = line["draw"] == END
        while not over and len(hand) < self.rules["hand"]:
            refill.append(self.pile.pop(0))
            over = refill[-1] == END
            hand += refill[-1:] if not over else []
        self.tell("turn", n=n, player=player, **line, points=self.points)
        return over

    def pairs(self, cards: list[str]) -> list[Pair]:
        """Every card with every place where it can lie."""
        found: list[Pair] = []
        for card in cards:
            layer = LAYERS.index(card)
            if layer:
                places = {place for place, height in self.height.items() if height == layer}
            else:
                places = {other for place in self.height for other in around(place)} - set(self.height)
                places = places or {(0, 0)}
            found += [(card, place) for place in sorted(places)]
        return found

    def place(self, pairs: list[Pair], hand: list[str], from_pile: bool) -> list[Pair]:
        """The first card, then more of its metal or on its place."""
        placed: list[Pair] = []
        while pairs:
            card, place = self.rng.choice(pairs)
            if placed or not from_pile:
                hand.remove(card)
            self.height[place] = self.height.get(place, 0) + 1
            placed.append((card, place))
            if self.rng.random() >= GOES_ON:
                break
            pairs = [
                (card, place)
                for card, place in self.pairs(hand)
                if all(card == other for other, _ in placed) or all(place == other for _, other in placed)
            ]
        return placed

    # ---- scoring -------------------------------------------------------------------------------------------

    def score(self, player: int, fresh: set[Place]) -> list[Event]:
        scored: list[Event] = []
        used: set[Place] = set()
        while self.rng.random() < self.keen:
            found = [(layer, area) for layer, area in self.areas(fresh, used) if layer or self.irons(area)]
            if not found:
                break
            layer, area = self.rng.choice(found)
            number, metal = self.rules["removals"][layer], LAYERS[layer]
            taken = self.rng.sample(sorted(area), number) if layer else self.irons(area)
            for place in taken:
                self.height[place] -= 1
                if not self.height[place]:
                    del self.height[place]
            fresh = fresh | area
            if not self.rulings["score_again"]:
                used |= area - set(taken)
            self.points[player] += 1
            self.kept[player].append(metal)
            self.earliest.setdefault(metal, player)
            scored.append({"metal": metal, "area": len(area), "removed": [list(place) for place in taken]})
        return scored

    def areas(self, fresh: set[Place], used: set[Place]) -> list[tuple[int, set[Place]]]:
        """The areas that are large enough and count, with their layers from 0."""
        found = []
        for layer in range(len(LAYERS)):
            least = max(self.rules[key][layer] for key in ("thresholds", "removals"))
            for area in parts({place for place, height in self.height.items() if height == layer + 1}):
                counts = self.rulings["score_scope"] == "any" or area & fresh
                if len(area) >= least and counts and not area & used:
                    found.append((layer, area))
        return found

    def irons(self, area: set[Place]) -> list[Place]:
        """Places of an iron area that can be taken, uniform over all choices; [] if there are none."""
        number, places = self.rules["removals"][0], sorted(area)
        for _ in range(TRIES):
            taken = self.rng.sample(places, number)
            if self.holds(set(taken)):
                return taken
        # Every choice that splits nothing grows place by place out of smaller ones.
        choices: set[frozenset[Place]] = {frozenset()}
        for _ in range(number):
            choices = {taken | {place} for taken in choices for place in area - taken if self.holds({*taken, place})}
        if not choices:
            return []
        return sorted(self.rng.choice(sorted(choices, key=sorted)))

    def holds(self, taken: set[Place]) -> bool:
        return len(parts(set(self.height) - taken)) <= 1
