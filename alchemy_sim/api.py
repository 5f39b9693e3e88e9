"""The Python interface: `run` plays, `load` opens what was kept (a `Result` to ask), `compare` says what differs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from alchemy_sim.config.load import load as load_config
from alchemy_sim.core.errors import UsageError, unknown
from alchemy_sim.core.game import game as find_game
from alchemy_sim.mc.memory import Kept
from alchemy_sim.mc.plan import plan
from alchemy_sim.mc.read import Run
from alchemy_sim.mc.record import Record
from alchemy_sim.mc.replay import Replay
from alchemy_sim.mc.replay import replay as play_again
from alchemy_sim.mc.runner import Workers
from alchemy_sim.mc.session import carry_out
from alchemy_sim.mc.splits import split_rows
from alchemy_sim.mc.stats import rows
from alchemy_sim.report.notebook import as_html
from alchemy_sim.report.runs import run_tables
from alchemy_sim.report.tables import Table, as_table

if TYPE_CHECKING:
    import pandas as pd

#: Types of the columns of `Result.estimates`, so that a frame without rows has them too.
_TYPES: dict[str, Any] = {
    "config": pl.String,
    "players": pl.Int64,
    "by": pl.String,
    "label": pl.String,
    "metric": pl.String,
    "estimate": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
    "method": pl.String,
}


class Told(str):
    """A replayed game as text, shown as it is in a terminal and in a notebook; `events`, `row` and `game` beside it."""

    events: list[dict[str, Any]]
    row: dict[str, Any]
    game: int

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


class Result:
    """What came out of a run: estimates with intervals, the games, and any game told again.

    >>> import alchemy_sim
    >>> result = alchemy_sim.run("crucible/mission-01", games=500, players=3, policy="random")
    >>> result.estimates(by="ending")["label"].to_list()[:2]
    ['win', 'win']
    >>> result.replay(7).splitlines()[0]
    'Game 7 under seed 1: 3 players, limit 22, target 18, Slag cap 3.'
    """

    def __init__(self, record: Record) -> None:
        self._record = record

    @property
    def manifest(self) -> Mapping[str, Any]:
        """Configurations as resolved, rulings, assumed values, seed, versions: where the numbers come from."""
        return self._record.manifest

    @property
    def games(self) -> pl.LazyFrame:
        """All games as a lazy Polars table, one row a game. StoreError if they were not kept.

        >>> import alchemy_sim, polars as pl
        >>> result = alchemy_sim.run("crucible/mission-01", games=300, players=3, policy="random")
        >>> result.games.filter(pl.col("ending") == "win").collect().height <= 300
        True
        """
        return self._record.games

    @property
    def rounds(self) -> pl.LazyFrame:
        """All rounds as a lazy Polars table, one row a round, of a game that has them (the Furnace).

        A round's `cell` and `game` are those of its game in `games`. StoreError if there are none, or they were not
        kept.
        """
        return self._record.rounds

    @property
    def metrics(self) -> pl.DataFrame:
        """What is estimated: a row for each metric with game, metric, kind, unit, better and tells."""
        games = {cell.game.name: cell.game for cell in self._record.plan.cells}.values()
        return pl.DataFrame(
            [
                {
                    "game": game.name,
                    "metric": each.name,
                    "kind": each.kind,
                    "unit": each.unit,
                    "better": each.better,
                    "tells": each.doc,
                }
                for game in games
                for each in game.metrics
            ]
        )

    def rows(self, by: str | None = None, where: str | None = None) -> list[dict[str, Any]]:
        """Estimates as dicts: config, players, metric, estimate, low, high, n, method; with `by` also by and label.

        `by` names a breakdown (task, discipline, seat, position, reaction, ending, ...); `where` is a condition on
        games, such as "boil_overs == 2 and ending != 'win'". Intervals are of 95 %.
        """
        cells = self._record.plan.cells
        totals = self._record.totals if where is None else self._record.filtered(where, cells)
        return rows(cells, totals) if by is None else split_rows(cells, totals, by)

    def estimates(self, by: str | None = None, where: str | None = None) -> pl.DataFrame:
        """The same as a Polars table, a row for each configuration, number of players and metric (and label).

        >>> import alchemy_sim
        >>> result = alchemy_sim.run("crucible/mission-01", games=300, players=3, policy="random")
        >>> result.estimates(by="task").columns[:5]
        ['config', 'players', 'by', 'label', 'metric']
        """
        schema = {name: kind for name, kind in _TYPES.items() if by is not None or name not in ("by", "label")}
        return pl.DataFrame(self.rows(by, where), schema=schema)

    def to_pandas(self) -> pd.DataFrame:
        """All games as a pandas table; labels are Categorical, missing values NA. pyarrow is not needed."""
        from alchemy_sim.mc.convert import to_pandas

        return to_pandas(self.games.collect())

    def replay(self, i: int, config: str | None = None, players: int | None = None) -> Told:
        """Game number `i` told card by card; `config` and `players` say of which cell, where the run has several."""
        return _told(play_again(self._record, self._record.one(None, config, players), i))

    def __repr__(self) -> str:
        return as_table(self._tables()).rstrip("\n")

    def _repr_html_(self) -> str:
        return as_html(self._tables())

    def _tables(self) -> list[Table]:
        return run_tables(self._record.plan, self._record.totals)


def run(
    config: str | Path,
    games: int | None = None,
    players: int | Sequence[int] | None = None,
    policy: str | Sequence[str] | None = None,
    seed: int | None = None,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    workers: int | None = None,
    out: str | Path | None = None,
    keep: str = "games",
) -> Result:
    """Play a configuration or an experiment: a shipped name, or the path of a .toml file.

    `games` of each configuration and number of `players`; `policy` is one name, or one for each seat, your own as
    `my.py:name`; `set` changes values of the configuration. With `out`, a new folder, the run is stored there; else it
    stays in memory. keep="summary" keeps no single games. Every mistake is an `AlchemyError` whose text says what is
    allowed.

    >>> import alchemy_sim
    >>> easy = alchemy_sim.run("crucible/mission-04", games=400, players=[3, 4], policy="random", set={"limit": 24})
    >>> easy.games.collect().height
    800
    """
    sets = list(_sets(set))
    counts = (players,) if isinstance(players, int) else players
    names = ",".join(policy) if policy is not None and not isinstance(policy, str) else policy
    if keep not in ("games", "summary"):
        raise UsageError(unknown("value of keep", str(keep), ("games", "summary")))
    for name, value in (("games", games), ("seed", seed), ("workers", workers)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise UsageError(f"{name} is {value!r}; it must be a whole number")
    experiment = load_config(str(config), sets, counts)
    if out is not None:
        from alchemy_sim.mc.store import check_folder

        check_folder(Path(out))
    for name in dict.fromkeys(setting.game for setting in experiment.settings):
        find_game(name).warm()
    planned = plan(experiment, games, seed, policy=names)
    if out is None:
        kept = Kept(planned, keep)
        kept.play(Workers(workers))
        return Result(kept)
    from alchemy_sim.mc.store import Store

    carry_out(planned, Workers(workers), Store(Path(out), planned, keep))
    return load(out)


def load(path: str | Path) -> Result:
    """Open a stored run. StoreError if the folder holds none, or a part of it is missing or damaged.

    >>> import alchemy_sim, tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "run"
    >>> _ = alchemy_sim.run("crucible/mission-01", games=100, players=3, policy="random", out=folder)
    >>> alchemy_sim.load(folder).games.collect().height
    100
    """
    return Result(Run(path))


def compare(
    a: str | Path,
    b: str | Path | None = None,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    games: int | None = None,
    players: int | Sequence[int] | None = None,
    policy: str | Sequence[str] | None = None,
    policy_b: str | Sequence[str] | None = None,
    seed: int | None = None,
    by: str | None = None,
    workers: int | None = None,
) -> pl.DataFrame:
    """Compare configuration `a` with `b`, or with itself changed by `set` or `policy_b`, on the same deals.

    One row for each configuration, number of players and metric (with `by`: and label): the estimate in B, that in A
    (`base`), the `effect` with bounds, a `verdict` and its `text`, and the pairing gain. All intervals of the effects
    hold together with 95 % chance.

    >>> import alchemy_sim
    >>> frame = alchemy_sim.compare("crucible/mission-04", set={"limit": 24}, games=500, players=4, policy="random")
    >>> frame["verdict"].is_in(["harder", "easier", "same", "undecided"])[0]
    True
    """
    from alchemy_sim.mc.compare import findings, label_findings, play_both
    from alchemy_sim.report.compared import comparison_rows

    counts = (players,) if isinstance(players, int) else players
    one, other = load_config(str(a), (), counts), load_config(str(a if b is None else b), list(_sets(set)), counts)
    for name in dict.fromkeys(setting.game for each in (one, other) for setting in each.settings):
        find_game(name).warm()
    names = [",".join(each) if each is not None and not isinstance(each, str) else each for each in (policy, policy_b)]
    plan_a = plan(one, games, seed, policy=names[0])
    plan_b = plan(other, plan_a.games, plan_a.seed, policy=names[1] or names[0])
    both = play_both(plan_a, plan_b, Workers(workers), by)
    found = list(findings(both)) if by is None else label_findings(both, by)
    return pl.DataFrame(comparison_rows(found, by), infer_schema_length=None)


def _sets(given: Mapping[str, Any] | Sequence[str] | None) -> Sequence[str]:
    """`--set` entries from a mapping or a list of them."""
    if given is None:
        return ()
    if isinstance(given, str):
        return (given,)
    if not isinstance(given, Mapping):
        return given
    return [f"{key}={_toml(value)}" for key, value in given.items()]


def _toml(value: Any) -> str:
    """A value as TOML has it, and as `--set` reads it."""
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str | bool | int | float):
        return json.dumps(value, ensure_ascii=False)
    raise UsageError(f"set: {value!r} is no value of a configuration; write keys of tables as in rulings.early_win")


def _told(found: Replay) -> Told:
    told = Told(found.text)
    told.events, told.row, told.game = found.events, found.row, found.game
    return told
