"""The 40 tasks (Crucible 5): a table of rows, the deeds they look at, and when each is complete or impossible.

Most tasks ask whether their owner has done a *deed* (won a Salt, made a 22, fizzled a card): bits that the kernel sets
for each player as reactions are settled. The rest compare counts. So a task is a row (family, parameter).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import numpy as np

from alchemy_sim.core.bits import ZERO, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.cards import (
    ALL_CATALYSTS,
    CATALYST,
    DECK,
    EITHER_SIDE,
    MANDRAKE,
    NINE_OR_ONE,
    RANK_OF,
    SUIT_OF,
    count,
)
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.table import TASKS, Status, left_of


class Deed(IntEnum):
    """What a player has done, as bits of `deeds`. 0 to 5: has won that suit, in the order B Q S L A M."""

    CATALYST = 6
    NINE = 7
    ONE = 8
    SUM_22 = 9
    HIGH = 10
    LOW = 11
    FIZZLE = 12
    AFTER_BOIL = 13
    TWO_MANDRAKE = 14
    THREE_OF_A_SUIT = 15
    TWO_CATALYSTS = 16
    ALL_LOW = 17
    FIRST = 18
    SECOND_OR_THIRD = 19  # won one of the first three tricks (or reactions), not the first


class Family(IntEnum):
    """How a task is judged."""

    DEED = 0  # complete once the owner has done the deed `parameter`
    NO_DEED = 1  # complete at the end without it, impossible with it
    TRICKS = 2  # exactly `parameter` tricks at the end
    TRICKS_PLUS = 3  # at least `parameter` tricks
    ONE_BOIL = 4
    LEAD_ONE = 5
    LAST = 6
    NONE_OF_THREE = 7
    MORE = 8
    FEWER = 9
    MOST = 10
    SAME = 11


#: Suits in the order of T07 to T18 (Crucible 5): Brimstone, Quicksilver, Salt, Mandrake, Aether, Lodestone.
_SUIT_ORDER = (0, 1, 2, 5, 4, 3)

_ROWS: Sequence[tuple[int, int]] = (
    [(Family.TRICKS, n) for n in range(5)]
    + [(Family.TRICKS_PLUS, 5)]
    + [(Family.DEED, suit) for suit in _SUIT_ORDER]
    + [(Family.NO_DEED, suit) for suit in _SUIT_ORDER]
    + [(Family.DEED, deed) for deed in (Deed.NINE, Deed.ONE, Deed.CATALYST)]
    + [(Family.NO_DEED, Deed.CATALYST), (Family.DEED, Deed.SUM_22), (Family.ONE_BOIL, 0)]
    + [(Family.DEED, deed) for deed in (Deed.HIGH, Deed.LOW, Deed.FIZZLE)]
    + [(Family.LEAD_ONE, 0), (Family.DEED, Deed.FIRST), (Family.LAST, 0), (Family.NONE_OF_THREE, 0)]
    + [(Family.DEED, Deed.AFTER_BOIL)]
    + [(family, 0) for family in (Family.MORE, Family.FEWER, Family.MOST, Family.SAME)]
    + [(Family.DEED, Deed(d)) for d in (14, 15, 16, 17)]
)
FAMILY = np.array([row[0] for row in _ROWS], np.int64)
PARAMETER = np.array([row[1] for row in _ROWS], np.int64)

#: Deeds that stand once done; the others are events, which `task_order = deferred` wants to happen again (Crucible 8).
STANDING = np.array([deed <= Deed.ONE or deed == Deed.FIRST for deed in range(32)], np.int64)
#: Tasks that complete by an event or count while cards are left, so that mission 3's order binds them (Crucible 8).
BOUND = np.array([row[0] in (Family.DEED, Family.TRICKS_PLUS) for row in _ROWS], np.int64)

#: Deeds that winning each face makes.
DEEDS_OF_FACE = np.array(
    [
        (1 << SUIT_OF[face])
        | ((1 << Deed.NINE) if SUIT_OF[face] != CATALYST and RANK_OF[face] == 9 else 0)
        | ((1 << Deed.ONE) if SUIT_OF[face] != CATALYST and RANK_OF[face] == 1 else 0)
        for face in range(DECK)
    ],
    np.int64,
)
assert len(_ROWS) == TASKS

#: Added to counts of four bits each, FIVES carries those of 3 to 5 into their fourth bit, which EIGHTS picks out.
FIVES = 0x5555555
EIGHTS = 0x8888888


@helper
def face_deeds(view: Any) -> int:
    """What the cards in the cauldron give whoever wins them: suits, a 9, a 1, a Catalyst (T07 to T22)."""
    deeds = 0
    for play in range(view.plays):
        deeds |= DEEDS_OF_FACE[view.play_face[play]]
    return deeds


@helper
def suits_in(view: Any) -> int:
    """How many cards of each suit are in the cauldron, four bits a suit."""
    of_suit = 0
    for play in range(view.plays):
        of_suit += 1 << (4 * SUIT_OF[view.play_face[play]])
    return of_suit


@helper
def all_low_in(view: Any) -> bool:
    """Whether no card in the cauldron is above 5."""
    for play in range(view.plays):
        if RANK_OF[view.play_face[play]] > 5:
            return False
    return True


@helper
def deeds_of_suits(of_suit: int, low: bool) -> int:
    """What cards make together for whoever wins them (T37 to T40): counts as of `suits_in`, and whether all are low."""
    deeds = 0
    if low:
        deeds |= 1 << Deed.ALL_LOW
    if (of_suit >> (4 * MANDRAKE)) & 15 >= 2:
        deeds |= 1 << Deed.TWO_MANDRAKE
    if (of_suit >> (4 * CATALYST)) & 15 >= 2:
        deeds |= 1 << Deed.TWO_CATALYSTS
    if (of_suit + FIVES) & EIGHTS:
        deeds |= 1 << Deed.THREE_OF_A_SUIT
    return deeds


@helper
def combination_deeds(view: Any) -> int:
    """What the cards in the cauldron make together for whoever wins the trick (T37 to T40)."""
    return deeds_of_suits(suits_in(view), all_low_in(view))


@helper
def largest_hand(view: Any) -> int:
    """R: the most tricks that can still happen (Crucible 5)."""
    most = 0
    for seat in range(view.players):
        most = max(most, view.cards_left[seat])
    return most


@helper
def unspent(view: Any, discipline: int) -> bool:
    """Whether anyone has that discipline and has not used it."""
    for seat in range(view.players):
        if view.discipline[seat] == discipline and view.power_spent[seat] == 0:
            return True
    return False


@helper
def sum_22_barred(view: Any) -> bool:
    """T23's last column: no total of 22 can be safe any more."""
    if view.limit >= 22 or unspent(view, Discipline.PURIFIER):
        return False
    return view.limit + 3 < 22 or not unspent(view, Discipline.STABILIZER)


@helper
def note_open_tasks(view: Any) -> None:
    """Put into the view which deeds each seat's open tasks want or bar, so that players need not look each up."""
    for seat in range(view.players):
        view.wanted[seat] = 0
        view.barred[seat] = 0
        view.counting[seat] = 0
    for place in range(view.drafted):
        if view.status[place] == Status.OPEN:
            task = view.task[place]
            if FAMILY[task] == Family.DEED:
                view.wanted[view.owner[place]] |= 1 << PARAMETER[task]
            elif FAMILY[task] == Family.NO_DEED:
                view.barred[view.owner[place]] |= 1 << PARAMETER[task]
            else:
                view.counting[view.owner[place]] += 1


@helper
def cards_of(view: Any, table: Any, faces: Any) -> int:
    """How many cards in all hands show one of these faces."""
    cards = 0
    for seat in range(view.players):
        cards += count(table.hands[seat] & faces, table.twins[seat] & faces)
    return cards


@helper
def look_at_hands(view: Any, table: Any) -> None:
    """Note which faces are in any hand; `deed_barred` reads it."""
    table.faces = ZERO
    for seat in range(view.players):
        table.faces |= table.hands[seat]


@helper
def deed_barred(view: Any, table: Any, deed: int, owner: int) -> bool:
    """Whether nobody, or not this owner, can do a deed any more: the last column of the task table (Crucible 5)."""
    if deed < 6:
        return table.faces & EITHER_SIDE[deed] == ZERO
    if deed == Deed.CATALYST:
        return table.faces & ALL_CATALYSTS == ZERO
    if deed == Deed.NINE or deed == Deed.ONE:
        return table.faces & NINE_OR_ONE == ZERO
    if deed == Deed.HIGH or deed == Deed.LOW or deed == Deed.FIZZLE:
        return view.cards_left[owner] == 0
    if deed == Deed.SUM_22:
        return sum_22_barred(view)
    if deed == Deed.AFTER_BOIL:
        return view.boil_pending == 0 and view.slag_total + 1 >= view.slag_cap
    if deed == Deed.TWO_MANDRAKE:
        return cards_of(view, table, EITHER_SIDE[MANDRAKE]) < 2
    if deed == Deed.TWO_CATALYSTS:
        return popcount(table.faces & ALL_CATALYSTS) < 2
    return deed == Deed.FIRST and view.first_trick != -1


@helper
def first_three_over(view: Any) -> bool:
    """Whether the third trick was won (`trick_order = reactions`: three reactions are over) (T31)."""
    return (view.reaction if view.trick_order == 1 else view.trick_count) >= 3


@helper
def verdict(view: Any, table: Any, task: int, owner: int) -> int:
    """The status of a task while cards are left, before any order of tasks, by the table test."""
    family = FAMILY[task]
    parameter = PARAMETER[task]
    deeds = view.deeds[owner]
    won = view.tricks[owner]
    if family == Family.DEED:
        if (deeds >> parameter) & 1:
            return Status.COMPLETE
        return Status.IMPOSSIBLE if deed_barred(view, table, parameter, owner) else Status.OPEN
    if family == Family.NO_DEED:
        return Status.IMPOSSIBLE if (deeds >> parameter) & 1 else Status.OPEN
    if family == Family.ONE_BOIL:
        caused = view.slag[owner]
        hopeless = caused >= 2 or (caused == 0 and view.slag_total + 1 >= view.slag_cap)
        return Status.IMPOSSIBLE if hopeless else Status.OPEN
    if family == Family.LEAD_ONE:
        led = view.transmutes_led[owner]
        hopeless = led >= 2 or (led == 0 and view.cards_left[owner] == 0)
        return Status.IMPOSSIBLE if hopeless else Status.OPEN
    if family == Family.LAST:
        return Status.OPEN
    if family == Family.NONE_OF_THREE:
        if deeds & ((1 << Deed.FIRST) | (1 << Deed.SECOND_OR_THIRD)):
            return Status.IMPOSSIBLE
        return Status.COMPLETE if first_three_over(view) else Status.OPEN
    to_come = largest_hand(view)
    if family == Family.TRICKS:
        return Status.IMPOSSIBLE if won > parameter or won + to_come < parameter else Status.OPEN
    if family == Family.TRICKS_PLUS:
        if won >= parameter:
            return Status.COMPLETE
        return Status.IMPOSSIBLE if won + to_come < parameter else Status.OPEN
    of_lead = view.tricks[view.lead]
    if family == Family.MORE:
        return Status.IMPOSSIBLE if owner == view.lead or won + to_come <= of_lead else Status.OPEN
    if family == Family.FEWER:
        return Status.IMPOSSIBLE if owner == view.lead or won >= of_lead + to_come else Status.OPEN
    if family == Family.MOST:
        for seat in range(view.players):
            if seat != owner and won + to_come <= view.tricks[seat]:
                return Status.IMPOSSIBLE
        return Status.OPEN
    of_left = view.tricks[left_of(view, owner)]
    return Status.IMPOSSIBLE if abs(won - of_left) > to_come else Status.OPEN


@helper
def fulfilled_at_end(view: Any, task: int, owner: int) -> bool:
    """Whether the task is complete when no card is left, before any order of tasks."""
    family = FAMILY[task]
    parameter = PARAMETER[task]
    deeds = view.deeds[owner]
    won = view.tricks[owner]
    if family == Family.DEED:
        return (deeds >> parameter) & 1 == 1
    if family == Family.NO_DEED:
        return (deeds >> parameter) & 1 == 0
    if family == Family.TRICKS:
        return won == parameter
    if family == Family.TRICKS_PLUS:
        return won >= parameter
    if family == Family.ONE_BOIL:
        return view.slag[owner] == 1
    if family == Family.LEAD_ONE:
        return view.transmutes_led[owner] == 1
    if family == Family.LAST:
        return view.last_trick == owner
    if family == Family.NONE_OF_THREE:
        return deeds & ((1 << Deed.FIRST) | (1 << Deed.SECOND_OR_THIRD)) == 0
    of_lead = view.tricks[view.lead]
    if family == Family.MORE:
        return won > of_lead
    if family == Family.FEWER:
        return won < of_lead
    if family == Family.MOST:
        for seat in range(view.players):
            if seat != owner and won <= view.tricks[seat]:
                return False
        return True
    return won == view.tricks[left_of(view, owner)]
