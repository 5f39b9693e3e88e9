"""Metrics and splits of Metallurgie against plain counting over traces."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from alchemy_sim.config.load import load
from alchemy_sim.core.game import game
from alchemy_sim.games.metallurgie.breakdowns import BREAKDOWNS
from alchemy_sim.games.metallurgie.metrics import METRICS
from alchemy_sim.mc.totals import Totals, tally
from tests.conftest import games

SEED = 5
METALS = dict(zip("ICSG", ("iron", "copper", "silver", "gold"), strict=True))
#: Settings, policies by seat and games.
CELLS: dict[str, tuple[tuple[str, ...], tuple[str, ...], int]] = {
    "two": ((), ("random",) * 2, games(60, 3)),
    "four": (("rulings.bonus=majority",), ("random",) * 4, games(60, 3)),
    "small areas": (
        ("rulings.bonus=first", "game.thresholds=4,3,2,1", "game.removals=4,2,1,1"),
        ("random",) * 3,
        games(60, 3),
    ),
    "mixed": ((), ("greedy", "random", "greedy"), 30),
}
every_cell = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.compiled] if "greedy" in CELLS[name][1] else []) for name in CELLS]
)


@cache
def played(name: str) -> tuple[dict[str, np.ndarray], list[list[dict[str, Any]]]]:
    settings, policies, count = CELLS[name]
    metallurgie = game("metallurgie")
    encoded = metallurgie.encode(load("metallurgie/default", settings).settings[0].config, len(policies), policies)
    columns = metallurgie.simulate(encoded, SEED, 0, count)
    return dict(columns), [metallurgie.trace(encoded, SEED, index) for index in range(count)]


def changes_of_lead(turns: list[dict[str, Any]]) -> int:
    """How often another player came to have the most points alone."""
    alone = []
    for turn in turns:
        best = max(turn["points"])
        if turn["points"].count(best) == 1:
            alone.append(turn["points"].index(best))
    return sum(one != other for one, other in pairwise(alone))


def within(value: int, last: int) -> str:
    return f"{last}+" if value >= last else str(value)


def counted_game(events: list[dict[str, Any]], row: dict[str, int]) -> dict[str, list[int]]:
    """Sums of one game by key: [x, y]. What no trace tells (chains, hands that fit nowhere) is from its row."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])

    def add(key: str, x: int, y: int = 1) -> None:
        found[key][0] += int(x)
        found[key][1] += int(y)

    setup, *turns, end = events
    players, points, winners = setup["players"], end["points"], end["winners"]
    share = [12 // len(winners) if seat in winners else 0 for seat in range(players)]
    bonus = [len(each) for each in end["bonus"]]
    total, ranked = sum(points), sorted(points)
    margin, leads = ranked[-1] - ranked[-2], changes_of_lead(turns)
    draws = sum(turn["draw"] is not None for turn in turns)
    biggest = max(len(turn["scored"]) for turn in turns)
    placed = dict.fromkeys(METALS.values(), 0)
    kept = {metal: [0] * players for metal in METALS.values()}
    for turn in turns:
        for letter, _, _ in turn["placed"]:
            placed[METALS[letter]] += 1
        for each in turn["scored"]:
            kept[METALS[each["metal"]]][turn["player"]] += 1
    scored = sum(map(sum, kept.values()))
    pairs = list(pairwise(turns))
    fed = [len(turn["scored"]) for before, turn in pairs if before["placed"] and not before["scored"]]

    add("points", total)
    add("winner_points", ranked[-1])
    add("margin", margin)
    add("shared", len(winners) > 1)
    add("starter_share", share[setup["first"]])
    for behind, name in enumerate(("second", "third", "fourth"), 1):
        there = behind < players
        add(f"{name}_share", share[(setup["first"] + behind) % players] if there else 0, 12 if there else 0)
    add("seat_0_share", share[0])
    add("bonus", sum(bonus))
    add("turns", len(turns))
    add("unplayable", row["unplayable"], len(turns))
    add("draw_rate", draws, len(turns))
    add("discard_rate", sum(turn["discarded"] is not None for turn in turns), draws)
    add("placed", sum(placed.values()), len(turns))
    add("lead_changes", leads)
    add("longest_chain", row["longest_chain"])
    add("biggest_turn", biggest)
    add("end_in_refill", "END" in turns[-1]["refill"])
    add("fed", sum(fed))
    add("fed_share", sum(fed), scored)
    add("after_unscored", sum(fed), len(fed))
    add("after_others", scored - sum(fed), len(turns) - len(fed))
    for metal, mine in kept.items():
        add(f"{metal}_share", sum(mine), scored)
        add(f"{metal}_points", sum(mine))
        add(f"{metal}_worth", sum(mine), placed[metal])
        add(f"metal/share/{metal}", sum(mine), scored)
        add(f"metal/points/{metal}", sum(mine))
        add(f"metal/placed/{metal}", placed[metal])
        add(f"metal/worth/{metal}", sum(mine), placed[metal])
        for seat, number in enumerate(mine):
            add(f"metal/{'winner' if seat in winners else 'others'}/{metal}", number)
        if mine.count(max(mine)) == 1:
            add(f"metal/most_wins/{metal}", share[mine.index(max(mine))], 12)
    for seat in range(players):
        own = [turn for turn in turns if turn["player"] == seat]
        behind = (seat - setup["first"]) % players
        for by, label in (("seat", seat), ("order", behind), ("policy", setup["policies"][seat])):
            add(f"{by}/win_rate/{label}", share[seat], 12)
            add(f"{by}/points/{label}", points[seat])
            add(f"{by}/turns/{label}", len(own))
            add(f"{by}/points_a_turn/{label}", points[seat] - bonus[seat], len(own))
            add(f"{by}/draws/{label}", sum(turn["draw"] is not None for turn in own), len(own))
            for metal, mine in kept.items():
                add(f"{by}/{metal}/{label}", mine[seat])
    for by, value, last, more in (
        ("margin", margin, 8, {"lead_changes": leads}),
        ("turn", biggest, 6, {"points": total}),
        ("chain", row["longest_chain"], 6, {"points": total}),
    ):
        for each in range(last + 1):
            add(f"{by}/share/{within(each, last)}", within(each, last) == within(value, last))
        for split, what in ({"winner_points": ranked[-1]} | more).items():
            add(f"{by}/{split}/{within(value, last)}", what)
    return found


@cache
def counted(name: str) -> dict[str, Totals]:
    """Totals of a cell from its traces."""
    columns, traces = played(name)
    each = [
        counted_game(events, {key: int(values[index]) for key, values in columns.items()})
        for index, events in enumerate(traces)
    ]
    found = {}
    for key in dict.fromkeys(key for mine in each for key in mine):
        pairs = [tuple(mine.get(key, (0, 0))) for mine in each]
        n = sum(y != 0 for _, y in pairs) if "/" in key else len(pairs)
        products = [(x, y, x * x, y * y, x * y) for x, y in pairs]
        found[key] = Totals(n, *map(sum, zip(*products, strict=True)))
    return found


@every_cell
def test_every_metric_is_what_plain_counting_over_traces_finds(name: str) -> None:
    columns, _ = played(name)
    found = tally(game("metallurgie"), columns, by=())
    assert list(found) == [metric.name for metric in METRICS]
    for metric in METRICS:
        assert found[metric.name] == counted(name)[metric.name], metric.name


@every_cell
def test_every_split_is_what_plain_counting_over_traces_finds(name: str) -> None:
    columns, _ = played(name)
    found = {key: totals for key, totals in tally(game("metallurgie"), columns).items() if "/" in key}
    plain = {key: totals for key, totals in counted(name).items() if "/" in key and totals.n}
    assert {key: found.get(key) for key in plain} == plain
    assert set(found) == set(plain)


@pytest.mark.compiled
def test_the_cells_have_every_split() -> None:
    told = {"/".join(key.split("/")[:2]) for name in CELLS for key in counted(name)}
    assert told >= {f"{each.name}/{split.name}" for each in BREAKDOWNS for split in each.splits}


@pytest.mark.compiled
def test_the_cells_have_a_bonus_and_points_after_turns_that_scored() -> None:
    """Else what is counted of them could be anything."""
    assert counted("four")["bonus"].x > 0
    assert counted("small areas")["bonus"].x > 0
    assert counted("small areas")["after_others"].x > 0
    assert counted("two")["shared"].x > 0


def test_a_metal_that_is_never_placed_is_worth_nothing() -> None:
    columns = {name: values.copy() for name, values in played("two")[0].items()}
    columns["placed_gold"][0] = 0
    columns["points_gold"][0] = 3
    metric = game("metallurgie").metric("gold_worth")
    assert metric.denominator is not None
    assert (metric.numerator(columns)[0], metric.denominator(columns)[0]) == (0, 0)
