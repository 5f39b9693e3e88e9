"""Setup (Crucible 2): the deal, the Lead, the Sponge and the draft of tasks; disciplines are in `keeping`."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, highest, popcount
from alchemy_sim.core.jit import ask_policy, helper
from alchemy_sim.core.rng import GOLDEN, PURPOSES, below, below_low, draw, position, sealed, stream
from alchemy_sim.games.crucible.cards import ALL_CATALYSTS, DECK, bit
from alchemy_sim.games.crucible.judge import first_impossible, judge
from alchemy_sim.games.crucible.log import Event, note
from alchemy_sim.games.crucible.table import SEATS, Ask, Purpose, Status, blame, left_of

DISCIPLINES = 10
#: How far into a turn's draws those of a purpose start.
OFFSET = np.array([position(0, purpose, 0) * int(GOLDEN) % 2**64 for purpose in range(PURPOSES)], np.uint64)
WHOLE_DECK = np.uint64((1 << DECK) - 1)


@helper
def empty_cauldron(view: Any) -> None:
    """Nothing has been played in this reaction."""
    view.intent = -1
    view.lead_suit = -1
    view.plays = 0
    view.total = 0
    view.limit_now = view.limit
    view.target_now = view.target
    view.best_seat = -1
    view.best_strength = 0
    view.exploded = 0
    view.hoarder = -1


@helper
def clear(view: Any, table: Any) -> None:
    """Make the records ready for a new mission: nothing a player can look at may be left over from the last one."""
    for place in range(view.drafted):
        view.task[place] = -1
        view.owner[place] = -1
        view.status[place] = Status.OPEN
    for seat in range(SEATS):
        table.hands[seat] = ZERO
        table.twins[seat] = ZERO
        table.declined[seat] = -1
        view.known[seat] = ZERO
        view.known_twin[seat] = ZERO
        view.excluded[seat] = ZERO
        view.slag[seat] = 0
        view.tricks[seat] = 0
        view.deeds[seat] = 0
        view.transmutes_led[seat] = 0
        view.discipline[seat] = -1
        view.power_spent[seat] = 1
        view.whisper_left[seat] = view.whispers
        view.wanted[seat] = 0
        view.barred[seat] = 0
        view.counting[seat] = 0
        view.play_seat[seat] = -1
        view.play_face[seat] = -1
        view.play_value[seat] = 0
    for seat in range(view.players):
        table.own_key[seat] = sealed(stream(table.key, position(0, Purpose.OWN, seat)))
    view.whispers_left = view.players * view.whispers
    view.unseen = WHOLE_DECK
    view.reaction = 0
    view.sponge_seat = -1
    view.slag_total = 0
    view.trick_count = 0
    view.transmutes_tried = 0
    view.transmutes_made = 0
    view.made_22 = 0
    view.made_18 = 0
    view.first_trick = -1
    view.last_trick = -1
    view.boil_pending = 0
    view.drafted = 0
    view.leader = -1
    view.active = 0
    empty_cauldron(view)
    table.tasks_changed = 1
    table.lost = 0
    table.logged = 0
    open_turn(view, table)
    if view.ordered_tasks:
        for place in range(view.tasks):
            table.enabled_at[place] = -1
        for seat in range(SEATS):
            for deed in range(32):
                table.deed_reaction[seat, deed] = -1


@helper
def deal(view: Any, table: Any) -> None:
    """Shuffle the 58 cards and deal them evenly; the rest is left over, unseen (Crucible 2)."""
    deck = table.deck
    for card in range(DECK):
        deck[card] = card
    source = stream(table.key, position(0, Purpose.DEAL, 0))
    each = DECK // view.players
    dealt = each * view.players
    # Two places to a random word. The left-over cards come first and the last hand is what remains, so the last
    # places need no draw.
    left = DECK - dealt
    drawn = DECK - each
    for pair in range((drawn + 1) // 2):
        bits = draw(source, pair)
        first = 2 * pair
        other = first + below(bits, DECK - first)
        deck[first], deck[other] = deck[other], deck[first]
        second = first + 1
        other = second + below_low(bits, DECK - second)
        deck[second], deck[other] = deck[other], deck[second]
    rest = WHOLE_DECK
    for card in range(left):
        rest ^= bit(deck[card])
    card = left
    for seat in range(view.players - 1):
        hand = ZERO
        for _ in range(each):
            hand |= bit(deck[card])
            card += 1
        rest ^= hand
        table.hands[seat] = hand
        view.cards_left[seat] = each
    table.hands[view.players - 1] = rest
    view.cards_left[view.players - 1] = each
    if table.recording:
        for card in range(left):
            note(table, Event.DEAL, -1, deck[card], 0, 0, 0)
        for card in range(left, DECK):
            note(table, Event.DEAL, (card - left) // each, deck[card], 0, 0, 0)


@helper
def find_lead(view: Any, table: Any) -> None:
    """The holder of Catalyst 4, or of the highest Catalyst dealt, is the Lead (Crucible 2)."""
    best = ZERO
    for seat in range(view.players):
        held = table.hands[seat] & ALL_CATALYSTS
        if held > best:
            best = held
            view.lead = seat
    view.next_leader = view.lead


@helper
def draw_sponge(view: Any, table: Any) -> None:
    """Mission 11: the Sponge is drawn among the others, only the Lead, or all (`sponge_is`) (Crucible 8)."""
    if not view.sponge:
        return
    bits = draw(stream(table.key, position(0, Purpose.SPONGE, 0)), 0)
    if view.sponge_is == 0:
        view.sponge_seat = (view.lead + 1 + below(bits, view.players - 1)) % view.players
    elif view.sponge_is == 1:
        view.sponge_seat = view.lead
    else:
        view.sponge_seat = below(bits, view.players)


@helper
def shuffle_prefix(cards: Any, size: int, source: Any, first: int, count: int) -> None:
    """Carry a shuffle of `cards[:size]` on by `count` places from `first`; the order is the same whatever the steps."""
    for place in range(first, first + count):
        other = place + below(draw(source, place), size - place)
        cards[place], cards[other] = cards[other], cards[place]


@helper
def open_turn(view: Any, table: Any) -> None:
    """Place the draws of this reaction (0: the draft)."""
    table.turn = stream(ZERO, position(view.reaction, 0, 0))


@helper
def ask_seat(view: Any, table: Any, seat: int, ask: int, purpose: int) -> None:
    """Turn the view towards a seat: its own hand and its own draws, and nothing that another seat has left there."""
    view.ask = ask
    view.me = seat
    view.hand = table.hands[seat]
    view.twin = table.twins[seat]
    view.legal = ZERO  # another seat's would tell of its hand
    view.source = table.own_key[seat] + (table.turn + OFFSET[purpose])
    if ask <= Ask.INTENT:
        view.plan = -1


@helper
def draft(view: Any, table: Any, out: Any) -> None:
    """Reveal the mission's tasks; from the Lead clockwise each claims one in turn, round and round (Crucible 2)."""
    deck = table.task_deck
    for card in range(view.pool):
        deck[card] = view.pool_tasks[card]
    source = stream(table.key, position(0, Purpose.TASKS, 0))
    shuffle_prefix(deck, view.pool, source, 0, view.tasks)
    table.task_cards_used = view.tasks
    view.unclaimed = ZERO
    for card in range(view.tasks):
        view.unclaimed |= ONE << np.uint64(deck[card])
        note(table, Event.REVEAL, deck[card], 0, 0, 0, 0)
    seat = view.lead
    for place in range(view.tasks):
        ask_seat(view, table, seat, Ask.CLAIM, Purpose.CLAIM)
        view.source = stream(table.own_key[seat], position(place, Purpose.CLAIM, 0))
        task = ask_policy(table.policy[seat], view)
        if task < 0 or task >= 64 or view.unclaimed & (ONE << np.uint64(task)) == ZERO:
            blame(view, table, out, task)
            task = highest(view.unclaimed)
        if popcount(view.unclaimed) > 1:
            out.choices += 1
        view.unclaimed &= ~(ONE << np.uint64(task))
        view.task[place] = task
        view.owner[place] = seat
        view.status[place] = Status.OPEN
        view.drafted = place + 1
        seat = left_of(view, seat)


@helper
def replace_impossible(view: Any, table: Any) -> None:
    """Put each impossible task aside, in claim order, for the next of the shuffled task cards; the owner stays."""
    source = stream(table.key, position(0, Purpose.TASKS, 0))
    for place in range(view.drafted):
        if view.status[place] != Status.IMPOSSIBLE:
            continue
        if table.task_cards_used < view.pool:
            shuffle_prefix(table.task_deck, view.pool, source, table.task_cards_used, 1)
            fresh = table.task_deck[table.task_cards_used]
            table.task_cards_used += 1
            note(table, Event.REDRAW, view.task[place], fresh, 0, 0, 0)
            view.task[place] = fresh
            view.status[place] = Status.OPEN


@helper
def finish_draft(view: Any, table: Any) -> None:
    """Judge the draft; `impossible_draft = redraw` replaces impossible tasks until none is left (Crucible 5)."""
    recording = table.recording
    table.recording = 0  # statuses are written down once the claims stand
    judge(view, table)
    if view.impossible_draft == 1:
        while first_impossible(view) >= 0 and table.task_cards_used < view.pool:
            table.recording = recording
            replace_impossible(view, table)
            table.recording = 0
            judge(view, table)
    table.recording = recording
    for place in range(view.drafted):
        note(table, Event.CLAIM, view.owner[place], view.task[place], 0, 0, 0)
    for place in range(view.drafted):
        if view.status[place] != Status.OPEN:
            note(table, Event.TASK, 0, view.task[place], view.owner[place], view.status[place], 0)
