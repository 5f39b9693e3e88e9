"""How likely the cards that nobody has seen lie in a hand, or come from the pile next.

A player knows its own hand, the table and what is gone; any other card is equally likely in every other hand and in
the pile, so their numbers are hypergeometric.
"""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import popcount
from alchemy_sim.core.jit import helper, large_helper


@large_helper
def note_chances(view: Any, plan: Any) -> None:
    """How likely what nobody has seen lies in other hands, and comes from the pile."""
    plan.unknown, plan.turned = 0.0, 0
    for metal in range(4):
        number = view.deck[metal] - popcount(view.pattern.layer[metal]) - view.gone[metal] - view.hand[metal]
        plan.unseen[metal] = float(number - (view.drawn == metal and view.placed == 0))
        plan.unknown += plan.unseen[metal]
        plan.held[metal] = view.hand[metal]
    counts = view.full_hand + 2
    for metal in range(4):
        for count in range(counts):
            plan.chances[0, metal, count] = 1.0 if count == 0 else 0.0
        for cards in range(1, view.full_hand + 1):
            left = max(plan.unknown - cards + 1.0, 1.0)
            for count in range(counts):
                others = max(plan.unknown - plan.unseen[metal] - (cards - 1 - count), 0.0)
                found = plan.chances[cards - 1, metal, count] * others
                if count > 0:
                    found += plan.chances[cards - 1, metal, count - 1] * max(plan.unseen[metal] - count + 1.0, 0.0)
                plan.chances[cards, metal, count] = found / left
        for number in range(counts + 1):
            for refill in range(view.full_hand + 1):
                plan.miss[refill, metal, number] = 1.0 - _has_them(plan, refill, metal, number)


@helper
def _has_them(plan: Any, cards: int, metal: int, number: int) -> float:
    """The chance that so many of a metal are among cards drawn, or all but one and the next card from the pile is."""
    if number <= 0 or number > cards + 1:
        return 1.0 if number <= 0 else 0.0
    found = 1.0
    for count in range(number):
        found -= plan.chances[cards, metal, count]
    next_one = max(plan.unseen[metal] - number + 1.0, 0.0) / max(plan.unknown - cards, 1.0)
    return found + plan.chances[cards, metal, number - 1] * next_one


@helper
def still_on(view: Any, plan: Any, draws: int) -> float:
    """The chance that the end card has not shown after so many more cards from the pile."""
    pile = view.pile - plan.turned
    above, among = max(pile - view.end_card_depth, 0), max(min(pile, view.end_card_depth), 1)
    return max(0.0, 1.0 - max(0, draws - above) / among)
