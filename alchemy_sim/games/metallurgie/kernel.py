"""The compiled core: games from the deal to the end card (Metallurgie 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import integer
from alchemy_sim.core.jit import array_of, helper, kernel, record_type, types
from alchemy_sim.core.rng import game_key
from alchemy_sim.games.metallurgie.setup import begin_game
from alchemy_sim.games.metallurgie.table import OUTCOME, SHARES, TABLE, Event, note
from alchemy_sim.games.metallurgie.turns import take_turn
from alchemy_sim.games.metallurgie.view import SEATS, VIEW


@helper
def blank_outcome(out: Any) -> None:
    """A row of a game before anything has happened."""
    out.winners = out.turns = out.draws = out.discards = out.unplayable = out.longest_chain = out.biggest_turn = 0
    out.lead_changes = out.after_unscored = out.fed = out.end_in_refill = out.fault = 0
    for metal in range(4):
        out.placed[metal] = 0
    for seat in range(SEATS):
        out.share[seat] = out.points[seat] = out.bonus[seat] = out.seat_turns[seat] = out.seat_draws[seat] = 0


@helper
def note_lead(view: Any, table: Any, out: Any) -> None:
    """Count a lead change: somebody else alone has the most points now."""
    best, who = -1, -1
    for seat in range(view.players):
        if view.points[seat] == best:
            who = -1
        elif view.points[seat] > best:
            best, who = view.points[seat], seat
    if who >= 0 and who != table.leader:
        out.lead_changes += table.leader >= 0
        table.leader = who


@helper
def bonus_of(view: Any, table: Any, metal: int) -> int:
    """Who gets the bonus of a metal, -1 nobody."""
    if view.bonus == 2:
        return table.first_scorer[metal]
    if view.bonus == 0:
        return -1
    most, who = 0, -1
    for seat in range(view.players):
        if view.kept[seat, metal] == most:
            who = -1
        elif view.kept[seat, metal] > most:
            most, who = view.kept[seat, metal], seat
    return who


@helper
def settle(view: Any, table: Any, out: Any) -> None:
    """Bonus, points, winners (a tie is shared)."""
    for metal in range(4):
        who = bonus_of(view, table, metal)
        if who >= 0:
            view.points[who] += 1
            out.bonus[who] += 1
            note(table, Event.BONUS, who, metal, 0)
    best, number = -1, 0
    for seat in range(view.players):
        if view.points[seat] > best:
            best, number = view.points[seat], 0
            out.winners = 0
        if view.points[seat] == best:
            out.winners |= 1 << seat
            number += 1
    for seat in range(view.players):
        out.points[seat] = view.points[seat]
        out.share[seat] = SHARES // number if out.winners >> seat & 1 else 0
        out.iron[seat], out.copper[seat] = view.kept[seat, 0], view.kept[seat, 1]
        out.silver[seat], out.gold[seat] = view.kept[seat, 2], view.kept[seat, 3]
    note(table, Event.END, integer(out.winners), 0, 0)


@helper
def note_fed(view: Any, out: Any, unscored: bool) -> None:
    """Count a turn, and its points, if the one before had placed cards and scored nothing."""
    if unscored:
        out.after_unscored += 1
        out.fed += view.scored


@helper
def play_game(view: Any, table: Any, out: Any) -> None:
    """One game; `table.key` is its key."""
    blank_outcome(out)
    seat = begin_game(view, table)
    out.first = seat
    unscored = False
    while take_turn(view, table, seat, out):
        note_fed(view, out, unscored)
        unscored = view.placed > 0 and view.scored == 0
        note_lead(view, table, out)
        seat = seat + 1 if seat + 1 < view.players else 0
    note_fed(view, out, unscored)
    note_lead(view, table, out)
    out.turns = view.turn
    settle(view, table, out)


@kernel(types.void(record_type(VIEW), record_type(TABLE), types.uint64, types.uint64, array_of(record_type(OUTCOME))))
def play_games(view: Any, table: Any, seed: Any, first: Any, outcomes: Any) -> None:
    """Play games number `first`, `first` + 1, ... under `seed` into `outcomes`."""
    table.faults = 0
    for place in range(outcomes.shape[0]):
        table.key = game_key(seed, first + np.uint64(place))
        table.logged = 0
        play_game(view, table, outcomes[place])
