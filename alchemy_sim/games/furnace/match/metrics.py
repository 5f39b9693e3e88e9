"""What is counted about matches. Row-level integers, so that runs of any size add up exactly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from alchemy_sim.core.game import Metric, Outcomes, SeatShares


def _column(name: str) -> Callable[[Outcomes], np.ndarray]:
    return lambda outcomes: outcomes[name].astype(np.int64)


def _all_to_the_winner(outcomes: Outcomes, players: int) -> np.ndarray:
    return (outcomes["winner"][:, None] == np.arange(players)).astype(np.int64)


#: A match is all the Supreme Alchemist's; one that was left unfinished is nobody's.
SEAT_SHARES = SeatShares(_all_to_the_winner)

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
