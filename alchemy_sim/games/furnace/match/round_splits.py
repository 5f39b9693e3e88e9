"""What `show --by` tells about rounds: by outcome, winning hand, number of the round, and what waiting to force got."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from alchemy_sim.core.game import Breakdown, Outcomes, Split, Strip
from alchemy_sim.games.furnace.match.columns import RESULTS
from alchemy_sim.games.furnace.match.per_match import Bins, Part, Values, added, by_label, of_rounds, seats, summed
from alchemy_sim.games.furnace.match.round_values import (
    ended,
    force_profit,
    forced,
    forced_by,
    forcer_wins,
    playing,
    pot_profit,
    pots_gain,
    seats_gain,
    uncallable,
)
from alchemy_sim.games.furnace.match.table import Result
from alchemy_sim.games.furnace.names import CATEGORIES

Strips = Callable[[Outcomes], Iterator[Strip]]

#: Ranges of the number of a round.
ROUND_BINS = Bins(1, 6, 11, 21, 41)
#: What a player did about forcing in a round it played.
WAITING = ("forced at once", "forced later", "waited, did not force", "could not force")


def every(outcomes: Outcomes) -> np.ndarray:
    """Every round."""
    return np.ones(len(of_rounds(outcomes, "game")), np.bool_)


def round_column(name: str) -> Values:
    """A column of the rounds, 0 where it has no value."""
    return lambda outcomes: np.maximum(of_rounds(outcomes, name), 0)


def over(label: Values, labels: int, x: Values, y: Values) -> Strips:
    """x over y of the rounds that carry each label; `label` gives its number, -1 for none."""
    return lambda outcomes: by_label(outcomes, labels, [(label(outcomes), x(outcomes), y(outcomes))])


def frequency(label: Values, labels: int, base: Values) -> Strips:
    """Of the rounds in `base` that carry any label, those that carry each."""

    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        numbers = label(outcomes)
        among = base(outcomes) & (numbers >= 0)
        total = summed(outcomes, among)
        for number, x, _ in by_label(outcomes, labels, [(numbers, among, among)]):
            yield number, x, total

    return strips


def _outcome(outcomes: Outcomes) -> np.ndarray:
    return of_rounds(outcomes, "outcome")


def _qualified(outcomes: Outcomes) -> np.ndarray:
    return of_rounds(outcomes, "turn_of_first_33") > 0


def _outcomes() -> Breakdown:
    def of(x: Values, y: Values = every) -> Strips:
        return over(_outcome, len(RESULTS), x, y)

    return Breakdown(
        "outcome",
        "rounds by how they end",
        RESULTS,
        (
            Split("share", "rounds that end so", frequency(_outcome, len(RESULTS), every), "pp"),
            Split("turns", "turns of a round", of(round_column("turns")), "turns"),
            Split(
                "first_33",
                "turn in which the first player has the points to force, where any has",
                of(round_column("turn_of_first_33"), _qualified),
                "turns",
            ),
            Split("pot", "Stones in the pot at the end", of(round_column("pot")), "Stones"),
        ),
    )


def _category(outcomes: Outcomes) -> np.ndarray:
    return of_rounds(outcomes, "category")


def _showdown(outcomes: Outcomes) -> np.ndarray:
    return ended(outcomes, Result.SHOWDOWN)


def _flag(name: str) -> Values:
    return lambda outcomes: of_rounds(outcomes, name) == 1


def _categories() -> Breakdown:
    def of(x: Values) -> Strips:
        return over(_category, len(CATEGORIES), x, _showdown)

    return Breakdown(
        "category",
        "showdowns by the best hand shown",
        CATEGORIES,
        (
            Split("wins", "showdowns won with it", frequency(_category, len(CATEGORIES), _showdown), "pp"),
            Split("forcer_wins", "of these, those the forcer alone wins", of(forcer_wins), "pp"),
            Split(
                "trump_decided",
                "of these, those that others would win if Trumps broke no ties",
                of(_flag("trump_decided")),
                "pp",
            ),
            Split("tied", "of these, those whose best hand is shared", of(_flag("tied")), "pp"),
            Split("pot", "Stones in their pots", of(round_column("pot")), "Stones"),
        ),
    )


def _number(outcomes: Outcomes) -> np.ndarray:
    return ROUND_BINS.of(of_rounds(outcomes, "round"))


def _numbers() -> Breakdown:
    def of(x: Values, y: Values = every) -> Strips:
        return over(_number, len(ROUND_BINS.labels), x, y)

    return Breakdown(
        "round",
        "rounds by their number in the match",
        ROUND_BINS.labels,
        (
            Split("from_bag", "Stones a round earned from the bag", of(lambda o: seats_gain(o, "from_bag")), "Stones"),
            Split(
                "from_players",
                "Stones a round taken from other players by layouts",
                of(lambda o: seats_gain(o, "from_players")),
                "Stones",
            ),
            Split("from_pots", "Stones a round that pots bring beyond what was put in", of(pots_gain), "Stones"),
            Split("turns", "turns of a round", of(round_column("turns")), "turns"),
            Split("folded", "rounds whose bet nobody calls", of(lambda o: ended(o, Result.FOLDED)), "pp"),
            Split("uncallable", "forced rounds whose bet is more than anybody else has", of(uncallable, forced), "pp"),
            Split("force_profit", "Stones forcing brings beyond the bet", of(force_profit, forced), "Stones"),
        ),
    )


def _waiting(outcomes: Outcomes, seat: int) -> np.ndarray:
    """What a seat did: a place in WAITING, -1 if it was out."""
    forces, declined = forced_by(outcomes, seat), of_rounds(outcomes, f"declined_{seat}") > 0
    did = np.where(forces, np.where(declined, 1, 0), np.where(declined, 2, 3))
    return np.where(playing(outcomes, seat), did, -1)


def _by_waiting(value: Callable[[Outcomes, int], np.ndarray]) -> Strips:
    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        rounds = every(outcomes)
        parts: list[Part] = [(_waiting(outcomes, seat), value(outcomes, seat), rounds) for seat in seats(outcomes)]
        return by_label(outcomes, len(WAITING), parts)

    return strips


def _waiting_frequency(outcomes: Outcomes) -> Iterator[Strip]:
    total = added(summed(outcomes, playing(outcomes, seat)) for seat in seats(outcomes))
    for label, x, _ in _by_waiting(lambda o, _: every(o))(outcomes):
        yield label, x, total


def _layouts(outcomes: Outcomes, seat: int) -> np.ndarray:
    return of_rounds(outcomes, f"from_bag_{seat}") + of_rounds(outcomes, f"from_players_{seat}")


_WAITED = Breakdown(
    "waiting",
    "players in a round by what they did about forcing; who waited could have forced and did not",
    WAITING,
    (
        Split(
            "net",
            "Stones the round brings them: pots less what they put in, and their layouts",
            _by_waiting(lambda o, seat: pot_profit(o, seat) + _layouts(o, seat)),
            "Stones",
        ),
        Split("from_pots", "of these from the pot, less what they put in", _by_waiting(pot_profit), "Stones"),
        Split("from_layouts", "of these from the bag and other players", _by_waiting(_layouts), "Stones"),
        Split("frequency", "players who do so, of all in a round", _waiting_frequency, "pp"),
    ),
)

ROUND_BREAKDOWNS = (_outcomes(), _categories(), _numbers(), _WAITED)
