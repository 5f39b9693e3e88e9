"""Whole matches of the kernel, replayed by a referee written apart (tests/oracle/furnace_referee.py)."""

from __future__ import annotations

from typing import Any

import pytest

from alchemy_sim.config.load import load
from alchemy_sim.games.furnace.config import FurnaceRulings
from alchemy_sim.games.furnace.match.encode import encode
from alchemy_sim.games.furnace.match.simulate import simulate
from alchemy_sim.games.furnace.match.trace import trace
from tests.conftest import games
from tests.oracle.furnace_referee import match_faults

#: Every ruling's other values one by one, decks and numbers that bring out corners, and all of it together.
SETTINGS = [
    (),
    *(
        (f"rulings.{switch.name}={value}",)
        for switch in FurnaceRulings.switches()
        for value in switch.values
        if value != switch.default
    ),
    ("rulings.short_call=all_in", "rulings.ante_per=turn", "rulings.furnace_trump=own_family"),
    ("deck.ranks=12", "deck.families=5", "match.bag_stones=2"),
    ("match.stones=2", "match.bag_stones=0", "match.qualify=20", "match.max_turns=12", "match.max_rounds=30"),
]
ENCODED: dict[Any, Any] = {}


def cell(settings: tuple[str, ...], players: int, policy: str) -> Any:
    key = (settings, players, policy)
    if key not in ENCODED:
        config: Any = load("furnace/default", settings).settings[0].config
        ENCODED[key] = encode(config, players, [policy] * players)
    return ENCODED[key]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda each: " ".join(each) or "default")
@pytest.mark.parametrize("policy", ["random", "builder"])
def test_the_referee_finds_no_fault(settings: tuple[str, ...], policy: str) -> None:
    for players in (2, 4, 6) if policy == "random" else (3,):
        for index in range(games(2 if policy == "random" else 1, 1)):
            assert match_faults(trace(cell(settings, players, policy), 11, index)) == []


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS, ids=lambda each: " ".join(each) or "default")
def test_the_referee_finds_no_fault_in_many_matches(settings: tuple[str, ...]) -> None:
    for players in (2, 3, 4, 5, 6):
        for index in range(40):
            assert match_faults(trace(cell(settings, players, "random"), 12, index)) == []


def test_columns_say_what_the_trace_says() -> None:
    encoded = cell((), 4, "random")
    count = games(30, 2)
    columns = simulate(encoded, 5, 0, count)
    for index in range(count):
        events = trace(encoded, 5, index)
        row = {name: int(values[index]) for name, values in columns.items()}
        end, turns = events[-1], [event for event in events if event["type"] == "turn"]
        rounds = [event for event in events if event["type"] == "round_end"]
        assert row["winner"] == (-1 if end["winner"] is None else end["winner"])
        assert (row["rounds"], row["turns"]) == (end["rounds"], len(turns))
        assert [row[f"stones_{seat}"] for seat in range(4)] == rounds[-1]["stones"]
        assert (row["bag"], row["pot"]) == (rounds[-1]["bag"], rounds[-1]["pot"])
        for outcome in ("folded", "stalled"):
            assert row[outcome] == sum(event["outcome"] == outcome for event in rounds)
        assert row["showdowns"] == sum(event["outcome"] == "showdown" for event in rounds)
        for seat in range(4):
            out = [event["round"] for event in rounds if seat in event["out"]]
            assert row[f"out_round_{seat}"] == (out[0] if out else -1)
            plays = [(turn["player"], play) for turn in turns for play in turn["plays"] if "stone_from" in play]
            mine = [play["stone_from"] for player, play in plays if player == seat]
            assert row[f"from_bag_{seat}"] == mine.count("bag")
            assert row[f"from_players_{seat}"] == len(mine) - mine.count("bag")
            forces = [event for event in events if event["type"] == "force"]
            assert row[f"forced_{seat}"] == sum(event["player"] == seat for event in forces)
            assert row[f"called_{seat}"] == sum(call[0] == seat for event in forces for call in event["calls"])
            earned = row[f"from_bag_{seat}"] + row[f"from_pots_{seat}"]
            taken = sum(play["stone_from"] == seat for _, play in plays)
            assert row[f"stones_{seat}"] == 9 + earned + row[f"from_players_{seat}"] - taken
