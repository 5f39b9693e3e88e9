"""What `show --by` tells about whole matches: by seat, place behind the first starter, player and source of income."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from alchemy_sim.core.game import Breakdown, Outcomes, Split, Strip
from alchemy_sim.games.furnace.match.board import SEATS
from alchemy_sim.games.furnace.match.match_values import (
    column,
    finished,
    of_winner,
    rounds_in,
    rounds_out,
    seats_sum,
    won_by,
)
from alchemy_sim.games.furnace.match.per_match import SeatValues, added, everywhere, matches, of_rounds, seats, summed
from alchemy_sim.games.furnace.match.policies import POLICY_NAMES
from alchemy_sim.games.furnace.match.round_values import (
    called,
    could_match,
    forced_by,
    forcer_wins,
    pots_gain,
    stake_profit,
)

Strips = Callable[[Outcomes], Iterator[Strip]]


def _one(outcomes: Outcomes, _seat: int) -> np.ndarray:
    return everywhere(outcomes, 1)


def _column(name: str) -> SeatValues:
    return lambda outcomes, seat: column(f"{name}_{seat}")(outcomes)


def _rounds(values: SeatValues) -> SeatValues:
    """Something of a seat in each round, added up over the rounds of each match."""
    return lambda outcomes, seat: summed(outcomes, values(outcomes, seat))


#: What is told of a seat: name, doc, x and y a match, unit, better.
_OF_SEATS: tuple[tuple[str, str, SeatValues, SeatValues, str, str], ...] = (
    ("win_rate", "matches it wins", won_by, _one, "pp", "high"),
    ("from_bag", "Stones a match it earns from the bag", _column("from_bag"), _one, "Stones", ""),
    ("from_players", "Stones a match it takes from others by layouts", _column("from_players"), _one, "Stones", ""),
    ("from_pots", "Stones a match pots bring it beyond what it puts in", _column("from_pots"), _one, "Stones", ""),
    ("sits_out", "rounds it sits through after it went out", rounds_out, lambda o, _: column("rounds")(o), "pp", "low"),
    ("forces", "rounds in which it forces the Furnace, of those it plays", _column("forced"), rounds_in, "pp", ""),
    (
        "force_profit",
        "Stones a round that it forces brings it beyond its bet",
        _rounds(lambda o, seat: np.where(forced_by(o, seat), stake_profit(o, seat), 0)),
        _column("forced"),
        "Stones",
        "",
    ),
    (
        "forcer_wins",
        "showdowns it forced that it alone wins",
        _rounds(lambda o, seat: forced_by(o, seat) & forcer_wins(o)),
        _rounds(lambda o, seat: forced_by(o, seat) & (of_rounds(o, "callers") > 0)),
        "pp",
        "",
    ),
    (
        "calls",
        "bets it calls, of those it has the Stones for",
        _rounds(lambda o, seat: called(o, seat) & could_match(o, seat)),
        _rounds(could_match),
        "pp",
        "",
    ),
    (
        "call_profit",
        "Stones a call brings it beyond what it puts in",
        _rounds(lambda o, seat: np.where(called(o, seat), stake_profit(o, seat), 0)),
        _column("called"),
        "Stones",
        "",
    ),
)


def _by_seat(x: SeatValues, y: SeatValues) -> Strips:
    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        for seat in seats(outcomes):
            yield everywhere(outcomes, seat), x(outcomes, seat), y(outcomes, seat)

    return strips


def _by_policy(x: SeatValues, y: SeatValues) -> Strips:
    """Several seats can have the same player, so each player has one strip that adds up its seats."""

    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        found = [(outcomes[f"policy_{seat}"], x(outcomes, seat), y(outcomes, seat)) for seat in seats(outcomes)]
        for label in range(len(POLICY_NAMES)):
            above, below = np.zeros((2, matches(outcomes)), np.int64)
            for policy, more, since in found:
                above += np.where(policy == label, more, 0)
                below += np.where(policy == label, since, 0)
            yield everywhere(outcomes, label), above, below

    return strips


def _by_order(outcomes: Outcomes) -> Iterator[Strip]:
    """Matches won by place behind the first starter, clockwise."""
    first = np.zeros(matches(outcomes), np.int64)
    opening = of_rounds(outcomes, "round") == 1
    first[of_rounds(outcomes, "game")[opening]] = of_rounds(outcomes, "starter")[opening]
    players = len(seats(outcomes))
    for seat in seats(outcomes):
        yield (seat - first) % players, won_by(outcomes, seat), everywhere(outcomes, 1)


def _pots(outcomes: Outcomes) -> np.ndarray:
    return summed(outcomes, pots_gain(outcomes))


#: Where Stones come from: what all players together got from it, and what the winner did.
_SOURCES = (
    ("bag", seats_sum("from_bag"), of_winner("from_bag")),
    ("players", seats_sum("from_players"), of_winner("from_players")),
    ("pots", _pots, of_winner("from_pots")),
)


def _income_share(outcomes: Outcomes) -> Iterator[Strip]:
    found = [total(outcomes) for _, total, _ in _SOURCES]
    for label, each in enumerate(found):
        yield everywhere(outcomes, label), each, added(found)


def _income(outcomes: Outcomes) -> Iterator[Strip]:
    for label, (_, total, _) in enumerate(_SOURCES):
        yield everywhere(outcomes, label), total(outcomes), everywhere(outcomes, 1)


def _winners_income(outcomes: Outcomes) -> Iterator[Strip]:
    for label, (_, _, winners) in enumerate(_SOURCES):
        yield everywhere(outcomes, label), winners(outcomes), finished(outcomes)


MATCH_BREAKDOWNS = (
    Breakdown(
        "seat",
        "each seat, clockwise (the first starter is drawn, so seats differ by player alone)",
        tuple(map(str, range(SEATS))),
        tuple(Split(name, doc, _by_seat(x, y), unit, better) for name, doc, x, y, unit, better in _OF_SEATS),
    ),
    Breakdown(
        "order",
        "seats by their place behind the starter of the first round, clockwise; 0 is the starter",
        tuple(map(str, range(SEATS))),
        (Split("win_rate", "matches it wins", _by_order, "pp", "high"),),
    ),
    Breakdown(
        "policy",
        "each player of the toolkit at the table, a seat of it at a time",
        POLICY_NAMES,
        tuple(Split(name, doc, _by_policy(x, y), unit, better) for name, doc, x, y, unit, better in _OF_SEATS),
    ),
    Breakdown(
        "source",
        "each source of Stones: the bag, other players (by layouts), pots (beyond what was put in)",
        tuple(name for name, _, _ in _SOURCES),
        (
            Split("share", "share of all Stones gained", _income_share, "pp"),
            Split("income", "Stones a match that all players together gain from it", _income, "Stones"),
            Split(
                "winner", "Stones that the Supreme Alchemist got from it, all pots added up", _winners_income, "Stones"
            ),
        ),
    ),
)
