"""The kernel's pattern, its areas and what may be taken of them, against plain flood fills.

Patterns are laid and taken away card by card, in the kernel and as a dictionary, so that freed numbers are given again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from math import comb
from random import Random
from typing import Any

import numpy as np
import pytest

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest
from alchemy_sim.core.jit import array_of, kernel, one_record, quiet_integers, record_type, records, types
from alchemy_sim.core.rng import draw
from alchemy_sim.games.metallurgie.areas import area_of, can_take, is_whole, kth_taking, may_take
from alchemy_sim.games.metallurgie.names import IRON, MOST_IRON
from alchemy_sim.games.metallurgie.pattern import (
    LAYERS,
    MOST_FREE,
    PATTERN,
    REACH,
    SIDE,
    bit,
    clear_pattern,
    lay_iron,
    lay_on,
    take_away,
    top,
)
from alchemy_sim.games.metallurgie.setup import find_free, find_place
from tests.conftest import games
from tests.oracle.metallurgie_oracle import METALS, STEPS, Pattern, Place, Rules, areas, around, connected, removal_sets
from tests.oracle.metallurgie_oracle import is_whole as in_one_part
from tests.oracle.metallurgie_positions import big_position, grow

#: Sets of places asked about in each pattern.
SETS = 4
#: Patterns that the kernel answers for in one call.
BATCH = 500
_PLACES, _FREE = (MOST_IRON,), (MOST_FREE,)

#: What the kernel says of a pattern.
ANSWER = np.dtype(
    [
        *((name, PATTERN[name]) for name in PATTERN.names or () if name != "grid"),
        ("grid_at", np.int16, _PLACES),  # what the grid has at each place
        ("grid_free", np.int16, _FREE),  # and at each empty one
        ("grid_used", np.int64),  # how much of it is not 0
        ("area", np.uint64, _PLACES),  # of each place
        ("can_take", np.int64, _PLACES),  # whether one card can be taken of it
        ("may_take", np.int64, _PLACES),  # whether this very card may be taken
        ("some", np.uint64, (SETS,)),  # sets of places,
        ("some_whole", np.int64, (SETS,)),  # whether they are connected,
        ("may_leave", np.int64, (SETS,)),  # and whether all others may be taken away
    ],
    align=True,
)


class Do(IntEnum):
    """The rows that the kernel plays: what, metal, q, r."""

    CLEAR = 0
    LAY = 1
    PICK = 2  # the top card of a place is one of those to be taken next
    TAKE = 3
    ANSWER = 4


@kernel(types.void(record_type(PATTERN), types.uint64, record_type(ANSWER)))
def answer_for(pattern: Any, key: Any, answer: Any) -> None:
    """Fill in what the kernel says of a pattern."""
    for metal in range(LAYERS):
        answer.layer[metal] = pattern.layer[metal]
    answer.free = pattern.free
    for number in range(pattern.free):
        q, r = pattern.free_q[number], pattern.free_r[number]
        answer.free_q[number], answer.free_r[number], answer.free_near[number] = q, r, pattern.free_near[number]
        answer.grid_free[number] = pattern.grid[(q + REACH) * SIDE + r + REACH]
    answer.grid_used = 0
    for spot in range(SIDE * SIDE):
        answer.grid_used += pattern.grid[spot] != 0
    irons = pattern.layer[IRON]
    for metal in range(4):
        left = top(pattern, metal)
        while left != ZERO:
            place = lowest(left)
            left &= left - ONE
            q, r = pattern.q[place], pattern.r[place]
            answer.q[place], answer.r[place], answer.near[place] = q, r, pattern.near[place]
            answer.grid_at[place] = pattern.grid[(q + REACH) * SIDE + r + REACH]
            area = area_of(pattern, metal, place)
            answer.area[place] = area
            answer.can_take[place] = can_take(pattern, metal, area, 1)
            answer.may_take[place] = may_take(pattern, metal, bit(place))
    few = draw(key, 0) & draw(key, 1) & draw(key, 2)
    answer.some[0] = irons
    answer.some[1] = irons & ~few
    answer.some[2] = irons & ~(few & draw(key, 3))
    answer.some[3] = irons & draw(key, 4)
    for which in range(SETS):
        some = answer.some[which]
        answer.some_whole[which] = is_whole(pattern, some)
        answer.may_leave[which] = may_take(pattern, IRON, irons & ~some)


@kernel(types.int64(record_type(PATTERN), array_of(types.int64, 2), types.uint64, array_of(record_type(ANSWER))))
def play(pattern: Any, rows: Any, key: Any, answers: Any) -> int:
    """Play rows on a pattern: -1, or the number of the first that has no such place."""
    picked, number = ZERO, 0
    for row in range(rows.shape[0]):
        what, metal, q, r = rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3]
        if what == Do.CLEAR:
            clear_pattern(pattern)
        elif what == Do.TAKE:
            take_away(pattern, metal, picked)
            picked = ZERO
        elif what == Do.ANSWER:
            answer_for(pattern, draw(key, number), answers[number])
            number += 1
        elif what == Do.LAY and metal == IRON:
            free = find_free(pattern, q, r)
            if free < 0:
                return row
            lay_iron(pattern, free)
        else:
            place = find_place(pattern, q, r)
            if place < 0:
                return row
            if what == Do.LAY:
                lay_on(pattern, metal, place)
            else:
                picked |= bit(place)
    return -1


@kernel(types.int64(record_type(PATTERN), types.uint64, types.int64, array_of(types.uint64)))
def takings(pattern: Any, area: Any, number: int, found: Any) -> int:
    """Each choice of so many irons of an area, and one more that there is not; how many the kernel says there are."""
    count = integer(kth_taking(pattern, area, number, -1))
    for k in range(min(count + 1, found.shape[0])):
        found[k] = kth_taking(pattern, area, number, k)
    return count


@kernel(types.int64(record_type(PATTERN), types.int64, types.uint64, types.int64))
def can_be_taken(pattern: Any, metal: int, area: Any, number: int) -> int:
    """Whether so many cards of an area can be taken."""
    return can_take(pattern, metal, area, number)


class Table:
    """A pattern as a dictionary, and the rows that lead to it; the patterns that are asked about."""

    def __init__(self) -> None:
        self.pattern: Pattern = {}
        self.rows, self.asked = [(Do.CLEAR, 0, 0, 0)], list[Pattern]()

    def clear(self) -> None:
        self.pattern = {}
        self.rows.append((Do.CLEAR, 0, 0, 0))

    def lay(self, metal: int, place: Place) -> None:
        self.pattern[place] = METALS[: metal + 1]
        self.rows.append((Do.LAY, metal, *place))

    def lay_all(self, pattern: Pattern) -> None:
        """Lay what is connected with (0, 0), each iron next to one before."""
        todo = [(0, 0)]
        for place in todo:
            if place in pattern and place not in self.pattern:
                for metal in range(len(pattern[place])):
                    self.lay(metal, place)
                todo += around(place)

    def take(self, places: Iterable[Place]) -> None:
        """Take away the top cards, all of one metal."""
        metal = 0
        for place in places:
            metal = len(self.pattern[place]) - 1
            self.rows.append((Do.PICK, metal, *place))
            self.pattern[place] = self.pattern[place][:-1]
            if not self.pattern[place]:
                del self.pattern[place]
        self.rows.append((Do.TAKE, metal, 0, 0))

    def ask(self) -> None:
        self.asked.append(dict(self.pattern))
        self.rows.append((Do.ANSWER, 0, 0, 0))


class Played:
    """What the kernel says of the patterns that a table was asked about."""

    def __init__(self, table: Table, key: int = 0) -> None:
        self.asked = table.asked
        self.pattern = one_record(PATTERN)
        raw = np.zeros(len(self.asked), ANSWER)
        with quiet_integers():
            rows = np.array(table.rows, np.int64)
            assert play(self.pattern, rows, np.uint64(key), records(raw)) == -1
        columns = {name: raw[name].tolist() for name in ANSWER.names or ()}
        self.answers = [{name: column[which] for name, column in columns.items()} for which in range(len(raw))]

    def wrong(self) -> list[tuple[str, Pattern]]:
        found = ((mismatch(*each), each[0]) for each in zip(self.asked, self.answers, strict=True))
        return [each for each in found if each[0]]


def members(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def numbers_of(answer: dict[str, Any]) -> dict[Place, int]:
    return {(answer["q"][each], answer["r"][each]): each for each in members(answer["layer"][0])}


def mismatch(pattern: Pattern, answer: dict[str, Any]) -> str:
    """In which field the kernel's answer is wrong; "" if in none."""
    number = numbers_of(answer)
    heights = [
        sum(1 << each for place, each in number.items() if len(pattern.get(place, "")) > layer)
        for layer in range(LAYERS)
    ]
    if number.keys() != pattern.keys() or answer["layer"] != heights:
        return "layer"
    beside, near = dict[Place, int](), answer["near"]
    for place, each in number.items():
        mask = 0
        for other in around(place):
            if other in number:
                mask |= 1 << number[other]
            else:
                beside[other] = beside.get(other, 0) | 1 << each
        if near[each] != mask:
            return "near"
    empty = beside if number else {(0, 0): 0}  # any place of an empty table is as good as any other
    listed = range(answer["free"])
    free = {(answer["free_q"][each], answer["free_r"][each]): answer["free_near"][each] for each in listed}
    if free != empty or len(free) != answer["free"]:
        return "free"
    if answer["grid_used"] != len(number) + len(free) or any(answer["grid_free"][each] != -1 - each for each in listed):
        return "grid"
    if any(answer["grid_at"][each] != 1 + each for each in number.values()):
        return "grid"
    return wrong_area(pattern, answer, number)


def wrong_area(pattern: Pattern, answer: dict[str, Any], number: dict[Place, int]) -> str:
    tied = cut_places(pattern)
    for metal, part in areas(pattern):
        mask = sum(1 << number[place] for place in part)
        if any(answer["area"][number[place]] != mask for place in part):
            return "area"
        if any(answer["may_take"][number[place]] != (metal != "I" or place not in tied) for place in part):
            return "may_take"
        one = metal != "I" or not part <= tied
        if any(answer["can_take"][number[place]] != one for place in part):
            return "can_take"
    for some, whole, may in zip(answer["some"], answer["some_whole"], answer["may_leave"], strict=True):
        right = in_one_part(place for place, each in number.items() if some >> each & 1)
        if whole != right or may != right:
            return "may_leave" if whole == right else "some_whole"
    return ""


def cut_places(pattern: Pattern) -> set[Place]:
    """The free irons without which the pattern is not in one part."""
    parts = len(connected(pattern))
    if parts > 2:
        return set(pattern)
    found = set()
    for place, stack in pattern.items():
        if stack == "I":
            beside = [each in pattern for each in ring_of(place)]
            # one run of neighbours, and nothing else: they hold together without it
            runs = sum(here and not beside[at - 1] for at, here in enumerate(beside))
            easy = parts == 1 and (runs == 1 or all(beside))
            if not easy and not in_one_part(pattern.keys() - {place}):
                found.add(place)
    return found


def ring_of(place: Place) -> list[Place]:
    """The six places next to a place, one after the other around it."""
    q, r = place
    return [(q + 1, r), (q, r + 1), (q - 1, r + 1), (q - 1, r), (q, r - 1), (q + 1, r - 1)]


# Patterns


def line(rng: Random) -> Pattern:
    """Irons in a row, up to 64 of them."""
    (q, r), number = rng.choice(STEPS), rng.choice((64, rng.randint(1, 64)))
    return {(q * at, r * at): "I" for at in range(number)}


def ring(rng: Random) -> Pattern:
    """A ring around nothing, one or more places thick, with a card of its own in the middle or none."""
    radius = rng.randint(1, 10)
    thick = rng.choice((1, 1, 2)) if radius < 5 else 1
    found = dict[Place, str]()
    for q in range(-radius, radius + 1):
        for r in range(-radius, radius + 1):
            if radius - thick < max(abs(q), abs(r), abs(q + r)) <= radius:
                found[q + radius, r] = "I"  # (0, 0) is one of them
    return found


def bridged(rng: Random) -> Pattern:
    """Two round patterns with a row of single places between them."""
    one = grow(rng, [(0, 0)], rng.randint(3, 20), 0.0)
    last = max(one)
    row = [(last[0] + at, last[1]) for at in range(1, rng.randint(3, 9))]
    other = grow(rng, [row[-1]], rng.randint(3, 20), 0.0)
    return dict.fromkeys([*one, *row, *other], "I")


def grown(rng: Random) -> Pattern:
    return dict.fromkeys(
        grow(rng, [(0, 0)], rng.choice((1, rng.randint(1, 20), rng.randint(20, 60))), rng.random()), "I"
    )


SHAPES: tuple[Callable[[Random], Pattern], ...] = (line, ring, bridged, grown)


def lay_scattered(table: Table, pattern: Pattern) -> None:
    """Lay a pattern of several parts: rows of irons lead from one to the next, and are taken away."""
    parts = sorted(connected(pattern), key=min)
    if not parts:
        return
    origin = min(parts[0])
    shifted = {(q - origin[0], r - origin[1]): stack for (q, r), stack in pattern.items()}
    table.lay_all(shifted)
    for part in parts[1:]:
        q, r = (at - zero for at, zero in zip(min(part), origin, strict=True))
        a, b = min(table.pattern, key=lambda place: abs(place[0] - q) + abs(place[1] - r))
        way = [*((at, b) for at in span(a, q)), *((q, at) for at in span(b, r))]
        laid = [place for place in way if place not in table.pattern]
        if len(table.pattern) + len(laid) + len(part) > MOST_IRON:
            return
        for place in laid:
            table.lay(IRON, place)
        if (q, r) not in laid:
            continue
        for metal in range(1, len(shifted[q, r])):
            table.lay(metal, (q, r))
        here, todo = {(at - origin[0], to - origin[1]) for at, to in part}, [(q, r)]
        for place in todo:
            for each in around(place):
                if each in here and each not in todo:
                    todo.append(each)
                    for metal in range(len(shifted[each])):
                        if metal or each not in table.pattern:
                            table.lay(metal, each)
        gone = [place for place in laid if place not in here]
        if gone:
            table.take(gone)


def span(start: int, end: int) -> range:
    return range(start + 1, end + 1) if end > start else range(start - 1, end - 1, -1)


def step(rng: Random, table: Table, target: int, whole: bool) -> None:
    """Lay a card, or take some away; the number of irons goes about the target."""
    pattern = table.pattern
    irons, what = len(pattern), rng.random()
    if not irons or what < (0.6 if irons < target else 0.2):
        for _ in range(8):
            place = rng.choice(around(rng.choice(list(pattern)))) if irons else (0, 0)
            near = max(abs(place[0]), abs(place[1])) <= MOST_IRON
            if place not in pattern and irons < MOST_IRON and near:
                table.lay(IRON, place)
                return
    place = rng.choice(list(pattern))
    height = len(pattern[place])
    if what < 0.8 and height < 4 and rng.random() < 0.7:
        table.lay(height, place)
        return
    alike = [each for each, stack in pattern.items() if len(stack) == height]
    if rng.random() < 0.5:
        alike = next(sorted(part) for part in connected(alike) if place in part)
    gone = rng.sample(alike, min(rng.choice((1, 1, 2, 3, 5, 9)), len(alike)))
    if not whole or height > 1 or in_one_part(pattern.keys() - set(gone)):
        table.take(gone)


def walks(rng: Random, number: int) -> Iterator[Table]:
    """Tables with so many patterns in all: a shape, or one of the large positions, and what is made of it."""
    while number > 0:
        table = Table()
        while len(table.asked) < min(BATCH, number):
            if table.asked:
                table.clear()
            if rng.random() < 0.3:
                lay_scattered(table, big_position(rng))
            else:
                table.lay_all(rng.choice(SHAPES)(rng))
                for place in rng.sample(list(table.pattern), rng.choice((0, len(table.pattern) // 2))):
                    for metal in range(1, rng.choice((2, 2, 3, 4))):
                        table.lay(metal, place)
            table.ask()
            target, whole = rng.choice((1, 5, 12, len(table.pattern), 60)), rng.random() < 0.5
            for _ in range(min(40, min(BATCH, number) - len(table.asked))):
                step(rng, table, target, whole)
                table.ask()
        number -= len(table.asked)
        yield table


def compare(seed: int, number: int) -> Counter[str]:
    """See that the kernel is right about so many patterns; what they were."""
    kinds = Counter[str]()
    for key, table in enumerate(walks(Random(seed), number)):
        played = Played(table, key)
        assert played.wrong()[:1] == []
        kinds["patterns"] += len(table.asked)
        for pattern, answer in zip(table.asked, played.answers, strict=True):
            kinds["empty"] += not pattern
            kinds["split"] += not answer["some_whole"][0]
            kinds["full"] += len(pattern) == MOST_IRON
            kinds["sets split"] += sum(answer["some_whole"]) < SETS
            kinds["far"] += any(abs(q) == MOST_IRON or abs(r) == MOST_IRON for q, r in pattern)
    return kinds


def test_patterns_and_areas() -> None:
    kinds = compare(1, games(10_000, 60))
    assert kinds["patterns"] == games(10_000, 60)
    assert min(kinds["split"], kinds["sets split"]) > games(1000, -1)
    assert min(kinds["empty"], kinds["full"]) > games(10, -1)


@pytest.mark.slow
@pytest.mark.compiled
def test_many_patterns_and_areas() -> None:
    assert compare(2, 100_000)["far"] > 10


# Choices of iron


def small_tables(rng: Random, number: int) -> Iterator[tuple[Played, Pattern]]:
    """Small patterns with areas of iron, some of them taken apart and laid again."""
    for _ in range(number):
        table = Table()
        table.lay_all(dict.fromkeys(grow(rng, [(0, 0)], rng.randint(1, 14), rng.random()), "I"))
        for _ in range(rng.choice((0, 5, 20))):
            step(rng, table, 12, True)
        for place in rng.sample(list(table.pattern), len(table.pattern) // rng.choice((2, 3, 5, 99))):
            if len(table.pattern[place]) == 1:
                table.lay(1, place)
        table.ask()
        yield Played(table), table.asked[-1]


def compare_choices(played: Played, pattern: Pattern, part: frozenset[Place], number: int) -> int:
    """See that the kernel gives all choices of so many irons of an area, each once; how many they are."""
    where = numbers_of(played.answers[-1])
    area = np.uint64(sum(1 << where[place] for place in part))
    right = {
        sum(1 << where[place] for place in each) for each in removal_sets(pattern, part, Rules(removals=(number,) * 4))
    }
    found = np.zeros(len(right) + 2, np.uint64)
    with quiet_integers():
        assert takings(played.pattern, area, number, found) == len(right)
        assert can_be_taken(played.pattern, IRON, area, number) == bool(right)
    assert sorted(found[: len(right)].tolist()) == sorted(right)
    assert not found[len(right) :].any()
    return len(right)


def test_choices_of_iron() -> None:
    rng, kinds = Random(3), Counter[str]()
    for played, pattern in small_tables(rng, games(600, 10)):
        for metal, part in areas(pattern):
            for number in range(1, min(len(part), 6) + 2):
                if metal == "I" and comb(len(part), number) <= 300:
                    most = comb(len(part), number)
                    count = compare_choices(played, pattern, part, number)
                    kinds["none" if not count else "all" if count == most else "some"] += number <= len(part)
                    kinds["too many"] += number > len(part)
    assert min(kinds[kind] for kind in ("none", "some", "all", "too many")) > games(200, 3)


@pytest.mark.parametrize("shape", [line, ring, bridged], ids=lambda shape: shape.__name__)
def test_choices_of_iron_in_large_areas(shape: Callable[[Random], Pattern]) -> None:
    for seed in range(games(3, 1)):
        table = Table()
        table.lay_all(shape(Random(seed)))
        table.ask()
        part = frozenset(table.pattern)
        played = Played(table)
        for number in (1, 2, len(part) - 1, len(part), len(part) + 1):
            compare_choices(played, table.pattern, part, number)


def test_choices_in_other_areas() -> None:
    """Of copper and above any cards can be taken, as many as there are."""
    table = Table()
    table.lay_all({place: METALS[: 1 + at % 4] for at, place in enumerate(ring_of((0, 1)))} | {(0, 1): "IC"})
    table.ask()
    played = Played(table)
    assert played.wrong() == []
    where = numbers_of(played.answers[-1])
    for metal, part in areas(table.pattern):
        if metal != "I":
            area = np.uint64(sum(1 << where[place] for place in part))
            for number in range(1, 5):
                with quiet_integers():
                    assert can_be_taken(played.pattern, METALS.index(metal), area, number) == (number <= len(part))


# The comparison itself


def test_cut_places_are_found() -> None:
    """The quick way gives what trying each place gives."""
    rng, cut = Random(5), 0
    for table in walks(rng, 300):
        for pattern in table.asked:
            free = {place for place, stack in pattern.items() if stack == "I"}
            wanted = {place for place in free if not in_one_part(pattern.keys() - {place})}
            assert cut_places(pattern) & free == wanted
            cut += len(wanted)
    assert cut > 300


def test_wrong_answers_are_noticed() -> None:
    """Each field, spoilt in one place."""
    table = Table()
    table.lay_all(dict.fromkeys(grow(Random(4), [(0, 0)], 30, 0.5), "I"))
    for place in list(table.pattern)[::3]:
        table.lay(1, place)
    table.ask()
    played = Played(table)
    (pattern,), (answer,) = played.asked, played.answers
    assert mismatch(pattern, answer) == ""
    places = list(members(answer["layer"][0]))
    named = {
        "layer": [("layer", each) for each in range(LAYERS)],
        "near": [("near", each) for each in places],
        "free": [(name, each) for name in ("free_near", "free_q", "free_r") for each in range(answer["free"])],
        "grid": [("grid_at", each) for each in places] + [("grid_free", each) for each in range(answer["free"])],
        "area": [("area", each) for each in places],
        "may_take": [("may_take", each) for each in places],
        "can_take": [("can_take", each) for each in places],
        "some_whole": [("some_whole", each) for each in range(SETS)],
        "may_leave": [("may_leave", each) for each in range(SETS)],
    }
    for name, entries in named.items():
        for field, at in entries:
            spoilt = answer | {field: [value ^ (each == at) for each, value in enumerate(answer[field])]}
            assert mismatch(pattern, spoilt) == name, (field, at)
    assert mismatch(pattern, answer | {"grid_used": answer["grid_used"] + 1}) == "grid"
    assert mismatch(pattern, answer | {"free": answer["free"] - 1}) == "free"
    assert mismatch({**pattern, (50, 0): "I"}, answer) == "layer"
    assert all(len(set(ring_of(place)) & set(around(place))) == 6 for place in pattern)
    assert all(b in around(a) for a, b in zip(ring_of((0, 0)), [*ring_of((0, 0))[1:], ring_of((0, 0))[0]], strict=True))


def test_bad_rows_are_refused() -> None:
    """An iron that touches no card, and a card on no place."""
    for row in ((Do.LAY, 0, 3, 0), (Do.LAY, 1, 3, 0), (Do.PICK, 0, 3, 0)):
        rows = np.array([(Do.CLEAR, 0, 0, 0), (Do.LAY, 0, 0, 0), row], np.int64)
        assert play(one_record(PATTERN), rows, ZERO, records(np.zeros(0, ANSWER))) == 2
