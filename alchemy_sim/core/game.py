"""The contract of a game: all that `mc`, `report` and `cli` know about one.

A game is one `Game` value, found lazily through the registry; nothing outside its own package imports its modules.
Between `encode` and the outcome columns there are only integers, masks and floats; names live on either side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from alchemy_sim.core.errors import ConfigError, unknown
from alchemy_sim.core.own import Own
from alchemy_sim.core.page import PLAIN, Page

if TYPE_CHECKING:
    from alchemy_sim.core.own_policies import OwnPolicies  # imports the compiler

#: Outcome columns by name, each of shape (games,): from `simulate`, or read back from a store. Of a game with rounds
#: also theirs, as `Game.rounds` says.
Outcomes = Mapping[str, np.ndarray]

#: What the names of columns of a game's second table, its rounds, begin with in what `simulate` gives.
ROUNDS = "rounds/"

#: The integer a kernel writes where a value does not exist for a row; a null in every table.
ABSENT = -1


@dataclass(frozen=True)
class Column:
    """One outcome column: what the kernel writes and what a reader sees.

    `dtype` is the numpy dtype of the kernel's integer. With `labels` the reader sees `labels[value]` (a Polars Enum).
    With `nullable` the value -1 is a null. `flag` marks a 0/1 column that is read as a Boolean. `own` marks a column of
    policies: in a run its labels go on with the names of `Encoded.own`. `signed` marks one that can be below 0, so that
    -1 is a value like others.
    """

    name: str
    dtype: Any
    doc: str
    labels: tuple[str, ...] | None = None
    unit: str = ""
    nullable: bool = False
    flag: bool = False
    own: bool = False
    signed: bool = False


@dataclass(frozen=True)
class Metric:
    """A number worth reporting, defined on rows so that whole runs add up as integers.

    kind: `proportion` (numerator 0/1, all rows), `mean` (integer numerator, all rows), `ratio` (sum of numerators over
    sum of denominators, the game is the cluster), `share` (numerator in units of 1/`scale` of a game, all rows).
    `numerator` and `denominator` take outcome columns and return int64 arrays of shape (games,).
    `scale` divides the numerator (a share of 1/k is an integer in twelfths, scale 12).
    `better` says which direction players like: "high", "low" or "" (neither). `unit` is "pp" for rates, else a word.
    `headline` metrics stand in the first table of a run. `words` say that it is lower, and that it is higher, than in
    another configuration ("harder", "easier").
    """

    name: str
    kind: str
    doc: str
    numerator: Callable[[Outcomes], np.ndarray]
    denominator: Callable[[Outcomes], np.ndarray] | None = None
    scale: int = 1
    unit: str = ""
    better: str = ""
    headline: bool = False
    words: tuple[str, str] = ("lower", "higher")


#: One label a game with a numerator and a denominator: label numbers (-1: none), x and y, each of shape (games,).
Strip = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Split:
    """A number given by label: a ratio of sums over the games (and places in them) that carry the label.

    `strips(outcomes)` yields one `Strip` for each place a label can stand at (each drafted task, each seat). In one
    game a label must not occur in more than one strip, so that sums over strips are sums over games.
    """

    name: str
    doc: str
    strips: Callable[[Outcomes], Iterable[Strip]]
    unit: str = ""
    better: str = ""


@dataclass(frozen=True)
class Breakdown:
    """What `show --by NAME` tells: the labels in order, and what is known of each. The first split is the main one."""

    name: str
    doc: str
    labels: tuple[str, ...]
    splits: tuple[Split, ...]


@dataclass(frozen=True)
class SeatShares:
    """What each seat got of a game, for games whose seats compete: what `tournament` rates policies by.

    `of(outcomes, players)` gives integers of shape (games, players), in parts of `scale`: a lone winner has `scale`, k
    who share a win `scale / k` each. The seats of one game have `scale` together, or 0 if it was nobody's.
    """

    of: Callable[[Outcomes, int], np.ndarray]
    scale: int = 1


@dataclass(frozen=True)
class Remark:
    """What the rules alone say of one thing in a configuration, before any game: a row of `lint`.

    `status`: `dead` (nobody can do it), `needs` (only with one of the disciplines or the like in `needs`), `owner` (not
    for some owners: `reason` says for whom), `inverted` (it beats what is rarer, or loses to what is commoner),
    `unranked` (the rulebook leaves it out), `alive`.
    """

    rule: str
    subject: str
    status: str
    reason: str
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Variant:
    """One thing whose worth is measured: its name, and what is set without it (A) and with it (B)."""

    name: str
    without: tuple[str, ...]
    having: tuple[str, ...]


@dataclass(frozen=True)
class Quartet:
    """Two variants together: their names, and what is set with neither, with the one, with the other, and with both."""

    one: str
    other: str
    sets: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Encoded:
    """What a kernel needs for one cell: integers only, small, picklable, so that it can travel to workers.

    `rules` is a structured array of shape (1,); `policies` are the names by seat, resolved to compiled functions where
    the kernel runs; `facts` are plain values the trace repeats (the mission, the rulings by name); `columns` names the
    outcome columns that exist for this cell, in the order of the game's (a seat that nobody sits on has none), and
    `rounds` those of its rounds; `own` are the policies from users' files in the whole run, so that all its cells share
    one list of labels.
    """

    game: str
    players: int
    policies: tuple[str, ...]
    rules: np.ndarray
    facts: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    own: tuple[Own, ...] = ()
    rounds: tuple[str, ...] = ()


def no_telling(events: list[dict[str, Any]], _outcomes: Mapping[str, Any]) -> str:
    """A replay as bare events, for a game that has no better words."""
    return "".join(f"{event}\n" for event in events)


@dataclass(frozen=True)
class Game:
    """One game, complete: configuration, kernel, outcome schema, metrics and traces."""

    name: str
    title: str
    #: pydantic model of a configuration file of this game (a subclass of `config.model.GameConfig`)
    config: type
    #: the player counts the rules allow
    players: tuple[int, ...]
    #: policy names a seat can have, weakest first, and the one used when none is named
    policies: tuple[str, ...]
    default_policy: str
    #: encode(config, players, policies by seat) -> Encoded; raises ConfigError
    encode: Callable[[Any, int, Sequence[str]], Encoded]
    #: simulate(encoded, seed, first, count) -> the columns `encoded.columns`, each of shape (count,)
    simulate: Callable[[Encoded, int, int, int], Mapping[str, np.ndarray]]
    #: trace(encoded, seed, index) -> the events of game `index` as JSON-ready dicts
    trace: Callable[[Encoded, int, int], list[dict[str, Any]]]
    columns: tuple[Column, ...]
    #: the columns of the game's second table, one row a round, if it has one; `simulate` then gives, after the others,
    #: `rounds/game`: the place of a round's game, from 0, and `rounds/NAME` for each of `encoded.rounds`, of shape
    #: (rounds,) in order of the games
    rounds: tuple[Column, ...] = field(default=(), kw_only=True)
    metrics: tuple[Metric, ...]
    #: `alchemy-sim list WHAT`: name -> function returning rows (dicts of the same keys, in order)
    lists: Mapping[str, Callable[[], list[dict[str, Any]]]]
    #: name of the metric that `--precision` and the progress line speak of
    headline: str
    #: compile what the kernel needs; called once in the parent before workers start, so that it can be announced
    warm: Callable[[], None]
    #: what `show --by` can break results down by
    breakdowns: tuple[Breakdown, ...] = ()
    #: what `lift` can measure: factor -> variants(config); every game has rulings and policies besides
    factors: Mapping[str, Callable[[Any], list[Variant]]] = field(default_factory=dict)
    #: the pairs of them whose worth together it can measure: factor -> quartets(config)
    quartets: Mapping[str, Callable[[Any], list[Quartet]]] = field(default_factory=dict)
    #: what `report` says of it
    page: Page = PLAIN
    #: tell(events, outcomes of that game by name) -> a replay as text that people can act out
    tell: Callable[[list[dict[str, Any]], Mapping[str, Any]], str] = no_telling
    #: policies from users' files (`my.py:name`), None: a seat can't have one
    own_policies: OwnPolicies | None = None
    #: what each seat got of a game, None: its seats win and lose together
    seat_shares: SeatShares | None = None

    def metric(self, name: str) -> Metric:
        """The metric of that name; ConfigError names the nearest."""
        for metric in self.metrics:
            if metric.name == name:
                return metric
        raise ConfigError(unknown("metric", name, [metric.name for metric in self.metrics]))


#: Registered games: where each one's `GAME` lives. Imported on first use, so that `--help` stays quick.
REGISTRY: dict[str, str] = {
    "crucible": "alchemy_sim.games.crucible.game",
    "furnace": "alchemy_sim.games.furnace.match.game",
    "showdown": "alchemy_sim.games.furnace.showdown.game",
    "metallurgie": "alchemy_sim.games.metallurgie.game",
}


#: Where a game's lint lives (`module:function`), apart from its `GAME`, for it needs no players. Without one a game is
#: not remarked on.
LINTS: dict[str, str] = {
    "crucible": "alchemy_sim.games.crucible.lint:lint",
    "furnace": "alchemy_sim.games.furnace.lint:lint",
    "showdown": "alchemy_sim.games.furnace.lint:lint",
}


def lint_of(name: str) -> Callable[[Any, int], list[Remark]]:
    """lint(config, players) -> what the rules of that game alone say of a configuration."""
    if name not in LINTS:
        return lambda _config, _players: []
    module, _, function = LINTS[name].partition(":")
    found: Callable[[Any, int], list[Remark]] = getattr(import_module(module), function)
    return found


def game(name: str) -> Game:
    """The registered game of that name."""
    if name not in REGISTRY:
        raise ConfigError(unknown("game", name, REGISTRY))
    found: Game = import_module(REGISTRY[name]).GAME
    return found


def register(name: str, module: str) -> None:
    """Add a game from outside the package: `module` must hold a `Game` called `GAME`."""
    REGISTRY[name] = module
