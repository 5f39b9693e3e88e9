"""Playing a plan: chunks through joblib, results in order, whole parts to a sink, integer totals a cell.

Results come back in the order of the chunks whatever worker was first, and totals are integers, so neither the workers
nor the backend nor the chunks can change a digit. Memory is flat: a part leaves when it is complete.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib import import_module
from tempfile import TemporaryDirectory, mkstemp
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from joblib import Parallel, cpu_count, delayed

from alchemy_sim.core.errors import Interrupted, UsageError, unknown
from alchemy_sim.core.game import REGISTRY, Encoded, Game
from alchemy_sim.mc.chunks import Chunk, Pace, chunks
from alchemy_sim.mc.plan import Cell, Part, Plan
from alchemy_sim.mc.tables import Columns, Gathered
from alchemy_sim.mc.totals import CellTotals, merge, tally

#: Names of backends, and what joblib calls them.
BACKENDS = {"threads": "threading", "processes": "loky"}


@dataclass(frozen=True)
class Workers:
    """Who plays: how many workers (all cores unless said), of which kind, and a chunk size if one is wanted."""

    count: int | None = None
    backend: str = "threads"
    chunk: int | None = None

    def __post_init__(self) -> None:
        if self.backend not in BACKENDS:
            raise UsageError(unknown("backend", self.backend, BACKENDS))
        for name, value in (("workers", self.count), ("chunk", self.chunk)):
            if value is not None and value < 1:
                raise UsageError(f"{name} is {value}; at least 1 is needed")

    @property
    def number(self) -> int:
        """How many there are."""
        return int(self.count or cpu_count())


@dataclass(frozen=True)
class Progress:
    """How far a run is: games played of all, the cell the last ones belong to and its totals so far."""

    done: int
    total: int
    cell: Cell
    totals: CellTotals


@dataclass(frozen=True)
class Played:
    """What came of a run: totals by cell index, and how many chunks of what sizes (games) they came in."""

    totals: list[Any]
    chunks: int
    smallest: int
    largest: int


@dataclass(frozen=True)
class Counting:
    """What is counted of the games of a chunk, where they are played; counts of two chunks are `merge`d.

    `count(module, encoded, seed, first, count, keep)` gives totals by name, and the outcome columns to `keep`; it
    travels to workers by its name, as the game does by its module's, for a game's functions don't travel. `encoded`
    is what it is handed for each cell, by index, where that is not the cell's own.
    """

    count: Callable[[str, Any, int, int, int, bool], tuple[dict[str, Any], Mapping[str, np.ndarray] | None]]
    encoded: Sequence[Any] | None = None

    def of(self, cell: Cell) -> Any:
        """What `count` is handed for a cell."""
        return cell.encoded if self.encoded is None else self.encoded[cell.index]


def count_games(
    module: str, encoded: Encoded, seed: int, first: int, count: int, keep: bool
) -> tuple[CellTotals, Mapping[str, np.ndarray] | None]:
    """Every metric and split of the games of a cell."""
    game: Game = import_module(module).GAME
    columns = game.simulate(encoded, seed, first, count)
    return tally(game, columns), columns if keep else None


GAMES = Counting(count_games)


class Sink(Protocol):
    """Where parts go when they are complete."""

    @property
    def wants_columns(self) -> bool:
        """Whether it keeps games, or totals only."""

    def done(self, part: Part, totals: CellTotals, columns: Columns | None) -> None:
        """Take a complete part; parts come in the order of their numbers. The columns are the sink's own."""


def play(
    plan: Plan,
    workers: Workers | None = None,
    sink: Sink | None = None,
    progress: Callable[[Progress], None] | None = None,
    parts: Sequence[Part] | None = None,
    counting: Counting = GAMES,
) -> Played:
    """Play a plan, or only some of its parts. Interrupted if it is stopped.

    Kernels should stand compiled (`game.warm()`) before, so that processes load instead of compiling.
    """
    workers = workers or Workers()
    games = plan.total if parts is None else sum(part.count for part in parts)
    keep = sink is not None and sink.wants_columns
    totals: list[CellTotals] = [{} for _ in plan.cells]
    done, sizes, gathered = 0, [0, games, 0], _Gathered()
    try:
        with _pressed() as pressed, closing(_results(plan, parts, games, workers, keep, counting)) as results:
            for chunk, result in results:
                if pressed:
                    raise KeyboardInterrupt
                done += chunk.count
                sizes = [sizes[0] + 1, min(sizes[1], chunk.count), max(sizes[2], chunk.count)]
                cell = plan.cells[chunk.part.cell]
                totals[cell.index] = merge(totals[cell.index], result.totals)
                if sink is not None:
                    gathered.add(chunk, result)
                    if chunk.last:
                        sink.done(chunk.part, gathered.totals, gathered.columns())
                        gathered = _Gathered()
                if progress is not None:
                    progress(Progress(done, games, cell, totals[cell.index]))
    except KeyboardInterrupt:
        raise Interrupted(f"stopped after {done:,} of {games:,} games") from None
    except BrokenProcessPool as error:
        raise Interrupted(f"a worker process died after {done:,} of {games:,} games") from error
    return Played(totals, *sizes)


@contextmanager
def _pressed() -> Iterator[list[int]]:
    """Not empty once Ctrl-C was pressed: what it raises is lost where a destructor or a callback happens to run."""
    found: list[int] = []
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield found
        return

    def interrupt(number: int, _frame: Any) -> None:
        found.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield found
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass(frozen=True)
class _Result:
    totals: CellTotals
    columns: Mapping[str, np.ndarray] | None
    seconds: float


class _Gathered:
    """The chunks of one part so far."""

    def __init__(self) -> None:
        self.totals: CellTotals = {}
        self._columns: Gathered | None = None

    def add(self, chunk: Chunk, result: _Result) -> None:
        self.totals = merge(self.totals, result.totals)
        if result.columns is not None:
            if self._columns is None:
                self._columns = Gathered(chunk.part.count)
            self._columns.add(chunk.first - chunk.part.first, result.columns)

    def columns(self) -> Columns | None:
        """The columns, to be taken once; None if the games are not kept."""
        return None if self._columns is None else self._columns.taken()


def _play_chunk(
    count_of: Any, module: str, encoded: Any, seed: int, first: int, count: int, keep: bool, shelf: str | None
) -> _Result | str:
    """What a worker does.

    With a `shelf`, a folder, the result is left there and its file named: a worker process that is killed while a
    long result is in the pipe would leave the parent waiting for the rest of it for ever; a name goes at one stroke.
    """
    if shelf is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches worker processes too; the parent answers it
    start = perf_counter()
    totals, columns = count_of(module, encoded, seed, first, count, keep)
    result = _Result(totals, columns, perf_counter() - start)
    if shelf is None:
        return result
    handle, name = mkstemp(dir=shelf)
    with open(handle, "wb") as file:
        pickle.dump(result, file, pickle.HIGHEST_PROTOCOL)
    return name


def _taken(result: _Result | str) -> _Result:
    """A result from a worker's hand or from the shelf."""
    if isinstance(result, _Result):
        return result
    with open(result, "rb") as file:
        found: _Result = pickle.load(file)
    os.unlink(result)
    return found


def _results(
    plan: Plan, parts: Sequence[Part] | None, games: int, workers: Workers, keep: bool, counting: Counting
) -> Generator[tuple[Chunk, _Result]]:
    pace = Pace(games, workers.number, workers.chunk)
    if workers.chunk is None:
        first = plan.cells[0]
        where = REGISTRY[first.game.name]
        pace.pilot(first.index, lambda many: counting.count(where, counting.of(first), plan.seed, 0, many, False))
    waiting: deque[Chunk] = deque()
    source = chunks(plan.parts() if parts is None else parts, pace)

    def wave(shelf: str | None) -> Iterator[Any]:
        # joblib goes on dispatching however slowly results are taken; a wave ends when too many wait: memory stays flat
        while len(waiting) < 4 * workers.number + 4 and (chunk := next(source, None)) is not None:
            waiting.append(chunk)
            cell = plan.cells[chunk.part.cell]
            where = REGISTRY[cell.game.name]
            what = where, counting.of(cell), plan.seed, chunk.first, chunk.count, keep, shelf
            yield delayed(_play_chunk)(counting.count, *what)

    with (
        _shelf(workers) as shelf,
        Parallel(
            n_jobs=workers.number, backend=BACKENDS[workers.backend], batch_size=1, return_as="generator"
        ) as parallel,
    ):
        while True:
            played = 0
            with _closing(parallel(wave(shelf))) as results:
                for each in results:
                    result = _taken(each)
                    chunk = waiting.popleft()
                    played += 1
                    pace.learn(chunk.part.cell, chunk.count, result.seconds)
                    yield chunk, result
            if played == 0:
                return


@contextmanager
def _shelf(workers: Workers) -> Iterator[str | None]:
    """A folder for the results of worker processes; None where they are threads, or alone in this process."""
    if workers.backend != "processes" or workers.number == 1:
        yield None
        return
    with TemporaryDirectory(prefix="alchemy-sim-", ignore_cleanup_errors=True) as folder:
        yield folder


@contextmanager
def _closing(results: Any) -> Iterator[Iterator[_Result | str]]:
    """joblib's generator, closed without its warning when it is left early."""
    try:
        yield results
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results.close()
