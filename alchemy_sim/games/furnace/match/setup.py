"""A round before its first turn: deck, hands, Furnace, antes (Furnace 2 and 3)."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ZERO, integer, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.core.rng import below, draw, position, sealed, shuffle, stream
from alchemy_sim.games.furnace.match.board import SUITS, bit
from alchemy_sim.games.furnace.match.table import Event, Purpose, note
from alchemy_sim.games.furnace.match.view import MOST_IN_HAND
from alchemy_sim.games.furnace.names import CARDS, JOKER, RANK_COUNT


@helper
def take(view: Any, table: Any, seat: int, card: int) -> None:
    """Put a card into a player's hand."""
    if card == JOKER:
        table.jokers[seat] += 1
    else:
        family = card // RANK_COUNT
        table.held[seat, family] |= bit(integer(view.place_of[card - RANK_COUNT * family]))


@helper
def hand_size(table: Any, seat: int) -> int:
    """How many cards a player holds."""
    size = table.jokers[seat]
    for family in range(SUITS):
        size += popcount(table.held[seat, family])
    return size


@helper
def clear_cards(view: Any, number: int) -> None:
    """Leave so many cards in the view, and none behind them."""
    for place in range(number, MOST_IN_HAND):
        view.cards[place] = 0
    view.hand = number


@helper
def list_hand(view: Any, table: Any, seat: int) -> None:
    """Write a player's hand into the view, ascending, as card numbers."""
    number = 0
    for family in range(SUITS):
        left = table.held[seat, family]
        for place in range(view.ranks):
            if left & bit(place):
                view.cards[number] = RANK_COUNT * family + view.rank_at[place]
                number += 1
    for _ in range(table.jokers[seat]):
        view.cards[number] = JOKER
        number += 1
    clear_cards(view, number)


@helper
def next_playing(view: Any, seat: int) -> int:
    """The next player clockwise who is still in the match."""
    while True:
        seat = seat + 1 if seat + 1 < view.players else 0
        if view.playing[seat]:
            return seat


@helper
def count_playing(view: Any) -> int:
    """Players still in the match."""
    number = 0
    for seat in range(view.players):
        number += view.playing[seat]
    return number


@helper
def ante(view: Any, table: Any, row: Any) -> None:
    """Everyone still in who has a Stone puts one into the pot."""
    for seat in range(view.players):
        if view.playing[seat] and view.board.stones[seat] > 0:
            view.board.stones[seat] -= 1
            view.pot += 1
            row.put_in[seat] += 1
            note(table, Event.ANTE, seat, 0, 0, 0)


@helper
def clear_round(view: Any, table: Any) -> None:
    """No layouts, no points, no cards anywhere but in the deck."""
    board = view.board
    for meld in range(board.melds):
        board.kind[meld] = board.owner[meld] = board.family[meld] = board.low[meld] = board.high[meld] = 0
        board.trumps[meld] = board.wild[meld] = board.reals[meld] = 0
    board.melds = board.owed_jokers = board.jokers = board.from_bag = board.from_others = 0
    board.owed_trumps = ZERO
    for seat in range(view.players):
        view.hand_sizes[seat] = 0
        board.started[seat] = board.points[seat] = board.extended[seat] = 0
        table.jokers[seat] = 0
        view.entered[seat] = -1
        for family in range(SUITS):
            table.held[seat, family] = ZERO
    for card in range(CARDS):
        view.copies[card] = view.discarded[card] = 0
    for place in range(table.deck_size):
        view.copies[table.cards[place]] += 1
    table.discard_size = 0
    view.forcer = -1
    view.bet = view.turn = 0


@helper
def lay_furnace(view: Any, table: Any, deck: Any, first: int) -> int:
    """Lay the Furnace out of the shuffled deck from place `first`; the place behind it.

    Under `community_joker = redraw` Jokers are passed over; they go back into the pile when it is made.
    """
    laid, at = 0, first
    while laid < view.open_cards + view.hidden_cards:
        card = integer(deck[at])
        at += 1
        if card == JOKER and view.community_joker == 0:
            continue
        table.furnace[laid] = card
        laid += 1
    for place in range(view.open_cards):
        view.open[place] = table.furnace[place]
    return at


@helper
def deal_round(view: Any, table: Any) -> None:
    """Shuffle, deal the hands from the starter on, lay the Furnace; the rest is the draw pile (Furnace 3)."""
    clear_round(view, table)
    deck = table.pile
    for card in range(table.deck_size):
        deck[card] = table.cards[card]
    shuffle(deck, table.deck_size, stream(table.key, position(0, Purpose.DEAL, 0)))
    at, seat = 0, view.starter
    for _ in range(count_playing(view)):
        for _ in range(view.dealt):
            take(view, table, seat, integer(deck[at]))
            note(table, Event.HAND, seat, integer(deck[at]), 0, 0)
            at += 1
        view.hand_sizes[seat] = view.dealt
        seat = next_playing(view, seat)
    first = at
    at = lay_furnace(view, table, deck, first)
    for place in range(view.open_cards + view.hidden_cards):
        card = integer(table.furnace[place])
        note(table, Event.UP if place < view.open_cards else Event.DOWN, card, 0, 0, 0)
    jokers = at - first - view.open_cards - view.hidden_cards
    size = table.deck_size - at
    for card in range(size):
        deck[card] = deck[at + card]
    source = stream(table.key, position(0, Purpose.FURNACE, 0))
    for each in range(jokers):  # each at a random place of the pile
        place = below(draw(source, each), size + 1)
        deck[size] = deck[place]
        deck[place] = JOKER
        size += 1
    table.pile_size = view.pile = size
    for seat in range(view.players):
        table.own_key[seat] = sealed(stream(table.key, position(0, Purpose.OWN, seat)))


@helper
def reshuffle(view: Any, table: Any) -> bool:
    """Make the discard pile the new draw pile; False if there is none."""
    if table.discard_size == 0:
        return False
    for place in range(table.discard_size):
        table.pile[place] = table.discards[place]
    table.pile_size = table.discard_size
    table.discard_size = 0
    table.reshuffles += 1
    shuffle(table.pile, table.pile_size, stream(table.key, position(view.turn, Purpose.SHUFFLE, 0)))
    for card in range(CARDS):
        view.copies[card] += view.discarded[card]
        view.discarded[card] = 0
    return True


@helper
def draw_card(view: Any, table: Any, seat: int) -> int:
    """Draw the top card of the pile; -1 if neither pile has any. `reshuffled` is in bit 8."""
    again = 0
    if table.pile_size == 0:
        if not reshuffle(view, table):
            return -1
        again = 256
    table.pile_size -= 1
    view.pile = table.pile_size
    card = integer(table.pile[table.pile_size])
    take(view, table, seat, card)
    return card | again


@helper
def can_enter(view: Any, table: Any, seat: int) -> bool:
    """Whether a hand has enough cards that are not Jokers to enter the Furnace (Furnace 5)."""
    return hand_size(table, seat) - table.jokers[seat] >= view.kept
