"""A game before its first turn: start pattern, hands, draw pile with the end card (Metallurgie 1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ZERO, integer, lowest
from alchemy_sim.core.jit import helper
from alchemy_sim.core.rng import below, draw, position, sealed, shuffle, stream
from alchemy_sim.games.metallurgie.names import IRON
from alchemy_sim.games.metallurgie.pattern import clear_pattern, lay_iron, lay_on
from alchemy_sim.games.metallurgie.table import END_CARD, Event, Purpose, note
from alchemy_sim.games.metallurgie.view import SEATS


@helper
def find_free(pattern: Any, q: int, r: int) -> int:
    """The number of the empty place at these coordinates, -1 if it touches no card."""
    for number in range(pattern.free):
        if pattern.free_q[number] == q and pattern.free_r[number] == r:
            return number
    return -1


@helper
def find_place(pattern: Any, q: int, r: int) -> int:
    """The number of the place with cards at these coordinates, -1 if there is none."""
    left = pattern.layer[0]
    while left != ZERO:
        place = lowest(left)
        if pattern.q[place] == q and pattern.r[place] == r:
            return place
        left &= left - np.uint64(1)
    return -1


@helper
def lay_start(view: Any, table: Any) -> None:
    """Lay the start pattern."""
    clear_pattern(view.pattern)
    for card in range(table.start_size):
        metal, q, r = integer(table.start[card, 0]), integer(table.start[card, 1]), integer(table.start[card, 2])
        if metal == IRON:
            lay_iron(view.pattern, find_free(view.pattern, q, r))
        else:
            lay_on(view.pattern, metal, find_place(view.pattern, q, r))


@helper
def shuffle_deck(view: Any, table: Any) -> int:
    """All metal cards but those of the start pattern, shuffled; how many they are."""
    pile, size = table.pile, 0
    for metal in range(4):
        number = view.deck[metal]
        for card in range(table.start_size):
            number -= table.start[card, 0] == metal
        for _ in range(number):
            pile[size] = metal
            size += 1
    shuffle(pile, size, sealed(stream(table.key, position(0, Purpose.DEAL, 0))))
    return size


@helper
def deal(view: Any, table: Any) -> None:
    """Deal the hands, and put the end card among the lowest cards of the pile, each place alike."""
    size = shuffle_deck(view, table)
    for seat in range(SEATS):
        for metal in range(4):
            table.held[seat, metal] = 0
        view.hand_sizes[seat] = view.full_hand if seat < view.players else 0
    for seat in range(view.players):
        for _ in range(view.full_hand):
            size -= 1
            metal = integer(table.pile[size])
            table.held[seat, metal] += 1
            note(table, Event.HAND, seat, metal, 0)
    place = below(draw(stream(table.key, position(0, Purpose.DEAL, 1)), 0), view.end_card_depth)
    for back in range(size - place):
        table.pile[size - back] = table.pile[size - back - 1]
    table.pile[place] = END_CARD
    view.pile = size + 1
    for card in range(view.pile):
        note(table, Event.PILE, integer(table.pile[view.pile - 1 - card]), 0, 0)


@helper
def begin_game(view: Any, table: Any) -> int:
    """Everything up to the first turn; who has it."""
    lay_start(view, table)
    deal(view, table)
    view.turn = view.placed = view.scored = 0
    view.drawn = view.metal = view.place = view.me = -1
    view.mode = 0
    view.touched = view.spent = ZERO
    for metal in range(4):
        view.gone[metal] = view.hand[metal] = 0
        table.first_scorer[metal] = -1
    for seat in range(SEATS):
        view.points[seat] = 0
        for metal in range(4):
            view.kept[seat, metal] = 0
        table.own_key[seat] = sealed(stream(table.key, position(0, Purpose.OWN, seat)))
    table.leader = -1
    return below(draw(stream(table.key, position(0, Purpose.FIRST, 0)), 0), view.players)
