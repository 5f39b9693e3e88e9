"""One reaction (Crucible 3): whispers, intent, powers and cards, up to its outcome."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ONE, ZERO, lowest
from alchemy_sim.core.jit import ask_policy, helper
from alchemy_sim.games.crucible.cards import (
    SUIT,
    SUIT_OF,
    bit,
    legal_faces,
    ruled_out_by,
    true_hints,
)
from alchemy_sim.games.crucible.disciplines import LIMIT_ADDED, TARGET_ADDED, Discipline, may_use
from alchemy_sim.games.crucible.log import Event, note
from alchemy_sim.games.crucible.rules import counted_value, strength
from alchemy_sim.games.crucible.setup import ask_seat, empty_cauldron, open_turn
from alchemy_sim.games.crucible.table import Ask, Intent, Purpose, Status, blame, left_of
from alchemy_sim.games.crucible.tasks import note_open_tasks


@helper
def leader_with_cards(view: Any) -> int:
    """The named leader, or the next player clockwise who has cards (Crucible 3)."""
    seat = view.next_leader
    while view.cards_left[seat] == 0:
        seat = left_of(view, seat)
    return seat


@helper
def whispers(view: Any, table: Any, out: Any) -> None:
    """From the leader clockwise, each holder of a Whisper Token may spend it (Crucible 6)."""
    next_seat = view.leader
    for _ in range(view.players):
        seat = next_seat
        next_seat = left_of(view, seat)
        if view.whisper_left[seat] == 0 or view.cards_left[seat] == 0:
            continue
        ask_seat(view, table, seat, Ask.WHISPER, Purpose.WHISPER)
        answer = ask_policy(table.policy[seat], view)
        out.choices += 1
        if answer == -1:
            continue
        face = answer >> 2
        hint = answer & 3
        held = 0 <= face <= 57 and view.hand & bit(face) != ZERO
        if not held or hint > 2 or (true_hints(view.hand, face) >> hint) & 1 == 0:
            blame(view, table, out, answer)
            continue
        view.whisper_left[seat] = 0
        view.whispers_left -= 1
        out.whispered_reaction[seat] = view.reaction
        # of two equal faces the known one is shown, so that nothing is told by which it was
        if view.known[seat] & bit(face) == ZERO:
            view.known[seat] |= bit(face)
            view.unseen &= ~bit(face)
        view.excluded[seat] |= ruled_out_by(face, hint)
        note(table, Event.WHISPER, view.reaction, seat, face, hint, 0)


@helper
def swap_tasks(view: Any, table: Any, out: Any, seat: int, answer: int) -> bool:
    """The Seer: exchange the owners of two open tasks, which keep their places (Crucible 7)."""
    mine = answer >> 6
    theirs = answer & 63
    allowed = (
        0 <= mine < view.drafted
        and theirs < view.drafted
        and view.owner[mine] == seat
        and view.owner[theirs] != seat
        and view.status[mine] == Status.OPEN
        and view.status[theirs] == Status.OPEN
    )
    if not allowed:
        blame(view, table, out, answer)
        return False
    other = view.owner[theirs]
    view.owner[mine] = other
    view.owner[theirs] = seat
    note_open_tasks(view)
    note(table, Event.SWAP, view.reaction, seat, view.task[mine], other, view.task[theirs])
    return True


@helper
def swap_possible(view: Any, seat: int) -> bool:
    """Whether the seat and another player each have an open task."""
    own = False
    others = False
    for place in range(view.drafted):
        if view.status[place] == Status.OPEN:
            if view.owner[place] == seat:
                own = True
            else:
                others = True
    return own and others


@helper
def use_power(view: Any, table: Any, out: Any, seat: int) -> int:
    """Ask for the seat's power before its card; returns the discipline used for this play, or -1 (Crucible 7)."""
    discipline = view.discipline[seat]
    if discipline == Discipline.SEER:
        if not swap_possible(view, seat):
            return -1
        ask_seat(view, table, seat, Ask.SWAP, Purpose.POWER)
        answer = ask_policy(table.policy[seat], view)
        out.choices += 1
        if answer == -1 or not swap_tasks(view, table, out, seat, answer):
            return -1
    else:
        ask_seat(view, table, seat, Ask.POWER, Purpose.POWER)
        out.choices += 1
        answer = ask_policy(table.policy[seat], view)
        if answer != 1:
            if answer != 0:
                blame(view, table, out, answer)
            return -1
        view.limit_now += LIMIT_ADDED[discipline]
        view.target_now += TARGET_ADDED[discipline]
        if discipline == Discipline.HOARDER:
            view.hoarder = seat
    view.power_spent[seat] = 1
    out.power_used_reaction[seat] = view.reaction
    return discipline


@helper
def take_out(view: Any, table: Any, seat: int, face: int) -> None:
    """A card leaves a hand. Of equal faces the known one goes first, so that nothing is told by which it was.

    Without branches: which of the cases applies can't be predicted.
    """
    mask = bit(face)
    second = table.twins[seat] & mask
    table.twins[seat] ^= second
    table.hands[seat] &= ~mask | second
    known = view.known[seat] & mask
    second = view.known_twin[seat] & mask
    view.known_twin[seat] ^= second
    view.known[seat] &= ~mask | second
    view.unseen &= ~mask | known
    view.cards_left[seat] -= 1


@helper
def put_back(view: Any, table: Any, seat: int, face: int) -> None:
    """A card returns to its hand, seen by all."""
    mask = bit(face)
    table.twins[seat] |= table.hands[seat] & mask
    table.hands[seat] |= mask
    view.known_twin[seat] |= view.known[seat] & mask
    view.known[seat] |= mask
    view.cards_left[seat] += 1


@helper
def play_card(view: Any, table: Any, out: Any, seat: int, power: int) -> None:
    """Ask for a card, check it, put it into the cauldron (Crucible 3)."""
    ask_seat(view, table, seat, Ask.CARD, Purpose.CARD)
    legal = legal_faces(view.hand, view.lead_suit)
    view.legal = legal
    if legal & (legal - ONE) == ZERO:
        face = lowest(legal)  # one face: nothing to ask
        if view.twin & legal == ZERO:
            out.forced_plays += 1
        else:
            out.choices += 1
    else:
        out.choices += 1
        face = ask_policy(table.policy[seat], view)
        if face < 0 or face > 57 or legal & bit(face) == ZERO:
            blame(view, table, out, face)
            face = lowest(legal)
    suit = SUIT_OF[face]
    if view.lead_suit < 0:
        view.lead_suit = suit
    elif suit != view.lead_suit:
        # a void shown: true for good of the cards that are still hidden, since those never flip
        view.excluded[seat] |= SUIT[view.lead_suit]
    take_out(view, table, seat, face)
    value = counted_value(view, seat, face, power)
    view.total += value
    play = view.plays
    view.play_seat[play] = seat
    view.play_face[play] = face
    view.play_value[play] = value
    table.anchored[play] = 1 if power == Discipline.ANCHOR else 0
    view.plays = play + 1
    power_of_card = strength(view, seat, face)
    if power_of_card > view.best_strength:
        view.best_strength = power_of_card
        view.best_seat = seat
    note(table, Event.PLAY, seat, face, view.total, power, 0)


@helper
def fill_cauldron(view: Any, table: Any, out: Any) -> None:
    """Everybody plays, clockwise from the leader; a Boil Over may stop them (Crucible 3, `boil_over_timing`)."""
    seat = view.leader
    ask_seat(view, table, seat, Ask.INTENT, Purpose.INTENT)
    intent = ask_policy(table.policy[seat], view)
    out.choices += 1
    if intent != Intent.CATALYZE and intent != Intent.TRANSMUTE:
        blame(view, table, out, intent)
        intent = Intent.CATALYZE
    view.intent = intent
    note(table, Event.REACTION, view.reaction, seat, intent, 0, 0)
    next_seat = seat
    for _ in range(view.players):
        seat = next_seat
        next_seat = left_of(view, seat)
        if view.cards_left[seat] == 0:
            continue
        power = use_power(view, table, out, seat) if may_use(view, seat) else -1
        play_card(view, table, out, seat, power)
        view.plan = -1
        if intent == Intent.CATALYZE and view.exploded == 0 and view.total > view.limit_now:
            view.exploded = 1
            table.pusher = seat
            table.pusher_position = view.plays - 1
            if view.boil_over_timing == 0:
                return


@helper
def begin(view: Any, table: Any) -> None:
    """An empty cauldron and a leader who has cards."""
    view.reaction += 1
    view.leader = leader_with_cards(view)
    view.active = 0
    for seat in range(view.players):
        if view.cards_left[seat] > 0:
            view.active += 1
    if table.tasks_changed:
        note_open_tasks(view)
        table.tasks_changed = 0
    open_turn(view, table)
    empty_cauldron(view)
    table.pusher = -1
