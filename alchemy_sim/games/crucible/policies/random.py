"""The random player, exactly as the rule page has it: every choice uniform and independent."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import kth, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.core.rng import below, below_low, draw
from alchemy_sim.games.crucible.cards import count, hintable, kth_card, true_hints
from alchemy_sim.games.crucible.table import POLICIES, Ask, Status


@helper
def random_whisper(view: Any) -> int:
    """With probability 1/4 a card uniform over those with a true hint, and a hint uniform over its true ones."""
    bits = draw(view.source, 0)
    if below(bits, 4) != 0:
        return -1
    faces = hintable(view.hand)
    twins = view.twin & faces
    face = kth_card(faces, twins, below(draw(view.source, 1), count(faces, twins)))
    hints = true_hints(view.hand, face)
    which = below_low(bits, (hints & 1) + (hints >> 1 & 1) + (hints >> 2 & 1))
    for hint in range(3):
        if (hints >> hint) & 1:
            if which == 0:
                return 4 * face + hint
            which -= 1
    return -1


@helper
def open_tasks_of(view: Any, seat: int) -> int:
    """How many open tasks a seat has."""
    tasks = 0
    for place in range(view.drafted):
        if view.owner[place] == seat and view.status[place] == Status.OPEN:
            tasks += 1
    return tasks


@helper
def kth_open_task(view: Any, seat: int, k: int) -> int:
    """The place of the k-th open task of a seat."""
    for place in range(view.drafted):
        if view.owner[place] == seat and view.status[place] == Status.OPEN:
            if k == 0:
                return place
            k -= 1
    return -1


@helper
def random_swap(view: Any) -> int:
    """With probability 1/4 a partner uniform among the others with an open task, then both tasks uniform."""
    bits = draw(view.source, 0)
    if below(bits, 4) != 0:
        return -1
    partners = 0
    for seat in range(view.players):
        if seat != view.me and open_tasks_of(view, seat) > 0:
            partners += 1
    which = below_low(bits, partners)
    partner = -1
    for seat in range(view.players):
        if seat != view.me and open_tasks_of(view, seat) > 0:
            if which == 0:
                partner = seat
            which -= 1
    bits = draw(view.source, 1)
    mine = kth_open_task(view, view.me, below(bits, open_tasks_of(view, view.me)))
    theirs = kth_open_task(view, partner, below_low(bits, open_tasks_of(view, partner)))
    return 64 * mine + theirs


@POLICIES.declare
def random_player(view: Any) -> int:
    """Answer any question uniformly at random."""
    if view.ask == Ask.CARD:
        twins = view.twin & view.legal
        return kth_card(view.legal, twins, below(draw(view.source, 0), count(view.legal, twins)))
    if view.ask == Ask.WHISPER:
        return random_whisper(view)
    if view.ask == Ask.POWER:
        return 1 if below(draw(view.source, 0), 4) == 0 else 0
    if view.ask == Ask.CLAIM:
        return kth(view.unclaimed, below(draw(view.source, 0), popcount(view.unclaimed)))
    if view.ask == Ask.SWAP:
        return random_swap(view)
    return below(draw(view.source, 0), 2)
