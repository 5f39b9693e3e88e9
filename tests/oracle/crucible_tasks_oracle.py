"""What each of the 40 tasks asks, answered from the full list of past reactions (Crucible 5 and 8).

Slow on purpose: nothing is remembered between two questions, every answer is read off the history again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.crucible_notation import BOUND_TASKS, CATALYST, MOMENTARY_TASKS, SUIT_TASK_ORDER

OPPOSITE_SUIT = {"B": "M", "M": "B", "Q": "A", "A": "Q", "S": "L", "L": "S"}
SOME_SUIT = {f"T{7 + i:02d}": suit for i, suit in enumerate(SUIT_TASK_ORDER)}
NO_SUIT = {f"T{13 + i:02d}": suit for i, suit in enumerate(SUIT_TASK_ORDER)}
EXACT_TRICKS = {"T01": 0, "T02": 1, "T03": 2, "T04": 3, "T05": 4}


@dataclass
class PastReaction:
    """One finished reaction."""

    n: int
    leader: int
    intent: str
    players: list[int]
    cards: list[str]
    values: list[int]  # counted values
    outcome: str
    total: int
    winner: int | None  # who has the highest card
    credit: int | None  # whose trick it is
    pile: int | None  # into whose score pile the cards went
    pusher: int | None


@dataclass
class Position:
    """Everything a task may look at."""

    players: int
    lead: int
    limit: int
    slag_cap: int
    ordered: bool
    rulings: dict[str, Any]
    hands: list[list[str]]
    unspent: list[str | None]  # each player's discipline while its power is unspent
    past: list[PastReaction] = field(default_factory=list)


@dataclass
class Task:
    """A drafted task: its place in the draft order is its place in the list that holds it."""

    name: str
    owner: int
    status: str = "open"
    changed_in: int = 0  # the reaction in which it was judged complete (or failed)


def other_face(card: str) -> str:
    """Crucible 1: the opposite suit at 10 - rank; Catalysts have no other face."""
    if card[0] == CATALYST:
        return card
    return f"{OPPOSITE_SUIT[card[0]]}{10 - int(card[1])}"


def tricks(position: Position) -> list[PastReaction]:
    """Crucible 5: a trick is a safe Catalyze reaction."""
    return [reaction for reaction in position.past if reaction.outcome == "safe"]


def tricks_of(position: Position, player: int) -> list[PastReaction]:
    return [trick for trick in tricks(position) if trick.credit == player]


def won(position: Position, player: int) -> int:
    """W(p)"""
    return len(tricks_of(position, player))


def most_tricks_left(position: Position) -> int:
    """R: the largest hand size."""
    return max(len(hand) for hand in position.hands)


def cards_in_hands(position: Position) -> list[str]:
    return [card for hand in position.hands for card in hand]


def slag_of(position: Position, player: int) -> int:
    return sum(1 for reaction in position.past if reaction.pusher == player)


def slag_total(position: Position) -> int:
    return sum(1 for reaction in position.past if reaction.outcome == "boil_over")


def one_more_reaches_cap(position: Position) -> bool:
    return slag_total(position) + 1 >= position.slag_cap


def pile_reactions(position: Position, player: int, wanted: Callable[[str], bool]) -> list[int]:
    """The reactions that put a wanted card into the player's score pile."""
    return [t.n for t in tricks(position) if t.pile == player and any(wanted(card) for card in t.cards)]


def transmutes_led(position: Position, player: int) -> int:
    return sum(1 for r in position.past if r.intent == "transmute" and r.leader == player)


def first_ones(position: Position, count: int) -> list[PastReaction]:
    """Crucible 5, trick_order: the first tricks, or the first reactions whether tricks or not."""
    if position.rulings["trick_order"] == "reactions":
        return position.past[:count]
    return tricks(position)[:count]


def count_suit(cards: list[str], suit: str) -> int:
    return sum(1 for card in cards if card[0] == suit)


def has_suit_on_a_face(card: str, suit: str) -> bool:
    return card[0] == suit or other_face(card)[0] == suit


def _wanted_card(name: str) -> Callable[[str], bool]:
    """T07-T12, T13-T18, T19-T22: the card the task looks for."""
    suit = SOME_SUIT.get(name) or NO_SUIT.get(name)
    if suit is not None:
        return lambda card: card[0] == suit
    if name == "T19":
        return lambda card: card[0] != CATALYST and card[1] == "9"
    if name == "T20":
        return lambda card: card[0] != CATALYST and card[1] == "1"
    return lambda card: card[0] == CATALYST


def _combo(name: str, cards: list[str]) -> bool:
    """T37-T40"""
    if name == "T37":
        return count_suit(cards, "M") >= 2
    if name == "T38":
        return any(count_suit(cards, card[0]) >= 3 for card in cards)
    if name == "T39":
        return count_suit(cards, CATALYST) >= 2
    return all(int(card[1]) <= 5 for card in cards)


def _transmute_happenings(position: Position, name: str, owner: int) -> list[int]:
    """T25, T26 (counted value highest or lowest, ties count), T27 (fizzle_credit)."""
    found = []
    for reaction in position.past:
        if owner not in reaction.players:
            continue
        value = reaction.values[reaction.players.index(owner)]
        if name == "T25":
            good = reaction.outcome == "transmuted" and value == max(reaction.values)
        elif name == "T26":
            good = reaction.outcome == "transmuted" and value == min(reaction.values)
        else:
            good = reaction.outcome == "fizzled"
            if position.rulings["fizzle_credit"] == "last":
                good = good and reaction.players[-1] == owner
        if good:
            found.append(reaction.n)
    return found


def happenings(position: Position, name: str, owner: int) -> list[int]:
    """Crucible 5, second column, for the tasks that complete by an event: the reactions that had it."""
    mine = tricks_of(position, owner)
    if name == "T06":
        return [trick.n for trick in mine[4:]]
    if name in SOME_SUIT or name in ("T19", "T20", "T21"):
        return pile_reactions(position, owner, _wanted_card(name))
    if name == "T23":
        return [trick.n for trick in mine if trick.total == 22]
    if name in ("T25", "T26", "T27"):
        return _transmute_happenings(position, name, owner)
    if name == "T29":
        return [first.n for first in first_ones(position, 1) if first.credit == owner]
    if name == "T32":
        exploded = {reaction.n for reaction in position.past if reaction.outcome == "boil_over"}
        return [trick.n for trick in mine if trick.n - 1 in exploded]
    assert name in ("T37", "T38", "T39", "T40"), name
    return [trick.n for trick in mine if _combo(name, trick.cards)]


def holds_at_end(position: Position, name: str, owner: int) -> bool:
    """Crucible 5, second column, for the tasks judged when no card is left."""
    mine = won(position, owner)
    others = [won(position, p) for p in range(position.players) if p != owner]
    if name in EXACT_TRICKS:
        return mine == EXACT_TRICKS[name]
    if name in NO_SUIT or name == "T22":
        return not pile_reactions(position, owner, _wanted_card(name))
    if name == "T24":
        return slag_of(position, owner) == 1
    if name == "T28":
        return transmutes_led(position, owner) == 1
    if name == "T30":
        last = position.past[-1:] if position.rulings["trick_order"] == "reactions" else tricks(position)[-1:]
        return any(reaction.credit == owner for reaction in last)
    if name == "T31":
        return all(first.credit != owner for first in first_ones(position, 3))
    if name == "T33":
        return mine > won(position, position.lead)
    if name == "T34":
        return mine < won(position, position.lead)
    if name == "T35":
        return all(mine > other for other in others)
    assert name == "T36", name
    return mine == won(position, (owner + 1) % position.players)


def certain_before_end(position: Position, name: str, owner: int) -> bool:
    """T31 alone of the unordered tasks may be complete before the end: after the third trick."""
    return name == "T31" and len(first_ones(position, 3)) == 3 and holds_at_end(position, name, owner)


def _volume_hopeless(position: Position, name: str, owner: int) -> bool:
    """T01-T06, T33-T36"""
    mine, left = won(position, owner), most_tricks_left(position)
    of_lead = won(position, position.lead)
    if name == "T01":
        return mine > 0
    if name in EXACT_TRICKS:
        return mine > EXACT_TRICKS[name] or mine + left < EXACT_TRICKS[name]
    if name == "T06":
        return mine + left < 5
    if name == "T33":
        return owner == position.lead or mine + left <= of_lead
    if name == "T34":
        return owner == position.lead or mine >= of_lead + left
    if name == "T35":
        return any(mine + left <= won(position, p) for p in range(position.players) if p != owner)
    return abs(mine - won(position, (owner + 1) % position.players)) > left


def _collection_hopeless(position: Position, name: str, owner: int) -> bool:
    """T07-T22"""
    has_won = bool(pile_reactions(position, owner, _wanted_card(name)))
    hands = cards_in_hands(position)
    if name in NO_SUIT or name == "T22":
        return has_won
    if name in SOME_SUIT:
        return not has_won and not any(has_suit_on_a_face(card, SOME_SUIT[name]) for card in hands)
    if name == "T21":
        return not has_won and count_suit(hands, CATALYST) == 0
    return not has_won and not any(card[0] != CATALYST and card[1] in "19" for card in hands)


def _reaction_hopeless(position: Position, name: str, owner: int) -> bool:
    """T23-T32"""
    if name == "T23":
        reach = position.limit + (3 if "stabilizer" in position.unspent else 0)
        return reach < 22 and "purifier" not in position.unspent
    if name == "T24":
        caused = slag_of(position, owner)
        return caused >= 2 or (caused == 0 and one_more_reaches_cap(position))
    if name in ("T25", "T26", "T27"):
        return not position.hands[owner]
    if name == "T28":
        led = transmutes_led(position, owner)
        return led >= 2 or (led == 0 and not position.hands[owner])
    if name == "T29":
        return any(first.credit != owner for first in first_ones(position, 1))
    if name == "T31":
        return any(first.credit == owner for first in first_ones(position, 3))
    if name == "T32":
        pending = bool(position.past) and position.past[-1].outcome == "boil_over"
        return not pending and one_more_reaches_cap(position)
    return False  # T30: the end


def hopeless(position: Position, name: str, owner: int) -> bool:
    """Crucible 5, last column of the table, for a task that is not complete while cards are left."""
    number = int(name[1:])
    hands = cards_in_hands(position)
    if number <= 6 or 33 <= number <= 36:
        return _volume_hopeless(position, name, owner)
    if number <= 22:
        return _collection_hopeless(position, name, owner)
    if number <= 32:
        return _reaction_hopeless(position, name, owner)
    if name == "T37":
        return sum(1 for card in hands if has_suit_on_a_face(card, "M")) < 2
    if name == "T39":
        return count_suit(hands, CATALYST) < 2
    return False  # T38, T40: never before the end


def new_status(position: Position, drafted: list[Task], place: int) -> str | None:
    """What an open task becomes now: complete, impossible, incomplete, or None while it stays open."""
    name, owner = drafted[place].name, drafted[place].owner
    no_card_left = not cards_in_hands(position)
    if name not in BOUND_TASKS:
        if certain_before_end(position, name, owner):
            return "complete"
        if no_card_left:
            return "complete" if holds_at_end(position, name, owner) else "incomplete"
        return "impossible" if hopeless(position, name, owner) else None
    times = happenings(position, name, owner)
    if times and position.ordered:  # Crucible 8, mission 3
        before = [task for task in drafted[:place] if task.name in BOUND_TASKS]
        if any(task.status != "complete" for task in before):
            if position.rulings["task_order"] == "strict" and not no_card_left:
                return "impossible"
            times = []
        elif position.rulings["task_order"] == "deferred" and name in MOMENTARY_TASKS:
            free_since = max((task.changed_in for task in before), default=0)
            times = [n for n in times if n >= free_since]
    if times:
        return "complete"
    if no_card_left:
        return "incomplete"
    return "impossible" if hopeless(position, name, owner) else None
