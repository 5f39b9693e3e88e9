"""The pattern on the table: which places have cards, how high, and the empty places beside them (Metallurgie 1).

Places with cards are numbered 0 to 63, a freed number is given again; sets of them are masks. The height of a place
tells its top card, for the layers are always iron, copper, silver, gold. The grid only finds a place by its
coordinates: a game has at most 64 irons, so no card ever lies farther than 64 steps from the first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.games.metallurgie.names import MOST_IRON

#: Empty places beside a pattern of so many: at most 4 n + 2, and the one of an empty table.
MOST_FREE = 4 * MOST_IRON + 4
#: Coordinates go from -REACH to REACH.
REACH = MOST_IRON + 2
SIDE = 2 * REACH + 1
#: Metals, and a layer above them that is always empty.
LAYERS = 5

PATTERN = np.dtype(
    [
        ("layer", np.uint64, (LAYERS,)),  # by metal: places at least as high as its cards lie
        ("near", np.uint64, (MOST_IRON,)),  # of each place: those beside it
        ("q", np.int16, (MOST_IRON,)),
        ("r", np.int16, (MOST_IRON,)),
        ("free", np.int64),  # how many empty places lie beside the pattern; of each:
        ("free_near", np.uint64, (MOST_FREE,)),  # the places with cards beside it
        ("free_q", np.int16, (MOST_FREE,)),
        ("free_r", np.int16, (MOST_FREE,)),
        ("grid", np.int16, (SIDE * SIDE,)),  # by coordinates: 1 + place, or -1 - number of the empty place, or 0
    ],
    align=True,
)


@helper
def bit(place: int) -> Any:
    """A place as a mask."""
    return ONE << np.uint64(place)


@helper
def top(pattern: Any, metal: int) -> Any:
    """The places on which a card of this metal lies on top."""
    return pattern.layer[metal] & ~pattern.layer[metal + 1]


@helper
def beside(way: int) -> int:
    """The step in the grid to the neighbour of number `way`, 0 to 5."""
    if way < 2:
        return SIDE if way == 0 else -SIDE
    if way < 4:
        return 1 if way == 2 else -1
    return SIDE - 1 if way == 4 else 1 - SIDE


@helper
def spot_of(q: int, r: int) -> int:
    """Where coordinates stand in the grid."""
    return (q + REACH) * SIDE + r + REACH


@helper
def _add_free(pattern: Any, spot: int, near: Any) -> None:
    number = pattern.free
    pattern.free += 1
    pattern.free_near[number] = near
    pattern.free_q[number], pattern.free_r[number] = spot // SIDE - REACH, spot % SIDE - REACH
    pattern.grid[spot] = -1 - number


@helper
def _drop_free(pattern: Any, number: int) -> None:
    """Forget an empty place; the last takes its number."""
    pattern.grid[spot_of(integer(pattern.free_q[number]), integer(pattern.free_r[number]))] = 0
    pattern.free -= 1
    last = pattern.free
    if number != last:
        pattern.free_near[number] = pattern.free_near[last]
        pattern.free_q[number], pattern.free_r[number] = pattern.free_q[last], pattern.free_r[last]
        pattern.grid[spot_of(integer(pattern.free_q[last]), integer(pattern.free_r[last]))] = -1 - number


@helper
def clear_pattern(pattern: Any) -> None:
    """An empty table: any place is as good as any other, so there is one to begin at."""
    for spot in range(SIDE * SIDE):
        pattern.grid[spot] = 0
    for metal in range(LAYERS):
        pattern.layer[metal] = ZERO
    # numbers that are not in use would tell of the game before
    for place in range(MOST_IRON):
        pattern.near[place] = ZERO
        pattern.q[place] = pattern.r[place] = 0
    for number in range(MOST_FREE):
        pattern.free_near[number] = ZERO
        pattern.free_q[number] = pattern.free_r[number] = 0
    pattern.free = 0
    _add_free(pattern, spot_of(0, 0), ZERO)


@large_helper
def lay_iron(pattern: Any, number: int) -> int:
    """Lay an iron at an empty place of this number; the number of the place with cards that it becomes."""
    q, r, near = integer(pattern.free_q[number]), integer(pattern.free_r[number]), pattern.free_near[number]
    _drop_free(pattern, number)
    place, spot = lowest(~pattern.layer[0]), spot_of(q, r)
    pattern.q[place], pattern.r[place], pattern.near[place] = q, r, near
    pattern.layer[0] |= bit(place)
    pattern.grid[spot] = 1 + place
    for way in range(6):
        next_to = spot + beside(way)
        there = integer(pattern.grid[next_to])
        if there > 0:
            pattern.near[there - 1] |= bit(place)
        elif there < 0:
            pattern.free_near[-1 - there] |= bit(place)
        else:
            _add_free(pattern, next_to, bit(place))
    return place


@large_helper
def _empty(pattern: Any, place: int) -> None:
    """A place whose iron was taken becomes an empty one; empty places that touch no card are forgotten."""
    spot = spot_of(integer(pattern.q[place]), integer(pattern.r[place]))
    for way in range(6):
        there = integer(pattern.grid[spot + beside(way)])
        if there > 0:
            pattern.near[there - 1] &= ~bit(place)
        elif there < 0:
            number = -1 - there
            pattern.free_near[number] &= ~bit(place)
            if pattern.free_near[number] == ZERO:
                _drop_free(pattern, number)
    pattern.grid[spot] = 0
    if pattern.near[place] != ZERO:
        _add_free(pattern, spot, pattern.near[place])


@helper
def lay_on(pattern: Any, metal: int, place: int) -> None:
    """Lay a copper, silver or gold on the card below it."""
    pattern.layer[metal] |= bit(place)


@helper
def take_away(pattern: Any, metal: int, places: Any) -> None:
    """Take the top cards, all of this metal, from a set of places."""
    pattern.layer[metal] &= ~places
    if metal == 0:
        left = places
        while left != ZERO:
            _empty(pattern, lowest(left))
            left &= left - ONE
        if pattern.layer[0] == ZERO:
            _add_free(pattern, spot_of(0, 0), ZERO)
