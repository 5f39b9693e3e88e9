"""The game of coins with a second table: a round is a toss in which anybody has heads, so some games have none.

Its other metrics and splits are those of coins; what is counted on rounds can be counted on games too, which is how
tests know that the rounds came with their games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from alchemy_sim.core.game import Breakdown, Column, Encoded, Metric, Outcomes, Split, Strip, register
from tests import toy_game
from tests.toy_game import SEATS, CoinsConfig, tossed

LEADERS = ("seat_0", "seat_1", "seat_2")


class TossesConfig(CoinsConfig):
    """One table of coins whose tosses are kept."""

    rulebook: Literal["tosses"] = "tosses"  # type: ignore[assignment]


ROUNDS = (
    Column("round", np.int8, "number of the toss, from 1"),
    Column("heads", np.int16, "coins that were up"),
    Column("leader", np.int8, "first seat with heads", labels=LEADERS),
    Column("alone", np.int8, "the only seat with heads", nullable=True),
    Column("all_up", np.int8, "whether all were up", flag=True),
    *(Column(f"up_{seat}", np.int8, "whether a seat had heads", flag=True) for seat in range(SEATS)),
)


def encode(config: CoinsConfig, players: int, policies: Sequence[str]) -> Encoded:
    names = tuple(c.name for c in ROUNDS if not c.name[-1].isdigit() or int(c.name[-1]) < players)
    return replace(toy_game.encode(config, players, policies), game="tosses", rounds=names)


def simulate(encoded: Encoded, seed: int, first: int, count: int) -> dict[str, np.ndarray]:
    _, _, up = tossed(encoded, seed, first, count)
    game, toss = np.nonzero(up.any(axis=1).T)
    seats = up[toss, :, game]
    heads = seats.sum(axis=1)
    found = {
        "game": game,
        "round": toss + 1,
        "heads": heads,
        "leader": seats.argmax(axis=1),
        "alone": np.where(heads == 1, seats.argmax(axis=1), -1),
        "all_up": seats.all(axis=1),
        **{f"up_{seat}": seats[:, seat] for seat in range(encoded.players)},
    }
    dtypes = {"game": np.int64, **{column.name: column.dtype for column in ROUNDS}}
    rounds = {f"rounds/{name}": values.astype(dtypes[name]) for name, values in found.items()}
    return toy_game.simulate(encoded, seed, first, count) | rounds


def by_game(outcomes: Outcomes, values: np.ndarray | None = None) -> np.ndarray:
    """How many rounds a game has, or the sum of what they have: int64, shape (games,)."""
    return np.bincount(outcomes["rounds/game"], values, len(outcomes["ending"])).astype(np.int64)


def _rounds_with_heads(outcomes: Outcomes) -> Iterator[Strip]:
    for seat in range(SEATS):
        if f"rounds/up_{seat}" in outcomes:
            games = np.full(len(outcomes["ending"]), seat)
            yield games, by_game(outcomes, outcomes[f"rounds/up_{seat}"]), by_game(outcomes)


GAME = replace(
    toy_game.GAME,
    name="tosses",
    title="Tosses",
    config=TossesConfig,
    encode=encode,
    simulate=simulate,
    rounds=ROUNDS,
    metrics=(
        *toy_game.METRICS,
        Metric("kept", "mean", "tosses with heads", by_game, unit="tosses"),
        Metric(
            "round_heads",
            "ratio",
            "heads in a toss that has any",
            lambda outcomes: by_game(outcomes, outcomes["rounds/heads"]),
            by_game,
            unit="heads",
        ),
    ),
    breakdowns=(
        *toy_game.BREAKDOWNS,
        Breakdown("up", "each seat", tuple("012"), (Split("up", "rounds with heads", _rounds_with_heads, unit="pp"),)),
    ),
)


def rounds_of(cell: Any, seed: int, games: int) -> list[tuple[Any, ...]]:
    """What the table of rounds should have of the first games of a cell: game, toss, heads, in order."""
    _, _, up = tossed(cell.encoded, seed, 0, games)
    found = []
    for game in range(games):
        for toss in range(len(up)):
            heads = int(up[toss, :, game].sum())
            if heads:
                found.append((game, toss + 1, heads))
    return found


register("tosses", "tests.toy_rounds")
