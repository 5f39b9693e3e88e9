"""The configuration of the Furnace: the deck, the numbers to tune and the rulings about hands (Furnace 1 and 5).

The section numbers are those of RULES.md, which lies beside this file.
"""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from alchemy_sim.config.model import GameConfig, Model, Problem, Rulings
from alchemy_sim.config.weights import check_weights
from alchemy_sim.core.errors import unknown
from alchemy_sim.games.furnace.claims import COUNTING, MOST_CARDS, Deck
from alchemy_sim.games.furnace.match.weights import WEIGHTS
from alchemy_sim.games.furnace.names import CATEGORIES, MOST_FAMILIES, RANK_COUNT

MOST_JOKERS = 12
MOST_HAND, MOST_KEPT, MOST_OPEN, MOST_HIDDEN = 12, 3, 5, 3


class DeckConfig(Model):
    """The cards (Furnace 1)."""

    families: int = Field(default=4, ge=1, le=MOST_FAMILIES, description="Furnace 1: how many families there are")
    ranks: int = Field(
        default=RANK_COUNT,
        ge=COUNTING,
        le=RANK_COUNT,
        description="Furnace 1: ranks of a family and of the Trumps; 13: without the Knight, fewer: nor the lowest",
    )
    trumps: bool = Field(default=True, description="Furnace 1: whether there are Trumps, one of each rank")
    jokers: int = Field(default=6, ge=0, le=MOST_JOKERS, description="Furnace 1: how many Jokers there are")

    @property
    def natural(self) -> int:
        """Cards that are not Jokers."""
        return self.ranks * (self.families + self.trumps)


class HandRulings(Rulings):
    """The readings of the rulebook about hands, the default first."""

    ace: Literal["both", "high", "low"] = Field(
        default="both",
        description="Furnace 1: an Ace ends a run or a straight at either end, or only above the King, or only below",
    )
    community_joker: Literal["redraw", "dead"] = Field(
        default="redraw",
        description="Furnace 3: a Joker laid in the Furnace is replaced, or stays and counts for nothing",
    )
    furnace_trump: Literal["wild_family", "own_family"] = Field(
        default="wild_family",
        description="Furnace 5: Trumps stand for any family in flushes too, or are a family of their own",
    )
    tie_order: Literal["ranks_then_trump", "trump_then_ranks"] = Field(
        default="ranks_then_trump",
        description="Furnace 5: between equal categories ranks are compared before the Trump, or the Trump before them",
    )


class DealConfig(Model):
    """How many cards go where (Furnace 3 and 5)."""

    hand: int = Field(default=9, ge=1, le=MOST_HAND, description="Furnace 3: cards dealt to each player")
    open_cards: int = Field(default=3, ge=0, le=MOST_OPEN, description="Furnace 3: cards of the Furnace laid face up")
    hidden_cards: int = Field(default=2, ge=0, le=MOST_HIDDEN, description="Furnace 3: cards of it laid face down")
    kept: int = Field(default=2, ge=1, le=MOST_KEPT, description="Furnace 5: cards each player keeps for the Furnace")

    @property
    def furnace(self) -> int:
        """Cards of the Furnace."""
        return self.open_cards + self.hidden_cards

    @property
    def final(self) -> int:
        """Cards that a final hand is chosen from."""
        return self.kept + self.furnace

    @model_validator(mode="after")
    def _cards(self) -> Self:
        if not COUNTING <= self.final <= MOST_CARDS:
            raise Problem(
                f"kept, open_cards and hidden_cards add up to {self.final}; {COUNTING} to {MOST_CARDS} are allowed",
                *("kept", "open_cards", "hidden_cards"),
            )
        return self


class HandConfig(GameConfig):
    """What every configuration of the Furnace has: the deck, the deal and the order of the hands."""

    allowed_players: ClassVar[tuple[int, ...]] = (2, 3, 4, 5, 6)

    deck: DeckConfig = Field(default=DeckConfig(), description="the cards")
    hand_order: tuple[str, ...] = Field(
        default=CATEGORIES, description="Furnace 5: the ten hands, strongest first; the order of the seed when left out"
    )
    match: DealConfig = Field(default=DealConfig(), description="how many cards go where")
    rulings: HandRulings = Field(default=HandRulings(), description="the readings of the rulebook")

    @field_validator("hand_order")
    @classmethod
    def _order(cls, order: tuple[str, ...]) -> tuple[str, ...]:
        for name in order:
            if name not in CATEGORIES:
                raise Problem(unknown("hand", name, CATEGORIES))
        missing = [name for name in CATEGORIES if name not in order]
        if missing or len(order) > len(CATEGORIES):
            twice = [name for name in CATEGORIES if order.count(name) > 1]
            fault = f"{twice[0]} stands there twice" if twice else f"{missing[0]} is missing"
            raise Problem(f"must name each of the ten hands once; {fault}")
        return order

    def evaluated(self) -> Deck:
        """What the strength of hands depends on."""
        deck, rulings = self.deck, self.rulings
        return Deck(
            *(deck.families, deck.ranks, deck.trumps),
            *(rulings.ace, rulings.furnace_trump, rulings.tie_order),
            self.hand_order,
        )


class ShowdownConfig(HandConfig):
    """Showdowns alone: a deal, a choice of cards to keep, and the best hand wins (Furnace 5)."""

    rulebook: Literal["showdown"] = Field(default="showdown", description="which game")
    players: tuple[int, ...] = Field(
        default=(2, 3, 4, 5, 6), description="the player counts to simulate, one or a list"
    )

    @model_validator(mode="after")
    def _enough_cards(self) -> Self:
        problem = deal_problem(self.deck, self.match, max(self.players), self.rulings.community_joker)
        if problem:
            raise Problem(problem, "deck", "players", "match")
        return self


def deal_problem(deck: DeckConfig, deal: DealConfig, players: int, community_joker: str) -> str:
    """What stands in the way of a deal to so many players, in words; "" if nothing does."""
    if deal.hand - deck.jokers < deal.kept:
        jokers = min(deal.hand, deck.jokers)
        return f"a hand of {deal.hand} could hold {jokers} Jokers, and {deal.kept} other cards are kept"
    return too_small(deck, deal, players, community_joker)


def too_small(deck: DeckConfig, deal: DealConfig, players: int, community_joker: str) -> str:
    """That a deck is too small for so many players, in words; "" if it is not.

    All that stands in the way of a match: there a hand of Jokers is none, it just can't enter the Furnace.
    """
    dealt = players * deal.hand + deal.furnace
    left_over = deck.jokers if community_joker == "redraw" else 0
    if deck.natural + deck.jokers < dealt + left_over:
        spare = f" and {left_over} to replace Jokers in the Furnace" if left_over else ""
        return (
            f"a deck of {deck.natural + deck.jokers} cards is too small for {players} players: hands and Furnace take "
            f"{dealt}{spare}"
        )
    return ""


class FurnaceRulings(HandRulings):
    """All readings of the rulebook that can be switched, the default first."""

    ante_per: Literal["round", "turn"] = Field(
        default="round",
        description="Furnace 3: everyone antes once a round, or before every turn after the first too",
    )
    stones_a_turn: Literal["per_pair", "one"] = Field(
        default="per_pair",
        description="Furnace 4: every two cards onto one player's layout earn a Stone, or only the first two of a turn",
    )
    single_extension: Literal["allowed", "forbidden"] = Field(
        default="allowed",
        description="Furnace 4: a turn may put one card alone onto a player's layout, or none or at least two",
    )
    points_for: Literal["layout_owner", "who_played"] = Field(
        default="layout_owner",
        description="Furnace 4: a card's points go to the owner of the layout, or to whoever played it",
    )
    short_call: Literal["fold", "all_in"] = Field(
        default="fold",
        description="Furnace 5: with fewer Stones than the bet a player folds, or may call with all it has",
    )


class MatchConfig(DealConfig):
    """The numbers of a match (Furnace 2)."""

    stones: int = Field(default=9, ge=1, le=1000, description="Furnace 2: Stones of each player at the start")
    bag_stones: int = Field(default=30, ge=0, le=100_000, description="Furnace 2: Stones in the bag at the start")
    qualify: int = Field(
        default=33, ge=0, le=10_000, description="Furnace 4: points that qualify for forcing the Furnace"
    )
    min_bet: int = Field(default=1, ge=1, le=1000, description="Furnace 5: the least bet")
    max_turns: int = Field(default=200, ge=1, le=10_000, description="Furnace 3: turns until a round is stalled")
    max_rounds: int = Field(default=1000, ge=1, le=100_000, description="Furnace 2: rounds until a match is unfinished")


class FurnaceConfig(HandConfig):
    """The Furnace as its rulebook has it: whole matches."""

    rulebook: Literal["furnace"] = Field(default="furnace", description="which game")
    players: tuple[int, ...] = Field(
        default=(2, 3, 4, 5, 6), description="the player counts to simulate, one or a list"
    )
    match: MatchConfig = Field(default=MatchConfig(), description="the numbers of a match")
    weights: dict[str, dict[str, float]] = Field(
        default={}, description="numbers that players weigh by, of each player by name: only those that differ"
    )
    rulings: FurnaceRulings = Field(default=FurnaceRulings(), description="the readings of the rulebook")

    @model_validator(mode="after")
    def _enough_cards(self) -> Self:
        problem = too_small(self.deck, self.match, max(self.players), self.rulings.community_joker)
        if problem:
            raise Problem(problem, "deck", "players", "match")
        return self

    @field_validator("weights")
    @classmethod
    def _weights(cls, weights: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
        check_weights(weights, WEIGHTS)
        return weights
