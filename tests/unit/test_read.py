"""Reading a run back: what is wrong with a folder is named, what was played is found again, in pandas too."""

from __future__ import annotations

import doctest
import importlib
import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest

import alchemy_sim
from alchemy_sim.config.load import Experiment, Setting, load
from alchemy_sim.core.errors import AlchemyError, ConfigError, StoreError, UsageError
from alchemy_sim.core.game import Metric
from alchemy_sim.mc import plan as planning
from alchemy_sim.mc.compare import findings, label_findings, of_plans, of_runs, play_both
from alchemy_sim.mc.convert import to_pandas
from alchemy_sim.mc.explain import command, examples, rulings_changed
from alchemy_sim.mc.plan import plan
from alchemy_sim.mc.provenance import describe
from alchemy_sim.mc.read import Run
from alchemy_sim.mc.rebuild import plan_of
from alchemy_sim.mc.runner import Workers
from alchemy_sim.mc.session import carry_out
from alchemy_sim.mc.splits import pooled, split_estimate, split_rows
from alchemy_sim.mc.stats import Estimate, estimate, proportion
from alchemy_sim.mc.store import Store
from alchemy_sim.mc.totals import Totals
from alchemy_sim.mc.where import where
from tests.toy_game import GAME, CoinsConfig
from tests.toy_rounds import TossesConfig, rounds_of

GAMES = 500
EXPERIMENT = Experiment(
    "coins",
    "Coins",
    (
        Setting("one", "coins", CoinsConfig(most=3, assumed=("most",))),
        Setting("two", "coins", CoinsConfig(players=3, rulings={"edge": "tails"})),
    ),
    None,
    None,
)


#: The same with rounds, and one cell without beside them.
TOSSES = Experiment(
    "tosses",
    "Tosses",
    (
        Setting("one", "tosses", TossesConfig(most=3)),
        Setting("two", "tosses", TossesConfig(players=3)),
        Setting("bare", "coins", CoinsConfig(players=3)),
    ),
    None,
    None,
)


def stored(folder, keep="games", experiment=EXPERIMENT):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(planning, "PART_GAMES", 200)
        planned = plan(experiment, games=GAMES, seed=4)
        carry_out(planned, Workers(1), Store(folder, planned, keep))
    return Run(folder)


@pytest.fixture
def run(tmp_path):
    return stored(tmp_path / "run")


@pytest.fixture
def tosses(tmp_path):
    return stored(tmp_path / "tosses", experiment=TOSSES)


@pytest.fixture
def coins(tmp_path):
    path = tmp_path / "coins.toml"
    path.write_text('rulebook = "coins"\ntitle = "<Coins>"\n', encoding="utf-8")
    return path


def test_all_games_are_there_in_one_lazy_table(run):
    frame = run.games.collect()
    assert frame.height == 3 * GAMES
    assert frame.schema == run.schema(GAME)
    for cell in run.plan.cells:
        mine = frame.filter(pl.col("cell") == cell.index)
        assert mine["game"].to_list() == list(range(GAMES))
        assert pl.concat(run.frames(cell)).equals(mine)
        assert pl.concat(run.frames(cell, ["tosses"])).equals(mine.select("tosses"))
        assert run.row(cell, 433) == mine.row(433, named=True)


@pytest.mark.parametrize("name", ["crucible/logbook", "coins"])
def test_the_rules_of_a_manifest_are_those_that_were_played(name):
    experiment = (
        EXPERIMENT if name == "coins" else load(name, ["rulings.early_win=true", "task_pool=T01,T02,T03,T04,T05"])
    )
    planned = plan(experiment, games=10, seed=3)
    manifest = json.loads(json.dumps(describe(planned, "games")))
    again = plan_of(manifest, "run")
    assert (again.games, again.seed, again.name, again.title) == (10, 3, planned.name, planned.title)
    for one, other in zip(planned.cells, again.cells, strict=True):
        assert one.encoded.rules.tobytes() == other.encoded.rules.tobytes()
        assert one.encoded.rules.dtype == other.encoded.rules.dtype
        assert (one.encoded.columns, one.encoded.facts) == (other.encoded.columns, other.encoded.facts)
        assert (one.policies, one.players, one.title) == (other.policies, other.players, other.title)
        assert one.setting == other.setting
    assert describe(again, "games") == manifest


def damage(folder, how, table="games"):
    part = folder / table / "part-000004.parquet"
    manifest = json.loads((folder / "manifest.json").read_text())
    if how == "missing":
        part.unlink()
    elif how == "cut":
        part.write_bytes(part.read_bytes()[:-1])
    elif how == "flipped":
        content = bytearray(part.read_bytes())
        content[len(content) // 2] ^= 1
        part.write_bytes(content)
    elif how == "swapped":
        part.write_bytes(b"x" * len(part.read_bytes()))
    elif how == "foreign":
        (folder / table / "part-000099.parquet").write_bytes(part.read_bytes())
    elif how == "gap":
        manifest["parts"] = [entry for entry in manifest["parts"] if entry["file"] != f"{table}/{part.name}"]
    elif how == "double":
        manifest["parts"] += [entry for entry in manifest["parts"] if entry["file"] == f"{table}/{part.name}"]
    elif how == "format":
        manifest["format"] = 9
    elif how == "list":
        manifest = []
    elif how == "config":
        manifest["configurations"][0]["resolved"]["most"] = -1
    elif how == "game":
        manifest["configurations"][0]["game"] = "chess"
    elif how == "policy":
        del manifest["cells"][0]["policies"]
    elif how == "summary":
        (folder / "summary.json").unlink()
    elif how == "totals":
        summary = json.loads((folder / "summary.json").read_text())
        summary["cells"][1]["metrics"]["win_rate"]["n"] += 1
        (folder / "summary.json").write_text(json.dumps(summary))
    elif how == "older":
        summary = json.loads((folder / "summary.json").read_text())
        del summary["cells"][1]["metrics"]["win_rate"]
        (folder / "summary.json").write_text(json.dumps(summary))
    elif how == "cells":
        summary = json.loads((folder / "summary.json").read_text())
        (folder / "summary.json").write_text(json.dumps({**summary, "cells": summary["cells"][:2]}))
    elif how == "unfinished":
        (folder / "manifest.json").rename(folder / "started.json")
    elif how == "empty":
        (folder / "manifest.json").write_text("{}")
    if how not in ("unfinished", "empty"):
        (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("missing", r"part-000004\.parquet: this part of the run is missing; run it again with --resume"),
        ("cut", r"part-000004\.parquet: this part of the run is damaged \([\d,]+ bytes instead of [\d,]+\)"),
        ("flipped", r"part-000004\.parquet: this part is damaged or of another run \(its digest differs\)"),
        ("swapped", r"part-000004\.parquet: this part is damaged or of another run"),
        ("foreign", r"part-000099\.parquet: this part is not of this run"),
        ("gap", "leaves a gap or doubles games"),
        ("double", "leaves a gap or doubles games"),
        ("format", "has format 9; this version reads 1"),
        ("list", "manifest.json is not a run's"),
        ("empty", "manifest.json is not a run's"),
        ("config", "manifest.json: configuration one: most: "),
        ("game", 'unknown game "chess"'),
        ("policy", "manifest.json is not a run's"),
        ("summary", "summary.json is missing"),
        ("totals", "summary.json has for cell 1 501 games, the manifest 500"),
        ("older", "summary.json lacks win_rate of cell 1: another version of the program made it; run it again"),
        ("cells", "summary.json has 2 cells, the manifest 3"),
        ("unfinished", "the run is unfinished; go on with run and --resume"),
    ],
)
def test_what_is_wrong_with_a_folder_is_named(run, how, words):
    damage(run.folder, how)
    with pytest.raises(StoreError, match=words) as caught:
        Run(run.folder).games.collect()
    assert "\n" not in str(caught.value)
    if how in ("flipped", "swapped"):  # whichever way the games are used
        cell = run.plan.cells[1]
        for use in (lambda: list(Run(run.folder).frames(cell)), lambda: Run(run.folder).filtered("hot", [cell])):
            with pytest.raises(StoreError, match=words):
                use()


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("missing", r"rounds/part-000004\.parquet: this part of the run is missing; run it again with --resume"),
        ("cut", r"rounds/part-000004\.parquet: this part of the run is damaged"),
        ("flipped", r"rounds/part-000004\.parquet: this part is damaged or of another run"),
        ("foreign", r"rounds/part-000099\.parquet: this part is not of this run"),
        ("gap", "leaves a gap or doubles games"),
        ("double", "leaves a gap or doubles games"),
    ],
)
def test_what_is_wrong_with_rounds_is_named(tosses, how, words):
    damage(tosses.folder, how, "rounds")
    with pytest.raises(StoreError, match=words):
        Run(tosses.folder).rounds.collect()
    with pytest.raises(StoreError, match=words):
        Run(tosses.folder).filtered("hot", [tosses.plan.cells[0]])


def test_all_rounds_are_there_in_one_lazy_table(tosses):
    frame = tosses.rounds.collect()
    assert set(frame["config"].unique()) == {"one", "two"}
    for cell in tosses.plan.cells[:3]:
        mine = frame.filter(pl.col("cell") == cell.index)
        assert mine.select("game", "round", "heads").rows() == rounds_of(cell, 4, GAMES)
        assert pl.concat(tosses.frames(cell, None, "rounds")).equals(mine)


def test_chosen_games_come_with_their_rounds(tosses):
    """Metrics on rounds over games that meet a condition: some of every part, none of some parts, none at all."""
    frame, rounds = tosses.games.collect(), tosses.rounds.collect()
    for text in (
        "hot",
        "tosses == 2 and ending != 'win'",
        "game >= 390 and game < 410",
        "first_head is null",
        "game < 0",
    ):
        found = tosses.filtered(text, tosses.plan.cells[:3])
        for cell in tosses.plan.cells[:3]:
            wanted = where(text, tosses.schema(cell.game)).expression
            games = frame.filter((pl.col("cell") == cell.index) & wanted)
            mine = rounds.filter(pl.col("cell") == cell.index).join(games.select("game"), on="game", how="semi")
            totals = found[cell.index]
            assert totals["kept"].n == games.height
            assert totals["kept"].x == totals["round_heads"].y == mine.height
            assert totals["round_heads"].x == totals["head_rate"].x == mine["heads"].sum()
            for seat in "01":
                counted = totals.get(f"up/up/{seat}", Totals())
                assert (counted.x, counted.y) == (mine[f"up_{seat}"].sum(), mine.height)


def test_games_are_compared_with_their_rounds(tosses, monkeypatch):
    """A stored run with itself, with the start of itself played again, and two that are played: all differ by nothing.

    The last part of the start is cut in the middle of one that was stored.
    """
    monkeypatch.setattr(planning, "PART_GAMES", 200)
    (cell, *_), plan_b = tosses.plan.cells, replace(tosses.plan, games=300)
    own = of_runs(tosses, tosses, [cell], [cell], "up")
    assert {each.effect.effect for each in [*findings(own), *label_findings(own, "up")]} <= {0, None}
    assert own.pairs[0]["kept"].side(True) == tosses.totals[cell.index]["kept"]
    first = tosses.filtered("game < 300", [cell])[cell.index]
    beside = of_plans(tosses, plan_b, Workers(1))
    assert beside.pairs[0]["round_heads"].side(True) == beside.pairs[0]["round_heads"].side(False)
    assert beside.pairs[0]["round_heads"].side(False) == first["round_heads"]
    together = play_both(plan_b, plan_b, Workers(1), "up")
    assert together.pairs[0]["kept"].side(True) == first["kept"]
    told = examples(tosses, cell, cell.game.metric("kept"))
    assert [each.words for each in told] == ["0 tosses", "1 tosses", "3 tosses"]
    assert explained_from_a_summary(tosses, cell) == told


def explained_from_a_summary(run, cell):
    record = type("Summary", (), {"manifest": {"keep": "summary"}, "plan": replace(run.plan, games=200)})()
    record.ready = lambda _cell: None
    return examples(record, cell, cell.game.metric("kept"))


def test_a_folder_without_a_run(tmp_path):
    with pytest.raises(StoreError, match="no run here"):
        Run(tmp_path)
    with pytest.raises(StoreError, match="no run here"):
        Run(tmp_path / "nothing")


def test_a_summary_answers_what_it_can(tmp_path, run):
    summary = stored(tmp_path / "summary", "summary")
    assert summary.totals == run.totals
    assert summary.row(summary.plan.cells[0], 3) is None
    for ask in (lambda: summary.games, lambda: summary.filtered("hot", summary.plan.cells)):
        with pytest.raises(StoreError, match="holds a summary only"):
            ask()
    with pytest.raises(StoreError, match="holds no rounds"):
        run.rounds  # noqa: B018 - asking is what is tested


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((7,), "--cell 7: the run has cells 0 to 2"),
        ((None, ["oen"]), 'unknown configuration of this run "oen" (did you mean "one"?); allowed: one, two'),
        ((None, None, [5]), "--players 5: the run has 2, 3"),
        ((None, ["two"], [2]), "--cell, --config and --players leave no cell of the run"),
    ],
)
def test_cells_that_are_not_there(run, args, words):
    with pytest.raises(UsageError) as caught:
        run.select(*args)
    assert str(caught.value) == words


def test_one_cell_has_to_be_meant(run):
    assert run.one(config="two").index == 2
    assert run.one(config="one", players=2).index == 0
    with pytest.raises(UsageError, match="name --config and --players: the run has one with 2, one with 3, two with 3"):
        run.one()
    with pytest.raises(UsageError, match="name --config: "):
        run.one(players=3)


def test_examples_show_what_a_metric_counts(run):
    cell = run.plan.cells[0]
    frame = pl.concat(run.frames(cell))
    won = examples(run, cell, GAME.metric("win_rate"))
    assert [each.game for each in won] == frame.filter(pl.col("ending") == "win")["game"].head(3).to_list()
    tosses = [frame["tosses"][each.game] for each in examples(run, cell, GAME.metric("tosses"))]
    assert tosses == [1, 2, 3]
    assert [each.words for each in examples(run, cell, GAME.metric("tosses"))] == ["1 tosses", "2 tosses", "3 tosses"]
    assert examples(run, cell, Metric("never", "proportion", "", lambda o: 0 * o["ending"])) == []


def test_the_command_that_made_a_run():
    planned = plan(load("crucible/mission-04", ["limit=24", "early_win=true"], [3, 5]), 10, 2, policy="random")
    record = type("Record", (), {"plan": planned})()
    line = "alchemy-sim run crucible/mission-04 --games 10 --seed 2 --players 3,5 --policy random"
    assert command(record) == (f"{line} --set limit=24 --set rulings.early_win=true", "")
    assert rulings_changed(planned.cells[0]) == {"early_win": True}


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        (Totals(50, 20, 50, 20, 50, 20), proportion(20, 50)),
        (Totals(40, 3, 40, 3, 40, 3), proportion(3, 40)),
        (Totals(40, 0, 40, 0, 40, 0), proportion(0, 40)),
        (Totals(3, 4, 6, 8, 14, 10), None),
        (Totals(3, 2, 2, 2, 2, 1), None),  # x without y: a ratio, not a part of the games
    ],
)
def test_what_counts_games_is_a_proportion_and_all_else_a_ratio(totals, expected):
    split = GAME.breakdowns[1].splits[1]
    ratio = estimate(Metric("it", "ratio", "", lambda o: o, lambda o: o), totals)
    assert split_estimate(split, totals) == (expected or ratio)


def test_missions_together_have_the_mean_of_their_intervals():
    one, other = Totals(30, 10, 30, 10, 30, 10), Totals(10, 5, 10, 5, 10, 5)
    found = [(each, proportion(each.x, each.y)) for each in (one, other)]
    low = (30 * found[0][1].low + 10 * found[1][1].low) / 40
    high = (30 * found[0][1].high + 10 * found[1][1].high) / 40
    assert pooled(found) == Estimate(15 / 40, low, high, 40, "pooled")
    assert pooled(found[:1]) == found[0][1]
    unknown = (Totals(1, 3, 1, 9, 1, 3), Estimate(3.0, None, None, 1, "delta"))
    assert pooled([found[0], unknown]).low is None


def test_rows_over_missions_are_one_a_player_count(run):
    rows = split_rows(run.plan.cells, run.totals, "ending", ["share"], "all")
    assert {(row["config"], row["players"]) for row in rows} == {("all", 2), ("all", 3)}
    win = next(row for row in rows if (row["players"], row["label"]) == (3, "win"))
    totals = [run.totals[cell]["ending/share/win"] for cell in (1, 2)]
    assert (win["estimate"], win["n"], win["method"]) == (sum(t.x for t in totals) / 1000, 1000, "pooled")
    with pytest.raises(UsageError, match='unknown breakdown "seats"'):
        split_rows(run.plan.cells, run.totals, "seats")
    with pytest.raises(UsageError, match="unknown metric of --by ending"):
        split_rows(run.plan.cells, run.totals, "ending", ["shar"])


def test_pandas_without_pyarrow(run):
    frame = run.games.collect()
    there = to_pandas(frame)
    assert list(there.columns) == frame.columns
    assert isinstance(there["ending"].dtype, pd.CategoricalDtype)
    assert list(there["ending"].dtype.categories) == list(frame.schema["ending"].categories)
    assert there["first_head"].dtype == "Int8"
    assert there["tosses"].dtype == np.int16
    assert there["hot"].dtype == bool
    for name in frame.columns:
        mine = [None if pd.isna(value) else value for value in there[name].tolist()]
        assert mine == frame[name].to_list(), name
    nulls = pl.DataFrame({"b": [True, None], "f": [0.5, None], "t": ["x", None]})
    assert to_pandas(nulls)["b"].dtype == "boolean"
    assert to_pandas(nulls)["f"].isna().tolist() == [False, True]


def test_import_is_light():
    code = "import sys, alchemy_sim; print([m for m in ('numpy', 'polars', 'numba', 'scipy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert set(alchemy_sim.__all__) <= set(dir(alchemy_sim))
    assert all(getattr(alchemy_sim, name) is not None for name in alchemy_sim.__all__)
    with pytest.raises(AttributeError, match="no attribute 'ran'"):
        alchemy_sim.ran  # noqa: B018 - asking is what is tested


def test_rounds_in_memory_and_in_a_folder_are_alike(tmp_path):
    path = tmp_path / "tosses.toml"
    path.write_text('rulebook = "tosses"\n', encoding="utf-8")
    kept = alchemy_sim.run(path, games=300, seed=9, workers=2)
    folder = alchemy_sim.run(path, games=300, seed=9, out=tmp_path / "run")
    assert kept.rounds.collect().equals(folder.rounds.collect())
    assert kept.rounds.select("heads").sum().collect().item() > 0
    for by in (None, "up"):
        assert kept.rows(by) == folder.rows(by)
        assert kept.rows(by, where="tosses == 2") == folder.rows(by, where="tosses == 2")
    assert kept.replay(7, players=3) == folder.replay(7, players=3)
    with pytest.raises(StoreError, match="holds a summary only"):
        alchemy_sim.run(path, games=5, keep="summary").rounds  # noqa: B018 - asking is what is tested


def test_a_game_without_rounds_has_none_in_memory(coins):
    with pytest.raises(StoreError, match="holds no rounds"):
        alchemy_sim.run(coins, games=5).rounds  # noqa: B018 - asking is what is tested


def test_a_run_in_memory_and_one_in_a_folder_are_alike(coins, tmp_path):
    kept = alchemy_sim.run(coins, games=300, seed=9, set={"most": 5}, workers=2)
    folder = alchemy_sim.run(coins, games=300, seed=9, set=["most=5"], out=tmp_path / "run")
    assert kept.games.sort("cell", "game").collect().equals(folder.games.sort("cell", "game").collect())
    assert kept.rows() == folder.rows() == alchemy_sim.load(tmp_path / "run").rows()
    for by in ("seat", "ending", "first_head"):
        assert kept.rows(by) == folder.rows(by)
        assert kept.estimates(by).to_dicts() == kept.rows(by)
    assert kept.rows(where="tosses == 5") == folder.rows(where="tosses == 5")
    assert kept.replay(7, players=3) == folder.replay(7, players=3)
    assert kept.replay(7, players=3).row["game"] == 7
    assert {key: value for key, value in folder.manifest.items() if key != "parts"} == kept.manifest
    assert kept.to_pandas().equals(to_pandas(kept.games.collect()))
    assert kept.metrics["metric"].to_list() == [metric.name for metric in GAME.metrics]


def test_a_result_shows_itself(coins):
    result = alchemy_sim.run(str(coins), games=100, players=2, policy=["plain", "lucky"])
    assert "win rate" in repr(result)
    assert "policy plain,lucky, seed 1, 100 games of each" in repr(result)
    assert "&lt;Coins&gt;" in result._repr_html_()
    assert "<Coins>" not in result._repr_html_()
    told = result.replay(3)
    assert repr(told) == str(told)
    assert told._repr_html_().startswith("<pre>")
    assert "&#x27;setup&#x27;" in told._repr_html_()
    assert told.events[0]["game_index"] == 3


@pytest.mark.parametrize(
    ("more", "kind", "words"),
    [
        ({"games": 0}, UsageError, "games is 0"),
        ({"games": "many"}, UsageError, "games is 'many'; it must be a whole number"),
        ({"games": True}, UsageError, "games is True; it must be a whole number"),
        ({"keep": "all"}, UsageError, 'unknown value of keep "all"; allowed: games, summary'),
        ({"workers": 0}, UsageError, "workers is 0"),
        ({"policy": "plan"}, UsageError, 'did you mean "plain"'),
        ({"set": {"mots": 3}}, ConfigError, 'did you mean "most"'),
        ({"set": {"most": 0}}, ConfigError, "must be a whole number from 1 to 50"),
        ({"set": {"most": object()}}, UsageError, "is no value of a configuration"),
        ({"players": 9}, AlchemyError, "must be among 2, 3"),
    ],
)
def test_mistakes_are_one_line(coins, more, kind, words):
    with pytest.raises(kind, match=words) as caught:
        alchemy_sim.run(coins, **{"games": 10, **more})
    assert "\n" not in str(caught.value)


def test_a_summary_in_memory(coins):
    result = alchemy_sim.run(coins, games=50, keep="summary")
    assert len(result.rows("seat")) > 0
    with pytest.raises(StoreError, match="holds a summary only"):
        result.games.collect()
    assert result.replay(3, players=2).game == 3


@pytest.mark.compiled
@pytest.mark.parametrize("module", [alchemy_sim, importlib.import_module("alchemy_sim.api")], ids=["package", "api"])
def test_examples_in_docstrings_run(module):
    failed, tried = doctest.testmod(module)
    assert (failed, tried > 0) == (0, True)
