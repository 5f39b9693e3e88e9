"""Before a long run: how many games, about how long, and how much disk."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from alchemy_sim.mc.plan import Cell, Part, Plan
from alchemy_sim.mc.runner import Workers

#: The most games of each cell from which the size of a stored game is judged, and the seconds for them; and the least
#: seconds from which its speed is.
SAMPLE_GAMES = 2_000
SIZE_SECONDS = 0.5
SAMPLE_SECONDS = 0.02
#: Runs that are expected to take longer than this announce themselves.
LONG_SECONDS = 20.0


@dataclass(frozen=True)
class Forecast:
    """What a run will take: games, seconds with all its workers, bytes on the disk (0: nothing is kept)."""

    games: int
    seconds: float
    disk: int

    def __str__(self) -> str:
        disk = f", about {_bytes(self.disk)} of disk" if self.disk else ""
        return f"{self.games:,} games: about {_duration(self.seconds)}{disk}"


def forecast(plan: Plan, workers: Workers, keeps_games: bool) -> Forecast:
    """Measure every cell for a moment and multiply; rough by nature."""
    seconds = 0.0
    disk = 0
    for cell in plan.cells:
        each = _seconds_a_game(cell, plan.seed)
        seconds += each * plan.games
        if keeps_games:
            sample = min(SAMPLE_GAMES, plan.games, max(1, int(SIZE_SECONDS / each)))
            disk += int(_bytes_a_game(cell, plan, sample) * plan.games)
    return Forecast(plan.total, seconds / workers.number, disk)


def _seconds_a_game(cell: Cell, seed: int) -> float:
    cell.game.simulate(cell.encoded, seed, 0, 1)  # what is made once (code, tables of a deck) is no part of its pace
    games = 16
    while True:
        start = perf_counter()
        cell.game.simulate(cell.encoded, seed, 0, games)
        spent = perf_counter() - start
        if spent >= SAMPLE_SECONDS or games > 1_000_000:
            return spent / games
        games *= 4


def _bytes_a_game(cell: Cell, plan: Plan, games: int) -> float:
    from alchemy_sim.mc.frame import Framer
    from alchemy_sim.mc.store import parquet

    outcomes = dict(cell.game.simulate(cell.encoded, plan.seed, 0, games))
    tables = Framer(plan)(Part(0, cell.index, 0, games), outcomes)
    return sum(len(parquet(frame)) for _, frame in tables) / games


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _bytes(size: int) -> str:
    for unit, power in (("GB", 9), ("MB", 6), ("kB", 3)):
        if size >= 10**power:
            return f"{size / 10**power:.1f} {unit}"
    return f"{size} bytes"
