"""Turns that are wrong on purpose: what a comparison must notice, and what positions must be rich enough to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, islice

from tests.oracle.metallurgie_oracle import Pattern, Placing, Rules, Scoring, State, Turn, single_bits

MakeTurn = Callable[[Pattern, Rules, int | None], Turn]


class Splitting(Scoring):
    """It takes iron without looking whether the pattern splits."""

    def removals(self, state: State, layer: int, area: int) -> Iterator[int]:
        for chosen in combinations(single_bits(area), self.rules.removals[layer]):
            self.count()
            yield sum(chosen)


class FirstCards(Scoring):
    """It takes the first cards that it may."""

    def removals(self, state: State, layer: int, area: int) -> Iterator[int]:
        return islice(super().removals(state, layer, area), 1)


class NoChain(Scoring):
    """What a scoring uncovers doesn't count as touched."""

    def after(self, state: State, layer: int, area: int, gone: int) -> State:
        return super().after(state, layer, area, gone)._replace(touched=(state.touched | area) & ~gone)


class Covered(Scoring):
    """It takes no notice of cards that were uncovered: an area is looked at before the first scoring only."""

    def searched(self, state: State) -> int:
        found = 0
        for layer, area in self.scorable(state):
            found += next(self.removals(state, layer, area), None) is not None
        return found


class NoStacking(Turn):
    """One metal only."""

    def placings(self, hand: tuple[str, ...], drawn: str | None) -> Iterator[Placing]:
        return (each for each in super().placings(hand, drawn) if len({metal for metal, _ in each}) == 1)


class NotOnNewIron(Turn):
    """One position only, but an old one."""

    def placings(self, hand: tuple[str, ...], drawn: str | None) -> Iterator[Placing]:
        return (each for each in super().placings(hand, drawn) if each[0][0] != "I" or each[-1][0] == "I")


class OneCard(Turn):
    def placings(self, hand: tuple[str, ...], drawn: str | None) -> Iterator[Placing]:
        return (each for each in super().placings(hand, drawn) if len(each) == 1)


class AnyOrder(Turn):
    """It takes the drawn card as one of the hand."""

    def placings(self, hand: tuple[str, ...], drawn: str | None) -> Iterator[Placing]:
        return super().placings(hand if drawn is None else (*hand, drawn), None)


def scoring(kind: type[Scoring]) -> MakeTurn:
    return type(kind.__name__, (Turn,), {"kind": kind})


def ruled(change: Callable[[Rules], Rules]) -> MakeTurn:
    return lambda pattern, rules, limit: Turn(pattern, change(rules), limit)


def one_more(rules: Rules) -> Rules:
    return replace(rules, thresholds=tuple(each + 1 for each in rules.thresholds))


def swapped(rules: Rules) -> Rules:
    return replace(rules, score_scope="any" if rules.score_scope == "touched" else "touched")


#: The turn, and the least share of random turns whose most points it gets wrong.
WRONG: dict[str, tuple[MakeTurn, float]] = {
    "splitting": (scoring(Splitting), 0.02),
    "first cards": (scoring(FirstCards), 0.05),
    "no chain": (scoring(NoChain), 0.05),
    "covered": (scoring(Covered), 0.1),
    "one more": (ruled(one_more), 0.2),
    "other scope": (ruled(swapped), 0.05),
    "other again": (ruled(lambda rules: replace(rules, score_again=not rules.score_again)), 0.03),
    "no stacking": (NoStacking, 0.02),
    "not on new iron": (NotOnNewIron, 0.005),
    "one card": (OneCard, 0.1),
    "any order": (AnyOrder, 0.05),
}
