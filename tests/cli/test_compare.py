"""`compare`, `lint`, `check` and `lift` at the command line."""

from __future__ import annotations

import json

import pytest

from alchemy_sim.core.game import REGISTRY
from tests import toy_game

COINS = 'rulebook = "coins"\ntitle = "Coins"\nplayers = [2, 3]\n'
QUICK = ("--games", "400", "--workers", "1")


@pytest.fixture
def coins(tmp_path):
    assert REGISTRY["coins"] == toy_game.__name__
    path = tmp_path / "coins.toml"
    path.write_text(COINS, encoding="utf-8")
    return path


def rows_of(out):
    return json.loads(out)["rows"]


# ---- compare -----------------------------------------------------------------------------------------------


def test_compare_says_what_a_change_does(command, coins):
    code, out, err = command("compare", coins, "--set", "hot=0.9", *QUICK)
    assert code == 0
    assert "higher by" in out
    assert "the same deals, game by game" in out
    assert "pairs of games in" in err
    code, out, _ = command("compare", coins, "--set", "hot=0.9", *QUICK, "--format", "json")
    whole = json.loads(out)
    assert whole["command"] == "compare"
    assert whole["paired"] is True
    first = whole["rows"][0]
    assert {"config", "players", "metric", "estimate", "low", "high", "n", "method"} <= set(first)
    assert {"effect", "effect_low", "effect_high", "verdict", "pairing_gain"} <= set(first)
    assert first["verdict"] == "higher"
    assert first["pairing_gain"] > 1


def test_compare_of_the_same_is_exactly_zero(command, coins):
    _, out, _ = command("compare", coins, coins, *QUICK, "--format", "json")
    for row in rows_of(out):
        if row["estimate"] is not None:
            assert [row["effect"], row["effect_low"], row["effect_high"], row["verdict"]] == [0, 0, 0, "same"]


def test_compare_at_a_terminal_shows_how_far_it_is(command, coins, monkeypatch):
    """The bar is given pairs of games, not totals of one run."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    for more in ((), ("--seed-b", "7"), ("--until-decided", "--max-games", "4_000")):
        size = () if more[:1] == ("--until-decided",) else ("--games", "400")
        code, out, _ = command("compare", coins, "--set", "hot=0.9", "--workers", "1", *size, *more)
        assert code == 0
        assert "win rate" in out


def test_compare_by_label(command, coins):
    code, out, _ = command("compare", coins, "--set", "hot=0.9", "--by", "seat", *QUICK, "--format", "json")
    assert code == 0
    found = rows_of(out)
    assert {row["label"] for row in found} == {"0", "1", "2"}
    assert all(row["by"] == "seat" and row["effect"] > 0 for row in found)


def test_compare_until_decided_stops_at_looks(command, coins):
    arguments = ("--set", "hot=0.9", "--until-decided", "--players", "2", "--workers", "1", "--metric", "win_rate")
    code, out, _ = command("compare", coins, *arguments, "--format", "json")
    assert code == 0
    (row,) = rows_of(out)
    assert row["n"] == 2_000
    assert row["level"] == pytest.approx(0.975)  # the first look's share of the error
    arguments = ("--set", "hot=0.7001", "--until-decided", "--max-games", "6_000", "--players", "2", "--workers", "1")
    _, out, _ = command("compare", coins, *arguments, "--margin", "0.001pp", "--format", "json")
    assert {row["n"] for row in rows_of(out)} == {6_000}


def test_compare_detect_names_the_size(command, coins):
    arguments = ("--set", "hot=0.75", "--detect", "2pp", "--players", "2", "--workers", "1")
    code, _, err = command("compare", coins, *arguments)
    assert code == 0
    assert "find an effect of 2 points on win_rate in 9 of 10 cases" in err


def test_compare_runs_pairs_where_it_can(command, coins, tmp_path):
    for name, sets, seed, keep in (
        ("a", "hot=0.7", 1, "games"),
        ("b", "hot=0.9", 1, "games"),
        ("c", "hot=0.9", 2, "games"),
        ("d", "hot=0.9", 1, "summary"),
    ):
        more = ("--set", sets, "--seed", seed, "--keep", keep, "--out", tmp_path / name)
        assert command("run", coins, *QUICK, *more)[0] == 0
    code, out, _ = command("compare", tmp_path / "a", tmp_path / "b", "--format", "json")
    assert code == 0
    both = json.loads(out)
    _, out, _ = command("compare", coins, "--set", "hot=0.9", *QUICK, "--format", "json")
    assert [row["effect"] for row in both["rows"]] == [row["effect"] for row in rows_of(out)]
    for name, why in (("c", "seeds differ (1 and 2)"), ("d", "kept sums only")):
        _, out, _ = command("compare", tmp_path / "a", tmp_path / name, "--format", "json")
        whole = json.loads(out)
        assert whole["paired"] is False
        assert why in whole["why_unpaired"]
        assert all(row["pairing_gain"] is None for row in whole["rows"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "something to compare with"),
        (("--set", "hot=0.9", "--metric", "win_rat"), 'unknown metric "win_rat" (did you mean "win_rate"?)'),
        (("--set", "hot=0.9", "--games", "10", "--until-decided"), "name one of them"),
        (("--set", "hot=0.9", "--margin", "tosses=2pp"), "--margin tosses=2pp"),
        (("--set", "hot=0.9", "--by", "seats"), 'unknown breakdown "seats" (did you mean "seat"?)'),
        (("--set", "hot=0.9", "--max-games", "10"), "--max-games goes with"),
        (("--set", "hut=0.9"), 'unknown key "hut"'),
    ],
)
def test_compare_mistakes(command, coins, arguments, message):
    code, out, err = command("compare", coins, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


# ---- lint --------------------------------------------------------------------------------------------------


def test_lint_names_what_is_dead(command):
    code, out, _ = command("lint", "crucible/mission-05", "--players", "4")
    assert code == 0
    assert "the first Slag Token loses" in out
    assert command("lint", "crucible/mission-05", "--strict")[0] == 1
    fine = ("--set", "tasks=1", "--set", 'task_pool=["T01", "T07"]', "--strict")
    assert command("lint", "crucible/mission-08", *fine)[0] == 0
    _, out, _ = command("lint", "crucible/mission-06", "--players", "4", "--format", "json")
    row = next(row for row in rows_of(out) if row["subject"] == "T23")
    assert set(row) == {"config", "players", "rule", "subject", "status", "needs", "reason"}
    assert (row["status"], row["needs"]) == ("needs", ["purifier"])


def test_lint_mistakes(command):
    assert command("lint", "crucible/mission-55")[0] == 2
    assert command("lint", "crucible/mission-05", "--players", "6")[0] == 2


# ---- check -------------------------------------------------------------------------------------------------


def test_check_bands_and_baseline(command, coins, tmp_path):
    many = ("--games", "4_000", "--workers", "1")
    bands, run = tmp_path / "bands.toml", tmp_path / "run"
    code, _, err = command("check", coins, "--write", bands, *many)
    assert code == 0
    assert "bands written" in err
    assert command("run", coins, *many, "--out", run)[0] == 0
    assert command("check", coins, "--expect", bands, *many, "--seed", "5")[0] == 0
    code, out, _ = command("check", coins, "--expect", bands, *many, "--set", "hot=0.95")
    assert code == 1
    assert out.count("above") == 2  # win rate, at both player counts
    assert command("check", coins, "--baseline", run)[0] == 0
    code, out, _ = command("check", coins, "--baseline", run, "--set", "hot=0.95", "--format", "json")
    assert code == 1
    assert any(row["left"] and row["metric"] == "head_rate" for row in rows_of(out))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no bands"),
        ('[[band]]\nconfig = "coins"\nplayers = 2\nmetric = "win_rat"\nlow = 0.1\n', 'did you mean "win_rate"?'),
        ('[[band]]\nconfig = "coin"\nplayers = 2\nmetric = "win_rate"\nlow = 0.1\n', 'did you mean "coins"?'),
        ('[[band]]\nconfig = "coins"\nplayers = 5\nmetric = "win_rate"\nlow = 0.1\n', "players 5"),
        ('[[band]]\nconfig = "coins"\nplayers = 2\nmetric = "win_rate"\n', "low or high"),
        ('[[band]]\nconfig = "coins"\nplayers = 2\nmetric = "win_rate"\nlow = 0.2\nhigh = 0.1\n', "above high"),
        ('[[band]]\nconfig = "coins"\nplayer = 2\nmetric = "win_rate"\nlow = 0.1\n', "player"),
        ("[[band]\n", "bands.toml"),
    ],
)
def test_check_mistakes(command, coins, tmp_path, text, message):
    path = tmp_path / "bands.toml"
    path.write_text(text, encoding="utf-8")
    code, out, err = command("check", coins, "--expect", path)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_check_wants_something_to_hold_against(command, coins, tmp_path):
    assert command("check", coins)[0] == 2
    assert command("check", coins, "--expect", tmp_path / "none.toml")[0] == 2


# ---- lift --------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_lift_disciplines_and_rulings(command):
    arguments = ("crucible/mission-04", "--players", "4", "--policy", "thumb", "--games", "600", "--format", "json")
    code, out, _ = command("lift", *arguments, "--factor", "discipline")
    assert code == 0
    found = {row["variant"]: row for row in rows_of(out)}
    assert len(found) == 10
    assert found["apprentice"]["effect"] == 0
    assert found["apprentice"]["text"] == "no difference in any of 600 games"
    assert found["purifier"]["effect"] > 0
    _, out, _ = command("lift", *arguments, "--factor", "ruling")
    assert len(rows_of(out)) == 11  # every switch, all its other values
    _, out, _ = command("lift", *arguments, "--factor", "whispers")
    assert len(rows_of(out)) == 1
    _, out, _ = command("lift", *arguments, "--factor", "policy")
    assert [row["variant"].split()[0] for row in rows_of(out)] == ["random", "thumb", "careful"]


@pytest.mark.compiled
def test_lift_prices_tasks(command):
    arguments = ("crucible/mission-05", "--players", "4", "--policy", "thumb", "--games", "6_000", "--factor", "task")
    code, out, _ = command("lift", *arguments, "--pairs", "--format", "json")
    assert code == 0
    found = {row["variant"]: row for row in rows_of(out)}
    assert found["T24"]["estimate"] is None  # dead: always lost
    assert found["T30"]["estimate"] > found["T22"]["estimate"]
    assert any("+" in name for name in found)
    code, out, _ = command("lift", *arguments)
    assert "always lost" in out


@pytest.mark.compiled
def test_lift_pairs_of_disciplines(command):
    arguments = (
        "crucible/mission-04",
        "--players",
        "4",
        "--policy",
        "thumb",
        "--games",
        "60",
        "--factor",
        "discipline",
    )
    code, out, _ = command("lift", *arguments, "--pairs", "--format", "json")
    assert code == 0
    pairs = [row for row in rows_of(out) if row["metric"] == "together"]
    assert len(pairs) == 45
    assert all(row["estimate"] == 0 for row in pairs if "apprentice" in row["variant"])


def test_lift_mistakes(command, coins):
    assert command("lift", coins, "--factor", "discipline")[0] == 2
    code, _, err = command("lift", "crucible/mission-04", "--factor", "disciplin")
    assert code == 2
    assert 'did you mean "discipline"?' in err
    assert command("lift", "crucible/mission-04", "--factor", "ruling", "--pairs")[0] == 2
