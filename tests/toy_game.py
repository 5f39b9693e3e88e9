"""A game for tests of the general layers: coins, with a closed form for every kind of metric.

Each game draws a number of tosses T, uniform from 1 to `most`, and a coin, hot or cold with probability 1/2 each (so
that tosses of one game are correlated); every player tosses it T times. All players with at least one head win;
the prize is shared by those with most heads. A `lucky` player tosses heads only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from alchemy_sim.config.model import GameConfig, Rulings
from alchemy_sim.core.errors import ConfigError
from alchemy_sim.core.game import Breakdown, Column, Encoded, Game, Metric, Outcomes, Split, Strip, register

#: The command in a process of its own, with this game known, and where to start it.
WITH_COINS = "import sys, tests.toy_game; from alchemy_sim.cli.app import main; sys.exit(main())"
ROOT = Path(__file__).parents[1]

SEATS = 3
POLICIES = ("plain", "lucky")
ENDINGS = ("win", "all_tails", "some_tails")
RULES = np.dtype([("players", np.int64), ("most", np.int64), ("hot", np.float64), ("cold", np.float64)])


class CoinsRulings(Rulings):
    """The one switch of the game."""

    edge: Literal["reroll", "tails"] = Field(default="reroll", description="what a coin on its edge counts")


class CoinsConfig(GameConfig):
    """One table of coins."""

    allowed_players: ClassVar[tuple[int, ...]] = (2, 3)

    rulebook: Literal["coins"] = "coins"
    players: tuple[int, ...] = (2, 3)
    most: int = Field(default=4, ge=1, le=50, description="most tosses of a player")
    hot: float = Field(default=0.7, ge=0, le=1, description="a hot coin's chance of heads")
    cold: float = Field(default=0.3, ge=0, le=1, description="a cold coin's chance of heads")
    rulings: CoinsRulings = CoinsRulings()


def _uniform(seed: int, games: np.ndarray, draw: int) -> np.ndarray:
    """Numbers in [0, 1), one a game, keyed by (seed, game, draw): splitmix64's finisher."""
    with np.errstate(over="ignore"):
        x = games * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed % 2**64) * np.uint64(0xD1342543DE82EF95)
        for salt in (draw + 1, 77):
            x = x + np.uint64(salt) * np.uint64(0xA0761D6478BD642F)
            x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            x = x ^ (x >> np.uint64(31))
    return (x >> np.uint64(11)).astype(np.float64) / 2.0**53


def encode(config: CoinsConfig, players: int, policies: Sequence[str]) -> Encoded:
    if len(policies) != players:
        raise ConfigError("policies and players differ")
    rules = np.array([(players, config.most, config.hot, config.cold)], RULES)
    names = tuple(c.name for c in COLUMNS if not c.name[-1].isdigit() or int(c.name[-1]) < players)
    return Encoded("coins", players, tuple(policies), rules, {}, names)


def tossed(encoded: Encoded, seed: int, first: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tosses a player and whether the coin was hot, shape (count,); which coins were up, (most, players, count)."""
    games = np.arange(first, first + count, dtype=np.uint64)
    most = int(encoded.rules["most"][0])
    tosses = 1 + np.floor(_uniform(seed, games, 0) * most).astype(np.int16)
    hot = _uniform(seed, games, 1) < 0.5
    chance = np.where(hot, encoded.rules["hot"][0], encoded.rules["cold"][0])
    up = np.zeros((most, encoded.players, count), np.bool_)
    for toss in range(most):
        for seat in range(encoded.players):
            heads = _uniform(seed, games, 2 + toss * SEATS + seat) < chance
            up[toss, seat] = (heads | (encoded.policies[seat] == "lucky")) & (toss < tosses)
    return tosses, hot, up


def simulate(encoded: Encoded, seed: int, first: int, count: int) -> dict[str, np.ndarray]:
    tosses, hot, up = tossed(encoded, seed, first, count)
    heads = up.sum(axis=0, dtype=np.int16)
    first_head = np.where(up[:, 0].any(axis=0), up[:, 0].argmax(axis=0), -1).astype(np.int8)
    ending = np.where((heads > 0).all(axis=0), 0, np.where((heads == 0).all(axis=0), 1, 2)).astype(np.int8)
    best = heads == heads.max(axis=0)
    share = np.where(best[0], 12 // best.sum(axis=0), 0).astype(np.int8)
    columns = {"ending": ending, "tosses": tosses, "hot": hot.astype(np.int8), "first_head": first_head, "prize": share}
    for seat, name in enumerate(encoded.policies):
        columns[f"policy_{seat}"] = np.full(count, POLICIES.index(name), np.int8)
        columns[f"heads_{seat}"] = heads[seat]
    return {name: columns[name] for name in encoded.columns}


def trace(encoded: Encoded, seed: int, index: int) -> list[dict[str, Any]]:
    row = {name: int(values[0]) for name, values in simulate(encoded, seed, index, 1).items()}
    start = {"type": "setup", "game": "coins", "players": encoded.players, "seed": seed, "game_index": index}
    return [start, {"type": "end", "ending": ENDINGS[row["ending"]], "note": "Gewürfelt"}]


def _heads(outcomes: Outcomes) -> np.ndarray:
    return sum(outcomes[f"heads_{seat}"].astype(np.int64) for seat in range(SEATS) if f"heads_{seat}" in outcomes)


def _tosses(outcomes: Outcomes) -> np.ndarray:
    seats = sum(f"heads_{seat}" in outcomes for seat in range(SEATS))
    return outcomes["tosses"].astype(np.int64) * seats


COLUMNS = (
    Column("ending", np.int8, "how it ended", labels=ENDINGS),
    Column("tosses", np.int16, "tosses a player", unit="tosses"),
    Column("hot", np.int8, "whether the coin was hot", flag=True),
    Column("first_head", np.int8, "toss of seat 0's first head", nullable=True),
    Column("prize", np.int8, "seat 0's share of the prize, in twelfths"),
    *(Column(f"policy_{seat}", np.int8, "who plays", labels=POLICIES, nullable=True) for seat in range(SEATS)),
    *(Column(f"heads_{seat}", np.int16, "heads of a seat") for seat in range(SEATS)),
)


def _ended(ending: int) -> Any:
    return lambda outcomes: (outcomes["ending"] == ending).astype(np.int64)


METRICS = (
    Metric("win_rate", "proportion", "all have a head", _ended(0), unit="pp", better="high", headline=True),
    Metric("lost_all_tails", "proportion", "nobody has one", _ended(1), unit="pp", better="low", headline=True),
    Metric("lost_some_tails", "proportion", "somebody has none", _ended(2), unit="pp", better="low", headline=True),
    Metric("head_rate", "ratio", "heads a toss", _heads, _tosses, unit="pp", headline=True),
    Metric("tosses", "mean", "tosses a player", lambda o: o["tosses"].astype(np.int64), unit="tosses", headline=True),
    Metric("prize", "share", "seat 0's prize", lambda o: o["prize"].astype(np.int64), scale=12),
    Metric("edges", "ratio", "coins on the edge", lambda o: 0 * _heads(o), lambda o: 0 * _tosses(o), unit="pp"),
)


def _seats(outcomes: Outcomes) -> Iterator[Strip]:
    for seat in range(SEATS):
        if f"heads_{seat}" in outcomes:
            yield np.full(len(outcomes["ending"]), seat), outcomes[f"heads_{seat}"], outcomes["tosses"]


def _endings(outcomes: Outcomes) -> Iterator[Strip]:
    ones = np.ones(len(outcomes["ending"]), np.int64)
    for ending in range(len(ENDINGS)):
        yield ending * ones, (outcomes["ending"] == ending).astype(np.int64), ones


def _tosses_by_ending(outcomes: Outcomes) -> Iterator[Strip]:
    yield outcomes["ending"], outcomes["tosses"], np.ones(len(outcomes["ending"]), np.int64)


def _hot_by_first_head(outcomes: Outcomes) -> Iterator[Strip]:
    yield outcomes["first_head"], outcomes["hot"], np.broadcast_to(np.True_, len(outcomes["ending"]))


BREAKDOWNS = (
    Breakdown(
        "seat", "each seat", tuple("012"), (Split("head_rate", "heads a toss", _seats, unit="pp", better="high"),)
    ),
    Breakdown(
        "ending",
        "each ending",
        ENDINGS,
        (
            Split("share", "games that ended so", _endings, unit="pp"),
            Split("tosses", "tosses of games that ended so", _tosses_by_ending, unit="tosses"),
        ),
    ),
    Breakdown(
        "first_head",
        "the toss of seat 0's first head",
        tuple(map(str, range(50))),
        (Split("hot", "games with a hot coin", _hot_by_first_head, unit="pp"),),
    ),
)


def truth(config: CoinsConfig, players: int) -> dict[str, float]:
    """The expected value of each metric for plain players."""
    both = [(chance, tosses) for chance in (config.hot, config.cold) for tosses in range(1, config.most + 1)]
    win = sum((1 - (1 - chance) ** tosses) ** players for chance, tosses in both) / len(both)
    tails = sum((1 - chance) ** (tosses * players) for chance, tosses in both) / len(both)
    return {
        "win_rate": win,
        "lost_all_tails": tails,
        "lost_some_tails": 1 - win - tails,
        "head_rate": (config.hot + config.cold) / 2,
        "tosses": (config.most + 1) / 2,
        "prize": 1 / players,
    }


def _faces() -> list[dict[str, Any]]:
    return [{"face": "heads", "text": "up"}, {"face": "tails", "text": "down"}]


GAME = Game(
    name="coins",
    title="Coins",
    config=CoinsConfig,
    players=(2, 3),
    policies=POLICIES,
    default_policy="plain",
    encode=encode,
    simulate=simulate,
    trace=trace,
    columns=COLUMNS,
    metrics=METRICS,
    breakdowns=BREAKDOWNS,
    lists={"tasks": _faces},
    headline="win_rate",
    warm=lambda: None,
)

register("coins", "tests.toy_game")
