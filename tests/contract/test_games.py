"""The contract of `core.game` against every game of the package; a new game needs a row in tests/games.py, no more."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from alchemy_sim.cli.app import main
from alchemy_sim.config.load import config_model, load, shipped
from alchemy_sim.config.model import Rulings
from alchemy_sim.core.errors import ConfigError, UsageError
from alchemy_sim.core.game import ABSENT, ROUNDS, Column, Outcomes, game, lint_of
from alchemy_sim.mc import plan as planning
from alchemy_sim.mc.compare import findings, label_findings, play_both
from alchemy_sim.mc.frame import Framer, dtype_of, shared_columns, to_frame, to_outcomes, to_rounds
from alchemy_sim.mc.lift import lift
from alchemy_sim.mc.plan import Cell, Part, Plan, cells, plan
from alchemy_sim.mc.resume import reopen
from alchemy_sim.mc.runner import Workers, play
from alchemy_sim.mc.session import carry_out
from alchemy_sim.mc.store import Store
from alchemy_sim.mc.totals import from_json, merge, tally, to_json
from alchemy_sim.mc.verdicts import SAME
from alchemy_sim.mc.verify import problems
from alchemy_sim.report.compared import comparison_rows
from tests.conftest import contents, games
from tests.contract.test_resume import cut_off
from tests.games import ROWS, packaged

SEED = 2**64 - 3
#: Games in a part of a stored run, and in the run: three parts a cell.
PART, STORED = 100, 250
ALONE = Workers(1, chunk=20_000)

every_game = pytest.mark.parametrize("name", ROWS)
every_cell = pytest.mark.parametrize(
    ("name", "setting", "players"),
    [
        pytest.param(name, setting, players, id=f"{name}-{place}-{players}")
        for name, row in ROWS.items()
        for place, setting in enumerate(row.settings)
        for players in config_model(name).allowed_players
    ],
)


def games_of(name: str) -> int:
    """How many games of each cell are played here."""
    return games(ROWS[name].games, 10)


@cache
def played(name: str, setting: tuple[str, ...], players: int) -> tuple[Cell, Outcomes]:
    """A cell with different policies at its seats, and its first games. Kept: change nothing in them."""
    count = games_of(name)
    config, *sets = setting
    policy = ",".join(ROWS[name].by_seat(players))
    (cell,) = cells(load(config, sets, [players]), policy=policy)
    outcomes = cell.game.simulate(cell.encoded, SEED, 0, count)
    for values in outcomes.values():
        values.setflags(write=False)
    return cell, outcomes


def of_games(outcomes: Outcomes) -> Outcomes:
    """The columns of games alone, without those of their rounds."""
    return {name: values for name, values in outcomes.items() if not name.startswith(ROUNDS)}


def of_rounds(outcomes: Outcomes) -> Outcomes:
    """Those of rounds, without the place of the game."""
    names = [name.removeprefix(ROUNDS) for name in outcomes if name.startswith(ROUNDS)]
    return {name: outcomes[ROUNDS + name] for name in names if name != "game"}


def planned(name: str, count: int, *sets: str, policy: str | None = None, seed: int = SEED) -> Plan:
    return plan(ROWS[name].experiment(*sets), count, seed, policy=policy or ROWS[name].policies[0])


def test_every_game_of_the_package_has_a_row() -> None:
    assert list(ROWS) == packaged()


# ---- what a game says of itself ----------------------------------------------------------------------------


@every_game
def test_names_are_unique_and_those_that_are_promised_exist(name: str) -> None:
    found = game(name)
    assert found.name == name
    assert found.title
    assert found.config is config_model(name)
    assert found.players == found.config.allowed_players == tuple(sorted(set(found.players)))
    assert found.default_policy in found.policies
    assert found.headline in [each.name for each in found.metrics if each.headline]
    assert set(found.quartets) <= set(found.factors)
    splits = [each for breakdown in found.breakdowns for each in breakdown.splits]
    every = (found.columns, found.metrics, found.breakdowns, *(each.splits for each in found.breakdowns))
    assert all(every)
    for groups in (*every, found.rounds):
        assert len({each.name for each in groups}) == len(groups)
        assert all(each.doc for each in groups)
    assert "game" not in [each.name for each in found.rounds]
    for labels in (
        each.labels for each in (*found.columns, *found.rounds, *found.breakdowns) if each.labels is not None
    ):
        assert len(set(labels)) == len(labels) > 0
    for each in found.metrics:
        assert each.kind in ("proportion", "mean", "ratio", "share")
        assert (each.denominator is not None) == (each.kind == "ratio")
        assert each.kind == "share" or each.scale == 1
        assert each.kind != "proportion" or each.unit == "pp"
    assert {each.better for each in (*found.metrics, *splits)} <= {"high", "low", ""}
    assert [each.labels for each in found.columns if each.own] == [found.policies] * max(found.players)


@every_game
def test_shipped_configurations_can_be_played(name: str) -> None:
    mine = [each for each in shipped() if {setting.game for setting in load(each).settings} == {name}]
    assert mine
    for each in mine:
        assert [cell.game.name for cell in cells(load(each))] == [name] * len(cells(load(each)))


@every_game
def test_what_can_t_be_played_is_refused_in_one_line(name: str) -> None:
    found = game(name)
    config = ROWS[name].experiment().settings[0].config
    for players, policies, words in [
        (found.players[-1] + 1, [found.policies[0]] * (found.players[-1] + 1), str(found.players[-1])),
        (0, [], str(found.players[0])),
        (found.players[0], [found.policies[0]] * (found.players[0] - 1), f"for {found.players[0]} players"),
        (found.players[0], [found.policies[0] + "x"] * found.players[0], f'did you mean "{found.policies[0]}"'),
    ]:
        with pytest.raises(ConfigError) as caught:
            found.encode(config, players, policies)
        assert words in str(caught.value)
        assert str(caught.value).isprintable()
    with pytest.raises(ConfigError, match="did you mean"):
        found.metric(found.headline + "x")
    with pytest.raises(UsageError, match="is played by"):
        cells(ROWS[name].experiment(), [max(found.players) + 1])


@every_game
def test_lists_are_tables_at_the_command_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = game(name)
    for what in ("games", "policies", "metrics", *found.lists):
        assert main(["list", what, "--game", name, "--format", "json"]) == 0
        rows = json.loads(capsys.readouterr().out)["rows"]
        assert len(rows) > 0
        assert {tuple(row) for row in rows} == {tuple(rows[0])}
        for style in ("table", "csv", "md"):
            assert main(["list", what, "--game", name, "--format", style]) == 0
            assert capsys.readouterr().out.count("\n") > len(rows)
    switches = config_model(name).tables()["rulings"].switches()  # type: ignore[attr-defined]
    assert [row["ruling"] for row in found.lists["rulings"]()] == [switch.name for switch in switches]


@pytest.mark.compiled
@every_game
def test_lint_knows_every_setting_at_every_player_count(name: str) -> None:
    for config, *sets in ROWS[name].settings:
        for players in game(name).players:
            remarks = lint_of(name)(load(config, sets).settings[0].config, players)
            assert len({(each.rule, each.subject) for each in remarks}) == len(remarks)
            for each in remarks:
                assert each.status in ("dead", "needs", "owner", "inverted", "unranked", "alive")
                assert each.rule.isprintable()
                assert each.subject.isprintable()
                assert each.reason.isprintable()
                assert each.needs or each.status != "needs"


# ---- columns, metrics and splits ---------------------------------------------------------------------------


@every_cell
def test_columns_are_as_promised(name: str, setting: tuple[str, ...], players: int) -> None:
    cell, outcomes = played(name, setting, players)
    count = games_of(name)
    mine, rounds = of_games(outcomes), of_rounds(outcomes)
    place = [f"{ROUNDS}game"] if cell.game.rounds else []
    assert list(outcomes) == [*mine, *place, *(ROUNDS + each for each in rounds)]
    assert list(mine) == list(cell.encoded.columns) == [each.name for each in cell.game.columns if each.name in mine]
    assert list(rounds) == list(cell.encoded.rounds)
    assert list(rounds) == [each.name for each in cell.game.rounds if each.name in rounds]
    for column in cell.game.columns:
        if column.name in mine:
            check_column(column, mine[column.name], count)
    for seat, policy in enumerate(cell.policies):
        assert (outcomes[f"policy_{seat}"] == cell.game.policies.index(policy)).all()
    if rounds:
        games = outcomes[f"{ROUNDS}game"]
        assert np.issubdtype(games.dtype, np.integer)
        assert (np.diff(games) >= 0).all()
        assert games[0] >= 0
        assert games[-1] < count
        for column in cell.game.rounds:
            if column.name in rounds:
                check_column(column, rounds[column.name], len(games))


def check_column(column: Column, values: np.ndarray, rows: int) -> None:
    assert (values.shape, values.dtype) == ((rows,), np.dtype(column.dtype)), column.name
    assert column.signed or values.min() >= (ABSENT if column.nullable else 0), column.name
    assert not (column.signed and (column.nullable or column.flag or column.labels)), column.name
    if column.labels is not None:
        assert values.max() < len(column.labels), column.name
    if column.flag:
        assert values.max() <= 1, column.name


@every_cell
def test_a_table_has_the_games_in_words_and_leads_back(name: str, setting: tuple[str, ...], players: int) -> None:
    cell, outcomes = played(name, setting, players)
    columns = shared_columns([cell], cell.game)
    frame = to_frame(cell, SEED, 0, outcomes, columns, [cell.config_name])
    for column in columns:
        check_words(column, frame[column.name], outcomes[column.name])
    back, mine = to_outcomes(cell.game, frame), of_games(outcomes)
    assert list(back) == list(mine)
    assert all((back[each] == mine[each]).all() for each in mine)


def check_words(column: Column, series: pl.Series, values: np.ndarray) -> None:
    assert series.dtype == dtype_of(column)
    words = column.labels or ((False, True) if column.flag else None)
    absent = column.nullable or words is not None
    wanted = [None if absent and value == ABSENT else words[value] if words else value for value in values.tolist()]
    assert series.to_list() == wanted, column.name


@every_cell
def test_a_table_has_the_rounds_in_words_and_leads_back(name: str, setting: tuple[str, ...], players: int) -> None:
    cell, outcomes = played(name, setting, players)
    count = games_of(name)
    made = Plan("", "", (cell,), count, SEED)
    tables = dict(Framer(made)(Part(0, 0, 1000, count), dict(outcomes)))
    assert list(tables) == (["games", "rounds"] if cell.game.rounds else ["games"])
    if cell.game.rounds:
        frame, rounds = tables["rounds"], of_rounds(outcomes)
        games = outcomes[f"{ROUNDS}game"]
        assert frame["game"].to_list() == (games + 1000).tolist()
        for column in shared_columns([cell], cell.game, "rounds"):
            check_words(column, frame[column.name], rounds[column.name])
        for chosen in (np.arange(count), np.arange(1, count, 3), np.array([count - 1])):
            back = to_rounds(cell, frame, (chosen + 1000).astype(np.uint64))
            kept = np.isin(games, chosen)
            assert (chosen[back[f"{ROUNDS}game"]] == games[kept]).all()
            assert list(back) == [each for each in outcomes if each.startswith(ROUNDS)]
            assert all((back[ROUNDS + each] == rounds[each][kept]).all() for each in rounds)


@every_cell
def test_seats_that_compete_share_a_game_or_nobody_has_it(name: str, setting: tuple[str, ...], players: int) -> None:
    cell, outcomes = played(name, setting, players)
    count = games_of(name)
    if cell.game.seat_shares is None:
        return
    shares = cell.game.seat_shares.of(outcomes, players)
    assert shares.shape == (count, players)
    assert np.issubdtype(shares.dtype, np.integer)
    assert shares.min() >= 0
    assert set(shares.sum(axis=1).tolist()) <= {0, cell.game.seat_shares.scale}


@every_cell
def test_metrics_are_integers_by_game(name: str, setting: tuple[str, ...], players: int) -> None:
    cell, outcomes = played(name, setting, players)
    count = games_of(name)
    for metric in cell.game.metrics:
        numerator = metric.numerator(outcomes)
        assert (numerator.shape, numerator.dtype) == ((count,), np.int64), metric.name
        if metric.kind in ("proportion", "share"):
            assert set(np.unique(numerator)) <= set(range(metric.scale + 1)), metric.name
        if metric.denominator is not None:
            denominator = metric.denominator(outcomes)
            assert (denominator.shape, denominator.dtype) == ((count,), np.int64), metric.name
            assert denominator.min() >= 0, metric.name
            assert not numerator[denominator == 0].any(), metric.name


@every_cell
def test_a_label_is_in_one_strip_of_a_game_at_most(name: str, setting: tuple[str, ...], players: int) -> None:
    cell, outcomes = played(name, setting, players)
    count = games_of(name)
    for breakdown in cell.game.breakdowns:
        for split in breakdown.splits:
            strips = list(split.strips(outcomes))
            assert {each.shape for strip in strips for each in strip} == {(count,)}
            labels = np.sort(np.stack([label.astype(np.int64) for label, _, _ in strips]), axis=0)
            assert labels.min() >= -1
            assert labels.max() < len(breakdown.labels)
            assert not ((labels[1:] == labels[:-1]) & (labels[1:] >= 0)).any(), (breakdown.name, split.name)


@every_cell
def test_chunks_leave_no_mark(name: str, setting: tuple[str, ...], players: int) -> None:
    """A batch is its games one after another, wherever it is cut, and totals are sums of those of any chunks."""
    cell, whole = played(name, setting, players)
    count = games_of(name)
    simulate, encoded = cell.game.simulate, cell.encoded
    for size in (7, 101):
        parts = [simulate(encoded, SEED, first, min(size, count - first)) for first in range(0, count, size)]
        for each in whole:
            shift = size if each == f"{ROUNDS}game" else 0
            joined = np.concatenate([part[each] + place * shift for place, part in enumerate(parts)])
            assert (joined == whole[each]).all(), each
    totals = tally(cell.game, whole)
    merged: dict[str, Any] = {}
    for first, end in pairwise([0, 1, 3, count // 3, count // 3 + 1, count]):
        part = simulate(encoded, SEED, first, end - first)
        merged = merge(merged, tally(cell.game, part))
    one, other = ({key: each for key, each in some.items() if each.n} for some in (merged, totals))
    assert one == other
    assert from_json(json.loads(json.dumps(to_json(totals)))) == totals


@every_game
def test_any_seed_and_any_game_number(name: str) -> None:
    cell, whole = played(name, ROWS[name].settings[0], ROWS[name].players[0])
    far = 10**12 - 5
    for seed, first in ((0, 0), (0, far), (2**64 - 1, far)):
        outcomes = cell.game.simulate(cell.encoded, seed, first, 5)
        mine = of_games(outcomes)
        assert any((mine[each] != whole[each][:5]).any() for each in mine)
        last = cell.game.simulate(cell.encoded, seed, first + 4, 1)
        assert all(last[each][0] == mine[each][4] for each in mine)


@pytest.mark.compiled
@every_game
def test_every_policy_plays(name: str) -> None:
    found, (players, _) = game(name), ROWS[name].players
    config = ROWS[name].experiment().settings[0].config
    seen = []
    for policy in found.policies:
        outcomes = found.simulate(found.encode(config, players, [policy] * players), SEED, 0, 20)
        assert all(values.shape == (20,) for values in of_games(outcomes).values())
        seen.append([values.tolist() for each, values in outcomes.items() if not each.startswith("policy_")])
    assert all(one != other for one, other in pairwise(seen))


# ---- traces ------------------------------------------------------------------------------------------------


@every_cell
def test_a_trace_is_json_from_setup_to_end(name: str, setting: tuple[str, ...], players: int) -> None:
    cell, outcomes = played(name, setting, players)
    count = games_of(name)
    for index in (0, count - 1):
        events = cell.game.trace(cell.encoded, SEED, index)
        assert json.loads(json.dumps(events, allow_nan=False)) == events
        assert all(isinstance(each["type"], str) for each in events)
        kinds = [each["type"] for each in events]
        assert (kinds[0], kinds[-1]) == ("setup", "end")
        assert not {"setup", "end"} & set(kinds[1:-1])
        setup = events[0]
        assert (setup["seed"], setup["game_index"], setup["players"]) == (SEED, index, players)
        assert setup["rulings"] == cell.setting.config.resolved()["rulings"]
        row = {each: int(values[index]) for each, values in of_games(outcomes).items()}
        told = cell.game.tell(events, row)
        assert told.endswith("\n")
        assert told.replace("\n", "").isprintable()
        assert f"{index} under seed {SEED}" in told.splitlines()[0]


# ---- runs --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=list(ROWS))
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The name of a game, and the folder of a run of it."""
    folder = tmp_path_factory.mktemp("runs") / request.param
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(planning, "PART_GAMES", PART)
        made = planned(request.param, STORED)
        carry_out(made, Workers(1), Store(folder, made))
        yield request.param, folder


@pytest.mark.compiled
@pytest.mark.parametrize(("number", "backend", "chunk"), [(2, "threads", 33), (2, "processes", 70)])
def test_neither_workers_nor_backend_nor_chunks_change_a_byte(
    run: tuple[str, Path], tmp_path: Path, number: int, backend: str, chunk: int
) -> None:
    name, folder = run
    made = planned(name, STORED)
    carry_out(made, Workers(number, backend, chunk), Store(tmp_path / "run", made))
    assert contents(tmp_path / "run") == contents(folder)


@pytest.mark.compiled
@pytest.mark.parametrize("stops", [(1,), (2, 3, 5)])
def test_a_run_goes_on_where_it_stopped(run: tuple[str, Path], tmp_path: Path, stops: tuple[int, ...]) -> None:
    name, folder = run
    made, cut = planned(name, STORED), tmp_path / "cut"
    for stop in stops:
        cut_off(reopen(cut, made, "games"), made, stop)
    carry_out(made, Workers(1), reopen(cut, made, "games"))
    assert contents(cut) == contents(folder)
    assert problems(cut) == []


@pytest.mark.compiled
def test_commands_read_any_run(run: tuple[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, folder = run
    found, (players, _) = game(name), ROWS[name].players
    labelled = [column for column in found.columns if column.labels and not column.own]
    head = f"{labelled[0].name} != '{labelled[0].labels[0]}'" if labelled else f"{found.columns[0].name} is not null"
    cell = ("--players", str(players))
    commands = [
        ("show",),
        *(("show", "--by", each.name) for each in found.breakdowns),
        *(("explain", each.name, *cell) for each in found.metrics if each.headline),
        ("find", "--where", head, *cell),
        ("replay", "--game", "3", *cell),
    ]
    for command, *more in commands:
        assert main([command, str(folder), *more]) == 0, (command, more)
        out, err = capsys.readouterr()
        assert (len(out) > 0, err) == (True, "")
    assert main(["verify", str(folder)]) == 0
    frame = pl.read_parquet(folder / "games" / "*.parquet")
    assert frame.height == STORED * len(ROWS[name].players)
    assert (folder / "rounds").exists() == bool(found.rounds)
    if found.rounds:
        rounds = pl.read_parquet(folder / "rounds" / "*.parquet")
        assert rounds.select("cell", "game").unique().join(frame, on=("cell", "game"), how="anti").height == 0


# ---- comparisons -------------------------------------------------------------------------------------------


@pytest.mark.compiled
@every_game
def test_the_same_games_differ_by_exactly_nothing(name: str) -> None:
    made = planned(name, games_of(name) // 8, policy=ROWS[name].policies[-1])
    both = play_both(made, made, ALONE)
    assert {each.verdict.word for each in findings(both)} == {SAME}
    assert {each.effect.effect for each in findings(both)} <= {0, None}
    for breakdown in game(name).breakdowns:
        told = label_findings(play_both(made, made, ALONE, breakdown.name), breakdown.name)
        assert {each.label for each in told} <= set(breakdown.labels)
        assert {each.effect.effect for each in told} <= {0, None}
        assert told


@pytest.mark.compiled
@every_game
def test_what_a_comparison_finds_is_the_difference_of_two_runs(name: str) -> None:
    """Under a changed ruling that matters, and with other policies; on the same deals and on others."""
    row = ROWS[name]
    base = planned(name, 150)
    others = {
        "ruling": planned(name, 150, row.change),
        "policy": planned(name, 150, policy=row.policies[1]),
        "seed": planned(name, 150, seed=7),
    }
    for what, other in others.items():
        both = play_both(base, other, ALONE)
        assert both.paired == (what != "seed")
        sides = [play(each, ALONE).totals for each in (base, other)]
        told = list(findings(both))
        assert len(told) == len(base.cells) * len(game(name).metrics)
        assert any(each.effect.effect for each in told), what
        for each in told:
            rates = []
            for cell, totals in zip((each.match.a, each.match.b), sides, strict=True):
                mine = totals[cell.index][each.metric.name]
                rates.append(mine.x / (mine.y * each.metric.scale) if mine.y else None)
            if None in rates:
                assert each.effect.effect is None
            else:
                assert each.effect.effect == pytest.approx(rates[1] - rates[0])
        rows = comparison_rows(told)
        assert json.loads(json.dumps(rows, allow_nan=False)) == rows


@pytest.mark.compiled
@every_game
def test_what_every_ruling_and_every_policy_is_worth(name: str) -> None:
    """`lift` of what all games have: a finding for each other value of each switch, and for each policy."""
    row = ROWS[name]
    players = [row.players[0]]
    rulings: Rulings = row.experiment().settings[0].config.rulings  # type: ignore[attr-defined]
    config, *sets = row.settings[0]
    told = lift(config, "ruling", 40, 1, players, row.policies[0], ALONE, sets)
    assert [each.variant for each in told] == [
        f"{switch.name} = {value}" for switch in rulings.switches() for value in switch.values[1:]
    ]
    told = lift(config, "policy", 40, 1, players, row.policies[0], ALONE, sets)
    assert [each.variant for each in told] == [f"{policy} in every seat" for policy in game(name).policies]
    assert told[0].finding.effect.effect == 0
