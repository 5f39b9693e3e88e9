"""The kernel's search for the best plays of a turn, against an oracle that tries them all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from random import Random
from typing import NamedTuple

import pytest

from alchemy_sim.games.furnace.match.board import Fill, Play, kind_of, retrieve_code
from alchemy_sim.games.furnace.match.trace import trace
from alchemy_sim.games.furnace.match.weights import WEIGHTS
from tests.oracle.furnace_melds import Rules, Run
from tests.oracle.furnace_positions import played_positions, random_position
from tests.oracle.furnace_turns import Aim, Outcome, Position, TooMany, Turn, worth
from tests.oracle.furnace_turns_kernel import Answer, Asked, encoded
from tests.oracle.furnace_wrong_turns import WRONG, Search

#: States of a turn that the oracle looks at; positions with more are left out.
MOST_STATES = 3000
#: Every switch's other values, and decks that bring out corners.
RULES = [
    Rules(),
    Rules(),
    Rules(ace="high"),
    Rules(ace="low"),
    Rules(stones_a_turn="one"),
    Rules(single_extension="forbidden"),
    Rules(points_for="who_played"),
    Rules(single_extension="forbidden", stones_a_turn="one", points_for="who_played"),
    Rules(families=5, ranks=9, jokers=12),
    Rules(families=3, ranks=13, ace="low", single_extension="forbidden"),
    Rules(ranks=12, trumps=False),
    Rules(families=2, ranks=7, jokers=4),
]
AIMS = {
    "points": Aim(points=1.0),
    "stones": Aim(stones=1.0),
    "fastest": Aim(cards=0.01, needed=1.0, qualified=5.0),
    **{name: Aim(*(row[field][0] for field in Aim._fields)) for name, row in WEIGHTS.items() if name != "shark"},
    "hold": Aim(points=1.0, stones=4.0, given=-2.0, cards=3.0),
    "dump": Aim(points=0.1, stones=1.0, given=-1.5, cards=-4.0),
    "feed": Aim(given=1.0, cards=0.5),
}


def random_aim(rng: Random) -> Aim:
    """Weights of either sign, some of them nothing."""
    sizes = (2.0, 10.0, 2.0, 5.0, 2.0, 20.0)
    return Aim(*(rng.choice((0.0, rng.uniform(-size, size), rng.uniform(0.0, size))) for size in sizes))


def near(one: float, other: float) -> bool:
    return abs(one - other) < 1e-9


class Mismatch(NamedTuple):
    position: Position
    aim: Aim
    said: Answer
    best: Outcome


class Judge:
    """The oracle's findings on a position; TooMany if it has too many states."""

    def __init__(self, position: Position) -> None:
        self.position, self.turn = position, Turn(position)
        ends = self.turn.ends(MOST_STATES)
        self.outcomes = {self.turn.outcome(state) for state in ends}
        self.ends = {(state.hand, state.melds) for state in ends}

    def mismatch(self, aim: Aim, answer: Answer) -> Mismatch | None:
        """None if the plan is legal, may stop where it does and brings the best, which is what it is said to bring.

        A search that says that it has given up may bring less.
        """
        best = self.turn.best(aim, self.outcomes)
        right = worth(aim, best, self.turn.needed)
        reached = worth(aim, answer.outcome, self.turn.needed)
        legal = answer.wrong == -1 and (answer.hand, answer.melds) in self.ends
        found = near(answer.worth, right) or (answer.given_up and answer.worth < right)
        if legal and found and near(reached, answer.worth):
            return None
        return Mismatch(self.position, aim, answer, best)


def judges(positions: Iterable[Position]) -> Iterator[Judge]:
    for position in positions:
        with suppress(TooMany):
            yield Judge(position)


def compare(positions: Iterable[Position], seed: int) -> tuple[list[Mismatch], float]:
    """Where the search is wrong, and the share of answers at which it gave up."""
    rng, wrong, gave_up = Random(seed), list[Mismatch](), list[bool]()
    for judge in judges(positions):
        asked = Asked(judge.position)
        for aim in (*AIMS.values(), random_aim(rng), random_aim(rng)):
            answer = asked.answer(aim)
            gave_up.append(answer.given_up)
            found = judge.mismatch(aim, answer)
            if found:
                wrong.append(found)
    return wrong, sum(gave_up) / len(gave_up)


def random_positions(rules: Rules, count: int, seed: int) -> Iterator[Position]:
    rng = Random(seed)
    for _ in range(count):
        yield random_position(rng, rules, rng.choice((2, 2, 3, 4, 6)))


@pytest.mark.compiled
@pytest.mark.parametrize("which", range(len(RULES)))
def test_the_search_finds_the_best(which: int) -> None:
    wrong, gave_up = compare(random_positions(RULES[which], 170, which), which)
    assert wrong == []
    assert gave_up < 0.002


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("which", range(len(RULES)))
def test_the_search_finds_the_best_in_many_positions(which: int) -> None:
    wrong, gave_up = compare(random_positions(RULES[which], 840, 100 + which), which)
    assert wrong == []
    assert gave_up < 0.002


def positions_of_match(rules: Rules, policy: str, seed: int) -> list[Position]:
    """At most 150 of a match's positions."""
    positions = played_positions(trace(encoded(rules, 3, policy), seed, 0), rules)
    return Random(seed).sample(positions, min(len(positions), 150))


@pytest.mark.compiled
@pytest.mark.parametrize("policy", ["random", "builder"])
def test_the_search_finds_the_best_in_matches(policy: str) -> None:
    wrong, gave_up = compare(positions_of_match(Rules(), policy, 21), 1)
    assert wrong == []
    assert gave_up < 0.002


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("policy", ["random", "builder"])
@pytest.mark.parametrize("which", range(1, 8))
def test_the_search_finds_the_best_in_many_matches(policy: str, which: int) -> None:
    wrong, gave_up = compare(positions_of_match(RULES[which], policy, 40 + which), which)
    assert wrong == []
    assert gave_up < 0.002


@pytest.mark.compiled
@pytest.mark.parametrize("which", range(len(RULES)))
def test_the_single_plays_are_those_of_the_page(which: int) -> None:
    for position in random_positions(RULES[which], 40, 400 + which):
        turn, singles = Turn(position), Asked(position).singles()
        assert singles is not None
        assert len(singles) == len(set(singles))
        assert set(singles) == {(state.hand, state.melds) for state in turn.plays(turn.start)}


@pytest.mark.compiled
def test_a_trump_just_taken_takes_no_joker() -> None:
    """A card taken goes into a new meld or an extension (Furnace 4): it is not put in another's place."""
    rules = Rules()
    mine, whites = Run(0, "P", 9, ("P10", "PJ", "PN")), Run(1, "W", 3, ("W4", "T5", "W6"))
    trumps = Run(1, "T", 3, ("T4", "JK", "T6"))
    take_trump, take_joker = retrieve_code(1, 4, Fill.TRUMP), retrieve_code(2, 4, Fill.JOKER)

    def asked(*hand: str) -> Asked:
        return Asked(Position(rules, 0, hand, (mine, whites, trumps), (30, 30), (9, 9), 9))

    late = asked("W5")
    assert late.play(take_trump)
    assert late.singles() == []  # and nothing that is not listed is legal
    assert not late.play(take_joker)
    own = asked("T5")
    assert own.play(take_joker)
    assert own.now()[0] == ("JK",)


@pytest.mark.compiled
@pytest.mark.parametrize("which", range(len(RULES)))
def test_single_plays_after_a_card_was_taken_are_those_of_the_page(which: int) -> None:
    """What is owed then restricts them."""
    taken = 0
    for position in random_positions(RULES[which], 60, 500 + which):
        turn, first = Turn(position), Asked(position)
        singles = first.singles()
        assert singles is not None
        for code in first.codes[: len(singles)]:
            if kind_of(int(code)) == Play.RETRIEVE:
                asked = Asked(position)
                assert asked.play(int(code))
                now = asked.now()
                (state,) = (each for each in turn.retrievals(turn.start) if (each.hand, each.melds) == now)
                then = asked.singles()
                assert then is not None
                assert set(then) == {(each.hand, each.melds) for each in turn.plays(state)}
                taken += 1
    assert taken > 10 or not RULES[which].jokers


def test_wrong_searches_are_noticed() -> None:
    """Each of them often: so the positions have all that it overlooks."""
    found = [judge for which, rules in enumerate(RULES) for judge in judges(random_positions(rules, 8, 200 + which))]
    assert len(found) > 0.9 * 8 * len(RULES)
    shares = {name: sum(is_wrong(judge, search) for judge in found) / len(found) for name, (search, _) in WRONG.items()}
    assert {name: share for name, share in shares.items() if share < WRONG[name][1]} == {}


def is_wrong(judge: Judge, search: Search) -> bool:
    """Whether a search is wrong about a position for some aim."""
    try:
        answer = search(judge.turn, 3 * MOST_STATES)
    except TooMany:
        return False
    needed = judge.turn.needed
    return not all(
        near(worth(aim, answer(aim), needed), worth(aim, judge.turn.best(aim, judge.outcomes), needed))
        for aim in AIMS.values()
    )


class Shorter(Asked):
    """The plan lacks its last step."""

    def search(self, aim: Aim) -> float:
        said = super().search(aim)
        self.view.plan.number = max(self.view.plan.number - 1, 0)
        return said


class Longer(Asked):
    """The last step is there twice."""

    def search(self, aim: Aim) -> float:
        said, plan = super().search(aim), self.view.plan
        if plan.number:
            plan.steps[plan.number] = plan.steps[plan.number - 1]
            plan.number += 1
        return said


class Boasting(Asked):
    """It says that it brings more, if it brings anything."""

    def search(self, aim: Aim) -> float:
        said = super().search(aim)
        return said + 0.5 if self.view.plan.number else said


@pytest.mark.compiled
@pytest.mark.parametrize("spoilt", [Shorter, Longer, Boasting])
def test_spoilt_plans_are_noticed(spoilt: type[Asked]) -> None:
    aim = Aim(points=1.0, given=0.1, cards=0.01)
    with_plan = noticed = 0
    for judge in judges(random_positions(Rules(), 60, 300)):
        if Asked(judge.position).answer(aim).hand != judge.turn.start.hand:
            with_plan += 1
            noticed += judge.mismatch(aim, spoilt(judge.position).answer(aim)) is not None
    assert with_plan > 30
    assert noticed == with_plan
