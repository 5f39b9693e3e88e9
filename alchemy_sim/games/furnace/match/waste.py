"""Plays that waste a wild card: another set of plays, looked at before, comes to the same without them (Furnace 4).

Where a Joker is laid although the hand has the card it stands for, the two can change places: the card is laid now, and
the Joker wherever the card would have been laid later, or stays in the hand. That set is looked at earlier, for lists
have the card before the Joker. The same holds for a Trump in a Run. Not so where the other set might not be legal:
where the card can take a wild one from a layout, three Jokers could come together in a meld, the wild card was
taken and has to be played, or a Triad has a Trump already. In Triads it goes for cards only that no Run can use.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ZERO, integer, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.furnace.match.board import (
    SUITS,
    Fill,
    Meld,
    Play,
    bit,
    fill_of,
    kind_of,
    meld_of,
    place_at,
    position_of,
    run_family,
    run_fill,
    run_low,
    triad_place,
    triad_reals,
)
from alchemy_sim.games.furnace.names import TRUMP


@helper
def note_idle(view: Any, plan: Any, start: Any) -> None:
    """Work out, once a turn, which cards take no wild one (`patient`), and which of these no Run can use (`idle`)."""
    for family in range(SUITS):
        takes = plan.take_joker[family] | plan.take_trump[family]
        runs = plan.free_runs[family] | plan.one_joker[family] | plan.more_jokers[family]
        plan.patient[family] = start.held[family] & ~takes
        plan.idle[family] = plan.patient[family] & ~runs
    plan.idle[TRUMP] = plan.triads_with_trump = ZERO
    for meld in range(start.melds):
        if start.kind[meld] == Meld.TRIAD and start.reals[meld] >> TRUMP & 1:
            plan.triads_with_trump |= bit(integer(start.family[meld]))


@helper
def _wasted_in_run(view: Any, board: Any, family: int, position: int, fill: int, spare: bool) -> bool:
    """Whether a wild card at a position of a Run stands for a card of the hand."""
    plan, place = view.plan, place_at(view.ranks, position)
    if fill == Fill.NATURAL or not board.held[family] & plan.patient[family] & bit(place):
        return False
    if fill == Fill.JOKER:
        return spare
    return not (board.owed_trumps | plan.triads_with_trump) & bit(place)


@helper
def _wasted_in_triad(view: Any, board: Any, place: int, reals: Any) -> bool:
    """Whether a Joker in a Triad with these real cards stands for one of the hand that has no other use."""
    for family in range(view.families):
        if board.held[family] & view.plan.idle[family] & bit(place) and not reals & bit(family):
            return True
    return False


@helper
def wasteful(view: Any, board: Any, code: int) -> bool:
    """Whether a legal play wastes a wild card."""
    kind = kind_of(code)
    spare = board.owed_jokers == 0 and board.jokers + view.plan.jokers_there < 3
    if kind == Play.RUN:
        family, low = run_family(code), run_low(code)
        for card in range(3):
            if _wasted_in_run(view, board, family, low + card, run_fill(code, card), spare):
                return True
        return False
    if kind == Play.TRIAD:
        if not spare or popcount(np.uint64(triad_reals(code))) == 3:
            return False
        return _wasted_in_triad(view, board, triad_place(code), np.uint64(triad_reals(code)))
    if kind != Play.EXTEND:
        return False
    meld, fill = meld_of(code), fill_of(code)
    family = integer(board.family[meld])
    if board.kind[meld] == Meld.RUN:
        return _wasted_in_run(view, board, family, position_of(code), fill, spare)
    return spare and fill == Fill.JOKER and _wasted_in_triad(view, board, family, np.uint64(board.reals[meld]))
