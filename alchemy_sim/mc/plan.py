"""What a run plays: cells (a configuration at a player count), and the parts in which their games are stored.

A part is 2^18 games of one cell. Parts are numbered block by block, the first block of every cell before the second of
any: so a run that is extended keeps the numbers it has, and one that is stopped has played all cells alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alchemy_sim.config.load import Experiment, Setting
from alchemy_sim.core.errors import UsageError
from alchemy_sim.core.game import Encoded, Game
from alchemy_sim.core.game import game as find_game
from alchemy_sim.mc.own import check_name, opened

#: Games in a stored part; part of the file layout, so a change makes old runs unreadable.
PART_GAMES = 2**18
#: Games of each cell when neither the file nor an option says how many, and the seed when neither says which.
DEFAULT_GAMES = 10_000
DEFAULT_SEED = 1


@dataclass(frozen=True)
class Cell:
    """One configuration at one player count with its policies by seat, ready for the kernel."""

    index: int
    config_name: str
    setting: Setting
    game: Game
    players: int
    policies: tuple[str, ...]
    encoded: Encoded

    @property
    def title(self) -> str:
        """What tables call its configuration."""
        return self.setting.config.title or self.config_name


@dataclass(frozen=True)
class Part:
    """The games `first` to `first + count - 1` of one cell, stored together."""

    number: int
    cell: int
    first: int
    count: int


@dataclass(frozen=True)
class Plan:
    """All that decides the digits of a run: the cells, `games` of each, and the seed."""

    name: str
    title: str
    cells: tuple[Cell, ...]
    games: int
    seed: int

    @property
    def config_names(self) -> list[str]:
        """The names of its configurations, each once, in the order of the cells."""
        return list(dict.fromkeys(cell.config_name for cell in self.cells))

    @property
    def total(self) -> int:
        """Games of all cells together."""
        return self.games * len(self.cells)

    def parts(self) -> Iterator[Part]:
        """The parts in the order of their numbers, which is the order of play."""
        number = 0
        for first in range(0, self.games, PART_GAMES):
            for cell in self.cells:
                yield Part(number, cell.index, first, min(PART_GAMES, self.games - first))
                number += 1


def plan(
    experiment: Experiment,
    games: int | None = None,
    seed: int | None = None,
    players: Sequence[int] | None = None,
    policy: str | None = None,
) -> Plan:
    """The plan of an experiment; what is given here goes over what its file says."""
    count = games if games is not None else experiment.games if experiment.games is not None else DEFAULT_GAMES
    start = seed if seed is not None else experiment.seed if experiment.seed is not None else DEFAULT_SEED
    if count < 1:
        raise UsageError(f"games is {count}; at least 1 is needed")
    if not 0 <= start < 2**64:
        raise UsageError(f"seed is {start}; it must be from 0 to 2^64 - 1")
    found = tuple(cells(experiment, players, policy))
    return Plan(experiment.name, experiment.title or experiment.name, found, count, start)


def cells(experiment: Experiment, players: Sequence[int] | None = None, policy: str | None = None) -> list[Cell]:
    """The cells of an experiment, by setting and then by player count.

    `players` takes the place of every setting's player counts. `policy` takes the place of every setting's policies:
    one name for all seats, or names by seat with commas between. Policies from users' files are compiled. ConfigError
    and UsageError say what is allowed.
    """
    names = None if policy is None else tuple(name.strip() for name in policy.split(","))
    found: list[Cell] = []
    for setting in experiment.settings:
        game = find_game(setting.game)
        for count in setting.config.players if players is None else players:
            if count not in game.players:
                allowed = ", ".join(map(str, game.players))
                raise UsageError(f"players {count}: {game.title} is played by {allowed}")
            by_seat = _policies(game, setting, count, names)
            encoded = game.encode(setting.config, count, by_seat)
            found.append(Cell(len(found), setting.name, setting, game, count, by_seat, encoded))
    return opened(found)


def _policies(game: Game, setting: Setting, players: int, names: tuple[str, ...] | None) -> tuple[str, ...]:
    if names is None:
        by_seat = setting.config.policies(players, game.default_policy)
    elif len(names) == 1:
        by_seat = names * players
    else:
        by_seat = names
    for name in by_seat:
        check_name(game, name)
    if len(by_seat) != players:
        named = ",".join(by_seat)
        raise UsageError(f"policy {named}: {len(by_seat)} names for {players} players; name one, or {players}")
    return by_seat
