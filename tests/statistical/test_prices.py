"""Price lists against known prices, and checks against bands that hold: intervals, false discoveries, false alarms."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from scipy.special import expit

from alchemy_sim.mc.check import Band, against_bands
from alchemy_sim.mc.lift import count_fours
from alchemy_sim.mc.plan import plan
from alchemy_sim.mc.prices import Prices
from alchemy_sim.mc.runner import Workers, play
from tests.toy_game import CoinsConfig, truth

LABELS = 12
#: What each label costs in log-odds, with mean 0.
COSTS = np.linspace(-1.5, 1.5, LABELS)


def drawn(seed: int, games: int, together: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Games that carry three labels each and succeed by their costs; labels 0 and 1 cost so much more together."""
    rng = np.random.default_rng([11, seed])
    carried = np.argsort(rng.random((games, LABELS)), axis=1)[:, :3]
    both = (carried == 0).any(axis=1) & (carried == 1).any(axis=1)
    return carried, (rng.random(games) < expit(0.8 - COSTS[carried].sum(axis=1) - together * both)).astype(np.int8)


def test_prices_are_covered() -> None:
    """12 prices in each of 400 lists of 95 % intervals; the constant is shared by the labels of a game."""
    covered = total = 0
    for seed in range(400):
        for price in Prices(*drawn(seed, 3_000), LABELS).singles(0.95):
            assert price.low is not None
            assert price.high is not None
            covered += price.low <= COSTS[price.labels[0]] <= price.high
            total += 1
    assert 0.94 <= covered / total <= 0.965


def test_pairs_stand_out_only_where_they_should() -> None:
    """No pair does in most lists without one; a dear pair does, at about its price."""
    false = sum(any(pair.stands_out for pair in Prices(*drawn(seed, 3_000), LABELS).pairs(0.95)) for seed in range(200))
    assert false <= 0.09 * 200  # 5 %, and 2.6 standard errors
    found = [
        next(each for each in Prices(*drawn(seed, 20_000, 1.0), LABELS).pairs(0.95) if each.labels == (0, 1))
        for seed in range(20)
    ]
    assert sum(pair.stands_out for pair in found) >= 18
    assert np.mean([pair.cost for pair in found]) == pytest.approx(1.0, abs=0.15)


def test_a_label_that_always_fails_has_no_price_and_spoils_no_other() -> None:
    carried, success = drawn(1, 4_000)
    success[(carried == 5).any(axis=1)] = 0
    found = Prices(carried, success, LABELS).singles(0.95)
    assert found[5].cost is None
    assert found[5].successes == 0
    costs = [price.cost for price in found if price.cost is not None]
    wanted = np.delete(COSTS, 5) - np.delete(COSTS, 5).mean()
    assert np.abs(np.array(costs) - wanted).max() < 0.3


def bands(config: CoinsConfig, cells: dict[int, object]) -> Iterator[tuple[Band, object]]:
    """Bands that end at the true values: the hardest case that is still right."""
    for players, cell in cells.items():
        for place, (metric, value) in enumerate(truth(config, players).items()):
            low, high = (value, value + 0.05) if place % 2 else (value - 0.05, value)
            yield Band(config="coins", players=players, metric=metric, low=low, high=high), cell


def test_false_alarms_of_checks(tmp_path) -> None:
    """500 checks against bands that hold: at most 5 % (and 2.5 standard errors) raise an alarm."""
    from alchemy_sim.config.load import load

    path = tmp_path / "coins.toml"
    path.write_text('rulebook = "coins"\nplayers = [2, 3]\n', encoding="utf-8")
    experiment = load(str(path))
    alarms = 0
    for seed in range(500):
        planned = plan(experiment, 300, seed)
        cells = {cell.players: cell for cell in planned.cells}
        totals = play(planned, Workers(1, chunk=1_000)).totals
        held = list(bands(CoinsConfig(players=(2, 3)), cells))
        alarms += any(each.left for each in against_bands(held, totals))
    assert alarms <= 0.0745 * 500
    assert alarms > 0  # bands end at the truth, so some alarms there must be


def test_what_two_variants_are_worth_together(tmp_path) -> None:
    """Game by game: both, less the one, less the other, and neither."""
    from alchemy_sim.config.load import load
    from alchemy_sim.mc.lift import Four

    path = tmp_path / "coins.toml"
    path.write_text('rulebook = "coins"\nplayers = [2]\n', encoding="utf-8")
    sets = ((), ("hot=0.9",), ("cold=0.6",), ("hot=0.9", "cold=0.6"))
    encoded = [plan(load(str(path), each), 10, 1).cells[0].encoded for each in sets]
    totals, _ = count_fours("tests.toy_game", Four(tuple(encoded)), 3, 0, 5_000, False)
    wins = [
        truth(CoinsConfig(hot=hot, cold=cold, players=(2,)), 2)["win_rate"]
        for hot, cold in ((0.7, 0.3), (0.9, 0.3), (0.7, 0.6), (0.9, 0.6))
    ]
    extra = wins[3] - wins[1] - wins[2] + wins[0]
    assert totals["extra"].x / 5_000 == pytest.approx(extra, abs=0.02)
