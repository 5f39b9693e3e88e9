"""The configuration of Metallurgie: the numbers to tune, the start pattern and the rulings (Metallurgie 1 and 2).

The section numbers are those of RULES.md, which lies beside this file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from alchemy_sim.config.locate import written
from alchemy_sim.config.model import GameConfig, Model, Problem, Rulings
from alchemy_sim.config.weights import check_weights
from alchemy_sim.games.metallurgie.names import IRON, LETTERS, METALS, MOST_IRON, NEIGHBOURS
from alchemy_sim.games.metallurgie.weights import WEIGHTS

#: Metal cards of a deck: a kernel tells all cards apart by one byte, the end card too.
MOST_CARDS = 254
#: Cards of a hand: the plays of a turn grow fast with it.
MOST_HAND = 12

#: A number for each metal, iron first.
Counts = Annotated[int, Field(ge=0, le=MOST_CARDS)]
Sizes = Annotated[int, Field(ge=1, le=MOST_CARDS)]
#: A card on the table: the letter of its metal, q and r.
Card = tuple[str, int, int]

#: Seven irons, four coppers on them and a silver on the middle one.
START: tuple[Card, ...] = (
    *(("I", q, r) for q, r in ((0, 0), *NEIGHBOURS)),
    *(("C", q, r) for q, r in ((0, 0), (1, 0), (-1, 1), (0, -1))),
    ("S", 0, 0),
)


class MetallurgieRulings(Rulings):
    """All readings of the rulebook that can be switched, the default first."""

    must_score: bool = Field(
        default=False, description="Metallurgie 2: an area may be left alone, or all that can be scored must be"
    )
    score_scope: Literal["touched", "any"] = Field(
        default="touched",
        description="Metallurgie 2: an area counts if it holds a card placed or uncovered in this turn, or any does",
    )
    score_again: bool = Field(
        default=True,
        description="Metallurgie 2: what remains of a scored area may be scored again in the same turn, or may not",
    )
    bonus: Literal["none", "majority", "first"] = Field(
        default="none",
        description="Metallurgie 2: a point more by metal for nobody, for the most cards kept of it, or for the first",
    )


class NumbersConfig(Model):
    """The numbers to tune; those of four are for iron, copper, silver and gold."""

    thresholds: tuple[Sizes, Sizes, Sizes, Sizes] = Field(
        default=(9, 7, 5, 3), description="Metallurgie 2: cards of each metal that an area needs to be scored"
    )
    removals: tuple[Sizes, Sizes, Sizes, Sizes] = Field(
        default=(5, 4, 3, 2), description="Metallurgie 2: cards of each metal that scoring an area takes away"
    )
    deck: tuple[Counts, Counts, Counts, Counts] = Field(
        default=(44, 30, 18, 11),
        description="Metallurgie 1: cards of each metal, those of the start pattern among them",
    )
    hand: int = Field(default=3, ge=1, le=MOST_HAND, description="Metallurgie 1: cards of a full hand")
    end_card_depth: int = Field(
        default=6, ge=1, le=MOST_CARDS + 1, description="Metallurgie 1: the end card is one of so many at the bottom"
    )
    start: tuple[Card, ...] = Field(
        default=START,
        description='Metallurgie 1: the cards that lie there at the start, the lower first: "I 0 0" is metal, q and r',
    )

    @field_validator("start", mode="before")
    @classmethod
    def _cards(cls, start: Any) -> Any:
        return tuple(map(_card, start)) if isinstance(start, tuple) else start

    @field_validator("start")
    @classmethod
    def _pattern(cls, start: tuple[Card, ...]) -> tuple[Card, ...]:
        problem = pattern_problem(start)
        if problem:
            raise Problem(problem)
        return start

    @field_validator("deck")
    @classmethod
    def _deck(cls, deck: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        if deck[IRON] < 1:
            raise Problem("needs iron: all other cards are laid on it")
        if deck[IRON] > MOST_IRON:
            raise Problem(f"has {deck[IRON]} iron; at most {MOST_IRON} are allowed")
        if sum(deck) > MOST_CARDS:
            raise Problem(f"has {sum(deck)} cards; at most {MOST_CARDS} are allowed")
        return deck

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        for name, threshold, removal in zip(METALS, self.thresholds, self.removals, strict=True):
            if removal > threshold:
                problem = f"removals takes {removal} {name}, but thresholds lets an area of {threshold} be scored"
                raise Problem(problem, "removals", "thresholds")
        for letter, name, count in zip(LETTERS, METALS, self.deck, strict=True):
            laid = sum(card[0] == letter for card in self.start)
            if laid > count:
                raise Problem(f"start has {laid} {name}, but deck only {count}", "start", "deck")
        return self

    @property
    def cards(self) -> int:
        """Metal cards in all."""
        return sum(self.deck)

    def pile(self, players: int) -> int:
        """Metal cards of the draw pile when hands are dealt, the end card not counted; negative if too few."""
        return self.cards - len(self.start) - players * self.hand


def _card(given: Any) -> Card:
    """A card of the start, written "I 0 0" or, as traces have it, ["I", 0, 0]."""
    if isinstance(given, str):
        match = re.fullmatch(rf"\s*([{LETTERS}])\s+(-?[0-9]{{1,3}})\s+(-?[0-9]{{1,3}})\s*", given)
        if match:
            return match[1], int(match[2]), int(match[3])
    elif isinstance(given, tuple) and [type(each) for each in given] == [str, int, int]:
        if given[0] in tuple(LETTERS):
            return given
    raise Problem(f'{written(given)} is no card; write "I 0 0": its metal ({", ".join(LETTERS)}), q and r')


def pattern_problem(start: Sequence[Card]) -> str:
    """What is wrong with cards laid in this order, in words; "" if nothing is.

    The first lies at (0, 0), so that no card ever lies farther from there than there are irons.
    """
    heights: dict[tuple[int, int], int] = {}
    for letter, q, r in start:
        card, metal = f'"{letter} {q} {r}"', LETTERS.index(letter)
        height = heights.get((q, r), 0)
        if metal != IRON and height != metal:
            below = f"lies on {METALS[height - 1]}" if height else "has no card below it"
            return f"{card} {below}; {METALS[metal]} lies on {METALS[metal - 1]}"
        if metal == IRON and height:
            return f"{card} lies on {METALS[height - 1]}; iron lies on the table"
        if not heights and (q, r) != (0, 0):
            return f'{card} is the first card; that must be "I 0 0"'
        if metal == IRON and heights and not any((q + dq, r + dr) in heights for dq, dr in NEIGHBOURS):
            return f"{card} touches no card before it; the pattern must be in one piece"
        heights[q, r] = height + 1
    return ""


class MetallurgieConfig(GameConfig):
    """Metallurgie as its rulebook has it."""

    allowed_players: ClassVar[tuple[int, ...]] = (2, 3, 4)

    rulebook: Literal["metallurgie"] = Field(default="metallurgie", description="which game")
    players: tuple[int, ...] = Field(default=(2, 3, 4), description="the player counts to simulate, one or a list")
    game: NumbersConfig = Field(default=NumbersConfig(), description="the numbers to tune and the start pattern")
    weights: dict[str, dict[str, float]] = Field(
        default={}, description="numbers that players weigh by, of each player by name: only those that differ"
    )
    rulings: MetallurgieRulings = Field(default=MetallurgieRulings(), description="the readings of the rulebook")

    @field_validator("weights")
    @classmethod
    def _weights(cls, weights: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
        check_weights(weights, WEIGHTS)
        return weights

    @model_validator(mode="after")
    def _enough_cards(self) -> Self:
        game, players = self.game, max(self.players)
        below = game.end_card_depth - 1
        if game.pile(players) < below:
            raise Problem(
                f"a deck of {game.cards} cards is too small for {players} players: start takes {len(game.start)}, "
                f"hands take {players * game.hand}, and {below} are mixed with the end card",
                *("game.deck", "game.end_card_depth", "game.hand", "game.start", "players"),
            )
        return self
