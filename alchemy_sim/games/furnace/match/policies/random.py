"""The random player, as the rule page has it: every choice uniform and independent."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, kth, popcount
from alchemy_sim.core.jit import copy_record, helper, large_helper
from alchemy_sim.core.rng import below, draw
from alchemy_sim.core.room import stack_masks
from alchemy_sim.games.furnace.match.board import Play, kind_of, meld_of
from alchemy_sim.games.furnace.match.options import MOST_PLAYS, list_plays
from alchemy_sim.games.furnace.match.plays import apply
from alchemy_sim.games.furnace.match.table import Ask
from alchemy_sim.games.furnace.match.view import POLICIES
from alchemy_sim.games.furnace.names import JOKER


@helper
def needs_another(view: Any, board: Any, code: int) -> int:
    """What a play obliges to: 0 nothing, 1 to use the card taken, 2 to put a second card onto the same layout."""
    kind = kind_of(code)
    if kind == Play.RETRIEVE:
        return 1
    lonely = view.single_extension == 1 and kind == Play.EXTEND and board.extended[board.owner[meld_of(code)]] == 0
    return 2 if lonely else 0


@helper
def completes(view: Any, before: Any, code: int, then: int, duty: int) -> bool:
    """Whether `then` does, after `code` was played, what it obliges to (and nothing that obliges again)."""
    if duty == 2:
        same = kind_of(then) == Play.EXTEND and before.owner[meld_of(then)] == before.owner[meld_of(code)]
        return same
    if kind_of(then) == Play.RETRIEVE or needs_another(view, before, then) > 0:
        return False
    after = view.plan.boards[1]
    copy_record(before, after)
    apply(view, after, view.me, then)
    return after.owed_jokers == 0 and after.owed_trumps == ZERO


@large_helper
def pick(view: Any, wanted: int) -> int:
    """The single play number `wanted` into the plan; with -1 only how many there are."""
    codes, seconds = stack_masks(MOST_PLAYS), stack_masks(MOST_PLAYS)
    board, plan, number = view.board, view.plan, 0
    for which in range(list_plays(view, board, view.me, codes, MOST_PLAYS)):
        code = integer(codes[which])
        duty = needs_another(view, board, code)
        if duty == 0:
            if number == wanted:
                plan.steps[0] = code
                plan.number = 1
                return number
            number += 1
            continue
        after = plan.boards[0]
        copy_record(board, after)
        apply(view, after, view.me, code)
        for other in range(list_plays(view, after, view.me, seconds, MOST_PLAYS)):
            then = integer(seconds[other])
            if completes(view, after, code, then, duty):
                if number == wanted:
                    plan.steps[0], plan.steps[1] = code, then
                    plan.number = 2
                    return number
                number += 1
    return number


@helper
def random_play(view: Any) -> int:
    """Of all legal single plays and stopping one, each as likely; what a play obliges to goes with it."""
    plan = view.plan
    if plan.ready and plan.next < plan.number:
        plan.next += 1
        return plan.steps[plan.next - 1]
    number = pick(view, -1)
    wanted = below(draw(view.source, 0), number + 1)
    if wanted == number:
        return Play.STOP + 0
    pick(view, wanted)
    plan.ready, plan.next = 1, 1
    return plan.steps[0]


@helper
def random_pair(view: Any) -> int:
    """A uniform choice of cards that are not Jokers."""
    places, chosen = ZERO, ZERO
    for place in range(view.hand):
        if view.cards[place] != JOKER:
            places |= ONE << np.uint64(place)
    for which in range(view.kept):
        place = kth(places, below(draw(view.source, which), popcount(places)))
        chosen |= ONE << np.uint64(place)
        places &= ~chosen
    return integer(chosen)


@POLICIES.declare
def random_player(view: Any) -> int:
    """Answer any question uniformly at random."""
    if view.ask == Ask.PLAY:
        return random_play(view)
    if view.ask == Ask.DISCARD:
        return below(draw(view.source, 0), view.hand)
    if view.ask == Ask.FORCE:
        bits = draw(view.source, 0)
        if below(bits, 2) == 0:
            return 0
        low = view.min_bet
        return low + below(draw(view.source, 1), view.board.stones[view.me] - low + 1)
    if view.ask == Ask.CALL:
        return below(draw(view.source, 0), 2)
    return random_pair(view)
