"""The random player, exactly as the rule page has it."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, kth, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.core.rng import below, draw, sealed
from alchemy_sim.games.metallurgie.areas import behind, kth_taking, may_take, next_area
from alchemy_sim.games.metallurgie.names import IRON
from alchemy_sim.games.metallurgie.pattern import top
from alchemy_sim.games.metallurgie.table import STOP, Ask, place_code
from alchemy_sim.games.metallurgie.turns import places_for
from alchemy_sim.games.metallurgie.view import POLICIES

#: Sets of cards that are tried before all legal ones are counted.
_TRIES = 200


@helper
def _cards(view: Any, metal: int) -> int:
    """How many cards of a metal may be placed now: those of the hand, or the drawn one."""
    if view.drawn >= 0 and view.placed == 0:
        return 1 if metal == view.drawn else 0
    return view.hand[metal]


@helper
def random_place(view: Any) -> int:
    """A card and its place, uniform over legal pairs."""
    pairs = 0
    for metal in range(4):
        pairs += _cards(view, metal) * places_for(view, metal)
    which = below(draw(view.source, 0), pairs)
    for metal in range(4):
        places = places_for(view, metal)
        if which >= _cards(view, metal) * places:
            which -= _cards(view, metal) * places
            continue
        number = which % places
        if metal == IRON:
            return place_code(metal, number)
        if view.placed > 0 and metal != view.metal:
            return place_code(metal, view.place)
        return place_code(metal, kth(top(view.pattern, metal - 1), number))
    return STOP


@helper
def _some(source: Any, area: Any, number: int) -> Any:
    """So many places of an area, each set alike."""
    taken, left, size = ZERO, area, popcount(area)
    for index in range(number):
        place = ONE << np.uint64(kth(left, below(draw(source, index), size - index)))
        taken |= place
        left ^= place
    return taken


@helper
def random_scoring(view: Any) -> int:
    """An area uniform over those that may be scored, and a set of its cards uniform over the legal ones."""
    number = 0
    for metal in range(4):
        left = top(view.pattern, metal)
        while left != ZERO:
            area = next_area(view, metal, left)
            number += area != ZERO
            left = behind(left, area)
    which = below(draw(view.source, 0), number)
    for metal in range(4):
        left = top(view.pattern, metal)
        while left != ZERO:
            area = next_area(view, metal, left)
            if area != ZERO and which == 0:
                return integer(_uniform_taking(view, metal, area))
            which -= area != ZERO
            left = behind(left, area)
    return 0


@helper
def _uniform_taking(view: Any, metal: int, area: Any) -> Any:
    """A set of cards of an area, uniform over the legal ones: at random until one is legal, else all are counted."""
    key = sealed(view.source)
    for attempt in range(_TRIES):
        taken = _some(draw(key, attempt), area, view.removals[metal])
        if may_take(view.pattern, metal, taken):
            return taken
    number = integer(kth_taking(view.pattern, area, view.removals[metal], -1))
    return kth_taking(view.pattern, area, view.removals[metal], below(draw(key, _TRIES), number))


@POLICIES.declare
def random_player(view: Any) -> int:
    """Draw first with 1/2, go on with 1/2, score whenever it can; all else uniform."""
    if view.ask == Ask.DRAW:
        return below(draw(view.source, 0), 2)
    if view.ask == Ask.SCORE:
        return random_scoring(view)
    if view.placed > 0 and below(draw(view.source, 1), 2) == 0:
        return STOP
    return random_place(view)
