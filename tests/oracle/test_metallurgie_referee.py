"""The referee of Metallurgie: legal games are flawless; scripted turns and injected faults are judged right."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from tests.oracle.injected import Events, assert_named
from tests.oracle.metallurgie_faults import FAULTS, NAMED_BY
from tests.oracle.metallurgie_random_game import RULES, Table, random_game
from tests.oracle.metallurgie_random_game import RULINGS as DEFAULTS
from tests.oracle.metallurgie_referee import END, METALS, RULINGS, Pattern, game_faults

Event = dict[str, Any]
Place = tuple[int, int]

OTHERS: list[Event] = [{key: other} for key, values in RULINGS.items() for other in values[1:]]
ALL_OTHERS: Event = {key: values[-1] for key, values in RULINGS.items()}
ONES = [1, 1, 1, 1]
VARIANTS: list[Event] = [
    {"deck": [16, 9, 6, 4], "thresholds": [4, 3, 3, 2], "removals": [2, 2, 2, 1], "hand": 2, "end_card_depth": 1},
    {"thresholds": [5, 4, 3, 2], "hand": 5, "end_card_depth": 12},
    {"thresholds": [4, 4, 3, 3], "removals": [4, 4, 3, 3]},
    {"start": [], "thresholds": [4, 3, 2, 2], "removals": [3, 3, 2, 1]},
    {"start": [["I", 3, -7]], "thresholds": ONES, "removals": ONES, "deck": [20, 9, 6, 4], "hand": 1},
    {"start": [["S", 0, 0], ["C", 0, 0], ["I", 0, 0]], "end_card_depth": 200},
]
GAMES = 8  # of each setting and number of players
SHY = 0.6  # how often a random player scores who does not always do


def judged(events: list[Event]) -> list[str]:
    """As it is read from a file."""
    return game_faults(json.loads(json.dumps(events)))


@cache
def legal_games() -> list[list[Event]]:
    """Games of 2 to 4 players under each switch, all other values together, and tuned numbers."""
    settings: list[tuple[Event, Event]] = [({}, rulings) for rulings in ({}, *OTHERS, ALL_OTHERS)]
    settings += [(rules, rulings) for rules in VARIANTS for rulings in ({}, {"must_score": True}, ALL_OTHERS)]
    games = []
    for number, (rules, rulings) in enumerate(settings):
        for players in (2, 3, 4):
            for index in range(GAMES if not rules else GAMES // 4):
                rng = random.Random(f"{number} {players} {index}")
                games.append(random_game(rng, players, rules, rulings, keen=SHY if index % 2 else 1.0))
    return games


def turns_of(events: list[Event]) -> list[Event]:
    return [line for line in events if line["type"] == "turn"]


def test_legal_games_are_flawless() -> None:
    games = legal_games()
    assert len(games) >= 250
    for number, events in enumerate(games):
        assert judged(events) == [], number


def test_the_legal_games_hold_all_that_can_happen() -> None:
    """Otherwise they would prove little."""
    turns = [line for events in legal_games() for line in turns_of(events)]
    assert {scored["metal"] for line in turns for scored in line["scored"]} == set(METALS)
    assert any(len({scored["metal"] for scored in line["scored"]}) > 1 for line in turns)
    assert any(line["discarded"] for line in turns)
    assert {line["draw"] for line in turns} == {None, END, *METALS}
    assert any(END in line["refill"] for line in turns)
    shapes = Counter(
        (len({card for card, _, _ in line["placed"]}), len({(q, r) for _, q, r in line["placed"]})) for line in turns
    )
    assert {(0, 0), (1, 1), (1, 2), (1, 3), (2, 1), (3, 1)} <= set(shapes)
    ends = [events[-1] for events in legal_games()]
    assert any(len(end["winners"]) > 1 for end in ends)
    assert any(any(end["bonus"]) for end in ends)


@pytest.mark.parametrize(("players", "pile"), [(2, 85), (3, 82), (4, 79)])
def test_cards_drawn_before_the_end_card(players: int, pile: int) -> None:
    """Metallurgie 3.3, of the random games: each number from five less to the whole pile."""
    drawn = set()
    for seed in range(60):
        lines = turns_of(random_game(random.Random(seed), players))
        cards = [card for line in lines for card in (line["draw"], *line["refill"]) if card not in (None, END)]
        drawn.add(len(cards))
    assert drawn == set(range(pile - 5, pile + 1))


# ---- scripted games ----------------------------------------------------------------------------------------


def stacks(**metals: list[Place]) -> list[list[Any]]:
    """A start pattern: `IC=[(0, 0)]` is copper on iron at (0, 0)."""
    return [[card, *place] for cards, places in metals.items() for place in places for card in cards]


def row(*at: int) -> list[Place]:
    return [(q, 0) for q in at]


def turn(
    placed: str = "", scored: list[Event] | None = None, draw: str | None = None, refill: str = "", discarded: str = ""
) -> Event:
    """`placed` as "I 0 1, C 0 1"."""
    cards = [card.split() for card in placed.split(", ") if card]
    return {
        "draw": draw,
        "placed": [[card, int(q), int(r)] for card, q, r in cards],
        "discarded": discarded or None,
        "scored": scored or [],
        "refill": refill.split(),
    }


def scores(metal: str, area: int, *removed: Place) -> Event:
    return {"metal": metal, "area": area, "removed": [list(place) for place in removed]}


THE_END = turn(draw=END)


def game(
    start: list[list[Any]],
    hands: str,
    pile: str,
    turns: list[Event],
    rules: Event | None = None,
    bonus: list[list[str]] | None = None,
    **rulings: Any,
) -> list[Event]:
    """A game of two players with a deck of just these cards; `hands` as "I C, S I". Points are added up."""
    dealt = [hand.split() for hand in hands.split(", ")]
    everything = Counter([*(card for card, _, _ in start), *(card for hand in dealt for card in hand), *pile.split()])
    tuned = {"deck": [everything[metal] for metal in METALS], "hand": len(dealt[0]), "start": start}
    setup = {"type": "setup", "game": "metallurgie", "players": 2, "rules": RULES | tuned | (rules or {})}
    setup |= {"rulings": DEFAULTS | rulings, "seed": 1, "game_index": 0, "first": 0, "hands": dealt}
    events, points = [setup | {"pile": pile.split()}], [0, 0]
    for number, line in enumerate(turns):
        points[number % 2] += len(line["scored"])
        events.append({"type": "turn", "n": number + 1, "player": number % 2, **line, "points": list(points)})
    bonus = bonus or [[], []]
    final = [mine + len(more) for mine, more in zip(points, bonus, strict=True)]
    winners = [player for player in (0, 1) if final[player] == max(final)]
    end = {"type": "end", "points": final, "bonus": bonus, "winners": winners, "turns": len(turns)}
    return copy.deepcopy([*events, end])


def assert_faults(events: list[Event], *words: str) -> None:
    """Exactly one fault for each of the words."""
    faults = judged(events)
    assert len(faults) == len(words), faults
    for each, fault in zip(words, faults, strict=True):
        assert each in fault


def assert_flawless(events: list[Event]) -> None:
    assert_faults(events)


NUMBERS: Event = {"thresholds": [5, 3, 3, 3], "removals": [2, 2, 2, 3]}
SPLITS = "splits the pattern"
UNSCORED = "unscored"


# ---- placing -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("placed", "named"),
    [
        ("I 0 1", ""),
        ("I 1 -1", ""),
        ("I 1 1", "can't lie"),
        ("I 0 0", "can't lie"),
        ("I 0 1, I 0 2", ""),
        ("I 0 2, I 0 1", "can't lie"),
        ("I 0 1, C 0 1", ""),
        ("I 0 1, C 0 1, S 0 1", ""),
        ("I 0 1, S 0 1", "can't lie"),
        ("C 0 0, S 0 0", ""),
        ("C 0 0, C 0 0", "not in their hand"),
        ("C 0 0, S 0 0, G 0 0", "not in their hand"),
        ("C 0 1", "can't lie"),
        ("I 0 1, C 0 0", "neither one metal"),
        ("C 0 0, I 0 1", "neither one metal"),
        ("I 0 1, C 0 1, I 0 2", "neither one metal"),
        ("", "neither draws nor plays"),
    ],
)
def test_placing(placed: str, named: str) -> None:
    """Metallurgie 2.2, from a hand of I I C S on a single iron card at (0, 0)."""
    cards = placed.count(",") + bool(placed)
    refill = " ".join(["C"] * cards)
    play = turn(placed, refill=refill)
    events = game(stacks(I=[(0, 0)]), "I I C S, I I I I", f"{refill} END".strip(), [play, THE_END])
    assert_faults(events, *([named] if named else []))


def test_iron_fills_a_hole() -> None:
    ring = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
    assert_flawless(game(stacks(I=ring), "I, C", "END", [turn("I 0 0", refill="END")]))
    assert_faults(game(stacks(I=ring), "C, C", "END", [turn("C 0 0", refill="END")]), "can't lie")


LATE, MIXED = "does not place the drawn C first", "neither one metal"


@pytest.mark.parametrize(
    ("play", "named"),
    [
        (turn("C 0 0", draw="C"), []),
        (turn("C 0 0, S 0 0", draw="C", refill="S"), []),
        (turn("C 0 0, C 1 0", draw="C", refill="S"), []),
        (turn("C 0 0, S 1 0", draw="C", refill="S"), [MIXED, "can't lie"]),
        (turn("C 0 0, I 2 0", draw="C", refill="S"), [MIXED]),
        (turn("I 2 0, C 0 0", draw="C", refill="S"), [LATE, MIXED]),
        (turn("I 2 0, C 2 0", draw="C", refill="S"), [LATE]),
        (turn("I 2 0", draw="C"), [LATE]),
        (turn(draw="C", discarded="C"), ["which can be placed"]),
    ],
)
def test_the_drawn_card_comes_first(play: Event, named: list[str]) -> None:
    pile = ["C", *play["refill"], END]
    assert_faults(game(stacks(I=row(0, 1)), "I C S, I I I", " ".join(pile), [play, THE_END]), *named)


def test_a_drawn_card_that_cannot_be_placed_is_discarded() -> None:
    start = stacks(I=row(0, 1), IC=row(2))
    discards = turn(draw="G", discarded="G")
    assert_flawless(game(start, "I, I", "G END", [discards, THE_END]))
    # Not so where it could lie on silver; and nothing else happens in the turn.
    silver = stacks(I=row(0, 1), ICS=row(2))
    assert_faults(game(silver, "I, I", "G END", [discards, THE_END]), "which can be placed")
    goes_on = turn("I 3 0", draw="G", discarded="G", refill="C")
    assert_faults(game(start, "I, I", "G C END", [goes_on, THE_END]), "places cards although")


def test_a_discard_scores_nothing_and_must_not() -> None:
    """Under score_scope any an old area could be scored in every other turn."""
    start = stacks(IC=row(0, 1, 2))
    rulings: Event = {"score_scope": "any", "must_score": True}
    discards = turn(draw="G", discarded="G")
    assert_flawless(game(start, "I, I", "G END", [discards, THE_END], NUMBERS, **rulings))
    greedy = turn(draw="G", discarded="G", scored=[scores("C", 3, (0, 0), (1, 0))])
    events = game(start, "I, I", "G END", [greedy, THE_END], NUMBERS, **rulings)
    assert_faults(events, "scores although")
    assert_faults(game(start, "I, I", "I END", [turn("I 3 0", draw="I"), THE_END], NUMBERS, **rulings), UNSCORED)


def test_an_empty_table() -> None:
    """Metallurgie 2: taking all is no split; then iron lies anywhere, and nothing else can."""
    rules = {"thresholds": [2, 3, 3, 3], "removals": [2, 2, 2, 2]}
    takes_all = turn("I 1 0", [scores("I", 2, (0, 0), (1, 0))], refill="C")
    start = stacks(I=[(0, 0)])
    anywhere = turn("I 7 -9", refill="G")
    assert_flawless(game(start, "I, I", "C G END", [takes_all, anywhere, THE_END], rules))
    assert_flawless(game(start, "I, C", "C C END", [takes_all, turn(draw="C", discarded="C"), THE_END], rules))
    assert_faults(game(start, "I, C", "C G END", [takes_all, turn("C 0 0", refill="G"), THE_END], rules), "can't lie")
    must = game(start, "I, I", "C END", [turn("I 1 0", refill="C"), THE_END], rules, must_score=True)
    assert_faults(must, UNSCORED)


# ---- scoring -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("taken", "named"),
    [
        (row(0, 1), []),
        (row(0, 4), []),
        (row(4, 3), []),
        (row(1, 2), [SPLITS]),
        (row(0, 2), [SPLITS]),
        (row(4), ["removes 1 cards of I, not 2"]),
        (row(4, 4), ["a place twice"]),
        (row(4, 5), ["where it isn't"]),
    ],
)
def test_taking_iron_must_not_split_the_pattern(taken: list[Place], named: list[str]) -> None:
    plays = [turn("I 4 0", [scores("I", 5, *taken)], refill="C"), THE_END]
    assert_faults(game(stacks(I=row(0, 1, 2, 3)), "I, I", "C END", plays, NUMBERS), *named)


@pytest.mark.parametrize(("copper", "can"), [([0, 6], False), ([6], True), ([3], True), ([0, 3, 6], False)])
def test_iron_that_cannot_be_taken_need_not_be_scored(copper: list[int], can: bool) -> None:
    """A row of iron whose two ends are of copper can't lose any of its cards."""
    *before, last = copper
    start = stacks(I=row(*(q for q in range(7) if q not in before)), IC=row(*before))
    rules = {"thresholds": [2, 9, 9, 9], "removals": [1, 2, 2, 2]}
    plays = [turn(f"C {last} 0", refill="C"), THE_END]
    for must in (True, False):
        events = game(start, "C, I", "C END", plays, rules, score_scope="any", must_score=must)
        named = [UNSCORED] * (2 if copper == [3] else 1) if can and must else []
        assert_faults(events, *named)


def test_whether_iron_can_be_taken_is_exact() -> None:
    """Against all choices, on random small patterns; both by the referee and by the random player."""
    rng, seen = random.Random(5), Counter[bool]()
    for step in range(400):
        pattern = Pattern()
        while len(pattern.stacks) < 13:
            place = (rng.randint(-3, 3), rng.randint(-3, 3))
            if pattern.fits("I", place):
                pattern.put("I", place)
        for place in rng.sample(sorted(pattern.stacks), rng.randint(1, 6)):
            pattern.put("C", place)
        area = max((area for area in pattern.areas() if pattern.top(min(area)) == "I"), key=len)
        number = rng.randint(1, len(area))
        legal = {each for each in combinations(sorted(area), number) if not pattern.splits(set(each))}
        seen[bool(legal)] += 1
        assert pattern.can_lose(area, number) == bool(legal), step
        table = Table(rng, 2, RULES | {"removals": [number, 4, 3, 2]}, DEFAULTS, 1.0)
        table.height = {place: len(stack) for place, stack in pattern.stacks.items()}
        found = tuple(sorted(table.irons(area)))
        assert found in legal if legal else not found, step
    assert min(seen.values()) > 40


def test_a_scored_area_may_be_scored_again() -> None:
    """Metallurgie 2.3, `score_again`: five copper, of which two leave; then three, of which two leave."""
    start = stacks(IC=row(0, 1, 2, 3), I=row(4))
    once, twice = scores("C", 5, (0, 0), (1, 0)), scores("C", 3, (2, 0), (4, 0))
    for scored, again, must, named in [
        ([once, twice], True, False, ""),
        ([once, twice], True, True, ""),
        ([once, twice], False, False, "holds a card of an area scored before"),
        ([once], True, False, ""),
        ([once], True, True, "leaves an area of 3 C"),
        ([once], False, True, ""),
    ]:
        plays = [turn("C 4 0", scored, refill="C"), THE_END]
        rules = NUMBERS | {"thresholds": [9, 3, 3, 3]}
        events = game(start, "C, C", "C END", plays, rules, score_again=again, must_score=must)
        assert_faults(events, *([named] if named else []))


def test_what_remains_counts_as_touched() -> None:
    """The placed card leaves; what remains of its area is touched, and another area is not."""
    start = stacks(IC=row(0, 1, 2, 3, 6, 7, 8), I=row(4, 5))
    one = scores("C", 5, (4, 0), (0, 0))
    rest, other = scores("C", 3, (1, 0), (2, 0)), scores("C", 3, (6, 0), (7, 0))
    rules = NUMBERS | {"thresholds": [9, 3, 3, 3]}
    plays = [turn("C 4 0", [one, rest, other], refill="C"), THE_END]
    assert_flawless(game(start, "C, C", "C END", plays, rules, score_scope="any", must_score=True))
    assert_faults(game(start, "C, C", "C END", plays, rules), "holds no card placed or uncovered")
    plays[0]["scored"] = [one, rest]
    assert_flawless(game(start, "C, C", "C END", plays, rules, must_score=True))
    assert_faults(game(start, "C, C", "C END", plays, rules, must_score=True, score_scope="any"), UNSCORED)


def test_what_is_uncovered_may_be_scored() -> None:
    """Gold uncovers silver, silver copper; the areas of each are of the cards that lie free at that moment."""
    start = stacks(ICSG=row(0, 1), ICS=row(2, 3), I=row(4))
    gold = scores("G", 3, (0, 0), (1, 0), (2, 0))
    silver, copper = scores("S", 4, (0, 0), (1, 0)), scores("C", 2, (0, 0), (1, 0))
    rules = {"thresholds": [9, 2, 3, 3], "removals": [5, 2, 2, 3]}
    plays = [turn("G 2 0", [gold, silver, copper], refill="C"), THE_END]
    for again in (True, False):
        events = game(start, "G, I", "C END", plays, rules, must_score=True, score_again=again)
        assert_flawless(events)
        less = [turn("G 2 0", [gold], refill="C"), THE_END]
        events = game(start, "G, I", "C END", less, rules, must_score=True, score_again=again)
        assert_faults(events, "leaves an area of 4 S at (0, 0)")
    plays = [turn("G 2 0", [silver, gold, copper], refill="C"), THE_END]
    assert_faults(game(start, "G, I", "C END", plays, rules), "where it isn't")


def test_the_order_of_scoring_is_free() -> None:
    """Two copper areas touched by two cards, in either order."""
    start = stacks(IC=row(0, 1, 5, 6), I=row(2, 3, 4))
    left, right = scores("C", 3, (0, 0), (2, 0)), scores("C", 3, (6, 0), (4, 0))
    for both in ([left, right], [right, left]):
        plays = [turn("C 2 0, C 4 0", both, refill="C C"), THE_END]
        assert_flawless(game(start, "C C, I I", "C C END", plays, NUMBERS, must_score=True))
    mixed = scores("C", 3, (0, 0), (6, 0))
    plays = [turn("C 2 0, C 4 0", [mixed], refill="C C"), THE_END]
    assert_faults(game(start, "C C, I I", "C C END", plays, NUMBERS), "removes [(6, 0)] of another area")


# ---- the end -----------------------------------------------------------------------------------------------


def test_the_end_card_ends_the_game_at_once() -> None:
    start = stacks(IC=row(0, 1), I=row(2))
    score = [scores("C", 3, (0, 0), (1, 0))]
    # In the refill: what was scored stays.
    assert_flawless(game(start, "C I, I I", "END I", [turn("C 2 0", score, refill=END)], NUMBERS))
    assert_faults(game(start, "C I, I I", "END I", [turn("C 2 0", score, refill="END I")], NUMBERS), "the refill told")
    assert_faults(game(start, "C I, I I", "I END", [turn("C 2 0", score, refill=END)], NUMBERS), "refill", "not on top")
    # One card before it: the refill is one short, and the game over.
    plays = [turn("I 3 0, I 4 0", refill="C END")]
    assert_flawless(game(start, "I I, I I", "C END I", plays))
    # As the first card: nothing else, even where scoring is a must.
    assert_flawless(
        game(stacks(IC=row(0, 1, 2)), "C, I", "END", [THE_END], NUMBERS, score_scope="any", must_score=True)
    )
    for more in (turn("I 3 0", draw=END), turn(draw=END, refill="I"), turn(draw=END, discarded="G")):
        assert_faults(game(start, "I I, I I", "END I", [more]), "the end card is drawn, but")
    assert_faults(game(start, "I I, I I", "END", [THE_END, turn("I 3 0")]), "a end line should follow, but turn does")
    assert_faults(game(start, "I I, I I", "I END", [turn("I 3 0", refill="I")]), "a turn line should follow, but end")


def test_bonus_cards() -> None:
    """Metallurgie 2: the strict majority of kept cards of a metal, or the first of them."""
    start = stacks(IC=row(*range(6)))
    rules = {"thresholds": [9, 2, 3, 3], "removals": [5, 1, 2, 2]}
    one = turn("I 6 0", [scores("C", 6, (0, 0))], refill="I")
    other = turn("I 7 0", [scores("C", 5, (1, 0))], refill="I")
    third = turn("I 8 0", [scores("C", 4, (2, 0))], refill="I")
    passes = turn("I 8 0", refill="I")
    pile = "I I I END"

    tie, lead = [one, other, passes], [one, other, third]
    none: list[list[str]] = [[], []]
    mine, yours = [["C"], []], [[], ["C"]]
    for plays, ruling, right in [
        (tie, "none", none),
        (tie, "majority", none),
        (tie, "first", mine),
        (lead, "none", none),
        (lead, "majority", mine),
        (lead, "first", mine),
    ]:
        for bonus in (none, mine, yours):
            events = game(start, "I, I", pile, [*plays, THE_END], rules, bonus, score_scope="any")
            events[0]["rulings"]["bonus"] = ruling
            assert_faults(events, *(["the bonus told"] if bonus != right else []))


# ---- faults ------------------------------------------------------------------------------------------------


def test_there_are_many_kinds_of_faults() -> None:
    assert len(FAULTS) >= 25


@pytest.mark.parametrize("kind", sorted(FAULTS))
def test_every_kind_of_fault_is_named(kind: str) -> None:
    games = list(legal_games())
    random.Random(kind).shuffle(games)
    places = 0

    def counted(events: Events, rng: random.Random) -> Events | None:
        nonlocal places
        broken = FAULTS[kind](events, rng)
        places += broken is not None
        return broken

    assert_named(kind, counted, NAMED_BY[kind], games, judged)
    assert places == 3  # `assert_named` is content with fewer


def test_a_wrong_number_is_named_once() -> None:
    """It is believed afterwards."""
    events = copy.deepcopy(legal_games()[0])
    for line in events[10:]:
        line["points"][0] += 1
    events[-1]["winners"] = [
        player for player, points in enumerate(events[-1]["points"]) if points == max(events[-1]["points"])
    ]
    assert_faults(events, "Turn 10: the points told")


FORM = "which is not of the right form"


@pytest.mark.parametrize("key", ["placed", "removed"])
@pytest.mark.parametrize("place", [[0.0, 1], [0, 1.5], [True, 1], [0], [0, 1, 1], [], "01", None])
def test_places_are_two_whole_numbers(key: str, place: Any) -> None:
    play = turn("I 0 1", [scores("I", 2, (0, 0))], refill="C")
    rules = {"thresholds": [2, 2, 2, 2], "removals": [1, 1, 1, 1]}
    events = game(stacks(I=[(0, 0)]), "I, I", "C END", [play, THE_END], rules)
    assert_flawless(events)
    if key == "placed":
        play["placed"] = [["I", *place]] if isinstance(place, list) else [["I", place]]
    else:
        play["scored"][0]["removed"] = [place]
    assert_faults(game(stacks(I=[(0, 0)]), "I, I", "C END", [play, THE_END], rules), FORM)


@pytest.mark.parametrize("scored", [{}, {"metal": "X"}, {"area": True}, {"area": None}, {"removed": None}])
def test_a_scoring_tells_metal_area_and_places(scored: Event) -> None:
    told: Event = scores("I", 9, (0, 0)) | scored if scored else {"metal": "I", "area": 9}
    assert_faults(game(stacks(I=[(0, 0)]), "I, I", "C END", [turn("I 0 1", [told], refill="C"), THE_END]), FORM)


@pytest.mark.parametrize("ruling", [0, 1, None, "false"])
def test_a_switch_of_yes_and_no_is_no_number(ruling: Any) -> None:
    assert_faults(game(stacks(I=[(0, 0)]), "I, I", "END", [THE_END], must_score=ruling), "the ruling must_score is")


def test_more_keys_are_allowed() -> None:
    events = game(stacks(I=[(0, 0)]), "I, I", "END", [THE_END], {"more": 1}, more=1)
    for line in events:
        line["more"] = 1
    assert_flawless(events)


def test_an_area_that_has_too_few_cards_to_take_need_not_be_scored() -> None:
    start = stacks(IC=row(0, 1), I=row(2))
    rules = {"thresholds": [9, 2, 3, 3], "removals": [5, 4, 3, 2]}
    events = game(start, "C, I", "C END", [turn("C 2 0", refill="C"), THE_END], rules, must_score=True)
    assert_flawless(events)


NONSENSE: list[Any] = [None, -1, "x", [], {}, True, 1.5, [[]], [None], {"x": None}, 10**30]


def test_a_malformed_line_is_a_fault_and_no_crash() -> None:
    rng = random.Random(3)
    for events in legal_games()[::24]:
        for nonsense in NONSENSE:
            broken = copy.deepcopy(events)
            line = rng.choice([broken[0], broken[-1], rng.choice(broken)])
            key = rng.choice([key for key in line if key not in ("seed", "game_index")])
            if line[key] != nonsense:
                line[key] = nonsense
                assert game_faults(broken), (key, nonsense)
            del line[key]
            assert game_faults(broken)
    nothing: list[Any] = [[], [{}], [None], None, 3, "setup"]
    for events in nothing:
        assert game_faults(events)


def test_nonsense_deep_in_a_line_is_no_crash() -> None:
    rng = random.Random(4)
    for events in legal_games()[::4]:
        broken = copy.deepcopy(events)
        for _ in range(rng.randint(1, 3)):
            part: Any = rng.choice([broken[0], rng.choice(broken)])
            where: list[tuple[Any, Any]] = []
            while isinstance(part, (dict, list)) and part:
                key = rng.choice(list(part) if isinstance(part, dict) else range(len(part)))
                where.append((part, key))
                part = part[key]
            if where:
                inside, key = rng.choice(where)
                inside[key] = copy.deepcopy(rng.choice(NONSENSE))
        if rng.random() < 0.1:
            rng.shuffle(broken)
        game_faults(broken)
