"""A turn: draw or not, place, score, refill (Metallurgie 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest, popcount
from alchemy_sim.core.jit import ask_policy, copy_record, helper, large_helper
from alchemy_sim.core.rng import position, stream
from alchemy_sim.core.seats import blame
from alchemy_sim.games.metallurgie.areas import anything_to_score, area_of, mark_scored, may_score, may_take, metal_of
from alchemy_sim.games.metallurgie.names import IRON
from alchemy_sim.games.metallurgie.pattern import bit, lay_iron, lay_on, take_away, top
from alchemy_sim.games.metallurgie.table import END_CARD, STOP, Ask, Event, Mode, Purpose, note


@helper
def turn_to(view: Any, table: Any, seat: int, ask: int, purpose: int, step: int) -> None:
    """Turn the view towards a seat: its hand, its own draws, its question. What another noted does not stay in it."""
    if seat != view.me:
        copy_record(table.blank_plan, view.plan)
    view.me, view.ask = seat, ask
    for metal in range(4):
        view.hand[metal] = table.held[seat, metal]
    view.source = stream(table.own_key[seat], position(view.turn, purpose, 0) + step)


@helper
def places_for(view: Any, metal: int) -> int:
    """At how many places a card of this metal can be placed next in this turn, 0 if it may not be placed at all."""
    pattern = view.pattern
    if view.placed > 0:
        ascends = view.mode != Mode.METAL and metal == view.metal + 1 and view.metal < 3
        if ascends:
            return 1
        if view.mode == Mode.POSITION or metal != view.metal:
            return 0
    elif view.drawn >= 0 and metal != view.drawn:
        return 0
    return pattern.free if metal == IRON else popcount(top(pattern, metal - 1))


@helper
def may_place(view: Any, metal: int, number: int) -> bool:
    """Whether a card of this metal may be placed next in this turn at the place of this number (`place_code`)."""
    if metal < 0 or metal > 3 or number < 0 or places_for(view, metal) == 0:
        return False
    if metal == IRON:
        return number < view.pattern.free
    if number >= 64 or not top(view.pattern, metal - 1) & bit(number):
        return False
    return view.placed == 0 or metal == view.metal or number == view.place


@helper
def hand_can_be_placed(view: Any) -> bool:
    """Whether any card of the hand can be placed next in this turn."""
    for metal in range(4):
        if view.hand[metal] > 0 and places_for(view, metal) > 0:
            return True
    return False


@large_helper
def put(view: Any, metal: int, number: int) -> None:
    """Place a card, which lies in the place `view.place` then."""
    if view.placed == 1:
        view.mode = Mode.METAL if metal == view.metal else Mode.POSITION
    place = number
    if metal == IRON:
        place = lay_iron(view.pattern, number)
    else:
        lay_on(view.pattern, metal, number)
    view.placed += 1
    view.metal, view.place = metal, place
    view.touched |= bit(place)


@helper
def place_cards(view: Any, table: Any, seat: int, out: Any) -> None:
    """The drawn card, if one lies there, then cards of the hand until the player stops."""
    step = 0
    while True:
        must = view.drawn >= 0 and view.placed == 0
        turn_to(view, table, seat, Ask.PLACE, Purpose.PLACE, step)
        if not must and not hand_can_be_placed(view):
            return
        code = ask_policy(table.policy[seat], view)
        if code == STOP and view.placed > 0:
            return
        metal, number = code >> 10, code & 1023
        fine = code >= 0 and may_place(view, metal, number) and (must or view.hand[min(max(metal, 0), 3)] > 0)
        if not fine:
            blame(view, table, out, code)
            if view.placed > 0:
                return
            metal, number = first_place(view)
        if not must:
            table.held[seat, metal] -= 1
            view.hand_sizes[seat] -= 1
        put(view, metal, number)
        out.placed[metal] += 1
        note(table, Event.PLACED, metal, integer(view.pattern.q[view.place]), integer(view.pattern.r[view.place]))
        step += 1


@helper
def first_place(view: Any) -> tuple[int, int]:
    """A first card that may be placed, and where: what a player does whose answer is not allowed."""
    for metal in range(4):
        if places_for(view, metal) > 0 and (metal == view.drawn or (view.drawn < 0 and view.hand[metal] > 0)):
            return metal, 0 if metal == IRON else lowest(top(view.pattern, metal - 1))
    return 0, 0


@large_helper
def scored_area(view: Any, metal: int, taken: Any) -> Any:
    """The area that may be scored now by taking these cards of a metal from it; none if it may not be."""
    if metal < 0 or popcount(taken) != view.removals[metal]:
        return ZERO
    area = area_of(view.pattern, metal, lowest(taken))
    fine = not taken & ~area and may_score(view, metal, area) and may_take(view.pattern, metal, taken)
    return area if fine else ZERO


@large_helper
def score(view: Any, seat: int, metal: int, area: Any, taken: Any) -> None:
    """Score an area by taking these cards of it."""
    take_away(view.pattern, metal, taken)
    mark_scored(view, view, view.pattern.layer[IRON], area, taken)
    view.scored += 1
    view.points[seat] += 1
    view.kept[seat, metal] += 1
    view.gone[metal] += popcount(taken)


@helper
def score_areas(view: Any, table: Any, seat: int, out: Any) -> None:
    """Score areas, one after the other, until there is none or the player wants no more."""
    chain, last = 0, ZERO
    while anything_to_score(view):
        turn_to(view, table, seat, Ask.SCORE, Purpose.SCORE, view.scored)
        answer = ask_policy(table.policy[seat], view)
        if answer == 0:
            if view.must_score:
                blame(view, table, out, answer)
            break
        taken = np.uint64(answer)
        metal = metal_of(view.pattern, taken)
        area = scored_area(view, metal, taken)
        if area == ZERO:
            blame(view, table, out, answer)
            break
        note(table, Event.SCORED, metal, popcount(area), 0)
        left = taken
        while left != ZERO:
            place = lowest(left)
            left &= left - ONE
            note(table, Event.TAKEN, integer(view.pattern.q[place]), integer(view.pattern.r[place]), 0)
        chain = chain + 1 if area & last else 1
        out.longest_chain = max(integer(out.longest_chain), chain)
        score(view, seat, metal, area, taken)
        last = area & view.pattern.layer[IRON]
        if table.first_scorer[metal] < 0:
            table.first_scorer[metal] = seat
    out.biggest_turn = max(integer(out.biggest_turn), view.scored)


@helper
def refill(view: Any, table: Any, seat: int) -> bool:
    """Refill the hand; False if the end card turns up."""
    while view.hand_sizes[seat] < view.full_hand:
        view.pile -= 1
        card = integer(table.pile[view.pile])
        note(table, Event.REFILL, card, 0, 0)
        if card == END_CARD:
            return False
        table.held[seat, card] += 1
        view.hand_sizes[seat] += 1
    return True


@helper
def draw_first(view: Any, table: Any, seat: int, out: Any) -> int:
    """Whether the player turns up the top card first, and what it is: a metal, END_CARD, or -1 for no."""
    turn_to(view, table, seat, Ask.DRAW, Purpose.DRAW, 0)
    wants = 1
    if hand_can_be_placed(view):
        wants = ask_policy(table.policy[seat], view)
        if wants != 0 and wants != 1:
            blame(view, table, out, wants)
            wants = 0
    else:
        out.unplayable += 1
    if wants == 0:
        return -1
    out.draws += 1
    out.seat_draws[seat] += 1
    view.pile -= 1
    card = integer(table.pile[view.pile])
    note(table, Event.DRAW, card, 0, 0)
    return card


@helper
def take_turn(view: Any, table: Any, seat: int, out: Any) -> bool:
    """One turn; False if the end card turned up."""
    view.turn += 1
    out.seat_turns[seat] += 1
    view.placed = view.scored = 0
    view.drawn = view.metal = view.place = -1
    view.mode = Mode.FREE
    view.touched = view.spent = ZERO
    note(table, Event.TURN, seat, 0, 0)
    card = draw_first(view, table, seat, out)
    if card == END_CARD:
        return False
    view.drawn = card
    if card >= 0 and places_for(view, card) == 0:
        note(table, Event.DISCARDED, card, 0, 0)
        view.gone[card] += 1
        out.discards += 1
    else:
        place_cards(view, table, seat, out)
        score_areas(view, table, seat, out)
    if refill(view, table, seat):
        return True
    out.end_in_refill = 1
    return False
