"""Where a number of a run comes from: what it means, how it was counted, what was played, and games to look at."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from alchemy_sim.config.load import load, shipped
from alchemy_sim.core.errors import AlchemyError
from alchemy_sim.core.game import Metric, Outcomes
from alchemy_sim.mc.plan import Cell
from alchemy_sim.mc.record import Record

#: How a kind of metric is computed, and how its interval is.
HOW = {
    "proportion": (
        "games that have it, divided by all games",
        "Wilson's interval for a proportion of games; Clopper and Pearson's exact one below 10 games on a side",
    ),
    "mean": ("its sum over all games, divided by the games", "Student's t over games"),
    "share": (
        "its sum over all games, divided by the games; in one game it is a part of the whole, such as half a tied win",
        "Student's t over games",
    ),
    "ratio": (
        "one sum over all games divided by another, so long games count for more than short ones",
        "delta method with the game as cluster, for what happens inside one game goes together",
    ),
}
#: Games among which examples are looked for when none were kept.
_LOOKED_AT = 10_000
EXAMPLES = 3


@dataclass(frozen=True)
class Example:
    """A game to look at: its number, and what it adds to the metric."""

    cell: Cell
    game: int
    words: str


def examples(record: Record, cell: Cell, metric: Metric) -> list[Example]:
    """Three games of a cell: the first that have what a proportion counts, else the least, a middle and the most."""
    first = next(_games(record, cell))
    x = metric.numerator(first)
    y = np.ones(len(x), np.int64) if metric.denominator is None else metric.denominator(first)
    if metric.kind == "proportion":
        return [Example(cell, int(game), metric.doc) for game in np.flatnonzero(x)[:EXAMPLES]]
    there = np.flatnonzero(y)
    if not there.size:
        return []
    order = there[np.argsort(x[there] / y[there], kind="stable")]
    picked = dict.fromkeys(int(order[place]) for place in (0, len(order) // 2, len(order) - 1))
    return [Example(cell, game, _words(metric, int(x[game]), int(y[game]))) for game in picked]


def _words(metric: Metric, x: int, y: int) -> str:
    if metric.kind == "ratio":
        return f"{x / metric.scale:g} of {y}"
    unit = "" if metric.unit in ("pp", "") else f" {metric.unit}"
    return f"{x / metric.scale:g}{unit}"


def _games(record: Record, cell: Cell) -> Iterator[Outcomes]:
    """Outcomes of the first games of a cell: those that were kept, or played again."""
    if record.manifest.get("keep") == "games":
        yield from record.outcomes(cell)
    else:
        record.ready(cell)
        yield cell.game.simulate(cell.encoded, record.plan.seed, 0, min(record.plan.games, _LOOKED_AT))


def command(record: Record) -> tuple[str, str]:
    """The command line that makes the run again, and what is to be said about it ('' if it is exact)."""
    plan = record.plan
    known = plan.name in shipped()
    words = ["alchemy-sim", "run", plan.name if known else f"{plan.name}.toml"]
    words += ["--games", str(plan.games), "--seed", str(plan.seed)]
    players = [
        list(dict.fromkeys(cell.players for cell in plan.cells if cell.config_name == name))
        for name in record.plan.config_names
    ]
    if all(each == players[0] for each in players):
        words += ["--players", ",".join(map(str, players[0]))]
    policies = {cell.policies for cell in plan.cells}
    alike = {by_seat[0] for by_seat in policies if len(set(by_seat)) == 1}
    if len(alike) == 1 and all(len(set(by_seat)) == 1 for by_seat in policies):
        words += ["--policy", *alike]
    elif len(policies) == 1:
        words += ["--policy", ",".join(*policies)]
    sets, note = _changes(record) if known else ([], "from a file; the configuration as it was is in manifest.json")
    for each in sets:
        words += ["--set", each]
    return shlex.join(words), note


def _changes(record: Record) -> tuple[list[str], str]:
    """`--set` entries that make today's file the configuration of the run, if entries can."""
    try:
        today = {each.name: _flat(each.config.resolved()) for each in load(record.plan.name).settings}
    except AlchemyError:
        return [], "the shipped file can't be read today; the configuration as it was is in manifest.json"
    then = {cell.config_name: _flat(cell.setting.config.resolved()) for cell in record.plan.cells}
    if set(today) != set(then):
        return [], "the shipped file has changed since; the configuration as it was is in manifest.json"
    changed: dict[str, Any] = {}
    for name, values in then.items():
        for key, value in values.items():
            if key not in ("players", "policy", "assumed") and today[name].get(key) != value:
                changed.setdefault(key, value)
    for values in then.values():
        if any(values[key] != value for key, value in changed.items()):
            return [], "the shipped files have changed since; the configuration as it was is in manifest.json"
    return [f"{key}={_toml(value)}" for key, value in changed.items()], ""


def _flat(values: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in values.items():
        found |= _flat(value, f"{before}{key}.") if isinstance(value, Mapping) else {before + key: value}
    return found


def _toml(value: Any) -> str:
    """A value as `--set` takes it."""
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return ",".join(map(_toml, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def rulings_changed(cell: Cell) -> dict[str, Any]:
    """The rulings of a cell's configuration that are not the default."""
    rulings = getattr(cell.setting.config, "rulings", None)
    if rulings is None:
        return {}
    fields = type(rulings).model_fields
    return {name: getattr(rulings, name) for name, field in fields.items() if getattr(rulings, name) != field.default}
