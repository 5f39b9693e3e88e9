"""The plays of a turn (Furnace 4): which are legal, and what they do to the board.

`view` has the rules, `board` the layouts and the hand of the acting player `me`. A code (see `board`) says all of a
play.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.games.furnace.match.board import (
    MOST_MELDS,
    Fill,
    Meld,
    Play,
    bit,
    bits_of,
    fill_of,
    highest_position,
    kind_of,
    lowest_position,
    meld_of,
    place_at,
    position_of,
    run_family,
    run_fill,
    run_low,
    triad_place,
    triad_reals,
    value_at,
)
from alchemy_sim.games.furnace.names import TRUMP


@helper
def has(board: Any, family: int, place: int) -> bool:
    """Whether the hand holds a card (family 5: a Trump)."""
    return board.held[family] & bit(place) != ZERO


@helper
def can_fill(view: Any, board: Any, family: int, position: int, fill: int) -> bool:
    """Whether the hand has what fills a position of a Run of a family in this way."""
    if fill == Fill.JOKER:
        return board.jokers > 0
    place = place_at(view.ranks, position)
    if fill == Fill.NATURAL:
        return has(board, family, place)
    return family != TRUMP and has(board, TRUMP, place)


@helper
def families_in_triads(view: Any) -> int:
    """The most cards a Triad can have: one of each family, and the Trump."""
    return view.families + view.trumps


@large_helper
def legal(view: Any, board: Any, me: int, code: int) -> bool:
    """Whether a play is legal now. (Stopping is not judged here: see `may_stop`.)"""
    kind = kind_of(code)
    if code < 0 or code >> bits_of(kind) or kind > Play.RETRIEVE or kind == Play.STOP:
        return False
    if kind == Play.RUN:
        return _legal_run(view, board, code)
    if not board.started[me]:
        return False
    if kind == Play.TRIAD:
        return _legal_triad(view, board, code)
    meld = meld_of(code)
    if meld >= board.melds:
        return False
    if kind == Play.EXTEND:
        return _legal_extension(view, board, meld, position_of(code), fill_of(code))
    return _legal_retrieval(view, board, meld, position_of(code), fill_of(code))


@helper
def _legal_run(view: Any, board: Any, code: int) -> bool:
    family, low = run_family(code), run_low(code)
    if family > TRUMP or (family < TRUMP and family >= view.families) or board.melds >= MOST_MELDS:
        return False
    if low < lowest_position(view) or low + 2 > highest_position(view):
        return False
    jokers = 0
    for card in range(3):
        fill = run_fill(code, card)
        if fill > Fill.JOKER or not can_fill(view, board, family, low + card, fill):
            return False
        jokers += fill == Fill.JOKER
    return jokers <= min(board.jokers, 2)


@helper
def _legal_triad(view: Any, board: Any, code: int) -> bool:
    place, reals = triad_place(code), np.uint64(triad_reals(code))
    number = popcount(reals)
    if place >= view.ranks or not 1 <= number <= 3 or 3 - number > board.jokers or board.melds >= MOST_MELDS:
        return False
    for family in range(TRUMP + 1):
        if reals & bit(family) and not has(board, family, place):
            return False
    return families_in_triads(view) >= 3


@helper
def _legal_extension(view: Any, board: Any, meld: int, position: int, fill: int) -> bool:
    if fill > Fill.JOKER:
        return False
    if board.kind[meld] == Meld.TRIAD:
        reals = np.uint64(board.reals[meld])
        if popcount(reals) + integer(board.wild[meld]) >= families_in_triads(view):
            return False
        if fill == Fill.JOKER:
            return board.jokers > 0 and position == 0
        known = fill == Fill.NATURAL and position <= TRUMP
        return known and not reals & bit(position) and has(board, position, integer(board.family[meld]))
    low, high = integer(board.low[meld]), integer(board.high[meld])
    at_an_end = position == low - 1 or position == high + 1
    if not at_an_end or high - low + 2 > view.ranks:
        return False
    if position < lowest_position(view) or position > highest_position(view):
        return False
    return can_fill(view, board, integer(board.family[meld]), position, fill)


@helper
def _legal_retrieval(view: Any, board: Any, meld: int, position: int, fill: int) -> bool:
    if board.kind[meld] == Meld.TRIAD:
        reals = np.uint64(board.reals[meld])
        there = board.wild[meld] > 0 if fill == Fill.JOKER else fill == Fill.TRUMP and reals & bit(TRUMP) != ZERO
        fits = position < TRUMP and not reals & bit(position)
        return there and fits and has(board, position, integer(board.family[meld]))
    if fill != Fill.JOKER and fill != Fill.TRUMP:
        return False
    mask = board.wild[meld] if fill == Fill.JOKER else board.trumps[meld]
    there = np.uint64(mask) & bit(position) != ZERO
    return there and may_replace(board, integer(board.family[meld]), place_at(view.ranks, position))


@helper
def may_replace(board: Any, family: int, place: int) -> bool:
    """Whether the hand has the correct card of a Run's place; a Trump just taken goes into a meld, so it is none."""
    return has(board, family, place) and not (family == TRUMP and board.owed_trumps & bit(place) != ZERO)


@helper
def may_stop(view: Any, board: Any) -> bool:
    """Whether the turn may end: cards taken are played again, and no player's layout got a single card if forbidden."""
    if board.owed_jokers > 0 or board.owed_trumps != ZERO:
        return False
    if view.single_extension == 1:
        for seat in range(view.players):
            if board.extended[seat] == 1:
                return False
    return True


@helper
def _spend(board: Any, family: int, place: int) -> None:
    """Take a card out of the hand; a Trump that was owed is played with it."""
    board.held[family] ^= bit(place)
    if family == TRUMP:
        board.owed_trumps &= ~bit(place)


@helper
def _spend_joker(board: Any) -> None:
    board.jokers -= 1
    if board.owed_jokers > 0:
        board.owed_jokers -= 1


@helper
def _lay(view: Any, board: Any, me: int, meld: int, place: int) -> None:
    """Count the points of a card laid on a meld (`points_for`)."""
    who = me if view.points_for == 1 else integer(board.owner[meld])
    board.points[who] += value_at(view, place)


@helper
def _put(view: Any, board: Any, me: int, meld: int, position: int, fill: int) -> None:
    """Put a card from the hand at a position of a Run."""
    family, place = integer(board.family[meld]), place_at(view.ranks, position)
    if fill == Fill.JOKER:
        _spend_joker(board)
        board.wild[meld] |= np.uint16(1 << position)
    elif fill == Fill.TRUMP:
        _spend(board, TRUMP, place)
        board.trumps[meld] |= np.uint16(1 << position)
    else:
        _spend(board, family, place)
    _lay(view, board, me, meld, place)


@helper
def _new_meld(board: Any, me: int, kind: int) -> int:
    meld = board.melds
    board.melds += 1
    board.kind[meld] = kind
    board.owner[meld] = me
    board.trumps[meld] = board.wild[meld] = board.reals[meld] = 0
    board.low[meld] = board.high[meld] = 0
    return meld


@helper
def earn(view: Any, board: Any, me: int, owner: int) -> int:
    """The Stone that a card put onto a player's layout earns: 0 none, 1 from the bag, 2 from that player."""
    number = board.extended[owner]
    due = number % 2 == 0 if view.stones_a_turn == 0 else number == 2
    if not due:
        return 0
    if owner == me:
        if board.bag == 0:
            return 0
        board.bag -= 1
        board.from_bag += 1
        board.stones[me] += 1
        return 1
    if board.stones[owner] == 0:
        return 0
    board.stones[owner] -= 1
    board.from_others += 1
    board.stones[me] += 1
    return 2


@large_helper
def apply(view: Any, board: Any, me: int, code: int) -> int:
    """Make a legal play. Returns where a Stone came from: 0 nowhere, 1 the bag, 2 the layout's owner."""
    kind = kind_of(code)
    if kind == Play.RUN:
        meld, low = _new_meld(board, me, Meld.RUN), run_low(code)
        board.family[meld] = run_family(code)
        board.low[meld], board.high[meld] = low, low + 2
        for card in range(3):
            _put(view, board, me, meld, low + card, run_fill(code, card))
        board.started[me] = 1
        return 0
    if kind == Play.TRIAD:
        meld, place, reals = _new_meld(board, me, Meld.TRIAD), triad_place(code), triad_reals(code)
        board.family[meld] = place
        board.reals[meld] = reals
        for family in range(TRUMP + 1):
            if reals >> family & 1:
                _spend(board, family, place)
        jokers = 3 - popcount(np.uint64(reals))
        board.wild[meld] = jokers
        for _ in range(jokers):
            _spend_joker(board)
        for _ in range(3):
            _lay(view, board, me, meld, place)
        return 0
    meld, position, fill = meld_of(code), position_of(code), fill_of(code)
    if kind == Play.EXTEND:
        if board.kind[meld] == Meld.RUN:
            _put(view, board, me, meld, position, fill)
            board.low[meld] = min(integer(board.low[meld]), position)
            board.high[meld] = max(integer(board.high[meld]), position)
        else:
            place = integer(board.family[meld])
            if fill == Fill.JOKER:
                _spend_joker(board)
                board.wild[meld] += np.uint16(1)
            else:
                _spend(board, position, place)
                board.reals[meld] |= np.uint16(1 << position)
            _lay(view, board, me, meld, place)
        owner = integer(board.owner[meld])
        board.extended[owner] += 1
        return earn(view, board, me, owner)
    _retrieve(view, board, meld, position, fill)
    return 0


@helper
def _retrieve(view: Any, board: Any, meld: int, position: int, fill: int) -> None:
    """Put the correct card in the place of a wild one, which comes into the hand and is owed."""
    if board.kind[meld] == Meld.TRIAD:
        place = integer(board.family[meld])
        board.held[position] ^= bit(place)
        board.reals[meld] |= np.uint16(1 << position)
        if fill == Fill.JOKER:
            board.wild[meld] -= np.uint16(1)
        else:
            board.reals[meld] ^= np.uint16(1 << TRUMP)
    else:
        place = place_at(view.ranks, position)
        board.held[integer(board.family[meld])] ^= bit(place)
        if fill == Fill.JOKER:
            board.wild[meld] ^= np.uint16(1 << position)
        else:
            board.trumps[meld] ^= np.uint16(1 << position)
    if fill == Fill.JOKER:
        board.jokers += 1
        board.owed_jokers += 1
    else:
        board.held[TRUMP] |= bit(place)
        board.owed_trumps |= ONE << np.uint64(place)
