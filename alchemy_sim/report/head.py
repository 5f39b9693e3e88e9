"""What was played: the facts at the head of a report, and the lines that make the run and the page again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from alchemy_sim.mc.explain import command, rulings_changed
from alchemy_sim.mc.provenance import configurations, source_hash
from alchemy_sim.mc.record import Record
from alchemy_sim.report.part import Part
from alchemy_sim.report.runs import policy_text
from alchemy_sim.report.tables import NOTHING, Table

#: Numbers of a configuration that stand in columns of their own; with more, only those that say something do.
_COLUMNS = 8
#: Keys that the page tells in other places.
_ELSEWHERE = ("rulebook", "title", "note", "players", "policy", "assumed")


class Fact(NamedTuple):
    """A line of what was played."""

    about: str
    says: str


class Lines(NamedTuple):
    """Command lines of a run; `folder` is what they call its folder, for a page names no place of any machine."""

    folder: str
    run: str
    note: str
    report: str
    explain: str
    show: str


def facts(record: Record, parts: Sequence[Part]) -> list[Fact]:
    """What was played, by whom, how often, under which rulings, with which program."""
    plan, manifest = record.plan, record.manifest
    counts = ", ".join(map(str, sorted({cell.players for cell in plan.cells})))
    cells = f"each of {len(plan.cells)} cells (a configuration at a number of players), {plan.total:,} in all"
    versions = ", ".join(f"{name} {value}" for name, value in manifest.get("versions", {}).items() if value)
    changed = "" if manifest.get("source") == source_hash() else "; the program has changed since"
    kept = "every game" if manifest.get("keep") == "games" else "totals only"
    return [
        Fact("Game", ", ".join(part.game.title for part in parts)),
        Fact("Run", f"{plan.title} ({plan.name})"),
        Fact("Players", counts),
        Fact("Policy by seat", _policies(parts)),
        Fact("Games", f"{plan.games:,}{' of ' + cells if len(plan.cells) > 1 else ''}; {kept} kept"),
        Fact("Seed", str(plan.seed)),
        Fact("Rulings", _rulings(parts)),
        Fact("Made by", f"{versions} (sources {str(manifest.get('source'))[:12]}{changed})"),
    ]


def _policies(parts: Sequence[Part]) -> str:
    by_text: dict[str, list[str]] = {}
    for part in parts:
        for cell in part.cells:
            named = by_text.setdefault(policy_text(cell), [])
            words = f"{part.names[cell.config_name]} with {cell.players}"
            named.append(words)
    if len(by_text) == 1:
        (text,) = by_text
        return f"{text} in every seat" if "," not in text else f"{text}, from seat 0 on"
    return "; ".join(f"{text}: {', '.join(cells)}" for text, cells in by_text.items())


def _rulings(parts: Sequence[Part]) -> str:
    """The rulings that are not the default, by configuration where they differ."""
    changed: dict[str, list[str]] = {}
    configs = {cell.config_name: (cell, part) for part in parts for cell in part.cells}
    for name, (cell, part) in configs.items():
        for key, value in rulings_changed(cell).items():
            assumed = tuple(cell.setting.config.assumed)
            changed.setdefault(f"{key} = {_marked(value, f'rulings.{key}', assumed)}", []).append(part.names[name])
    if not changed:
        return "all as by default"
    return "; ".join(
        each if len(names) == len(configs) else f"{each} ({', '.join(names)})" for each, names in changed.items()
    )


def configuration_table(part: Part) -> Table:
    """The configurations of a game: their numbers, what else is not as by default, `*` at assumed values."""
    found = {each["config"]: each for each in configurations(part.plan)}
    settings = {cell.config_name: cell.setting.config for cell in part.cells}
    flat = {name: _flat(each["resolved"]) for name, each in found.items()}
    # what the game's model fills in where a file says nothing
    default = _flat(type(next(iter(settings.values()))).model_construct().resolved())
    keys = list(next(iter(flat.values())))
    assumed = {name: tuple(each["assumed"]) for name, each in found.items()}

    def telling(key: str) -> bool:
        values = [each[key] for each in flat.values()]
        return any(value != default.get(key) or value != values[0] for value in values) or any(
            key in each for each in assumed.values()
        )

    numbers = [key for key in keys if all(type(each[key]) in (int, float) for each in flat.values())]
    if len(numbers) > _COLUMNS:
        numbers = [key for key in numbers if telling(key)][:_COLUMNS]
    others = [key for key in keys if key not in numbers and telling(key)]
    rows = []
    for name, values in flat.items():
        row = [part.names[name], *(_marked(values[key], key, assumed[name]) for key in numbers)]
        also = [
            f"{_plain(key)}: {_marked(values[key], key, assumed[name])}"
            for key in others
            if values[key] != default.get(key) or key in assumed[name]
        ]
        rows.append([*row, ", ".join(also) or NOTHING])
    head = [part.game.page.configuration, *map(_plain, numbers), "not as by default"]
    return Table(head, rows, numbers=frozenset(range(1, len(head) - 1)))


def _flat(values: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """A configuration's keys, those of tables dotted, without what the page tells elsewhere."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping) and key != "rulings":
            found |= _flat(value, f"{before}{key}.")
        elif key not in (*_ELSEWHERE, "rulings"):
            found[before + key] = value
    return found


def _marked(value: Any, key: str, assumed: Sequence[str]) -> str:
    """A value; assumed ones, and those of assumed tables, with their mark."""
    mark = any(key == each or key.startswith(f"{each}.") for each in assumed)
    return _word(value) + (" *" if mark else "")


def _plain(key: str) -> str:
    return key.replace("_", " ")


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(_word, value))
    return "none" if value is None else str(value)


def lines(record: Record) -> Lines:
    """The command lines that make the run and the page, and those that tell more."""
    again, note = command(record)
    name = record.plan.name.split("/")[-1]
    folder = f"runs/{name}"
    keep = "" if record.manifest.get("keep") == "games" else " --keep summary"
    place = shlex.quote(folder)
    return Lines(
        folder,
        f"{again} --out {place}{keep}",
        note,
        f"alchemy-sim report {place} -o {shlex.quote('reports/' + name)}",
        f"alchemy-sim explain {place}",
        f"alchemy-sim show {place}",
    )
