"""Metallurgie's configuration: its numbers, its start pattern and the mistakes one can make in them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alchemy_sim.config.load import load
from alchemy_sim.core.errors import ConfigError
from alchemy_sim.games.metallurgie.config import START, MetallurgieConfig, MetallurgieRulings
from alchemy_sim.games.metallurgie.names import LETTERS, METALS, NEIGHBOURS, metal_number
from tests.unit.test_config_mistakes import matches, outcome
from tests.unit.test_rules_md import rule_text, sections

R = 'rulebook = "metallurgie"\n'
NO_CARD = 'is no card; write "I 0 0": its metal (I, C, S, G), q and r'
SIZES = "must be a list of 4 whole numbers from 1 to 254"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def config(text: str, *sets: str) -> Any:
    Path("m.toml").write_text(R + text, encoding="utf-8")
    return load("m.toml", sets).settings[0].config


# -- what it holds


def test_default_is_the_rules_and_says_every_number() -> None:
    default: Any = load("metallurgie/default").settings[0].config
    assert default.game == MetallurgieConfig().game
    assert default.rulings == MetallurgieConfig().rulings
    assert default.model_fields_set >= {"players", "game", "rulings"}
    assert default.game.model_fields_set == set(type(default.game).model_fields)
    assert default.rulings.model_fields_set == set(type(default.rulings).model_fields)
    assert default.assumed == ("game.removals", "game.end_card_depth")


def test_numbers_are_those_of_the_rule_text() -> None:
    game = MetallurgieConfig().game
    text = sections(rule_text("metallurgie"))
    counts = re.match(r"\s*- (\d+) iron, (\d+) copper, (\d+) silver and (\d+) gold cards \((\d+)\)", text["1"])
    assert counts is not None
    assert tuple(map(int, counts.groups())) == (*game.deck, game.cards)
    start = re.findall(r"`([ICSG]) (-?\d+) (-?\d+)`", text["1"].split("The first is")[0])
    assert tuple((letter, int(q), int(r)) for letter, q, r in start) == game.start
    assert f"The other {game.cards - len(game.start)} cards" in text["1"]
    piles = re.search(r"draw pile \((\d+),\s+(\d+)\s+or\s+(\d+)", text["1"])
    assert piles is not None
    assert list(map(int, piles.groups())) == [game.pile(players) for players in (2, 3, 4)]
    drawn = re.search(r"(\d+) to (\d+), (\d+) to (\d+) or (\d+) to (\d+) cards have been drawn", text["3"])
    assert drawn is not None
    spans = [(game.pile(players) - game.end_card_depth + 1, game.pile(players)) for players in (2, 3, 4)]
    assert list(map(int, drawn.groups())) == [end for span in spans for end in span]


def test_neighbours_are_those_of_the_rule_text_each_with_its_opposite() -> None:
    told = re.findall(r"\(q([+-]1)?, r([+-]1)?\)", sections(rule_text("metallurgie"))["1"])
    assert tuple((int(q or 0), int(r or 0)) for q, r in told if q or r) == NEIGHBOURS
    assert {(-q, -r) for q, r in NEIGHBOURS} == set(NEIGHBOURS)
    assert len(set(NEIGHBOURS)) == 6


def test_start_is_seven_irons_four_coppers_and_a_silver_in_the_middle() -> None:
    assert [letter for letter, _, _ in START] == list("IIIIIIICCCCS")
    assert {(q, r) for letter, q, r in START if letter == "I"} == {(0, 0), *NEIGHBOURS}
    assert START[-1] == ("S", 0, 0)


def test_metals() -> None:
    assert [METALS[metal_number(letter)] for letter in LETTERS] == ["iron", "copper", "silver", "gold"]
    for text in ("X", "", "IC"):
        with pytest.raises(ConfigError, match=f'unknown metal "{text}".*; allowed: I, C, S, G'):
            metal_number(text)


def test_places_of_rulings_are_0_for_the_default() -> None:
    assert MetallurgieRulings(must_score=True, score_again=False, score_scope="any", bonus="first").places() == {
        "must_score": 1,
        "score_scope": 1,
        "score_again": 1,
        "bonus": 2,
    }


def test_start_as_texts_and_as_traces_have_it(here: Path) -> None:
    start = (("I", 0, 0), ("I", -1, 1), ("C", 0, 0))
    assert config('game.start = ["I 0 0", " I  -1 1 ", "C 0 0"]').game.start == start
    assert config('game.start = [["I", 0, 0], ["I", -1, 1], ["C", 0, 0]]').game.start == start
    assert config("", "start=I 0 0,I -1 1,C 0 0").game.start == start
    assert config("game.start = []").game.start == ()
    again = config('game.start = ["I 0 0", "I -1 1", "C 0 0"]')
    assert MetallurgieConfig.model_validate(again.resolved()) == again


def test_numbers_from_the_command_line(here: Path) -> None:
    assert config("", "thresholds=9,7,5,4").game.thresholds == (9, 7, 5, 4)
    assert config("", "game.removals=[5,4,2,1]").game.removals == (5, 4, 2, 1)
    assert config("", "score_again=false").rulings.score_again is False


def test_the_least_deck(here: Path) -> None:
    """For two players: the start, two hands, and five cards that the end card is mixed with."""
    least = "players = 2\n[game]\nstart = ['I 0 0']\nhand = 4\n"
    assert config(least + "deck = [14, 0, 0, 0]").game.pile(2) == 5
    with pytest.raises(ConfigError, match="a deck of 13 cards is too small for 2 players: start takes 1, hands take 8"):
        config(least + "deck = [13, 0, 0, 0]")
    assert config(least + "deck = [9, 0, 0, 0]\nend_card_depth = 1").game.pile(2) == 0


# -- mistakes

BAD_FILES = {
    "thresholds = [9, 7, 5, 3]": 'm.toml:2: unknown key "thresholds" (did you mean "game.thresholds"?); *',
    "[game]\nthreshold = 3": 'm.toml:3: unknown key "game.threshold" (did you mean "game.thresholds"?); *',
    "game = 3": "m.toml:2: game = 3: must be a table",
    "players = 5": "m.toml:2: players = 5: must be among 2, 3, 4 (one number or a list)",
    "players = 1": "m.toml:2: players = 1: must be among 2, 3, 4 (one number or a list)",
    "\n[game]\nthresholds = [9, 7, 5]": f"m.toml:4: game.thresholds = [9, 7, 5]: {SIZES}",
    "game.thresholds = [9, 7, 5, 3, 2]": f"m.toml:2: game.thresholds = [9, 7, 5, 3, 2]: {SIZES}",
    "game.thresholds = [9, 7, 5, 255]": f"m.toml:2: game.thresholds = [9, 7, 5, 255]: {SIZES}",
    "game.thresholds = 9": f"m.toml:2: game.thresholds = 9: {SIZES}",
    "game.removals = [5, 4, 3, 0]": f"m.toml:2: game.removals = [5, 4, 3, 0]: {SIZES}",
    "game.removals = [5, 4, '3', 2]": f'm.toml:2: game.removals = [5, 4, "3", 2]: {SIZES}',
    "game.removals = [5, 8, 3, 2]": "m.toml:2: removals takes 8 copper, but thresholds lets an area of 7 be scored",
    "\ngame.thresholds = [9, 7, 5, 1]": "m.toml:3: removals takes 2 gold, but thresholds lets an area of 1 be scored",
    "game.deck = [44, 30, 18, -1]": "m.toml:2: game.deck = *: must be a list of 4 whole numbers from 0 to 254",
    "game.deck = [0, 30, 18, 11]": "m.toml:2: game.deck = *: needs iron: all other cards are laid on it",
    "game.deck = [60, 100, 60, 35]": "m.toml:2: game.deck = *: has 255 cards; at most 254 are allowed",
    "game.deck = [65, 30, 18, 11]": "m.toml:2: game.deck = *: has 65 iron; at most 64 are allowed",
    "game.deck = [44, 3, 18, 11]": "m.toml:2: start has 4 copper, but deck only 3",
    "game.hand = 0": "m.toml:2: game.hand = 0: must be a whole number from 1 to 12",
    "game.hand = 13": "m.toml:2: game.hand = 13: must be a whole number from 1 to 12",
    "game.end_card_depth = 0": "m.toml:2: game.end_card_depth = 0: must be a whole number from 1 to 255",
    "game.end_card_depth = 81": "m.toml:2: a deck of 103 cards is too small for 4 players: start takes 12, hands take "
    "12, and 80 are mixed with the end card",
    "players = 4\n\ngame.hand = 12\ngame.deck = [30, 20, 10, 4]": "m.toml:5: a deck of 64 cards is too small for 4 *",
    # the start
    "game.start = 3": f"m.toml:2: game.start = 3: 3 {NO_CARD}",
    "game.start = ['I 0 0', 'X 1 0']": f'm.toml:2: game.start = ["I 0 0", "X 1 0"]: "X 1 0" {NO_CARD}',
    "game.start = ['I 0']": f'm.toml:2: game.start = ["I 0"]: "I 0" {NO_CARD}',
    "game.start = ['I 0.5 0']": f'm.toml:2: game.start = *: "I 0.5 0" {NO_CARD}',
    "game.start = ['I 1000 0']": f'm.toml:2: game.start = *: "I 1000 0" {NO_CARD}',
    "game.start = ['I 0 0', 'I 100 -100']": 'm.toml:2: game.start = *: "I 100 -100" touches no card before it; *',
    "game.start = ['I ٣ 0']": f'm.toml:2: game.start = *: "I ٣ 0" {NO_CARD}',
    "game.start = [['IC', 0, 0]]": f'm.toml:2: game.start = *: ["IC", 0, 0] {NO_CARD}',
    "game.start = [['I', 0, false]]": f'm.toml:2: game.start = *: ["I", 0, false] {NO_CARD}',
    "game.start = [['I', 0]]": f'm.toml:2: game.start = *: ["I", 0] {NO_CARD}',
    "game.start = [\n'I 1 0',\n]": 'm.toml:2: game.start = ["I 1 0"]: "I 1 0" is the first card; that must be "I 0 0"',
    "game.start = ['I 0 0', 'I 1 1']": 'm.toml:2: game.start = *: "I 1 1" touches no card before it; the pattern *',
    "game.start = ['I 0 0', 'I 0 0']": 'm.toml:2: game.start = *: "I 0 0" lies on iron; iron lies on the table',
    "game.start = ['I 0 0', 'C 1 0']": 'm.toml:2: game.start = *: "C 1 0" has no card below it; copper lies on iron',
    "game.start = ['I 0 0', 'S 0 0']": 'm.toml:2: game.start = *: "S 0 0" lies on iron; silver lies on copper',
    "game.start = ['I 0 0', 'C 0 0', 'C 0 0']": 'm.toml:2: game.start = *: "C 0 0" lies on copper; copper lies on iron',
    # rulings
    "rulings.must_score = 1": "m.toml:2: rulings.must_score = 1: must be true or false",
    "rulings.score_again = 'no'": 'm.toml:2: rulings.score_again = "no": must be true or false',
    "rulings.score_scope = 'all'": 'm.toml:2: rulings.score_scope = "all": must be one of "touched", "any"',
    "rulings.bonus = 'frist'": 'm.toml:2: rulings.bonus = "frist": must be one of "none", "majority", "first" '
    '(did you mean "first"?)',
    "bonus = 'first'": 'm.toml:2: unknown key "bonus" (did you mean "rulings.bonus"?); *',
}

BAD_OPTIONS = {
    "thresholds=9,7,5": f"--set thresholds=9,7,5: {SIZES}",
    "thresholds=9": f"--set thresholds=9: {SIZES}",
    "thresholds=9,,5,3": "--set thresholds=9,,5,3: nothing between two commas",
    "removals=10,4,3,2": "--set removals=10,4,3,2: removals takes 10 iron, but thresholds lets an area of 9 be scored",
    "start=I 0 0,G 0 0": '--set start=I 0 0,G 0 0: "G 0 0" lies on iron; gold lies on silver',
    "bonus=all": '--set bonus=all: must be one of "none", "majority", "first"',
}


def refusal(text: str, *sets: str) -> str:
    with pytest.raises(ConfigError) as caught:
        config(text, *sets)
    line = str(caught.value)
    assert line.isprintable()
    return line


@pytest.mark.parametrize(("text", "pattern"), BAD_FILES.items(), ids=range(len(BAD_FILES)))
def test_bad_files(here: Path, text: str, pattern: str) -> None:
    line = refusal(text)
    assert matches(line, pattern), line


@pytest.mark.parametrize(("entry", "pattern"), BAD_OPTIONS.items())
def test_bad_options(here: Path, entry: str, pattern: str) -> None:
    line = refusal("", entry)
    assert matches(line, pattern), line


ITEMS = st.sampled_from(
    ["1", "0", "-1", "2.5", "'I 0 0'", "'C 0 0'", "'I 1 0'", "['I', 0, 0]", "[]", "{}", "true", "''"]
)
VALUES = ITEMS | st.lists(ITEMS, max_size=5).map(lambda items: f"[{', '.join(items)}]")
KEYS = st.sampled_from(["thresholds", "removals", "deck", "hand", "end_card_depth", "start", "strat"])


@settings(max_examples=150, deadline=None)
@given(keys=st.dictionaries(KEYS, VALUES, max_size=3))
def test_nothing_but_a_config_error_escapes(tmp_path_factory: pytest.TempPathFactory, keys: dict[str, str]) -> None:
    path = tmp_path_factory.getbasetemp() / "metal.toml"
    path.write_text(R + "[game]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items()), encoding="utf-8")
    assert outcome(str(path), []).isprintable()
