"""Files of a run's folder: written whole or not at all, read with a clear line, held by one process at a time."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from alchemy_sim.core.errors import StoreError

#: What can be done about parts that are not as they were written.
MEND = "run it again with --resume, which plays lost parts anew"


def reason(error: Exception) -> str:
    """Why a file could not be used, in the system's own words."""
    return getattr(error, "strerror", None) or str(error)


def text_of(content: Any) -> str:
    """JSON as all files of a run have it."""
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file beside its name, to the disk, and rename it: under its name it is never seen half-written."""
    beside = path.with_name(path.name + ".tmp")
    try:
        with open(beside, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    if os.name == "posix":  # so that the new name, too, outlives a power cut
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def read_json(folder: Path, name: str) -> Any:
    """A JSON file of a run; StoreError if the folder has none or it can't be read."""
    try:
        return json.loads((folder / name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoreError(f"{folder}: no run here ({name} is missing)") from None
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder / name}: can't be read: {reason(error)}") from None


def digest_of(path: Path) -> str | None:
    """sha256 of a file, or None where there is no readable one."""
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError:
        return None
    return digest.hexdigest()


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits until a part is written: Polars, interrupted in the middle, spills a trace of its threads."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


class Held:
    """A file held by this process until it is closed, forgotten, or the process ends."""

    def __init__(self, path: Path) -> None:
        """StoreError if another process holds it."""
        self._number: int | None = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(self._number, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(self._number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise StoreError(f"{path.parent}: another run is writing there") from None

    def close(self) -> None:
        """Let go of it."""
        if self._number is not None:
            os.close(self._number)
            self._number = None

    def __del__(self) -> None:
        self.close()
