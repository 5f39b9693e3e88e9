"""What is counted about missions. Row-level integers, so that runs of any size add up exactly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from alchemy_sim.core.game import Metric, Outcomes
from alchemy_sim.games.crucible.columns import ENDINGS
from alchemy_sim.games.crucible.table import SEATS, Ending, Status

_LOSSES = {
    "slag": "lost because the Slag cap was reached",
    "sponge": "lost because the Sponge won a trick or led a Transmute",
    "impossible": "lost because a drafted task became impossible",
    "incomplete": "lost at the end with a task open",
    "extra_goal": "lost at the end: all tasks complete, the mission's extra goal not met",
    "stalled": "lost because max_reactions were over with cards left",
}


def _column(name: str) -> Callable[[Outcomes], np.ndarray]:
    return lambda outcomes: outcomes[name].astype(np.int64)


def _ended(ending: int) -> Callable[[Outcomes], np.ndarray]:
    return lambda outcomes: (outcomes["ending"] == ending).astype(np.int64)


def _any_boil(outcomes: Outcomes) -> np.ndarray:
    return (outcomes["boil_overs"] > 0).astype(np.int64)


def _tricks(outcomes: Outcomes) -> np.ndarray:
    total = np.zeros(len(outcomes["reactions"]), np.int64)
    for seat in range(SEATS):
        if f"tricks_{seat}" in outcomes:
            total += np.maximum(outcomes[f"tricks_{seat}"].astype(np.int64), 0)
    return total


def _tasks_with(statuses: tuple[int, ...]) -> Callable[[Outcomes], np.ndarray]:
    def count(outcomes: Outcomes) -> np.ndarray:
        total = np.zeros(len(outcomes["reactions"]), np.int64)
        place = 0
        while f"task_{place}_status" in outcomes:
            total += np.isin(outcomes[f"task_{place}_status"], statuses)
            place += 1
        return total

    return count


_DRAFTED = _tasks_with((Status.OPEN, Status.COMPLETE, Status.IMPOSSIBLE, Status.INCOMPLETE))

METRICS = (
    Metric(
        "win_rate",
        "proportion",
        "missions won",
        _ended(Ending.WIN),
        unit="pp",
        better="high",
        headline=True,
        words=("harder", "easier"),
    ),
    *(
        Metric(
            f"lost_{ending}",
            "proportion",
            _LOSSES[ending],
            _ended(ENDINGS.index(ending)),
            unit="pp",
            better="low",
            headline=True,
        )
        for ending in ENDINGS[1:]
    ),
    Metric(
        "boil_rate",
        "ratio",
        "Boil Overs per reaction",
        _column("boil_overs"),
        _column("reactions"),
        unit="pp",
        better="low",
        headline=True,
    ),
    Metric("any_boil_rate", "proportion", "missions with at least one Boil Over", _any_boil, unit="pp", better="low"),
    Metric("boil_overs", "mean", "Boil Overs a mission", _column("boil_overs"), unit="Boil Overs", better="low"),
    Metric(
        "reactions",
        "mean",
        "reactions a mission",
        _column("reactions"),
        unit="reactions",
        headline=True,
        words=("shorter", "longer"),
    ),
    Metric("tricks", "mean", "tricks won a mission", _tricks, unit="tricks"),
    Metric("cards_played", "mean", "cards played a mission", _column("cards_played"), unit="cards"),
    Metric("transmutes_tried", "mean", "Transmutes declared a mission", _column("transmutes_tried"), unit="Transmutes"),
    Metric("transmutes_made", "mean", "Transmutes made a mission", _column("transmutes_made"), unit="Transmutes"),
    Metric(
        "transmute_rate",
        "ratio",
        "Transmutes that succeed, of those declared",
        _column("transmutes_made"),
        _column("transmutes_tried"),
        unit="pp",
    ),
    Metric(
        "forced_rate",
        "ratio",
        "cards played without a choice, of all",
        _column("forced_plays"),
        _column("cards_played"),
        unit="pp",
    ),
    Metric("choices", "mean", "decisions with a choice a mission", _column("choices"), unit="choices"),
    Metric(
        "task_rate",
        "ratio",
        "tasks completed, of those drafted",
        _tasks_with((Status.COMPLETE,)),
        _DRAFTED,
        unit="pp",
        better="high",
    ),
    Metric(
        "task_rate_decided",
        "ratio",
        "tasks completed, of those decided before the mission ended",
        _tasks_with((Status.COMPLETE,)),
        _tasks_with((Status.COMPLETE, Status.IMPOSSIBLE, Status.INCOMPLETE)),
        unit="pp",
        better="high",
    ),
)
