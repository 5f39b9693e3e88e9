"""What `show --by` tells about bets: what forcing brings by what the forcer had and bet, and what calls bring."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from alchemy_sim.core.game import Breakdown, Outcomes, Split, Strip
from alchemy_sim.games.furnace.match.board import SEATS
from alchemy_sim.games.furnace.match.per_match import (
    Bins,
    SeatValues,
    Values,
    added,
    by_label,
    of_rounds,
    seats,
    summed,
)
from alchemy_sim.games.furnace.match.round_splits import frequency, over
from alchemy_sim.games.furnace.match.round_values import (
    asked,
    called,
    could_match,
    ended,
    force_profit,
    forced,
    forcer_wins,
    of_forcer,
    pot_before,
    stake_profit,
    uncallable,
)
from alchemy_sim.games.furnace.match.table import CHANCES, Result

Strips = Callable[[Outcomes], Iterator[Strip]]

#: Ranges of points: those around 33 narrow, the rest for other thresholds.
POINT_BINS = Bins(0, 20, 33, 36, 41, 51, 61, 81)
WAITED_BINS = Bins(0, 1, 2, 3, 6)
POT_BINS = Bins(1, 2, 3, 4, 5, 6, 7, 10, 15, 25)
#: Chances in ten-thousandths, by tenths; certainty belongs to the last.
CHANCE_BINS = Bins(
    *range(0, CHANCES, CHANCES // 10),
    labels=tuple(f"{low}-{low + 10} %" for low in range(0, 100, 10)),
)
#: A bet in quarters of the forcer's Stones, and of the pot before it.
OWN_BINS = Bins(0, 1, 2, 3, 4, labels=("under 25 %", "25-50 %", "50-75 %", "75-99 %", "all"))
OF_POT_BINS = Bins(
    *(0, 1, 2, 4, 8, 16),
    labels=("under 25 %", "25-50 %", "50-100 %", "100-200 %", "200-400 %", "400 % and more"),
)


def _folded(outcomes: Outcomes) -> np.ndarray:
    return ended(outcomes, Result.FOLDED)


def _showdown(outcomes: Outcomes) -> np.ndarray:
    return ended(outcomes, Result.SHOWDOWN)


def _forcing(name: str, doc: str, labels: tuple[str, ...], value: Values) -> Breakdown:
    """Forced rounds by a label, whose number `value` gives for each of them."""

    def label(outcomes: Outcomes) -> np.ndarray:
        return np.where(forced(outcomes), value(outcomes), -1)

    def of(x: Values, y: Values) -> Strips:
        return over(label, len(labels), x, y)

    return Breakdown(
        name,
        doc,
        labels,
        (
            Split("profit", "Stones it brings the forcer beyond its bet", of(force_profit, forced), "Stones"),
            Split("folded", "rounds in which nobody calls", of(_folded, forced), "pp"),
            Split("wins", "showdowns that the forcer alone wins", of(forcer_wins, _showdown), "pp"),
            Split("frequency", "forced rounds that are such", frequency(label, len(labels), forced), "pp"),
        ),
    )


def _own_share(outcomes: Outcomes) -> np.ndarray:
    own = of_forcer(outcomes, "stones") - force_profit(outcomes)
    # a forcer has at least its bet, so its Stones are 0 only in rounds that nobody forced
    return OWN_BINS.of(4 * of_rounds(outcomes, "bet") // np.maximum(own, 1))


def _opponents(outcomes: Outcomes) -> np.ndarray:
    return added(asked(outcomes, seat) for seat in seats(outcomes)) - 1


def _bet_of_pot(outcomes: Outcomes) -> np.ndarray:
    return OF_POT_BINS.of(4 * of_rounds(outcomes, "bet") // np.maximum(pot_before(outcomes), 1))


_FORCING = (
    _forcing(
        "points",
        "forced rounds by the forcer's points",
        POINT_BINS.labels,
        lambda o: POINT_BINS.of(of_forcer(o, "points")),
    ),
    _forcing(
        "chance",
        "forced rounds by the chance of the forcer's best choice against one hand at random",
        CHANCE_BINS.labels,
        lambda o: CHANCE_BINS.of(of_forcer(o, "chance")),
    ),
    _forcing(
        "waited",
        "forced rounds by how often the forcer could have forced before and did not",
        WAITED_BINS.labels,
        lambda o: WAITED_BINS.of(of_rounds(o, "waited")),
    ),
    _forcing("bet", "forced rounds by the share of its Stones that the forcer bets", OWN_BINS.labels, _own_share),
    _forcing(
        "callable",
        "forced rounds by whether anybody else has as many Stones as the bet",
        ("yes", "no"),
        lambda o: uncallable(o).astype(np.int64),
    ),
    _forcing(
        "pot",
        "forced rounds by the Stones in the pot before the bet",
        POT_BINS.labels,
        lambda o: POT_BINS.of(pot_before(o)),
    ),
    _forcing(
        "opponents",
        "forced rounds by how many others are still in the match",
        tuple(map(str, range(1, SEATS))),
        _opponents,
    ),
)


def _calling(name: str, doc: str, labels: tuple[str, ...], value: SeatValues) -> Breakdown:
    """Answers to bets by a label, whose number `value` gives for each round and seat."""

    def label(outcomes: Outcomes, seat: int) -> np.ndarray:
        return np.where(asked(outcomes, seat), value(outcomes, seat), -1)

    def of(x: SeatValues, y: SeatValues) -> Strips:
        def strips(outcomes: Outcomes) -> Iterator[Strip]:
            parts = [(label(outcomes, each), x(outcomes, each), y(outcomes, each)) for each in seats(outcomes)]
            return by_label(outcomes, len(labels), parts)

        return strips

    def share(outcomes: Outcomes) -> Iterator[Strip]:
        parts = [(label(outcomes, seat), called(outcomes, seat)) for seat in seats(outcomes)]
        total = added(summed(outcomes, calls & (number >= 0)) for number, calls in parts)
        for number, x, _ in by_label(outcomes, len(labels), [(each, calls, calls) for each, calls in parts]):
            yield number, x, total

    return Breakdown(
        name,
        doc,
        labels,
        (
            Split(
                "profit",
                "Stones a call brings beyond what it puts in",
                of(lambda o, seat: np.where(called(o, seat), stake_profit(o, seat), 0), called),
                "Stones",
            ),
            Split(
                "paid_off",
                "calls that bring more than they put in",
                of(lambda o, seat: called(o, seat) & (stake_profit(o, seat) > 0), called),
                "pp",
            ),
            Split(
                "called",
                "players who call, of those who have the Stones for it",
                of(lambda o, seat: called(o, seat) & could_match(o, seat), could_match),
                "pp",
            ),
            Split("frequency", "calls that are such", share, "pp"),
        ),
    )


_CALLING = (
    _calling(
        "call_chance",
        "players asked to call, by the chance of their best choice against one hand at random",
        CHANCE_BINS.labels,
        lambda o, seat: CHANCE_BINS.of(of_rounds(o, f"chance_{seat}")),
    ),
    _calling(
        "call_bet",
        "players asked to call, by the bet as a share of the pot before it",
        OF_POT_BINS.labels,
        lambda o, _: _bet_of_pot(o),
    ),
)

BET_BREAKDOWNS = (*_FORCING, *_CALLING)
