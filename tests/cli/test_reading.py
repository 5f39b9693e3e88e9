"""show, find, replay and explain: what they print of a stored run, and one line for every mistake."""

from __future__ import annotations

import csv
import io
import json
import shlex

import polars as pl
import pytest

from alchemy_sim.cli.app import main
from alchemy_sim.mc.read import Run
from alchemy_sim.mc.stats import rows
from tests.toy_game import GAME

GAMES = 400


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A stored run of two configurations of coins at two and three players."""
    place = tmp_path_factory.mktemp("reading")
    (place / "fair.toml").write_text('rulebook = "coins"\ntitle = "Fair"\nassumed = ["most"]\n', encoding="utf-8")
    (place / "hot.toml").write_text('extends = "fair.toml"\ntitle = "Hot"\nhot = 0.9\nrulings = {edge = "tails"}\n')
    (place / "both.toml").write_text('title = "Both"\nconfigs = ["fair.toml", "hot.toml"]\n', encoding="utf-8")
    assert (
        main(["run", str(place / "both.toml"), "--games", str(GAMES), "--seed", "3", "--out", str(place / "run")]) == 0
    )
    return place / "run"


@pytest.fixture
def summary(tmp_path, command):
    """A run that kept its summary only."""
    (tmp_path / "coins.toml").write_text('rulebook = "coins"\nplayers = 2\n', encoding="utf-8")
    assert (
        command("run", tmp_path / "coins.toml", "--games", 50, "--out", tmp_path / "run", "--keep", "summary")[0] == 0
    )
    return tmp_path / "run"


def parsed(command, *args):
    code, out, err = command(*args, "--format", "json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_show_prints_what_run_printed(command, folder):
    made = command("run", folder.parent / "both.toml", "--games", GAMES, "--seed", 3)[1]
    assert command("show", folder) == (0, made, "")
    found = parsed(command, "show", folder)
    run = Run(folder)
    assert found["rows"] == rows(run.plan.cells, run.totals)
    assert (found["command"], found["seed"], found["games"]) == ("show", 3, GAMES)
    assert list(found["rows"][0]) == ["config", "players", "metric", "estimate", "low", "high", "n", "method"]


def test_every_format_of_show_has_the_same_rows(command, folder):
    for more in ([], ["--by", "ending", "--over", "none"]):
        args = ("show", folder, "--config", "hot", "--players", 3, *more)
        found = parsed(command, *args)["rows"]
        lines = list(csv.DictReader(io.StringIO(command(*args, "--format", "csv")[1])))
        assert [line["metric"] for line in lines] == [row["metric"] for row in found]
        assert [line["estimate"] for line in lines] == [
            "" if row["estimate"] is None else str(row["estimate"]) for row in found
        ]
    assert "| ending | games | share | tosses |" in command(*args, "--format", "md")[1]


def test_show_chooses_cells_and_metrics(command, folder):
    found = parsed(command, "show", folder, "--config", "fair,hot", "--players", 3, "--metric", "tosses,win_rate")
    assert [(row["config"], row["players"], row["metric"]) for row in found["rows"]] == [
        ("fair", 3, "win_rate"), ("fair", 3, "tosses"), ("hot", 3, "win_rate"), ("hot", 3, "tosses"),
    ]  # fmt: skip
    text = command("show", folder, "--cell", 1, "--metric", "edges")[1]
    assert [line.split()[:3] for line in text.splitlines()[1:4:2]] == [
        ["configuration", "players", "games"],
        ["Fair", "*", "3"],
    ]


def test_show_by_label(command, folder):
    found = parsed(command, "show", folder, "--by", "ending")
    assert found["by"] == "ending"
    assert list(found["rows"][0]) == [
        "config", "players", "by", "label", "metric", "estimate", "low", "high", "n", "method",
    ]  # fmt: skip
    shares = [row for row in found["rows"] if row["metric"] == "share"]
    assert {(row["config"], row["players"]) for row in shares} == {(c, p) for c in ("fair", "hot") for p in (2, 3)}
    overall = parsed(command, "show", folder)["rows"]
    for row in shares:
        if row["label"] == "win":
            same = {**row, "metric": "win_rate"}
            assert {key: same[key] for key in same if key not in ("by", "label")} in overall


def test_show_by_label_takes_missions_together_in_tables(command, folder):
    code, text, _ = command("show", folder, "--by", "seat")
    assert code == 0
    assert [line for line in text.splitlines() if line.startswith("Both, ")] == [
        "Both, 2 players: each seat", "Both, 3 players: each seat",
    ]  # fmt: skip
    assert "over missions: the mean of their intervals, for missions share deals" in text
    each = command("show", folder, "--by", "seat", "--over", "none")[1]
    assert next(line for line in each.splitlines() if "players: each seat" in line) == "Fair, 2 players: each seat"
    merged = parsed(command, "show", folder, "--by", "seat", "--over", "missions")["rows"]
    assert {(row["config"], row["players"]) for row in merged} == {("both", 2), ("both", 3)}
    frame = Run(folder).games.filter(pl.col("players") == 3).collect()
    assert merged[-1]["estimate"] == frame["heads_2"].sum() / frame["tosses"].sum()
    assert merged[-1]["method"] == "pooled"


def test_show_where_agrees_with_polars(command, folder):
    text = "ending != 'win' and first_head is not null"
    found = parsed(command, "show", folder, "--where", text, "--metric", "tosses")
    games = Run(folder).games.filter(pl.col("ending") != "win", pl.col("first_head").is_not_null()).collect()
    assert found["where"] == text
    for row in found["rows"]:
        mine = games.filter(pl.col("config") == row["config"], pl.col("players") == row["players"])
        assert (row["n"], row["estimate"]) == (mine.height, mine["tosses"].sum() / mine.height)
    table = command("show", folder, "--where", text)[1]
    assert f"only games with {text}" in table
    assert f"{mine.height}   " in table
    by = parsed(command, "show", folder, "--by", "first_head", "--where", text, "--players", 2, "--config", "hot")[
        "rows"
    ]
    mine = games.filter(pl.col("config") == "hot", pl.col("players") == 2)
    assert {row["label"]: row["n"] for row in by} == {
        str(k): n for k, n in mine["first_head"].value_counts().iter_rows()
    }


def test_show_where_nothing_is_left(command, folder):
    code, text, err = command("show", folder, "--where", "tosses > 99")
    assert (code, err) == (0, "")
    assert "Fair *" in text
    code, text, err = command("show", folder, "--where", "tosses > 99", "--by", "seat")
    assert (code, err) == (0, "")


def test_find_gives_games_and_the_lines_that_replay_them(command, folder):
    text = "ending == 'all_tails' and tosses == 2"
    found = parsed(command, "find", folder, "--where", text, "--limit", 4)["rows"]
    games = Run(folder).games.filter(pl.col("ending") == "all_tails", pl.col("tosses") == 2)
    first = (
        games.select("config", "players", "game", "ending", "tosses")
        .sort("config", "players", "game")
        .head(4)
        .collect()
    )
    assert [{key: row[key] for key in first.columns} for row in found] == first.to_dicts()
    for row in found:
        line = shlex.split(row["replay"])
        assert line[:3] == ["alchemy-sim", "replay", str(folder)]
        code, out, err = command(*line[1:])
        assert (code, err) == (0, "")
        assert f"'game_index': {row['game']}" in out
    assert command("find", folder, "--where", text)[1].count("alchemy-sim replay") == 3


def test_find_finds_nothing(command, folder):
    assert command("find", folder, "--where", "tosses > 99") == (0, "", "no game has tosses > 99\n")
    assert command("find", folder, "--where", "tosses > 99", "--format", "json")[1].endswith('"rows": []}\n')


def test_replay_is_the_trace_and_the_row(command, folder):
    args = ("replay", folder, "--game", 7, "--config", "hot", "--players", 2)
    found = parsed(command, *args)
    cell = Run(folder).one(config="hot", players=2)
    assert found["events"] == GAME.trace(cell.encoded, 3, 7)
    assert found["rows"] == [Run(folder).row(cell, 7)]
    assert command(*args)[1] == found["text"]
    assert command("replay", folder, "--game", 7, "--cell", 2)[1] == found["text"]


def test_replay_notices_a_game_that_comes_out_otherwise(command, folder, monkeypatch):
    honest = GAME.simulate

    def other(*args):
        columns = honest(*args)
        return {**columns, "tosses": columns["tosses"] + 1}

    monkeypatch.setitem(GAME.__dict__, "simulate", other)
    code, out, err = command("replay", folder, "--game", 7, "--cell", 0)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "game 7 of fair with 2: tosses is " in err
    assert "the stored row is not what was played" in err


def test_replay_says_when_the_program_has_changed(command, folder, tmp_path):
    import shutil

    old = tmp_path / "old"
    shutil.copytree(folder, old)
    manifest = json.loads((old / "manifest.json").read_text())
    (old / "manifest.json").write_text(json.dumps({**manifest, "source": "0" * 64}))
    code, out, err = command("replay", old, "--game", 7, "--cell", 0)
    assert (code, err.count("\n")) == (0, 1)
    assert err.startswith("alchemy-sim: the program has changed since this run was made")
    assert out == command("replay", folder, "--game", 7, "--cell", 0)[1]


def test_explain_tells_where_a_number_comes_from(command, folder):
    code, text, err = command("explain", folder, "win_rate", "--config", "hot")
    assert (code, err) == (0, "")
    for words in (
        "win_rate: all have a head; players like it high",
        "Wilson",
        "alchemy-sim run both.toml --games 400 --seed 3 --players 2,3 --policy plain",
        "400 of each configuration and number of players, seed 3",
        "rulings    hot: edge = tails",
        "assumed    hot: most = 4",
        "alchemy_sim 0.1.0",
    ):
        assert words in text
    facts = parsed(command, "explain", folder, "tosses", "--players", 3)
    assert [row["config"] for row in facts["rows"]] == ["fair", "hot"]
    assert (facts["same_program"], facts["seed"], len(facts["examples"])) == (True, 3, 3)
    for each in facts["examples"]:
        assert command(*shlex.split(each["replay"])[1:])[0] == 0


def test_a_summary_is_shown_replayed_and_explained(command, summary):
    assert command("show", summary, "--by", "seat")[0] == 0
    assert command("replay", summary, "--game", 3)[0] == 0
    assert "alchemy-sim replay" in command("explain", summary, "win_rate")[1]
    for args in (("find", summary, "--where", "hot"), ("show", summary, "--where", "hot")):
        code, out, err = command(*args)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "holds a summary only" in err


BAD = [
    (["show"], "show: missing argument RUN"),
    (["show", "NOWHERE"], "NOWHERE: no run here (manifest.json is missing)"),
    (["show", "RUN", "--by", "seats"], 'unknown breakdown "seats" (did you mean "seat"?); allowed: seat, ending'),
    (["show", "RUN", "--metric", "winrate"], 'unknown metric "winrate" (did you mean "win_rate"?)'),
    (["show", "RUN", "--by", "ending", "--metric", "shar"], 'unknown metric of --by ending "shar"'),
    (["show", "RUN", "--over", "none"], "--over goes with --by"),
    (["show", "RUN", "--by", "seat", "--over", "all"], 'unknown value of --over "all"; allowed: missions, none'),
    (["show", "RUN", "--config", "fiar"], 'unknown configuration of this run "fiar" (did you mean "fair"?)'),
    (["show", "RUN", "--players", "4"], "--players 4: the run has 2, 3"),
    (["show", "RUN", "--cell", "4"], "--cell 4: must be a whole number from 0 to 3"),
    (["show", "RUN", "--format", "xml"], 'unknown format "xml"; allowed: table, json, csv, md'),
    (["show", "RUN", "--where", "endin == 'win'"], '--where: unknown column "endin" (did you mean "ending"?)'),
    (["show", "RUN", "--where", "ending == 'wn'"], '--where: ending is never "wn" (did you mean "win"?)'),
    (["find", "RUN"], "find: missing option --where"),
    (["find", "RUN", "--where", ""], "--where is empty"),
    (["find", "RUN", "--where", "hot", "--limit", "0"], "--limit 0: must be a whole number from 1 to 1_000_000"),
    (["replay", "RUN"], "replay: missing option --game"),
    (["replay", "RUN", "--game", "400", "--cell", "0"], "--game 400: the run has games 0 to 399 of each cell"),
    (["replay", "RUN", "--game", "4"], "name --config and --players: the run has fair with 2, fair with 3, hot with 2"),
    (["replay", "RUN", "--game", "4", "--players", "2"], "name --config: the run has fair with 2, hot with 2"),
    (["explain", "RUN", "winrate"], 'unknown metric "winrate" (did you mean "win_rate"?)'),
    (["explain", "RUN"], "explain: missing argument METRIC"),
]  # fmt: skip


@pytest.mark.parametrize(("args", "message"), BAD, ids=[" ".join(args) for args, _ in BAD])
def test_a_mistake_is_one_line(command, folder, tmp_path, args, message):
    places = {"RUN": str(folder), "NOWHERE": str(tmp_path)}
    args = [places.get(each, each) for each in args]
    code, out, err = command(*args)
    assert (code, out) == (2, "")
    assert err.startswith(f"alchemy-sim: {message.replace('NOWHERE', str(tmp_path))}")
    assert err.count("\n") == 1
