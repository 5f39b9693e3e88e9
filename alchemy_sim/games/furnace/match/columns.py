"""The outcome columns of matches and of their rounds: integers inside, words outside."""

from __future__ import annotations

import numpy as np

from alchemy_sim.core.game import Column
from alchemy_sim.games.furnace.match.board import SEATS
from alchemy_sim.games.furnace.match.policies import POLICY_NAMES
from alchemy_sim.games.furnace.match.table import Result
from alchemy_sim.games.furnace.names import CATEGORIES

RESULTS = tuple(each.name.lower() for each in Result)

_MATCH = (
    Column("winner", np.int8, "the Supreme Alchemist's seat; none if the match is unfinished", nullable=True),
    Column("rounds", np.int32, "rounds played", unit="rounds"),
    Column("turns", np.int32, "turns played in all rounds", unit="turns"),
    Column("showdowns", np.int32, "rounds that ended with a showdown", unit="rounds"),
    Column("folded", np.int32, "rounds whose bet nobody called", unit="rounds"),
    Column("stalled", np.int32, "rounds that came to max_turns", unit="rounds"),
    Column("reshuffles", np.int32, "times the discards became the draw pile", unit="times"),
    Column(
        "bag_empty_round", np.int32, "round in which the bag was empty first; 0 bags are from the start", nullable=True
    ),
    Column("bag", np.int32, "Stones in the bag at the end", unit="Stones"),
    Column("pot", np.int32, "Stones in the pot at the end", unit="Stones"),
    Column("plays", np.int32, "new melds, cards put onto melds and cards taken from them", unit="plays"),
    Column("searched", np.int32, "turns whose best play a search had to find", unit="turns"),
    Column("nodes", np.int64, "boards that searches looked at", unit="boards"),
    Column("given_up", np.int32, "searches that had too many boards to look at them all", unit="turns"),
)

_SEAT = {
    "out_round": "round in which seat {} went out",
    "stones": "Stones of seat {} at the end",
    "from_bag": "Stones seat {} earned from the bag",
    "from_players": "Stones seat {} took from other players by their layouts",
    "from_pots": "Stones seat {} got from pots, less what it put in",
    "forced": "times seat {} forced the Furnace",
    "called": "times seat {} called a bet",
}


def _seat(seat: int) -> tuple[Column, ...]:
    return (
        Column(f"policy_{seat}", np.int8, f"who plays seat {seat}", labels=POLICY_NAMES, nullable=True, own=True),
        *(
            Column(
                f"{name}_{seat}",
                np.int32,
                doc.format(seat),
                nullable=name == "out_round",
                signed=name == "from_pots",
            )
            for name, doc in _SEAT.items()
        ),
    )


COLUMNS = (*_MATCH, *(column for seat in range(SEATS) for column in _seat(seat)))


def present(players: int) -> tuple[str, ...]:
    """The columns that exist for `players` seats, in order."""
    absent = {column.name for seat in range(players, SEATS) for column in _seat(seat)}
    return tuple(column.name for column in COLUMNS if column.name not in absent)


_ROUND = (
    Column("round", np.int32, "number of the round in its match, from 1"),
    Column("outcome", np.int8, "how it ended (Furnace 3 and 5)", labels=RESULTS),
    Column("starter", np.int8, "seat that had the first turn"),
    Column("turns", np.int32, "turns played", unit="turns"),
    Column("forcer", np.int8, "seat that forced the Furnace", nullable=True),
    Column("bet", np.int32, "its bet", unit="Stones", nullable=True),
    Column("callers", np.int8, "players who called", nullable=True),
    Column("pot", np.int32, "Stones that were paid, or stay after a stalled round", unit="Stones"),
    Column("winner", np.int8, "seat with the best hand, or whom nobody called; none if shared", nullable=True),
    Column("category", np.int8, "the best hand shown", labels=CATEGORIES, nullable=True),
    Column("uncallable", np.int8, "whether nobody else had as many Stones as the bet", nullable=True),
    Column("turn_of_first_33", np.int32, "turn in which the first player qualified", nullable=True),
    Column("waited", np.int32, "times the forcer could have forced before and did not", unit="turns", nullable=True),
    Column("trump_decided", np.int8, "whether others would have won if Trumps broke no ties", nullable=True),
    Column("tied", np.int8, "whether the best hand was shared", nullable=True),
)

_ROUND_SEAT = {
    "points": "points of seat {}'s layout, or of what it played",
    "from_bag": "Stones seat {} earned from the bag",
    "from_players": "Stones seat {} took from other players",
    "put_in": "Stones seat {} put into the pot: antes, bet, call",
    "staked": "of these the Stones of its bet or call",
    "declined": "times seat {} could have forced the Furnace and did not",
    "chance": "chance of seat {}'s best choice against one random hand when it forced or was asked, in 1/10000",
    "paid": "Stones the pot paid seat {}",
    "stones": "Stones of seat {} at the end of the round",
    "entered": "1: seat {} was in the showdown or forced, 0: it folded",
}


def _round_seat(seat: int) -> tuple[Column, ...]:
    return tuple(
        Column(
            f"{name}_{seat}",
            np.int8 if name == "entered" else np.int32,
            doc.format(seat),
            nullable=name in ("entered", "chance"),
        )
        for name, doc in _ROUND_SEAT.items()
    )


ROUND_COLUMNS = (*_ROUND, *(column for seat in range(SEATS) for column in _round_seat(seat)))


def round_columns(players: int) -> tuple[str, ...]:
    """The columns that rounds have for `players` seats, in order."""
    absent = {column.name for seat in range(players, SEATS) for column in _round_seat(seat)}
    return tuple(column.name for column in ROUND_COLUMNS if column.name not in absent)
