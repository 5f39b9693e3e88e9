"""The model of ratings: closed forms, statsmodels as a second opinion, policies that never get anything."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
import statsmodels.api as sm

from alchemy_sim.mc.luce import ELO, fit, least_lead
from alchemy_sim.mc.seatings import lineup_of, rotations, seatings, spread

TWO = np.array([[1, 1]])


# ---- two at two seats: everything is known ------------------------------------------------------------------


def test_two_at_two_seats_are_a_logit():
    model = fit(TWO, np.array([[30.0, 10.0]]))
    assert model.rating[0] - model.rating[1] == pytest.approx(log(3), abs=1e-12)
    assert model.rating.sum() == pytest.approx(0, abs=1e-12)
    assert ELO * log(10) == pytest.approx(400)
    assert model.expected[0] == pytest.approx([0.75, 0.25])


def test_the_spread_of_independent_games_is_that_of_a_logit():
    """The variance of a logit is 1 / (n p q); the sandwich adds n / (n - 1)."""
    n, won = 200, 130
    scores = np.repeat([1 - won / n, -won / n], [won, n - won])
    meat = np.array([[1, -1], [-1, 1]]) * (scores**2).sum()
    covariance = fit(TWO, np.array([[won, n - won]], float)).covariance(meat, n)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert variance == pytest.approx(n / (won * (n - won)) * n / (n - 1), rel=1e-9)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_one_against_many_of_another(players):
    """A alone gets p of the games against k of B: its strength is k p / (1 - p) times B's."""
    model = fit(np.array([[1, players - 1]]), np.array([[20.0, 80.0]]))
    assert model.rating[0] - model.rating[1] == pytest.approx(log((players - 1) * 0.2 / 0.8), abs=1e-9)


@pytest.mark.parametrize("won", [1e-3, 1.0, 1e9, 1e12])
def test_lopsided_games_have_finite_ratings(won):
    model = fit(TWO, np.array([[won, 1.0]]))
    assert model.rating[0] - model.rating[1] == pytest.approx(log(won), rel=1e-6)


# ---- three and more ------------------------------------------------------------------------------------------


def test_statsmodels_has_the_same_ratings_and_spread():
    """Games of two among three policies as a logit of who won, clustered by deal; statsmodels' own correction off."""
    draw = np.random.default_rng(5)
    pairs, deals = [(0, 1), (0, 2), (1, 2)], 150
    strength = np.array([0.6, 0.1, -0.7])
    luck = draw.gumbel(size=(deals, 2))
    design, outcome, deal, won = [], [], [], np.zeros((3, 3))
    for row, (a, b) in enumerate(pairs):
        first = strength[a] + luck[:, 0] > strength[b] + luck[:, 1]
        won[row, [a, b]] += first.sum(), (~first).sum()
        design += [[float(a == 1) - float(b == 1), float(a == 2) - float(b == 2)]] * deals
        outcome += first.tolist()
        deal += range(deals)
    told = sm.Logit(np.array(outcome, float), np.array(design)).fit(
        disp=False, cov_type="cluster", cov_kwds={"groups": np.array(deal), "use_correction": False}
    )
    counts = np.array([[int(policy in pair) for policy in range(3)] for pair in pairs])
    model = fit(counts, won)
    assert model.rating[1:] - model.rating[0] == pytest.approx(told.params, abs=1e-7)
    score = np.zeros((deals, 3))
    for row, (a, b) in enumerate(pairs):
        mine = np.array(outcome).reshape(3, deals)[row]
        score[:, a] += mine - model.expected[row, a]
        score[:, b] += ~mine - model.expected[row, b]
    covariance = model.covariance(score.T @ score, deals) * (deals - 1) / deals
    for policy in (1, 2):
        variance = covariance[0, 0] + covariance[policy, policy] - 2 * covariance[0, policy]
        assert sqrt(variance) == pytest.approx(told.bse[policy - 1], rel=1e-6)


def test_names_do_not_matter():
    draw = np.random.default_rng(7)
    counts = np.array(sorted({lineup_of(each, 4) for each in seatings(4, 3)[0]}))
    won = draw.integers(1, 500, counts.shape) * (counts > 0)
    order = draw.permutation(4)
    one, other = fit(counts, won.astype(float)), fit(counts[:, order], won[:, order].astype(float))
    assert other.rating == pytest.approx(one.rating[order], abs=1e-9)
    assert (one.group == 0).all()


def test_the_fit_is_where_shares_are_as_expected():
    """The likelihood's own equation: over all games every policy gets what the model expects."""
    draw = np.random.default_rng(8)
    counts = np.array(sorted({lineup_of(each, 3) for each in seatings(3, 4)[0]}))
    won = (draw.integers(0, 500, counts.shape) * (counts > 0)).astype(float)
    model = fit(counts, won)
    assert won.sum(axis=1) @ model.expected == pytest.approx(won.sum(axis=0), rel=1e-10)


# ---- out of reach --------------------------------------------------------------------------------------------


def test_who_gets_nothing_falls_out_and_changes_nothing_else():
    counts = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    model = fit(counts, np.array([[30.0, 10, 0], [50, 0, 0], [0, 70, 0]]))
    assert model.group.tolist() == [0, 0, 1]
    assert model.rating[0] - model.rating[1] == pytest.approx(log(3), abs=1e-12)
    assert model.expected[1].tolist() == [1, 0, 0]
    assert np.isfinite(model.covariance(np.eye(3), 40)).all()
    every = fit(counts, np.array([[30.0, 0, 0], [50, 0, 0], [0, 70, 0]]))
    assert every.group.tolist() == [0, 1, 2]
    circle = fit(counts, np.array([[30.0, 0, 0], [0, 0, 50], [0, 70, 0]]))
    assert circle.group.tolist() == [0, 0, 0]
    assert np.isfinite(circle.rating).all()
    nobody = fit(counts, np.zeros((3, 3)))
    assert sorted(nobody.group) == [0, 1, 2]


def test_the_least_lead_is_clopper_and_pearson_s():
    """One game a deal, all of n won: a share of 1 - error^(1/n) is left to the other."""
    n, error = 500, 0.01
    lead = least_lead(TWO, np.array([1]), np.array([1.0]), n, error)
    left = 1 - error ** (1 / n)
    assert lead == pytest.approx(log((1 - left) / left), rel=1e-9)
    # were the truth just there, so many games without a win would have chance `error`: it is no tighter, no wider
    assert (1 - left) ** n == pytest.approx(error)


def test_the_least_lead_counts_deals_and_not_games():
    one = least_lead(TWO, np.array([1]), np.array([1.0]), 300, 0.01)
    assert least_lead(TWO, np.array([40]), np.array([40.0]), 300, 0.01) == pytest.approx(one)
    fewer = least_lead(TWO, np.array([40]), np.array([20.0]), 300, 0.01)
    assert fewer < one  # half of the games were nobody's
    assert least_lead(TWO, np.array([40]), np.array([0.1]), 300, 0.01) is None
    assert least_lead(np.zeros((0, 2)), np.zeros(0), np.zeros(0), 300, 0.01) is None


# ---- who sits where ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("policies", "players"), [(2, 2), (2, 5), (3, 4), (5, 4), (3, 6)])
@pytest.mark.parametrize("most", [0, 10**9])
def test_everyone_has_every_seat_equally_often(policies, players, most):
    found, every = seatings(policies, players, most)
    assert every == (most > 0)
    assert len(set(found)) == len(found)
    assert all(len(set(each)) > 1 for each in found)
    if every:
        assert len(found) == policies**players - policies
    lineups = {lineup_of(each, policies) for each in found}
    assert len(lineups) == len({tuple(sorted(each)) for each in found})
    for lineup in lineups:
        mine = np.array([each for each in found if lineup_of(each, policies) == lineup])
        for policy in range(policies):
            assert len(set((mine == policy).sum(axis=0))) == 1


def test_a_spread_line_up():
    assert spread((0, 0, 1, 1)) == (0, 1, 0, 1)
    assert spread((0, 0, 0, 1, 1, 2)) == (0, 1, 2, 0, 1, 0)
    assert len(rotations((0, 1, 0, 1))) == 2
