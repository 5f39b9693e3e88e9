"""The oracle of Metallurgie: positions worked out by hand, a naive enumeration, and turns that are wrong on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import NamedTuple

import pytest

from tests.oracle.metallurgie_oracle import (
    METALS,
    START,
    STEPS,
    Board,
    Pattern,
    Place,
    Placing,
    Rules,
    TooMany,
    Turn,
    all_best,
    areas,
    best_score,
    best_turn,
    is_whole,
    placings,
    removal_sets,
    with_placed,
    without,
)
from tests.oracle.metallurgie_positions import SIZES, big_position, drawn_card, position, random_rules
from tests.oracle.metallurgie_wrong_turns import WRONG

#: States and choices that a turn may have; turns with more are left out.
MOST = 20000
FEW = 2000
CARDS = dict(zip(METALS, (44, 30, 18, 11), strict=True))
ONCE = Rules(score_again=False)
ANY = Rules(score_scope="any")


def row(stacks: str, r: int = 0, q: int = 0) -> Pattern:
    """A row of places by their top cards, from left to right; a dot is an empty place."""
    return {(q + at, r): METALS[: METALS.index(top) + 1] for at, top in enumerate(stacks) if top != "."}


def rows(*each: str) -> Pattern:
    """Rows, each of them half a place further to the right than the one above."""
    return {place: stack for r, stacks in enumerate(each) for place, stack in row(stacks, r).items()}


def tops(pattern: Pattern, metal: str) -> list[Place]:
    return [place for place, stack in pattern.items() if stack[-1] == metal]


# Areas and connectivity


def test_the_start_pattern() -> None:
    assert sorted("".join(START.values())) == sorted("I" * 7 + "C" * 4 + "S")
    assert is_whole(START)
    assert sorted((metal, len(area)) for metal, area in areas(START)) == [
        *[("C", 1)] * 3,
        *[("I", 1)] * 3,
        ("S", 1),
    ]


def test_each_place_has_six_neighbours() -> None:
    for step in STEPS:
        assert is_whole([(0, 0), step])
    for far in ((1, 1), (-1, -1), (2, 0), (2, -1)):
        assert not is_whole([(0, 0), far])
    assert is_whole([])


def labels(places: set[Place]) -> dict[Place, Place]:
    """The least place of each place's part: found by lowering labels until nothing changes."""
    label = {place: place for place in places}
    while True:
        lower = {
            (q, r): min(label.get((q + a, r + b), (q, r)) for a in (-1, 0, 1) for b in (-1, 0, 1) if abs(a + b) < 2)
            for q, r in places
        }
        lower = {place: min(label[place], each) for place, each in lower.items()}
        if lower == label:
            return label
        label = lower


def test_areas_and_connectivity_of_any_pattern() -> None:
    rng, whole = Random(1), 0
    for _ in range(400):
        pattern = big_position(rng)
        whole += is_whole(pattern)
        assert is_whole(pattern) == (len(set(labels(set(pattern)).values())) <= 1)
        found = areas(pattern)
        assert sum(len(area) for _, area in found) == len(pattern)
        for metal in METALS:
            label = labels(set(tops(pattern, metal)))
            wanted = {frozenset(place for place in label if label[place] == least) for least in label.values()}
            assert {area for each, area in found if each == metal} == wanted
        board = Board(pattern)
        among = board.bits(pattern)
        assert len(list(board.parts(among, among))) == len(set(labels(set(pattern)).values()))
    assert 100 < whole < 300


# Scoring phases by hand (Metallurgie 2.3)


@pytest.mark.parametrize(("metal", "size"), [("I", 9), ("C", 7), ("S", 5), ("G", 3)])
def test_an_area_needs_its_size(metal: str, size: int) -> None:
    assert best_score(row(metal * size), [(0, 0)], Rules()) == 1
    assert best_score(row(metal * (size - 1)), [(0, 0)], Rules()) == 0


@pytest.mark.parametrize(("metal", "removed"), [("I", 5), ("C", 4), ("S", 3), ("G", 2)])
def test_what_is_left_is_scored_again(metal: str, removed: int) -> None:
    size = Rules().thresholds[METALS.index(metal)] + removed
    for number, points in ((size, 2), (size - 1, 1)):
        assert best_score(row(metal * number), [(0, 0)], Rules()) == points
        assert best_score(row(metal * number), [(0, 0)], ONCE) == 1


def test_what_is_left_counts_as_touched() -> None:
    """Only the five irons at the free end can be taken, and with them the one that was placed."""
    assert best_score(row("I" * 14 + "C"), [(0, 0)], Rules()) == 2


def test_what_is_uncovered_is_scored() -> None:
    """Two of three golds are taken: with three silvers they make five, if they are those next to the silvers."""
    assert best_score(row("GGGSSS"), [(0, 0)], Rules()) == 2
    assert best_score(row("GGGSS"), [(0, 0)], Rules()) == 1
    assert best_score(row("GGGCSSS"), [(0, 0)], Rules()) == 1
    assert best_score(row("SSGGGS"), [(2, 0)], Rules()) == 1  # one side or the other


def test_a_chain_through_all_metals() -> None:
    """Gold 3, silver 2 + 3, copper 3 + 4, iron 4 + 5: each scoring uncovers just what the next lacks."""
    chain = row("GGGSSSCCCCIIIII")
    for fewer, points in (("GGGSSSCCCCIIIII", 4), ("GGGSSSCCCCIIII", 3), ("GGGSSSCCCIIIII", 2)):
        assert best_score(row(fewer), [(0, 0)], Rules()) == points
        assert best_score(row(fewer), [(0, 0)], ONCE) == points
    assert best_score(chain, [(5, 0)], Rules()) == 0


def test_what_is_left_of_a_scored_area_spoils_what_joins_it() -> None:
    """Eight coppers and five silvers: three more coppers make eleven, for two scorings, or for none that is new."""
    pattern = row("CCCCCCCCSSSSS")
    assert best_score(pattern, [(7, 0), (8, 0)], Rules()) == 3
    assert best_score(pattern, [(7, 0), (8, 0)], ONCE) == 2
    assert best_score(pattern, [(8, 0)], ONCE) == 2  # what is uncovered touches the coppers
    assert best_score(pattern, [(7, 0)], ONCE) == 1  # but copper uncovers iron only


def test_only_what_was_touched_counts() -> None:
    pattern = rows("CCCCCCC", "I")
    assert best_score(pattern, [(0, 1)], Rules()) == 0
    assert best_score(pattern, [(0, 1)], ANY) == 1
    assert best_score(pattern, [], ANY) == 1
    assert best_score(pattern, [(3, 0)], Rules()) == 1


def test_iron_must_not_split_the_pattern() -> None:
    free, held, tied = row("I" * 9), row("I" * 9 + "C"), row("C" + "I" * 9 + "C")
    assert {frozenset(each) for each in removal_sets(free, free, Rules())} == {
        frozenset((q, 0) for q in range(9) if not left <= q < left + 4) for left in range(6)
    }
    assert list(removal_sets(held, tops(held, "I"), Rules())) == [frozenset((q, 0) for q in range(5))]
    assert list(removal_sets(tied, tops(tied, "I"), Rules())) == []
    assert [best_score(each, [(4, 0)], Rules()) for each in (free, held, tied)] == [1, 1, 0]
    assert len(list(removal_sets(row("C" * 7), row("C" * 7), Rules()))) == 35  # others leave iron: any four


def test_all_may_be_taken() -> None:
    """An empty table is not split."""
    rules = Rules(thresholds=(3, 3, 2, 2), removals=(3, 2, 2, 1))
    assert list(removal_sets(row("III"), row("III"), rules)) == [frozenset(row("III"))]
    assert best_score(row("III"), [(0, 0)], rules) == 1
    assert best_turn(row("II"), "I", None, rules) == 1
    assert best_score({}, [], rules) == 0


# Turns by hand (Metallurgie 2.1 and 2.2)


def given(pattern: Pattern, hand: str, drawn: str | None) -> set[str]:
    """The placings: metals with the places that they were laid on."""
    found = ["".join(f"{metal}{q}{r}" for metal, (q, r) in each) for each in placings(pattern, hand, drawn)]
    return set(found)


def test_the_placings_of_a_small_pattern() -> None:
    pattern = row("ICS")
    assert given(pattern, "C", None) == {"C00"}
    assert given(pattern, "CCS", None) == {"C00", "C00S00", "S10"}
    assert given(pattern, "CSG", None) == {"C00", "C00S00", "C00S00G00", "S10", "S10G10", "G20"}
    assert given(pattern, "CG", "S") == {"S10", "S10G10"}
    assert given(row("II"), "CC", "C") == {"C00", "C10", "C00C10"}
    assert given(row("II"), "CS", "C") == {"C00", "C10", "C00C10", "C00S00", "C10S10"}
    assert given(row("CC"), "CC", None) == set()
    assert given(row("IS"), "G", "C") == {"C00"}  # gold has no place on what was drawn


def test_iron_goes_next_to_cards_and_into_holes() -> None:
    ring = dict.fromkeys(STEPS, "I")
    assert [("I", (0, 0))] in list(placings(ring, "I", None))
    assert len(given(ring, "I", None)) == 13
    # one of six, two of them, or one with one of the twelve places beyond, six of which are next to two
    assert len(given(row("I"), "I", "I")) == 6 + 15 + 18
    assert [("I", (0, 0)), ("I", (1, 0))] in list(placings({}, "I", "I"))
    assert given({}, "CS", None) == set()


def test_one_position_on_a_new_iron() -> None:
    """Six coppers lack one, and there is no free iron: it is laid, and the copper on it."""
    pattern = row("SCCCCCCS")
    assert best_turn(pattern, "C", None, Rules()) == -1
    assert best_turn(pattern, "CI", None, Rules()) == 1
    assert best_turn(pattern, "C", "I", Rules()) == 1
    assert best_turn(pattern, "II", "I", Rules()) == 0
    assert all_best(pattern, "CI", None, Rules()) == {(0, 1), (0, 2), (1, 2)}


def test_the_drawn_card_comes_first() -> None:
    pattern = row("ISSSSC")  # a silver on the copper makes five, so do a copper and a silver on the iron
    assert best_turn(pattern, "S", None, Rules()) == 1
    assert best_turn(row("ISSSS"), "CS", None, Rules()) == 1
    assert best_turn(row("ISSSS"), "S", "C", Rules()) == 1
    assert best_turn(row("ISSSS"), "C", "S", Rules()) == -1
    assert best_turn(pattern, "S", "I", Rules()) == 0
    assert best_turn(row("ICCCCCC"), "C", "S", Rules()) == 0


def test_one_metal_in_several_places() -> None:
    pattern = row("ICCCCCI")
    assert best_turn(pattern, "C", None, Rules()) == 0
    assert best_turn(pattern, "CC", None, Rules()) == 1
    assert best_turn(pattern, "C", "C", Rules()) == 1
    assert best_turn(pattern, "S", "C", Rules()) == 0  # copper on one place only
    assert all_best(row("ICCCCCCI"), "CC", None, Rules()) == {(1, 1), (1, 2)}


# A naive enumeration


def naive_score(pattern: Pattern, touched: frozenset[Place], left: frozenset[Place], rules: Rules) -> int:
    """The most points of a scoring phase, by trying all, with nothing remembered or cut."""
    found = 0
    for metal, area in areas(pattern):
        large = len(area) >= rules.thresholds[METALS.index(metal)]
        if large and (rules.score_scope == "any" or area & touched) and (rules.score_again or not area & left):
            for gone in removal_sets(pattern, area, rules):
                then = without(pattern, gone)
                found = max(
                    found, 1 + naive_score(then, (touched | area) & set(then), left - gone | area - gone, rules)
                )
    return found


def naive_turns(pattern: Pattern, hand: tuple[str, ...], drawn: str | None) -> Iterator[Placing]:
    """Every legal order of placing, card by card: all of one metal, or all on one place."""
    around = {(q + a, r + b) for q, r in pattern or {(0, 0): ""} for a in range(-5, 6) for b in range(-5, 6)}

    def on(then: Pattern, metal: str, place: Place) -> bool:
        if metal == "I":
            beside = any((place[0] + q, place[1] + r) in then for q, r in STEPS)
            return place not in then and (beside or (not then and place == (0, 0)))
        return then.get(place, "").endswith(METALS[METALS.index(metal) - 1])

    def further(then: Pattern, placing: Placing, cards: tuple[str, ...]) -> Iterator[Placing]:
        if placing:
            yield placing
        for metal in set(cards):
            rest = list(cards)
            rest.remove(metal)
            for place in around:
                longer = [*placing, (metal, place)]
                one = len({each for each, _ in longer}) == 1 or len({each for _, each in longer}) == 1
                if one and on(then, metal, place):
                    yield from further(with_placed(then, [(metal, place)]), longer, tuple(rest))

    if drawn is None:
        yield from further(pattern, [], hand)
        return
    for place in around:
        if on(pattern, drawn, place):
            yield from further(with_placed(pattern, [(drawn, place)]), [(drawn, place)], hand)


def small_position(rng: Random) -> tuple[Pattern, tuple[str, ...], str | None]:
    """Two to nine places, up to two cards in hand."""
    pattern: Pattern = {(0, 0): "I"}
    for _ in range(rng.randint(1, 8)):
        q, r = rng.choice(sorted(pattern))
        a, b = rng.choice(STEPS)
        pattern[q + a, r + b] = METALS[: rng.choice((1, 1, 1, 2, 2, 3, 3, 4))]
    hand = tuple(rng.choices(METALS, (4, 3, 3, 2), k=rng.randint(1, 2)))
    return pattern, hand, rng.choice((None, *METALS))


def small_rules(rng: Random) -> Rules:
    thresholds, removals = rng.choice((*SIZES[1:3], ((3, 3, 2, 2), (3, 2, 2, 1)), ((4, 2, 2, 1), (1, 2, 1, 1))))
    return Rules(thresholds, removals, False, rng.choice(("touched", "any")), rng.random() < 0.5)


def ends(found: Iterator[Placing]) -> set[tuple[frozenset[tuple[str, Place]], int]]:
    return {(frozenset(placing), len(placing)) for placing in found}


def upwards(end: frozenset[tuple[str, Place]]) -> Placing:
    return sorted(end, key=lambda card: METALS.index(card[0]))


def test_placings_are_those_of_a_naive_enumeration() -> None:
    rng = Random(2)
    for _ in range(150):
        pattern, hand, drawn = small_position(rng)
        once = list(placings(pattern, hand, drawn))
        assert len({frozenset(placing) for placing in once}) == len(once)
        assert ends(iter(once)) == ends(naive_turns(pattern, hand, drawn))
        every = list(placings(pattern, hand, drawn, pruned=False))
        assert sorted(every) == sorted(naive_turns(pattern, hand, drawn))


def test_the_most_points_are_those_of_a_naive_enumeration() -> None:
    rng, points = Random(3), list[int]()
    for _ in range(200):
        (pattern, hand, drawn), rules = small_position(rng), small_rules(rng)
        worth = {
            end: naive_score(with_placed(pattern, upwards(end)), frozenset(at for _, at in end), frozenset(), rules)
            for end, _ in ends(naive_turns(pattern, hand, drawn))
        }
        points.append(max(worth.values(), default=-1))
        assert best_turn(pattern, hand, drawn, rules) == points[-1]
        assert all_best(pattern, hand, drawn, rules) == {(each, len(end)) for end, each in worth.items()}
    assert sum(each > 0 for each in points) > 40
    assert sum(each > 1 for each in points) > 20
    assert -1 in points


# Random positions


class Asked(NamedTuple):
    pattern: Pattern
    hand: tuple[str, ...]
    drawn: str | None
    rules: Rules
    points: int


def random_turns(seed: int, number: int, limit: int = MOST, rules: Rules | None = None) -> Iterator[Asked]:
    """Turns with their most points; those with too many choices are left out."""
    rng = Random(seed)
    for _ in range(number):
        used = rules or random_rules(rng)
        pattern, hand = position(rng, used)
        drawn = rng.choice((None, drawn_card(rng, hand)))
        with suppress(TooMany):
            yield Asked(pattern, hand, drawn, used, best_turn(pattern, hand, drawn, used, limit))


def test_nothing_that_brings_more_is_skipped() -> None:
    """The ceiling is never below what can be scored, and the best turn is the best of all placings."""
    number = reached = 0
    for pattern, hand, drawn, rules, points in random_turns(4, 100, FEW):
        turn = Turn(pattern, rules)
        if sum(1 for _ in placings(pattern, hand, drawn)) > 200:
            continue
        for placing in placings(pattern, hand, drawn):
            state, number = turn.placed(placing), number + 1
            reached += turn.scoring.best(state) == turn.scoring.ceiling(state)
            assert turn.scoring.best(state) <= turn.scoring.ceiling(state)
        assert max((each for each, _ in turn.all_best(hand, drawn)), default=-1) == points
    assert 0.5 * number < reached < number


def test_random_positions_can_be() -> None:
    rng, sizes = Random(7), set[int]()
    for _ in range(300):
        pattern, hand = position(rng, random_rules(rng))
        assert is_whole(pattern)
        assert 1 <= len(hand) <= 3
        assert all(stack == METALS[: len(stack)] and stack for stack in pattern.values())
        assert all(sum(metal in each for each in pattern.values()) <= cards for metal, cards in CARDS.items())
        sizes.add(len(pattern))
    assert (min(sizes), max(sizes)) == (8, 40)


def test_random_positions_are_rich() -> None:
    found = [points for *_, points in random_turns(5, 300, FEW, Rules())]
    assert len(found) > 260
    assert 0.2 < sum(points > 0 for points in found) / len(found) < 0.5
    assert sum(points > 1 for points in found) / len(found) > 0.15
    assert sum(points > 2 for points in found) / len(found) > 0.08


def test_wrong_turns_are_noticed() -> None:
    found, wrong = 0, dict.fromkeys(WRONG, 0)
    for pattern, hand, drawn, rules, points in random_turns(6, 200, FEW):
        found += 1
        for name, (make, _) in WRONG.items():
            try:
                wrong[name] += make(pattern, rules, FEW).best(hand, drawn) != points
            except TooMany:
                continue
    assert {name: wrong[name] / found for name in WRONG if wrong[name] / found < WRONG[name][1]} == {}


def test_too_many_choices_are_told() -> None:
    with pytest.raises(TooMany):
        best_score(row("C" * 20), [(0, 0)], Rules(), 10)
    assert best_score(row("C" * 15), [(0, 0)], Rules()) == 4  # three of copper, one of iron
