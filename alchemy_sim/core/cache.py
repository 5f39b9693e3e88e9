"""The folder that keeps compiled code: one for each user and each state of the sources, a few of them.

It is named by a hash of all sources that kernels can depend on and of the switches that change code: numba looks only
at the file of the function it loads, so an edited helper in another file would go unseen.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

VARIABLE = "ALCHEMY_SIM_CACHE"
KEPT = 3


def kernel_sources() -> list[Path]:
    """The sources that compiled code can depend on, in a fixed order: of `core` and of all games."""
    package = Path(__file__).resolve().parents[1]
    return sorted([*(package / "core").glob("*.py"), *(package / "games").rglob("*.py")])


def _source_hash(switches: str) -> str:
    digest = hashlib.sha256(switches.encode())
    for file in kernel_sources():
        digest.update(str(file).encode())  # numba's own index goes by the file's place
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _home() -> Path:
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA", str(Path.home()))
    else:
        home = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    return Path(home) / "alchemy-sim"


def open_cache(switches: str) -> Path | None:
    """Make this source's folder and drop all but the newest few; None where nothing can be written.

    `switches` is whatever else changes code: versions, what the host can do.
    """
    folder = _home() / _source_hash(switches)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        probe = folder / f"probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError:
        return None
    _drop_old(folder.parent)
    return folder


def _drop_old(home: Path) -> None:
    """Remove all folders but the newest few. Other processes may be at it too, so any can be gone at any moment."""
    dated = []
    with contextlib.suppress(OSError):
        for each in home.iterdir():
            with contextlib.suppress(OSError):
                if each.is_dir():
                    dated.append((each.stat().st_mtime, each))
    for changed, stale in sorted(dated, reverse=True)[KEPT:]:
        if time.time() - changed > 3600:  # a run under another version may still be using it
            shutil.rmtree(stale, ignore_errors=True)


@contextlib.contextmanager
def locked(folder: Path, name: str) -> Iterator[None]:
    """One process at a time for each name: parallel first fills of one function have crashed numba."""
    with open(folder / f"{name}.lock", "a+b") as file:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            if sys.platform == "win32":
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
