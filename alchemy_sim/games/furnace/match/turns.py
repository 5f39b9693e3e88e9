"""A turn: draw, play, discard (Furnace 3 and 4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ZERO, integer
from alchemy_sim.core.jit import ask_policy, copy_record, helper
from alchemy_sim.core.rng import position, stream
from alchemy_sim.core.seats import blame
from alchemy_sim.games.furnace.match.board import SUITS, Play, bit, kind_of, meld_of
from alchemy_sim.games.furnace.match.plays import apply, legal, may_stop
from alchemy_sim.games.furnace.match.setup import clear_cards, draw_card, hand_size, list_hand
from alchemy_sim.games.furnace.match.table import Ask, Event, Purpose, note
from alchemy_sim.games.furnace.names import JOKER, RANK_COUNT

#: Plays of one turn at most: every card of the hand, and as many taken from layouts.
MOST_STEPS = 40
#: Draws of one step.
STEP_DRAWS = 1


@helper
def turn_to(view: Any, table: Any, seat: int, ask: int, purpose: int, step: int) -> None:
    """Turn the view towards a seat: its own draws, its question.

    Nothing of what another player was asked stays in it. The toolkit's own players read no note but what they wrote in
    the same turn, so to wipe a search of theirs, which would cost a third of a turn, is left out among themselves.
    """
    if seat != view.me and table.guests:
        copy_record(table.blank_plan, view.plan)
    view.me = seat
    view.ask = ask
    view.source = stream(table.own_key[seat], position(view.turn, purpose, 0) + STEP_DRAWS * step)


@helper
def pick_up(view: Any, table: Any, seat: int) -> None:
    """Bring a player's hand onto the board, where plays are made."""
    board = view.board
    for family in range(SUITS):
        board.held[family] = table.held[seat, family]
    board.jokers = table.jokers[seat]
    board.owed_jokers = board.from_bag = board.from_others = 0
    board.owed_trumps = ZERO
    for each in range(view.players):
        board.extended[each] = 0
    view.plan.ready = view.plan.searched = view.plan.nodes = view.plan.given_up = 0
    clear_cards(view, 0)


@helper
def put_back(view: Any, table: Any, seat: int) -> None:
    """Back from the board into the hand; what was laid lies open now, and nothing of the hand stays in sight."""
    board = view.board
    for family in range(SUITS):
        laid = table.held[seat, family] & ~board.held[family]
        for place in range(view.ranks):
            if laid & bit(place):
                view.copies[RANK_COUNT * family + view.rank_at[place]] -= np.uint8(1)
        table.held[seat, family] = board.held[family]
        board.held[family] = ZERO
    view.copies[JOKER] -= np.uint8(table.jokers[seat] - board.jokers)
    table.jokers[seat] = board.jokers
    board.jokers = 0


@helper
def play_cards(view: Any, table: Any, seat: int, out: Any) -> None:
    """Let a player make plays until it stops."""
    pick_up(view, table, seat)
    board = view.board
    for step in range(MOST_STEPS):
        turn_to(view, table, seat, Ask.PLAY, Purpose.PLAY, step)
        code = ask_policy(table.policy[seat], view)
        if code == Play.STOP:
            if not may_stop(view, board):
                blame(view, table, out, code)
            break
        if not legal(view, board, seat, code):
            blame(view, table, out, code)
            break
        note(table, Event.PLAY, code, 0, 0, 0)
        out.plays += 1
        owner = integer(board.owner[meld_of(code)]) if kind_of(code) == Play.EXTEND else seat
        stone = apply(view, board, seat, code)
        if stone > 0:
            note(table, Event.STONE, 0 if stone == 1 else 1 + owner, 0, 0, 0)
    put_back(view, table, seat)
    out.searched += view.plan.searched
    out.nodes += view.plan.nodes
    out.given_up += view.plan.given_up
    view.plan.ready = 0


@helper
def discard(view: Any, table: Any, seat: int, out: Any) -> None:
    """Discard down to nine."""
    step = 0
    while hand_size(table, seat) > view.dealt:
        turn_to(view, table, seat, Ask.DISCARD, Purpose.DISCARD, step)
        list_hand(view, table, seat)
        place = ask_policy(table.policy[seat], view)
        if place < 0 or place >= view.hand:
            blame(view, table, out, place)
            place = 0
        card = integer(view.cards[place])
        if card == JOKER:
            table.jokers[seat] -= 1
        else:
            family = card // RANK_COUNT
            table.held[seat, family] ^= bit(integer(view.place_of[card - RANK_COUNT * family]))
        table.discards[table.discard_size] = card
        table.discard_size += 1
        view.discarded[card] += np.uint8(1)
        view.copies[card] -= np.uint8(1)
        note(table, Event.DISCARD, card, 0, 0, 0)
        step += 1


@helper
def take_turn(view: Any, table: Any, seat: int, out: Any) -> None:
    """One turn without its antes and without forcing."""
    drawn = draw_card(view, table, seat)
    card = -1 if drawn < 0 else drawn & 255
    note(table, Event.TURN, view.turn, seat, card, 0 if drawn < 0 else drawn >> 8)
    play_cards(view, table, seat, out)
    discard(view, table, seat, out)
    view.hand_sizes[seat] = hand_size(table, seat)
    for each in range(view.players):
        note(table, Event.TOTALS, each, view.board.points[each], view.board.stones[each], view.board.bag)
