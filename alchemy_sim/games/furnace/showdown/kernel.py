"""The compiled core: showdowns from the deal to the winner (Furnace 3 and 5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, lowest, popcount
from alchemy_sim.core.jit import array_of, ask_policy, helper, kernel, record_type, types
from alchemy_sim.core.rng import below, below_low, draw, game_key, position, sealed, stream
from alchemy_sim.core.seats import blame
from alchemy_sim.games.furnace.evaluate import category_of
from alchemy_sim.games.furnace.names import FIRST_TRUMP, JOKER
from alchemy_sim.games.furnace.showdown.kept import kind_of
from alchemy_sim.games.furnace.showdown.table import OUTCOME, SHARES, TABLE, Ask, Purpose
from alchemy_sim.games.furnace.showdown.view import SEATS, VIEW
from alchemy_sim.games.furnace.showing import first_allowed, keep, may_keep, show_hands


@helper
def swap(cards: Any, one: int, other: int) -> None:
    """Swap two cards."""
    cards[one], cards[other] = cards[other], cards[one]


@helper
def deal(view: Any, table: Any) -> None:
    """Shuffle as much of the deck as the hands take, seat after seat (two places a word of random bits)."""
    deck, size = table.deck, table.deck_size
    for card in range(size):
        deck[card] = table.cards[card]
    source = stream(table.key, position(0, Purpose.DEAL, 0))
    dealt = view.players * view.hand
    for pair in range((dealt + 1) // 2):
        bits = draw(source, pair)
        swap(deck, 2 * pair, 2 * pair + below(bits, size - 2 * pair))
        if 2 * pair + 1 < dealt:
            swap(deck, 2 * pair + 1, 2 * pair + 1 + below_low(bits, size - 2 * pair - 1))


@helper
def lay_furnace(view: Any, table: Any) -> None:
    """Lay the Furnace from the pile; under `community_joker = redraw` a Joker goes back and another card is laid."""
    source = stream(table.key, position(0, Purpose.FURNACE, 0))
    pile, size = view.players * view.hand, table.deck_size
    wanted = view.open_cards + view.hidden_cards
    laid, turned = 0, 0
    table.jokers_laid = 0
    while laid < wanted:
        swap(table.deck, pile, pile + below(draw(source, turned), size - pile))
        card = table.deck[pile]
        if card == JOKER and turned < wanted:
            table.jokers_laid += 1
        turned += 1
        pile += 1
        if card == JOKER and view.community_joker == 0:
            continue  # a Joker in the pile can't be laid, so it may as well stay out
        table.furnace[laid] = card
        laid += 1
    for place in range(view.open_cards):
        view.open[place] = table.furnace[place]


@helper
def show_hand(view: Any, table: Any, seat: int) -> None:
    """Turn the view towards a seat."""
    view.ask = Ask.KEEP
    view.me = seat
    for place in range(view.hand):
        view.cards[place] = table.deck[seat * view.hand + place]
    view.source = stream(sealed(stream(table.key, position(0, Purpose.OWN, seat))), position(0, Purpose.KEEP, 0))


@helper
def settle(view: Any, table: Any, out: Any) -> None:
    """Compare the hands (Furnace 5): who wins, and whether it is the Trump rule that decides."""
    winners, plain_winners = show_hands(view, table, (ONE << np.uint64(view.players)) - ONE)
    number = popcount(np.uint64(winners))
    out.winners = winners
    out.tied = number > 1
    out.winner = -1 if number > 1 else lowest(np.uint64(winners))
    out.trump_decided = winners != plain_winners
    for seat in range(view.players):
        out.category[seat] = category_of(view.hands, table.strength[seat])
        out.share[seat] = SHARES // number if winners >> seat & 1 else 0


@helper
def play_showdown(view: Any, table: Any, out: Any) -> None:
    """One showdown; `table.key` is its key."""
    out.fault = 0
    deal(view, table)
    lay_furnace(view, table)
    out.jokers_laid = table.jokers_laid
    for seat in range(SEATS):
        out.share[seat] = out.category[seat] = out.kept[seat] = out.trumps[seat] = out.jokers[seat] = -1
    for seat in range(view.players):
        show_hand(view, table, seat)
        out.trumps[seat] = out.jokers[seat] = 0
        for place in range(view.hand):
            card = view.cards[place]
            out.jokers[seat] += card == JOKER
            out.trumps[seat] += FIRST_TRUMP <= card < JOKER
        chosen = ask_policy(table.policy[seat], view)
        if not may_keep(view, chosen):
            blame(view, table, out, chosen)
            chosen = first_allowed(view)
        keep(view, table, seat, chosen)
        out.kept[seat] = kind_of(view, np.uint64(chosen))
    settle(view, table, out)


@kernel(types.void(record_type(VIEW), record_type(TABLE), types.uint64, types.uint64, array_of(record_type(OUTCOME))))
def play_showdowns(view: Any, table: Any, seed: Any, first: Any, outcomes: Any) -> None:
    """Play showdowns number `first`, `first` + 1, ... under `seed` into `outcomes`."""
    table.faults = 0
    for place in range(outcomes.shape[0]):
        table.key = game_key(seed, first + np.uint64(place))
        play_showdown(view, table, outcomes[place])
