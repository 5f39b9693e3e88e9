"""Injected faults: each function makes the legal trace of a game of Metallurgie illegal in one way, or finds no place.

FAULTS maps a name to the function, NAMED_BY to words that the referee's message has to contain.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from tests.oracle.injected import Events, Fault

Event = dict[str, Any]
Place = tuple[int, int]
#: Edits a trace in place, or raises NoPlace.
Edit = Callable[[Events, random.Random], None]
T = TypeVar("T")

LAYERS = ("I", "C", "S", "G")
END = "END"
FAR = 1000  # far away from any pattern

FAULTS: dict[str, Fault] = {}
NAMED_BY: dict[str, str] = {}


class NoPlace(Exception):
    """The trace has no place for this fault."""


def fault(named_by: str) -> Callable[[Edit], Edit]:
    """Registers an edit; the trace it is given is copied first."""

    def register(edit: Edit) -> Edit:
        def on_a_copy(events: Events, rng: random.Random) -> Events | None:
            broken = copy.deepcopy(events)
            try:
                edit(broken, rng)
            except NoPlace:
                return None
            return broken

        FAULTS[edit.__name__] = on_a_copy
        NAMED_BY[edit.__name__] = named_by
        return edit

    return register


# ---- what the traces hold ----------------------------------------------------------------------------------


class Turn(NamedTuple):
    """A turn line, the player's hand before it, and the layer (from 1) on top of each place before and after placing
    and at the end of the turn."""

    line: Event
    hand: list[str]
    before: dict[Place, int]
    placed: dict[Place, int]
    after: dict[Place, int]


def turns(events: Events) -> list[Turn]:
    hands = [list(hand) for hand in events[0]["hands"]]
    heights: dict[Place, int] = {}
    for _, q, r in events[0]["rules"]["start"]:
        heights[q, r] = heights.get((q, r), 0) + 1
    found = []
    for line in events[1:-1]:
        hand, before = hands[line["player"]], dict(heights)
        had = list(hand)
        if line["draw"] is not None and line["draw"] != line["discarded"]:
            hand.append(line["draw"])
        for card, q, r in line["placed"]:
            hand.remove(card)
            heights[q, r] = heights.get((q, r), 0) + 1
        placed = dict(heights)
        for scored in line["scored"]:
            for q, r in scored["removed"]:
                heights[q, r] -= 1
                if not heights[q, r]:
                    del heights[q, r]
        hand += line["refill"]
        found.append(Turn(line, had, before, placed, dict(heights)))
    return found


def around(place: Place) -> list[Place]:
    q, r = place
    return [(q + 1, r), (q, r + 1), (q - 1, r + 1), (q - 1, r), (q, r - 1), (q + 1, r - 1)]


def connected(place: Place, places: set[Place]) -> set[Place]:
    found, edge = {place}, {place}
    while edge:
        edge = {other for each in edge for other in around(each)} & places - found
        found |= edge
    return found


def areas(heights: dict[Place, int]) -> list[tuple[str, set[Place]]]:
    """The metal and the places of each area."""
    found: list[tuple[str, set[Place]]] = []
    for place, height in heights.items():
        if not any(place in area for _, area in found):
            same = {other for other, layer in heights.items() if layer == height}
            found.append((LAYERS[height - 1], connected(place, same)))
    return found


def need(good: object) -> None:
    if not good:
        raise NoPlace


def one_of(rng: random.Random, things: list[T]) -> T:
    need(things)
    return rng.choice(things)


def scorings(events: Events) -> list[Event]:
    return [scored for line in events[1:-1] for scored in line["scored"]]


def told(metal: str, area: set[Place], taken: list[Place]) -> Event:
    return {"metal": metal, "area": len(area), "removed": [list(place) for place in taken]}


# ---- the setup ---------------------------------------------------------------------------------------------


@fault("the game told")
def another_game(events: Events, rng: random.Random) -> None:
    events[0]["game"] = "furnace"


@fault("players, not 2 to 4")
def one_player(events: Events, rng: random.Random) -> None:
    events[0].update(players=1, first=0, hands=events[0]["hands"][:1])


@fault("the ruling")
def unknown_ruling(events: Events, rng: random.Random) -> None:
    events[0]["rulings"][rng.choice(list(events[0]["rulings"]))] = rng.choice([1, 0, "maybe", None])


@fault("which is not of the right form")
def rule_left_out(events: Events, rng: random.Random) -> None:
    del events[0]["rules"][rng.choice(list(events[0]["rules"]))]


@fault("which is not of the right form")
def nothing_removed(events: Events, rng: random.Random) -> None:
    events[0]["rules"]["removals"][rng.randrange(4)] = 0


@fault("is first, but there is none")
def first_is_nobody(events: Events, rng: random.Random) -> None:
    events[0]["first"] = events[0]["players"]


@fault("but the deck has")
def iron_made_gold(events: Events, rng: random.Random) -> None:
    pile = events[0]["pile"]
    pile[pile.index("I")] = "G"


@fault("but the deck has")
def two_end_cards(events: Events, rng: random.Random) -> None:
    events[0]["pile"].append(END)


@fault("0 END, but the deck has 1")
def no_end_card(events: Events, rng: random.Random) -> None:
    events[0]["pile"].remove(END)


@fault("the end card is not in the pile")
def end_card_dealt(events: Events, rng: random.Random) -> None:
    pile, hand = events[0]["pile"], events[0]["hands"][0]
    pile[pile.index(END)], hand[0] = hand[0], END


@fault("from the bottom, and not among the last")
def end_card_too_high(events: Events, rng: random.Random) -> None:
    pile, depth = events[0]["pile"], events[0]["rules"]["end_card_depth"]
    pile.remove(END)
    need(len(pile) >= depth)
    pile.insert(rng.randint(0, len(pile) - depth), END)


@fault("is dealt")
def a_hand_too_large(events: Events, rng: random.Random) -> None:
    setup = events[0]
    rng.choice(setup["hands"]).append(setup["pile"].pop(0))


@fault("are not one for each player")
def a_hand_left_out(events: Events, rng: random.Random) -> None:
    events[0]["hands"].pop()


@fault("which is no stack")
def start_without_iron(events: Events, rng: random.Random) -> None:
    start = events[0]["rules"]["start"]
    under = [[q, r] for metal, q, r in start if metal == "C"]
    start.remove(["I", *one_of(rng, under)])


@fault("the start is not one pattern")
def start_in_two_parts(events: Events, rng: random.Random) -> None:
    start = events[0]["rules"]["start"]
    need(start)
    start.append(["I", FAR, FAR])


# ---- whose turn, and the draw ------------------------------------------------------------------------------


@fault("the turn's number told")
def turn_miscounted(events: Events, rng: random.Random) -> None:
    rng.choice(events[1:-1])["n"] += 1


@fault("'s turn, not player")
def out_of_turn(events: Events, rng: random.Random) -> None:
    line = rng.choice(events[1:-1])
    line["player"] = (line["player"] + 1) % events[0]["players"]


@fault("has a turn, but there is none")
def nobodys_turn(events: Events, rng: random.Random) -> None:
    rng.choice(events[1:-1])["player"] = events[0]["players"]


@fault("is on top of the pile")
def draws_another_card(events: Events, rng: random.Random) -> None:
    line = one_of(rng, [line for line in events[1:-1] if line["draw"] in LAYERS])
    line["draw"] = rng.choice([metal for metal in LAYERS if metal != line["draw"]])


@fault("does not place the drawn")
def drawn_card_later(events: Events, rng: random.Random) -> None:
    found = [line for line in events[1:-1] if line["draw"] and len({card for card, _, _ in line["placed"]}) > 1]
    line = one_of(rng, found)
    line["placed"].reverse()


@fault("does not place the drawn")
def drawn_card_kept(events: Events, rng: random.Random) -> None:
    line = one_of(rng, [line for line in events[1:-1] if line["draw"] and line["placed"]])
    line.update(placed=[], scored=[])


@fault("which can be placed")
def placeable_card_discarded(events: Events, rng: random.Random) -> None:
    found = [line for line in events[1:-1] if line["draw"] and len(line["placed"]) == 1 and not line["scored"]]
    line = one_of(rng, found)
    line.update(placed=[], discarded=line["draw"])


@fault("but has drawn")
def another_card_discarded(events: Events, rng: random.Random) -> None:
    line = one_of(rng, [line for line in events[1:-1] if line["discarded"]])
    line.update(discarded=rng.choice([metal for metal in LAYERS if metal != line["discarded"]]))


@fault("but has drawn None")
def hand_card_discarded(events: Events, rng: random.Random) -> None:
    line = one_of(rng, [line for line in events[1:-1] if line["draw"] is None])
    line.update(discarded=line["placed"][0][0], placed=[], scored=[])


@fault("although the drawn one is discarded")
def goes_on_after_a_discard(events: Events, rng: random.Random) -> None:
    found = [
        (turn.line, place)
        for turn in turns(events)
        if turn.line["discarded"] and "I" in turn.hand
        for place in set().union(*map(around, turn.before)) - {*turn.before}
    ]
    where = one_of(rng, sorted(found, key=lambda each: (each[0]["n"], each[1])))
    where[0]["placed"].append(["I", *where[1]])


@fault("scores although the drawn card is discarded")
def scores_after_a_discard(events: Events, rng: random.Random) -> None:
    turn = one_of(rng, [turn for turn in turns(events) if turn.line["discarded"]])
    metal, area = one_of(rng, areas(turn.before))
    turn.line["scored"].append(told(metal, area, sorted(area)))


@fault("neither draws nor plays a card")
def passes(events: Events, rng: random.Random) -> None:
    line = one_of(rng, [line for line in events[1:-1] if line["draw"] is None])
    line.update(placed=[], scored=[])


# ---- placing -----------------------------------------------------------------------------------------------


@fault("which is not in their hand")
def places_a_card_not_in_hand(events: Events, rng: random.Random) -> None:
    found = []
    for turn in turns(events):
        more = {metal: turn.hand.count(metal) for metal in LAYERS}
        for card, q, r in turn.line["placed"][turn.line["draw"] is not None :]:
            more[card] -= 1
            missing = [metal for metal in LAYERS if metal != card and more[metal] < 1]
            if len(turn.line["placed"]) == 1 and missing:
                found.append((turn.line, missing, q, r))
    where = one_of(rng, found)
    where[0]["placed"][0] = [
        rng.choice([metal for metal in where[1] if metal not in where[0]["placed"][0]]),
        *where[2:],
    ]


@fault("neither one metal nor in one position")
def two_metals_in_two_places(events: Events, rng: random.Random) -> None:
    found = []
    for turn in turns(events):
        cards = {card for card, _, _ in turn.line["placed"]}
        at = {(q, r) for _, q, r in turn.line["placed"]}
        more = [card for card in turn.hand if turn.hand.count(card) > len(at)]  # not all of them can be gone
        more = more or [card for card in turn.hand if card not in cards]
        for card in more:
            layer = LAYERS.index(card)
            for place, height in sorted(turn.placed.items()):
                if layer and height == layer and ({card} != cards and {place} != at) and cards:
                    found.append((turn.line, card, place))
    where = one_of(rng, found)
    where[0]["placed"].append([where[1], *where[2]])


def _moved(events: Events, rng: random.Random, card: str, to: Callable[[Turn], list[Place]]) -> None:
    """Puts the first card placed in some turn, of this metal, elsewhere."""
    found = [turn for turn in turns(events) if turn.line["placed"] and turn.line["placed"][0][0] == card]
    turn = one_of(rng, [turn for turn in found if to(turn)])
    turn.line["placed"][0] = [card, *rng.choice(sorted(to(turn)))]


@fault("where it can't lie")
def iron_far_away(events: Events, rng: random.Random) -> None:
    _moved(events, rng, "I", lambda turn: [(FAR, FAR)] if turn.before else [])


@fault("where it can't lie")
def iron_on_a_card(events: Events, rng: random.Random) -> None:
    _moved(events, rng, "I", lambda turn: list(turn.before))


@fault("where it can't lie")
def copper_on_the_table(events: Events, rng: random.Random) -> None:
    _moved(
        events,
        rng,
        "C",
        lambda turn: [other for place in turn.before for other in around(place) if other not in turn.before],
    )


@fault("where it can't lie")
def copper_on_copper_or_more(events: Events, rng: random.Random) -> None:
    _moved(events, rng, "C", lambda turn: [place for place, height in turn.before.items() if height > 1])


@fault("where it can't lie")
def silver_on_iron(events: Events, rng: random.Random) -> None:
    _moved(events, rng, "S", lambda turn: [place for place, height in turn.before.items() if height == 1])


@fault("where it can't lie")
def gold_on_copper_or_less(events: Events, rng: random.Random) -> None:
    _moved(events, rng, "G", lambda turn: [place for place, height in turn.before.items() if height < 3])


# ---- scoring -----------------------------------------------------------------------------------------------


def _with_another_scoring(events: Events, rng: random.Random, fits: Callable[[Turn, str, set[Place]], bool]) -> None:
    """Adds a scoring of some area that is left at the end of a turn, with its first cards."""
    found = []
    for turn in turns(events):
        if turn.line["placed"]:
            found += [(turn, metal, area) for metal, area in areas(turn.after) if fits(turn, metal, area)]
    where = one_of(rng, found)
    turn, metal, area = where
    number = events[0]["rules"]["removals"][LAYERS.index(metal)]
    turn.line["scored"].append(told(metal, area, sorted(area)[:number]))


def _touched(turn: Turn, area: set[Place]) -> bool:
    return any((q, r) in area for _, q, r in turn.line["placed"])


@fault("cards, but needs")
def scores_a_small_area(events: Events, rng: random.Random) -> None:
    thresholds, removals = events[0]["rules"]["thresholds"], events[0]["rules"]["removals"]
    _with_another_scoring(
        events,
        rng,
        lambda turn, metal, area: (
            removals[LAYERS.index(metal)] <= len(area) < thresholds[LAYERS.index(metal)] and _touched(turn, area)
        ),
    )


@fault("holds no card placed or uncovered in this turn")
def scores_an_old_area(events: Events, rng: random.Random) -> None:
    """It was left unscored in an earlier turn."""
    thresholds, scope = events[0]["rules"]["thresholds"], events[0]["rulings"]["score_scope"]
    need(scope == "touched")
    _with_another_scoring(
        events,
        rng,
        lambda turn, metal, area: (
            len(area) >= thresholds[LAYERS.index(metal)] and not turn.line["scored"] and not _touched(turn, area)
        ),
    )


@fault("holds no card placed or uncovered in this turn")
def an_old_area_under_the_other_scope(events: Events, rng: random.Random) -> None:
    rulings = events[0]["rulings"]
    need(rulings["score_scope"] == "any")
    rulings["score_scope"] = "touched"
    for turn in turns(events):
        if len(turn.line["scored"]) == 1:
            taken = {(q, r) for q, r in turn.line["scored"][0]["removed"]}
            if not any(_touched(turn, area) for _, area in areas(turn.placed) if taken & area):
                return
    raise NoPlace


@fault("holds a card of an area scored before in this turn")
def scores_again(events: Events, rng: random.Random) -> None:
    rulings = events[0]["rulings"]
    need(rulings["score_again"])
    rulings["score_again"] = False
    for turn in turns(events):
        heights, spent = dict(turn.placed), set[Place]()
        for scored in turn.line["scored"]:
            taken = {(q, r) for q, r in scored["removed"]}
            area = next(area for _, area in areas(heights) if taken & area)
            if area & spent:
                return
            spent |= area - taken
            heights = {place: height - (place in taken) for place, height in heights.items()}
            heights = {place: height for place, height in heights.items() if height}
    raise NoPlace


@fault("unscored")
def leaves_an_area(events: Events, rng: random.Random) -> None:
    """Only areas of copper, silver or gold: whether iron can be taken would need a search."""
    rules, rulings = events[0]["rules"], events[0]["rulings"]
    need(not rulings["must_score"])
    rulings["must_score"] = True
    large = [max(pair) for pair in zip(rules["thresholds"], rules["removals"], strict=True)]
    left = (
        metal != "I" and len(area) >= large[LAYERS.index(metal)] and _touched(turn, area)
        for turn in turns(events)
        if not turn.line["scored"]
        for metal, area in areas(turn.after)
    )
    need(any(left))


@fault("area told is")
def area_miscounted(events: Events, rng: random.Random) -> None:
    scored = one_of(rng, scorings(events))
    scored.update(area=scored["area"] + rng.choice([-1, 1]))


@fault("cards of")
def removes_one_too_few(events: Events, rng: random.Random) -> None:
    scored = one_of(rng, [scored for scored in scorings(events) if len(scored["removed"]) > 1])
    scored["removed"].pop()


@fault("removes nothing")
def removes_nothing(events: Events, rng: random.Random) -> None:
    scored = one_of(rng, scorings(events))
    scored.update(removed=[])


@fault("removes a place twice")
def removes_a_place_twice(events: Events, rng: random.Random) -> None:
    scored = one_of(rng, [scored for scored in scorings(events) if len(scored["removed"]) > 1])
    scored["removed"][1] = scored["removed"][0]


def _scored_first(events: Events) -> list[tuple[Event, dict[Place, int]]]:
    """The first scoring of each turn that has one, and the pattern that it finds."""
    return [(turn.line["scored"][0], turn.placed) for turn in turns(events) if turn.line["scored"]]


@fault("of another area than")
def removes_of_two_areas(events: Events, rng: random.Random) -> None:
    found = []
    for scored, heights in _scored_first(events):
        if scored["metal"] == "I" or len(scored["removed"]) < 2:
            continue
        for metal, area in areas(heights):
            if metal == scored["metal"] and tuple(scored["removed"][0]) not in area:
                found.append((scored, min(area)))
    where = one_of(rng, found)
    where[0]["removed"][-1] = list(where[1])


@fault("where it isn't")
def removes_another_metal(events: Events, rng: random.Random) -> None:
    found = []
    for scored, heights in _scored_first(events):
        layer = LAYERS.index(scored["metal"]) + 1
        found += [(scored, place) for place, height in heights.items() if height != layer]
    where = one_of(rng, found)
    where[0]["removed"][-1] = list(where[1])


@fault("where it isn't")
def scores_another_metal(events: Events, rng: random.Random) -> None:
    scored = one_of(rng, scorings(events))
    scored.update(metal="C" if scored["metal"] != "C" else "S")


@fault("splits the pattern")
def splits_the_pattern(events: Events, rng: random.Random) -> None:
    found = []
    for scored, heights in _scored_first(events):
        if scored["metal"] == "I":
            area = next(area for _, area in areas(heights) if tuple(scored["removed"][0]) in area)
            for _ in range(20):
                taken = rng.sample(sorted(area), len(scored["removed"]))
                left = {*heights} - {*taken}
                if left and connected(min(left), left) != left:
                    found.append((scored, taken))
    where = one_of(rng, found)
    where[0]["removed"] = [list(place) for place in where[1]]


@fault("the points told")
def a_point_too_many(events: Events, rng: random.Random) -> None:
    line = rng.choice(events[1:-1])
    line["points"][line["player"]] += 1


@fault("the points told")
def a_point_for_another(events: Events, rng: random.Random) -> None:
    line = one_of(rng, [line for line in events[1:-1] if line["scored"]])
    line["points"][line["player"]] -= 1
    line["points"][line["player"] - 1] += 1


@fault("the points told")
def points_by_metal(events: Events, rng: random.Random) -> None:
    """As many points as the layer's number: the source says one, whatever the metal."""
    found = [line for line in events[1:-1] if any(scored["metal"] != "I" for scored in line["scored"])]
    line = one_of(rng, found)
    line["points"][line["player"]] += sum(LAYERS.index(scored["metal"]) for scored in line["scored"])


# ---- refilling, and the end --------------------------------------------------------------------------------


@fault("the refill told")
def refills_too_little(events: Events, rng: random.Random) -> None:
    line = one_of(rng, [line for line in events[1:-1] if line["refill"]])
    line["refill"].pop()


@fault("the refill told")
def refills_too_much(events: Events, rng: random.Random) -> None:
    pile, at, found = events[0]["pile"], 0, []
    for line in events[1:-2]:
        at += (line["draw"] is not None) + len(line["refill"])
        found.append((line, pile[at]))
    where = one_of(rng, found)
    where[0]["refill"].append(where[1])


@fault("refills with cards not on top of the pile")
def refills_another_card(events: Events, rng: random.Random) -> None:
    line = one_of(rng, [line for line in events[1:-1] if line["refill"]])
    line["refill"][-1] = rng.choice([card for card in LAYERS if card != line["refill"][-1]])


@fault("the refill told")
def refills_past_the_end_card(events: Events, rng: random.Random) -> None:
    pile, refill = events[0]["pile"], events[-2]["refill"]
    need(END in refill and pile[-1] != END)
    refill.append(pile[pile.index(END) + 1])


@fault("the end card is drawn, but")
def plays_on_after_the_end_card(events: Events, rng: random.Random) -> None:
    line = events[-2]
    need(line["draw"] == END)
    key, more = rng.choice([("placed", ["I", 0, 0]), ("refill", "I"), ("scored", told("I", {(0, 0)}, [(0, 0)]))])
    line[key].append(more)


@fault("a end line should follow, but turn does")
def a_turn_after_the_end_card(events: Events, rng: random.Random) -> None:
    events.insert(-1, copy.deepcopy(rng.choice(events[1:-1])))


@fault("a turn line should follow, but end does")
def ends_too_early(events: Events, rng: random.Random) -> None:
    del events[-2]


@fault("a end line should follow, but nothing does")
def no_end_line(events: Events, rng: random.Random) -> None:
    del events[-1]


@fault("lines follow after the game's end")
def two_ends(events: Events, rng: random.Random) -> None:
    events.append(copy.deepcopy(events[-1]))


@fault("the final points told")
def final_points_miscounted(events: Events, rng: random.Random) -> None:
    points = events[-1]["points"]
    points[rng.randrange(len(points))] += 1


@fault("the list of winners told")
def another_winner(events: Events, rng: random.Random) -> None:
    others = [player for player in range(events[0]["players"]) if player not in events[-1]["winners"]]
    events[-1].update(winners=[one_of(rng, others)])


@fault("the list of winners told")
def a_tie_broken(events: Events, rng: random.Random) -> None:
    winners = events[-1]["winners"]
    need(len(winners) > 1)
    winners.pop(rng.randrange(len(winners)))


@fault("the bonus told")
def bonus_of_another_ruling(events: Events, rng: random.Random) -> None:
    need(any(events[-1]["bonus"]))
    events[0]["rulings"]["bonus"] = "none"


@fault("the bonus told")
def bonus_left_out(events: Events, rng: random.Random) -> None:
    seat = one_of(rng, [seat for seat, metals in enumerate(events[-1]["bonus"]) if metals])
    events[-1]["bonus"][seat].pop()
    events[-1]["points"][seat] -= 1


@fault("the bonus told")
def bonus_to_another(events: Events, rng: random.Random) -> None:
    bonus, points = events[-1]["bonus"], events[-1]["points"]
    seat = one_of(rng, [seat for seat, metals in enumerate(bonus) if metals])
    bonus[seat - 1].append(bonus[seat].pop())
    points[seat] -= 1
    points[seat - 1] += 1


@fault("the number of turns told")
def turns_miscounted(events: Events, rng: random.Random) -> None:
    events[-1]["turns"] += rng.choice([-1, 1])
