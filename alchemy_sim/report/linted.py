"""What `lint` found, as rows and as tables: the same remark on several configurations is one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from alchemy_sim.config.load import Experiment
from alchemy_sim.core.game import lint_of
from alchemy_sim.report.tables import NOTHING, Table

ALIVE, DEAD = "alive", "dead"
_STATUSES = (DEAD, "needs", "owner", "inverted", "unranked", ALIVE)
#: So many remarks of one rule are told one by one; the rest are counted.
_TOLD = 12


def lint_rows(experiment: Experiment, players: Sequence[int] | None = None) -> list[dict[str, Any]]:
    """One row a configuration, number of players and remark: config, players, rule, subject, status, needs, reason."""
    rows = []
    for setting in experiment.settings:
        remarks = lint_of(setting.game)
        for count in setting.config.players if players is None else players:
            for each in remarks(setting.config, count):
                rows.append({"config": setting.name, "players": count, **vars(each), "needs": list(each.needs)})
    return rows


def lint_tables(experiment: Experiment, rows: Sequence[dict[str, Any]]) -> list[Table]:
    """The remarks that say something, and how many there are of each status."""
    told = [row for row in rows if row["status"] != ALIVE or row["rule"] == "draws"]
    found = []
    for config, players, row in _grouped(told):
        found.append(
            [config, players, row["status"], row["subject"], ", ".join(row["needs"]) or NOTHING, row["reason"]]
        )
    body: list[list[str]] = []
    seen: dict[tuple[str, str, str], int] = {}
    hidden = 0
    for line in found:
        kind = (line[0], line[2], "set" if "+" in line[3] else line[3])
        seen[kind] = seen.get(kind, 0) + 1
        if "+" in line[3] and seen[kind] > _TOLD:
            hidden += 1
        else:
            body.append(line)
    count = {status: sum(row["status"] == status for row in rows) for status in _STATUSES}
    notes = [", ".join(f"{number:,} {status}" for status, number in count.items() if number)]
    if hidden:
        notes.insert(0, f"{hidden:,} more sets of tasks: --format csv or json has them all")
    columns = ["configuration", "players", "status", "subject", "needs one of", "reason"]
    return [Table(columns, body, f"{experiment.title or experiment.name}: what the rules alone say", notes=notes)]


def _grouped(rows: Iterable[dict[str, Any]]) -> list[tuple[str, str, dict[str, Any]]]:
    """Rows that say the same of one configuration at several player counts, as one."""
    found: dict[tuple[Any, ...], tuple[list[int], dict[str, Any]]] = {}
    for row in rows:
        key = (row["config"], row["rule"], row["subject"], row["status"], tuple(row["needs"]), row["reason"])
        found.setdefault(key, ([], row))[0].append(row["players"])
    return [(key[0], ", ".join(map(str, players)), row) for key, (players, row) in found.items()]
