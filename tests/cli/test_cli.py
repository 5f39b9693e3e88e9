"""The command line: what it prints, and one line for every mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from alchemy_sim import __version__
from alchemy_sim.cli.app import main
from alchemy_sim.cli.options import integer
from alchemy_sim.core.errors import UsageError
from tests import toy_game
from tests.toy_game import GAME, ROOT, WITH_COINS

HEAVY = ("numba", "polars", "pandas", "scipy", "matplotlib", "joblib", "numpy")


@pytest.fixture
def coins(tmp_path):
    """A configuration of the toy game, as a path."""
    path = tmp_path / "coins.toml"
    path.write_text('rulebook = "coins"\ntitle = "Coins"\nassumed = ["most"]\n', encoding="utf-8")
    return str(path)


def shell(*args, **more):
    arguments = [sys.executable, "-m", "alchemy_sim", *args]
    return subprocess.run(arguments, capture_output=True, text=True, check=False, encoding="utf-8", **more)


BAD = [
    (["rnu"], 'unknown command "rnu" (did you mean "run"?); allowed: run, compare, check'),
    (["--bogus"], "no such option --bogus; see alchemy-sim --help"),
    (["run"], "run: missing argument CONFIG"),
    (["run", "COINS", "more"], "run: got unexpected extra argument(s) (more)"),
    (["run", "COINS", "--gmes", "3"], 'run: no such option --gmes (did you mean "--games"?)'),
    (["run", "COINS", "--games"], "option --games requires an argument"),
    (["run", "COINS", "--games", "0"], "--games 0: must be a whole number from 1 to 1_000_000_000_000"),
    (["run", "COINS", "--games", "many"], "--games many: must be a whole number from 1 to 1_000_000_000_000"),
    (["run", "COINS", "--games", "1.5"], "--games 1.5: must be a whole number from 1 to 1_000_000_000_000"),
    (["run", "COINS", "--seed", "-1"], "--seed -1: must be a whole number from 0 to 2^64 - 1"),
    (["run", "COINS", "--seed", str(2**64)], f"--seed {2**64}: must be a whole number from 0 to 2^64 - 1"),
    (["run", "COINS", "--workers", "0"], "--workers 0: must be a whole number from 1 to 1_024"),
    (["run", "COINS", "--chunk", "0"], "--chunk 0: must be a whole number from 1 to 1_000_000_000_000"),
    (["run", "COINS", "--players", "4"], "--players 4: must be among 2, 3 (one number or a list)"),
    (["run", "COINS", "--players", "2,x"], "--players 2,x: must be whole numbers with commas between, such as 3,4,5"),
    (["run", "COINS", "--policy", "luky"], 'unknown policy "luky" (did you mean "lucky"?); allowed: plain, lucky'),
    (["run", "COINS", "--backend", "thread"],
     'unknown backend "thread" (did you mean "threads"?); allowed: threads, processes'),
    (["run", "COINS", "--keep", "all"], 'unknown value of --keep "all"; allowed: games, summary'),
    (["run", "COINS", "--format", "xml"], 'unknown format "xml"; allowed: table, json, csv, md'),
    (["run", "COINS", "--set", "mist=3"], '--set mist=3: unknown key "mist" (did you mean "most"?)'),
    (["run", "COINS", "--out", ""], "--out is empty; it takes the name of a new folder"),
    (["run", "COINS", "--out", "FOLDER"],
     "FOLDER: the folder is not empty; name a new folder, or remove this one"),
    (["run", "COINS", "--out", "COINS"], "COINS: is a file, not a folder for a run"),
    (["run", "crucible/mission-4"],
     'unknown configuration "crucible/mission-4" (did you mean "crucible/mission-04"?)'),
    (["trace", "COINS", "--first", "-1"], "--first -1: must be a whole number from 0 to 1_000_000_000_000"),
    (["list"], "list: missing argument WHAT"),
    (["list", "tsks", "--game", "coins"],
     'unknown list "tsks" (did you mean "tasks"?); allowed: games, policies, metrics, tasks'),
    (["list", "tasks", "--game", "coin"],
     'unknown game "coin" (did you mean "coins"?); allowed: crucible, furnace, showdown, metallurgie, coins'),
]  # fmt: skip


@pytest.mark.parametrize(("args", "message"), BAD, ids=[" ".join(args) for args, _ in BAD])
def test_a_mistake_is_one_line(command, coins, tmp_path, args, message):
    places = {"COINS": coins, "FOLDER": str(tmp_path)}
    for word, place in places.items():
        args = [place if each == word else each for each in args]
        message = message.replace(word, place)
    before = sorted(tmp_path.rglob("*"))
    code, out, err = command(*args)
    assert (code, out) == (2, "")
    assert err.rstrip("\n").startswith(f"alchemy-sim: {message}")
    assert err.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("args", [["rnu"], ["run", "crucible/mission-04", "--games", "0"], ["run", "nothing.toml"]])
def test_a_mistake_is_one_line_in_a_shell(args):
    done = shell(*args)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("alchemy-sim: ")


def test_debug_shows_the_traceback(coins):
    with pytest.raises(UsageError):
        main(["run", coins, "--games", "0", "--debug"])


def test_a_bug_keeps_its_traceback(coins, monkeypatch):
    monkeypatch.setitem(GAME.__dict__, "simulate", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        main(["run", coins])


@pytest.mark.parametrize(
    ("text", "value"),
    [("20000", 20000), ("20_000", 20000), ("2e4", 20000), ("1.5E3", 1500), (" 7 ", 7), ("+7", 7), ("1.50e1", 15)],
)
def test_whole_numbers_as_people_type_them(text, value):
    assert integer("--games", text, 1, 10**6) == value


@pytest.mark.parametrize(
    "text", ["", " ", "1__0", "_1", "1e", "1.55e1", "0x10", "٣", "1e99", "9" * 200, "1,000", "nan"]
)
def test_what_is_no_whole_number(text):
    with pytest.raises(UsageError, match="must be a whole number"):
        integer("--games", text, 1, 10**6)


def test_a_run_prints_a_table(command, coins):
    code, out, err = command("run", coins, "--games", "2_000", "--policy", "plain", "--seed", "9")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "Coins: Coins"
    assert lines[1].split() == ["configuration", "players", "games", "win", "rate", "head", "rate", "tosses"]
    assert lines[3].startswith("Coins *")
    assert "2   2,000   " in lines[3]
    assert "lost, of all games" in lines
    assert "* assumed, the game's source text does not give it: most (4)" in lines
    assert "policy plain, seed 9, 2,000 games of each" in lines
    assert err.startswith("4,000 games in ")
    assert err.count("\n") == 1


def test_every_format_has_the_same_rows(command, coins):
    base = ("run", coins, "--games", "500", "--players", "3")
    parsed = json.loads(command(*base, "--format", "json")[1])
    assert (parsed["command"], parsed["games"], parsed["seed"]) == ("run", 500, 1)
    assert parsed["assumed"] == {"coins": {"most": 4}}
    assert list(parsed["rows"][0]) == ["config", "players", "metric", "estimate", "low", "high", "n", "method"]
    assert [row["metric"] for row in parsed["rows"]] == [metric.name for metric in GAME.metrics]
    lines = command(*base, "--format", "csv")[1].splitlines()
    assert lines[0] == ",".join(parsed["rows"][0])
    assert len(lines) == 1 + len(parsed["rows"])
    assert lines[1].split(",")[3] == str(parsed["rows"][0]["estimate"])
    assert "| configuration | players | games | win rate |" in command(*base, "--format", "md")[1]


def test_neither_workers_nor_backend_nor_chunk_change_a_digit(command, coins, tmp_path):
    base = ("run", coins, "--games", "3000", "--format", "csv")
    plain = command(*base)[1]
    for number, more in enumerate((["--workers", 1], ["--backend", "processes", "--workers", 2], ["--chunk", 777])):
        assert command(*base, *more, "--out", tmp_path / str(number))[1] == plain
    first, *others = ((tmp_path / str(number) / "manifest.json").read_bytes() for number in range(3))
    assert others == [first, first]


def test_a_file_names_games_and_seed_and_options_go_over_it(command, tmp_path):
    path = tmp_path / "coins.toml"
    path.write_text('rulebook = "coins"\ngames = 120\nseed = 5\nplayers = 2\npolicy = ["plain", "lucky"]\n')
    assert "policy plain,lucky, seed 5, 120 games of each" in command("run", path)[1]
    assert (
        "policy lucky, seed 6, 70 games of each"
        in command("run", path, "--games", 70, "--seed", 6, "--policy", "lucky")[1]
    )


def test_nothing_is_written_without_out(command, coins, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert command("run", coins, "--games", "100")[0] == 0
    assert os.listdir(tmp_path) == ["coins.toml"]


def test_a_trace_is_json_lines_cell_by_cell(command, coins):
    code, out, err = command("trace", coins, "--games", 3, "--first", 10, "--seed", 7)
    events = [json.loads(line) for line in out.splitlines()]
    starts = [(event["players"], event["game_index"]) for event in events if event["type"] == "setup"]
    assert (code, err) == (0, "")
    assert starts == [(2, 10), (2, 11), (2, 12), (3, 10), (3, 11), (3, 12)]
    assert out.splitlines()[0] == '{"type":"setup","game":"coins","players":2,"seed":7,"game_index":10}'
    assert "Gewürfelt" in out


@pytest.mark.parametrize("what", ["games", "policies", "metrics", "tasks"])
def test_lists(command, what):
    code, out, _ = command("list", what, "--game", "coins", "--format", "json")
    parsed = json.loads(out)
    assert code == 0
    assert parsed["command"] == "list"
    assert parsed["rows"]
    assert command("list", what, "--game", "coins")[1].splitlines()[2].strip()


def test_interrupted_is_exit_code_3(command, coins, monkeypatch):
    def stop(*_args):
        raise KeyboardInterrupt

    monkeypatch.setitem(toy_game.GAME.__dict__, "simulate", stop)
    code, out, err = command("run", coins, "--workers", 1)
    assert (code, out) == (3, "")
    assert err == "alchemy-sim: stopped before the first game\n"


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from alchemy_sim.cli.app import main; main(['--help']); main(['run', '--help']);"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert all(word in done.stdout for word in ("run", "trace", "list", "--games", "--policy"))


def test_version(command):
    assert command("--version") == (0, f"alchemy-sim {__version__}\n", "")


@pytest.mark.skipif(os.name != "posix", reason="shell redirections")
@pytest.mark.parametrize(
    ("tail", "code", "words"),
    [
        ("| head -n 1 >/dev/null; exit ${PIPESTATUS[0]}", 0, ""),
        (">&-", 0, ""),
        (">/dev/full", 2, "alchemy-sim: standard output can't be written: No space left on device\n"),
    ],
)
def test_nobody_reads(coins, tail, code, words):
    line = f"'{sys.executable}' -c '{WITH_COINS}' trace '{coins}' --games 3000 {tail}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (code, words)


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_ctrl_c_stops_at_once_with_one_line(backend, coins, tmp_path):
    """The signal goes to the whole group, worker processes too, as from a terminal."""
    import signal

    arguments = [sys.executable, "-c", WITH_COINS, "run", coins, "--games", "1e9", "--workers", "2"]
    process = subprocess.Popen(
        [*arguments, "--backend", backend, "--out", str(tmp_path / "run")],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
    )
    parts = tmp_path / "run" / "games"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not any(parts.glob("*.parquet")):
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    start = time.monotonic()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3
    forecast, stopped, resume = err.splitlines()
    assert forecast.startswith("alchemy-sim: 2,000,000,000 games: about ")
    assert stopped.startswith("alchemy-sim: stopped after ")
    assert resume.startswith("alchemy-sim: to go on: alchemy-sim run ")
    assert resume.endswith("--resume")
    assert time.monotonic() - start < 10
    assert not any(parts.glob("*.tmp"))
