"""Whole games of the kernel, replayed by a referee written apart (tests/oracle/metallurgie_referee.py)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from alchemy_sim.config.load import load
from alchemy_sim.games.metallurgie.config import MetallurgieRulings
from alchemy_sim.games.metallurgie.encode import encode
from alchemy_sim.games.metallurgie.policies import POLICY_NAMES
from alchemy_sim.games.metallurgie.simulate import simulate
from alchemy_sim.games.metallurgie.table import SHARES
from alchemy_sim.games.metallurgie.trace import trace
from tests.conftest import games
from tests.oracle.metallurgie_referee import game_faults

#: Every ruling's other values one by one, all of them together, and numbers that bring out corners.
SETTINGS = [
    (),
    *(
        (f"rulings.{switch.name}={str(value).lower()}",)
        for switch in MetallurgieRulings.switches()
        for value in switch.values
        if value != switch.default
    ),
    ("rulings.must_score=true", "rulings.score_scope=any", "rulings.score_again=false", "rulings.bonus=first"),
    ("game.thresholds=4,3,2,1", "game.removals=4,2,1,1", "rulings.must_score=true"),
    ("game.thresholds=3,3,3,3", "game.removals=3,3,3,3", "rulings.score_scope=any", "game.hand=1"),
    ("game.thresholds=5,4,3,2", "game.removals=2,2,1,1", "game.hand=6", "game.end_card_depth=20"),
    ("game.start=[]", "game.deck=64,40,30,20", "game.thresholds=6,5,4,3"),
    ("game.deck=40,1,1,1", "game.thresholds=20,7,5,3", "game.removals=9,4,3,2", 'game.start=["I 0 0"]'),
]
ENCODED: dict[Any, Any] = {}


def cell(settings: tuple[str, ...], players: int, policy: str) -> Any:
    key = (settings, players, policy)
    if key not in ENCODED:
        config: Any = load("metallurgie/default", settings).settings[0].config
        ENCODED[key] = encode(config, players, [policy] * players)
    return ENCODED[key]


def check(policy: str, index: int) -> None:
    """One game of a setting and a player count: steps through both, which have no common divisor."""
    encoded = cell(SETTINGS[index % len(SETTINGS)], 2 + index % 3, policy)
    assert game_faults(trace(encoded, 21, index)) == []


@pytest.mark.parametrize("policy", POLICY_NAMES)
@pytest.mark.parametrize("index", range(games(100, 13)))
def test_the_referee_finds_no_fault(policy: str, index: int) -> None:
    check(policy, index)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("policy", POLICY_NAMES)
def test_the_referee_finds_no_fault_in_many_games(policy: str) -> None:
    """500 games of each setting and player count."""
    for index in range(500 * 3 * len(SETTINGS)):
        check(policy, index)


@pytest.mark.parametrize("policy", POLICY_NAMES)
@pytest.mark.parametrize("settings", SETTINGS, ids=lambda each: " ".join(each) or "default")
def test_columns_say_what_the_trace_says(settings: tuple[str, ...], policy: str) -> None:
    encoded, count = cell(settings, 3, policy), games(20, 2)
    columns = simulate(encoded, 5, 0, count)
    for index in range(count):
        setup, *turns, end = trace(encoded, 5, index)
        found = {name: int(values[index]) for name, values in columns.items()}
        scored = [each for turn in turns for each in turn["scored"]]
        assert found["first"] == setup["first"]
        assert found["turns"] == end["turns"] == len(turns)
        assert found["draws"] == sum(turn["draw"] is not None for turn in turns)
        assert found["discards"] == sum(turn["discarded"] is not None for turn in turns)
        assert found["biggest_turn"] == max(len(turn["scored"]) for turn in turns)
        assert 0 <= found["longest_chain"] <= found["biggest_turn"]
        assert found["winners"] == sum(1 << seat for seat in end["winners"])
        assert found["end_in_refill"] == (turns[-1]["draw"] != "END")
        for letter, metal in zip("ICSG", ("iron", "copper", "silver", "gold"), strict=True):
            assert found[f"points_{metal}"] == sum(each["metal"] == letter for each in scored)
            assert found[f"placed_{metal}"] == sum(card[0] == letter for turn in turns for card in turn["placed"])
        for seat in range(3):
            mine = [turn for turn in turns if turn["player"] == seat]
            assert found[f"points_{seat}"] == end["points"][seat]
            assert found[f"bonus_{seat}"] == len(end["bonus"][seat])
            assert found[f"share_{seat}"] == (SHARES // len(end["winners"]) if seat in end["winners"] else 0)
            assert found[f"seat_turns_{seat}"] == len(mine)
            assert found[f"seat_draws_{seat}"] == sum(turn["draw"] is not None for turn in mine)
            kept = sum(found[f"{metal}_{seat}"] for metal in ("iron", "copper", "silver", "gold"))
            assert kept == sum(len(turn["scored"]) for turn in mine)


@pytest.mark.parametrize("policy", POLICY_NAMES)
def test_games_do_not_depend_on_how_they_are_cut(policy: str) -> None:
    encoded = cell((), 3, policy)
    whole = simulate(encoded, 7, 0, 40)
    parts = [simulate(encoded, 7, first, 8) for first in range(0, 40, 8)]
    assert all(np.array_equal(np.concatenate([part[name] for part in parts]), whole[name]) for name in whole)
