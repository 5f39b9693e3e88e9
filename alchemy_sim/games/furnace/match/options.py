"""All legal single plays of a turn, listed (Furnace 4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ZERO, integer, popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.games.furnace.match.board import (
    MOST_MELDS,
    Fill,
    Meld,
    bit,
    extend_code,
    highest_position,
    lowest_position,
    place_at,
    retrieve_code,
    run_code,
    triad_code,
)
from alchemy_sim.games.furnace.match.plays import families_in_triads
from alchemy_sim.games.furnace.names import TRUMP

#: Room for the plays of one turn.
MOST_PLAYS = 4096


@helper
def positions_of(view: Any, places: Any) -> Any:
    """Places of one family as positions of a Run: one up, the Ace at either end that `ace` allows."""
    top = bit(view.ranks - 1)
    positions = (places & ~top) << np.uint64(1)
    if places & top:
        if view.ace != 1:
            positions |= bit(0)
        if view.ace != 2:
            positions |= bit(view.ranks)
    return positions


@helper
def add(codes: Any, room: int, number: int, code: int) -> int:
    """Append a code if there is room; the new number."""
    if number < room:
        codes[number] = code
        return number + 1
    return number


@helper
def _list_runs(view: Any, board: Any, codes: Any, room: int, number: int) -> int:
    trumps = positions_of(view, board.held[TRUMP])
    jokers = min(board.jokers, 2)
    for family in range(TRUMP + 1):
        if family < TRUMP and family >= view.families:
            continue
        natural = positions_of(view, board.held[family])
        wild = ZERO if family == TRUMP else trumps
        there = natural | wild
        if there == ZERO:
            continue
        for low in range(lowest_position(view), highest_position(view) - 1):
            missing = 3 - popcount((there >> np.uint64(low)) & np.uint64(7))
            if missing > jokers:
                continue
            for one in range(3):
                if not _fills(natural, wild, jokers, low, one):
                    continue
                for two in range(3):
                    if not _fills(natural, wild, jokers, low + 1, two):
                        continue
                    for three in range(3):
                        used = (one == Fill.JOKER) + (two == Fill.JOKER) + (three == Fill.JOKER)
                        if used <= jokers and _fills(natural, wild, jokers, low + 2, three):
                            number = add(codes, room, number, run_code(family, low, one, two, three))
    return number


@helper
def _fills(natural: Any, wild: Any, jokers: int, position: int, fill: int) -> bool:
    if fill == Fill.JOKER:
        return jokers > 0
    return (natural if fill == Fill.NATURAL else wild) & bit(position) != ZERO


@helper
def families_of(board: Any, place: int) -> Any:
    """The families (5: the Trump) of which the hand has the card of a place, as a mask."""
    found = ZERO
    for family in range(TRUMP + 1):
        found |= ((board.held[family] >> np.uint64(place)) & np.uint64(1)) << np.uint64(family)
    return found


@helper
def _list_triads(view: Any, board: Any, codes: Any, room: int, number: int) -> int:
    if families_in_triads(view) < 3:
        return number
    for place in range(view.ranks):
        there = families_of(board, place)
        if there == ZERO or popcount(there) + board.jokers < 3:
            continue
        chosen = there  # all subsets of the families held
        while chosen != ZERO:
            size = popcount(chosen)
            if size <= 3 and 3 - size <= board.jokers:
                number = add(codes, room, number, triad_code(place, integer(chosen)))
            chosen = (chosen - np.uint64(1)) & there
    return number


@helper
def _list_extensions(view: Any, board: Any, codes: Any, room: int, number: int) -> int:
    for meld in range(board.melds):
        family = integer(board.family[meld])
        if board.kind[meld] == Meld.TRIAD:
            reals = np.uint64(board.reals[meld])
            if popcount(reals) + integer(board.wild[meld]) < families_in_triads(view):
                for each in range(TRUMP + 1):
                    if not reals & bit(each) and board.held[each] & bit(family):
                        number = add(codes, room, number, extend_code(meld, each, Fill.NATURAL))
                if board.jokers > 0:
                    number = add(codes, room, number, extend_code(meld, 0, Fill.JOKER))
            continue
        low, high = integer(board.low[meld]), integer(board.high[meld])
        if high - low + 2 > view.ranks:
            continue
        for end in range(2):
            position = low - 1 if end == 0 else high + 1
            if position < lowest_position(view) or position > highest_position(view):
                continue
            place = place_at(view.ranks, position)
            if board.held[family] & bit(place):
                number = add(codes, room, number, extend_code(meld, position, Fill.NATURAL))
            if family != TRUMP and board.held[TRUMP] & bit(place):
                number = add(codes, room, number, extend_code(meld, position, Fill.TRUMP))
            if board.jokers > 0:
                number = add(codes, room, number, extend_code(meld, position, Fill.JOKER))
    return number


@helper
def _list_retrievals(view: Any, board: Any, codes: Any, room: int, number: int) -> int:
    for meld in range(board.melds):
        family = integer(board.family[meld])
        wild, trumps = np.uint64(board.wild[meld]), np.uint64(board.trumps[meld])
        if board.kind[meld] == Meld.TRIAD:
            reals = np.uint64(board.reals[meld])
            for each in range(TRUMP):
                if reals & bit(each) or not board.held[each] & bit(family):
                    continue
                if wild != ZERO:
                    number = add(codes, room, number, retrieve_code(meld, each, Fill.JOKER))
                if reals & bit(TRUMP):
                    number = add(codes, room, number, retrieve_code(meld, each, Fill.TRUMP))
            continue
        if wild | trumps == ZERO:
            continue
        usable = board.held[family] & ~board.owed_trumps if family == TRUMP else board.held[family]
        correct = positions_of(view, usable) & (wild | trumps)
        for position in range(view.ranks + 1):
            if correct & bit(position):
                fill = Fill.JOKER if wild & bit(position) else Fill.TRUMP
                number = add(codes, room, number, retrieve_code(meld, position, fill + 0))
    return number


@large_helper
def list_plays(view: Any, board: Any, me: int, codes: Any, room: int) -> int:
    """Write the codes of all legal single plays into `codes`, which has so much room; how many they are."""
    number = 0
    if board.melds < MOST_MELDS:
        number = _list_runs(view, board, codes, room, number)
    if not board.started[me]:
        return number
    if board.melds < MOST_MELDS:
        number = _list_triads(view, board, codes, room, number)
    number = _list_extensions(view, board, codes, room, number)
    return _list_retrievals(view, board, codes, room, number)
