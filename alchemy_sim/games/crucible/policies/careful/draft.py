"""The draft: each claims its place in the best assignment of all revealed tasks to those still to claim."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, highest, lowest, popcount
from alchemy_sim.core.jit import helper, large_helper, stack_floats
from alchemy_sim.games.crucible.cards import ALL_CATALYSTS, MANDRAKE, RANK, RANK_OF, SUIT, bit
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.policies.draft import better_discipline
from alchemy_sim.games.crucible.table import TASKS, left_of
from alchemy_sim.games.crucible.tasks import FAMILY, PARAMETER, Deed, Family

#: Odds that a player whose hand is unknown completes each task, T01 to T40, in hundredths, and that the Lead does.
ODDS = np.array(
    [
        *(95, 93, 90, 86, 80, 72),  # tricks 0, 1, 2, 3, 4, 5+
        *(82, 82, 82, 82, 82, 82),  # some of a suit
        *(96, 96, 96, 96, 96, 96),  # none of a suit
        *(75, 96, 60, 96),  # a 9, a 1, a Catalyst, no Catalyst
        *(50, 92, 98, 99, 100, 92),  # 22, one Boil Over, high, low, fizzle, lead one
        *(65, 85, 96, 84),  # first, last, none of three, after a Boil Over
        *(91, 91, 91, 91),  # more, fewer, most, same
        *(55, 86, 35, 80),  # two Mandrake, three of a suit, two Catalysts, all low
    ],
    np.float64,
)
LEADS_ODDS = ODDS.copy()
for _task, _odds in {20: 98, 22: 55, 28: 99, 30: 93, 32: -1000, 33: -1000, 38: 96, 39: 94, 27: 90}.items():
    LEADS_ODDS[_task] = _odds

#: Deeds that want a trick won, whatever is in it.
_TRICKS = {Family.TRICKS_PLUS, Family.LAST, Family.MORE, Family.MOST}
_BY_TRANSMUTE = {Deed.HIGH, Deed.LOW, Deed.FIZZLE}


def _wants_tricks(task: int) -> bool:
    family, parameter = Family(FAMILY[task]), int(PARAMETER[task])
    deed = family == Family.DEED and parameter not in _BY_TRANSMUTE
    return deed or family in _TRICKS or (family == Family.TRICKS and parameter > 0)


def _clash(one: int, other: int) -> float:
    """By how much two tasks of one owner spoil each other, in hundredths."""
    families = Family(FAMILY[one]), Family(FAMILY[other])
    parameters = int(PARAMETER[one]), int(PARAMETER[other])
    if families == (Family.TRICKS, Family.TRICKS):
        return 100
    if families == (Family.TRICKS, Family.TRICKS_PLUS):
        return 100
    if families == (Family.TRICKS, Family.MORE) or families == (Family.TRICKS, Family.MOST):
        return 100 if parameters[0] == 0 else 5
    if families[0] == Family.TRICKS and parameters[0] == 0 and _wants_tricks(other):
        return 100
    if families == (Family.DEED, Family.NO_DEED):
        if parameters[0] == parameters[1]:
            return 100
        if parameters == (Deed.TWO_CATALYSTS, Deed.CATALYST) or parameters == (Deed.TWO_MANDRAKE, MANDRAKE):
            return 100
    if families == (Family.DEED, Family.NONE_OF_THREE):
        return 100 if parameters[0] == Deed.FIRST else 0
    if families == (Family.TRICKS_PLUS, Family.NO_DEED):
        return 15
    if families == (Family.MORE, Family.FEWER):
        return 100
    if families[0] == Family.SAME and _wants_tricks(other):
        return 8
    if families == (Family.FEWER, Family.TRICKS_PLUS) or families == (Family.FEWER, Family.MOST):
        return 60
    return 0


#: Odds of the Sponge, who may neither win a trick nor lead a Transmute (mission 11).
SPONGES_ODDS = np.array([3.0 if _wants_tricks(task) else 99.0 for task in range(TASKS)])
for _task, _odds in {22: 0, 27: -1000, 23: 85, 24: 90, 25: 95, 33: 96, 35: 40}.items():
    SPONGES_ODDS[_task] = _odds
#: Odds that the Sponge, as a Hoarder, takes a wished card without winning the trick.
HOARDERS_ODDS = 70.0
#: Tasks that no seat without a trick completes.
WANTS_TRICKS = np.array([_wants_tricks(task) for task in range(TASKS)])
#: `CLASH[a, b]`: what two tasks of the same owner cost each other, in hundredths.
CLASH = np.array([[max(_clash(a, b), _clash(b, a)) for b in range(TASKS)] for a in range(TASKS)], np.float64)


@large_helper
def own_odds(view: Any, task: int) -> float:
    """The odds that the asked player completes a task, by its hand, in hundredths."""
    hand = view.hand
    lead = view.me == view.lead
    odds = LEADS_ODDS[task] if lead else ODDS[task]
    family = FAMILY[task]
    deed = PARAMETER[task]
    catalysts = hand & ALL_CATALYSTS
    held = popcount(catalysts)
    best = RANK_OF[highest(catalysts)] if catalysts != ZERO else 0
    nines = popcount(hand & RANK[9])
    strong = 2.0 * best + nines + popcount(hand & RANK[8]) / 2.0
    if family == Family.TRICKS_PLUS or (family == Family.TRICKS and deed >= 3):
        return odds + strong - 4.0
    if family == Family.TRICKS or family == Family.FEWER or family == Family.NONE_OF_THREE:
        return odds - 0.3 * strong
    if family == Family.MORE or family == Family.MOST or family == Family.LAST:
        return odds + 0.5 * strong
    if family == Family.DEED:
        if deed < 6:
            suited = hand & SUIT[deed]
            top = RANK_OF[highest(suited)] if suited != ZERO else 0
            return min(odds - 12.0 + 2.0 * top + 1.5 * popcount(suited), 97.0)
        if deed == Deed.NINE:
            return min(odds - 10.0 + 12.0 * nines, 97.0)
        if deed == Deed.CATALYST:
            return 98.0 if best == 4 else 50.0 + 12.0 * best if held else 40.0
        if deed == Deed.TWO_CATALYSTS:
            return (97.0 if held <= 2 else 80.0) if best == 4 else 25.0 + 15.0 * best if held else 5.0
        if deed == Deed.ALL_LOW:
            return 96.0 if best == 4 else 80.0 + 3.0 * best
        if deed == Deed.TWO_MANDRAKE:
            suited = hand & SUIT[MANDRAKE]
            top = RANK_OF[highest(suited)] if suited != ZERO else 0
            return min(30.0 + 4.0 * top + 4.0 * popcount(suited), 95.0)
        if deed == Deed.FIRST and not lead:
            return 40.0 + 10.0 * best
        if deed == Deed.SUM_22 or deed == Deed.AFTER_BOIL:
            return odds + strong
    return odds


@helper
def beside_sponge(view: Any, seat: int, task: int) -> float:
    """What the Sponge's neighbours take from a claim's odds, in hundredths: T36 bids two seats win no trick."""
    same = FAMILY[task] == Family.SAME
    spoiled = 0.0
    if FAMILY[task] == Family.ONE_BOIL and left_of(view, seat) == view.sponge_seat:
        return 75.0  # the Sponge would keep its card
    if FAMILY[task] == Family.DEED and PARAMETER[task] == Deed.AFTER_BOIL and left_of(view, seat) == view.sponge_seat:
        return 40.0
    for place in range(view.drafted):
        owner = view.owner[place]
        other = view.task[place]
        if same:
            # mine beside the Sponge, or the Sponge's beside me: the other seat's claims so far
            if WANTS_TRICKS[other] and (
                (seat == view.sponge_seat and owner == left_of(view, seat))
                or (left_of(view, seat) == view.sponge_seat and owner == seat)
            ):
                spoiled = 90.0
        elif FAMILY[other] == Family.SAME and WANTS_TRICKS[task]:
            left = left_of(view, owner)
            if (owner == view.sponge_seat and left == seat) or (owner == seat and left == view.sponge_seat):
                spoiled = 90.0
    return spoiled


@large_helper
def odds_of(view: Any, seat: int, task: int) -> float:
    """The odds that a seat completes a task beside those it has claimed already, in hundredths."""
    if seat == view.sponge_seat:
        if view.discipline[seat] == Discipline.HOARDER and view.hoarder_takes == 0:
            if FAMILY[task] == Family.DEED and PARAMETER[task] <= Deed.ONE:
                return HOARDERS_ODDS
        return SPONGES_ODDS[task] - beside_sponge(view, seat, task)
    odds = own_odds(view, task) if seat == view.me else LEADS_ODDS[task] if seat == view.lead else ODDS[task]
    for place in range(view.drafted):
        if view.owner[place] == seat:
            odds -= CLASH[task, view.task[place]]
    return odds - beside_sponge(view, seat, task) if view.sponge_seat >= 0 else odds


@large_helper
def best_rest(view: Any, rest: Any, room: Any) -> float:
    """The best total of odds when the seats after the asked one claim all tasks of `rest` (at most six) in turn."""
    many = popcount(rest)
    for mask in range(1 << many):
        room[mask] = -1e9
    room[0] = 0.0
    for mask in range(1 << many):
        seat = view.me
        for _ in range(popcount(np.uint64(mask)) + 1):
            seat = left_of(view, seat)
        left = rest
        for place in range(many):
            task = lowest(left)
            left &= left - ONE
            if (mask >> place) & 1 == 0:
                more = mask | (1 << place)
                room[more] = max(room[more], room[mask] + odds_of(view, seat, task))
    return room[(1 << many) - 1]


@large_helper
def joint_claim(view: Any) -> int:
    """The task to claim; the lowest number on a tie."""
    room = stack_floats(64)
    best = -1
    most = -1e9
    rest = view.unclaimed
    few = popcount(rest) <= 7
    while rest != ZERO:
        task = lowest(rest)
        rest &= rest - ONE
        worth = odds_of(view, view.me, task)
        if few:
            worth += best_rest(view, view.unclaimed & ~bit(task), room)
        else:
            worth -= ODDS[task]
        if worth > most:
            most = worth
            best = task
    return best


@helper
def careful_discipline(view: Any) -> int:
    """Which of the two offered disciplines to keep: 0 or 1."""
    if view.me == view.sponge_seat:
        # Catalysts that are never highest; then cards without a trick
        if view.hand & ALL_CATALYSTS != ZERO:
            for place in range(2):
                if view.offered[place] == Discipline.VOID_WEAVER:
                    return place
        if view.hoarder_takes == 0:
            for place in range(2):
                if view.offered[place] == Discipline.HOARDER:
                    return place
    return better_discipline(view)
