"""Runs that were stopped in any way end byte for byte as unbroken ones; damage is named, and mended by --resume."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from alchemy_sim.config.load import Experiment, Setting
from alchemy_sim.core.errors import Interrupted, StoreError
from alchemy_sim.mc import plan as planning
from alchemy_sim.mc.files import read_json
from alchemy_sim.mc.plan import Plan, plan
from alchemy_sim.mc.resume import extend, reopen
from alchemy_sim.mc.runner import Workers, play
from alchemy_sim.mc.session import carry_out
from alchemy_sim.mc.store import Store
from alchemy_sim.mc.verify import problems
from tests.conftest import contents
from tests.toy_game import ROOT, WITH_COINS, CoinsConfig
from tests.toy_rounds import TossesConfig

#: A game without rounds and one with them.
EXPERIMENTS = {
    name: Experiment(name, name.title(), (Setting(name, name, config),), None, None)
    for name, config in (("coins", CoinsConfig()), ("tosses", TossesConfig()))
}
#: Every table of each.
TABLES = [("coins", "games"), ("tosses", "games"), ("tosses", "rounds")]
WORKERS = Workers(1)
#: Games of runs in processes of their own: some seconds, so that there is time to break them.
GAMES = "3e6"


def whole(experiment: Experiment, folder: Path, games: int, keep: str = "games") -> dict[str, bytes]:
    """The files of an unbroken run."""
    planned = plan(experiment, games=games, seed=3)
    carry_out(planned, WORKERS, Store(folder, planned, keep))
    return contents(folder)


@pytest.fixture(params=EXPERIMENTS)
def experiment(request: pytest.FixtureRequest) -> Experiment:
    return EXPERIMENTS[request.param]


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(planning, "PART_GAMES", 1000)


class Stopped:
    """A sink that gives up before part `last`, as a process that is killed."""

    def __init__(self, store: Store, last: int) -> None:
        self.wants_columns = store.wants_columns
        self._store, self._last = store, last

    def done(self, part, totals, columns):
        if part.number >= self._last:
            raise Interrupted("stopped")
        self._store.done(part, totals, columns)


def cut_off(store: Store, planned: Plan, before: int) -> None:
    """Play on, and stop before part `before`."""
    with pytest.raises(Interrupted):
        play(planned, WORKERS, Stopped(store, before), parts=store.left())
    store.close()


@pytest.mark.parametrize("keep", ["games", "summary"])
@pytest.mark.parametrize("stops", [(0,), (1,), (2, 3), (5,), (1, 2, 3, 4, 5)])
def test_a_run_goes_on_where_it_stopped(tmp_path, experiment, keep, stops):
    expected = whole(experiment, tmp_path / "whole", 2500, keep)
    planned = plan(experiment, games=2500, seed=3)
    folder = tmp_path / "cut"
    for stop in stops:
        cut_off(reopen(folder, planned, keep), planned, stop)
    carry_out(planned, WORKERS, reopen(folder, planned, keep))
    assert contents(folder) == expected
    carry_out(planned, WORKERS, reopen(folder, planned, keep))  # nothing left to do
    assert contents(folder) == expected


@pytest.mark.parametrize("keep", ["games", "summary"])
@pytest.mark.parametrize(("had", "games"), [(700, 900), (700, 2500), (1000, 2500), (2300, 5100), (2000, 3000)])
def test_an_extended_run_is_as_if_run_at_once(tmp_path, experiment, keep, had, games):
    expected = whole(experiment, tmp_path / "whole", games, keep)
    folder = tmp_path / "grown"
    whole(experiment, folder, had, keep)
    planned = plan(experiment, games=games, seed=3)
    carry_out(planned, WORKERS, extend(folder, planned, keep))
    assert contents(folder) == expected
    with pytest.raises(StoreError, match="already"):
        extend(folder, planned, keep)


@pytest.mark.parametrize("keep", ["games", "summary"])
@pytest.mark.parametrize("stop", [2, 3, 4, 6])
def test_an_extension_goes_on_where_it_stopped(tmp_path, experiment, keep, stop):
    expected = whole(experiment, tmp_path / "whole", 3400, keep)
    folder = tmp_path / "grown"
    whole(experiment, folder, 1300, keep)
    planned = plan(experiment, games=3400, seed=3)
    cut_off(extend(folder, planned, keep), planned, stop)
    carry_out(planned, WORKERS, extend(folder, planned, keep))
    assert contents(folder) == expected


def test_a_part_written_but_not_yet_recorded_is_written_again(tmp_path, experiment):
    """The moment between a topped-up part and the progress that tells of it."""
    expected = whole(experiment, tmp_path / "whole", 1700)
    folder = tmp_path / "grown"
    whole(experiment, folder, 1300)
    planned = plan(experiment, games=1700, seed=3)
    store = extend(folder, planned, "games")
    progress = (folder / "progress.json").read_bytes()
    cut_off(store, planned, 3)
    (folder / "progress.json").write_bytes(progress)
    carry_out(planned, WORKERS, reopen(folder, planned, "games"))
    assert contents(folder) == expected


DAMAGE = {
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-7]),
    "changed": lambda path: path.write_bytes(path.read_bytes()[:-30] + b"x" + path.read_bytes()[-29:]),
    "missing": lambda path: path.unlink(),
    "foreign": lambda path: path.write_bytes((path.parent / "part-000000.parquet").read_bytes()),
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("part", ["part-000001", "part-000005"])
@pytest.mark.parametrize(("game", "table"), TABLES)
def test_a_damaged_part_is_named_and_mended(tmp_path, damage, part, game, table):
    experiment, folder = EXPERIMENTS[game], tmp_path / "run"
    expected = whole(experiment, folder, 2500)
    assert problems(folder) == []
    DAMAGE[damage](folder / table / f"{part}.parquet")
    found = problems(folder)
    assert len(found) == 1
    assert f"{table}/{part}" in found[0]
    planned = plan(experiment, games=2500, seed=3)
    carry_out(planned, WORKERS, reopen(folder, planned, "games"))
    assert contents(folder) == expected
    assert problems(folder) == []


@pytest.mark.parametrize(("game", "table"), TABLES)
def test_a_part_that_the_manifest_leaves_out_is_named_and_mended(tmp_path, game, table):
    experiment, folder = EXPERIMENTS[game], tmp_path / "run"
    expected = whole(experiment, folder, 1500)
    manifest = read_json(folder, "manifest.json")
    left = [entry for entry in manifest["parts"] if entry["file"] != f"{table}/part-000002.parquet"]
    (folder / "manifest.json").write_text(json.dumps({**manifest, "parts": left}))
    (folder / table / "part-000002.parquet").unlink()
    assert problems(folder) == [f"{table}/part-000002.parquet: not in the manifest"]
    planned = plan(experiment, games=1500, seed=3)
    carry_out(planned, WORKERS, reopen(folder, planned, "games"))
    assert contents(folder) == expected


@pytest.mark.parametrize(("had", "games", "stop"), [(1300, 1700, 2), (1000, 2500, 3), (0, 2500, 1)])
def test_games_written_but_not_yet_their_rounds_are_written_again(tmp_path, monkeypatch, had, games, stop):
    """The moment between the two files of a part: of a new one, and of one that is topped up."""
    experiment, folder = EXPERIMENTS["tosses"], tmp_path / "grown"
    expected = whole(experiment, tmp_path / "whole", games)
    planned = plan(experiment, games=games, seed=3)
    if had:
        whole(experiment, folder, had)
    store = extend(folder, planned, "games") if had else Store(folder, planned)
    write = store._write

    def dying(name: str, content: bytes) -> None:
        if name == f"rounds/part-{stop:06d}.parquet":
            raise Interrupted("died")
        write(name, content)

    monkeypatch.setattr(store, "_write", dying)
    with pytest.raises(Interrupted, match="died"):
        carry_out(planned, WORKERS, store)
    assert (folder / "games" / f"part-{stop:06d}.parquet").exists()
    carry_out(planned, WORKERS, reopen(folder, planned, "games"))
    assert contents(folder) == expected


@pytest.mark.parametrize("name", ["manifest.json", "summary.json"])
def test_a_damaged_manifest_or_summary_is_mended(tmp_path, experiment, name):
    folder = tmp_path / "run"
    expected = whole(experiment, folder, 1500)
    (folder / name).write_text('{"format": 1,')
    planned = plan(experiment, games=1500, seed=3)
    carry_out(planned, WORKERS, reopen(folder, planned, "games"))
    assert contents(folder) == expected


@pytest.mark.parametrize(("game", "table"), [*TABLES, ("coins", "rounds")])
def test_a_file_that_does_not_belong_is_named(tmp_path, game, table):
    folder = tmp_path / "run"
    whole(EXPERIMENTS[game], folder, 1500)
    (folder / table).mkdir(exist_ok=True)
    shutil.copy(folder / "games" / "part-000000.parquet", folder / table / "part-000099.parquet")
    assert problems(folder) == [f"{table}/part-000099.parquet: does not belong to this run"]


def test_another_run_is_refused(tmp_path, experiment):
    folder = tmp_path / "run"
    whole(experiment, folder, 1500)
    for other, words in [
        (plan(experiment, games=1500, seed=4), "another seed"),
        (plan(experiment, games=1600, seed=3), "use extend"),
        (plan(experiment, games=1500, seed=3, policy="lucky"), "policies"),
    ]:
        with pytest.raises(StoreError, match=words):
            reopen(folder, other, "games")
    with pytest.raises(StoreError, match="keep"):
        reopen(folder, plan(experiment, games=1500, seed=3), "summary")


def test_two_runs_into_one_folder_are_refused(tmp_path, experiment):
    planned = plan(experiment, games=1500, seed=3)
    store = Store(tmp_path / "run", planned)
    with pytest.raises(StoreError):
        Store(tmp_path / "run", planned)
    with pytest.raises(StoreError, match="another run is writing there"):
        reopen(tmp_path / "run", planned, "games")
    store.close()
    reopen(tmp_path / "run", planned, "games").close()


def _killed(tmp_path: Path, rounds: int, command: list[str], folder: Path, seed: int) -> int:
    """Start a command again and again, SIGKILL it at random moments, then let it end; how often it was really cut."""
    rng = random.Random(seed)
    cut = 0
    for _ in range(rounds):
        process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while not (folder / "progress.json").exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(rng.expovariate(1 / 0.1))
        if process.poll() is None:
            cut += 1
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return cut


@pytest.fixture(scope="module")
def coins_run(tmp_path_factory):
    """By games: a command line of the toy game in a process of its own, and the files an unbroken run of it leaves."""
    place = tmp_path_factory.mktemp("coins")
    config = place / "coins.toml"
    config.write_text('rulebook = "coins"\n')

    @cache
    def made(games: str) -> tuple[list[str], dict[str, bytes]]:
        arguments = [sys.executable, "-c", WITH_COINS, "run", str(config), "--games", games, "--seed", "5"]
        subprocess.run([*arguments, "--out", str(place / games)], cwd=ROOT, check=True, capture_output=True)
        return arguments, contents(place / games)

    return made


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(("rounds", "games"), [(3, GAMES), pytest.param(20, "8e6", marks=pytest.mark.slow)])
def test_killed_at_random_moments(tmp_path, coins_run, rounds, games):
    arguments, expected = coins_run(games)
    folder = tmp_path / "cut"
    cut = _killed(tmp_path, rounds, [*arguments, "--out", str(folder), "--resume"], folder, rounds)
    assert cut >= rounds // 2
    assert contents(folder) == expected


@pytest.mark.skipif(os.name != "posix", reason="limits of a process")
def test_a_disk_that_fills(tmp_path, coins_run):
    """No file may grow past 200 kB, as under a quota: exit code 3 and the line that resumes, which then works."""
    import resource

    arguments, expected = coins_run(GAMES)
    folder = tmp_path / "cut"
    done = subprocess.run(
        [*arguments, "--out", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)),
    )
    assert done.returncode == 3
    assert "can't be written: File too large" in done.stderr
    assert done.stderr.splitlines()[-1].endswith("--resume")
    assert not list(folder.rglob("*.tmp"))
    subprocess.run([*arguments, "--out", str(folder), "--resume"], cwd=ROOT, check=True, capture_output=True)
    assert contents(folder) == expected


def _children(process: subprocess.Popen) -> list[int]:
    """Process numbers of the workers of a run."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == process.pid and "loky" in (entry.parent / "cmdline").read_text():
            found.append(int(entry.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the workers in /proc")
def test_a_worker_process_that_is_killed(tmp_path, coins_run):
    arguments, expected = coins_run(GAMES)
    folder = tmp_path / "cut"
    process = subprocess.Popen(
        [*arguments, "--out", str(folder), "--backend", "processes", "--workers", "2", "--chunk", "20000"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not any((folder / "games").glob("*.parquet")) and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.01)
    workers = _children(process)
    assert workers
    os.kill(max(workers), signal.SIGKILL)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 3
    assert "a worker process died" in err
    assert err.splitlines()[-1].endswith("--resume")
    subprocess.run([*arguments, "--out", str(folder), "--resume"], cwd=ROOT, check=True, capture_output=True)
    assert contents(folder) == expected
