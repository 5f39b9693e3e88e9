"""The kernel's search for the best plays of a turn, against an oracle that tries them all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

import pytest

from alchemy_sim.games.furnace.match.trace import trace
from alchemy_sim.games.furnace.match.weights import WEIGHTS
from tests.oracle.furnace_melds import Rules
from tests.oracle.furnace_positions import played_positions, random_position
from tests.oracle.furnace_turns import Aim, Position, TooMany, Turn, worth
from tests.oracle.furnace_turns_kernel import Answer, Asked, encoded

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


class Mismatch(NamedTuple):
    position: Position
    aim: Aim
    said: object
    right: float


def is_right(turn: Turn, aim: Aim, right: float, answer: Answer) -> bool:
    """Whether the plan is legal, may stop where it does, and brings the best, which is what it is said to bring."""
    reached = worth(aim, answer.outcome, turn.needed)
    return answer.wrong == -1 and abs(answer.worth - right) < 1e-9 and abs(reached - right) < 1e-9


def mismatches(positions: Iterable[Position], seed: int) -> Iterator[Mismatch]:
    rng = Random(seed)
    for position in positions:
        turn = Turn(position)
        try:
            outcomes = turn.outcomes(MOST_STATES)
        except TooMany:
            continue
        asked = Asked(position)
        for aim in (*AIMS.values(), random_aim(rng), random_aim(rng)):
            answer, right = asked.answer(aim), turn.best(aim, outcomes)
            if not is_right(turn, aim, right, answer) and not answer.given_up:
                yield Mismatch(position, aim, answer, right)


def random_positions(rules: Rules, count: int, seed: int) -> Iterator[Position]:
    rng = Random(seed)
    for _ in range(count):
        yield random_position(rng, rules, rng.choice((2, 2, 3, 4, 6)))


@pytest.mark.compiled
@pytest.mark.parametrize("which", range(len(RULES)))
def test_the_search_finds_the_best(which: int) -> None:
    assert list(mismatches(random_positions(RULES[which], 100, which), which)) == []


@pytest.mark.compiled
@pytest.mark.parametrize("policy", ["random", "builder"])
def test_the_search_finds_the_best_in_matches(policy: str) -> None:
    rules = Rules()
    positions = played_positions(trace(encoded(rules, 3, policy), 21, 0), rules)
    assert list(mismatches(Random(1).sample(positions, 60), 1)) == []
