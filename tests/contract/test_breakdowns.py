"""Splits by label: a run's totals against plain counting over its stored games, and reading back against Polars."""

from __future__ import annotations

import json
from collections import defaultdict

import numpy as np
import polars as pl
import pytest

from alchemy_sim.config.load import Experiment, Setting, load
from alchemy_sim.core.game import ROUNDS, Breakdown, Split
from alchemy_sim.core.game import game as find_game
from alchemy_sim.mc import plan as planning
from alchemy_sim.mc.labelled import sums_by_label
from alchemy_sim.mc.plan import plan
from alchemy_sim.mc.read import Run
from alchemy_sim.mc.replay import replay
from alchemy_sim.mc.runner import Workers
from alchemy_sim.mc.session import carry_out
from alchemy_sim.mc.splits import split_rows
from alchemy_sim.mc.stats import rows
from alchemy_sim.mc.store import Store
from alchemy_sim.mc.totals import Totals, from_json, merge, split_key, tally, to_json
from tests.conftest import games
from tests.toy_game import CoinsConfig

GAMES = games(3000, 120)
#: Fewer where games are long.
FEWER = {"furnace": games(240, 12)}
CONFIG = CoinsConfig(most=6, assumed=("most",))
EXPERIMENTS = {
    "coins": lambda: Experiment("coins", "Coins", (Setting("coins", "coins", CONFIG),), None, None),
    "crucible": lambda: load("crucible/logbook", players=(3, 5)),
    "furnace": lambda: load("furnace/default", ["policy=builder"], players=(2, 4)),
    "showdown": lambda: load("furnace/showdown", ["policy=rank"], players=(2, 4)),
    "metallurgie": lambda: load("metallurgie/default", ["policy=random", "rulings.bonus=first"], players=(2, 4)),
}


@pytest.fixture(scope="module", params=list(EXPERIMENTS))
def run(request, tmp_path_factory):
    """A stored run of several parts a cell."""
    folder = tmp_path_factory.mktemp("runs") / request.param
    count = FEWER.get(request.param, GAMES)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(planning, "PART_GAMES", count // 2 + 7)
        planned = plan(EXPERIMENTS[request.param](), games=count, seed=77)
        carry_out(planned, Workers(2), Store(folder, planned))
        return Run(folder)


@pytest.fixture(scope="module")
def crucible(tmp_path_factory):
    """A run of one mission, and its games as a Polars table by number of players."""
    folder = tmp_path_factory.mktemp("runs") / "mission"
    planned = plan(load("crucible/mission-12", players=(3, 4)), games=GAMES, seed=5, policy="random")
    carry_out(planned, Workers(2), Store(folder, planned))
    return Run(folder)


def picked(run, cell, numbers):
    """The outcome columns of some games of a cell and of their rounds, played again."""
    played = cell.game.simulate(cell.encoded, run.plan.seed, 0, run.plan.games)
    found = {name: values[numbers] for name, values in played.items() if not name.startswith(ROUNDS)}
    rounds = {name: values for name, values in played.items() if name.startswith(ROUNDS)}
    if rounds:
        mine = np.isin(rounds[f"{ROUNDS}game"], numbers)
        found |= {name: values[mine] for name, values in rounds.items()}
        found[f"{ROUNDS}game"] = np.searchsorted(numbers, found[f"{ROUNDS}game"])
    return found


def counted(cell, outcomes):
    """The totals of every split, by plain counting over rows of Python integers."""
    found: dict[str, list[int]] = defaultdict(lambda: [0] * 6)
    for breakdown in cell.game.breakdowns:
        for split in breakdown.splits:
            for strip in split.strips(outcomes):
                for label, x, y in zip(*(each.tolist() for each in strip), strict=True):
                    if label >= 0:
                        sums = found[split_key(breakdown, split, breakdown.labels[label])]
                        for place, value in enumerate((y != 0, x, y, x * x, y * y, x * y)):
                            sums[place] += int(value)
    return {key: Totals(*sums) for key, sums in found.items() if sums[0]}


def test_totals_of_splits_are_those_of_plain_counting(run):
    for cell in run.plan.cells[:4]:
        stored = {key: each for key, each in run.totals[cell.index].items() if "/" in key}
        assert counted(cell, picked(run, cell, np.arange(run.plan.games))) == stored


def test_summary_and_games_give_the_same_estimates_to_the_last_digit(run):
    counted = run.filtered("game >= 0", run.plan.cells)
    assert counted == run.totals
    assert rows(run.plan.cells, counted) == rows(run.plan.cells, run.totals)
    for breakdown in run.plan.cells[0].game.breakdowns:
        args = (breakdown.name, None, "all")
        assert split_rows(run.plan.cells, counted, *args) == split_rows(run.plan.cells, run.totals, *args)


def test_replays_are_the_traces_of_their_games(run):
    random = np.random.default_rng(3)
    for place in random.integers(0, len(run.plan.cells) * run.plan.games, 30).tolist():
        cell, game = run.plan.cells[place // run.plan.games], place % run.plan.games
        found = replay(run, cell, game)
        assert found.checked
        assert found.events == cell.game.trace(cell.encoded, run.plan.seed, game)
        assert found.row == pl.concat(run.frames(cell)).row(game, named=True)
        outcomes = cell.game.simulate(cell.encoded, run.plan.seed, game, 1)
        assert found.text == cell.game.tell(found.events, {name: int(each[0]) for name, each in outcomes.items()})


def test_a_filter_counts_the_games_that_polars_finds(run):
    columns = run.plan.cells[0].game.columns
    head = next((each for each in columns if each.labels is not None and not each.own), columns[0])
    value = head.labels[0] if head.labels else 0
    text = f"{head.name} != {value!r} and game % 3 == 1"
    wanted = (pl.col(head.name) != value) & (pl.col("game") % 3 == 1)
    totals = run.filtered(text, run.plan.cells)
    for cell in run.plan.cells:
        mine = run.games.filter(wanted, pl.col("cell") == cell.index).collect()
        assert totals[cell.index] == tally(cell.game, picked(run, cell, mine["game"].sort().to_numpy()))
        found = run.find(text, [cell], 5)
        assert [each.game for each in found] == mine["game"].sort().head(5).to_list()


def shares(run, players, by, split):
    """label -> (estimate, n) of a split."""
    cell = run.one(players=players)
    found = split_rows([cell], run.totals, by, [split])
    return {row["label"]: (row["estimate"], row["n"]) for row in found}


def polars_shares(frame, label, x, y):
    """The same by Polars: sums of x over sums of y by label, and the games with a y."""
    rows = frame.select(label=label, x=x.cast(pl.Int64), y=y.cast(pl.Int64)).drop_nulls("label").group_by("label")
    rows = rows.agg(pl.col("x").sum(), pl.col("y").sum(), n=(pl.col("y") != 0).sum())
    return {str(row["label"]): (row["x"] / row["y"], row["n"]) for row in rows.to_dicts() if row["y"]}


@pytest.mark.parametrize("players", [3, 4])
def test_breakdowns_of_the_crucible_are_what_they_say(crucible, players):
    frame = pl.concat(crucible.frames(crucible.one(players=players)))
    one, won, c = pl.lit(1), pl.col("ending") == "win", pl.col
    tasks = pl.concat(
        [
            frame.select(
                "ending", "ending_task", task=c(f"task_{place}"), status=c(f"task_{place}_status").cast(pl.String)
            )
            for place in range(5)
        ]
    )
    done, decided = c("status") == "complete", c("status") != "open"
    assert shares(crucible, players, "task", "completed") == polars_shares(tasks, c("task"), done, one)
    assert shares(crucible, players, "task", "completed_decided") == polars_shares(tasks, c("task"), done, decided)
    assert shares(crucible, players, "task", "win_rate") == polars_shares(tasks, c("task"), won, one)
    lost_by = (c("ending_task") == c("task")).fill_null(False)
    assert shares(crucible, players, "task", "lost_by") == polars_shares(tasks, c("task"), lost_by, one)
    seats = pl.concat(
        [
            frame.select(
                "ending", "reactions", "lead", "lost_seat",
                seat=pl.lit(seat), tricks=c(f"tricks_{seat}"), slag=c(f"slag_{seat}"),
                used=c(f"power_used_reaction_{seat}"), discipline=c(f"discipline_{seat}"),
                declined=c(f"discipline_declined_{seat}"), boils=c(f"boil_at_{seat + 1}"), all_boils=c("boil_overs"),
            )
            for seat in range(players)
        ]
    )  # fmt: skip
    for name, x in (("win_rate", won), ("used", c("used").is_not_null())):
        assert shares(crucible, players, "discipline", name) == polars_shares(seats, c("discipline"), x, one)
    offered = pl.concat(
        [seats.select(name="discipline", kept=pl.lit(1)), seats.select(name="declined", kept=pl.lit(0))]
    )
    assert shares(crucible, players, "discipline", "kept") == polars_shares(offered, c("name"), c("kept"), one)
    for name in ("tricks", "slag"):
        assert shares(crucible, players, "seat", name) == polars_shares(seats, c("seat"), c(name), one)
    assert shares(crucible, players, "seat", "lead") == polars_shares(seats, c("seat"), c("lead") == c("seat"), one)
    blame = (c("lost_seat") == c("seat")).fill_null(False)
    assert shares(crucible, players, "seat", "blame") == polars_shares(seats, c("seat"), blame, ~won)
    for name, below in (("boil_rate", "reactions"), ("boil_share", "all_boils")):
        assert shares(crucible, players, "position", name) == polars_shares(seats, c("seat") + 1, c("boils"), c(below))
    for name, column in (("lost", "lost_reaction"), ("first_boil", "first_boil_reaction")):
        told = shares(crucible, players, "reaction", name)
        assert len(told) == frame["reactions"].max() + 1
        for label, (estimate, n) in told.items():
            going = frame.filter(c("reactions") >= int(label))
            assert (estimate, n) == (going.filter(c(column) == int(label)).height / going.height, going.height)
    for name in ("reactions", "boil_overs", "transmutes_made"):
        assert shares(crucible, players, "ending", name) == polars_shares(frame, c("ending"), c(name), one)
    ended = {key: n / GAMES for key, n in frame["ending"].value_counts().iter_rows()}
    assert {key: share for key, (share, _) in shares(crucible, players, "ending", "share").items() if share} == ended


@pytest.mark.parametrize("large", [1, 10**5, 10**12])
def test_sums_by_label_are_exact_however_large(large):
    random = np.random.default_rng(8)
    label, x, y = random.integers(-1, 4, 500), random.integers(-large, large, 500), random.integers(0, large + 1, 500)
    split = Split("it", "", lambda _: [(label.astype(np.int8), x, y)])
    found = sums_by_label(Breakdown("b", "", tuple("abcd"), (split,)), split, {})
    for place in range(4):
        mine = [(int(a), int(b)) for a, b, c in zip(x, y, label, strict=True) if c == place]
        plain = [sum(each) for each in zip(*((b != 0, a, b, a * a, b * b, a * b) for a, b in mine), strict=True)]
        assert found[place].tolist() == plain


def test_totals_of_splits_add_up_and_survive_json():
    game = find_game("coins")
    encoded = game.encode(CONFIG, 3, ("plain",) * 3)
    parts = [tally(game, game.simulate(encoded, 1, first, 100)) for first in (0, 100, 200)]
    whole = tally(game, game.simulate(encoded, 1, 0, 300))
    assert merge(merge(parts[2], parts[0]), parts[1]) == whole
    assert from_json(json.loads(json.dumps(to_json(whole)))) == whole
    assert list(to_json(whole)["win_rate"]) == ["n", "x", "y", "xx", "yy", "xy"]
    assert list(to_json(whole)["ending/share/win"]) == ["n", "x", "y"]
    assert whole["ending/share/win"].x == whole["win_rate"].x
