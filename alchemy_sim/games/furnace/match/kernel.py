"""The compiled core: matches from the first round to the Supreme Alchemist (Furnace 2 and 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.jit import array_of, helper, kernel, record_type, types
from alchemy_sim.core.rng import below, draw, game_key, position, stream
from alchemy_sim.games.furnace.match.betting import ask_bet, may_force, settle
from alchemy_sim.games.furnace.match.board import SEATS
from alchemy_sim.games.furnace.match.setup import ante, count_playing, deal_round, next_playing
from alchemy_sim.games.furnace.match.table import OUTCOME, ROUND, TABLE, Event, Purpose, Result, note
from alchemy_sim.games.furnace.match.turns import take_turn
from alchemy_sim.games.furnace.match.view import VIEW


@helper
def blank_round(view: Any, row: Any, game: int) -> None:
    """A row of a round before anything has happened."""
    row.game = game
    row.number = view.round_number
    row.outcome = Result.STALLED
    row.starter = view.starter
    row.forcer = row.winner = row.category = row.turn_of_first_33 = row.uncallable = row.waited = -1
    row.bet = row.callers = row.trump_decided = row.tied = -1
    for seat in range(SEATS):
        row.points[seat] = row.from_bag[seat] = row.from_players[seat] = 0
        row.put_in[seat] = row.paid[seat] = row.stones[seat] = 0
        row.staked[seat] = row.declined[seat] = 0
        row.entered[seat] = row.chance[seat] = -1


@helper
def blank_outcome(out: Any) -> None:
    """A row of a match before anything has happened."""
    out.winner = out.bag_empty_round = -1
    out.rounds = out.turns = out.showdowns = out.folded = out.stalled = out.fault = 0
    out.plays = out.searched = out.nodes = out.given_up = 0
    for seat in range(SEATS):
        out.out_round[seat] = -1
        out.stones[seat] = out.from_bag[seat] = out.from_players[seat] = out.from_pots[seat] = 0
        out.forced[seat] = out.called[seat] = 0


@helper
def play_turns(view: Any, table: Any, row: Any, out: Any) -> None:
    """Turns clockwise from the starter until somebody forces the Furnace, or `max_turns` are over."""
    board, seat = view.board, view.starter
    while view.turn < view.max_turns:
        view.turn += 1
        if view.ante_per == 1 and view.turn > 1:
            ante(view, table, row)
        take_turn(view, table, seat, out)
        row.from_bag[seat] += board.from_bag
        row.from_players[seat] += board.from_others
        if row.turn_of_first_33 < 0:
            for each in range(view.players):
                if board.points[each] >= view.qualify:
                    row.turn_of_first_33 = view.turn
        if board.bag == 0 and out.bag_empty_round < 0:
            out.bag_empty_round = view.round_number
        if may_force(view, table, seat):
            bet = ask_bet(view, table, seat, out)
            if bet > 0:
                settle(view, table, seat, bet, row, out)
                return
            row.declined[seat] += 1
        seat = next_playing(view, seat)


@helper
def play_round(view: Any, table: Any, row: Any, out: Any) -> None:
    """One round: antes, deal, turns, and the pot if the Furnace was forced."""
    table.key = draw(stream(table.match_key, position(view.round_number, Purpose.DEAL, 0)), 0)
    board = view.board
    ante(view, table, row)
    note(table, Event.ROUND, view.round_number, view.starter, view.pot, 0)
    for seat in range(view.players):
        note(table, Event.STONES, seat, board.stones[seat], 0, 0)
    deal_round(view, table)
    row.pot = view.pot
    play_turns(view, table, row, out)
    row.turns = view.turn
    if row.outcome == Result.STALLED:
        row.pot = view.pot
    for seat in range(view.players):
        row.points[seat] = board.points[seat]
        row.stones[seat] = board.stones[seat]
    note(table, Event.ROUND_END, row.outcome, view.pot, board.bag, 0)


@helper
def add_up(view: Any, table: Any, row: Any, out: Any) -> None:
    """A round's numbers into the match's; whoever has no Stone is out once a pot has been paid (Furnace 2)."""
    out.rounds = view.round_number
    out.turns += row.turns
    out.showdowns += row.outcome == Result.SHOWDOWN
    out.folded += row.outcome == Result.FOLDED
    out.stalled += row.outcome == Result.STALLED
    for seat in range(view.players):
        note(table, Event.STONES, seat, view.board.stones[seat], 0, 0)
        out.from_bag[seat] += row.from_bag[seat]
        out.from_players[seat] += row.from_players[seat]
        out.from_pots[seat] += row.paid[seat] - row.put_in[seat]
    for seat in range(view.players):
        if row.outcome != Result.STALLED and view.playing[seat] and view.board.stones[seat] == 0:
            view.playing[seat] = 0
            out.out_round[seat] = view.round_number
            note(table, Event.OUT, seat, 0, 0, 0)


@helper
def begin_match(view: Any, table: Any) -> None:
    """Everyone has their Stones, the bag its own; the first starter is drawn."""
    for seat in range(SEATS):
        view.playing[seat] = seat < view.players
        view.board.stones[seat] = view.start_stones if seat < view.players else 0
        view.hand_sizes[seat] = 0
    view.board.bag = view.bag_stones
    view.pot = view.round_number = 0
    view.me = -1
    table.reshuffles = 0
    view.starter = below(draw(stream(table.match_key, position(0, Purpose.STARTER, 0)), 0), view.players)


@helper
def play_match(view: Any, table: Any, rounds: Any, first: int, game: int, out: Any) -> int:
    """One match; its rounds are rows from `first` on. The row behind the last, -1 if there was no room."""
    blank_outcome(out)
    begin_match(view, table)
    at = first
    while view.round_number < view.max_rounds:
        if at >= rounds.shape[0]:
            return -1
        view.round_number += 1
        row = rounds[at]
        at += 1
        blank_round(view, row, game)
        play_round(view, table, row, out)
        add_up(view, table, row, out)
        if row.outcome != Result.STALLED and count_playing(view) == 1:
            out.winner = next_playing(view, 0)
            break
        view.starter = next_playing(view, view.starter)
    for seat in range(view.players):
        out.stones[seat] = view.board.stones[seat]
    out.bag, out.pot = view.board.bag, view.pot
    out.reshuffles = table.reshuffles
    note(table, Event.END, out.winner, view.round_number, 0, 0)
    return at


@kernel(
    types.int64(
        record_type(VIEW),
        record_type(TABLE),
        types.uint64,
        types.uint64,
        array_of(record_type(OUTCOME)),
        array_of(record_type(ROUND)),
        array_of(types.int64),
    )
)
def play_matches(view: Any, table: Any, seed: Any, first: Any, outcomes: Any, rounds: Any, used: Any) -> int:
    """Play matches number `first`, `first` + 1, ... until `outcomes` or `rounds` are full; how many were played.

    `used[0]` is then how many rows of `rounds` they take.
    """
    table.faults = 0
    at = 0
    for place in range(outcomes.shape[0]):
        table.match_key = game_key(seed, first + np.uint64(place))
        after = play_match(view, table, rounds, at, place, outcomes[place])
        if after < 0:
            used[0] = at
            return place
        at = after
    used[0] = at
    return outcomes.shape[0]
