"""What the plays of a turn are worth to a player: a sum of six numbers, each with a weight (`[weights.NAME]`)."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from alchemy_sim.core.bits import popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.furnace.match.board import SUITS


class Aim(IntEnum):
    """The columns of a row of weights."""

    POINTS = 0  # a point gained (`points_for`)
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
def points_needed(view: Any, start: Any, me: int) -> int:
    """Points that are missing to qualify when the turn begins."""
    return max(view.qualify - start.points[me], 0)


@helper
def gain(aim: Any, points: float, needed: int) -> float:
    """What gaining so many points is worth to a player who needs so many to qualify."""
    total = aim[Aim.POINTS] * points + aim[Aim.NEEDED] * min(points, needed)
    return total + (aim[Aim.QUALIFIED] if points >= needed else 0.0)


@helper
def worth(view: Any, start: Any, board: Any, me: int, aim: Any) -> float:
    """What the plays from `start` to `board` are worth."""
    given = 0
    for seat in range(view.players):
        if seat != me:
            given += board.points[seat] - start.points[seat]
    total = gain(aim, board.points[me] - start.points[me], points_needed(view, start, me))
    total += aim[Aim.STONES] * (board.from_bag + board.from_others) + aim[Aim.GIVEN] * given
    return total + aim[Aim.CARDS] * cards_left(board)
