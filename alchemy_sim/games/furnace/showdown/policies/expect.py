"""What each choice of cards promises: the expected percentile of the final hand over all that can be hidden."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import integer
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_masks
from alchemy_sim.games.furnace.evaluate import fifth_bit, fifth_of, lacks_trump, lanes_of, sum_strength, with_a_trump
from alchemy_sim.games.furnace.names import CARDS, JOKER
from alchemy_sim.games.furnace.showdown.policies.choices import (
    MOST_CHOICES,
    key_of,
    known_cards,
    open_key,
    open_size,
)

#: Room for the cards that can be hidden from a player, and for one that stands for no card.
MOST_UNSEEN = 97


@helper
def list_unseen(view: Any, unseen: Any) -> int:
    """Write the cards that may lie hidden in the Furnace into `unseen`; how many they are.

    Jokers are among them only where they stay (`community_joker = dead`).
    """
    number = 0
    for card in range(CARDS):
        left = integer(view.copies[card])
        if card == JOKER and view.community_joker == 0:
            left = 0
        for place in range(view.hand):
            left -= view.cards[place] == card
        for place in range(view.open_cards):
            left -= view.open[place] == card
        for _ in range(left):
            unseen[number] = np.uint64(card)
            number += 1
    return number


@helper
def _place(cards: Any, at: int, known: int, one: int, two: int, three: int) -> int:
    if at < known:
        return cards[at]
    return one if at == known else two if at == known + 1 else three if at == known + 2 else JOKER


@helper
def with_hidden(cards: Any, known: int, one: int, two: int, three: int) -> Any:
    """Seven cards: the first `known` of them, then up to three hidden ones (JOKER: none)."""
    return (
        _place(cards, 0, known, one, two, three),
        _place(cards, 1, known, one, two, three),
        _place(cards, 2, known, one, two, three),
        _place(cards, 3, known, one, two, three),
        _place(cards, 4, known, one, two, three),
        _place(cards, 5, known, one, two, three),
        _place(cards, 6, known, one, two, three),
    )


@large_helper
def expect(view: Any, choices: Any, number: int, worth: Any) -> None:
    """The expected percentile of each of `number` choices (masks) into `worth`, over every hidden set of cards.

    Percentiles are those among all hands of as many cards as a final hand has (`outlook`); ranges from 0 to 1.
    """
    unseen, keys = stack_masks(MOST_UNSEEN), stack_masks(MOST_CHOICES)
    lanes, fifths = stack_masks(MOST_CHOICES), stack_masks(MOST_CHOICES)
    hands, hidden = view.hands, view.hidden_cards
    known, size = view.kept + view.open_cards, open_size(view) + view.kept
    base = open_key(view)
    for which in range(number):
        cards = known_cards(view, choices[which])
        keys[which] = base + key_of(view, choices[which])
        lanes[which] = lanes_of(hands, cards)
        fifths[which] = fifth_of(hands, cards)
        worth[which] = 0.0
    count = list_unseen(view, unseen)
    unseen[count] = np.uint64(JOKER)  # stands for no card where fewer than three are hidden
    none = count
    sets = 0
    for first in range(0 if hidden > 0 else none, count if hidden > 0 else none + 1):
        for second in range(first + 1 if hidden > 1 else none, count if hidden > 1 else none + 1):
            for third in range(second + 1 if hidden > 2 else none, count if hidden > 2 else none + 1):
                one, two, three = integer(unseen[first]), integer(unseen[second]), integer(unseen[third])
                key = hands.keys[one] + hands.keys[two] + hands.keys[three]
                lane = hands.lanes[one] + hands.lanes[two] + hands.lanes[three]
                fifth = fifth_bit(one) | fifth_bit(two) | fifth_bit(three)
                final = size + integer(one != JOKER) + integer(two != JOKER) + integer(three != JOKER)
                sets += 1
                for which in range(number):
                    whole = key + keys[which]
                    strong = sum_strength(hands, final, whole, lane + lanes[which], fifth | fifths[which])
                    if lacks_trump(hands, final, whole, strong):
                        cards = with_hidden(known_cards(view, choices[which]), known, one, two, three)
                        strong = with_a_trump(hands, cards, strong)
                    worth[which] += view.outlook.percentile[strong]
    for which in range(number):
        worth[which] /= sets


@helper
def most_promising(choices: Any, number: int, worth: Any) -> int:
    """The choice of the greatest worth, the first of equal ones."""
    best = 0
    for which in range(1, number):
        if worth[which] > worth[best]:
            best = which
    return integer(choices[best])
