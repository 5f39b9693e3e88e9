"""The best plays of a turn for an aim, found exactly: depth first over all plays, bounded (Furnace 4).

What cuts the tree, none of it at the cost of the best: a set of plays is looked at in one order only (its sum of hashes
is remembered); new melds are made in ascending order; a wild card that was laid in this turn is never taken back (the
card that would take its place could have been laid at once); and a board is left when all that its hand could still
bring would not reach the best found.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from alchemy_sim.core.bits import ZERO, integer, lowest, popcount
from alchemy_sim.core.jit import copy_record, helper, large_helper
from alchemy_sim.core.rng import GOLDEN, mix64
from alchemy_sim.games.furnace.match.board import (
    SUITS,
    Fill,
    Meld,
    Play,
    bit,
    kind_of,
    meld_of,
    place_at,
    position_of,
    value_at,
)
from alchemy_sim.games.furnace.match.options import list_plays
from alchemy_sim.games.furnace.match.plays import apply, may_stop
from alchemy_sim.games.furnace.match.view import DEPTH, LISTED, STEPS, VISITED
from alchemy_sim.games.furnace.names import TRUMP

#: Boards looked at in one turn at most. (Hands of four Jokers and more have too many plays; a turn says so.)
MOST_NODES = 100_000
#: What the highest card counts.
_MOST_VALUE = 11.0
_MEMORY, _STAMP = np.uint64(VISITED - 1), np.uint64(0xFFFF)


class Aim(IntEnum):
    """What a turn's plays are worth: the columns of a row of weights."""

    POINTS = 0  # a point of the own layout (or of what is played, `points_for`)
    STONES = 1  # a Stone earned
    GIVEN = 2  # a point given to another player
    CARDS = 3  # a card left in the hand
    NEEDED = 4  # a point up to those that qualify
    QUALIFIED = 5  # to qualify


@helper
def cards_left(board: Any) -> int:
    """Cards in the hand."""
    number = board.jokers
    for family in range(SUITS):
        number += popcount(board.held[family])
    return number


@helper
def points_needed(view: Any, board: Any, me: int) -> int:
    """Points that are missing to qualify."""
    return max(view.qualify - board.points[me], 0)


@helper
def worth(view: Any, start: Any, board: Any, me: int, aim: Any) -> float:
    """What the plays from `start` to `board` are worth."""
    gained = board.points[me] - start.points[me]
    given = 0
    for seat in range(view.players):
        if seat != me:
            given += board.points[seat] - start.points[seat]
    stones = board.from_bag + board.from_others
    needed = points_needed(view, start, me)
    total = aim[Aim.POINTS] * gained + aim[Aim.STONES] * stones + aim[Aim.GIVEN] * given
    total += aim[Aim.CARDS] * cards_left(board) + aim[Aim.NEEDED] * min(gained, needed)
    return total + (aim[Aim.QUALIFIED] if gained >= needed else 0.0)


@helper
def retrievers(view: Any, start: Any, board: Any, family: int) -> Any:
    """Places of a family's cards in the hand that could take a wild card which lay there when the turn began."""
    found = ZERO
    for meld in range(start.melds):
        wild = np.uint64(start.wild[meld])
        if start.kind[meld] == Meld.TRIAD:
            if wild != ZERO or np.uint64(start.reals[meld]) & bit(TRUMP):
                found |= bit(integer(start.family[meld]))
            continue
        wild |= np.uint64(start.trumps[meld])
        if integer(start.family[meld]) == family and wild != ZERO:
            for position in range(view.ranks + 1):
                if wild & bit(position):
                    found |= bit(place_at(view.ranks, position))
    return found & board.held[family]


@helper
def most_points(view: Any, start: Any, board: Any) -> float:
    """No fewer points than all that the hand can still bring: a card that takes a wild one may bring that one's."""
    total = _MOST_VALUE * board.jokers
    for family in range(SUITS):
        left = board.held[family]
        if left == ZERO:
            continue
        takes = retrievers(view, start, board, family)
        while left != ZERO:
            place = lowest(left)
            total += _MOST_VALUE if takes & bit(place) else value_at(view, place)
            left &= left - np.uint64(1)
    return total


@helper
def bound(view: Any, start: Any, board: Any, me: int, aim: Any) -> float:
    """No less than the worth of any board that can still be reached."""
    points, cards = most_points(view, start, board), cards_left(board)
    total = max(aim[Aim.POINTS], aim[Aim.GIVEN], 0.0) * points
    total += max(aim[Aim.STONES], 0.0) * ((cards + view.players) // 2)
    total += max(-aim[Aim.CARDS], 0.0) * cards
    gained, needed = board.points[me] - start.points[me], points_needed(view, start, me)
    total += max(aim[Aim.NEEDED], 0.0) * max(min(points, float(needed - gained)), 0.0)
    return total + (max(aim[Aim.QUALIFIED], 0.0) if gained < needed else 0.0)


@helper
def _later_meld(first_is_free: bool, plan: Any, depth: int, code: int) -> bool:
    """Whether a new meld stands behind the last one of the line in the order in which they are made.

    A player's first Run of the round may come before any: what follows may need what it allows.
    """
    made, last = 0, -1
    for step in range(depth):
        kind = kind_of(plan.line[step])
        if kind == Play.RUN or kind == Play.TRIAD:
            made += 1
            if not (first_is_free and made == 1):
                last = (plan.line[step] & 7) << 16 | plan.line[step]
    return ((code & 7) << 16 | code) >= last


@helper
def _taken_back(start: Any, code: int) -> bool:
    """Whether a play takes back a wild card that was laid in this turn."""
    meld, position = meld_of(code), position_of(code)
    if meld >= start.melds:
        return True
    if start.kind[meld] == Meld.TRIAD:
        there = start.wild[meld] > 0 if (code >> 12 & 3) == Fill.JOKER else start.reals[meld] >> TRUMP & 1 == 1
        return not there
    return not (start.wild[meld] | start.trumps[meld]) >> position & 1


@helper
def _new_search(plan: Any) -> None:
    """Forget the sets of plays of other searches: what is remembered carries the number of its search."""
    plan.stamp = (plan.stamp + np.uint64(1)) & _STAMP
    if plan.stamp == ZERO:
        plan.stamp = np.uint64(1)
        for place in range(VISITED):
            plan.visited[place] = ZERO


@helper
def _seen(plan: Any, key: Any) -> bool:
    """Whether a set of plays was looked at in this search; it is now."""
    place = key & _MEMORY
    mark = (key & ~_STAMP) | plan.stamp
    for _ in range(8):
        known = plan.visited[place]
        if known == mark:
            return True
        if known & _STAMP != plan.stamp:
            break
        place = (place + np.uint64(1)) & _MEMORY
    plan.visited[place] = mark
    return False


@helper
def list_at(view: Any, plan: Any, me: int, depth: int) -> int:
    """List the plays of the board at a depth."""
    return list_plays(view, plan.boards[depth], me, plan.codes[depth], LISTED)


@large_helper
def search(view: Any, me: int, aim: Any) -> float:
    """Write the best plays of the turn for an aim (weights by Aim) into the plan; what they are worth.

    The plan is ready afterwards; no step means to stop at once.
    """
    plan, start = view.plan, view.plan.boards[0]
    plan.ready, plan.next, plan.number, plan.nodes, plan.searched = 1, 0, 0, 0, 0
    plan.given_up = 0
    copy_record(view.board, start)
    best = worth(view, start, start, me, aim)
    number = list_at(view, plan, me, 0)
    if number == 0:
        return best
    plan.searched = 1
    _new_search(plan)
    first_is_free = start.started[me] == 0
    depth, keys, left = 0, plan.keys, plan.left
    left[0], keys[0] = number, ZERO
    while depth >= 0:
        if left[depth] == 0 or plan.nodes >= MOST_NODES:
            depth -= 1
            continue
        left[depth] -= 1
        code = integer(plan.codes[depth, left[depth]])
        kind = kind_of(code)
        if kind == Play.RETRIEVE:
            if _taken_back(start, code):
                continue
        elif kind != Play.EXTEND and not _later_meld(first_is_free, plan, depth, code):
            continue
        salt = np.uint64(1 if first_is_free and depth == 0 else 0)
        key = keys[depth] + mix64((np.uint64(code) + (salt << np.uint64(20))) * GOLDEN)
        if _seen(plan, key):
            continue
        board = plan.boards[depth + 1]
        copy_record(plan.boards[depth], board)
        apply(view, board, me, code)
        plan.line[depth] = code
        plan.nodes += 1
        now = worth(view, start, board, me, aim)
        if now > best and may_stop(view, board):
            best = now
            plan.number = depth + 1
            for step in range(depth + 1):
                plan.steps[step] = plan.line[step]
        if depth + 2 < DEPTH and now + bound(view, start, board, me, aim) > best:
            depth += 1
            keys[depth] = key
            left[depth] = list_at(view, plan, me, depth)
    plan.given_up = integer(plan.nodes >= MOST_NODES)
    return best


@helper
def next_step(view: Any) -> int:
    """The next play of a plan that is ready, Play.STOP behind the last."""
    plan = view.plan
    if plan.next >= min(plan.number, STEPS):
        return Play.STOP + 0
    plan.next += 1
    return plan.steps[plan.next - 1]
