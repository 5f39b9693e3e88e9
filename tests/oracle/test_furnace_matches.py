"""Whole matches of the kernel, replayed by a referee written apart (tests/oracle/furnace_referee.py)."""

from __future__ import annotations

from typing import Any

import pytest

from alchemy_sim.config.load import load
from alchemy_sim.games.furnace.config import FurnaceRulings
from alchemy_sim.games.furnace.match.columns import RESULTS
from alchemy_sim.games.furnace.match.encode import encode
from alchemy_sim.games.furnace.match.policies import POLICY_NAMES
from alchemy_sim.games.furnace.match.simulate import simulate
from alchemy_sim.games.furnace.match.trace import trace
from alchemy_sim.games.furnace.names import CATEGORIES
from tests.conftest import TWIN, games
from tests.furnace_rounds import Follower, Round
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


#: Every one of the settings at two to six players: steps through both, which have no common divisor.
CORNERS = [(SETTINGS[step % len(SETTINGS)], 2 + step % 5) for step in range(5 * len(SETTINGS))]


def test_corners_are_all_settings_at_all_player_counts() -> None:
    assert len(set(CORNERS)) == 5 * len(SETTINGS)


@pytest.mark.parametrize("policy", POLICY_NAMES)
@pytest.mark.parametrize("step", range(games(20, 5)))
def test_the_referee_finds_no_fault(policy: str, step: int) -> None:
    """20 matches of each player: every setting once, every player count four times."""
    if TWIN and policy != "random":
        return
    settings, players = CORNERS[step]
    assert match_faults(trace(cell(settings, players, policy), 11, step)) == []


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("policy", POLICY_NAMES)
@pytest.mark.parametrize("settings", SETTINGS, ids=lambda each: " ".join(each) or "default")
def test_the_referee_finds_no_fault_in_many_matches(settings: tuple[str, ...], policy: str) -> None:
    """15 of each setting and player; those of `banker` with an ante a turn would go on for 200,000 turns."""
    if not any(each.startswith("match.max_rounds") for each in settings):
        settings = (*settings, "match.max_rounds=60")
    for players in (2, 3, 4, 5, 6):
        for index in range(3):
            assert match_faults(trace(cell(settings, players, policy), 12, index)) == []


@pytest.mark.parametrize(("policy", "players"), [("random", 4), ("builder", 3), ("shark", 2)])
@pytest.mark.parametrize(
    "settings",
    [
        (),
        ("rulings.ante_per=turn", "rulings.short_call=all_in", "match.max_rounds=40", "match.max_turns=40"),
        ("match.max_turns=9", "match.max_rounds=15", "rulings.single_extension=forbidden"),
    ],
    ids=lambda each: " ".join(each) or "default",
)
def test_rounds_say_what_the_trace_says(settings: tuple[str, ...], policy: str, players: int) -> None:
    """Every column of rounds but `chance_N` and `trump_decided`, which traces don't tell."""
    if TWIN and policy != "random":
        return
    encoded = cell(settings, players, policy)
    count, at, layers = games(12, 2), 0, 0
    columns = simulate(encoded, 5, 0, count)
    rows = {name.removeprefix("rounds/"): values for name, values in columns.items() if name.startswith("rounds/")}
    untold = {"trump_decided", *(f"chance_{seat}" for seat in range(players))}
    assert list(rows) == ["game", *encoded.rounds]
    for index in range(count):
        for told in Follower(trace(encoded, 5, index)).rounds:
            wanted = {"game": index, **row_of(told, players)}
            assert {*rows} - {*wanted} <= {*untold, "winner", "tied"}
            assert {name: int(rows[name][at]) for name in wanted} == wanted, (index, told["n"])
            layers += "winner" not in wanted
            at += 1
    assert at == len(rows["game"])
    assert layers < 0.5 * at


def row_of(told: Round, players: int) -> dict[str, int]:
    """The columns of a round, out of what its trace tells; `winner` and `tied` only where one pot is paid."""
    forcer, winners = told["forcer"], told["winners"]
    asked, shown = forcer is not None, bool(winners)
    found = {
        "round": told["n"],
        "outcome": RESULTS.index(told["outcome"]),
        "starter": told["starter"],
        "turns": told["turns"],
        "forcer": forcer if asked else -1,
        "bet": told["bet"] if asked else -1,
        "callers": len(told["calls"]) if asked else -1,
        "pot": told["pot"],
        "category": min(CATEGORIES.index(each) for each in told["category"].values()) if shown else -1,
        "turn_of_first_33": told["first_33"] or -1,
        "waited": told["declined"][forcer] if asked else -1,
        "uncallable": -1,
    }
    if asked:
        found["uncallable"] = int(max(told["own"][seat] for seat in told["in"] if seat != forcer) < told["bet"])
    if {*told["calls"].values()} <= {told["bet"]}:
        found["winner"] = (-1 if len(winners) > 1 else winners[0]) if shown else found["forcer"]
        found["tied"] = int(len(winners) > 1) if shown else -1
    names = {"points": "points", "from_bag": "bag", "from_players": "others"}
    names |= {name: name for name in ("put_in", "staked", "declined", "paid", "stones")}
    for seat in range(players):
        found |= {f"{column}_{seat}": told[name][seat] for column, name in names.items()}
        entered = asked and (seat == forcer or seat in told["calls"])
        found[f"entered_{seat}"] = 1 if entered else 0 if asked and seat in told["in"] else -1
    return found


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
