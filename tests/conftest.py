"""Which tests run: longer studies only when asked for, and those of the compiled core only where it is compiled."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

#: The variable that asks for the longer studies, as `--slow` does.
SLOW_VARIABLE = "ALCHEMY_SLOW"
#: Whether kernels run as plain Python (`make twin`), some 700 times slower: tests then take fewer games.
TWIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def games(compiled: int, twin: int) -> int:
    """How many games a test plays: compiled, or as plain Python."""
    return twin if TWIN else compiled


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a run's folder but its log, by name."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return {name: (folder / name).read_bytes() for name in names if name != "log.json"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the longer studies (marked slow)")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "compiled: needs the speed of the compiled core; left out of `make twin`")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    slow = config.getoption("--slow") or os.environ.get(SLOW_VARIABLE, "0") not in ("", "0")
    out = [
        item
        for item in items
        if (item.get_closest_marker("slow") and not slow) or (item.get_closest_marker("compiled") and TWIN)
    ]
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in set(out)]
