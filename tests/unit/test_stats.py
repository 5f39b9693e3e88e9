"""Estimates against closed forms, statsmodels and a bootstrap."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint

from alchemy_sim.core.game import Metric
from alchemy_sim.mc.stats import Estimate, estimate, proportion
from alchemy_sim.mc.totals import Totals, count, from_json, merge, to_json


def metric(kind: str, scale: int = 1, unit: str = "") -> Metric:
    below = (lambda o: o["y"]) if kind == "ratio" else None
    return Metric("it", kind, "", lambda o: o["x"], below, scale=scale, unit=unit)


def totals_of(x, y=None, kind: str = "mean") -> Totals:
    columns = {"x": np.asarray(x, np.int64), "y": np.asarray(x if y is None else y, np.int64)}
    return count(metric(kind), columns, len(columns["x"]))


@pytest.mark.parametrize(
    ("successes", "n", "method"),
    [(10, 20, "wilson"), (612, 1000, "wilson"), (9, 1000, "clopper-pearson"), (0, 50, "clopper-pearson"),
     (50, 50, "clopper-pearson"), (995, 1000, "clopper-pearson"), (1, 1, "clopper-pearson")],
)  # fmt: skip
@pytest.mark.parametrize("level", [0.95, 0.99])
def test_a_proportion_has_the_interval_of_statsmodels(successes, n, method, level):
    got = proportion(successes, n, level)
    named = {"wilson": "wilson", "clopper-pearson": "beta"}[method]
    low, high = proportion_confint(successes, n, 1 - level, named)
    assert got.method == method
    assert (got.estimate, got.low, got.high) == pytest.approx((successes / n, low, high), abs=1e-12)


def test_a_mean_has_the_t_interval_of_scipy():
    x = np.random.default_rng(1).integers(0, 40, 300)
    got = estimate(metric("mean"), totals_of(x))
    low, high = scipy_stats.t.interval(0.95, len(x) - 1, x.mean(), scipy_stats.sem(x))
    assert (got.estimate, got.low, got.high) == pytest.approx((x.mean(), low, high))
    assert (got.n, got.method) == (300, "t")


def test_a_share_is_a_mean_in_units_of_its_scale():
    twelfths = np.random.default_rng(2).choice([0, 4, 6, 12], 500)
    share, mean = (estimate(metric(kind, 12), totals_of(twelfths)) for kind in ("share", "mean"))
    assert share == mean
    assert share.estimate == pytest.approx(twelfths.mean() / 12)


def test_a_ratio_takes_games_as_clusters():
    """Delta method by hand, and within 5 % of a bootstrap over games; Wilson on counts would be half as wide."""
    random = np.random.default_rng(3)
    y = random.integers(5, 30, 2000)
    x = random.binomial(y, random.beta(1, 4, 2000))
    got = estimate(metric("ratio"), totals_of(x, y, "ratio"))
    ratio = x.sum() / y.sum()
    error = np.sqrt(((x - ratio * y) ** 2).sum() / (len(x) - 1) / len(x)) / y.mean()
    half = scipy_stats.t.ppf(0.975, len(x) - 1) * error
    assert (got.estimate, got.low, got.high) == pytest.approx((ratio, ratio - half, ratio + half))
    picks = random.integers(0, len(x), (4000, len(x)))
    boot = np.std(x[picks].sum(axis=1) / y[picks].sum(axis=1))
    assert error == pytest.approx(boot, rel=0.05)  # the bootstrap's own error is 1.1 %
    low, high = proportion_confint(x.sum(), y.sum(), 0.05, "wilson")
    assert high - low < 0.6 * (got.high - got.low)


def test_exact_integers_lose_nothing_where_floats_would():
    """Values near 10^9 with a spread of 1: the naive sum of squares in floats has no correct digit left."""
    x = 10**9 + np.arange(1000) % 2
    got = estimate(metric("mean"), totals_of(x))
    half = scipy_stats.t.ppf(0.975, 999) * scipy_stats.sem(np.arange(1000) % 2)
    assert got.high - got.low == pytest.approx(2 * half, rel=1e-5)  # the bounds are floats near 10^9
    assert totals_of(x * 10**5).xx == sum(int(each) ** 2 for each in x * 10**5)  # beyond 64 bits


@pytest.mark.parametrize(
    ("kind", "scale", "x", "y", "expected"),
    [
        ("proportion", 1, [], None, Estimate(None, None, None, 0, "wilson")),
        ("mean", 1, [], None, Estimate(None, None, None, 0, "t")),
        ("mean", 1, [7], None, Estimate(7.0, None, None, 1, "t")),
        ("mean", 1, [7, 7, 7], None, Estimate(7.0, None, None, 3, "t")),
        ("share", 12, [6, 6], None, Estimate(0.5, None, None, 2, "t")),
        ("ratio", 1, [0, 0], [0, 0], Estimate(None, None, None, 2, "delta")),
        ("ratio", 1, [1, 2], [2, 4], Estimate(0.5, None, None, 2, "delta")),
    ],
)
def test_where_there_is_no_spread_there_is_no_interval(kind, scale, x, y, expected):
    assert estimate(metric(kind, scale), totals_of(x, y, kind)) == expected


@pytest.mark.parametrize(("value", "like"), [(0, (0, 20)), (12, (20, 20))])
def test_a_share_that_never_varied_is_bounded_like_a_proportion(value, like):
    assert estimate(metric("share", 12), totals_of([value] * 20)) == proportion(*like)


def test_rates_stay_between_0_and_1():
    x, y = [0] * 99 + [1], [1] * 100
    assert estimate(metric("ratio"), totals_of(x, y, "ratio")).low < 0
    assert estimate(metric("ratio", unit="pp"), totals_of(x, y, "ratio")).low == 0


def test_totals_add_up_and_survive_json():
    x = np.random.default_rng(4).integers(0, 9, 100)
    halves = {"it": totals_of(x[:40])}, {"it": totals_of(x[40:])}
    whole = {"it": totals_of(x)}
    assert merge(*halves) == merge(halves[1], halves[0]) == whole == merge({}, whole)
    assert from_json(to_json(whole)) == whole


def test_a_proportion_that_is_not_0_or_1_is_a_bug():
    with pytest.raises(ValueError, match="0 or 1"):
        totals_of([0, 2], kind="proportion")
