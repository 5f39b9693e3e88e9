"""The referee of whole Furnace matches: legal ones are flawless; scripted turns and faults are judged right."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from tests.oracle.furnace_oracle import JOKER, ORDER, Rules, deck, deck_ranks
from tests.oracle.furnace_random_match import DECK, MATCH, random_match
from tests.oracle.furnace_random_match import RULINGS as DEFAULTS
from tests.oracle.furnace_referee import RULINGS, Deck, Illegal, Run, match_faults, payments

Event = dict[str, Any]
Play = dict[str, Any]
Fault = Callable[[list[Event], random.Random], object]

LONG = 400  # lines; faults are put into shorter traces
SHORT = {"stones": 3, "bag_stones": 5, "max_turns": 25, "max_rounds": 20}
OTHERS = [{key: other} for key, values in RULINGS.items() for other in values[1:]]
ALL_OTHERS = {key: values[-1] for key, values in RULINGS.items()}
VARIANTS: list[Event] = [
    {"cards": {"ranks": 13, "trumps": False, "jokers": 2}},
    {"cards": {"families": 5}, "match": {"hand": 7}},
    {"match": {"kept": 1, "qualify": 20, "min_bet": 2}},
    {"match": {"max_turns": 3, "max_rounds": 4}},
    {"match": {"bag_stones": 0, "stones": 2}},
]


@cache
def legal_matches() -> list[list[Event]]:
    """Matches of 2 to 6 players under each ruling, all other rulings together, and tuned numbers and decks."""
    settings: list[Event] = [{"rulings": rulings} for rulings in ({}, *OTHERS, ALL_OTHERS)]
    matches = []
    for number, setting in enumerate(settings):
        matches += [played(setting, players, 100 * number + players) for players in range(2, 7)]
    return matches + [played(setting, 4, 9000 + number) for number, setting in enumerate(VARIANTS)]


def played(setting: Event, players: int, seed: int) -> list[Event]:
    match = SHORT | setting.get("match", {})
    return random_match(players, match, setting.get("rulings"), setting.get("cards"), seed)


def copied(events: list[Event]) -> list[Event]:
    """As it is read from a file."""
    return [json.loads(json.dumps(line)) for line in events]


def of_type(events: list[Event], kind: str) -> list[Event]:
    return [line for line in events if line["type"] == kind]


def test_legal_matches_are_flawless() -> None:
    matches = legal_matches()
    assert len(matches) >= 60
    for number, events in enumerate(matches):
        assert match_faults(copied(events)) == [], number


def test_the_legal_matches_hold_all_that_can_happen() -> None:
    """Otherwise they would prove little."""
    plays = [play for events in legal_matches() for line in of_type(events, "turn") for play in line["plays"]]
    kinds = {key for play in plays for key in play} | {play["new"] for play in plays if "new" in play}
    assert {"run", "triad", "extend", "retrieve", "stone_from"} <= kinds
    assert any(play.get("stone_from") == "bag" for play in plays)
    assert any(isinstance(play.get("stone_from"), int) for play in plays)
    assert any(len(play["cards"]) > 1 for play in plays if "extend" in play)
    outcomes = {line["outcome"] for events in legal_matches() for line in of_type(events, "round_end")}
    assert outcomes == {"showdown", "folded", "stalled"}
    assert any(line["reshuffled"] for events in legal_matches() for line in of_type(events, "turn"))
    assert any(len(line["winners"]) > 1 for events in legal_matches() for line in of_type(events, "showdown"))
    assert {events[-1]["winner"] is None for events in legal_matches()} == {True, False}


# ---- scripted turns ----------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """The cards of the hand that matter, the plays, and what is told after them."""

    cards: str
    plays: list[Play]
    points: list[int]
    stones: list[int]
    bag: int = 30


def turn(cards: str, plays: list[Play], points: list[int], stones: list[int] | None = None, bag: int = 30) -> Turn:
    return Turn(cards, plays, points, stones or [8, 8], bag)


def run(cards: str, meld: int = 1) -> Play:
    return {"new": "run", "meld": meld, "cards": cards.split()}


def triad(cards: str, meld: int = 2) -> Play:
    return {"new": "triad", "meld": meld, "cards": cards.split()}


def extend(meld: int, cards: str) -> Play:
    return {"extend": meld, "cards": cards.split()}


def take(meld: int, takes: str, card: str) -> Play:
    return {"retrieve": meld, "takes": takes, "with": card}


def stone(source: str | int = "bag") -> Play:
    return {"stone_from": source}


def script(turns: list[Turn], rulings: dict[str, str], tuned: dict[str, int] | None = None) -> list[Event]:
    """The first turns of two players, each turn with the hand it needs; the trace ends after them."""
    match, rules = MATCH | {"players": 2} | (tuned or {}), Rules(ace=(DEFAULTS | rulings)["ace"])
    spare = deck(rules)
    hands: list[list[str]] = [[], []]
    for number, (cards, *_) in enumerate(turns):
        hands[number % 2] += cards.split()
    for card in (card for hand in hands for card in hand if card != JOKER):
        spare.remove(card)
    for hand in hands:
        while len(hand) < match["hand"]:
            hand.append(spare.pop())
    setup = {"type": "setup", "game": "furnace", "players": 2, "match": match, "rulings": DEFAULTS | rulings}
    setup |= {"deck": DECK, "hand_order": list(ORDER), "seed": 1, "game_index": 0, "stones": [9, 9], "bag": 30}
    dealt = {"hands": hands, "furnace_up": spare[:3], "furnace_down": spare[3:5]}
    events = [setup, {"type": "round", "n": 1, "starter": 0, "pot": 2, "stones": [8, 8], **dealt}]
    for number, (_, plays, points, stones, bag) in enumerate(turns):
        drawn = spare[5 + number]
        line = {"type": "turn", "round": 1, "n": number + 1, "player": number % 2, "ante": [], "draws": drawn}
        line |= {"reshuffled": False, "plays": plays, "discards": [] if plays else [drawn]}
        events.append(line | {"points": points, "stones": stones, "bag": bag})
    return events


def judged(turns: list[Turn], rulings: dict[str, str]) -> list[str]:
    """The faults of the turns; that the trace ends after them is none here."""
    more = f"Round 1, turn {len(turns) + 1}: a turn line should follow, but nothing does."
    return [text for text in match_faults(script(turns, rulings)) if text != more]


FIRST = "W4 W5 W6"  # a first Run, 15 points
FOUR_MORE = "W4 W5 W6 W2 W3 W7 W8"
TWO_ENDS = extend(1, "W3 W7 W2 W8")
OTHERS_RUN = turn(FIRST, [run(FIRST)], [15, 0])

LEGAL: dict[str, tuple[list[Turn], dict[str, str]]] = {
    "the Ace below the 2": ([turn("WA W2 W3", [run("WA W2 W3")], [16, 0])], {}),
    "the Ace above the King": ([turn("WQ WK WA", [run("WQ WK WA")], [31, 0])], {"ace": "high"}),
    "the Knight between Jack and Queen": ([turn("WJ WN WQ", [run("WJ WN WQ")], [30, 0])], {}),
    "a Joker is worth what it stands for": ([turn("W3 W4 JK", [run("W3 W4 JK=W5")], [12, 0])], {}),
    "two Jokers": ([turn("JK JK WA", [run("JK=WQ JK=WK WA")], [31, 0])], {}),
    "Trumps alone as a family's Run": ([turn("T4 T5 JK", [run("T4=W4 T5=W5 JK=W6")], [15, 0])], {}),
    "a Run of Trumps": ([turn("T4 T5 JK", [run("T4 T5 JK=T6")], [15, 0])], {}),
    "a Joker for a card that lies elsewhere": (
        [turn(FIRST + " JK C5 C6", [run(FIRST), run("JK=C4 C5 C6", 2)], [30, 0])],
        {},
    ),
    "a Trump as a Triad's fifth family": (
        [turn(FIRST + " W7 T7 JK", [run(FIRST), triad("W7 T7 JK=C7")], [36, 0])],
        {},
    ),
    "a Joker as a Triad's Trump": ([turn(FIRST + " W7 C7 JK", [run(FIRST), triad("W7 C7 JK=T7")], [36, 0])], {}),
    "a natural card beside the Joker said to be it": (
        [turn(FIRST + " W7 C7 S7 JK", [run(FIRST), triad("W7 C7 JK=S7"), extend(2, "S7")], [43, 0])],
        {},
    ),
    "both ends in one play, outward, two Stones": (
        [turn(FOUR_MORE, [run(FIRST), TWO_ENDS, stone(), stone()], [35, 0], [10, 8], 28)],
        {},
    ),
    "the Stone in the middle of a play": (
        [turn(FOUR_MORE, [run(FIRST), extend(1, "W3"), extend(1, "W2 W7"), stone()], [27, 0], [9, 8], 29)],
        {},
    ),
    "one Stone a turn": (
        [turn(FOUR_MORE, [run(FIRST), TWO_ENDS, stone()], [35, 0], [9, 8], 29)],
        {"stones_a_turn": "one"},
    ),
    "two cards on two melds of one's own": (
        [
            turn(
                FIRST + " W7 C7 S7 P7 JK",
                [run(FIRST), triad("W7 C7 S7"), extend(1, "JK=W7"), extend(2, "P7"), stone()],
                [50, 0],
                [9, 8],
                29,
            )
        ],
        {"single_extension": "forbidden"},
    ),
    "an opponent's Stone": (
        [
            OTHERS_RUN,
            turn("CJ CN CQ W3 W7", [run("CJ CN CQ", 2), extend(1, "W3 W7"), stone(0)], [25, 30], [7, 9]),
        ],
        {},
    ),
    "points for who played": (
        [
            OTHERS_RUN,
            turn("CJ CN CQ W3 W7", [run("CJ CN CQ", 2), extend(1, "W3 W7"), stone(0)], [15, 40], [7, 9]),
        ],
        {"points_for": "who_played"},
    ),
    "one card each on two layouts earns nothing": (
        [OTHERS_RUN, turn("CJ CN CQ W3 CK", [run("CJ CN CQ", 2), extend(1, "W3"), extend(2, "CK")], [18, 40])],
        {},
    ),
    "a Joker taken and laid on the same Run": (
        [turn("W4 W5 JK W6", [run("W4 W5 JK=W6"), take(1, "JK=W6", "W6"), extend(1, "JK=W7")], [22, 0])],
        {},
    ),
    "a Joker taken and another play before it is laid": (
        [
            turn(
                "W4 W5 JK W6 C7 S7 P7",
                [run("W4 W5 JK=W6"), take(1, "JK=W6", "W6"), triad("C7 S7 P7"), extend(2, "JK=W7")],
                [43, 0],
            )
        ],
        {},
    ),
    "a Trump taken from an opponent's Run": (
        [
            turn("W4 T5 W6", [run("W4 T5=W5 W6")], [15, 0]),
            turn("C6 C7 C8 W5", [run("C6 C7 C8", 2), take(1, "T5=W5", "W5"), extend(2, "T5=C5")], [15, 26]),
        ],
        {},
    ),
    "a Joker of a Run of Trumps for its Trump": (
        [turn("T4 T5 T6 JK", [run("T4 T5 JK=T6"), take(1, "JK=T6", "T6"), extend(1, "JK=T7")], [22, 0])],
        {},
    ),
    "a Triad's Joker for a family it is not said to be": (
        [
            turn(
                FIRST + " W7 C7 JK P7",
                [run(FIRST), triad("W7 C7 JK=S7"), take(2, "JK", "P7"), extend(1, "JK=W7")],
                [43, 0],
            )
        ],
        {},
    ),
    "a Triad's Joker back where its family was": (
        [
            turn(
                FIRST + " W7 JK JK S7",
                [run(FIRST), triad("W7 JK=C7 JK=S7"), take(2, "JK=C7", "S7"), extend(2, "JK=C7")],
                [43, 0],
            )
        ],
        {},
    ),
    "a Triad's Trump for a missing family": (
        [
            turn(
                FIRST + " W7 C7 T7 P7",
                [run(FIRST), triad("W7 C7 T7"), take(2, "T7", "P7"), extend(1, "T7=W7")],
                [43, 0],
            )
        ],
        {},
    ),
    "two Jokers taken, two played": (
        [
            turn(
                "W4 W5 JK W6 JK W7",
                [
                    run("W4 W5 JK=W6"),
                    extend(1, "JK=W7"),
                    take(1, "JK=W6", "W6"),
                    take(1, "JK=W7", "W7"),
                    extend(1, "JK=W3 JK=W8"),
                    stone(),
                ],
                [33, 0],
                [9, 8],
                29,
            )
        ],
        {},
    ),
}


@pytest.mark.parametrize("what", sorted(LEGAL))
def test_scripted_turns_that_are_legal(what: str) -> None:
    assert judged(*LEGAL[what]) == []


TRIAD_OF_FIVE = "W7 C7 S7 P7 T7"

ILLEGAL: dict[str, tuple[list[Turn], dict[str, str], str]] = {
    "the Ace in the middle": ([turn("WK WA W2", [run("WK WA W2")], [23, 0])], {}, "no line of neighbours"),
    "the Ace below, if high": ([turn("WA W2 W3", [run("WA W2 W3")], [16, 0])], {"ace": "high"}, "no line of"),
    "the Ace above, if low": ([turn("WQ WK WA", [run("WQ WK WA")], [31, 0])], {"ace": "low"}, "no line of"),
    "the Knight left out": ([turn("WJ WQ WK", [run("WJ WQ WK")], [30, 0])], {}, "no line of neighbours"),
    "Jokers alone": ([turn("JK JK JK", [run("JK=W4 JK=W5 JK=W6")], [15, 0])], {}, "Jokers alone"),
    "a Trump for another rank": ([turn("W4 W5 T7", [run("W4 W5 T7=W6")], [15, 0])], {}, "can't stand for"),
    "a bare Trump in a family's Run": ([turn("W4 W5 T6", [run("W4 W5 T6")], [15, 0])], {}, "of one family"),
    "a Trump labelled in a Run of Trumps": ([turn("T4 T5 T6", [run("T4 T5 T6=T6")], [15, 0])], {}, "can't stand for"),
    "a card for another": ([turn("W4 W5 C6", [run("W4 W5 C6=W6")], [15, 0])], {}, "can't stand for"),
    "four cards at once": ([turn(FIRST + " W7", [run(FIRST + " W7")], [22, 0])], {}, "has 3 cards, not 4"),
    "a Triad first": ([turn("W7 C7 S7", [triad("W7 C7 S7", 1)], [21, 0])], {}, "before their first Run"),
    "two Trumps as a Triad": (
        [turn(FIRST + " W7 JK T7", [run(FIRST), triad("W7 T7 JK=T7")], [36, 0])],
        {},
        "has a T already",
    ),
    "a labelled Trump in a Triad": (
        [turn(FIRST + " W7 C7 T7", [run(FIRST), triad("W7 C7 T7=S7")], [36, 0])],
        {},
        "stands for itself",
    ),
    "two Jokers for one card of a Triad": (
        [turn(FIRST + " W7 JK JK", [run(FIRST), triad("W7 JK=S7 JK=S7")], [36, 0])],
        {},
        "another Joker stands for it",
    ),
    "a sixth card on a Triad": (
        [
            turn(
                FIRST + " " + TRIAD_OF_FIVE + " JK",
                [run(FIRST), triad("W7 C7 S7"), extend(2, "P7 JK=T7"), stone(), extend(2, "T7")],
                [57, 0],
                [9, 8],
                29,
            )
        ],
        {},
        "at most 5 cards",
    ),
    "a second Ace at the same end": (
        [
            turn(
                "W4 W5 W6 WA JK JK JK JK JK",
                [run(FIRST), extend(1, "JK=W3 JK=W2 WA JK=WA")],
                [42, 0],
            )
        ],
        {},
        "does not follow on either end",
    ),
    "a single card where that is forbidden": (
        [turn(FIRST + " W7", [run(FIRST), extend(1, "W7")], [22, 0])],
        {"single_extension": "forbidden"},
        "puts a single card on player 0's layout",
    ),
    "the wild card itself not played": (
        [turn("W4 W5 JK W6 W7", [run("W4 W5 JK=W6"), take(1, "JK=W6", "W6"), extend(1, "W7")], [22, 0])],
        {},
        "takes JK and does not play it",
    ),
    "two Jokers taken, one played": (
        [
            turn(
                "W4 W5 JK W6 JK W7",
                [
                    run("W4 W5 JK=W6"),
                    extend(1, "JK=W7"),
                    take(1, "JK=W6", "W6"),
                    take(1, "JK=W7", "W7"),
                    extend(1, "JK=W3"),
                    stone(),
                ],
                [25, 0],
                [9, 8],
                29,
            )
        ],
        {},
        "takes JK and does not play it",
    ),
    "a Joker played before it is taken": (
        [
            turn(
                "W4 W5 JK W6 JK",
                [run("W4 W5 JK=W6"), extend(1, "JK=W7"), take(1, "JK=W6", "W6")],
                [22, 0],
            )
        ],
        {},
        "takes JK and does not play it",
    ),
    "a Trump taken and used only to take another": (
        [
            turn("W4 T5 W6", [run("W4 T5=W5 W6")], [15, 0]),
            turn(
                "T6 T7 JK W5",
                [run("JK=T5 T6 T7", 2), take(1, "T5=W5", "W5"), take(2, "JK=T5", "T5"), extend(2, "JK=T8")],
                [15, 26],
            ),
        ],
        {},
        "takes T5 and does not play it",
    ),
    "a Joker for a Trump": (
        [turn("W4 T5 W6 JK", [run("W4 T5=W5 W6"), take(1, "T5=W5", "JK"), extend(1, "T5=W5")], [15, 0])],
        {},
        "JK is not the correct card",
    ),
    "a Trump for a Joker": (
        [turn("W4 JK W6 T5", [run("W4 JK=W5 W6"), take(1, "JK=W5", "T5"), extend(1, "JK=W7")], [22, 0])],
        {},
        "T5 is not the correct card",
    ),
    "a Trump for a Joker of a Triad": (
        [turn(FIRST + " W7 C7 JK T7", [run(FIRST), triad("W7 C7 JK=T7"), take(2, "JK", "T7")], [36, 0])],
        {},
        "T7 is not a correct card",
    ),
    "a family that the Triad has": (
        [
            turn(
                FIRST + " W7 C7 S7 JK P7",
                [run(FIRST), triad("W7 C7 JK=S7"), extend(2, "P7 S7"), stone(), take(2, "JK", "S7")],
                [50, 0],
                [9, 8],
                29,
            )
        ],
        {},
        "S7 is not a correct card",
    ),
    "a Trump out of a Run of Trumps": (
        [turn("T4 T5 T6 W5", [run("T4 T5 T6"), take(1, "T5", "W5"), extend(1, "T5=W5")], [15, 0])],
        {},
        "there is no T5 to be taken",
    ),
    "taking before one's first Run": (
        [
            turn("W4 T5 W6", [run("W4 T5=W5 W6")], [15, 0]),
            turn("C6 C7 W5", [take(1, "T5=W5", "W5"), run("T5=C5 C6 C7", 2)], [15, 18]),
        ],
        {},
        "takes a wild card before their first Run",
    ),
    "extending before one's first Run": (
        [OTHERS_RUN, turn("W7 C6 C7 C8", [extend(1, "W7"), run("C6 C7 C8", 2)], [22, 21])],
        {},
        "extends before their first Run",
    ),
    "the opponent's Stone from the bag": (
        [OTHERS_RUN, turn("CJ CN CQ W3 W7", [run("CJ CN CQ", 2), extend(1, "W3 W7"), stone()], [25, 30], [8, 9], 29)],
        {},
        "takes a Stone from bag, but one from 0 is due",
    ),
    "a Stone for retrieving": (
        [
            turn(
                "W4 W5 JK W6",
                [run("W4 W5 JK=W6"), take(1, "JK=W6", "W6"), extend(1, "JK=W7"), stone()],
                [22, 0],
                [9, 8],
                29,
            )
        ],
        {},
        "but none is due",
    ),
    "a Stone taken late": (
        [turn(FOUR_MORE, [run(FIRST), extend(1, "W3 W7"), extend(1, "W2 W8"), stone(), stone()], [35, 0], [10, 8], 28)],
        {},
        "does not take the Stone due from bag",
    ),
    "a Stone taken early": (
        [turn(FOUR_MORE, [run(FIRST), extend(1, "W3"), stone(), extend(1, "W7")], [25, 0], [9, 8], 29)],
        {},
        "but none is due",
    ),
}


@pytest.mark.parametrize("what", sorted(ILLEGAL))
def test_scripted_turns_that_are_not(what: str) -> None:
    turns, rulings, words = ILLEGAL[what]
    faults = judged(turns, rulings)
    assert any(words in text for text in faults), faults


def test_entering_the_furnace_needs_two_cards_that_are_no_jokers() -> None:
    jokers, other = turn("JK JK W9", [], [0, 0]), turn("C3 C8 C9", [], [0, 0])
    tuned = {"hand": 3, "qualify": 0}
    for turns, does in (([jokers], "forces"), ([jokers, other], "calls")):
        forcer = len(turns) - 1
        force: Event = {"type": "force", "round": 1, "player": forcer, "bet": 1}
        events = [*script(turns, {}, tuned), force | {"calls": [[1 - forcer, 1]], "folds": []}]
        assert any(f"player 0 {does} without 2 cards to keep" in text for text in match_faults(events))


# ---- the layers of a pot (Furnace 5) -----------------------------------------------------------------------


def test_layers_go_to_the_best_who_matched_them() -> None:
    """Player 2 forces with 7; 3 calls with 7, 0 with 4, 1 with 1; 5 Stones were in the pot."""
    hands = {0: ["WK", "CK"], 1: ["WA", "CA"], 2: ["W9", "C9"], 3: ["W8", "C8"]}
    paid = payments(5, {2: 7, 3: 7, 0: 4, 1: 1}, hands, [3, 0, 1, 2], Rules())
    assert paid == {"1": 5 + 4, "0": 3 * 3, "2": 2 * 3}


def test_what_nobody_matched_goes_back() -> None:
    hands = {0: ["WK", "CK"], 2: ["W9", "C9"]}
    assert payments(2, {2: 9, 0: 3}, hands, [0, 2], Rules()) == {"0": 2 + 6, "2": 6}


def test_odd_stones_go_to_the_first_tied_after_the_forcer() -> None:
    hands = {0: ["WK", "C2"], 1: ["CK", "S2"], 2: ["SK", "W2"]}
    order = [1, 2, 0]  # player 0 forced
    assert payments(5, {0: 1, 1: 1, 2: 1}, hands, order, Rules()) == {"1": 4, "2": 2, "0": 2}


def test_a_run_has_one_ace_at_most() -> None:
    cards = [f"W{rank}" for rank in deck_ranks(14)]
    for first, second in (("WA", "JK=WA"), ("JK=WA", "T" + "A=WA")):
        whole = Run(Deck(Rules(), 6), 0, cards[:3])
        for name in [*cards[3:-1], first]:
            whole.extend(name)
        with pytest.raises(Illegal, match="one Ace"):
            whole.extend(second)


# ---- injected faults ---------------------------------------------------------------------------------------

FAULTS: dict[str, Fault] = {}
NAMED_BY: dict[str, str] = {}


def fault(named_by: str) -> Callable[[Fault], Fault]:
    """A function that makes a legal trace illegal in one way, in place; None if it finds no place for it.

    The referee's sentence has to contain `named_by`.
    """

    def register(edit: Fault) -> Fault:
        FAULTS[edit.__name__], NAMED_BY[edit.__name__] = edit, named_by
        return edit

    return register


def one_of(rng: random.Random, things: Iterable[Any]) -> Any:
    """One of them, or None; none of the faults needs a thing that is false."""
    found = list(things)
    return rng.choice(found) if found else None


def plays_of(events: list[Event], kind: str) -> list[tuple[Event, int]]:
    """Where the plays of a kind are: the turn and the place in its plays."""
    turns = of_type(events, "turn")
    return [(line, place) for line in turns for place, play in enumerate(line["plays"]) if kind in play]


def new_melds(events: list[Event], kind: str) -> list[Play]:
    return [line["plays"][place] for line, place in plays_of(events, "new") if line["plays"][place]["new"] == kind]


def real(name: str) -> str:
    return name.partition("=")[0]


def with_hands(events: list[Event]) -> Iterator[tuple[Event, list[str], list[str]]]:
    """Every turn with its player's hand before the plays and after them, before the discards."""
    hands: list[list[str]] = []
    for line in events:
        if line["type"] == "round":
            hands = [list(hand) for hand in line["hands"]]
        if line["type"] == "turn":
            hand = hands[line["player"]]
            hand += [line["draws"]] if line["draws"] else []
            before = list(hand)
            for play in line["plays"]:
                for name in play.get("cards", []) + ([play["with"]] if "with" in play else []):
                    hand.remove(real(name))
                hand += [real(play["takes"])] if "takes" in play else []
            yield line, before, list(hand)
            for card in line["discards"]:
                hand.remove(card)


def forced(events: list[Event]) -> Iterator[tuple[Event, Event, list[list[str]], list[int]]]:
    """Every force: its line, the one after it, and all hands and Stones before it."""
    hands: list[list[str]] = []
    after = {id(line): hand for line, _, hand in with_hands(events)}
    for place, line in enumerate(events):
        if line["type"] == "round":
            hands = [list(hand) for hand in line["hands"]]
        if line["type"] == "turn":
            hands[line["player"]] = list(after[id(line)])
            for card in line["discards"]:
                hands[line["player"]].remove(card)
        if line["type"] == "force":
            yield line, events[place + 1], hands, events[place - 1]["stones"]


def flip(events: list[Event], ruling: str, value: str) -> bool | None:
    """The match as it was, under another ruling; whether it breaks it the caller has to see to."""
    rulings = events[0]["rulings"]
    if rulings[ruling] == value:
        return None
    rulings[ruling] = value
    return True


# ---- faults of the setup and of the order of lines


@fault("the match's qualify is None")
def setup_lacks_a_key(events: list[Event], rng: random.Random) -> object:
    return events[0]["match"].pop("qualify")


@fault("the ruling short_call is 'maybe'")
def setup_has_an_unknown_ruling(events: list[Event], rng: random.Random) -> object:
    events[0]["rulings"]["short_call"] = "maybe"
    return True


@fault("the Stones told")
def setup_gives_other_stones(events: list[Event], rng: random.Random) -> object:
    events[0]["stones"][1] += 1
    return True


@fault("does not name each category once")
def setup_orders_nine_hands(events: list[Event], rng: random.Random) -> object:
    return events[0]["hand_order"].pop()


@fault("turn's number")
def a_turn_is_left_out(events: list[Event], rng: random.Random) -> object:
    turns = of_type(events, "turn")
    inner = [one for one, next_one in pairwise(turns) if next_one["n"] == one["n"] + 1]
    line = one_of(rng, inner)
    return line and events.pop(events.index(line))


@fault("a round line should follow")
def a_round_end_is_told_twice(events: list[Event], rng: random.Random) -> object:
    place = one_of(rng, [place for place, line in enumerate(events) if line["type"] == "round_end"][:-1])
    if place is None:
        return None
    events.insert(place, dict(events[place]))
    return True


@fault("a round_end line should follow")
def a_round_end_is_left_out(events: list[Event], rng: random.Random) -> object:
    events.remove(one_of(rng, of_type(events, "round_end")))
    return True


@fault("a turn line should follow")
def a_round_stalls_early(events: list[Event], rng: random.Random) -> object:
    place = one_of(
        rng,
        [place for place, line in enumerate(events) if line["type"] == "round_end" and line["outcome"] == "stalled"],
    )
    return place and events.pop(place - 1)


@fault("lines follow after")
def a_line_after_the_end(events: list[Event], rng: random.Random) -> object:
    events.append(dict(events[-1]))
    return True


@fault("a end line should follow, but nothing")
def no_end(events: list[Event], rng: random.Random) -> object:
    return events.pop()


# ---- faults of a round


@fault("the starter told")
def the_wrong_starter(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "round")[1:] if sum(map(bool, line["hands"])) > 2])
    if line is None:
        return None
    line["starter"] = one_of(rng, [p for p, hand in enumerate(line["hands"]) if hand and p != line["starter"]])
    return True


@fault("cards, not 0")
def a_hand_for_one_who_is_out(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "round") if [] in line["hands"]])
    return line and (line["hands"][line["hands"].index([])].append(line["hands"][line["starter"]].pop()) or True)


@fault("is dealt 2 times")
def a_card_dealt_twice(events: list[Event], rng: random.Random) -> object:
    line = rng.choice(of_type(events, "round"))
    line["furnace_down"][0] = next(card for card in line["hands"][line["starter"]] if card != JOKER)
    return True


@fault("a Joker although they are redrawn")
def a_joker_in_the_furnace(events: list[Event], rng: random.Random) -> object:
    furnaces = [line["furnace_up"] + line["furnace_down"] for line in of_type(events, "round")]
    return flip(events, "community_joker", "redraw") if any(JOKER in cards for cards in furnaces) else None


@fault("the pot told")
def the_pot_is_wrong_after_the_antes(events: list[Event], rng: random.Random) -> object:
    rng.choice(of_type(events, "round"))["pot"] += 1
    return True


@fault("the list of antes told")
def an_ante_is_left_out(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "turn") if line["ante"]])
    return line and line["ante"].pop()


@fault("the list of antes told")
def antes_every_turn_under_round(events: list[Event], rng: random.Random) -> object:
    return flip(events, "ante_per", "round") if any(line["ante"] for line in of_type(events, "turn")) else None


# ---- faults of a turn


@fault("turn, not player")
def a_turn_out_of_order(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "turn") if line["n"] > 1])
    if line is None:
        return None
    line["player"] = (line["player"] + 1) % events[0]["players"]
    return True


@fault("can't be in the pile")
def a_card_drawn_out_of_a_hand(events: list[Event], rng: random.Random) -> object:
    hands = [(line, before) for line, before, _ in with_hands(events) if line["draws"] and len(before) > 1]
    line, hand = one_of(rng, hands)
    naturals = [card for card in hand if card not in (JOKER, line["draws"])]
    line["draws"] = one_of(rng, naturals)
    return line["draws"]


@fault("can't be in the pile")
def a_card_drawn_out_of_the_discards(events: list[Event], rng: random.Random) -> object:
    turns = of_type(events, "turn")
    pairs = [
        (one, next_one)
        for one, next_one in pairwise(turns)
        if one["discards"] and next_one["n"] == one["n"] + 1 and next_one["draws"] and not next_one["reshuffled"]
    ]
    found = one_of(rng, [pair for pair in pairs if pair[0]["discards"][0] != JOKER])
    if found is None:
        return None
    found[1]["draws"] = found[0]["discards"][0]
    return True


@fault("no card is drawn")
def no_draw(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "turn") if line["draws"]])
    line["draws"] = None
    return True


@fault("but the pile was empty: False")
def reshuffled_too_early(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "turn") if line["draws"] and not line["reshuffled"]])
    line["reshuffled"] = True
    return True


@fault("but the pile was empty: True")
def reshuffled_and_not_told(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "turn") if line["reshuffled"]])
    return line and (line.update(reshuffled=False) or True)


@fault("cards, but should discard 1")
def discards_too_few(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "turn") if len(line["discards"]) == 1])
    return line and line["discards"].pop()


@fault("cards, but should discard 0")
def discards_although_it_need_not(events: list[Event], rng: random.Random) -> object:
    line, hand = one_of(rng, [(line, after) for line, _, after in with_hands(events) if after and not line["discards"]])
    line["discards"] = hand[:1]
    return True


@fault("which is not in their hand")
def discards_a_card_it_has_not(events: list[Event], rng: random.Random) -> object:
    found = one_of(rng, [(line, after) for line, _, after in with_hands(events) if line["discards"]])
    if found is None:
        return None
    line, hand = found
    line["discards"][0] = next(card for card in deck(Rules()) if card not in hand)
    return True


@fault("the points told")
def points_are_wrong(events: list[Event], rng: random.Random) -> object:
    line = rng.choice(of_type(events, "turn"))
    line["points"][line["player"]] += 1
    return True


@fault("there are")
def a_stone_out_of_nowhere(events: list[Event], rng: random.Random) -> object:
    line = rng.choice(of_type(events, "turn"))
    line["stones"][line["player"]] += 1
    return True


@fault("the bag told")
def the_bag_is_wrong(events: list[Event], rng: random.Random) -> object:
    rng.choice(of_type(events, "turn"))["bag"] += 1
    return True


# ---- faults of plays


@fault("before their first Run")
def the_first_run_is_left_out(events: list[Event], rng: random.Random) -> object:
    firsts: dict[tuple[int, int], Event] = {}
    for line in of_type(events, "turn"):
        if line["plays"]:
            firsts.setdefault((line["round"], line["player"]), line)
    others = ("extend", "retrieve")
    line = one_of(rng, [line for line in firsts.values() if len(line["plays"]) > 1 and "new" not in line["plays"][1]])
    if line is None or not any(key in line["plays"][1] for key in others):
        return None
    own = line["plays"][0]["meld"]
    return line["plays"].pop(0) if line["plays"][1].get("extend", line["plays"][1].get("retrieve")) != own else None


@fault("no line of neighbours")
def a_run_with_a_gap(events: list[Event], rng: random.Random) -> object:
    play = one_of(rng, [play for play in new_melds(events, "run") if play["cards"][2].startswith("JK")])
    if play is None or play["cards"][2] == play["cards"][1]:
        return None
    play["cards"][2] = f"JK={play['cards'][1].rpartition('=')[2]}"
    return True


@fault("a Run is of one family")
def a_run_of_two_families(events: list[Event], rng: random.Random) -> object:
    play = one_of(rng, [play for play in new_melds(events, "run") if any("JK" in name for name in play["cards"])])
    if play is None:
        return None
    place = next(place for place, name in enumerate(play["cards"]) if "JK" in name)
    name = play["cards"][place]
    play["cards"][place] = f"JK={'C' if name[3] == 'W' else 'W'}{name[4:]}"
    return True


@fault("not of the Triad's rank")
def a_triad_of_two_ranks(events: list[Event], rng: random.Random) -> object:
    play = one_of(rng, [play for play in new_melds(events, "triad") if any("JK" in name for name in play["cards"])])
    if play is None:
        return None
    place = next(place for place, name in enumerate(play["cards"]) if "JK" in name)
    name = play["cards"][place]
    play["cards"][place] = name[:4] + ("5" if name[4:] != "5" else "6")
    return True


@fault("already")
def a_triad_with_a_family_twice(events: list[Event], rng: random.Random) -> object:
    play = one_of(rng, [play for play in new_melds(events, "triad") if play["cards"][2].startswith("JK")])
    return play and (play["cards"].__setitem__(2, f"JK={play['cards'][0]}") or True)


@fault("a new meld has 3 cards, not 4")
def a_meld_of_four(events: list[Event], rng: random.Random) -> object:
    found = []
    for line, place in plays_of(events, "new"):
        after = line["plays"][place + 1] if place + 1 < len(line["plays"]) else {}
        if after.get("extend") == line["plays"][place]["meld"]:
            found.append((line, place))
    where = one_of(rng, found)
    if where is None:
        return None
    plays = where[0]["plays"]
    plays[where[1]]["cards"] += plays.pop(where[1] + 1)["cards"]
    return True


@fault("Jokers alone")
def a_meld_of_jokers(events: list[Event], rng: random.Random) -> object:
    play = one_of(rng, new_melds(events, "run"))
    return play and (play.update(cards=[f"JK={name.rpartition('=')[2]}" for name in play["cards"]]) or True)


@fault("can't stand for")
def a_trump_for_another_rank(events: list[Event], rng: random.Random) -> object:
    cards = [play["cards"] for play in new_melds(events, "run") if play["cards"][0].startswith("T")]
    names = one_of(rng, [names for names in cards if "=" in names[0]])
    if names is None:
        return None
    other = names[1].rpartition("=")[2][1:]
    names[0] = f"T{other}={names[0].rpartition('=')[2]}"
    return True


@fault("without saying what it stands for")
def a_bare_joker(events: list[Event], rng: random.Random) -> object:
    lists = [line["plays"][place]["cards"] for kind in ("new", "extend") for line, place in plays_of(events, kind)]
    names = one_of(rng, [names for names in lists if names[0].startswith("JK")])
    return names and (names.__setitem__(0, JOKER) or True)


@fault("which is not in their hand")
def a_natural_card_it_has_not(events: list[Event], rng: random.Random) -> object:
    found = []
    for line, before, _ in with_hands(events):
        for play in line["plays"]:
            if play.get("new") == "run":
                names = [name for name in play["cards"] if "=" in name and name.partition("=")[2] not in before]
                found += [(play["cards"], name) for name in names]
    where = one_of(rng, found)
    if where is None:
        return None
    names, name = where
    names[names.index(name)] = name.partition("=")[2]
    return True


@fault("does not follow on either end")
def an_extension_that_does_not_follow(events: list[Event], rng: random.Random) -> object:
    melds: dict[tuple[int, int], Play] = {}
    found = []
    for line in of_type(events, "turn"):
        for play in line["plays"]:
            if "new" in play:
                melds[line["round"], play["meld"]] = play
            elif "extend" in play and melds[line["round"], play["extend"]]["new"] == "run":
                found += [(play, melds[line["round"], play["extend"]])] if play["cards"][0].startswith("JK") else []
    where = one_of(rng, found)
    if where is None:
        return None
    where[0]["cards"][0] = f"JK={where[1]['cards'][1].rpartition('=')[2]}"
    return True


@fault("the new meld's number told")
def a_meld_misnumbered(events: list[Event], rng: random.Random) -> object:
    play = one_of(rng, new_melds(events, "run"))
    return play and (play.update(meld=play["meld"] + 1) or True)


@fault("there is no meld 99")
def an_extension_of_no_meld(events: list[Event], rng: random.Random) -> object:
    where = one_of(rng, plays_of(events, "extend"))
    return where and (where[0]["plays"][where[1]].update(extend=99) or True)


@fault("correct card")
def taken_with_a_wild_card(events: list[Event], rng: random.Random) -> object:
    where = one_of(rng, plays_of(events, "retrieve"))
    return where and (where[0]["plays"][where[1]].update({"with": JOKER}) or True)


@fault("to be taken")
def taken_what_is_not_there(events: list[Event], rng: random.Random) -> object:
    where = one_of(rng, plays_of(events, "retrieve"))
    if where is None:
        return None
    play = where[0]["plays"][where[1]]
    play["takes"] = f"JK={'C' if play['with'][0] == 'W' else 'W'}{'2' if play['with'][1:] != '2' else '3'}"
    return True


@fault("does not play it in the same turn")
def taken_and_kept(events: list[Event], rng: random.Random) -> object:
    found = [(line, place) for line, place in plays_of(events, "retrieve") if place == len(line["plays"]) - 2]
    where = one_of(rng, found)
    return where and where[0]["plays"].pop()


@fault("does not take the Stone due from")
def a_stone_not_taken(events: list[Event], rng: random.Random) -> object:
    where = one_of(rng, plays_of(events, "stone_from"))
    return where and where[0]["plays"].pop(where[1])


@fault("but none is due")
def a_stone_that_is_not_due(events: list[Event], rng: random.Random) -> object:
    where = one_of(rng, plays_of(events, "new"))
    return where and (where[0]["plays"].insert(where[1] + 1, {"stone_from": "bag"}) or True)


@fault("is due")
def a_stone_from_someone_else(events: list[Event], rng: random.Random) -> object:
    where = one_of(rng, plays_of(events, "stone_from"))
    if where is None:
        return None
    play = where[0]["plays"][where[1]]
    play["stone_from"] = where[0]["player"] if play["stone_from"] == "bag" else "bag"
    return True


@fault("puts a single card on player")
def a_single_extension_where_forbidden(events: list[Event], rng: random.Random) -> object:
    found = [line for line, _ in plays_of(events, "extend") if sum("extend" in play for play in line["plays"]) == 1]
    singles = [line for line in found for play in line["plays"] if len(play.get("cards", [])) == 1]
    return flip(events, "single_extension", "forbidden") if singles else None


@fault("the points told")
def points_to_the_wrong_player(events: list[Event], rng: random.Random) -> object:
    """The owner has them all, although they are for who played."""
    foreign = [where for where in plays_of(events, "stone_from") if where[0]["plays"][where[1]]["stone_from"] != "bag"]
    return flip(events, "points_for", "who_played") if foreign else None


# ---- faults in the Furnace


@fault("points, but 1000 qualify")
def forced_unqualified(events: list[Event], rng: random.Random) -> object:
    events[0]["match"]["qualify"] = 1000
    return bool(of_type(events, "force")) or None


@fault("forces after player")
def forced_by_someone_else(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, of_type(events, "force"))
    return line and (line.update(player=(line["player"] + 1) % events[0]["players"]) or True)


@fault("but may bet")
def the_bet_is_more_than_one_has(events: list[Event], rng: random.Random) -> object:
    found = one_of(rng, forced(events))
    return found and (found[0].update(bet=found[3][found[0]["player"]] + 1) or True)


@fault("call or fold")
def nobody_hears_of_a_folder(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "force") if line["folds"]])
    return line and [line["folds"].pop()]


@fault("call or fold")
def one_calls_and_folds(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "force") if line["calls"]])
    return line and (line["folds"].append(line["calls"][0][0]) or True)


@fault("but clockwise they are")
def answers_out_of_order(events: list[Event], rng: random.Random) -> object:
    lines = of_type(events, "force")
    lists = [line[key] for line in lines for key in ("calls", "folds") if len(line[key]) > 1]
    answers = one_of(rng, lists)
    return answers and (answers.reverse() or True)


@fault("Stones, but should with")
def a_call_of_too_little(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "force") if line["calls"]])
    if line is None:
        return None
    line["calls"][0][1] -= 1
    return True


@fault("calls a bet of")
def a_short_call_where_forbidden(events: list[Event], rng: random.Random) -> object:
    short = [line for line in of_type(events, "force") if any(put_in < line["bet"] for _, put_in in line["calls"])]
    return flip(events, "short_call", "fold") if short else None


@fault("a round_end line should follow")
def a_showdown_where_all_folded(events: list[Event], rng: random.Random) -> object:
    found = one_of(rng, [line for line in of_type(events, "force") if not line["calls"]])
    if found is None:
        return None
    showdown = {"type": "showdown", "round": found["round"], "kept": {}, "category": {}, "winners": [], "paid": {}}
    events.insert(events.index(found) + 1, showdown)
    return True


@fault("which is not in their hand")
def keeps_a_card_of_the_furnace(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, of_type(events, "showdown"))
    if line is None:
        return None
    dealt = of_type(events, "round")[line["round"] - 1]
    one_of(rng, line["kept"].values())[0] = next(card for card in dealt["furnace_up"] if card != JOKER)
    return True


@fault("which is not in their hand")
def keeps_a_card_twice(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "showdown") if events[0]["match"]["kept"] > 1])
    if line is None:
        return None
    cards = one_of(rng, line["kept"].values())
    cards[0] = cards[1]
    return True


@fault("keeps a Joker")
def keeps_a_joker(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, of_type(events, "showdown"))
    return line and (one_of(rng, line["kept"].values()).__setitem__(0, JOKER) or True)


@fault("keeps 3 cards, not 2")
def keeps_three_cards(events: list[Event], rng: random.Random) -> object:
    if events[0]["match"]["kept"] != 2:
        return None
    found = []
    for _, line, hands, _ in forced(events):
        for player, cards in line.get("kept", {}).items():
            more = [card for card in hands[int(player)] if card not in (*cards, JOKER)]
            found += [(cards, more[0])] if more else []
    where = one_of(rng, found)
    return where and (where[0].append(where[1]) or True)


@fault("is said to have")
def a_wrong_category(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, of_type(events, "showdown"))
    if line is None:
        return None
    player = one_of(rng, line["category"])
    line["category"][player] = rng.choice([name for name in ORDER if name != line["category"][player]])
    return True


@fault("the list of winners told")
def the_wrong_winner(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "showdown") if len(line["winners"]) < len(line["kept"])])
    return line and (line.update(winners=[int(p) for p in line["kept"] if int(p) not in line["winners"]]) or True)


@fault("what is paid told")
def a_stone_to_another(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "showdown") if len(line["winners"]) > 1])
    if line is None:
        return None
    one, other, *_ = line["paid"]
    line["paid"][one] += 1
    line["paid"][other] -= 1
    return True


@fault("the kept names players")
def one_who_folded_is_at_the_showdown(events: list[Event], rng: random.Random) -> object:
    found = [(line, after) for line, after, _, _ in forced(events) if line["calls"] and line["folds"]]
    where = one_of(rng, found)
    return where and (where[1]["kept"].update({str(where[0]["folds"][0]): ["W2", "W3"]}) or True)


@fault("the round's outcome told")
def a_wrong_outcome(events: list[Event], rng: random.Random) -> object:
    line = rng.choice(of_type(events, "round_end"))
    line["outcome"] = "stalled" if line["outcome"] != "stalled" else "folded"
    return True


@fault("the pot told")
def the_pot_stays_after_it_is_paid(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "round_end") if line["outcome"] != "stalled"])
    return line and (line.update(pot=1) or True)


@fault("the list of those who are newly out told")
def one_out_is_not_told(events: list[Event], rng: random.Random) -> object:
    line = one_of(rng, [line for line in of_type(events, "round_end") if line["out"]])
    return line and [line["out"].pop()]


@fault("the winner told")
def the_wrong_winner_of_the_match(events: list[Event], rng: random.Random) -> object:
    events[-1]["winner"] = 0 if events[-1]["winner"] != 0 else None
    return True


@fault("the number of rounds told")
def rounds_miscounted(events: list[Event], rng: random.Random) -> object:
    events[-1]["rounds"] += 1
    return True


PLACES = 3  # in which each fault is tried, if there are so many


@pytest.mark.parametrize("kind", sorted(FAULTS))
def test_every_kind_of_fault_is_named(kind: str) -> None:
    rng = random.Random(kind)
    matches = list(legal_matches())
    rng.shuffle(matches)
    found = 0
    for legal in matches:
        broken = copied(legal) if len(legal) < LONG else None
        if broken is None or not FAULTS[kind](broken, rng):
            continue
        faults = match_faults(broken)
        assert any(NAMED_BY[kind] in text for text in faults), (kind, faults[:5])
        found += 1
        if found == PLACES:
            break
    assert found


NONSENSE: list[Any] = [None, -1, "x", [], {}, True, [[]], [None], {"x": None}]


def test_a_malformed_line_is_a_fault_and_no_crash() -> None:
    rng = random.Random(3)
    for events in legal_matches()[::4]:
        for nonsense in NONSENSE:
            broken = copied(events[:40])
            line = rng.choice(broken)
            key = rng.choice([key for key in line if key != "type"])
            if line[key] != nonsense:
                line[key] = nonsense
                assert match_faults(broken), (key, nonsense)
            del line[key]
            assert match_faults(broken)
    assert match_faults([])
    assert match_faults([{}])
