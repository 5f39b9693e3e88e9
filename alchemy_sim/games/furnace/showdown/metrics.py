"""What is counted about showdowns. Row-level integers, so that runs of any size add up exactly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from alchemy_sim.core.game import Metric, Outcomes, SeatShares
from alchemy_sim.games.furnace.names import CATEGORIES, TITLES
from alchemy_sim.games.furnace.showdown.table import SHARES
from alchemy_sim.games.furnace.showdown.view import SEATS


def _column(name: str) -> Callable[[Outcomes], np.ndarray]:
    return lambda outcomes: outcomes[name].astype(np.int64)


def best_category(outcomes: Outcomes) -> np.ndarray:
    """The category that wins each showdown."""
    found = np.full(len(outcomes["winners"]), -1)
    for seat in range(SEATS):
        if f"category_{seat}" in outcomes:
            found = np.where(outcomes["winners"] >> seat & 1, outcomes[f"category_{seat}"], found)
    return found


def _won_by(category: int) -> Callable[[Outcomes], np.ndarray]:
    return lambda outcomes: (best_category(outcomes) == category).astype(np.int64)


def _of_the_pot(outcomes: Outcomes, players: int) -> np.ndarray:
    return np.stack([outcomes[f"share_{seat}"].astype(np.int64) for seat in range(players)], axis=1)


SEAT_SHARES = SeatShares(_of_the_pot, SHARES)

METRICS = (
    Metric(
        "trump_decided",
        "proportion",
        "showdowns that others would win if Trumps broke no ties",
        _column("trump_decided"),
        unit="pp",
        headline=True,
        words=("rarer", "more often"),
    ),
    Metric(
        "tied",
        "proportion",
        "showdowns whose pot is shared",
        _column("tied"),
        unit="pp",
        headline=True,
        words=("rarer", "more often"),
    ),
    Metric(
        "joker_laid",
        "proportion",
        "showdowns with a Joker among the cards first laid in the Furnace",
        lambda outcomes: (outcomes["jokers_laid"] > 0).astype(np.int64),
        unit="pp",
        headline=True,
        words=("rarer", "more often"),
    ),
    Metric(
        "first_share",
        "share",
        "what seat 0 gets of the pot: an even share unless it plays otherwise than the rest",
        _column("share_0"),
        scale=SHARES,
        unit="pp",
        better="high",
        headline=True,
        words=("weaker", "stronger"),
    ),
    *(
        Metric(
            f"won_by_{name}",
            "proportion",
            f"showdowns won with {title}",
            _won_by(number),
            unit="pp",
            headline=True,
            words=("rarer", "more often"),
        )
        for number, (name, title) in enumerate(zip(CATEGORIES, TITLES, strict=True))
    ),
)
