"""What is counted about games of Metallurgie. Row-level integers, so that runs of any size add up exactly."""

from __future__ import annotations

import numpy as np

from alchemy_sim.core.game import Metric, Outcomes, SeatShares
from alchemy_sim.games.metallurgie.names import METALS
from alchemy_sim.games.metallurgie.table import SHARES
from alchemy_sim.games.metallurgie.values import (
    Values,
    all_metals,
    at_order,
    best_points,
    column,
    has_order,
    margin,
    of_seat,
    over_seats,
    shared,
    worth,
)

FEWER_MORE = ("fewer", "more")
RARER_OFTEN = ("rarer", "more often")
WEAKER = ("weaker", "stronger")


def _of_the_win(outcomes: Outcomes, players: int) -> np.ndarray:
    return np.stack([outcomes[f"share_{seat}"].astype(np.int64) for seat in range(players)], axis=1)


#: A shared win is split evenly.
SEAT_SHARES = SeatShares(_of_the_win, SHARES)


def _less(values: Values, others: Values) -> Values:
    return lambda outcomes: values(outcomes) - others(outcomes)


_TURNS = column("turns")
_POINTS = all_metals("points")

_RESULT = (
    Metric(
        "points",
        "mean",
        "points of all players together",
        over_seats(of_seat("points")),
        unit="points",
        headline=True,
        words=FEWER_MORE,
    ),
    Metric("winner_points", "mean", "points of the winner", best_points, unit="points", words=FEWER_MORE),
    Metric(
        "margin",
        "mean",
        "points of the best player beyond the second best, 0 if a win is shared",
        margin,
        unit="points",
        headline=True,
        words=("closer", "clearer"),
    ),
    Metric(
        "shared",
        "proportion",
        "games in which several players have the most points",
        shared,
        unit="pp",
        headline=True,
        words=RARER_OFTEN,
    ),
    Metric(
        "starter_share",
        "share",
        "what the first player gets of the win: an even share unless it matters who starts",
        at_order(of_seat("share"), 0),
        scale=SHARES,
        unit="pp",
        headline=True,
        words=WEAKER,
    ),
    *(
        Metric(
            f"{name}_share",
            "ratio",
            f"what the {name} player gets of the win, in the order of first turns",
            at_order(of_seat("share"), behind),
            has_order(behind, SHARES),
            unit="pp",
            headline=True,
            words=WEAKER,
        )
        for behind, name in enumerate(("second", "third", "fourth"), 1)
    ),
    Metric(
        "seat_0_share",
        "share",
        "what seat 0 gets of the win: an even share unless it plays otherwise than the rest",
        column("share_0"),
        scale=SHARES,
        unit="pp",
        better="high",
        words=WEAKER,
    ),
    Metric("bonus", "mean", "bonus points of all players", over_seats(of_seat("bonus")), unit="points"),
)

_METALS = (
    *(
        Metric(
            f"{metal}_share",
            "ratio",
            f"points of {metal}, of all points without the bonus",
            column(f"points_{metal}"),
            _POINTS,
            unit="pp",
            headline=True,
        )
        for metal in METALS
    ),
    *(
        Metric(
            f"{metal}_points",
            "mean",
            f"points of {metal}, of all players together",
            column(f"points_{metal}"),
            unit="points",
            words=FEWER_MORE,
        )
        for metal in METALS
    ),
    *(
        Metric(
            f"{metal}_worth",
            "ratio",
            f"points of {metal} for each {metal} placed in turns",
            worth(metal),
            column(f"placed_{metal}"),
            unit="points",
            words=("worth less", "worth more"),
        )
        for metal in METALS
    ),
)

_COURSE = (
    Metric(
        "turns",
        "mean",
        "turns of all players until the end card shows",
        _TURNS,
        unit="turns",
        headline=True,
        words=("shorter", "longer"),
    ),
    Metric(
        "unplayable",
        "ratio",
        "turns in which no card of the hand can be placed",
        column("unplayable"),
        _TURNS,
        unit="pp",
        better="low",
        words=RARER_OFTEN,
    ),
    Metric("draw_rate", "ratio", "turns that begin with a draw", column("draws"), _TURNS, unit="pp", words=RARER_OFTEN),
    Metric(
        "discard_rate",
        "ratio",
        "draws that cannot be placed and end the turn",
        column("discards"),
        column("draws"),
        unit="pp",
        better="low",
        words=RARER_OFTEN,
    ),
    Metric("placed", "ratio", "cards placed in a turn", all_metals("placed"), _TURNS, unit="cards", words=FEWER_MORE),
    Metric(
        "lead_changes", "mean", "times that somebody else came to lead alone", column("lead_changes"), unit="changes"
    ),
    Metric("longest_chain", "mean", "most areas scored one out of the other", column("longest_chain"), unit="areas"),
    Metric("biggest_turn", "mean", "most points of one turn", column("biggest_turn"), unit="points"),
    Metric(
        "end_in_refill",
        "proportion",
        "games whose end card shows while a hand is refilled",
        column("end_in_refill"),
        unit="pp",
    ),
)

_FEEDING = (
    Metric(
        "fed",
        "mean",
        "points that players score right after somebody placed cards and scored nothing",
        column("fed"),
        unit="points",
        words=FEWER_MORE,
    ),
    Metric(
        "fed_share",
        "ratio",
        "points scored right after somebody placed cards and scored nothing, of all",
        column("fed"),
        _POINTS,
        unit="pp",
        words=FEWER_MORE,
    ),
    Metric(
        "after_unscored",
        "ratio",
        "points of a turn that follows one that placed cards and scored nothing",
        column("fed"),
        column("after_unscored"),
        unit="points",
        words=FEWER_MORE,
    ),
    Metric(
        "after_others",
        "ratio",
        "points of any other turn: a game's first, one after a turn that scored, one after a discard",
        _less(_POINTS, column("fed")),
        _less(_TURNS, column("after_unscored")),
        unit="points",
        words=FEWER_MORE,
    ),
)

METRICS = (*_RESULT, *_METALS, *_COURSE, *_FEEDING)
