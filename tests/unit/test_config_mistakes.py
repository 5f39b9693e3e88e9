"""Mistakes in configurations: each is one clear line, and nothing but a ConfigError ever escapes."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from alchemy_sim.config.load import load, rulebooks
from alchemy_sim.config.model import GameConfig, Model, Rulings
from alchemy_sim.core import game as games
from alchemy_sim.core.errors import ConfigError
from alchemy_sim.games.crucible.config import CrucibleConfig, CrucibleRulings

R = 'rulebook = "crucible"\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8", newline="")


def refusal(name: str, *sets: str, players: list[int] | None = None) -> str:
    with pytest.raises(ConfigError) as caught:
        load(name, sets, players)
    line = str(caught.value)
    assert "\n" not in line
    assert line.isprintable()
    assert "pydantic" not in line
    return line


RULINGS = ", ".join(CrucibleRulings.model_fields)
KEYS = ", ".join(CrucibleConfig.model_fields)

BAD_FILES = {
    # unknown keys
    R + "\nlimt = 3": f'm.toml:3: unknown key "limt" (did you mean "limit"?); allowed: {KEYS}, extends, games, seed',
    R + "[rulings]\nafter_los = 1": f'm.toml:3: unknown key "rulings.after_los" (did you mean "rulings.after_loss"?); '
    f"allowed: {RULINGS}",
    R + "early_win = true": 'm.toml:2: unknown key "early_win" (did you mean "rulings.early_win"?); *',
    R + "[rulings]\nlimit = 3": 'm.toml:3: unknown key "rulings.limit" (did you mean "limit"?); *',
    R + "[ruling]\nx = 1": 'm.toml:2: unknown key "ruling" (did you mean "rulings"?); *',
    R + '"a\\nb" = 1': 'm.toml:2: unknown key "a\\nb"; *',
    R + "a = 1\nb = 2\nlimit = 0": 'm.toml:2: unknown key "a"; * (and 2 more)',
    # wrong types, values out of range
    R + "# x\n\nlimit = -1": "m.toml:4: limit = -1: must be a whole number from 1 to 999",
    R + "limit = true": "m.toml:2: limit = true: must be a whole number from 1 to 999",
    R + "limit = 3.5": "m.toml:2: limit = 3.5: must be a whole number from 1 to 999",
    R + "limit = nan": "m.toml:2: limit = nan: must be a whole number from 1 to 999",
    R + "limit = '22'": 'm.toml:2: limit = "22": must be a whole number from 1 to 999',
    R + "limit = 0x" + "f" * 5000: "m.toml:2: limit = a huge number: must be a whole number from 1 to 999",
    R + "max_reactions = 0": 'm.toml:2: max_reactions = 0: must be a whole number from 1 to 1000000 or "none"',
    R + "whispers = 1": "m.toml:2: whispers = 1: must be true or false",
    R + "note = [1]": "m.toml:2: note = [1]: must be a text in quotes",
    R + "rulings = 3": "m.toml:2: rulings = 3: must be a table",
    R + "games = 0": "m.toml:2: games = 0: must be a whole number from 1 to 1000000000000*",
    R + "seed = 0.5": "m.toml:2: seed = 0.5: must be a whole number from 0 to *",
    R + "players = 2": "m.toml:2: players = 2: must be among 3, 4, 5 (one number or a list)",
    R + "players = [3, 6]": "m.toml:2: players = [3, 6]: must be among 3, 4, 5 (one number or a list)",
    R + "players = [3, 3]": "m.toml:2: players = [3, 3]: must not name a player count twice",
    R + "players = []": "m.toml:2: players = []: must name at least one player count",
    R + "players = 'all'": 'm.toml:2: players = "all": must be whole numbers (one or a list)',
    R + "policy = ['a',\n3]": 'm.toml:2: policy = ["a", 3]: must be texts in quotes (one or a list)',
    R + "policy = ''": 'm.toml:2: policy = "": must not hold an empty name',
    R + "policy = ['a', 'b']": "m.toml:2: policy names 2 seats, but players is 3, 4, 5",
    R + "assumed = 'taks'": 'm.toml:2: assumed = "taks": unknown key "taks" (did you mean "tasks"?); *',
    R + "task_pool = [\n'T01',\n'T41',\n]": 'm.toml:2: task_pool = ["T01", "T41"]: unknown task "T41"*',
    R + "task_pool = 'sum-21'": 'm.toml:2: task_pool = "sum-21": unknown task "sum-21" (did you mean "sum-22"?); *',
    R + "task_pool = ['T01', 'tricks-0']": "m.toml:2: task_pool = *: names T01 (tricks-0) twice",
    R + "task_pool = []": "m.toml:2: task_pool = []: must name at least one task",
    R + "tasks = 2\ntask_pool = ['T01']": "m.toml:2: tasks is 2, but task_pool names only 1",
    R + "\ntask_pool = ['T01']": "m.toml:3: tasks is 3, but task_pool names only 1",
    # rulings
    R + "[rulings]\nafter_loss = 'stopp'": 'm.toml:3: rulings.after_loss = "stopp": must be one of "stop", "play_on" '
    '(did you mean "stop"?)',
    R + "rulings.early_win = 'no'": 'm.toml:2: rulings.early_win = "no": must be true or false',
    R + "rulings = { early_win = 2 }": "m.toml:2: rulings.early_win = 2: must be true or false",
    # the game
    "limit = 3": "m.toml: no rulebook; name the game by one of: crucible*",
    "\nrulebook = 'crucibel'": 'm.toml:2: unknown rulebook "crucibel" (did you mean "crucible"?); allowed: crucible*',
    "rulebook = 3": "m.toml:1: rulebook = 3: must be one of: crucible*",
    # the file
    "": "m.toml: the file is empty; *",
    "# nothing\n": "m.toml: the file is empty; *",
    R + "a = = 3": "m.toml:2: not valid TOML: Invalid value (column 5)",
    R + "limit = 1\nlimit = 2\n": "m.toml:3: not valid TOML: *",
    R + "a = [1,\n": "m.toml:2: not valid TOML: *(at the end of the file)",
    R + "limit = " + "9" * 5000: "m.toml:2: not valid TOML: a number is too long",
    R + "a = " + "[" * 5000 + "]" * 5000: "m.toml: lists or tables are nested too deeply",
    R + "a" + ".a" * 5000 + " = 1": "m.toml: lists or tables are nested too deeply",
    "#" * 1_000_001: "m.toml: too large for a configuration (over 1,000,000 bytes)",
    # extends
    R + "extends = 3": "m.toml:2: extends = 3: must be a name or a path in quotes",
    R + "extends = 'mm.toml'": 'm.toml:2: extends: mm.toml: no such file (did you mean "m.toml"?)',
    R + "extends = 'm.toml'": "m.toml:2: extends goes in a circle: m.toml -> m.toml",
    R + "extends = 'crucible/mision-04'": "m.toml:2: extends: unknown configuration *(did you mean *mission-04*?)",
    R + "extends = 'crucible/logbook'": "m.toml:2: extends = * that is an experiment, not a configuration",
    # experiments
    "configs = []": "m.toml:1: configs is empty; *",
    "configs = 3": "m.toml:1: configs = 3: must be texts in quotes (one or a list)",
    "configs = ['crucible/base', 'crucible/base']": 'm.toml:1: configs lists "crucible/base" 2 times',
    "\nconfigs = ['crucible/logbook']": "m.toml:2: crucible/logbook.toml is an experiment; *",
    "configs = ['no.toml']": "m.toml:1: no.toml: no such file*",
    "configs = ['crucible/base']\nlimit = 3": 'm.toml:2: unknown key "limit"; allowed: games, seed, title, *',
    "configs = ['crucible/base']\nplayers = 2": "m.toml:2: players = 2: must be among 3, 4, 5 *",
    "configs = ['crucible/base']\n[set]\n\nlimit = 0": "m.toml:4: limit = 0: must be a whole number from 1 to 999",
    "configs = ['crucible/base']\n[set]\nearly_win = 0": "m.toml:3: rulings.early_win = 0: must be true or false",
    "configs = ['crucible/base']\n[set.rulings]\nx = 0": f'm.toml:3: unknown key "rulings.x"; allowed: {RULINGS}',
    "configs = ['crucible/base']\n[set]\nlimt = 0": 'm.toml:3: unknown key "limt" (did you mean "limit"?); *',
    "configs = ['crucible/base']\n[set]\ngames = 3": 'm.toml:3: unknown key "set.games"; it stands beside configs, *',
    "configs = ['crucible/base']\nset = 3": "m.toml:2: set = 3: must be a table",
}

BAD_OPTIONS = {
    "limit": "--set limit: write key=value, such as --set limit=24",
    "=3": "--set =3: write key=value, *",
    "limit=": '--set limit=: no value; an empty text is written limit=""',
    "a b=3": "--set a b=3: not a key; *",
    "rulings.=3": "--set rulings.=3: not a key; *",
    "x\ny=3": "--set x\\ny=3: not a key; *",
    "limit=-1": "--set limit=-1: must be a whole number from 1 to 999",
    "limit=two": "--set limit=two: must be a whole number from 1 to 999",
    "limt=3": '--set limt=3: unknown key "limt" (did you mean "limit"?); *',
    "gamse=3": '--set gamse=3: unknown key "gamse" (did you mean "games"?); *',
    "extends=x": '--set extends=x: unknown key "extends"; *',
    "after_loss=stopp": '--set after_loss=stopp: must be one of "stop", "play_on" (did you mean "stop"?)',
    "rulings.x.y=1": '--set rulings.x.y=1: unknown key "rulings.x"; *',
    "rulebook=chess": '--set rulebook=chess: must be "crucible"',
    "task_pool=T01,,T02": "--set task_pool=T01,,T02: nothing between two commas",
    "seed=-1": "--set seed=-1: must be a whole number from 0 to *",
    "policy=a,b": "--set policy=a,b: policy names 2 seats, but players is 3, 4, 5",
}


def matches(line: str, pattern: str) -> bool:
    """Whether the line is the pattern, in which * stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), line) is not None


@pytest.mark.parametrize(("text", "pattern"), BAD_FILES.items(), ids=range(len(BAD_FILES)))
def test_bad_files(here: Path, text: str, pattern: str) -> None:
    write("m.toml", text)
    line = refusal("m.toml")
    assert matches(line, pattern), line


@pytest.mark.parametrize(("entry", "pattern"), BAD_OPTIONS.items())
def test_bad_options(here: Path, entry: str, pattern: str) -> None:
    write("m.toml", R)
    line = refusal("m.toml", entry)
    assert matches(line, pattern), line


def test_bad_names(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("folder/mission.toml", R)
    write("mission.toml", R)
    write("latin.toml", "")
    Path("latin.toml").write_bytes(R.encode() + b"note = 'caf\xe9'\n")
    for name, pattern in {
        "": "a configuration's name is empty",
        "./folder": "./folder: is a folder, not a configuration file",
        "mision.toml": 'mision.toml: no such file (did you mean "mission.toml"?)',
        "none/x.toml": "none/x.toml: no such file",
        "\0.toml": "\\x00.toml: no such file*",
        "x" * 5000 + ".toml": "*...: no such file*",
        "mission": 'unknown configuration "mission" (did you mean the file "mission.toml"?)',
        "crucible/mision-04": 'unknown configuration "crucible/mision-04" (did you mean "crucible/mission-04"?)',
        "crucible/../x": "unknown configuration *",
        "zzz": 'unknown configuration "zzz"; shipped: crucible/base, *; or a path to a .toml file',
        "latin.toml": "latin.toml:2: not UTF-8 text; save the file as UTF-8",
    }.items():
        line = refusal(name)
        assert matches(line, pattern), line
    assert refusal("mission.toml", players=[2]) == "--players 2: must be among 3, 4, 5 (one number or a list)"
    assert refusal("mission.toml", players=[]) == "--players: must name at least one player count"

    def locked(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", locked)
    assert refusal("mission.toml") == "mission.toml: can't be read: Permission denied"


def test_blame_goes_to_the_file_that_gave_the_key(here: Path) -> None:
    write("lib/base.toml", R + "\nlimit = 0\n")
    write("m.toml", 'extends = "lib/base.toml"\n')
    assert refusal("m.toml").startswith("lib/base.toml:3: limit = 0: ")
    write("x.toml", 'configs = ["m.toml"]\n')
    assert refusal("x.toml").startswith("lib/base.toml:3: limit = 0: ")
    assert refusal("x.toml", "limit=-2").startswith("--set limit=-2: ")
    write("m.toml", 'extends = "lib/base.toml"\n\nlimit = 1000\n')
    assert refusal("m.toml").startswith("m.toml:3: limit = 1000: ")
    write("lib/base.toml", 'extends = "../m.toml"\n')
    assert refusal("m.toml") == "lib/base.toml:1: extends goes in a circle: m.toml -> lib/base.toml -> m.toml"


# -- games from outside the package


class ToyRulings(Rulings):
    ending: Any = Field(default="soon")


class Area(Model):
    size: int = Field(ge=1)


class Numbers(Model):
    share: float = Field(default=0.5, gt=0, lt=1)
    pair: tuple[int, int] = (1, 2)
    by_metal: dict[str, int] = Field(default_factory=dict)
    areas: tuple[Area, ...] = ()
    ending: int = 1


class ToyConfig(GameConfig):
    players: tuple[int, ...] = (2,)
    must: int
    numbers: Numbers = Field(default=Numbers())
    rulings: ToyRulings = Field(default=ToyRulings())


T = 'rulebook = "toy"\nmust = 1\n'


@pytest.mark.parametrize(
    ("text", "entry", "pattern"),
    [
        ('rulebook = "toy"', "players=3", 'm.toml: no key "must": must be a whole number'),
        (T + "players = 0", "must=1", "m.toml:3: players = 0: must be whole numbers of at least 1"),
        (T + "[numbers]\nshare = 1.0", "must=1", "m.toml:4: numbers.share = 1.0: must be a number above 0 below 1"),
        (T + "[numbers]\npair = [1]", "must=1", "m.toml:4: numbers.pair = [1]: must be a list of 2 whole numbers"),
        (
            T + "[numbers.by_metal]\niron = 'x'",
            "must=1",
            'm.toml:4: numbers.by_metal.iron = "x": must be a whole number',
        ),
        (
            T + "[[numbers.areas]]\nsize = 1\n[[numbers.areas]]\nsize = 0",
            "must=1",
            "m.toml:6: numbers.areas[1].size = 0: must be a whole number of at least 1",
        ),
        (T + "[[numbers.areas]]\n", "must=1", 'm.toml:3: no key "numbers.areas[0].size": must be a whole number *'),
        (T, "rulebook=crucible", "--set rulebook=crucible: *"),
        (T, "ending=1", '--set ending=1: "ending" stands in several tables; write numbers.ending or rulings.ending'),
    ],
)
def test_toy_game(here: Path, monkeypatch: pytest.MonkeyPatch, text: str, entry: str, pattern: str) -> None:
    module = ModuleType("toy_game")
    module.GAME = SimpleNamespace(config=ToyConfig)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_game", module)
    monkeypatch.setitem(games.REGISTRY, "toy", "toy_game")
    assert "toy" in rulebooks()
    write("good.toml", T + "[numbers]\nareas = [{ size = 3 }]\nby_metal.iron = 2\nshare = 0.25\n")
    good = load("good.toml").settings[0]
    assert (good.game, good.config.resolved()["numbers"]["areas"]) == ("toy", [{"size": 3}])
    write("m.toml", text)
    line = refusal("m.toml", entry)
    assert matches(line, pattern), line


# -- anything at all

WORDS = [
    *("rulebook", "limit", "players", "policy", "task_pool", "tasks", "rulings", "set", "configs", "extends", "games"),
    *(
        "early_win",
        "after_loss",
        "title",
        "seed",
        "assumed",
        "catalyst_value",
        "'crucible'",
        '"crucible/base"',
        "'m.toml'",
    ),
    *(
        "= ",
        "\n",
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        ".",
        ",",
        '"',
        "'",
        '"""',
        "#",
        "\r\n",
        "\\",
        "true",
        "1",
        "-7",
        "1e400",
    ),
    *(
        "nan",
        "1979-05-27",
        "07:32:00",
        "0xff",
        "\0",
        "é",
        "\u2028",
        "[rulings]\n",
        "[set]\n",
        R,
        "configs = ['crucible/base']\n",
    ),
]
FRAGMENTS = st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=25).map("".join)
VALUES = st.sampled_from(
    ["1", "'x'", "[]", "[1]", "['T01']", "{}", "true", "{ a = 1 }", "1.5", "[[1], {}]", "'crucible'"]
)
LINES = st.lists(
    st.tuples(st.sampled_from(WORDS[:17]), VALUES).map(" = ".join), max_size=5, unique_by=lambda s: s.split()[0]
)
TEXTS = FRAGMENTS | LINES.map(lambda lines: "\n".join([R, *lines]))


def outcome(name: str, sets: list[str]) -> str:
    """The line of a refusal, or the name of what was loaded."""
    try:
        return load(name, sets).name
    except ConfigError as error:
        return str(error)


@settings(max_examples=150, deadline=None)
@given(text=TEXTS, sets=st.lists(FRAGMENTS | st.sampled_from(WORDS).map("{}=1".format), max_size=2))
def test_nothing_but_a_config_error_escapes(
    tmp_path_factory: pytest.TempPathFactory, text: str, sets: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert outcome(str(path), sets).isprintable()


@settings(max_examples=50, deadline=None)
@given(name=FRAGMENTS)
def test_no_name_breaks_it(name: str) -> None:
    assert outcome(name, []).isprintable()
