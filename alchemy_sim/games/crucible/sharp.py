"""`impossible_test = sharp`: proofs beyond the table's last column (Crucible 5).

Each holds whoever plays on and however: a player can only win as many tricks as they have cards, for every trick (and
every use of the Hoarder) takes one card out of their hand for good, and only Transmutes give cards back, one for one.
The Seer can move a task to another owner, whose whole record then counts, so nothing is proven while a player with
cards has an unspent Seer.
Calling a possible task impossible is the worst of defects: each proof is tested against exhaustive play of small deals.
"""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.table import left_of
from alchemy_sim.games.crucible.tasks import FAMILY, PARAMETER, Deed, Family


@helper
def seer_waits(view: Any) -> bool:
    """Whether a task may still change hands."""
    for seat in range(view.players):
        if view.discipline[seat] == Discipline.SEER and view.power_spent[seat] == 0 and view.cards_left[seat] > 0:
            return True
    return False


@helper
def players_with_cards(view: Any) -> int:
    """How many players have cards; it can only fall."""
    active = 0
    for seat in range(view.players):
        if view.cards_left[seat] > 0:
            active += 1
    return active


@helper
def provably_impossible(view: Any, task: int, owner: int) -> bool:
    """Whether a task the table test leaves open can't be completed by any play."""
    if seer_waits(view):
        return False
    family = FAMILY[task]
    parameter = PARAMETER[task]
    own = view.cards_left[owner]
    won = view.tricks[owner]
    active = players_with_cards(view)
    if family == Family.DEED:
        if (view.deeds[owner] >> parameter) & 1:
            return False  # done already, only waiting for its turn in mission 3's order
        # a trick of three of a suit takes three players, of two Mandrake or two Catalysts two
        if parameter == Deed.THREE_OF_A_SUIT and active < 3:
            return True
        if (parameter == Deed.TWO_MANDRAKE or parameter == Deed.TWO_CATALYSTS) and active < 2:
            return True
        # who has no cards plays no more and so wins nothing
        return own == 0
    if family == Family.TRICKS or family == Family.TRICKS_PLUS:
        return won + own < parameter
    if family == Family.ONE_BOIL:
        return own == 0 and view.slag[owner] == 0
    if family == Family.MORE:
        return won + own <= view.tricks[view.lead]
    if family == Family.FEWER:
        return won >= view.tricks[view.lead] + view.cards_left[view.lead]
    if family == Family.MOST:
        for seat in range(view.players):
            if seat != owner and won + own <= view.tricks[seat]:
                return True
        return False
    if family == Family.SAME:
        left = left_of(view, owner)
        short = view.tricks[left] - won
        return short > own or -short > view.cards_left[left]
    return False
