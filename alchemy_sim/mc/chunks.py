"""Cutting parts into chunks: what one worker plays at a time.

A chunk is as large as half a second allows, so that Ctrl-C and the progress line answer, and never so large that its
records crowd the memory; its size leaves no mark on any result. Sizes follow the speed measured so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import ceil
from time import perf_counter

from alchemy_sim.mc.plan import Part

#: Seconds of work in a chunk: the aim, and the least towards the end of a run, when workers share what is left.
AIM = 0.5
LEAST = 0.2
#: The most games of a chunk: records take some 300 bytes a game in each worker, so memory is bound by it and not by the
#: length of the run. Smaller chunks cost time: ten milliseconds each for tallies and dispatching.
MOST_GAMES = 1 << 17
#: Seconds after which the first measurement is good enough.
_PILOT = 0.005


@dataclass(frozen=True)
class Chunk:
    """The games `first` to `first + count - 1` of a part's cell; `last` if they end the part."""

    part: Part
    first: int
    count: int

    @property
    def last(self) -> bool:
        """Whether the part is complete with it."""
        return self.first + self.count == self.part.first + self.part.count


class Pace:
    """How many games make a chunk: a fixed number, or what the measured seconds a game allow."""

    def __init__(self, games: int, workers: int, fixed: int | None = None) -> None:
        self.fixed = fixed
        self._left = games
        self._workers = workers
        self._seconds: dict[int, float] = {}
        self._latest = 0.0

    def pilot(self, cell: int, play: Callable[[int], object]) -> None:
        """Measure a cell by playing a few of its games: `play(n)` plays n; what comes out is dropped."""
        games, spent = 1, 0.0
        play(1)  # whatever a game makes once (tables of its deck) is no part of its pace
        while spent < _PILOT and games < 1_000_000:
            start = perf_counter()
            play(games)
            spent = perf_counter() - start
            self.learn(cell, games, spent)
            games *= 4

    def learn(self, cell: int, games: int, seconds: float) -> None:
        """Take note that so many games of a cell took so long; a cell not met yet counts as the latest one does."""
        self._seconds[cell] = self._latest = max(seconds, 1e-9) / games

    def take(self, cell: int, left: int) -> int:
        """The size of the next chunk of a part that has `left` games to play."""
        size = self.fixed or self._size(cell)
        games = min(size, left) if self.fixed else ceil(left / ceil(left / size))  # equal shares of what is left
        self._left -= games
        return games

    def _size(self, cell: int) -> int:
        seconds = self._seconds.get(cell, self._latest)
        share = self._left / (4 * self._workers)
        return max(1, int(min(max(share, LEAST / seconds), AIM / seconds, MOST_GAMES)))


def chunks(parts: Iterable[Part], pace: Pace) -> Iterator[Chunk]:
    """The chunks of all parts in order, each cut when it is asked for."""
    for part in parts:
        first, end = part.first, part.first + part.count
        while first < end:
            games = pace.take(part.cell, end - first)
            yield Chunk(part, first, games)
            first += games
