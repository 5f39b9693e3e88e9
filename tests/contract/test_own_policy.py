"""A user's own policy in a run: the same digits whoever plays it and however, and never a version that is not meant."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import alchemy_sim
from alchemy_sim.config.load import load
from alchemy_sim.core.errors import StoreError, UsageError
from alchemy_sim.core.seats import PolicyFault
from alchemy_sim.games.crucible.game import GAME
from alchemy_sim.mc.plan import Plan, plan
from alchemy_sim.mc.read import Run
from alchemy_sim.mc.replay import replay
from alchemy_sim.mc.runner import Workers
from alchemy_sim.mc.session import carry_out
from alchemy_sim.mc.store import Store
from tests.conftest import contents
from tests.own_policy import MY, MY_SHOWDOWN, all_seeing
from tests.toy_game import ROOT, CoinsConfig

pytestmark = pytest.mark.compiled

MIXED = "thumb,my.py:low,my.py:plain,my.py:low"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with my.py in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.py").write_text(MY, encoding="utf-8")
    return tmp_path


def planned(policy: str, games: int, mission: int = 4, sets: tuple[str, ...] = (), players: int = 4) -> Plan:
    return plan(load(f"crucible/mission-{mission:02d}", sets, [players]), games, 5, policy=policy)


def columns(policy: str, games: int, **more: Any) -> dict[str, Any]:
    made = planned(policy, games, **more)
    return dict(GAME.simulate(made.cells[0].encoded, made.seed, 0, games))


WAYS = [(2, "threads", None), (2, "threads", 70), (2, "processes", None), (1, "processes", 33)]


@pytest.mark.parametrize(("number", "backend", "chunk"), WAYS)
def test_neither_workers_nor_backend_nor_chunks_change_a_byte(
    here: Path, number: int, backend: str, chunk: int | None
) -> None:
    made = planned(MIXED, 1_000)
    carry_out(made, Workers(number, backend, chunk), Store(here / "one", made))
    carry_out(made, Workers(1), Store(here / "two", made))
    assert contents(here / "one") == contents(here / "two")


@pytest.mark.parametrize(
    ("config", "text", "policy"), [("crucible/mission-04", MY, "thumb"), ("furnace/showdown", MY_SHOWDOWN, "rank")]
)
def test_a_policy_by_another_name_plays_the_same_games(here: Path, config: str, text: str, policy: str) -> None:
    """`plain` hands every question to a policy of the toolkit: the columns differ in its name alone."""
    (here / "my.py").write_text(text, encoding="utf-8")
    cells = [plan(load(config, (), [4]), 500, 5, policy=name).cells[0] for name in ("my.py:plain", policy)]
    one, other = (cell.game.simulate(cell.encoded, 5, 0, 500) for cell in cells)
    assert {name for name in one if (one[name] != other[name]).any()} == {f"policy_{seat}" for seat in range(4)}


def test_plain_python_plays_the_same_games() -> None:
    command = [sys.executable, "-m", "alchemy_sim", "run", "crucible/mission-04", "--players", "4", "--games", "30"]
    command += ["--policy", MIXED, "--format", "json"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    told = [
        json.loads(subprocess.run(command, env=environment | more, capture_output=True, check=True, text=True).stdout)
        for more in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("game", "config", "sets", "others"),
    [
        *(
            ("crucible", f"crucible/mission-{number:02d}", ("rulings.after_loss=play_on",), "all.py:seer")
            for number in (3, 4, 10, 11)
        ),
        ("showdown", "furnace/showdown", (), "all.py:seer"),
        (
            "showdown",
            "furnace/showdown",
            ("rulings.community_joker=dead", "match.hidden_cards=1", "match.kept=3"),
            "all.py:seer",
        ),
        ("furnace", "furnace/default", ("match.max_turns=40", "match.max_rounds=6"), "shark"),
        ("metallurgie", "metallurgie/default", ("rulings.score_again=false",), "greedy"),
    ],
)
def test_nothing_is_left_in_the_view_from_the_game_before(
    here: Path, game: str, config: str, sets: tuple[str, ...], others: str
) -> None:
    """A policy that answers by every field it sees plays each game alike, alone and after any others."""
    (here / "all.py").write_text(all_seeing(game), encoding="utf-8")
    (cell,) = plan(load(config, sets, [4]), 300, 5, policy=f"all.py:seer,{others},all.py:seer,{others}").cells
    whole = cell.game.simulate(cell.encoded, 5, 0, 300)
    assert np.unique(np.stack([whole[name] for name in cell.encoded.columns]), axis=1).shape[1] > 250
    for size in (1, 7):
        parts = [cell.game.simulate(cell.encoded, 5, first, min(size, 300 - first)) for first in range(0, 300, size)]
        assert all(
            np.array_equal(np.concatenate([part[name] for part in parts]), whole[name]) for name in cell.encoded.columns
        )


def test_a_note_never_reaches_another_seat() -> None:
    """`gossip` writes its seat's name whatever it is asked, and answers 99 if it ever finds another's."""
    for mission in (4, 8):
        columns("my.py:gossip", 300, mission=mission, sets=("rulings.after_loss=play_on",))


def test_labels_of_a_run_are_the_games_and_its_own(here: Path) -> None:
    made = planned(MIXED, 200)
    carry_out(made, Workers(1), Store(here / "run", made))
    run = Run(here / "run")
    labels = pl.Enum([*GAME.policies, "my.py:low", "my.py:plain"])
    frame = run.games.collect()
    assert [frame.schema[f"policy_{seat}"] for seat in range(4)] == [labels] * 4
    assert [frame[f"policy_{seat}"].unique().to_list() for seat in range(4)] == [[name] for name in MIXED.split(",")]
    assert run.schema(GAME)["policy_1"] == labels
    cells = run.plan.cells
    assert run.find("policy_1 == 'my.py:low' and ending == 'win'", list(cells), 3)
    assert [own.name for own in cells[0].encoded.own] == ["my.py:low", "my.py:plain"]


def test_all_cells_of_a_run_have_one_list_of_labels(here: Path) -> None:
    """Also where a cell has none of its own: an experiment may name policies in one configuration only."""
    (here / "a.toml").write_text('extends = "crucible/mission-04"\nplayers = 4\npolicy = "my.py:low"\n')
    (here / "b.toml").write_text('extends = "crucible/mission-05"\nplayers = 4\npolicy = "thumb"\n')
    (here / "both.toml").write_text('configs = ["b.toml", "a.toml"]\n')
    made = plan(load("both.toml"), 100, 5)
    carry_out(made, Workers(1), Store(here / "run", made))
    frame = Run(here / "run").games.collect()
    assert frame["policy_0"].dtype == pl.Enum([*GAME.policies, "my.py:low"])
    assert frame.group_by("config", maintain_order=True).agg(pl.col("policy_0").unique())["policy_0"].to_list() == [
        ["thumb"], ["my.py:low"],
    ]  # fmt: skip


def test_a_name_in_a_configuration_is_relative_to_its_file(here: Path) -> None:
    (here / "far").mkdir()
    (here / "my.py").rename(here / "far" / "my.py")
    (here / "far" / "a.toml").write_text('extends = "crucible/mission-04"\nplayers = 4\npolicy = ["my.py:low"]\n')
    made = plan(load("far/a.toml"), 100, 5)
    assert made.cells[0].policies == ("far/my.py:low",) * 4
    assert plan(load("far/a.toml"), 100, 5, policy="thumb").cells[0].encoded.own == ()


def test_the_python_interface(here: Path) -> None:
    result = alchemy_sim.run("crucible/mission-04", games=300, players=4, policy=["my.py:low", *["thumb"] * 3])
    assert result.games.select("policy_0").unique().collect().to_series().to_list() == ["my.py:low"]
    told = result.replay(3)
    stored = alchemy_sim.run("crucible/mission-04", games=300, players=4, policy=MIXED, out="run")
    assert stored.manifest["own_policies"][0]["policy"] == "my.py:low"
    first = stored.replay(3)
    (here / "my.py").write_text(MY.replace("RANK_OF[face] <", "RANK_OF[face] >"), encoding="utf-8")
    assert result.replay(3) == told  # in memory: the policies as they were are still there
    with pytest.raises(StoreError, match="has changed since"):
        stored.replay(3)
    other = alchemy_sim.run("crucible/mission-04", games=300, players=4, policy=["my.py:low", *["thumb"] * 3])
    assert other.rows() != result.rows()
    (here / "my.py").write_text(MY, encoding="utf-8")
    assert stored.replay(3) == first
    assert len(stored.estimates(by="seat")) > 0


def test_replays_and_traces_are_by_the_own_policy(here: Path) -> None:
    made = planned(MIXED, 50)
    carry_out(made, Workers(1), Store(here / "run", made))
    run = Run(here / "run")
    for game in range(0, 50, 7):
        found = replay(run, run.plan.cells[0], game)
        assert found.checked
        assert found.events == GAME.trace(made.cells[0].encoded, made.seed, game)


def test_a_run_goes_on_as_it_began(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped, resumed and extended, a run by own policies ends with the bytes of an unbroken one."""
    from alchemy_sim.cli.play import extend_run
    from alchemy_sim.mc import plan as planning
    from alchemy_sim.mc.resume import reopen
    from alchemy_sim.mc.runner import play

    monkeypatch.setattr(planning, "PART_GAMES", 100)
    whole, made = planned(MIXED, 450), planned(MIXED, 250)
    carry_out(whole, Workers(1), Store(here / "whole", whole))
    store = Store(here / "cut", made)
    play(made, Workers(1), store, parts=store.left()[:1])
    store.close()
    carry_out(made, Workers(1), reopen(here / "cut", made, "games"))
    extend_run(here / "cut", 450, Workers(2), "csv", "")
    assert contents(here / "cut") == contents(here / "whole")


#: What a policy does, what is said of it (as a pattern), and what stands in the line that is named.
FAULTS = {
    "far": (r"broke the rules in game \d+: asked for CARD in reaction \d+, it answered 99", ""),
    "minus": (r"broke the rules in game \d+: asked for WHISPER in reaction 1, it answered -2", ""),
    "outside": (
        r"raised an exception in game \d+: asked for POWER in reaction \d+, IndexError: index \d is out of bounds .*",
        "return view.slag",
    ),
    "divides": (
        r"raised an exception in game \d+: asked for INTENT in reaction 1, ZeroDivisionError: integer division by zero",
        "return 1 //",
    ),
    "gives_up": (
        r"raised an exception in game \d+: asked for CLAIM in reaction 0, ValueError: I don't know",
        "raise ValueError",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_policy_that_breaks_the_rules_is_named_with_all_that_is_known(name: str) -> None:
    words, line = FAULTS[name]
    with pytest.raises(PolicyFault) as caught:
        columns(f"thumb,my.py:{name},thumb,thumb", 200)
    place = rf" \(my\.py:{MY[: MY.index(line)].count(chr(10)) + 1}\)" if line else ""
    assert re.fullmatch(rf'policy "my\.py:{name}" \(seat 1\) {words}{place}', str(caught.value)), str(caught.value)


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_a_fault_in_a_worker_reaches_the_caller(backend: str) -> None:
    made = planned("thumb,my.py:far,thumb,thumb", 300)
    with pytest.raises(
        PolicyFault, match=r'policy "my\.py:far" \(seat 1\) broke the rules in game \d+: asked for CARD'
    ):
        carry_out(made, Workers(2, backend, 50))


def test_games_without_own_policies_say_so() -> None:
    from alchemy_sim.config.load import Experiment, Setting

    coins = Experiment("coins", "", (Setting("coins", "coins", CoinsConfig()),), None, None)
    with pytest.raises(UsageError) as caught:
        plan(coins, policy="my.py:low")
    assert str(caught.value) == 'unknown policy "my.py:low"; allowed: plain, lucky'
