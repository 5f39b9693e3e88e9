"""A tournament from a configuration's name to tables: what `tournament` does once its options are parsed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil, isfinite
from time import perf_counter
from typing import Any

from alchemy_sim.cli.output import ready_games, say
from alchemy_sim.cli.progress import Bar
from alchemy_sim.config.load import load
from alchemy_sim.core.errors import Interrupted, UsageError
from alchemy_sim.mc.precision import settled
from alchemy_sim.mc.preflight import LONG_SECONDS, forecast
from alchemy_sim.mc.runner import Workers
from alchemy_sim.mc.standings import Duel, Standing, Standings, games_needed, standings
from alchemy_sim.mc.tournament import Tally, Tournament, play_tournament, tournament
from alchemy_sim.mc.verdicts import SAME, UNDECIDED
from alchemy_sim.report.compared import effect_text, shown
from alchemy_sim.report.tables import NOTHING, Table, decimals, interval, number

#: Games of each seating in the first pilot of a precision.
FIRST_PILOT = 200
#: Seatings whose speed is measured before a long tournament.
_SAMPLED = 6


@dataclass(frozen=True)
class Request:
    """What `tournament` was asked for."""

    config: str
    policies: Sequence[str]
    sets: Sequence[str] = ()
    players: Sequence[int] | None = None
    games: int | None = None
    precision: str | None = None
    most: int | None = None
    seed: int | None = None
    workers: Workers = field(default_factory=Workers)


def rate(request: Request) -> tuple[list[dict[str, Any]], list[Table], dict[str, Any], str]:
    """Rows, tables, facts for JSON, and the closing line."""
    half = None if request.precision is None else _points(request.precision)
    experiment = load(request.config, request.sets, request.players)
    ready_games(experiment)
    contest = tournament(experiment, request.policies, request.games, request.seed)
    start = perf_counter()
    try:
        with Bar() as bar:
            if half is not None:
                contest = contest.of(_enough(contest, half, request))
            _announce(contest, request.workers)
            tallies = play_tournament(contest, request.workers, bar)
    except KeyboardInterrupt:
        raise Interrupted("stopped before the first game") from None
    seconds = perf_counter() - start
    found = [standings(contest, place, tally) for place, tally in enumerate(tallies)]
    for each in found:
        if half is not None and each.widest is not None and each.widest > 1.05 * half:
            where = f"{each.table.title}, {each.table.players} players"
            say(f"alchemy-sim: {where}: ratings are known to {each.widest:.3g} points only")
    facts = {
        "policies": list(contest.policies),
        "seed": contest.plan.seed,
        "games": contest.plan.games,
        "seatings": {
            str(each.table.players): "all" if each.table.all_of_them else "rotations of one a line-up" for each in found
        },
    }
    line = f"{contest.plan.total:,} games in {seconds:.1f} s: {contest.plan.games:,} of each seating"
    return [row for each in found for row in rows(each)], tables(contest, found), facts, line


def _points(text: str) -> float:
    """A number of Elo points."""
    try:
        half = float(text)
    except ValueError:
        half = float("nan")
    if not isfinite(half) or half <= 0:
        raise UsageError(f"--precision {text}: must be a number of Elo points, such as 10")
    return half


def _enough(contest: Tournament, half: float, request: Request) -> int:
    """Games of each seating that a precision takes."""

    def needed(games: int) -> int:
        pilot: list[Tally] = play_tournament(contest.of(games), request.workers)
        return games_needed(contest, pilot, half)

    return settled(needed, FIRST_PILOT, request.most)


def _announce(contest: Tournament, workers: Workers) -> None:
    """Say how long it will take if that is long, by a few of the seatings."""
    plan = contest.plan
    some = plan.cells[:: ceil(len(plan.cells) / _SAMPLED)]
    told = forecast(replace(plan, cells=some), workers, False)
    told = replace(told, games=plan.total, seconds=told.seconds * len(plan.cells) / len(some))
    if told.seconds > LONG_SECONDS:
        say(f"alchemy-sim: {told}")


# ---- rows ----------------------------------------------------------------------------------------------------


def rows(found: Standings) -> list[dict[str, Any]]:
    """Two rows a policy, its rating and its share, and one a pair."""
    head = {"config": found.table.setting.name, "players": found.table.players}
    every: list[dict[str, Any]] = []
    for each in found.standings:
        more = {"games": each.games, "beyond": each.beyond}
        every.append({**head, "metric": "rating", "policy": each.policy, **vars(each.rating), **more})
    for each in found.standings:
        every.append({**head, "metric": "share", "policy": each.policy, **vars(each.share), "games": each.games})
    for duel in found.duels:
        effect = duel.effect
        difference = {"estimate": effect.effect, "low": effect.low, "high": effect.high, "n": effect.n}
        verdict = {"verdict": duel.verdict.word, "text": duel_text(duel), "margin": duel.verdict.margin}
        every.append(
            {
                **head,
                "metric": "rating_difference",
                "policy": duel.policy,
                **difference,
                "method": effect.method,
                "against": duel.against,
                "effect": effect.effect,
                "effect_low": effect.low,
                "effect_high": effect.high,
                **verdict,
                "more_games": duel.verdict.more,
                "level": duel.level,
            }
        )
    return every


# ---- tables --------------------------------------------------------------------------------------------------


def tables(contest: Tournament, found: Sequence[Standings]) -> list[Table]:
    """Policies and pairs of each table; the notes stand below the last."""
    told = []
    for each in found:
        seatings = f"{len(each.table.seatings)} seatings"
        if not each.table.all_of_them:
            seatings += f" ({len(each.table.lineups)} line-ups in rotation)"
        where = f"{each.table.title}, {each.table.players} players"
        lines = [[one.policy, _rating(one), shown(one.share, "pp"), f"{one.games:,}"] for one in each.standings]
        columns = ["policy", "rating, Elo points", "share a seat", "games"]
        fair = f"{100 / each.table.players:.3g} %"
        notes = [f"{seatings}, {contest.plan.games:,} games of each; an even share is {fair}"]
        if each.unfinished:
            notes.append(f"{each.unfinished:,} of {each.games:,} games were left unfinished: nobody's")
        told.append(Table(columns, lines, f"Tournament: {where}", frozenset({1, 2, 3}), notes))
        duels = [[f"{one.policy} - {one.against}", _difference(one), duel_text(one)] for one in each.duels]
        told.append(Table(["pair", "difference, points", "verdict"], duels, "", frozenset({1})))
    notes = [
        f"seed {contest.plan.seed}: all line-ups play the same deals, deal by deal",
        "ratings: Luce's model, mean 0; intervals of 95 % each, the deal as cluster",
        "all intervals of the differences hold together with 95 % chance",
    ]
    return [*told[:-1], replace(told[-1], notes=notes)]


def _rating(each: Standing) -> str:
    return each.beyond or interval(each.rating.estimate, each.rating.low, each.rating.high)


def _difference(duel: Duel) -> str:
    effect = duel.effect
    if duel.alike:
        return "0"
    if effect.effect is None:
        return NOTHING if effect.low is None else f"more than {number(effect.low, 0)}"
    return effect_text(effect, "points")


def duel_text(duel: Duel) -> str:
    """The verdict on a pair in words: `shark above builder by 61 points, 48 to 74`."""
    a, b, effect, verdict = duel.policy, duel.against, duel.effect, duel.verdict
    if duel.alike:
        return f"{a} and {b}: no difference in any of {effect.n:,} deals"
    if verdict.word == UNDECIDED:
        more = f": {verdict.more:,} more games of each seating would" if verdict.more else ""
        return f"{a} and {b}: not decided yet{more}"
    if verdict.word == SAME:
        return f"{a} and {b}: no difference larger than {verdict.margin:.3g} points"
    if effect.effect is None or effect.low is None or effect.high is None:
        return f"{a} {verdict.word} {b} by {number(effect.low or 0.0, 0)} points or more: {b} got nothing"
    places = decimals((effect.high - effect.low) / 2)
    near, far = sorted((abs(effect.low), abs(effect.high)))
    size = number(abs(effect.effect), places)
    return f"{a} {verdict.word} {b} by {size} points, {number(near, places)} to {number(far, places)}"
