"""How `make bench` measures: the median of repeated runs, with the lowest and the highest beside it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

REPEATS = 7


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def line(what: str, values: list[float], unit: str, aim: str) -> None:
    """One row: median (lowest to highest) and what is asked."""
    middle, low, high = statistics.median(values), min(values), max(values)
    digits = 2 if middle < 100 else 0
    print(f"{what:<52} {middle:>10,.{digits}f} {unit:<12} ({low:,.{digits}f} to {high:,.{digits}f})  {aim}")
