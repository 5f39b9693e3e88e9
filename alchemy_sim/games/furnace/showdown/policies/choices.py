"""The ways to keep cards: masks of places in the hand, one after another, none with a Joker."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest
from alchemy_sim.core.jit import helper
from alchemy_sim.games.furnace.names import JOKER

#: The most ways to keep cards: three of twelve.
MOST_CHOICES = 220


@helper
def keepable(view: Any) -> Any:
    """The places of the hand whose cards are not Jokers, as a mask."""
    places = ZERO
    for place in range(view.hand):
        if view.cards[place] != JOKER:
            places |= ONE << np.uint64(place)
    return places


@helper
def first_choice(view: Any) -> Any:
    """The mask of the lowest `kept` places; `next_choice` leads to all others."""
    return (ONE << np.uint64(view.kept)) - ONE


@helper
def next_choice(chosen: Any) -> Any:
    """The next greater mask of as many places (Gosper's hack)."""
    low = chosen & (ZERO - chosen)
    over = chosen + low
    return over | (((chosen ^ over) >> np.uint64(2)) >> np.uint64(lowest(low)))


@helper
def list_choices(view: Any, choices: Any) -> int:
    """Write the choices without a Joker into `choices` (room for MOST_CHOICES); how many they are."""
    allowed, number = keepable(view), 0
    chosen = first_choice(view)
    while chosen < ONE << np.uint64(view.hand):
        if chosen & ~allowed == ZERO:
            choices[number] = chosen
            number += 1
        chosen = next_choice(chosen)
    return number


@helper
def key_of(view: Any, chosen: Any) -> Any:
    """The sum of the keys of the cards at some places of the hand."""
    key = ZERO
    while chosen != ZERO:
        key += view.hands.keys[view.cards[lowest(chosen)]]
        chosen &= chosen - ONE
    return key


@helper
def open_key(view: Any) -> Any:
    """The sum of the keys of the open cards of the Furnace."""
    key = ZERO
    for place in range(view.open_cards):
        key += view.hands.keys[view.open[place]]
    return key


@helper
def open_size(view: Any) -> int:
    """How many of the open cards count: dead Jokers don't."""
    size = 0
    for place in range(view.open_cards):
        size += view.open[place] != JOKER
    return size


@helper
def card_at(view: Any, chosen: Any, place: int) -> int:
    """Card number `place` of what is known of a final hand: the chosen ones, then the open ones; JOKER if none."""
    if place >= view.kept:
        place -= view.kept
        return integer(view.open[place]) if place < view.open_cards else JOKER
    for _ in range(place):
        chosen &= chosen - ONE
    return integer(view.cards[lowest(chosen)])


@helper
def known_cards(view: Any, chosen: Any) -> Any:
    """The chosen and the open cards as a tuple of seven, JOKER where there is none."""
    return (
        card_at(view, chosen, 0),
        card_at(view, chosen, 1),
        card_at(view, chosen, 2),
        card_at(view, chosen, 3),
        card_at(view, chosen, 4),
        card_at(view, chosen, 5),
        card_at(view, chosen, 6),
    )
