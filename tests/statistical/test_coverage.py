"""Do the intervals hold what they promise? Small runs with a known truth, 20,000 of each kind, fixed seeds.

The share of intervals that cover has a standard error of 0.15 points, so a bound half a point from the nominal 95 %
is passed by a correct interval in all but one of 2,000 seeds; the seeds are fixed.
"""

from __future__ import annotations

import numpy as np
import pytest

from alchemy_sim.core.game import Metric
from alchemy_sim.mc.precision import FIRST_PILOT, PILOT_SHARE, fixed_number, games_for
from alchemy_sim.mc.stats import estimate
from alchemy_sim.mc.totals import Totals

RUNS = 20_000
SHARE = Metric("p", "proportion", "a share", lambda outcomes: outcomes["x"], unit="pp")
RATIO = Metric("r", "ratio", "a rate", lambda outcomes: outcomes["x"], lambda outcomes: outcomes["y"], unit="pp")


def of_share(successes: int, games: int) -> Totals:
    """Totals of a proportion."""
    return Totals(games, successes, games, successes, games, successes)


def covers(metric: Metric, totals: Totals, truth: float, level: float = 0.95) -> bool:
    """Whether the interval holds the truth."""
    got = estimate(metric, totals, level)
    return got.low <= truth <= got.high


@pytest.mark.parametrize("p", [0.02, 0.1, 0.5])
@pytest.mark.parametrize("games", [500, 3000])
def test_shares(p, games):
    rng = np.random.default_rng([1, int(1000 * p), games])
    seen = rng.binomial(games, p, RUNS)
    covered = np.mean([covers(SHARE, of_share(int(x), games), p) for x in seen])
    assert 0.94 <= covered <= 0.965


def clustered(rng: np.random.Generator, games: int, rate: float) -> Totals:
    """Totals of a ratio whose events cluster: each game has its own rate and its own number of chances."""
    chances = 1 + rng.poisson(9, games)
    own = rng.beta(2 * rate, 2 * (1 - rate), games)
    events = rng.binomial(chances, own)
    return Totals(games, *(int(each) for each in _sums(events, chances)))


def _sums(x: np.ndarray, y: np.ndarray) -> list[int]:
    return [x.sum(), y.sum(), (x * x).sum(), (y * y).sum(), (x * y).sum()]


@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_ratios_of_clusters(rate):
    """Chances and own rate are independent, so the ratio of expectations is the rate itself."""
    rng = np.random.default_rng([2, int(1000 * rate)])
    covered = np.mean([covers(RATIO, clustered(rng, 600, rate), rate) for _ in range(RUNS)])
    assert 0.94 <= covered <= 0.965


def test_ratios_of_rare_clusters():
    rng = np.random.default_rng([2, 20])
    covered = np.mean([covers(RATIO, clustered(rng, 3000, 0.02), 0.02) for _ in range(RUNS // 4)])
    assert 0.94 <= covered <= 0.965


def test_wilson_on_counts_would_not_do_for_clusters():
    """The case that must fail: events of one game taken for independent."""
    rng = np.random.default_rng([3])
    seen = [clustered(rng, 600, 0.1) for _ in range(2000)]
    covered = np.mean([covers(SHARE, of_share(each.x, each.y), 0.1) for each in seen])
    assert covered < 0.85


@pytest.mark.parametrize("p", [0.02, 0.1, 0.5])
@pytest.mark.parametrize("half", [0.03, 0.01, 0.005])
def test_precision_found_by_looking(p, half):
    """Pilot after pilot, then a fixed number of games that hold the pilots' games: the interval still covers."""
    rng = np.random.default_rng([4, int(1000 * p), int(1000 * half)])
    covered = reached = 0
    for _ in range(RUNS):
        games, successes = FIRST_PILOT, int(rng.binomial(FIRST_PILOT, p))
        while (needed := games_for(SHARE, of_share(successes, games), half)) > PILOT_SHARE * games:
            more = -(-needed // PILOT_SHARE)
            successes += int(rng.binomial(more - games, p))
            games = more
        successes += int(rng.binomial(needed - games, p))
        got = estimate(SHARE, of_share(successes, needed))
        covered += got.low <= p <= got.high
        reached += (got.high - got.low) / 2 <= half
    assert covered / RUNS >= 0.945
    assert reached / RUNS >= 0.99


def test_stopping_at_the_first_short_interval_would_not_do():
    """The case that must fail: look every 20 games and stop when the interval happens to be short enough."""
    rng = np.random.default_rng([5])
    covered = 0
    runs = 3000
    for _ in range(runs):
        tosses = np.cumsum(rng.random(4000) < 0.02)
        for games in range(40, 4001, 20):
            share = tosses[games - 1] / games
            if 1.96 * np.sqrt(share * (1 - share) / games) <= 0.01:
                break
        covered += abs(share - 0.02) <= 1.96 * np.sqrt(share * (1 - share) / games)
    assert covered / runs < 0.93


def test_fixed_number_asks_for_few_pilots_and_respects_the_bound():
    asked: list[int] = []

    class Toy:
        index = 0

        class game:
            @staticmethod
            def metric(_name: str) -> Metric:
                return SHARE

    class Aim:
        metric = "p"
        half = 0.001

    def pilot(games: int) -> list[dict[str, Totals]]:
        asked.append(games)
        return [{"p": of_share(games // 2, games)}]

    number = fixed_number([Toy()], [Aim()], pilot)  # type: ignore[list-item]
    assert 960_000 <= number <= 970_000
    assert asked == sorted(set(asked))
    assert len(asked) <= 3
    assert sum(asked) < number / 5
    assert fixed_number([Toy()], [Aim()], pilot, 5000) == 5000  # type: ignore[list-item]
