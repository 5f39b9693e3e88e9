"""The folder of compiled code: the newest few are kept, and processes that tidy up at once are in nobody's way."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from alchemy_sim.core import cache


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for such folders, with some from two hours ago."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    for number in range(8):
        folder = tmp_path / f"old-{number}"
        folder.mkdir()
        (folder / "code").write_bytes(b"x")
        os.utime(folder, (time.time() - 7200 - number,) * 2)
    return tmp_path


def test_the_newest_few_are_kept_and_young_ones(home: Path) -> None:
    for number in range(5):
        (home / f"young-{number}").mkdir()
    opened = cache.open_cache("switches")
    assert opened is not None
    assert cache.open_cache("switches") == opened
    assert sorted(each.name for each in home.iterdir()) == sorted(
        [opened.name, *(f"young-{number}" for number in range(5))]
    )
    for number in range(5):
        (home / f"young-{number}").rmdir()
    (home / "old").mkdir()
    os.utime(home / "old", (0, 0))
    assert cache.open_cache("switches") == opened
    assert (home / "old").exists()


def test_another_process_may_tidy_up_at_the_same_time(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    removed = []

    def all_at_once(folder: Path, **_: object) -> None:
        removed.append(folder)
        for number in range(8):
            remove(home / f"old-{number}", ignore_errors=True)

    remove = shutil.rmtree
    monkeypatch.setattr(shutil, "rmtree", all_at_once)
    opened = cache.open_cache("switches")
    assert opened is not None
    assert opened.is_dir()
    assert removed
    assert list(home.iterdir()) == [opened]


def test_where_nothing_can_be_written_there_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file"))
    assert cache.open_cache("switches") is None
