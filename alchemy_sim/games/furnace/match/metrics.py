"""What is counted about matches. Row-level integers, so that runs of any size add up exactly."""

from __future__ import annotations

import numpy as np

from alchemy_sim.core.game import Metric, Outcomes, SeatShares
from alchemy_sim.games.furnace.match.match_values import (
    any_out,
    column,
    finished,
    first_out,
    out_early,
    over_seats,
    rounds_out,
    seats_sum,
    won_by,
)
from alchemy_sim.games.furnace.match.per_match import Values, of_rounds, rounds_sum
from alchemy_sim.games.furnace.match.round_values import (
    call_profit,
    force_profit,
    forced,
    forcer_wins,
    pots_gain,
    uncallable,
    uncallable_taken,
)

MORE = ("rarer", "more often")
LESS_MORE = ("less", "more")
LENGTH = ("shorter", "longer")
WORTH = ("worth less", "worth more")


def _there(name: str) -> Values:
    """A column of the rounds, 0 where it has no value."""
    return lambda outcomes: np.maximum(of_rounds(outcomes, name), 0)


def _shown(flag: str) -> Values:
    return lambda outcomes: of_rounds(outcomes, flag) == 1


_ROUNDS = column("rounds")
_FORCED = rounds_sum(forced)
_SHOWDOWNS = column("showdowns")
_SEAT_ROUNDS = over_seats(lambda outcomes, _seat: column("rounds")(outcomes))


def _all_to_the_winner(outcomes: Outcomes, players: int) -> np.ndarray:
    return (outcomes["winner"][:, None] == np.arange(players)).astype(np.int64)


#: A match is all the Supreme Alchemist's; one that was left unfinished is nobody's.
SEAT_SHARES = SeatShares(_all_to_the_winner)

_LENGTH = (
    Metric("rounds", "mean", "rounds of a match", _ROUNDS, unit="rounds", headline=True, words=LENGTH),
    Metric("turns", "mean", "turns of a match", column("turns"), unit="turns", headline=True, words=LENGTH),
    Metric(
        "unfinished",
        "proportion",
        "matches that come to max_rounds without a Supreme Alchemist",
        lambda outcomes: 1 - finished(outcomes),
        unit="pp",
        better="low",
        headline=True,
        words=MORE,
    ),
    Metric(
        "sitting_out",
        "ratio",
        "rounds that a player who is out has to sit through, of all rounds of all players",
        over_seats(rounds_out),
        _SEAT_ROUNDS,
        unit="pp",
        better="low",
        headline=True,
        words=LESS_MORE,
    ),
    Metric(
        "out_early",
        "mean",
        "players who are out before the last round",
        over_seats(out_early),
        unit="players",
        better="low",
    ),
    Metric(
        "first_out",
        "ratio",
        "round in which the first player goes out, of matches in which any does",
        first_out,
        any_out,
        unit="rounds",
        words=("earlier", "later"),
    ),
    Metric("round_turns", "ratio", "turns of a round", column("turns"), _ROUNDS, unit="turns", words=LENGTH),
    Metric(
        "first_33",
        "ratio",
        "turn in which the first player has the points to force, of rounds in which any has",
        rounds_sum(_there("turn_of_first_33")),
        rounds_sum(lambda outcomes: of_rounds(outcomes, "turn_of_first_33") > 0),
        unit="turns",
        words=("earlier", "later"),
    ),
    Metric("reshuffles", "ratio", "reshuffles of a round", column("reshuffles"), _ROUNDS, unit="reshuffles"),
    Metric(
        "plays", "ratio", "plays of a turn", column("plays"), column("turns"), unit="plays", words=("fewer", "more")
    ),
    Metric(
        "searched",
        "ratio",
        "turns whose best play a search had to find (technical)",
        column("searched"),
        column("turns"),
        unit="pp",
    ),
)

_OUTCOMES = tuple(
    Metric(
        f"{name}_share",
        "ratio",
        doc,
        column(counted),
        _ROUNDS,
        unit="pp",
        headline=headline,
        words=MORE,
    )
    for name, counted, doc, headline in (
        ("showdown", "showdowns", "rounds that end with a showdown", True),
        ("folded", "folded", "rounds whose bet nobody calls", True),
        ("stalled", "stalled", "rounds that come to max_turns", False),
    )
)

_INCOME = (
    Metric(
        "bag_emptied",
        "proportion",
        "matches in which the bag is empty at some time",
        lambda outcomes: (outcomes["bag_empty_round"] >= 0).astype(np.int64),
        unit="pp",
        words=MORE,
    ),
    Metric(
        "bag_empty_round",
        "ratio",
        "round in which the bag is empty first, of matches in which it is",
        lambda outcomes: np.maximum(outcomes["bag_empty_round"].astype(np.int64), 0),
        lambda outcomes: (outcomes["bag_empty_round"] >= 0).astype(np.int64),
        unit="rounds",
        words=("earlier", "later"),
    ),
    *(
        Metric(f"income_{source}", "ratio", doc, total, _ROUNDS, unit="Stones", words=LESS_MORE)
        for source, doc, total in (
            ("bag", "Stones a round that all players together earn from the bag", seats_sum("from_bag")),
            ("players", "Stones a round that players take from each other by their layouts", seats_sum("from_players")),
            ("pots", "Stones a round that pots bring beyond what was put in", rounds_sum(pots_gain)),
        )
    ),
)

_FORCING = (
    Metric(
        "force_profit",
        "ratio",
        "Stones a forced round brings its forcer beyond its bet (antes are sunk)",
        rounds_sum(force_profit),
        _FORCED,
        unit="Stones",
        headline=True,
        words=WORTH,
    ),
    Metric(
        "call_profit",
        "ratio",
        "Stones a call brings the caller beyond what it puts in",
        rounds_sum(call_profit),
        seats_sum("called"),
        unit="Stones",
        headline=True,
        words=WORTH,
    ),
    Metric(
        "uncallable",
        "ratio",
        "forced rounds whose bet is more Stones than anybody else has",
        rounds_sum(uncallable),
        _FORCED,
        unit="pp",
        headline=True,
        words=MORE,
    ),
    Metric(
        "uncallable_taken",
        "ratio",
        "bets nobody else can match that take the whole pot",
        rounds_sum(uncallable_taken),
        rounds_sum(uncallable),
        unit="pp",
        words=MORE,
    ),
    Metric(
        "forcer_wins",
        "ratio",
        "showdowns in which the forcer alone has the best hand",
        rounds_sum(forcer_wins),
        _SHOWDOWNS,
        unit="pp",
        words=MORE,
    ),
    Metric(
        "bet",
        "ratio",
        "Stones bet in a forced round",
        rounds_sum(_there("bet")),
        _FORCED,
        unit="Stones",
        words=("lower", "higher"),
    ),
    Metric("callers", "ratio", "players who call a bet", seats_sum("called"), _FORCED, unit="players"),
    Metric(
        "waited",
        "ratio",
        "times the forcer could have forced before and did not",
        rounds_sum(_there("waited")),
        _FORCED,
        unit="turns",
        words=LESS_MORE,
    ),
    *(
        Metric(name, "ratio", doc, rounds_sum(_shown(name)), _SHOWDOWNS, unit="pp", words=MORE)
        for name, doc in (
            ("trump_decided", "showdowns that others would win if Trumps broke no ties"),
            ("tied", "showdowns whose best hand is shared"),
        )
    ),
    Metric(
        "first_wins",
        "proportion",
        "matches that seat 0 wins: an even share unless it plays otherwise than the rest",
        lambda outcomes: won_by(outcomes, 0),
        unit="pp",
        better="high",
        headline=True,
        words=("weaker", "stronger"),
    ),
)

METRICS = (*_LENGTH, *_OUTCOMES, *_INCOME, *_FORCING)
