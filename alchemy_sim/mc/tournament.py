"""Policies against each other: every line-up at every table, all on the same deals, counted as exact integers.

A table is a configuration at a player count. Each of its seatings is a cell of an ordinary plan, so chunks, workers
and progress are those of a run; game number g has the same deal in all of them. Kept of a table are the shares by
line-up and, by deal, how much each policy got and how many games of each line-up were somebody's: their sums and sums
of products. Whatever ratings come out, the spread of the scores follows from these, for what the model expects of a
seating is the same in every deal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module

import numpy as np

from alchemy_sim.config.load import Experiment, Setting
from alchemy_sim.core.errors import UsageError
from alchemy_sim.core.game import Encoded, Game
from alchemy_sim.mc.lift import one_game
from alchemy_sim.mc.own import check_name, opened
from alchemy_sim.mc.plan import DEFAULT_SEED, Cell, Part, Plan
from alchemy_sim.mc.runner import Counting, Progress, Workers, play
from alchemy_sim.mc.seatings import Seating, lineup_of, seatings
from alchemy_sim.mc.tables import Columns
from alchemy_sim.mc.totals import CellTotals

#: Games of each seating when neither the file nor an option says how many: a table of three policies at four seats has
#: 78 seatings.
DEFAULT_GAMES = 1_000
#: Deals whose products are added up at a time.
_BLOCK = 4096


@dataclass(frozen=True)
class Table:
    """A configuration at a player count: the seatings, of which number `first` is the plan's cell of that index.

    `lineups`: how many seats each policy has in each line-up, shape (L, P). `lineup`: the line-up of each seating.
    """

    setting: Setting
    players: int
    first: int
    seatings: tuple[Seating, ...]
    all_of_them: bool
    lineups: np.ndarray
    lineup: tuple[int, ...]

    @property
    def title(self) -> str:
        """What tables call its configuration."""
        return self.setting.config.title or self.setting.name

    @property
    def times(self) -> np.ndarray:
        """Seatings of each line-up, shape (L,)."""
        return np.bincount(self.lineup, minlength=len(self.lineups))


@dataclass(frozen=True)
class Tally:
    """Exact sums over the first `n` deals of a table, each played by all its seatings; Python integers.

    `won`: what each policy got in each line-up, in parts of the game's scale, shape (L, P). By deal there are P + L
    numbers: what each policy got, then how much of each line-up's games was somebody's; `products` has the sums of
    products of any two of them, shape (P + L, P + L).
    """

    n: int
    won: np.ndarray
    products: np.ndarray

    def __add__(self, other: Tally) -> Tally:
        """The sums over both sets of deals."""
        return Tally(self.n + other.n, self.won + other.won, self.products + other.products)

    @property
    def sums(self) -> np.ndarray:
        """The sums of the P + L numbers by deal."""
        return np.concatenate([self.won.sum(axis=0), self.won.sum(axis=1)])


@dataclass(frozen=True)
class Tournament:
    """What is played: policies, tables, and the plan whose cells are all seatings of all tables."""

    game: Game
    policies: tuple[str, ...]
    tables: tuple[Table, ...]
    plan: Plan

    def of(self, games: int) -> Tournament:
        """The same with so many games of each seating."""
        return replace(self, plan=replace(self.plan, games=games))


def tournament(
    experiment: Experiment, policies: Sequence[str], games: int | None = None, seed: int | None = None
) -> Tournament:
    """The tournament of some policies in an experiment's configurations. UsageError says what is wrong with it."""
    game = one_game(experiment)
    if game.seat_shares is None:
        raise UsageError(
            f"tournament: the seats of {experiment.name} don't compete ({game.title} is won or lost together); "
            "`lift --factor policy` and `compare --policy-b` tell what policies are worth there"
        )
    for name in policies:
        check_name(game, name)
    for name in policies:
        if policies.count(name) > 1:
            raise UsageError(f"--policies {','.join(policies)}: {name} is named twice")
    if len(policies) < 2:
        raise UsageError(f"--policies {','.join(policies)}: a tournament takes two policies or more")
    cells: list[Cell] = []
    tables = []
    for setting in experiment.settings:
        for players in setting.config.players:
            every, all_of_them = seatings(len(policies), players)
            lineups = list(dict.fromkeys(lineup_of(each, len(policies)) for each in every))
            lineup = tuple(lineups.index(lineup_of(each, len(policies))) for each in every)
            tables.append(Table(setting, players, len(cells), tuple(every), all_of_them, np.array(lineups), lineup))
            for seating in every:
                names = tuple(policies[place] for place in seating)
                encoded = game.encode(setting.config, players, names)
                cells.append(Cell(len(cells), setting.name, setting, game, players, names, encoded))
    count = games if games is not None else experiment.games if experiment.games is not None else DEFAULT_GAMES
    start = seed if seed is not None else experiment.seed if experiment.seed is not None else DEFAULT_SEED
    title = experiment.title or experiment.name
    return Tournament(
        game, tuple(policies), tuple(tables), Plan(experiment.name, title, tuple(opened(cells)), count, start)
    )


# ---- playing and counting ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seated:
    """What a worker needs of a seating."""

    encoded: Encoded
    seating: Seating


def share_columns(
    module: str, seated: Seated, seed: int, first: int, count: int, _keep: bool
) -> tuple[CellTotals, Mapping[str, np.ndarray]]:
    """What a worker does: what each policy got of each game, by the policy's place; see `runner.count_games`."""
    game: Game = import_module(module).GAME
    assert game.seat_shares is not None
    shares = game.seat_shares.of(game.simulate(seated.encoded, seed, first, count), len(seated.seating))
    mine = {place: np.flatnonzero(np.equal(seated.seating, place)) for place in set(seated.seating)}
    return {}, {str(place): shares[:, seats].sum(axis=1, dtype=np.int32) for place, seats in mine.items()}


class Tallying:
    """A sink that adds up the seatings of a table deal by deal; what it holds is the deals of one part."""

    wants_columns = True

    def __init__(self, contest: Tournament) -> None:
        self._policies = len(contest.policies)
        self._table = {cell: place for place, table in enumerate(contest.tables) for cell in _cells(table)}
        self._tables = contest.tables
        self._deals = np.zeros((0, 0), np.int32)
        self.tallies: list[Tally | None] = [None] * len(contest.tables)
        self._won = np.zeros((0, 0), object)

    def done(self, part: Part, _totals: CellTotals, columns: Columns | None) -> None:
        """Take the games of one seating; the seatings of a table come one after the other, with the same deals."""
        assert columns is not None
        place = self._table[part.cell]
        table = self._tables[place]
        seating = part.cell - table.first
        if seating == 0:
            self._deals = np.zeros((self._policies + len(table.lineups), part.count), np.int32)
            self._won = np.zeros(table.lineups.shape, object)
        lineup = table.lineup[seating]
        for name, shares in columns.items():
            self._deals[int(name)] += shares
            self._deals[self._policies + lineup] += shares
            self._won[lineup, int(name)] += int(shares.sum(dtype=np.int64))
        if seating == len(table.seatings) - 1:
            found = Tally(part.count, self._won, _products(self._deals))
            before = self.tallies[place]
            self.tallies[place] = found if before is None else before + found


def _cells(table: Table) -> range:
    return range(table.first, table.first + len(table.seatings))


def _products(deals: np.ndarray) -> np.ndarray:
    """The exact sums over deals of products of any two numbers: from shape (D, deals) to (D, D), Python integers."""
    # floats add up integers exactly below 2^53, and fast; only shares in very small parts come near that
    large = int(deals.max()) ** 2 * _BLOCK >= 2**53
    found = np.zeros((len(deals), len(deals)), object)
    for first in range(0, deals.shape[1], _BLOCK):
        block = deals[:, first : first + _BLOCK].astype(object if large else np.float64)
        sums = block @ block.T
        found += sums if large else sums.astype(np.int64).astype(object)
    return found


def play_tournament(
    contest: Tournament, workers: Workers, progress: Callable[[Progress], None] | None = None
) -> list[Tally]:
    """The sums of every table. Interrupted if it is stopped."""
    sink = Tallying(contest)
    seated = [
        Seated(contest.plan.cells[cell].encoded, table.seatings[cell - table.first])
        for table in contest.tables
        for cell in _cells(table)
    ]
    play(contest.plan, workers, sink, progress, None, Counting(share_columns, seated))
    return [each for each in sink.tallies if each is not None]
