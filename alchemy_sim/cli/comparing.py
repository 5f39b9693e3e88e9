"""A comparison from two names to tables: what `compare` does once its options are parsed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from alchemy_sim.cli.output import ready_games, say
from alchemy_sim.cli.progress import Bar
from alchemy_sim.cli.reading import known_metrics, open_run
from alchemy_sim.config.load import load
from alchemy_sim.core.errors import Interrupted, UsageError
from alchemy_sim.core.game import Game
from alchemy_sim.mc.compare import (
    Comparison,
    Finding,
    family_of,
    finding,
    findings,
    label_findings,
    matched,
    of_runs,
    play_both,
)
from alchemy_sim.mc.plan import Plan, plan
from alchemy_sim.mc.power import PILOT, found_size, pairs_for
from alchemy_sim.mc.precision import wanted
from alchemy_sim.mc.runner import Workers
from alchemy_sim.mc.splits import breakdown_of, splits_of
from alchemy_sim.report.compared import amount, comparison_rows, comparison_tables
from alchemy_sim.report.runs import label as metric_word
from alchemy_sim.report.tables import Table

#: Games of a cell after which `--until-decided` gives up.
MOST = 1_000_000


@dataclass(frozen=True)
class Request:
    """What `compare` was asked for."""

    one: str
    other: str | None = None
    sets: Sequence[str] = ()
    players: Sequence[int] | None = None
    policy: str | None = None
    policy_b: str | None = None
    games: int | None = None
    seed: int | None = None
    seed_b: int | None = None
    detect: str | None = None
    until_decided: bool = False
    most: int | None = None
    margins: Sequence[str] = ()
    metrics: Sequence[str] | None = None
    by: str | None = None
    workers: Workers = field(default_factory=Workers)


def compare_request(request: Request) -> tuple[list[dict[str, Any]], list[Table], dict[str, Any], str]:
    """Rows, tables, facts for JSON, and the closing line."""
    start = perf_counter()
    runs = [
        each for each in (request.one, request.other) if each is not None and (Path(each) / "manifest.json").exists()
    ]
    if runs:
        both = _runs(request, len(runs))
    else:
        both = _configurations(request)
    margins = _margins(request, both.matches[0].a.game)
    if request.by is not None:
        found = label_findings(both, request.by, request.metrics, margins)
    else:
        found = list(findings(both, request.metrics, margins))
    names = _names(request, both)
    headline = family_of(both.matches, None if request.by else request.metrics).headline
    tables = comparison_tables(both, found, *names, headline, request.by)
    facts = {
        "a": names[0],
        "b": names[1],
        "seed": both.a.seed,
        "paired": both.paired,
        **({"by": request.by} if request.by else {}),
        **({} if both.paired else {"why_unpaired": both.why}),
    }
    seconds = perf_counter() - start
    line = f"{sum(each.effect.n for each in _main(found, headline)):,} pairs of games in {seconds:.1f} s"
    return comparison_rows(found, request.by), tables, facts, f"{line}{_finds(found, headline)}"


def _configurations(request: Request) -> Comparison:
    """Play both configurations."""
    if request.other is None and not (request.sets or request.policy_b or request.seed_b is not None):
        raise UsageError("compare needs something to compare with: a second configuration, --set or --policy-b")
    if sum((request.games is not None, request.detect is not None, request.until_decided)) > 1:
        raise UsageError("--games, --detect and --until-decided: name one of them")
    if request.most is not None and not (request.until_decided or request.detect):
        raise UsageError("--max-games goes with --until-decided or --detect")
    one = load(request.one, (), request.players)
    other = load(request.other or request.one, request.sets, request.players)
    ready_games(one, other)
    seed_b = request.seed if request.seed_b is None else request.seed_b
    a = plan(one, request.games, request.seed, policy=request.policy)
    b = plan(other, a.games, a.seed if seed_b is None else seed_b, policy=request.policy_b or request.policy)
    matches = matched(a, b)
    game = matches[0].a.game
    _check(request, game)
    margins = _margins(request, game)
    try:
        with Bar() as bar:
            if request.until_decided:
                family = family_of(matches, request.metrics)
                main = game.metric(family.headline)
                return play_both(
                    a,
                    b,
                    request.workers,
                    request.by,
                    bar,
                    lambda both, place, _look: finding(both, place, main, family, margins).verdict.decided,
                    request.most or MOST,
                )
            if request.detect is not None:
                a, b = _sized(request, a, b, game)
            return play_both(a, b, request.workers, request.by, bar)
    except KeyboardInterrupt:
        raise Interrupted("stopped before the first game") from None


def _sized(request: Request, a: Plan, b: Plan, game: Game) -> tuple[Plan, Plan]:
    """Both plans with the games that find the wanted effect in every cell, judged by a pilot."""
    assert request.detect is not None
    size = wanted(request.detect, game, "--detect")
    small = [replace(each, games=PILOT) for each in (a, b)]
    pilot = play_both(small[0], small[1], request.workers)
    family = replace(family_of(pilot.matches, request.metrics), headline=size.metric)
    level = family.level(size.metric)
    metric = game.metric(size.metric)
    needed = max(pairs_for(pilot.effect(place, metric, level), level, size.half) for place in range(len(pilot.matches)))
    games = needed if request.most is None else min(needed, request.most)
    shown = amount(size.half, metric.unit)
    say(f"alchemy-sim: {games:,} games of each cell find an effect of {shown} on {metric.name} in 9 of 10 cases")
    return replace(a, games=games), replace(b, games=games)


def _runs(request: Request, runs: int) -> Comparison:
    """Compare two stored runs."""
    if runs < 2:
        raise UsageError("compare takes two runs or two configurations, not one of each")
    given = {
        "--set": request.sets,
        "--policy": request.policy,
        "--policy-b": request.policy_b,
        "--games": request.games,
        "--seed": request.seed,
        "--seed-b": request.seed_b,
        "--detect": request.detect,
        "--until-decided": request.until_decided,
    }
    for name, value in given.items():
        if value:
            raise UsageError(f"{name}: two runs are compared as they are")
    a, b = (open_run(each) for each in (request.one, request.other or ""))
    if request.players is not None:
        cells = [tuple(each.select(players=request.players)) for each in (a, b)]
    else:
        cells = [each.plan.cells for each in (a, b)]
    _check(request, a.plan.cells[0].game)
    return of_runs(a, b, cells[0], cells[1], request.by)


def _check(request: Request, game: Game) -> None:
    """UsageError if the options name a metric, breakdown or margin that isn't there; before anything is played."""
    _margins(request, game)
    if request.by is not None:
        splits_of(breakdown_of([game], request.by)[game.name], request.metrics)
        return
    known_metrics([game], request.metrics)


def _margins(request: Request, game: Game) -> dict[str, float]:
    """What counts as no change, by metric."""
    return {each.metric: each.half for each in (wanted(text, game, "--margin") for text in request.margins)}


def _names(request: Request, both: Comparison) -> tuple[str, str]:
    """What A and B are called."""
    if request.other is not None and request.other != request.one:
        return request.one, ", ".join([request.other, *request.sets])
    changes = [*request.sets]
    if request.policy_b:
        changes.append(f"policy {request.policy_b}")
    if both.a.seed != both.b.seed:
        changes.append(f"seed {both.b.seed}")
    return request.one, ", ".join(changes) or "itself"


def _main(found: Sequence[Finding], headline: str) -> list[Finding]:
    """The findings on the headline metric; all matches once if there are none."""
    main = [each for each in found if each.metric.name == headline and each.label is None]
    return main or list({id(each.match): each for each in found}.values())


def _finds(found: Sequence[Finding], headline: str) -> str:
    """What size of effect the comparison finds in 9 of 10 cases."""
    main = [each for each in found if each.metric.name == headline and each.label is None]
    sizes = [size for each in main if (size := found_size(each.effect, each.level))]
    if not sizes:
        return ""
    least, most = (amount(each, main[0].metric.unit) for each in (min(sizes), max(sizes)))
    span = least if least == most else f"{least.split(' ')[0]} to {most}"
    return f"; so many find an effect of {span} on {metric_word(main[0].metric)} in 9 of 10 cases"
