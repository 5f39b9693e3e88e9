"""A game whose seats compete, with known ratings: each runner has a strength, and Luce's model is exactly true.

A seat's time is its runner's strength plus a Gumbel number of its lane, keyed by (seed, game, seat); the largest wins,
which is Luce's model (Yellott, J. Math. Psych. 15, 1977, p. 109). Lanes have the same luck whoever runs there, so games
of one number are far from independent. `unfinished` of the races are called off. The tests that play it register it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from alchemy_sim.config.model import GameConfig, Rulings
from alchemy_sim.core.game import Column, Encoded, Game, Metric, Outcomes, SeatShares

SEATS = 4
#: Strengths in units of r. `twin` is as strong as `steady`; `asleep` never wins against anybody else.
STRENGTHS = {"asleep": -np.inf, "slow": -0.4, "steady": 0.0, "twin": 0.0, "quick": 0.7}
POLICIES = tuple(STRENGTHS)
RULES = np.dtype([("players", np.int64), ("unfinished", np.float64)])
#: Parts of a race, more than one so that it matters.
SCALE = 6


class RaceConfig(GameConfig):
    """One race track."""

    allowed_players: ClassVar[tuple[int, ...]] = (2, 3, 4)

    rulebook: Literal["race"] = "race"
    players: tuple[int, ...] = (2, 3, 4)
    unfinished: float = Field(default=0.0, ge=0, le=1, description="share of races that are called off")
    rulings: Rulings = Rulings()


def encode(config: RaceConfig, players: int, policies: Sequence[str]) -> Encoded:
    names = tuple(each.name for each in COLUMNS if not each.name[-1].isdigit() or int(each.name[-1]) < players)
    return Encoded("race", players, tuple(policies), np.array([(players, config.unfinished)], RULES), {}, names)


def _uniform(seed: int, lane: int, first: int, count: int) -> np.ndarray:
    """Numbers in [0, 1), one a game from number `first`."""
    return np.random.Generator(np.random.PCG64([seed, lane]).advance(first)).random(count)


def simulate(encoded: Encoded, seed: int, first: int, count: int) -> dict[str, np.ndarray]:
    luck = [-np.log(-np.log(_uniform(seed, seat, first, count) + 2.0**-54)) for seat in range(encoded.players)]
    times = np.stack([STRENGTHS[name] + each for name, each in zip(encoded.policies, luck, strict=True)])
    off = _uniform(seed, SEATS, first, count) < encoded.rules["unfinished"][0]
    columns = {"winner": np.where(off, -1, times.argmax(axis=0)).astype(np.int8)}
    for seat, name in enumerate(encoded.policies):
        columns[f"policy_{seat}"] = np.full(count, POLICIES.index(name), np.int8)
    return columns


def trace(_encoded: Encoded, _seed: int, _index: int) -> list[dict[str, Any]]:
    return [{"type": "end"}]


def shares(outcomes: Outcomes, players: int) -> np.ndarray:
    return SCALE * (outcomes["winner"][:, None] == np.arange(players))


COLUMNS = (
    Column("winner", np.int8, "who won", nullable=True),
    *(Column(f"policy_{seat}", np.int8, "who runs", labels=POLICIES, nullable=True) for seat in range(SEATS)),
)
METRICS = (
    Metric(
        "first", "proportion", "lane 0 wins", lambda o: (o["winner"] == 0).astype(np.int64), unit="pp", headline=True
    ),
)

GAME = Game(
    name="race",
    title="Races",
    config=RaceConfig,
    players=(2, 3, 4),
    policies=POLICIES,
    default_policy="steady",
    encode=encode,
    simulate=simulate,
    trace=trace,
    columns=COLUMNS,
    metrics=METRICS,
    lists={},
    headline="first",
    warm=lambda: None,
    seat_shares=SeatShares(shares, SCALE),
)
