"""`tournament` at the command line."""

from __future__ import annotations

import json

import pytest

from alchemy_sim.core.game import REGISTRY
from alchemy_sim.mc import tournament as playing
from tests import toy_game, toy_race
from tests.own_policy import MY_SHOWDOWN

RACE = 'rulebook = "race"\ntitle = "Races"\nplayers = [2, 3]\n'
QUICK = ("--games", "300", "--workers", "1")
KEYS = {"config", "players", "metric", "policy", "estimate", "low", "high", "n", "method"}


@pytest.fixture
def race(tmp_path, monkeypatch):
    monkeypatch.setitem(REGISTRY, "race", toy_race.__name__)
    path = tmp_path / "race.toml"
    path.write_text(RACE, encoding="utf-8")
    return path


def rows_of(out, metric):
    return [row for row in json.loads(out)["rows"] if row["metric"] == metric]


def test_the_strong_stand_above_the_weak(command, race):
    code, out, err = command("tournament", race, "--policies", "slow,steady,quick", *QUICK, "--format", "json")
    whole = json.loads(out)
    assert code == 0
    assert (whole["command"], whole["games"], whole["seed"]) == ("tournament", 300, 1)
    assert whole["seatings"] == {"2": "all", "3": "all"}
    assert "9,000 games in" in err
    for players, sat in ((2, 4), (3, 18)):
        ratings = [row for row in rows_of(out, "rating") if row["players"] == players]
        assert [row["policy"] for row in ratings] == ["quick", "steady", "slow"]
        assert all(set(row) >= KEYS and row["low"] < row["estimate"] < row["high"] for row in ratings)
        assert sum(row["estimate"] for row in ratings) == pytest.approx(0, abs=1e-9)
        shares = [row for row in rows_of(out, "share") if row["players"] == players]
        assert sum(row["estimate"] for row in shares) / 3 == pytest.approx(1 / players)
        assert {row["games"] for row in ratings} == {300 * sat}
        duels = [row for row in rows_of(out, "rating_difference") if row["players"] == players]
        assert [(row["policy"], row["against"]) for row in duels] == [
            ("quick", "steady"),
            ("quick", "slow"),
            ("steady", "slow"),
        ]
        assert all(row["verdict"] == "above" and row["effect_low"] < row["effect"] for row in duels)
        assert duels[0]["effect"] == pytest.approx(400 * 0.7 / 2.302585, abs=60)
    _, out, _ = command("tournament", race, "--policies", "slow,steady,quick", *QUICK)
    assert "an even share is 33.3 %" in out
    assert "quick above steady by" in out
    assert "the same deals" in out


def test_the_order_of_names_and_the_way_of_playing_change_no_digit(command, race):
    def told(policies, *more):
        code, out, _ = command("tournament", race, "--policies", policies, "--games", 250, "--format", "json", *more)
        assert code == 0
        return json.loads(out)["rows"]

    one = told("slow,steady,quick", "--workers", "1")
    for more in (
        ("--workers", "2"),
        ("--workers", "2", "--chunk", "17"),
        ("--workers", "2", "--backend", "processes", "--chunk", "100"),
    ):
        assert told("slow,steady,quick", *more) == one
    other = told("quick,slow,steady", "--workers", "1")
    for mine, its in zip(one, other, strict=True):
        assert (mine["policy"], mine["metric"]) == (its["policy"], its["metric"])
        for key in ("estimate", "low", "high"):
            assert mine[key] == pytest.approx(its[key], rel=1e-9, abs=1e-9)


def test_a_policy_that_never_wins_is_told_so(command, race):
    arguments = ("tournament", race, "--policies", "asleep,steady,quick", "--players", "2", *QUICK)
    code, out, _ = command(*arguments)
    assert code == 0
    assert "below steady, quick" in out
    assert "points or more: asleep got nothing" in out
    assert "nan" not in out
    _, out, _ = command(*arguments, "--format", "json")
    last = rows_of(out, "rating")[-1]
    assert (last["estimate"], last["low"], last["high"]) == (None, None, None)
    assert rows_of(out, "share")[-1]["high"] < 0.02
    bound = rows_of(out, "rating_difference")[-1]
    assert (bound["effect"], bound["effect_high"], bound["verdict"]) == (None, None, "above")
    assert bound["effect_low"] > 500
    for style in ("csv", "md"):
        assert command(*arguments, "--format", style)[0] == 0


def test_unfinished_games_are_nobody_s(command, race):
    arguments = ("tournament", race, "--policies", "slow,quick", "--players", "2", *QUICK)
    _, out, _ = command(*arguments, "--set", "unfinished=0.5")
    assert "of 600 games were left unfinished: nobody's" in out
    code, out, _ = command(*arguments, "--set", "unfinished=1.0")
    assert code == 0
    assert "600 of 600 games were left unfinished" in out
    assert "not decided yet" in out


@pytest.mark.parametrize("games", ["1", "2"])
def test_very_few_games_decide_nothing(command, race, games):
    code, out, _ = command("tournament", race, "--policies", "slow,quick", "--games", games, "--workers", "1")
    assert code == 0
    assert "not decided yet" in out


def test_too_many_seatings_rotate(command, race):
    arguments = ("tournament", race, "--policies", "asleep,slow,steady,twin,quick", "--players", "4")
    code, out, _ = command(*arguments, "--games", "20", "--workers", "1")
    assert code == 0
    assert "(65 line-ups in rotation)" in out


def test_a_precision_says_how_many_games(command, race):
    arguments = ("tournament", race, "--policies", "slow,quick", "--players", "2", "--workers", "1", "--format", "json")
    _, out, _ = command(*arguments, "--precision", "15")
    (duel,) = rows_of(out, "rating_difference")
    assert 200 < duel["n"] < 10_000
    assert (duel["effect_high"] - duel["effect_low"]) / 2 <= 15
    code, out, err = command(*arguments, "--precision", "1", "--max-games", "500")
    assert code == 0
    assert rows_of(out, "rating")[0]["n"] == 500
    assert "Races, 2 players: ratings are known to" in err


def test_ctrl_c_is_answered(command, race, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(playing, "play", stopped)
    code, out, err = command("tournament", race, "--policies", "slow,quick", *QUICK)
    assert (code, out) == (3, "")
    assert "stopped before the first game" in err


MISTAKES = [
    (("--policies", "quick"), "a tournament takes two policies or more"),
    (("--policies", ""), "--policies is empty"),
    (("--policies", "quick,slow,quick"), "quick is named twice"),
    (("--policies", "quick,slwo"), 'unknown policy "slwo" (did you mean "slow"?)'),
    (("--policies", "quick,slow", "--players", "5"), "--players 5"),
    (("--policies", "quick,slow", "--players", "two"), "--players two"),
    (("--policies", "quick,slow", "--precision", "fine"), "--precision fine: must be a number of Elo points"),
    (("--policies", "quick,slow", "--precision", "-1"), "--precision -1"),
    (("--policies", "quick,slow", "--precision", "5", "--games", "10"), "name one of them"),
    (("--policies", "quick,slow", "--max-games", "10"), "goes with --precision"),
    (("--policies", "quick,slow", "--set", "unfinish=1"), 'unknown key "unfinish"'),
    ((), "policies"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=[message for _, message in MISTAKES])
def test_mistakes_are_one_line(command, race, arguments, message):
    code, out, err = command("tournament", race, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_seats_that_do_not_compete_are_not_rated(command, tmp_path):
    assert REGISTRY["coins"] == toy_game.__name__
    path = tmp_path / "coins.toml"
    path.write_text('rulebook = "coins"\n', encoding="utf-8")
    for config, policies in ((path, "plain,lucky"), ("crucible/mission-04", "random,thumb")):
        code, out, err = command("tournament", config, "--policies", policies)
        assert (code, out) == (2, "")
        assert "don't compete" in err
        assert "lift --factor policy" in err
        assert sum("compiling" not in line for line in err.splitlines()) == 1


def test_help_says_what_a_rating_is(command):
    code, out, _ = command("tournament", "--help")
    assert code == 0
    assert "Elo points" in out
    assert "--precision" in out


@pytest.mark.compiled
def test_showdowns_are_fast_s(command):
    arguments = ("tournament", "furnace/showdown", "--policies", "random,rank,fast", "--players", "2,4")
    code, out, _ = command(*arguments, "--games", "300", "--format", "json")
    assert code == 0
    for players in (2, 4):
        ratings = [row["policy"] for row in rows_of(out, "rating") if row["players"] == players]
        assert ratings == ["fast", "rank", "random"]


@pytest.mark.compiled
def test_own_policies_compete(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.py").write_text(MY_SHOWDOWN, encoding="utf-8")
    arguments = ("tournament", "furnace/showdown", "--policies", "my.py:plain,random,rank", "--players", "3")
    code, out, _ = command(*arguments, "--games", "100", "--workers", "1")
    assert code == 0
    assert "   0   my.py:plain and rank: no difference in any of 100 deals" in out
    assert "my.py:plain above random by" in out
    code, _, err = command(*arguments[:3], "my.py:plan,rank")
    assert code == 2
    assert "my.py" in err
