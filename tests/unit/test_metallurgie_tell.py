"""Traces of Metallurgie told: games written by hand, and the drawing of patterns."""

from __future__ import annotations

from typing import Any

import pytest

from alchemy_sim.games.metallurgie.config import MetallurgieConfig
from alchemy_sim.games.metallurgie.tell import Pattern, tell

RULES = {
    "thresholds": [4, 3, 2, 1],
    "removals": [2, 2, 1, 1],
    "deck": [6, 4, 3, 1],
    "hand": 3,
    "end_card_depth": 3,
    "start": [["I", 0, 0], ["I", 1, 0], ["C", 0, 0]],
}
SETUP = {
    "type": "setup",
    "game": "metallurgie",
    "players": 2,
    "rules": RULES,
    "rulings": {"must_score": False, "score_scope": "touched", "score_again": True, "bonus": "none"},
    "seed": 7,
    "game_index": 4,
    "first": 1,
    "hands": [["S", "C", "I"], ["G", "C", "I"]],
    "pile": ["S", "I", "C", "END", "S", "I"],
}


def turn(n: int, player: int, **given: Any) -> dict[str, Any]:
    """A turn in which nothing happens but what is given."""
    nothing = {"draw": None, "placed": [], "discarded": None, "scored": [], "refill": [], "points": [0, 0]}
    return {"type": "turn", "n": n, "player": player, **nothing, **given}


def end(points: list[int], winners: list[int], turns: int, bonus: list[list[str]]) -> dict[str, Any]:
    return {"type": "end", "points": points, "bonus": bonus, "winners": winners, "turns": turns}


GAME = [
    SETUP,
    turn(
        *(1, 1),
        draw="S",
        placed=[["S", 0, 0], ["G", 0, 0]],
        scored=[{"metal": "G", "area": 1, "removed": [[0, 0]]}],
        refill=["I"],
        points=[0, 1],
    ),
    turn(2, 0, placed=[["C", 1, 0]], refill=["C"], points=[0, 1]),
    turn(3, 1, placed=[["I", 0, -1], ["I", -1, 1]], refill=["END"], points=[0, 1]),
    end([0, 1], [1], 3, [[], []]),
]

TOLD = """\
Game 4 under seed 7: 2 players, P1 starts. Areas: I 4 (takes 2), C 3 (takes 2), S 2 (takes 1) and G 1 (takes 1).
  P0: I C S
  P1: I C G
  The end card is number 4 of the 6 cards of the pile.
  I iron, C copper, S silver and G gold.
  The pattern by rows: the place (q,r) that a row begins with, then top cards and heights.
  The neighbours of a place are at (1,0) (-1,0) (0,1) (0,-1) (1,-1) (-1,1) from it.
  Points are the player's after the turn.

  (0,0)  C2  I1

 turn      draws  points
    1  P1      S       1  lays S G at (0,0); scores 1 gold, taking (0,0); refills I
                          (0,0)  S3  I1
    2  P0   none       0  lays C at (1,0); refills C
    3  P1   none       1  lays I at (0,-1) (-1,1); draws the end card

The pattern explodes after 3 turns:
  (0,-1)  I1
   (0,0)    S3  C2
  (-1,1)  I1
Points: P0 0, P1 1.
P1 wins with 1 point.
"""


def test_a_game() -> None:
    assert tell(GAME, {}) == TOLD


def lines(*events: dict[str, Any], **setup: Any) -> list[str]:
    return tell([SETUP | setup, *events], {}).splitlines()


def test_a_card_that_cannot_be_placed_is_discarded() -> None:
    assert "    1  P1      G       0  cannot place G and discards it" in lines(turn(1, 1, draw="G", discarded="G"))


def test_the_end_card_turned_up_first() -> None:
    assert lines(turn(1, 1, draw="END"))[-1] == "    1  P1    END       0  turns up the end card"


def test_several_areas_and_cards_told_one_by_one() -> None:
    """Areas in their order, and cards that have neither metal nor place in common (no rule allows such) one by one."""
    scored = [
        {"metal": "C", "area": 3, "removed": [[0, 0], [1, 0]]},
        {"metal": "I", "area": 4, "removed": [[0, 0], [0, 1]]},
    ]
    placed = [["C", 1, 0], ["I", 0, 1]]
    told = lines(turn(1, 1, placed=placed, scored=scored, refill=["S", "I", "END"], points=[0, 2]))
    assert told[-2:] == [
        "    1  P1   none       2  lays C at (1,0), I at (0,1); scores 3 copper, taking (0,0) (1,0); scores 4 iron, "
        "taking (0,0) (0,1); refills S I; draws the end card",
        "                          (1,0)  I1",
    ]


def test_an_empty_table() -> None:
    scored = [{"metal": "I", "area": 4, "removed": [[0, 0], [1, 0]]}]
    told = lines(turn(1, 1, scored=scored), rules=RULES | {"start": [["I", 0, 0], ["I", 1, 0]]})
    assert told[-1].strip() == "no card lies there"


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            end([3, 1], [0], 9, [["I", "G"], []]),
            ["P0 has the bonus for iron and gold: 2 points more.", "Points: P0 3, P1 1.", "P0 wins with 3 points."],
        ),
        (
            end([4, 4], [0, 1], 9, [[], ["C"]]),
            [
                "P1 has the bonus for copper: 1 point more.",
                "Points: P0 4, P1 4.",
                "P0 and P1 share the win with 4 points.",
            ],
        ),
    ],
)
def test_the_end(event: dict[str, Any], told: list[str]) -> None:
    assert lines(event)[-len(told) :] == told


def test_players_by_the_names_of_their_policies() -> None:
    assert lines(policies=["greedy", "random"])[1:3] == ["  P0 (greedy): I C S", "  P1 (random): I C G"]


def test_the_start_pattern_of_the_rules() -> None:
    pattern = Pattern()
    for _, q, r in MetallurgieConfig().game.start:
        pattern.lay(q, r)
    assert list(pattern.drawn()) == [
        "(0,-1)    C2  I1",
        "(-1,0)  I1  S3  C2",
        "(-1,1)    C2  I1",
    ]


def test_holes_and_what_was_taken() -> None:
    pattern = Pattern()
    for q, r in [(0, 0), (1, 0), (2, 0), (2, 0), (-1, 1)]:
        pattern.lay(q, r)
    pattern.take(2, 0)
    pattern.take(1, 0)
    assert list(pattern.drawn()) == [" (0,0)    I1  ..  I1", "(-1,1)  I1"]
