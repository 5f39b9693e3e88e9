"""Disciplines: two are dealt to each player, who keeps one (Crucible 2 and 7); experiments may give some to a seat."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.jit import ask_policy, helper
from alchemy_sim.core.rng import below, draw, position, stream
from alchemy_sim.games.crucible.disciplines import TIMING, Timing
from alchemy_sim.games.crucible.log import Event, note
from alchemy_sim.games.crucible.setup import DISCIPLINES, ask_seat, shuffle_prefix
from alchemy_sim.games.crucible.table import Ask, Purpose, blame


@helper
def given_seat(view: Any, table: Any, place: int) -> int:
    """The seat that a given discipline falls to: drawn at random, the second one's among the others."""
    source = stream(table.key, position(0, Purpose.SPONGE, 0))
    seat = below(draw(source, 1), view.players)
    return seat if place == 0 else (seat + 1 + below(draw(source, 2), view.players - 1)) % view.players


@helper
def holds_given(view: Any, table: Any, seat: int) -> int:
    """Which of the given disciplines falls to the seat, or -1."""
    for place in range(2):
        if view.given[place] >= 0 and given_seat(view, table, place) == seat:
            return place
    return -1


@helper
def keep_disciplines(view: Any, table: Any, out: Any) -> None:
    """Deal two disciplines to each player, who keeps one; open once all have chosen (Crucible 2 and 7)."""
    deck = table.discipline_deck
    for card in range(DISCIPLINES):
        deck[card] = card
    source = stream(table.key, position(0, Purpose.DISCIPLINES, 0))
    shuffle_prefix(deck, DISCIPLINES, source, 0, 2 * view.players)
    for place in range(2):
        if view.given[place] >= 0:
            # the card changes places with the first one that the seat was dealt
            at = 2 * given_seat(view, table, place)
            for card in range(DISCIPLINES):
                if deck[card] == view.given[place]:
                    deck[card] = deck[at]
            deck[at] = view.given[place]
    for seat in range(view.players):
        place = holds_given(view, table, seat)
        if place >= 0:
            out.discipline[seat] = -1 if view.blank[place] else deck[2 * seat]
            table.declined[seat] = deck[2 * seat + 1]
            note(table, Event.KEEP, seat, deck[2 * seat], deck[2 * seat + 1], out.discipline[seat], 0)
            continue
        view.offered[0] = deck[2 * seat]
        view.offered[1] = deck[2 * seat + 1]
        ask_seat(view, table, seat, Ask.KEEP, Purpose.KEEP)
        choice = ask_policy(table.policy[seat], view)
        if choice != 0 and choice != 1:
            blame(view, table, out, choice)
            choice = 0
        out.choices += 1
        out.discipline[seat] = view.offered[choice]
        table.declined[seat] = view.offered[1 - choice]
        note(table, Event.KEEP, seat, view.offered[0], view.offered[1], view.offered[choice], 0)
    view.offered[0] = -1
    view.offered[1] = -1
    for seat in range(view.players):
        view.discipline[seat] = out.discipline[seat]
        passive = view.discipline[seat] < 0 or TIMING[view.discipline[seat]] == Timing.PASSIVE
        view.power_spent[seat] = 1 if passive else 0
