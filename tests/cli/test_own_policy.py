"""`--policy my.py:name` at the command line: the README's example, and a run whose file stays, changes or goes."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from alchemy_sim.games.crucible.cards import RANK_OF
from alchemy_sim.games.crucible.names import face_number
from alchemy_sim.games.crucible.table import Ask
from tests.own_policy import MY
from tests.toy_game import ROOT

pytestmark = pytest.mark.compiled

GAMES = 300
MIXED = "thumb,my.py:low,thumb,my.py:plain"
RUN = ("run", "crucible/mission-04", "--players", 4, "--games", GAMES)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The working folder, with my.py in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.py").write_text(MY, encoding="utf-8")
    return tmp_path


@pytest.fixture
def stored(here, command):
    """A run by own policies in the folder `run`."""
    assert command(*RUN, "--policy", MIXED, "--out", "run")[0] == 0
    return here / "run"


def section() -> str:
    """What the README says about players of one's own."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return text.split("## Your own player", 1)[1].split("\n## ", 1)[0]


def refused(command, *args):
    """The one line of a mistake."""
    code, out, err = command(*args)
    assert (code, out, err.count("\n")) == (2, "", 1), (out, err)
    return err.removeprefix("alchemy-sim: ").rstrip("\n")


# ---- the README's example --------------------------------------------------------------------------------------


def test_the_example_plays_its_lowest_legal_card(command, tmp_path, monkeypatch):
    """Read off the trace: nothing is Transmuted, so no card flips and hands are what was dealt and not yet played."""
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", section(), re.DOTALL)
    Path("my.py").write_text(code, encoding="utf-8")
    status, out, err = command("trace", "crucible/mission-04", "--players", 4, "--policy", "my.py:low", "--games", 30)
    assert (status, err) == (0, "")
    choices = 0
    for event in map(json.loads, out.splitlines()):
        if event["type"] == "setup":
            hands = [{face_number(card) for card in hand} for hand in event["hands"]]
        elif event["type"] == "reaction":
            assert event["intent"] == "catalyze"
            suit = face_number(event["plays"][0][1]) // 9
            for seat, card, *_ in event["plays"]:
                follows = {face for face in hands[seat] if face // 9 == suit}
                legal = hands[seat] if seat == event["leader"] or not follows else follows
                face = face_number(card)
                assert RANK_OF[face] == min(RANK_OF[each] for each in legal)
                choices += len({int(RANK_OF[each]) for each in legal}) > 1
                hands[seat].remove(face)
    assert choices > 100


def test_the_readme_names_every_question():
    rows = re.findall(r"^\| `([A-Z]+)` \|", section(), re.MULTILINE)
    assert rows == [each.name for each in Ask]


def test_list_view_prints_what_a_policy_sees(command):
    code, out, err = command("list", "view", "--game", "crucible")
    assert (code, err) == (0, "")
    for words in ("field", "meaning", "cards_left", "int64[5]", "faces in the own hand"):
        assert words in out
    rows = json.loads(command("list", "view", "--game", "crucible", "--format", "json")[1])["rows"]
    assert rows[0]["field"] == "ask"


# ---- a run, and everything that reads it back --------------------------------------------------------------------


def test_by_seat_and_alone(command, here):
    mixed = command(*RUN, "--policy", MIXED)
    assert mixed[0] == 0
    assert f"policy {MIXED}, seed 1" in mixed[1]
    assert "policy my.py:low, seed 1" in command(*RUN, "--policy", "my.py:low")[1]
    assert command(*RUN, "--policy", MIXED, "--backend", "processes", "--workers", 2, "--chunk", 70)[1] == mixed[1]
    assert (
        command(*RUN, "--policy", "my.py:plain", "--format", "csv")[1]
        == command(*RUN, "--policy", "thumb", "--format", "csv")[1]
    )


def test_a_run_is_read_back_as_any_other(command, stored):
    manifest = json.loads((stored / "manifest.json").read_text())
    assert [each["policy"] for each in manifest["own_policies"]] == ["my.py:low", "my.py:plain"]
    assert manifest["cells"][0]["policies"] == MIXED.split(",")
    assert command("show", "run")[1] == command(*RUN, "--policy", MIXED)[1]
    assert command("replay", "run", "--game", 7)[0] == 0
    assert command("find", "run", "--where", "policy_1 == 'my.py:low' and ending == 'slag'")[1].count("replay run") == 3
    assert f"--policy {MIXED}" in command("explain", "run", "win_rate")[1]
    assert command("verify", "run")[1].endswith("all is well\n")
    assert command(*RUN, "--policy", MIXED, "--out", "run", "--resume")[0] == 0
    assert command("extend", "run", "--games", 2 * GAMES)[0] == 0
    again = command(*RUN[:-1], 2 * GAMES, "--policy", MIXED, "--out", "other")
    assert again[0] == 0
    for name in ("manifest.json", "summary.json", "games/part-000000.parquet"):
        assert (stored / name).read_bytes() == (stored.parent / "other" / name).read_bytes()


def test_reading_a_run_needs_no_file(command, stored):
    questions = [
        ("show", "run"),
        ("show", "run", "--by", "task", "--format", "json"),
        ("show", "run", "--where", "policy_3 == 'my.py:plain'"),
        ("find", "run", "--where", "ending == 'win' and policy_1 == 'my.py:low'"),
    ]
    before = [command(*each) for each in questions]
    assert all(code == 0 for code, _, _ in before)
    Path("my.py").unlink()
    assert [command(*each) for each in questions] == before
    code, out, _ = command("explain", "run", "win_rate")
    assert code == 0
    assert f"there is no my.py in {Path.cwd()} now" in out


CHANGED = r"my\.py has changed since \(sha256 [0-9a-f]{12} then, [0-9a-f]{12} now\)"
#: What plays games of the run again, and how its refusal begins.
AGAIN = [
    (("replay", "run", "--game", 7), "run: its games can't be played again: policy my.py:low: "),
    (("extend", "run", "--games", 2 * GAMES), "run: its games can't be played again: policy my.py:low: "),
]


@pytest.mark.parametrize(("args", "words"), AGAIN, ids=lambda each: each[0] if isinstance(each, tuple) else "")
def test_a_file_that_has_changed_or_is_gone_is_one_line(command, stored, args, words):
    before = {path: path.read_bytes() for path in stored.rglob("*") if path.is_file()}
    Path("my.py").write_text(MY + "# more\n", encoding="utf-8")
    assert re.fullmatch(re.escape(words) + CHANGED, refused(command, *args))
    Path("my.py").unlink()
    assert refused(command, *args) == f"{words}there is no my.py in {Path.cwd()} now"
    assert {path: path.read_bytes() for path in stored.rglob("*") if path.is_file()} == before
    Path("my.py").write_text(MY, encoding="utf-8")
    assert command(*args)[0] == 0


def test_a_run_is_not_resumed_by_a_file_that_has_changed(command, stored):
    args = (*RUN, "--policy", MIXED, "--out", "run", "--resume")
    Path("my.py").write_text(MY + "# more\n", encoding="utf-8")
    assert refused(command, *args) == (
        "run: holds a run of policy my.py:low as it was before my.py changed; name a new folder, or remove this one"
    )
    Path("my.py").unlink()
    assert refused(command, *args) == "my.py: no such file"


def test_verify_says_so_too(command, stored):
    Path("my.py").write_text(MY + "# more\n", encoding="utf-8")
    code, out, err = command("verify", "run")
    assert (code, len(out.splitlines()), err.count("\n")) == (2, 2, 1)
    assert all(re.fullmatch(rf"policy my\.py:(low|plain): {CHANGED}", line) for line in out.splitlines())
    assert err.startswith(
        "alchemy-sim: run: its games are all there, but can't be played again: policy my.py:low: my.py"
    )
    (stored / "games" / "part-000000.parquet").unlink()
    code, out, err = command("verify", "run")
    assert (code, len(out.splitlines())) == (2, 3)
    assert "games/part-000000.parquet: missing" in err


def test_a_run_without_its_games_is_played_again_by_the_same_file(command, here):
    assert command(*RUN, "--policy", MIXED, "--out", "run", "--keep", "summary")[0] == 0
    assert command("replay", "run", "--game", 3)[0] == 0
    assert command("explain", "run", "win_rate")[0] == 0
    Path("my.py").unlink()
    assert command("show", "run")[0] == 0
    assert "its games can't be played again" in refused(command, "explain", "run", "win_rate")


def test_a_helper_file_that_changed_counts_too(command, here):
    shutil.copy("my.py", "inner.py")
    Path("my.py").write_text("from inner import lowest_card, plain as p\n\ndef plain(view):\n    return 0\n" + MY)
    assert command(*RUN, "--policy", "my.py:low", "--out", "run")[0] == 0
    manifest = json.loads(Path("run/manifest.json").read_text())
    assert [each["file"] for each in manifest["own_policies"][0]["files"]] == ["my.py", "inner.py"]
    Path("inner.py").write_text(MY + "# more\n", encoding="utf-8")
    assert "policy my.py:low: inner.py has changed since" in refused(command, "replay", "run", "--game", 3)
    assert "as it was before inner.py changed" in refused(
        command, *RUN, "--policy", "my.py:low", "--out", "run", "--resume"
    )


# ---- mistakes ------------------------------------------------------------------------------------------------------


BAD = [
    ("mi.py:low", 'mi.py: no such file (did you mean "my.py"?)'),
    ("my.py:lwo", 'my.py: no function "lwo" (did you mean "low"?); it has low, plain, gossip'),
    ("my.py", "policy my.py: name its function too, as in my.py:"),
    ("thumbs", 'unknown policy "thumbs" (did you mean "thumb"?); allowed: random, thumb'),
    ("bad.py:low", "bad.py:3: not valid Python: "),
    ("load.py:low", "load.py:1: can't be loaded: ModuleNotFoundError: No module named 'nowhere_at_all'"),
    ("write.py:low", "write.py:2: low can't be compiled: writes view.limit; a policy may write view.plan only"),
    ("my.py:far", 'policy "my.py:far" (seat 2) broke the rules in game 0: asked for CARD in reaction 1, it answered '),
    ("my.py:gives_up", 'policy "my.py:gives_up" (seat '),
    ("thumb,my.py:low", "policy thumb,my.py:low: 2 names for 4 players; name one, or 4"),
]  # fmt: skip


@pytest.mark.parametrize("start", ["run", "trace"])
@pytest.mark.parametrize(("policy", "message"), BAD, ids=[policy for policy, _ in BAD])
def test_a_mistake_is_one_line(command, here, policy, message, start):
    Path("bad.py").write_text("def low(view):\n    return 0\ndef high(view)\n    return 0\n")
    Path("load.py").write_text("import nowhere_at_all\n")
    Path("write.py").write_text("def low(view):\n    view.limit = 30\n    return 0\n")
    found = refused(command, start, "crucible/mission-04", "--players", 4, "--games", 1, "--policy", policy)
    assert found.startswith(message)


def test_nothing_is_written_for_a_policy_that_can_not_be_compiled(command, here):
    Path("write.py").write_text("def low(view):\n    view.limit = 30\n    return 0\n")
    before = sorted(Path().rglob("*"))
    refused(command, *RUN, "--policy", "write.py:low", "--out", "run")
    assert sorted(Path().rglob("*")) == before
