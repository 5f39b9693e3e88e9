"""`hands` and `odds` at the command line, and what showdowns answer to a user's mistakes."""

from __future__ import annotations

import json
from itertools import combinations
from math import comb

import pytest

from alchemy_sim.games.crucible.names import FACES, face_name

HAND = "W10 WJ C3 T6 JK S2 P2 C9 P7"
ODDS = ("odds", "furnace/default", "--hand", HAND, "--open", "W3 TQ S9")


def test_hands_tells_the_order_beside_the_rarity(command):
    code, out, err = command("hands", "furnace/default", "--cards", "5")
    assert (code, err) == (0, "")
    assert "Flush over Straight (11.7 times as many), Flush over Three of a Kind (1.41 times as many)" in out
    assert "nearest order that agrees with the counts that it leads to: Flush right below Three of a Kind" in out
    assert "Trumps a family: nearest order that agrees" in out


def test_hands_has_the_rows_of_the_contract(command):
    _, out, _ = command("hands", "furnace/default", "--cards", "5", "--format", "json")
    told = json.loads(out)
    assert told["command"] == "hands"
    (flush,) = [row for row in told["rows"] if row["category"] == "flush"]
    wanted = {"category": "flush", "count": 385739, "printed_rank": 5, "rarity_rank": 7, "inverted": True}
    assert wanted.items() <= flush.items()
    assert flush["share"] == pytest.approx(0.0319, abs=5e-5)
    assert (flush["count_other"], flush["furnace_trump_other"]) == (9955, "own_family")
    assert sum(row["count"] for row in told["rows"]) == comb(70, 5)
    assert [each["moves"] for each in told["readings"]] == [
        [{"category": "flush", "below": "three"}],
        [{"category": "flush", "below": "four"}],
    ]
    _, out, _ = command("hands", "furnace/default", "--cards", "5", "--format", "csv")
    assert out.splitlines()[0].startswith("config,cards,category,count,share")


def test_hands_of_poker_have_one_reading(command):
    poker = ("--set", "deck.ranks=13", "--set", "deck.trumps=false", "--set", "deck.jokers=0", "--set", "players=4")
    _, out, _ = command("hands", "furnace/default", "--cards", "5", *poker)
    assert "1,302,540" in out
    assert "Trumps" not in out
    assert "the order agrees with the counts" in out


def test_odds_of_a_hand(command):
    code, out, _ = command(*ODDS, "--games", "2000", "--pot", "7", "--bet", "2", "--format", "json")
    told = json.loads(out)
    assert code == 0
    assert (told["command"], told["against"]) == ("odds", "fast")
    rows = told["rows"]
    assert len(rows) == comb(8, 2)  # a Joker can't be kept
    assert {frozenset(row["kept"].split()) for row in rows} == {
        frozenset(pair) for pair in combinations([card for card in HAND.split() if card != "JK"], 2)
    }
    assert [row["estimate"] for row in rows] == sorted((row["estimate"] for row in rows), reverse=True)
    assert all(row["low"] <= row["estimate"] <= row["high"] and 0 < row["percentile"] < 1 for row in rows)
    assert told["break_even_share"] == pytest.approx(2 / 15)
    share = rows[0]["estimate"]
    assert told["profit"] == pytest.approx(share * 15 - 2)
    most = told["break_even_bet"]
    assert share * (7 + 4 * most) == pytest.approx(most)
    _, again, _ = command(*ODDS, "--games", "2000", "--format", "json")
    assert [row["estimate"] for row in json.loads(again)["rows"]] == [row["estimate"] for row in rows]


def test_odds_of_a_sure_thing(command):
    """The royal flush whose cards nobody else can have. (With wild Trumps others could make one too.)"""
    own = ("--set", "rulings.furnace_trump=own_family")
    royal = (*own, "--hand", "WK WA C3 T6 JK S2 P2 C9 P7", "--open", "WJ WN WQ")
    _, out, _ = command(
        "odds", "furnace/default", *royal, "--keep", "WK WA", "--games", "500", "--pot", "5", "--bet", "2"
    )
    assert "100 % (from" in out
    assert "call" in out
    assert "at any bet" in out


def test_odds_of_a_total_are_exact(command):
    code, out, _ = command("odds", "crucible", "--cards", "2", "--over", "16", "--format", "json")
    (row,) = json.loads(out)["rows"]
    values = [int(face_name(face)[1]) for face in range(FACES)]
    over = sum(a + b > 16 for a, b in combinations(values, 2))
    assert code == 0
    assert row["estimate"] == row["low"] == row["high"] == pytest.approx(over / comb(FACES, 2))
    assert row["method"] == "exact"
    _, out, _ = command("odds", "crucible", "--cards", "4", "--over", "22")
    assert "26.835 %" in out
    _, heavy, _ = command("odds", "crucible/mission-07", "--cards", "4", "--over", "22")
    assert "42.048 %" in heavy


MISTAKES = [
    (("hands", "crucible/mission-04"), "hands: crucible/mission-04 is a configuration of the crucible"),
    (("hands", "furnace/default", "--cards", "8"), "--cards 8: 5, 6 or 7 are allowed"),
    (("run", "furnace/showdown", "--players", "1"), "--players 1: must be among 2, 3, 4, 5, 6"),
    (("run", "furnace/showdown", "--players", "7"), "--players 7: must be among 2, 3, 4, 5, 6"),
    (("run", "furnace/showdown", "--set", "deck.trumps=false"), "a deck of 62 cards is too small for 6 players"),
    (("run", "furnace/showdown", "--set", "deck.jokers=8"), "a hand of 9 could hold 8 Jokers"),
    (("run", "furnace/showdown", "--set", "rulings.ace=hi"), '"both", "high", "low"'),
    ((*ODDS, "--players", "7"), "--players 7: the Furnace is played by 2, 3, 4, 5, 6"),
    ((*ODDS[:5], "W3 TQ W10"), "odds: W10 is not in the deck that often"),
    ((*ODDS[:3], "W10 WJ", *ODDS[4:]), "odds: hand: 2 cards; 9 are needed"),
    ((*ODDS[:3], HAND.replace("P7", "P11"), *ODDS[4:]), '--hand: unknown card "P11" (did you mean "P10"'),
    ((*ODDS[:5], "W3 TQ JK"), "odds: open: a Joker in the Furnace is replaced"),
    ((*ODDS, "--keep", "W10 JK"), "--keep: a Joker can't be kept"),
    ((*ODDS, "--keep", "W10 WQ"), "--keep: WQ is not in the hand"),
    ((*ODDS, "--keep", "W10"), "--keep W10: 2 different cards are kept"),
    ((*ODDS, "--pot", "3"), "odds: --pot and --bet are needed together"),
    ((*ODDS, "--pot", "3", "--bet", "0"), "a bet more than 0"),
    ((*ODDS, "--against", "rnak"), 'did you mean "rank"'),
    ((*ODDS, "--cards", "4", "--over", "20"), "odds: --hand is an option of the Furnace"),
    (("odds", "crucible", "--cards", "4"), "odds: --cards and --over are needed together"),
    (("odds", "crucible", "--cards", "59", "--over", "4"), "--cards 59: must be from 1 to 58"),
    (("odds", "crucible/logbook", "--cards", "4", "--over", "4"), "crucible/logbook is an experiment"),
    (("odds", "furnace/default", "--cards", "4", "--over", "4"), "furnace/default is of another game"),
    (("odds", "furnace/default"), "odds: name --hand and --open"),
]


@pytest.mark.parametrize(("arguments", "words"), MISTAKES, ids=[words for _, words in MISTAKES])
def test_mistakes_are_one_line(command, arguments, words):
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert words in err


def test_a_policy_that_keeps_a_joker_is_named(command, tmp_path, monkeypatch):
    (tmp_path / "my.py").write_text("def low(view):\n    return (1 << view.kept) - 1\n")
    monkeypatch.chdir(tmp_path)
    run = ("run", "furnace/showdown", "--players", "2", "--games", "200", "--policy", "my.py:low,rank")
    code, out, err = command(*run)
    assert (code, out) == (2, "")
    assert 'policy "my.py:low" (seat 0) broke the rules in game' in err
    assert "asked for KEEP, it answered 3" in err


def test_a_policy_can_t_write_to_the_tables_it_is_handed(command, tmp_path, monkeypatch):
    (tmp_path / "my.py").write_text("def low(view):\n    view.hands.royal = 1\n    return 3\n")
    monkeypatch.chdir(tmp_path)
    code, _, err = command("run", "furnace/showdown", "--players", "2", "--games", "200", "--policy", "my.py:low,rank")
    assert code == 2
    assert "my.py:2: low can't be compiled: writes view.royal; a policy writes nothing there" in err


def test_a_showdown_can_be_replayed_and_reported(command, tmp_path):
    folder = tmp_path / "run"
    command("run", "furnace/showdown", "--players", "3", "--games", "300", "--policy", "rank", "--out", folder)
    code, out, _ = command("replay", folder, "--game", "7")
    assert code == 0
    assert "The Furnace shows" in out
    assert "P2 (rank)" in out
    code, out, _ = command("show", folder, "--by", "kept")
    assert (code, "trump" in out) == (0, True)
    code, _, _ = command("report", folder, "-o", tmp_path / "page")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "What Trumps are worth" in page
