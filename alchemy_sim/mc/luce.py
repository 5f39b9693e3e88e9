"""Ratings from who got what against whom: Luce's model of choice, which between two is that of Bradley and Terry.

In a game of several seats each policy has a strength exp(r), and the game is a seat's with chance exp(r of its policy)
over the sum of that over all seats (Luce, Individual Choice Behavior, 1959; for two, Bradley and Terry, Biometrika 39,
1952, p. 324). A shared win counts by its parts. Ratings are those of largest likelihood. Games that share a deal are
not independent, so the covariance is not the likelihood's own but the sandwich of White (Econometrica 50, 1982, p. 1)
with the deal as the cluster (Liang and Zeger, Biometrika 73, 1986, p. 13). It also holds where the model is not quite
true, as when seats are not alike or styles beat each other in a circle; a rating is then the best single number.

Policies that never get anything against some others have no finite rating beside them (Ford, Amer. Math. Monthly 64,
1957, no. 8 part 2, p. 28). They fall apart into groups: all of one group have got something from each other, if only
by way of others; nobody of a lower group has from a higher one. Inside a group ratings are finite; between groups
there is only a bound, `least_lead`.

A line-up is how many seats each policy has: all arrangements of one are the same to this model.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1, log

import numpy as np
from scipy.optimize import brentq, minimize
from scipy.sparse.csgraph import connected_components
from scipy.special import logsumexp

#: Elo points of one unit of r: ten times the strength is 400 points.
ELO = 400 / log(10)
#: No bound is farther out than this: 1 game in 10^13.
_FAR = 30.0


@dataclass(frozen=True)
class Luce:
    """The ratings of P policies from L line-ups.

    `group`: the group of each policy, 0 the strongest, shape (P,). `rating`: r, with mean 0 in each group, shape (P,).
    `expected`: what a policy's seats get of a game of a line-up, among the group that such games go to, shape (L, P).
    `information`: the second derivative of minus the log-likelihood, in the units of `won`, shape (P, P).
    """

    group: np.ndarray
    rating: np.ndarray
    expected: np.ndarray
    information: np.ndarray

    def covariance(self, meat: np.ndarray, n: int) -> np.ndarray:
        """The cluster-robust covariance of the ratings, shape (P, P); of use inside a group only.

        `meat` is the sum over the `n` clusters of the outer products of their scores (what each policy got less what
        was expected), in the units of `won` squared, shape (P, P).
        """
        return self.inverse @ meat @ self.inverse * (n / (n - 1))

    @property
    def inverse(self) -> np.ndarray:
        """The inverse of the information for ratings of mean 0 in each group, which are blind to a common shift."""
        return np.linalg.pinv(self.information, rcond=1e-12, hermitian=True)


def fit(counts: np.ndarray, won: np.ndarray) -> Luce:
    """The model of largest likelihood.

    `counts`: seats of each policy in each line-up, shape (L, P). `won`: what they got together over all games of it,
    shape (L, P), 0 where there are none.
    """
    group = _groups(counts, won)
    policies = counts.shape[1]
    rating = np.zeros(policies)
    expected, information = np.zeros(counts.shape), np.zeros((policies, policies))
    for number in range(group.max() + 1):
        members = np.flatnonzero(group == number)
        # a game goes to one group only: the highest that sits there; the others are as good as empty seats
        rows = np.flatnonzero(won[:, members].sum(axis=1) > 0)
        mine = np.ix_(rows, members)
        rating[members] = _strengths(counts[mine], won[mine])
        share = _shares(counts[mine], rating[members])
        expected[mine] = share
        weight = won[mine].sum(axis=1)
        information[np.ix_(members, members)] = _curvature(share, weight)
    return Luce(group, rating, expected, information)


def least_lead(counts: np.ndarray, played: np.ndarray, decided: np.ndarray, n: int, error: float) -> float | None:
    """How far a policy is at least above one that got nothing from it in `n` deals: in units of r, None if unbounded.

    Too much with chance `error` at most, whatever the games of a deal have to do with each other: the chance that a
    deal gives the lower one anything is below u = 1 - error^(1/n) (Clopper and Pearson, Biometrika 26, 1934, p. 404),
    so it gets less than the share u of all games. `counts`: seats of the higher and the lower one in the line-ups of
    these two alone, shape (L, 2); `played` and `decided`: games of each in a deal, and the mean number of them that
    were somebody's, shape (L,).
    """
    allowed = -expm1(log(error) / n) * float(played.sum())
    if float(decided.sum()) <= allowed:
        return None

    def above_allowed(lead: float) -> float:
        return float(decided @ _shares(counts, np.array([lead, 0.0]))[:, 1]) - allowed

    return float(brentq(above_allowed, -_FAR, _FAR, xtol=1e-12))


def _groups(counts: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Who has got something from whom, directly or not, in both directions: one group. Numbered from the strongest."""
    from_whom = (won > 0).astype(np.int64).T @ (counts > 0) > 0
    _, found = connected_components(from_whom, directed=True, connection="strong")
    beaten = {int(each): int(from_whom[found == each].any(axis=0).sum()) for each in np.unique(found)}
    order = sorted(beaten, key=lambda each: (-beaten[each], int(np.flatnonzero(found == each)[0])))
    return np.array([order.index(int(each)) for each in found])


def _shares(counts: np.ndarray, rating: np.ndarray) -> np.ndarray:
    """What all seats of a policy get of a game, shape (L, P)."""
    with np.errstate(divide="ignore"):
        strength = np.log(counts) + rating
    return np.exp(strength - logsumexp(strength, axis=1, keepdims=True))


def _curvature(share: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The second derivative of minus the log-likelihood by the ratings."""
    return np.diag(weight @ share) - (share * weight[:, None]).T @ share


def _strengths(counts: np.ndarray, won: np.ndarray) -> np.ndarray:
    """The ratings of one group, mean 0; the first is held at 0 while the others are sought."""
    policies = counts.shape[1]
    if policies == 1:
        return np.zeros(1)
    weight = won.sum(axis=1) / won.sum()
    got = won.sum(axis=0) / won.sum()
    with np.errstate(divide="ignore"):
        seats = np.log(counts)

    def whole(free: np.ndarray) -> np.ndarray:
        return np.concatenate([[0.0], free])

    def loss(free: np.ndarray) -> float:
        return float(weight @ logsumexp(seats + whole(free), axis=1) - got @ whole(free))

    def slope(free: np.ndarray) -> np.ndarray:
        return (weight @ _shares(counts, whole(free)) - got)[1:]

    def bend(free: np.ndarray) -> np.ndarray:
        return _curvature(_shares(counts, whole(free)), weight)[1:, 1:]

    start = np.log(got / (weight @ (counts / counts.sum(axis=1, keepdims=True))))
    found = minimize(loss, (start - start[0])[1:], jac=slope, hess=bend, method="trust-exact", options={"gtol": 1e-9})
    free = found.x - np.linalg.solve(bend(found.x), slope(found.x))  # Newton's last step: to the last digit
    return whole(free) - whole(free).mean()
