"""Faults put into legal traces: a referee has to name each kind of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

Events = list[dict[str, Any]]
#: A fault changes a trace, or returns None where it finds no place in it.
Fault = Callable[[Events, random.Random], Events | None]


def assert_named(
    kind: str, fault: Fault, named: str, traces: Iterable[Events], referee: Callable[[Events], Any]
) -> None:
    """A fault, put into the first three traces in which it finds a place, is named in each."""
    rng, found = random.Random(kind), 0
    for tried, events in enumerate(traces):
        broken = fault(events, rng)
        if broken is not None:
            faults = referee(broken)
            assert any(named in text for text in faults), (kind, faults[:5])
            found += 1
            if found == 3:
                return
        assert tried < 3_000, f"{found} places for {kind}"
