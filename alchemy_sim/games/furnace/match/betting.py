"""The Furnace is forced: bet, calls, folds, showdown, layers of the pot (Furnace 5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest, popcount
from alchemy_sim.core.jit import ask_policy, helper
from alchemy_sim.core.seats import blame
from alchemy_sim.games.furnace.evaluate import category_of
from alchemy_sim.games.furnace.match.setup import can_enter, list_hand, next_playing
from alchemy_sim.games.furnace.match.table import CHANCES, Ask, Event, Purpose, Result, note
from alchemy_sim.games.furnace.match.turns import turn_to
from alchemy_sim.games.furnace.showdown.policies.fast import fast_choice
from alchemy_sim.games.furnace.showing import first_allowed, keep, may_keep, show_hands


@helper
def may_force(view: Any, table: Any, seat: int) -> bool:
    """Whether a player may force the Furnace at the end of its turn."""
    enough = view.board.points[seat] >= view.qualify and view.board.stones[seat] >= view.min_bet
    return enough and can_enter(view, table, seat)


@helper
def ask_bet(view: Any, table: Any, seat: int, out: Any) -> int:
    """The bet with which a qualified player forces the Furnace, 0 if it doesn't."""
    turn_to(view, table, seat, Ask.FORCE, Purpose.FORCE, 0)
    list_hand(view, table, seat)
    bet = ask_policy(table.policy[seat], view)
    if bet != 0 and (bet < view.min_bet or bet > view.board.stones[seat]):
        blame(view, table, out, bet)
        return 0
    return bet


@helper
def put_in(view: Any, seat: int, stones: int, row: Any) -> None:
    """Stones of a player into the pot."""
    view.board.stones[seat] -= stones
    view.pot += stones
    view.entered[seat] = stones
    row.put_in[seat] += stones
    row.staked[seat] = stones
    row.entered[seat] = 1


@helper
def judge(view: Any, table: Any, seat: int, row: Any) -> None:
    """Note the chance of a hand that lies in the view against one hand at random, if chances are worked out."""
    if table.judged:
        _, percentile = fast_choice(view)
        row.chance[seat] = round(percentile * CHANCES)


@helper
def collect_calls(view: Any, table: Any, forcer: int, bet: int, row: Any, out: Any) -> int:
    """Ask the others clockwise; how many call."""
    note(table, Event.FORCE, forcer, bet, 0, 0)
    view.forcer, view.bet = forcer, bet
    row.forcer, row.bet, row.uncallable, row.waited = forcer, bet, 1, row.declined[forcer]
    out.forced[forcer] += 1
    turn_to(view, table, forcer, Ask.FORCE, Purpose.FORCE, 0)
    list_hand(view, table, forcer)
    judge(view, table, forcer, row)
    put_in(view, forcer, bet, row)
    callers = 0
    seat = next_playing(view, forcer)
    while seat != forcer:
        stones = view.board.stones[seat]
        if stones >= bet:
            row.uncallable = 0
        row.entered[seat] = 0
        view.entered[seat] = 0
        calls = 0
        if can_enter(view, table, seat) and (stones >= bet or (view.short_call == 1 and stones > 0)):
            view.entered[seat] = -1
            turn_to(view, table, seat, Ask.CALL, Purpose.CALL, 0)
            list_hand(view, table, seat)
            judge(view, table, seat, row)
            calls = ask_policy(table.policy[seat], view)
            if calls != 0 and calls != 1:
                blame(view, table, out, calls)
                calls = 0
        if calls == 1:
            put_in(view, seat, min(bet, stones), row)
            out.called[seat] += 1
            callers += 1
            note(table, Event.CALL, seat, min(bet, stones), 0, 0)
        else:
            view.entered[seat] = 0
            note(table, Event.FOLD, seat, 0, 0, 0)
        seat = next_playing(view, seat)
    row.callers = callers
    return callers


@helper
def keep_cards(view: Any, table: Any, seat: int, out: Any) -> None:
    """Ask an entrant for the cards it keeps."""
    turn_to(view, table, seat, Ask.KEEP, Purpose.KEEP, 0)
    list_hand(view, table, seat)
    chosen = ask_policy(table.policy[seat], view)
    if not may_keep(view, chosen):
        blame(view, table, out, chosen)
        chosen = first_allowed(view)
    keep(view, table, seat, chosen)
    for place in range(view.kept):
        note(table, Event.KEPT, seat, integer(table.kept[seat, place]), 0, 0)


@helper
def settle_hands(view: Any, table: Any, row: Any, out: Any) -> None:
    """All who entered keep cards, then every hand is worked out (`table.strength`)."""
    shown = ZERO
    for seat in range(view.players):
        if row.entered[seat] == 1:
            keep_cards(view, table, seat, out)
            shown |= ONE << np.uint64(seat)
    winners, plain_winners = show_hands(view, table, shown)
    for seat in range(view.players):
        if row.entered[seat] == 1:
            category = category_of(view.hands, table.strength[seat])
            note(table, Event.CATEGORY, seat, category, 0, 0)
            if winners >> seat & 1:
                row.category = category
    row.tied = popcount(np.uint64(winners)) > 1
    row.winner = -1 if row.tied else lowest(np.uint64(winners))
    row.trump_decided = winners != plain_winners


@helper
def pay(view: Any, table: Any, seat: int, stones: int, row: Any) -> None:
    """Stones out of the pot."""
    view.pot -= stones
    view.board.stones[seat] += stones
    row.paid[seat] += stones


@helper
def pay_layer(view: Any, table: Any, level: int, stones: int, row: Any) -> None:
    """A layer of the pot to the best of those who matched it; odd Stones to the first clockwise after the forcer."""
    best, number = -1, 0
    for seat in range(view.players):
        if row.entered[seat] == 1 and table.layer[seat] >= level:
            if table.strength[seat] > best:
                best, number = table.strength[seat], 0
            number += table.strength[seat] == best
    share, odd = stones // number, stones % number
    seat = view.forcer
    for _ in range(view.players):
        seat = seat + 1 if seat + 1 < view.players else 0
        if row.entered[seat] == 1 and table.layer[seat] >= level and table.strength[seat] == best:
            pay(view, table, seat, share + odd, row)
            odd = 0


@helper
def pay_pot(view: Any, table: Any, before: int, row: Any) -> None:
    """Cut the pot into layers and pay them, the lowest first; what was there `before` the bets belongs to that one."""
    for seat in range(view.players):
        table.layer[seat] = view.entered[seat] if row.entered[seat] == 1 else -1
    paid_level, first = 0, True
    while True:
        level = -1
        for seat in range(view.players):
            if table.layer[seat] > paid_level or (first and table.layer[seat] >= 0):
                level = table.layer[seat] if level < 0 else min(level, table.layer[seat])
        if level < 0:
            return
        number = 0
        for seat in range(view.players):
            number += table.layer[seat] >= level
        stones = (level - paid_level) * number + (before if first else 0)
        if stones > 0:
            pay_layer(view, table, level, stones, row)
        paid_level, first = level, False


@helper
def settle(view: Any, table: Any, forcer: int, bet: int, row: Any, out: Any) -> None:
    """From the forcer's bet to the paid pot."""
    before = view.pot
    callers = collect_calls(view, table, forcer, bet, row, out)
    row.pot = view.pot
    if callers == 0:
        row.outcome, row.winner = Result.FOLDED, forcer
        pay(view, table, forcer, view.pot, row)
    else:
        row.outcome = Result.SHOWDOWN
        settle_hands(view, table, row, out)
        pay_pot(view, table, before, row)
    for seat in range(view.players):
        if row.paid[seat] > 0:
            note(table, Event.PAID, seat, row.paid[seat], 0, 0)
