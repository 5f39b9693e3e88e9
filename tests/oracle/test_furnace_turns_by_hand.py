"""The oracle of the best plays on turns worked out by hand, each for a sentence of the rule page (Furnace 1 and 4)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.furnace_melds import Rules, Run, Triad
from tests.oracle.furnace_turns import Aim, Outcome, Position, Turn

POINTS, STONES, CARDS = Aim(points=1.0), Aim(stones=1.0, cards=0.1), Aim(cards=-1.0)
MINE = Run(0, "P", 9, ("P10", "PJ", "PN"))  # somewhere aside, so that the first Run lies
THEIRS = Run(1, "P", 1, ("P2", "P3", "P4"))


def best(aim: Aim, hand: str, melds: tuple[Any, ...] = (), bag: int = 9, theirs: int = 9, **rules: Any) -> Outcome:
    turn = Turn(Position(Rules(**rules), 0, tuple(hand.split()), melds, (0, 0), (9, theirs), bag))
    return turn.best(aim, {turn.outcome(state) for state in turn.ends(10_000)})


@pytest.mark.parametrize(
    ("hand", "gained"),
    [
        ("W5 C5 S5", 0),  # a first play must be a Run
        ("W3 W4 W5 C5 S5 P5", 27),
        ("W3 T4 T5", 12),  # several Trumps may stand in a Run
        ("T3 C4 S5", 0),
        ("WA W2 W3", 16),  # an Ace at either end
        ("WQ WK WA", 31),
        ("WK WA W2", 0),  # never in the middle
        ("W5 JK JK", 18),  # the Jokers for W6 and W7
        ("JK JK JK", 0),  # never Jokers alone
        ("W3 W4 W5 W6 W7", 25),  # further cards are extensions
    ],
)
def test_first_plays(hand: str, gained: int) -> None:
    assert best(POINTS, hand).gained == gained


def test_the_ruling_on_aces() -> None:
    assert [best(POINTS, "WA W2 W3", ace=ace).gained for ace in ("both", "low", "high")] == [16, 16, 0]
    assert [best(POINTS, "WQ WK WA", ace=ace).gained for ace in ("both", "low", "high")] == [31, 0, 31]


def test_stones() -> None:
    own, four = (MINE,), "P8 P9 PQ PK"
    assert [best(STONES, four, own, bag=bag).stones for bag in (9, 1, 0)] == [2, 1, 0]
    assert best(Aim(stones=1.0, points=0.1), four, own, stones_a_turn="one") == Outcome(37, 1, 0, 0)
    both = (MINE, THEIRS)
    assert [best(STONES, "P5 P6", both, theirs=stones).stones for stones in (9, 0)] == [1, 0]
    assert best(STONES, "P9 P5", both).stones == 0  # one card on each layout
    assert best(STONES, "W5 W6 W7", both).stones == 0  # a new meld earns none


def test_single_extensions() -> None:
    both = (MINE, THEIRS)
    assert [best(CARDS, "P5", both, single_extension=each).left for each in ("allowed", "forbidden")] == [0, 1]
    assert best(CARDS, "P5 P9", both, single_extension="forbidden").left == 2
    assert best(CARDS, "P5 P6", both, single_extension="forbidden").left == 0


def test_points_go_to_the_owner_or_the_player() -> None:
    both = (MINE, THEIRS)
    assert best(CARDS, "P5 PQ", both) == Outcome(10, 0, 5, 0)
    assert best(CARDS, "P5 PQ", both, points_for="who_played") == Outcome(15, 0, 0, 0)


@pytest.mark.parametrize(
    ("hand", "meld", "outcome"),
    [
        # The very card stood for takes the Joker, which is worth most beyond one's own Knight.
        ("W5", Run(1, "W", 3, ("W4", "JK", "W6")), Outcome(10, 0, 0, 0)),
        ("W5", Run(1, "W", 3, ("W4", "T5", "W6")), Outcome(0, 0, 0, 1)),  # the Trump would only fit another's Run
        ("W5 C5 S5", Run(1, "W", 3, ("W4", "T5", "W6")), Outcome(15, 0, 0, 0)),
        ("T5", Run(1, "W", 3, ("W4", "JK", "W6")), Outcome(0, 0, 0, 1)),  # never a wild card for another
        ("T5", Run(1, "T", 3, ("T4", "JK", "T6")), Outcome(10, 0, 0, 0)),  # it is the very card here
        ("C5 S5", Run(1, "T", 3, ("T4", "T5", "T6")), Outcome(0, 0, 0, 2)),  # a Trump in a Run of Trumps stays
        # In a Triad any missing family's card, but no Trump.
        ("S5", Triad(1, "5", ("C5", "JK", "W5")), Outcome(10, 0, 0, 0)),
        ("W5", Triad(1, "5", ("C5", "JK", "W5")), Outcome(0, 0, 0, 1)),
        ("S5", Triad(1, "5", ("C5", "T5", "W5")), Outcome(0, 0, 0, 1)),
    ],
)
def test_retrievals(hand: str, meld: Any, outcome: Outcome) -> None:
    rich = (MINE, Run(1, "E", 1, ("E2", "E3", "E4")), meld)
    assert best(Aim(points=1.0, given=-1.0), hand, rich, families=5) == outcome


def test_a_retrieval_needs_the_first_run_and_a_use() -> None:
    meld = Run(1, "W", 3, ("W4", "JK", "W6"))
    assert best(CARDS, "W5", (meld,)).left == 1
    chain = (MINE, Run(1, "W", 3, ("W4", "T5", "W6")), Run(1, "T", 3, ("T4", "JK", "T6")))
    # T5, taken by W5, does not count as played where it takes the Joker in its turn.
    assert best(POINTS, "W5", chain).gained == 0
    assert best(POINTS, "T5", chain).gained == 10
