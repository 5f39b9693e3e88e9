"""Configurations: names, layers, overrides, and where a key stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from alchemy_sim.config import source
from alchemy_sim.config.load import MODELS, config_model, load, shipped
from alchemy_sim.config.locate import line_of
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


def config(text: str, *sets: str, players: list[int] | None = None) -> Any:
    write("m.toml", text)
    return load("m.toml", sets, players).settings[0].config


# -- what is shipped


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_configuration_loads(name: str) -> None:
    experiment = load(name)
    assert experiment.name == name
    for setting in experiment.settings:
        assert setting.config.title
        model = config_model(setting.game)
        assert model.model_validate(setting.config.resolved()) == setting.config


def test_logbook_is_the_twelve_missions() -> None:
    logbook = load("crucible/logbook")
    assert [each.name for each in logbook.settings] == [f"crucible/mission-{n:02d}" for n in range(1, 13)]
    for number, setting in enumerate(logbook.settings, 1):
        assert re.match(rf"Mission {number}(:|$)", setting.config.title)
        assert setting.config.players == (3, 4, 5)
        assert "tasks" in setting.config.assumed
        assert setting == load(setting.name).settings[0]


def test_loading_imports_no_compiler() -> None:
    """Of every shipped configuration: a mistake in one is told at once."""
    load_all = "from alchemy_sim.config.load import load, shipped; [load(name) for name in shipped()]"
    code = f"import sys; {load_all}; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


# -- the model


@pytest.mark.parametrize("name", MODELS)
def test_defaults_and_resolved_order(name: str) -> None:
    model: Any = config_model(name)
    rulings = model.tables()["rulings"]
    resolved = model().resolved()
    assert list(resolved) == list(model.model_fields)
    assert list(resolved["rulings"]) == list(rulings.model_fields)
    assert resolved["rulebook"] == name
    assert tuple(resolved["players"]) == model.allowed_players
    assert model.model_validate(resolved) == model()
    assert rulings().places() == dict.fromkeys(rulings.model_fields, 0)


def test_the_numbers_of_a_mission() -> None:
    resolved = CrucibleConfig().resolved()
    assert (resolved["limit"], resolved["target"], resolved["slag_cap"]) == (22, 18, 3)


@pytest.mark.parametrize("name", MODELS)
def test_every_key_says_what_it_is(name: str) -> None:
    models: list[Any] = [config_model(name)]
    for model in models:
        models += model.tables().values()
        assert all(field.description for field in model.model_fields.values()), model


@pytest.mark.parametrize("name", MODELS)
def test_any_value_of_any_ruling_can_be_set(here: Path, name: str) -> None:
    text = f'rulebook = "{name}"\n'
    rulings: Any = config_model(name).tables()["rulings"]
    before = config(text).resolved()
    for switch in rulings.switches():
        for value, written in zip(rulings.values(switch.name), switch.values, strict=True):
            found = config(text, f"{switch.name}={written}").resolved()
            assert found == before | {"rulings": before["rulings"] | {switch.name: value}}


def test_a_ruling_s_place_is_that_of_its_value() -> None:
    places = CrucibleRulings(sponge_is="any", early_win=True).places()
    assert places == CrucibleRulings().places() | {"sponge_is": 2, "early_win": 1}


def test_pool_is_a_set_of_ids(here: Path) -> None:
    pool = config(R + 'task_pool = ["T40", "tricks-0", "sum-22"]\n').task_pool
    assert pool == ("T01", "T23", "T40")
    assert config(R + 'tasks = 1\ntask_pool = "T07"').pool() == (6,)
    assert config(R).pool() == tuple(range(40))


def test_policies_by_seat(here: Path) -> None:
    assert config(R).policies(3, "thumb") == ("thumb",) * 3
    assert config(R + 'policy = "random"').policies(4, "thumb") == ("random",) * 4
    seats = config(R + 'players = 3\npolicy = ["random", "thumb", "careful"]')
    assert seats.policies(3, "thumb") == ("random", "thumb", "careful")
    with pytest.raises(ConfigError, match="names 3 seats, but there are 4 players"):
        seats.policies(4, "thumb")


def test_toml_habits(here: Path) -> None:
    assert config(R + "players = 4").players == (4,)
    assert config(R + "players = [3, 5]").players == (3, 5)
    assert config(R + 'catalyst_value = "none"').catalyst_value is None
    assert config("\ufeff" + R.replace("\n", "\r\n") + "limit = 24\r\n").limit == 24


# -- layers


def test_extends_merges_tables_and_the_child_wins(here: Path) -> None:
    write("base/a.toml", R + 'limit = 30\ngames = 7\n[rulings]\nafter_loss = "play_on"\nearly_win = true\n')
    write("base/b.toml", 'extends = "a.toml"\nlimit = 31\nseed = 3\n')
    write("c.toml", 'extends = "base/b.toml"\n[rulings]\nearly_win = false\n')
    found = load("c.toml")
    rulings = found.settings[0].config.resolved()["rulings"]
    assert found.settings[0].config.resolved()["limit"] == 31
    assert (rulings["after_loss"], rulings["early_win"]) == ("play_on", False)
    assert (found.games, found.seed) == (7, 3)
    write("d.toml", 'extends = "crucible/mission-07"\n')
    assert load("d.toml").settings[0].config.resolved()["catalyst_value"] == 10


@pytest.mark.parametrize(
    ("entry", "key", "value"),
    [
        ("limit=24", "limit", 24),
        (" limit = 24 ", "limit", 24),
        ("title=12", "title", "12"),
        ("title=2024-05-01", "title", "2024-05-01"),
        ('note=""', "note", ""),
        ("note=a = b", "note", "a = b"),
        ("whispers=false", "whispers", False),
        ("catalyst_value=none", "catalyst_value", None),
        ("players=3,4", "players", [3, 4]),
        ("players=[5]", "players", [5]),
        ("players=4", "players", [4]),
        ('task_pool=["T01","T02", "T03"]', "task_pool", ["T01", "T02", "T03"]),
        ("task_pool=T01,tricks-1, T03", "task_pool", ["T01", "T02", "T03"]),
        ("policy=my.py:name", "policy", ["my.py:name"]),
        ("rulings.after_loss=play_on", "rulings", {"after_loss": "play_on"}),
        ("after_loss=play_on", "rulings", {"after_loss": "play_on"}),
        ("early_win=true", "rulings", {"early_win": True}),
        ('rulings={trick_order="reactions"}', "rulings", {"trick_order": "reactions"}),
    ],
)
def test_set(here: Path, entry: str, key: str, value: Any) -> None:
    found = config(R + "limit = 23\n[rulings]\nearly_win = false\n", entry).resolved()
    before = config(R + "limit = 23\n").resolved()
    expected = before[key] | value if isinstance(value, dict) else value
    assert found == before | {key: expected}


def test_later_options_win(here: Path) -> None:
    assert config(R, "limit=24", "limit=25").limit == 25
    assert config(R + "players = 3", players=[4, 5]).players == (4, 5)
    write("m.toml", R + "games = 5")
    assert (load("m.toml", ["games=6"]).games, load("m.toml", ["seed=9"]).seed) == (6, 9)


def test_experiment(here: Path) -> None:
    write("a/m.toml", R + "games = 99\nlimit = 20\n")
    write("b/m.toml", 'extends = "crucible/mission-11"\nplayers = 3\n')
    configs = 'configs = ["a/m.toml", "b/m.toml", "crucible/mission-04"]\n'
    top = f'title = "Two"\n{configs}players = [4, 5]\npolicy = "random"\n'
    write(
        "x.toml", top + 'games = 10\nseed = 2\n[set]\ntarget = 17\nafter_loss = "play_on"\nrulings.early_win = true\n'
    )
    found = load("x.toml", ["target=16", "games=11"])
    assert (found.name, found.title, found.games, found.seed) == ("x", "Two", 11, 2)
    assert [each.name for each in found.settings] == ["a/m.toml", "b/m.toml", "crucible/mission-04"]
    for setting in found.settings:
        resolved = setting.config.resolved()
        assert (setting.game, resolved["players"], resolved["policy"]) == ("crucible", [4, 5], ["random"])
        assert (resolved["target"], resolved["rulings"]["after_loss"], resolved["rulings"]["early_win"]) == (
            16,
            "play_on",
            True,
        )
    assert [each.config.resolved()["limit"] for each in found.settings] == [20, 22, 22]
    write("y.toml", 'configs = ["a/m.toml", "crucible/base"]\n')
    assert [each.name for each in load("./y.toml").settings] == ["m", "crucible/base"]


@pytest.mark.parametrize("name", ["m.toml", "./m", "../m", "/tmp/m", "C:/m", "D:m", "\\\\host\\m", ".\\m"])
def test_paths(name: str) -> None:
    assert source.is_path(name)
    assert not source.is_path("crucible/mission-04")


def test_an_installed_package_does_not_take_its_neighbour_s_configs(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("site/alchemy_sim/configs/furnace/default.toml", R)
    write("site/configs/other.toml", R)
    monkeypatch.setattr(source, "files", lambda _: here / "site" / "alchemy_sim")
    assert shipped() == ["furnace/default"]
    write("site/pyproject.toml", "")
    assert shipped() == ["furnace/default", "other"]


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("a = 1\nb = 2", ("b",), 2),
        ("a = [\n1,\n2]\n\n# c\nb = 2\n", ("b",), 6),
        ("a = [\n1,\n2]\n", ("a",), 1),
        ('a = """\nb = 3\n"""\nb = 2\n', ("b",), 4),
        ("[t]\nx = 1\n[t.u]\ny = 2\n", ("t", "u", "y"), 4),
        ("[t.u]\ny = 2\n[t]\nx = 1\n", ("t", "x"), 4),
        ("t.u.y = 1\n", ("t", "u"), 1),
        ('x = 1\n"odd key" = 2\r\n', ("odd key",), 2),
        ("x = 1\nt = { u = 1 }\n", ("t", "u"), 2),
        ("[[t]]\nx = 1\n[[t]]\nx = 1\n", ("t", 1, "x"), 4),
        ("x = 1\r\ny = 2\r\n", ("y",), 2),
        ("x = 1\n", ("y",), None),
        ("#\n" * 3000 + "x = 1", ("x",), None),
    ],
)
def test_line_of(text: str, path: tuple[str | int, ...], line: int | None) -> None:
    assert line_of(text, path) == line
