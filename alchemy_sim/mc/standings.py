"""What a tournament's sums say: ratings, shares, and who is above whom.

Ratings are those of `luce`, in Elo points, with mean 0 over the policies that can be rated beside each other. Their
intervals are of 95 % each. All differences of a tournament are one family, Bonferroni's inequality over pairs and
tables; Tukey's range, which needs a normal limit, would be 2 to 3 % narrower for three to five policies. Student's t
has as many degrees of freedom as there are deals, less one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, sqrt

import numpy as np
from scipy.special import stdtrit

from alchemy_sim.core.game import Metric
from alchemy_sim.mc.effects import Effect
from alchemy_sim.mc.luce import ELO, Luce, fit, least_lead
from alchemy_sim.mc.precision import cautious
from alchemy_sim.mc.splits import uncounted
from alchemy_sim.mc.stats import LEVEL, Estimate, estimate
from alchemy_sim.mc.totals import Totals
from alchemy_sim.mc.tournament import Table, Tally, Tournament
from alchemy_sim.mc.verdicts import UNDECIDED, Family, Verdict, verdict

#: What counts as no difference: between two players, 0.7 points of the games.
MARGIN = 5.0
#: The difference of two ratings as a metric, with its words for a verdict.
DIFFERENCE = Metric(
    "rating_difference", "mean", "Elo points between two policies", uncounted, unit="points", words=("below", "above")
)


@dataclass(frozen=True)
class Standing:
    """One policy at one table: its rating, what a seat of it gets of a game, and the games it sat in.

    `rating.estimate` is None where the policy can't be rated beside those that are; `beyond` then says below or above
    whom it is, out of reach.
    """

    policy: str
    rating: Estimate
    share: Estimate
    games: int
    beyond: str = ""


@dataclass(frozen=True)
class Duel:
    """A policy and one that stands no higher: the difference of their ratings, and what its interval decides.

    `effect.effect` is None where the lower one got nothing; `effect.low` is then the least difference. `alike`: both
    got the same in every deal.
    """

    policy: str
    against: str
    effect: Effect
    verdict: Verdict
    level: float
    alike: bool = False


@dataclass(frozen=True)
class Standings:
    """A table's policies, the strongest first, every two of them, and the games that were nobody's, of all."""

    table: Table
    standings: list[Standing]
    duels: list[Duel]
    unfinished: int
    games: int

    @property
    def widest(self) -> float | None:
        """Half the widest interval of a difference that has one; None if none has."""
        return max((half for each in self.duels if (half := each.effect.half) is not None), default=None)


def family_of(contest: Tournament) -> Family:
    """The verdicts of a tournament: every pair at every table."""
    policies = len(contest.policies)
    return Family(DIFFERENCE.name, len(contest.tables) * policies * (policies - 1) // 2, 0)


def standings(contest: Tournament, place: int, tally: Tally) -> Standings:
    """The table at a place of a tournament."""
    table = contest.tables[place]
    model = fit(table.lineups, tally.won.astype(np.float64))
    covariance = model.covariance(_meat(model, tally), tally.n) if tally.n > 1 else np.zeros_like(model.information)
    level = family_of(contest).level(DIFFERENCE.name)
    order = sorted(range(len(contest.policies)), key=lambda each: (model.group[each], -model.rating[each], each))
    found = _Reckoning(contest, table, tally, model, covariance)
    ratings = [found.rating(policy) for policy in range(len(contest.policies))]
    games = tally.n * len(table.seatings)
    return Standings(
        table,
        [found.standing(policy, ratings[policy]) for policy in order],
        [found.duel(a, b, (ratings[a], ratings[b]), level) for a, b in combinations(order, 2)],
        games - int(tally.won.sum()) // found.scale,
        games,
    )


def games_needed(contest: Tournament, tallies: Sequence[Tally], half: float) -> int:
    """Games of each seating after which no difference has a wider interval than plus or minus `half`, by a pilot."""
    needed = tallies[0].n
    for place, tally in enumerate(tallies):
        widest = standings(contest, place, tally).widest
        if widest is not None:
            needed = max(needed, ceil(tally.n * (cautious(widest, tally.n) / half) ** 2))
    return needed


def _meat(model: Luce, tally: Tally) -> np.ndarray:
    """The sum over deals of the outer products of the scores; see `luce.Luce.covariance`."""
    score = np.hstack([np.eye(len(model.rating)), -model.expected.T])  # of a deal: got, less what its games should give
    sums = tally.sums
    spread = (tally.n * tally.products - np.outer(sums, sums)).astype(np.float64) / tally.n
    return score @ spread @ score.T


@dataclass(frozen=True)
class _Reckoning:
    """A table with its model, ratings in units of r."""

    contest: Tournament
    table: Table
    tally: Tally
    model: Luce
    covariance: np.ndarray

    @property
    def scale(self) -> int:
        """Parts of a game."""
        assert self.contest.game.seat_shares is not None
        return self.contest.game.seat_shares.scale

    @property
    def rated(self) -> int:
        """The group whose ratings are shown: the largest, the strongest of several."""
        return int(np.bincount(self.model.group).argmax())

    def _half(self, variance: float, level: float) -> float | None:
        """Half the interval in Elo points; None where the deals tell nothing of the spread."""
        # rounding leaves about 10^-16 of what independent games would have where nothing varies from deal to deal
        if variance <= 1e-10 * self.scale * float(np.abs(self.model.inverse).max()):
            return None
        return float(-stdtrit(self.tally.n - 1, (1 - level) / 2)) * sqrt(variance) * ELO

    def rating(self, policy: int) -> Estimate:
        n, group = self.tally.n, self.model.group
        if group[policy] != self.rated:
            return Estimate(None, None, None, n, "luce")
        value = ELO * float(self.model.rating[policy])
        alone = np.count_nonzero(group == self.rated) == 1
        half = None if alone else self._half(float(self.covariance[policy, policy]), LEVEL)
        if half is None:
            return Estimate(value, None, None, n, "luce")
        return Estimate(value, value - half, value + half, n, "luce")

    def standing(self, policy: int, rating: Estimate) -> Standing:
        n, seats = self.tally.n, self.table.lineups[:, policy]
        got, squares = int(self.tally.sums[policy]), int(self.tally.products[policy, policy])
        held = int(self.table.times @ seats)  # seats of the policy in all games of a deal
        share = Metric("share", "share", "", uncounted, scale=self.scale * held, unit="pp")
        games = n * int(self.table.times[seats > 0].sum())
        found = estimate(share, Totals(n, got, n, squares, n, got))
        return Standing(self.contest.policies[policy], rating, found, games, self._beyond(policy))

    def _beyond(self, policy: int) -> str:
        """Who is next to a policy that can't be rated: `below shark, builder`."""
        group, rated = int(self.model.group[policy]), self.rated
        if group == rated:
            return ""
        word, next_to = ("below", group - 1) if group > rated else ("above", group + 1)
        names = [name for name, of in zip(self.contest.policies, self.model.group, strict=True) if of == next_to]
        return f"{word} {', '.join(names)}"

    def duel(self, a: int, b: int, ratings: tuple[Estimate, Estimate], level: float) -> Duel:
        """The pair of `a` and `b`, which stands no higher."""
        effect, found = self._difference(a, b, ratings, level), None
        if effect.effect is None:
            above = effect.low is not None and effect.low > 0
            found = Verdict(DIFFERENCE.words[1] if above else UNDECIDED, MARGIN)
        names, products = self.contest.policies, self.tally.products
        alike = effect.effect is not None and products[a, a] - 2 * products[a, b] + products[b, b] == 0
        return Duel(names[a], names[b], effect, found or verdict(DIFFERENCE, effect, MARGIN), level, alike)

    def _difference(self, a: int, b: int, ratings: tuple[Estimate, Estimate], level: float) -> Effect:
        n, both = self.tally.n, (ratings[1], ratings[0])
        if self.model.group[a] != self.model.group[b]:
            lead = self._least_lead(a, b, (1 - level) / 2)
            return Effect(*both, None, None if lead is None else ELO * lead, None, n, "luce-bound")
        value = ELO * float(self.model.rating[a] - self.model.rating[b])
        one, other, together = (float(self.covariance[each]) for each in ((a, a), (b, b), (a, b)))
        half = self._half(one + other - 2 * together, level)
        if half is None:
            return Effect(*both, value, None, None, n, "luce")
        return Effect(*both, value, value - half, value + half, n, "luce")

    def _least_lead(self, a: int, b: int, error: float) -> float | None:
        """The bound from the line-ups of these two alone."""
        rows = self.table.lineups[:, [a, b]].sum(axis=1) == self.table.players
        decided = self.tally.won[rows].sum(axis=1).astype(np.float64) / (self.tally.n * self.scale)
        return least_lead(self.table.lineups[rows][:, [a, b]], self.table.times[rows], decided, self.tally.n, error)
