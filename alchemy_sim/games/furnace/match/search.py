"""The best plays of a turn for an aim, found exactly: depth first over sets of plays, bounded (Furnace 4).

Each set of plays is looked at once. At a board the plays are tried one after the other; below a play only those behind
it in the list are tried, and those that it opens: a set that has one of those before it was looked at there. Sets that
come to the same are left out: a new Run is begun at its low end and grows at its high end, a new Triad is begun with
all the real cards that a Joker could be changed for, a wild card that was laid in this turn is never taken back (the
card that would take its place could have been laid at once). And a board is left when what can still be played there
(`bound`) would not make it better than the best one found.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import highest, integer, lowest
from alchemy_sim.core.jit import copy_record, helper, large_helper
from alchemy_sim.games.furnace.match.aims import worth
from alchemy_sim.games.furnace.match.board import (
    Fill,
    Meld,
    Play,
    extend_code,
    fill_of,
    kind_of,
    meld_of,
    position_of,
    run_family,
)
from alchemy_sim.games.furnace.match.bound import ANY, HIGHEST_VALUE, bound, joker_value, zone_of
from alchemy_sim.games.furnace.match.options import list_plays
from alchemy_sim.games.furnace.match.plays import apply, legal, may_stop
from alchemy_sim.games.furnace.match.reach import note_reach
from alchemy_sim.games.furnace.match.view import DEPTH, GROUPS, LISTED, STEPS, WAITING
from alchemy_sim.games.furnace.match.waste import note_idle, wasteful
from alchemy_sim.games.furnace.names import TRUMP

#: Boards looked at in one turn at most; a turn that has more says so (`plan.given_up`).
MOST_NODES = 1_000_000
#: Sums of weights differ by less than this when they are the same.
_SAME = 1e-9
#: More than any plays of a turn are worth.
_FIRST = 1e6
#: Groups of plays behind the zones: cards taken, and first Runs of a round by family.
_TAKEN, _OPENING = 20, 21


@helper
def _taken_back(start: Any, code: int) -> bool:
    """Whether a play takes back a wild card that was laid in this turn."""
    meld, position = meld_of(code), position_of(code)
    if meld >= start.melds:
        return True
    if start.kind[meld] == Meld.TRIAD:
        there = start.wild[meld] > 0 if fill_of(code) == Fill.JOKER else start.reals[meld] >> TRUMP & 1 == 1
        return not there
    return not (start.wild[meld] | start.trumps[meld]) >> position & 1


@helper
def _needless(view: Any, start: Any, board: Any, code: int) -> bool:
    """Whether another set of plays comes to the same as any with this legal play."""
    return _taken_back(start, code) if kind_of(code) == Play.RETRIEVE else wasteful(view, board, code)


@helper
def _push(plan: Any, end: int, code: int) -> int:
    """Add a play to those of the board that is being listed; the new end."""
    if end < WAITING:
        plan.codes[end] = code
        return end + 1
    plan.given_up = 1
    return end


@helper
def _push_legal(view: Any, board: Any, me: int, end: int, code: int) -> int:
    return _push(view.plan, end, code) if legal(view, board, me, code) else end


@helper
def _push_end(view: Any, board: Any, me: int, end: int, meld: int, position: int) -> int:
    """The cards that can be put at an end of a Run."""
    for fill in range(3):
        end = _push_legal(view, board, me, end, extend_code(meld, position, fill))
    return end


@helper
def _open_run(view: Any, start: Any, board: Any, me: int, meld: int, end: int) -> int:
    """What a new Run opens. Its low end grows only by the third Joker in a row, which it can't be begun with.

    (The first Run of a round can't be begun with cards that are taken either.)
    """
    low, high = integer(board.low[meld]), integer(board.high[meld])
    end = _push_end(view, board, me, end, meld, high + 1)
    if start.started[me] == 0 and meld == start.melds:
        end = _push_end(view, board, me, end, meld, low - 1)
    elif (board.wild[meld] >> low & 3) == 3:
        end = _push_legal(view, board, me, end, extend_code(meld, low - 1, Fill.JOKER + 0))
    return end


@helper
def _open_triad(view: Any, board: Any, me: int, meld: int, end: int) -> int:
    """What a new Triad opens: families behind those it has, and Jokers; nothing but Jokers if it has one."""
    if board.wild[meld] == 0:
        for family in range(highest(np.uint64(board.reals[meld])) + 1, TRUMP + 1):
            end = _push_legal(view, board, me, end, extend_code(meld, family, Fill.NATURAL + 0))
    return _push_legal(view, board, me, end, extend_code(meld, 0, Fill.JOKER + 0))


@helper
def _open_extension(view: Any, start: Any, board: Any, me: int, code: int, end: int) -> int:
    """What a card put onto a meld opens: the next place of a Run, another Joker in a Triad."""
    meld, position = meld_of(code), position_of(code)
    if board.kind[meld] == Meld.TRIAD:
        return _push_legal(view, board, me, end, code) if fill_of(code) == Fill.JOKER else end
    if position == board.high[meld]:
        return _push_end(view, board, me, end, meld, position + 1)
    first = start.started[me] == 0 and meld == start.melds
    if meld < start.melds or first:
        return _push_end(view, board, me, end, meld, position - 1)
    return _push_legal(view, board, me, end, extend_code(meld, position - 1, Fill.JOKER + 0))


@helper
def _open_all(view: Any, parent: Any, board: Any, me: int, end: int) -> int:
    """Every play that is legal now and was not before."""
    plan = view.plan
    number = list_plays(view, board, me, plan.listed, LISTED)
    plan.given_up |= number == LISTED
    for which in range(number):
        code = integer(plan.listed[which])
        if not legal(view, parent, me, code):
            end = _push(plan, end, code)
    return end


@helper
def _open(view: Any, start: Any, depth: int, me: int, code: int) -> int:
    """List what a play opened on the board of a depth; the end of the list."""
    plan = view.plan
    parent, board, kind = plan.boards[depth - 1], plan.boards[depth], kind_of(code)
    end = plan.first[depth]
    if kind == Play.RUN:
        return _open_run(view, start, board, me, board.melds - 1, end)
    if kind == Play.TRIAD:
        return _open_triad(view, board, me, board.melds - 1, end)
    if kind == Play.EXTEND:
        return _open_extension(view, start, board, me, code, end)
    return _open_all(view, parent, board, me, end)


@helper
def _skip_empty(plan: Any, depth: int) -> None:
    """Where the plays of a list are all tried, go on with the list that the board had before."""
    while plan.tried_of[depth] >= 0 and plan.tried[depth] == plan.end[plan.tried_of[depth]]:
        of = plan.tried_of[depth]
        plan.tried[depth], plan.tried_of[depth] = plan.rest[of], plan.rest_of[of]


@helper
def _enter(view: Any, start: Any, depth: int, me: int, code: int) -> None:
    """Get the board of a depth, which a play has made, ready to be searched."""
    plan, board = view.plan, view.plan.boards[depth]
    plan.first[depth] = plan.end[depth - 1]
    end = _open(view, start, depth, me, code)
    zones, joker, of = 0, 0, plan.tried_of[depth - 1]
    if of >= 0:
        zones, joker = integer(plan.zones[plan.tried[depth - 1]]), integer(plan.joker[plan.tried[depth - 1]])
    plan.rest[depth], plan.rest_of[depth] = plan.tried[depth - 1], of
    _list_zones(view, board, me, depth, end, zones, joker)


@helper
def _list_zones(view: Any, board: Any, me: int, depth: int, end: int, zones: int, joker: int) -> None:
    """Note zones, and what a Joker can count, of each play opened at a depth and of all behind it."""
    plan = view.plan
    plan.end[depth] = end
    for back in range(end - plan.first[depth]):
        which = end - 1 - back
        code = integer(plan.codes[which])
        zones |= zone_of(board, code)
        joker = max(joker, joker_value(view, board, code))
        plan.zones[which], plan.joker[which] = zones, joker
    plan.tried[depth], plan.tried_of[depth] = plan.first[depth], depth
    _skip_empty(plan, depth)


@helper
def _group_of(board: Any, code: int, opens: bool) -> int:
    """The group in which a play of the first board is tried: its zone, or cards taken, or Runs that must come first."""
    if opens:
        return _OPENING + run_family(code)
    return _TAKEN if kind_of(code) == Play.RETRIEVE else lowest(np.uint64(zone_of(board, code)))


@helper
def _list_root(view: Any, start: Any, me: int, aim: Any) -> int:
    """List all plays of the first board in the order in which they are tried; how many.

    Before a player's first Run all the others are there too, behind the Runs: they come to be legal. Then come cards
    taken from layouts, for without them zones tell more; then zone after zone, so that one after the other is done
    with; among zones, and first in each, what is worth most.
    """
    plan, child, started = view.plan, view.plan.boards[1], start.started[me]
    if not started and list_plays(view, start, me, plan.listed, LISTED) == 0:
        return 0
    start.started[me] = 1
    number = list_plays(view, start, me, plan.listed, LISTED)
    plan.given_up |= number == LISTED
    for group in range(GROUPS):
        plan.group_size[group] = 0
        plan.group_worth[group] = -_FIRST
    for which in range(number):
        code = integer(plan.listed[which])
        group = _group_of(start, code, not started and kind_of(code) == Play.RUN)
        value = _FIRST
        if wasteful(view, start, code):
            value = -_FIRST / 2  # the first of a group must not be one of these
        elif group != _TAKEN:
            copy_record(start, child)
            apply(view, child, me, code)
            value = worth(view, start, child, me, aim) + (2 * _FIRST if group >= _OPENING else 0.0)
        plan.group_size[group] += 1
        if value > plan.group_worth[group]:
            plan.group_worth[group], plan.group_first[group] = value, which
    start.started[me] = started
    end = 0
    while end < number:
        best = 0
        for group in range(GROUPS):
            if plan.group_worth[group] > plan.group_worth[best]:
                best = group
        plan.group_worth[best] = -2 * _FIRST
        plan.codes[end] = plan.listed[plan.group_first[best]]
        plan.group_at[best] = end + 1
        end += plan.group_size[best]
    for which in range(number):
        code = integer(plan.listed[which])
        group = _group_of(start, code, not started and kind_of(code) == Play.RUN)
        if plan.group_first[group] != which:
            plan.codes[plan.group_at[group]] = code
            plan.group_at[group] += 1
    return number


@helper
def _keep(plan: Any, depth: int) -> None:
    """Keep the line of plays down to a depth as the plan."""
    plan.number = depth + 1
    for step in range(depth + 1):
        plan.steps[step] = plan.line[step]


@helper
def _note_bound(plan: Any, depth: int, zones: int, joker: int, most: float) -> None:
    """Remember the bound of a depth's board: it is the same until plays that are left lie in fewer zones."""
    plan.bound_zones[depth], plan.bound_joker[depth], plan.bound[depth] = zones, joker, most


@large_helper
def search(view: Any, me: int, aim: Any) -> float:
    """Write the best plays of the turn for an aim (weights by Aim) into the plan; what they are worth.

    The plan is ready afterwards; no step means to stop at once.
    """
    plan, start = view.plan, view.plan.boards[0]
    plan.ready, plan.next, plan.number, plan.nodes, plan.searched, plan.given_up = 1, 0, 0, 0, 0, 0
    copy_record(view.board, start)
    best = worth(view, start, start, me, aim)
    note_reach(view, plan, start)
    if bound(view, start, start, me, aim, best, ANY + 0, HIGHEST_VALUE + 0, 0) <= best + _SAME:
        return best
    note_idle(view, plan, start)
    number = _list_root(view, start, me, aim)
    if number == 0:
        return best
    plan.searched = 1
    plan.first[0] = plan.helped[0] = 0
    plan.rest_of[0], plan.worth[0], plan.bound_joker[0] = -1, best, -1
    _list_zones(view, start, me, 0, number, 0, 0)
    depth = 0
    while depth >= 0:
        board, at = plan.boards[depth], plan.tried[depth]
        if plan.tried_of[depth] < 0 or plan.nodes >= MOST_NODES:
            depth -= 1
            continue
        code = integer(plan.codes[at])
        if not legal(view, board, me, code) or _needless(view, start, board, code):
            plan.tried[depth] += 1
            _skip_empty(plan, depth)
            continue
        zones, joker = integer(plan.zones[at]), integer(plan.joker[at])
        if plan.bound_zones[depth] != zones or plan.bound_joker[depth] != joker:
            most = bound(view, start, board, me, aim, plan.worth[depth], zones, joker, plan.helped[depth])
            _note_bound(plan, depth, zones, joker, most)
        if plan.bound[depth] <= best + _SAME:
            depth -= 1
            continue
        plan.tried[depth] += 1
        _skip_empty(plan, depth)
        child = plan.boards[depth + 1]
        copy_record(board, child)
        apply(view, child, me, code)
        plan.line[depth] = code
        helped = plan.helped[depth] | (zone_of(child, code) if child.jokers < board.jokers else 0)
        plan.helped[depth + 1] = helped
        plan.nodes += 1
        now = plan.worth[depth + 1] = worth(view, start, child, me, aim)
        if now > best + _SAME and may_stop(view, child):
            best = now
            _keep(plan, depth)
        # what it opens lies in the zones of the plays from it on
        most = bound(view, start, child, me, aim, now, zones, joker, helped)
        if most <= best + _SAME:
            continue
        if depth + 2 == DEPTH:
            plan.given_up = 1
            continue
        depth += 1
        _note_bound(plan, depth, zones, joker, most)
        _enter(view, start, depth, me, code)
    plan.given_up |= plan.nodes >= MOST_NODES
    return best


@helper
def next_step(view: Any) -> int:
    """The next play of a plan that is ready, Play.STOP behind the last."""
    plan = view.plan
    if plan.next >= min(plan.number, STEPS):
        return Play.STOP + 0
    plan.next += 1
    return plan.steps[plan.next - 1]
