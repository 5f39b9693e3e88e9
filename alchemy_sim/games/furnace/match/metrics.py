"""What is counted about matches. Row-level integers, so that runs of any size add up exactly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from alchemy_sim.core.game import Metric, Outcomes


def _column(name: str) -> Callable[[Outcomes], np.ndarray]:
    return lambda outcomes: outcomes[name].astype(np.int64)


METRICS = (
    Metric(
        "rounds",
        "mean",
        "rounds of a match",
        _column("rounds"),
        unit="rounds",
        headline=True,
        words=("shorter", "longer"),
    ),
)
