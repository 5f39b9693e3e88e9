"""The total of some cards drawn at random from the Crucible's deck, exactly (Crucible 1 and 3)."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from alchemy_sim.games.crucible.cards import CATALYST, DECK, RANK_OF, SUIT_OF


def totals(cards: int, catalyst_value: int | None = None) -> dict[int, Fraction]:
    """The chance of every total of `cards` cards (0 to 58) of a shuffled deck, in ascending order.

    Catalysts count their printed value, or `catalyst_value`. By generating function: cards are added one by one, and
    ways[k][t] counts the sets of k with the total t.
    """
    ways: list[dict[int, int]] = [{0: 1}, *({} for _ in range(cards))]
    for face in range(DECK):
        value = int(RANK_OF[face])
        if catalyst_value is not None and SUIT_OF[face] == CATALYST:
            value = catalyst_value
        for size in range(cards, 0, -1):
            for total, number in ways[size - 1].items():
                ways[size][total + value] = ways[size].get(total + value, 0) + number
    every = comb(DECK, cards)
    return {total: Fraction(number, every) for total, number in sorted(ways[cards].items())}
