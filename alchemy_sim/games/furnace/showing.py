"""Cards are kept and hands are shown (Furnace 5): the same in showdowns and in matches.

`view` has the rules and, of who is asked, the hand; `table` the Furnace, and by seat what was kept and how strong it
is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.furnace.evaluate import plain_strength, strengthened, without_trump
from alchemy_sim.games.furnace.names import JOKER


@helper
def may_keep(view: Any, chosen: int) -> bool:
    """Whether a mask of places is as many cards of the hand as are kept, and no Joker."""
    if chosen < 0 or chosen >> view.hand:
        return False
    left = np.uint64(chosen)
    if popcount(left) != view.kept:
        return False
    while left != ZERO:
        if view.cards[lowest(left)] == JOKER:
            return False
        left &= left - ONE
    return True


@helper
def first_allowed(view: Any) -> int:
    """The first cards that may be kept: what a policy that broke the rules is given."""
    chosen, kept = 0, 0
    for place in range(view.hand):
        if kept < view.kept and view.cards[place] != JOKER:
            chosen |= 1 << place
            kept += 1
    return chosen


@helper
def keep(view: Any, table: Any, seat: int, chosen: int) -> None:
    """Write the cards at some places of the hand down as those that a seat keeps."""
    left, number = np.uint64(chosen), 0
    while left != ZERO:
        table.kept[seat, number] = view.cards[lowest(left)]
        left &= left - ONE
        number += 1


@helper
def _card(view: Any, table: Any, seat: int, place: int) -> int:
    if place < view.kept:
        return integer(table.kept[seat, place])
    place -= view.kept
    return integer(table.furnace[place]) if place < view.open_cards + view.hidden_cards else JOKER


@helper
def final_hand(view: Any, table: Any, seat: int) -> Any:
    """A seat's final hand: cards as a tuple of seven (JOKER: none), how many they are, and the sum of their keys.

    Dead Jokers stay where they lie: they add nothing to a key, and the evaluator passes over them.
    """
    cards = (
        _card(view, table, seat, 0),
        _card(view, table, seat, 1),
        _card(view, table, seat, 2),
        _card(view, table, seat, 3),
        _card(view, table, seat, 4),
        _card(view, table, seat, 5),
        _card(view, table, seat, 6),
    )
    size, key = 0, ZERO
    for place in range(7):
        size += cards[place] != JOKER
        key += view.hands.keys[cards[place]]
    return cards, size, key


@helper
def show_hands(view: Any, table: Any, shown: Any) -> Any:
    """Work out the hands of the seats in the mask `shown` into `table.strength`; the winners, as a mask.

    With them those who would win if Trumps broke no ties: if these are others, the Trump rule has decided.
    """
    best = plain_best = -1
    winners = plain_winners = 0
    while shown != ZERO:
        seat = lowest(shown)
        shown &= shown - ONE
        cards, size, key = final_hand(view, table, seat)
        plain = plain_strength(view.hands, size, key, cards)
        strong = strengthened(view.hands, size, key, cards, plain)
        plain = without_trump(view.hands, plain)
        table.strength[seat] = strong
        if strong > best:
            best, winners = strong, 0
        winners |= (strong == best) << seat
        if plain > plain_best:
            plain_best, plain_winners = plain, 0
        plain_winners |= (plain == plain_best) << seat
    return winners, plain_winners
