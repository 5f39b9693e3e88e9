"""Turns of the kernel's players against the most points that a turn can bring, by an oracle that tries them all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from math import comb
from random import Random
from typing import Any, NamedTuple

import pytest

from alchemy_sim.games.metallurgie.policies import POLICY_NAMES
from alchemy_sim.games.metallurgie.policies.random import random_player
from alchemy_sim.games.metallurgie.table import Ask
from alchemy_sim.games.metallurgie.view import POLICIES
from tests.conftest import games
from tests.oracle.metallurgie_oracle import (
    METALS,
    Board,
    Pattern,
    Place,
    Placing,
    Rules,
    Scoring,
    State,
    TooMany,
    Turn,
    areas,
    around,
    best_turn,
    is_whole,
    may_take,
    places_for,
    removal_sets,
    single_bits,
    with_placed,
    without,
)
from tests.oracle.metallurgie_positions import DECK, drawn_card, position, random_rules, region
from tests.oracle.metallurgie_turns_kernel import DREW, LIST, PICK, PLACE, SCORE, Asked, Played, Scorable, Turns
from tests.oracle.metallurgie_wrong_turns import NoStacking, Splitting, scoring

#: Players that promise the most points of every turn.
EXACT = tuple(name for name in ("greedy",) if name in POLICY_NAMES)
#: States and choices of cards that the oracle looks at; turns with more are left out.
MOST = 4000
#: Ways to place the cards of a hand larger than three.
MOST_PLACINGS = 3000
#: Every value of the switches that a turn depends on.
SWITCHES = [
    (must_score, scope, again)
    for must_score in (False, True)
    for scope in ("touched", "any")
    for again in (True, False)
]


# Positions


def odd_rules(rng: Random) -> Rules:
    """Any sizes: areas of one card, all of an area taken away, one card of many."""
    thresholds = tuple(rng.randint(1 if rng.random() < 0.2 else 2, most) for most in (9, 7, 6, 4))
    return Rules(thresholds, tuple(rng.choice((1, each, rng.randint(1, each))) for each in thresholds))


def joined(rng: Random, pattern: Pattern, rules: Rules) -> tuple[Pattern, str]:
    """The pattern with an area that is large enough but for one place in its midst, and the metal that lacks there."""
    metal = rng.randrange(4)
    for _ in range(10):
        part = region(rng, set(pattern), set(), max(rules.thresholds[metal] + rng.choice((0, 0, 1, 2)), 3))
        then = pattern | dict.fromkeys(part, METALS[: metal + 1])
        midst = [place for place in sorted(part) if not is_whole(part - {place})]
        rng.shuffle(midst)
        for place in midst:
            less = without(then, [place])
            if (
                (0, 0) in less
                and is_whole(less)
                and all(sum(each in stack for stack in less.values()) <= DECK[METALS.index(each)] for each in METALS)
            ):
                return less, METALS[metal]
    return pattern, METALS[metal]


def larger(rng: Random, pattern: Pattern, hand: tuple[str, ...]) -> tuple[str, ...]:
    """The hand with more cards, four to eight in all, as long as there are not too many ways to place them."""
    for _ in range(rng.randint(4, 8) - len(hand)):
        more = tuple(sorted((*hand, rng.choice((rng.choice(METALS), hand[0])))))
        if placings_of(pattern, more) <= MOST_PLACINGS:
            hand = more
    return hand


def placings_of(pattern: Pattern, hand: tuple[str, ...]) -> int:
    """About how many ways there are to place cards of one metal, one more of which may be drawn."""
    return sum(comb(len(places_for(pattern, metal)) + 2, hand.count(metal) + 1) for metal in METALS)


def some_turn(rng: Random, switches: tuple[bool, str, bool]) -> Asked:
    must_score, scope, again = switches
    rules = random_rules(rng) if rng.random() < 0.7 else odd_rules(rng)
    rules = replace(rules, must_score=must_score, score_scope=scope, score_again=again)
    pattern, hand = position(rng, rules)
    kind = rng.random()
    if kind < 0.2:
        pattern, metal = joined(rng, pattern, rules)
        hand = tuple(sorted((metal, *hand[1:])))
    if rng.random() < 0.3:
        hand = larger(rng, pattern, hand)
    return Asked(pattern, hand, rng.choice((None, drawn_card(rng, hand))), rules)


class Known(NamedTuple):
    asked: Asked
    points: int  # the most


@cache
def known(switches: tuple[bool, str, bool], number: int, seed: int = 0) -> list[Known]:
    """So many turns and the most points of each."""
    rng, found = Random(f"{seed} {switches}"), list[Known]()
    while len(found) < number:
        asked = some_turn(rng, switches)
        with suppress(TooMany):
            found.append(Known(asked, best_turn(*asked, MOST)))
    return found


# Turns of players


def fault_of(asked: Asked, played: Played) -> str:
    """What a turn did that the rules don't allow, or what it reports wrongly; "" if nothing."""
    if played.fault:
        return "the policy's answer is not allowed"
    cards = [metal for metal, _ in played.placing]
    hand = list(asked.hand)
    if cards and asked.drawn is not None and cards.pop(0) != asked.drawn:
        return "the drawn card is not placed first"
    for metal in cards:
        if metal not in hand:
            return "a card is not in hand"
        hand.remove(metal)
    if sorted(hand) != sorted(played.hand):
        return "the hand is not what is left"
    pattern = asked.pattern
    for at, (metal, place) in enumerate(played.placing):
        before = played.placing[:at]
        one_metal = all(each == metal for each, _ in before)
        one_place = all(each == place for _, each in before)
        if not may_take(pattern, metal, place) or not (one_metal or one_place):
            return "a card may not lie there"
        pattern = with_placed(pattern, [(metal, place)])
    if (played.points < 0) != (not played.placing) or max(played.points, 0) != len(played.scored):
        return "the points are wrong"
    return fault_of_scoring(asked, played, pattern)


def may_score(pattern: Pattern, touched: set[Place], spent: set[Place], rules: Rules) -> Scorable:
    """The areas that count and are large enough; whether there are cards to take is not looked at."""
    return {
        (metal, area)
        for metal, area in areas(pattern)
        if len(area) >= rules.thresholds[METALS.index(metal)]
        and (rules.score_scope == "any" or area & touched)
        and not area & spent
    }


def fault_of_scoring(asked: Asked, played: Played, pattern: Pattern) -> str:
    rules, touched, spent = asked.rules, {place for _, place in played.placing}, set[Place]()
    for metal, size, taken in played.scored:
        fitting = [
            area
            for each, area in may_score(pattern, touched, spent, rules)
            if each == metal and taken <= area and len(area) == size
        ]
        if not fitting or len(taken) != rules.removals[METALS.index(metal)]:
            return "an area is scored that may not be"
        pattern = without(pattern, taken)
        if not is_whole(pattern):
            return "the pattern is split"
        (area,) = fitting
        touched = (touched | taken | (area if rules.score_again else set())) & pattern.keys()
        spent |= set() if rules.score_again else area - taken
    left = may_score(pattern, touched, spent, rules) if played.placing else ()
    if rules.must_score and any(can_take(pattern, *each, rules) for each in left):
        return "an area is left"
    return "" if pattern == played.pattern else "the pattern at the end is wrong"


def can_take(pattern: Pattern, metal: str, area: frozenset[Place], rules: Rules) -> bool:
    """Whether there are cards of an area to take away; no where there are too many choices to be tried."""
    number = rules.removals[METALS.index(metal)]
    few = metal != "I" or comb(len(area), number) <= MOST_PLACINGS
    return few and next(removal_sets(pattern, area, rules), None) is not None


def compare(name: str, turns: list[Known], exact: bool = False) -> Counter[str]:
    """See that each turn of a player is legal and brings no more than the most; how many bring it, or less, or draw.

    Exact turns bring the most, and begin with a draw if, and only if, the hand alone brings nothing; but for those of
    odd rules with long chains, in which the player says that it has given up.
    """
    player, counts = Turns(name), Counter[str]()
    for asked, points in turns:
        played = player.play(asked)
        counts["given up"] += played.given_up
        if exact and not played.given_up:
            wanted = DREW if asked.drawn is None and points <= 0 else points
            assert played.points == wanted, (asked, played, points)
        if played.points == DREW:
            counts["drew"] += 1
            counts["drew too soon"] += points > 0
            continue
        assert points >= 0 or asked.drawn is not None, (asked, played)
        assert fault_of(asked, played) == "", (asked, played)
        assert played.points <= points, (asked, played)
        assert (played.points < 0) == (points < 0), (asked, played)
        counts["kept the hand"] += asked.drawn is None
        counts["drew too late"] += asked.drawn is None and points <= 0
        counts["most"] += played.points == points > 0
        counts["less"] += played.points < points
    return counts


@pytest.mark.parametrize("name", POLICY_NAMES)
@pytest.mark.parametrize("switches", SWITCHES)
def test_no_turn_brings_more_than_the_most(name: str, switches: tuple[bool, str, bool]) -> None:
    counts = compare(name, known(switches, games(120, 3)))
    assert counts["most"] > games(2, -1)
    assert counts["kept the hand"] > games(2, -1)
    if name == "random":
        assert counts["drew"] > games(20, -1)
        assert min(counts["less"], counts["drew too soon"], counts["drew too late"]) > games(2, -1)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("switches", SWITCHES)
def test_exact_players_get_the_most(name: str, switches: tuple[bool, str, bool]) -> None:
    assert compare(name, known(switches, games(120, 3)), exact=True)["given up"] <= 2


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("switches", SWITCHES)
def test_exact_players_get_the_most_in_many_turns(name: str, switches: tuple[bool, str, bool]) -> None:
    assert compare(name, known(switches, 630, 1), exact=True)["given up"] <= 6


def spoilt_turns(asked: Asked, played: Played) -> Iterator[tuple[str, Asked, Played]]:
    """A legal turn, spoilt in one way after the other."""
    yield "a policy's fault", asked, played._replace(fault=True)
    yield "another hand", asked, played._replace(hand=(*played.hand, "I"))
    yield "another point", asked, played._replace(points=played.points + 1)
    yield "another pattern", asked, played._replace(pattern=dict(list(played.pattern.items())[1:]))
    if played.placing:
        (metal, _), *rest = played.placing
        yield "not the drawn card", asked._replace(drawn="ICSG"[METALS.index(metal) - 1]), played
        yield "on nothing", asked, played._replace(placing=[(metal, (99, 0)), *rest])
    if asked.drawn is None and played.placing:
        yield "no such card", asked._replace(hand=tuple(each for each in asked.hand if each != metal)), played
    if len(played.placing) > 1 and played.placing[0][1] == played.placing[-1][1]:
        yield "from above", asked._replace(drawn=None), played._replace(placing=played.placing[::-1])
    if len(played.placing) > 1 and asked.drawn is None and len({metal for metal, _ in played.placing}) > 1:
        elsewhere = next(
            (at for at, on in asked.pattern.items() if may_take(asked.pattern, played.placing[-1][0], at)), None
        )
        if elsewhere and elsewhere != played.placing[-1][1]:
            yield (
                "two metals in two places",
                asked,
                played._replace(placing=[*played.placing[:-1], (played.placing[-1][0], elsewhere)]),
            )
    if played.scored:
        (metal, size, taken), *others = played.scored
        yield "a size", asked, played._replace(scored=[(metal, size + 1, taken), *others])
        yield "too few", asked, played._replace(scored=[(metal, size, frozenset(list(taken)[1:])), *others])
        yield "a metal", asked, played._replace(scored=[("ICSG"[METALS.index(metal) - 1], size, taken), *others])
        more = replace(asked.rules, thresholds=(65,) * 4)
        yield "too small", asked._replace(rules=more), played


def test_spoilt_turns_are_noticed() -> None:
    kinds = Counter[str]()
    for switches in SWITCHES:
        player = Turns("random", 3)
        for asked, _ in known(switches, games(120, 3)):
            played = player.play(asked)
            if played.points == DREW:
                continue
            for kind, other, spoilt in spoilt_turns(asked, played):
                kinds[kind] += 1
                assert fault_of(other, spoilt), (kind, other, spoilt)
    assert len(kinds) == 13 or games(0, 1), kinds
    assert min(kinds.values()) > 10 or games(0, 1), kinds


def test_turns_by_hand_are_judged_right() -> None:
    """A card of what remains is scored again; irons are taken from the middle of a row, and from its end."""
    coppers = {(q, 0): "IC" for q in range(10)} | {(10, 0): "I"}
    first, second = (frozenset((q, 0) for q in range(start, start + 4)) for start in (0, 4))
    left = {(q, 0): "I" if q < 8 else "IC" for q in range(11)}
    twice = Played(2, [("C", (10, 0))], [("C", 11, first), ("C", 7, second)], left, (), False)
    assert fault_of(Asked(coppers, ("C",), None, Rules()), twice) == ""
    assert "may not be" in fault_of(Asked(coppers, ("C",), None, Rules(score_again=False)), twice)
    once = Played(1, twice.placing, twice.scored[:1], without(with_placed(coppers, twice.placing), first), (), False)
    for must_score, fault in ((False, ""), (True, "an area is left")):
        assert fault_of(Asked(coppers, ("C",), None, Rules(must_score=must_score)), once) == fault
    irons = {(q, 0): "I" for q in range(8)}
    for start, fault in ((0, ""), (4, ""), (2, "the pattern is split")):
        taken = frozenset((q, 0) for q in range(start, start + 5))
        rest = {(q, 0): "I" for q in range(9) if (q, 0) not in taken}
        played = Played(1, [("I", (8, 0))], [("I", 9, taken)], rest, (), False)
        assert fault_of(Asked(irons, ("I",), None, Rules()), played) == fault


@POLICIES.declare
def declining_player(view: Any) -> int:
    """Scores nothing; else at random."""
    return 0 if view.ask == Ask.SCORE else random_player(view)


@pytest.mark.parametrize("must_score", [False, True])
def test_scoring_may_be_declined_unless_it_is_a_must(must_score: bool) -> None:
    scoring, declining, counts = Turns("random"), Turns(declining_player), Counter[str]()
    for asked, _ in known((must_score, "touched", True), games(120, 3)):
        if asked.drawn is not None:
            counts["could"] += scoring.play(asked).points > 0
            played = declining.play(asked)
            assert played.points <= 0
            counts["had to"] += played.fault
    assert counts["could"] > games(5, -1)
    assert bool(counts["had to"]) == must_score or games(0, 1)


# The oracle's own turns


def line_of(asked: Asked, points: int, rng: Random) -> tuple[Placing, list[tuple[Scorable, str, set[Place]]], Scorable]:
    """A turn with the most points: what is placed, what is scored of which areas, and the areas at the end."""
    turn = Turn(asked.pattern, asked.rules, 4 * MOST)
    search, found, steps = turn.scoring, list(turn.placings(asked.hand, asked.drawn)), []
    rng.shuffle(found)
    placing, state = next(
        (each, turn.placed(each))
        for each in found
        if search.ceiling(turn.placed(each)) >= points and search.best(turn.placed(each)) == points
    )
    while search.best(state):
        ways = [
            (layer, area, gone)
            for layer, area in search.scorable(state)
            for gone in search.removals(state, layer, area)
        ]
        rng.shuffle(ways)
        if rng.random() < 0.7:  # those that leave none of what was touched, if any
            ways.sort(key=lambda way: way[1] & ~way[2] & state.touched != 0)
        best = search.best(state) - 1
        layer, area, gone = next(way for way in ways if search.best(search.after(state, *way)) == best)
        steps.append((scorable(turn, state), METALS[layer], places_of(turn.board, gone)))
        state = search.after(state, layer, area, gone)
    return placing, steps, scorable(turn, state)


def scorable(turn: Turn, state: State) -> Scorable:
    """The areas that may be scored, and of which cards may be taken."""
    return {
        (METALS[layer], frozenset(places_of(turn.board, area)))
        for layer, area in turn.scoring.scorable(state)
        if next(turn.scoring.removals(state, layer, area), None) is not None
    }


def places_of(board: Board, bits: int) -> set[Place]:
    numbers = [each.bit_length() - 1 for each in single_bits(bits)]
    return {(number % board.width + board.left, number // board.width + board.low) for number in numbers}


def rows_of(placing: Placing, steps: list[tuple[Scorable, str, set[Place]]]) -> list[tuple[int, int, int, int]]:
    rows = [(PLACE, METALS.index(metal), *place) for metal, place in placing]
    for _, metal, taken in steps:
        rows.append((LIST, 0, 0, 0))
        rows += [(PICK, 0, *place) for place in sorted(taken)]
        rows.append((SCORE, METALS.index(metal), 0, 0))
    return [*rows, (LIST, 0, 0, 0)]


def compare_lines(turns: list[Known], rng: Random) -> int:
    """See that the kernel lets the oracle's turns be played, with the same areas to score; how many scorings."""
    kernel, scorings = Turns(), 0
    for asked, points in turns:
        if points >= 0:
            with suppress(TooMany):
                placing, steps, last = line_of(asked, points, rng)
                assert len(steps) == points
                wrong, listed, pattern = kernel.script(asked, rows_of(placing, steps))
                assert wrong == -1, (asked, placing, steps)
                assert listed == [*(each for each, _, _ in steps), last], (asked, placing, steps)
                then = with_placed(asked.pattern, placing)
                for _, _, taken in steps:
                    then = without(then, taken)
                assert pattern == then, (asked, placing, steps)
                scorings += points
    return scorings


@pytest.mark.parametrize("switches", SWITCHES)
def test_the_most_points_can_be_had(switches: tuple[bool, str, bool]) -> None:
    assert compare_lines(known(switches, games(60, 3), 2), Random(1)) > games(40, -1)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("switches", SWITCHES)
def test_the_most_points_can_be_had_in_many_turns(switches: tuple[bool, str, bool]) -> None:
    assert compare_lines(known(switches, 630, 1), Random(2)) > 630


# The positions


class NotJoined(Turn):
    """No card that joins two areas of its metal."""

    def placings(self, hand: tuple[str, ...], drawn: str | None) -> Iterator[Placing]:
        for placing in super().placings(hand, drawn):
            metal, last = placing[-1]
            before = with_placed(self.pattern, placing[:-1])
            if sum(before.get(each, " ")[-1] == metal for each in around(last)) < 2 or not joins(before, metal, last):
                yield placing


def joins(pattern: Pattern, metal: str, place: Place) -> bool:
    """Whether a card of this metal makes fewer areas of it."""
    then = with_placed(pattern, [(metal, place)])
    before, after = ([each for each, _ in areas(lying)].count(metal) for lying in (pattern, then))
    return after < before


class ThreeCards(Turn):
    """It takes no notice of cards behind the first three."""

    def placings(self, hand: tuple[str, ...], drawn: str | None) -> Iterator[Placing]:
        return super().placings(hand[:3], drawn)


def share(kind: type[Turn] | type[Scoring], turns: list[Known]) -> float:
    """Of how many turns this one gets the points wrong."""
    make, wrong = (kind if issubclass(kind, Turn) else scoring(kind)), 0
    for asked, points in turns:
        with suppress(TooMany):
            wrong += make(asked.pattern, asked.rules, MOST).best(asked.hand, asked.drawn) != points
    return wrong / len(turns)


@pytest.mark.compiled
@pytest.mark.parametrize("switches", SWITCHES)
def test_the_turns_are_of_all_kinds(switches: tuple[bool, str, bool]) -> None:
    turns = known(switches, 120)
    points, sizes = Counter(min(each, 3) for _, each in turns), Counter(len(asked.hand) for asked, _ in turns)
    assert points[-1] > 0
    assert min(points[each] for each in range(4)) > 6
    assert sum(number for size, number in sizes.items() if size > 3) > 18
    drawn = sum(asked.drawn is not None for asked, _ in turns)
    assert 38 < drawn < 82


@pytest.mark.compiled
def test_the_turns_depend_on_all_that_matters() -> None:
    turns = [each for switches in SWITCHES for each in known(switches, 120)[:25]]
    assert share(Splitting, turns) > 0.02
    assert share(NoStacking, turns) > 0.02
    assert share(NotJoined, turns) > 0.05
    assert share(ThreeCards, turns) > 0.02
