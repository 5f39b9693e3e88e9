"""The draft: each claims its place in the best assignment of all revealed tasks to those still to claim."""

from __future__ import annotations

from math import exp, log1p
from typing import Any

from alchemy_sim.core.bits import ONE, ZERO, highest, kth, lowest, popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_floats
from alchemy_sim.games.crucible.cards import ALL_CATALYSTS, CATALYST, MANDRAKE, RANK, RANK_OF, SUIT, bit
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.policies.careful.odds import BEFORE, LEADS, LEFT, MEAN, ODDS, ROW, SAME, Column, Hand
from alchemy_sim.games.crucible.table import left_of
from alchemy_sim.games.crucible.tasks import FAMILY, PARAMETER, Deed, Family

#: So many tasks to claim are at most laid out in every way.
LAID_OUT = 6
#: The log of no chance at all.
NONE = -5.0
#: The log-odds that the Sponge, as a Hoarder, takes a wished card without winning the trick.
HOARDERS = 0.85


@large_helper
def log_chance(odds: float) -> float:
    """The log of the chance that has these log-odds."""
    return -log1p(exp(-odds))


@helper
def suit_asked(task: int) -> int:
    """The suit whose cards in the hand tell most about a task, or -1."""
    if FAMILY[task] == Family.DEED or FAMILY[task] == Family.NO_DEED:
        if PARAMETER[task] < CATALYST:
            return PARAMETER[task]
        if PARAMETER[task] == Deed.TWO_MANDRAKE:
            return MANDRAKE
    return -1


@helper
def beyond(view: Any, which: int, found: float) -> float:
    """By how much the own hand exceeds the average one."""
    return found - MEAN[which, 2 * (view.players - 3) + (1 if view.me == view.lead else 0)]


@large_helper
def by_hand(view: Any, task: int) -> float:
    """What the asked player's hand adds to the log-odds of a task of its own."""
    row = ROW[task]
    hand = view.hand
    catalysts = hand & ALL_CATALYSTS
    held = popcount(catalysts)
    if view.me == view.lead and held > 0:
        catalysts &= ~bit(highest(catalysts))  # everybody knows of that one
        held -= 1
    best = RANK_OF[highest(catalysts)] if catalysts != ZERO else 0
    found = ODDS[row, Column.HAND + Hand.CATALYST] * beyond(view, Hand.CATALYST, best)
    found += ODDS[row, Column.HAND + Hand.CATALYSTS] * beyond(view, Hand.CATALYSTS, held)
    found += ODDS[row, Column.HAND + Hand.NINES] * beyond(view, Hand.NINES, popcount(hand & RANK[9]))
    found += ODDS[row, Column.HAND + Hand.HIGH] * beyond(view, Hand.HIGH, popcount(hand & (RANK[7] | RANK[8])))
    low = popcount(hand & (RANK[1] | RANK[2] | RANK[3]))
    found += ODDS[row, Column.HAND + Hand.LOW] * beyond(view, Hand.LOW, low)
    suit = suit_asked(task)
    if suit >= 0:
        suited = hand & SUIT[suit]
        top = RANK_OF[highest(suited)] if suited != ZERO else 0
        found += ODDS[row, Column.HAND + Hand.SUITED] * beyond(view, Hand.SUITED, popcount(suited))
        found += ODDS[row, Column.HAND + Hand.TOP] * beyond(view, Hand.TOP, top)
    return found


@large_helper
def odds_of(view: Any, seat: int, task: int) -> float:
    """The log-odds that a seat completes a task, by what the asked player knows."""
    row = ROW[task]
    if seat == view.sponge_seat:
        pile = view.discipline[seat] == Discipline.HOARDER and view.hoarder_takes == 0
        if pile and FAMILY[task] == Family.DEED and PARAMETER[task] <= Deed.ONE:
            return HOARDERS
        return ODDS[row, Column.SPONGE]
    odds = ODDS[row, Column.PLAYERS + view.players - 3]
    odds += ODDS[row, Column.LIMIT] * min(max(view.limit - 22, -6), 6)
    odds += ODDS[row, Column.TARGET] * min(max(view.target - 18, -6), 6)
    odds += ODDS[row, Column.CAP] * (min(view.slag_cap, 4) - 3)
    weaver = view.discipline[seat] == Discipline.VOID_WEAVER
    if seat == view.lead:
        odds += ODDS[row, Column.LEAD + view.players - 3]
        if weaver:
            odds += ODDS[row, Column.LEAD_WEAVER]
    if weaver:
        odds += ODDS[row, Column.WEAVER]
    if view.catalyst_value >= 5:
        odds += ODDS[row, Column.HEAVY]
    if left_of(view, seat) == view.sponge_seat:
        # a Boil Over before the Sponge has played would leave it a card more than the others
        if FAMILY[task] == Family.ONE_BOIL:
            odds -= 4.0
        elif FAMILY[task] == Family.DEED and PARAMETER[task] == Deed.AFTER_BOIL:
            odds -= 2.0
    return odds + by_hand(view, task) if seat == view.me else odds


@helper
def wants_trick(task: int) -> bool:
    """Whether a task is never completed without a trick."""
    family = FAMILY[task]
    if family == Family.DEED:
        return PARAMETER[task] < Deed.HIGH or PARAMETER[task] > Deed.FIZZLE
    if family == Family.TRICKS:
        return PARAMETER[task] > 0
    return family == Family.TRICKS_PLUS or family == Family.LAST or family == Family.MORE or family == Family.MOST


@helper
def spoils(task: int, other: int) -> bool:
    """Whether one task asks of an owner what the other forbids."""
    if FAMILY[task] != Family.DEED or FAMILY[other] != Family.NO_DEED:
        return False
    return PARAMETER[task] == PARAMETER[other] or (
        PARAMETER[task] == Deed.TWO_MANDRAKE and PARAMETER[other] == MANDRAKE
    )


@helper
def together(view: Any, seat: int, task: int, later: int, other: int) -> float:
    """What it adds to the log of the chance that `seat` has one task and `later`, who claimed after it, the other."""
    one = ROW[task]
    two = ROW[other]
    found = BEFORE[one, two] if view.ordered_tasks else 0.0
    if seat == later:
        return found + (NONE if spoils(task, other) or spoils(other, task) else SAME[one, two])
    if view.sponge_seat >= 0:
        # T36 beside the Sponge bids both win nothing
        if FAMILY[task] == Family.SAME and wants_trick(other):
            if seat == view.sponge_seat and later == left_of(view, seat):
                found += NONE
        elif FAMILY[other] == Family.SAME and wants_trick(task):
            if later == view.sponge_seat and seat == left_of(view, later):
                found += NONE
    if seat == view.lead:
        found += LEADS[one, two]
    elif later == view.lead:
        found += LEADS[two, one]
    if left_of(view, seat) == later:
        found += LEFT[one, two]
    elif left_of(view, later) == seat:
        found += LEFT[two, one]
    return found


@large_helper
def chance_of(view: Any, seat: int, task: int) -> float:
    """The log of the chance that a seat completes a task beside those that are claimed already."""
    found = log_chance(odds_of(view, seat, task))
    for place in range(view.drafted):
        found += together(view, view.owner[place], view.task[place], seat, task)
    return found


@large_helper
def best_of_many(view: Any) -> int:
    """The task that the asked player is likelier to complete than an average one: of too many to lay out."""
    best = -1
    most = -1e9
    rest = view.unclaimed
    while rest != ZERO:
        task = lowest(rest)
        rest &= rest - ONE
        worth = chance_of(view, view.me, task) - log_chance(ODDS[ROW[task], Column.PLAYERS + view.players - 3])
        if worth > most:
            most = worth
            best = task
    return best


@large_helper
def joint_claim(view: Any) -> int:
    """The task to claim: the first of the likeliest way to share out all that are left; the lowest number on a tie."""
    many = popcount(view.unclaimed)
    if many == 1:
        return lowest(view.unclaimed)
    if many > LAID_OUT:
        return best_of_many(view)
    chance = stack_floats(36)
    so_far = stack_floats(6)
    tasks = stack_floats(6)
    picked = stack_floats(6)
    seat = view.me
    for step in range(many):
        tasks[step] = kth(view.unclaimed, step)
        for which in range(many):
            chance[LAID_OUT * step + which] = chance_of(view, seat, kth(view.unclaimed, which))
        seat = left_of(view, seat)
    best = -1
    most = -1e9
    used = 0
    step = 0
    which = 0
    so_far[0] = 0.0
    while step >= 0:
        if which == many:  # all tried here: take back the one before
            step -= 1
            if step >= 0:
                which = int(picked[step])
                used &= ~(1 << which)
                which += 1
            continue
        if (used >> which) & 1:
            which += 1
            continue
        worth = so_far[step] + chance[LAID_OUT * step + which]
        task = int(tasks[which])
        seat = (view.me + step) % view.players
        for before in range(step):
            other = int(tasks[int(picked[before])])
            worth += together(view, (view.me + before) % view.players, other, seat, task)
        picked[step] = which
        if step < many - 1:
            used |= 1 << which
            step += 1
            so_far[step] = worth
            which = 0
            continue
        if worth > most:
            most = worth
            best = int(tasks[int(picked[0])])
        which += 1
    return best
