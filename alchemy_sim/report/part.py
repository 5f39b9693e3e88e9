"""The cells of one game in a run, their numbers as rows, and a row as something to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from alchemy_sim.config.locate import shortened
from alchemy_sim.core.game import Game, Metric
from alchemy_sim.core.page import Section
from alchemy_sim.mc.plan import Cell, Plan
from alchemy_sim.mc.splits import pooled, split_rows
from alchemy_sim.mc.stats import estimate
from alchemy_sim.mc.stats import rows as metric_rows
from alchemy_sim.mc.totals import CellTotals
from alchemy_sim.report.charts import Mark
from alchemy_sim.report.runs import shown_names
from alchemy_sim.report.tables import interval

#: An estimate as `mc` gives it: config, players, metric, estimate, low, high, n, method; by and label where it has one.
Row = Mapping[str, Any]

#: A label that fewer than one in so many of the games of the commonest one carry is not drawn along an axis.
RARE = 10
#: Letters of a name beside a figure.
_LETTERS = 28


@dataclass(frozen=True)
class Part:
    """The cells of one game in a run, with what figures call their configurations."""

    plan: Plan
    game: Game
    cells: Sequence[Cell]
    totals: Sequence[CellTotals]
    names: Mapping[str, str]

    @classmethod
    def of(cls, plan: Plan, game: Game, totals: Sequence[CellTotals]) -> Part:
        """The part of a plan that is of this game."""
        cells = tuple(cell for cell in plan.cells if cell.game.name == game.name)
        return cls(replace(plan, cells=cells), game, cells, totals, shown_names(plan))

    @property
    def configs(self) -> list[str]:
        """Its configurations in order."""
        return self.plan.config_names

    @property
    def over(self) -> str | None:
        """What rows over all its configurations are called; None if there is one."""
        return self.plan.name if len(self.configs) > 1 else None

    @property
    def counts(self) -> list[int]:
        """Its player counts, lowest first."""
        return sorted({cell.players for cell in self.cells})

    def place(self, count: int) -> int:
        """The place of a number of players among those of the game."""
        return self.game.players.index(count)

    def letters(self, config: str) -> str:
        """A configuration's name beside a figure: cut when long, its mark kept."""
        name = self.names[config]
        mark = " *" if name.endswith(" *") else ""
        return shortened(name.removesuffix(" *"), _LETTERS) + mark

    def cell(self, row: Row) -> str:
        """The configuration and players a row is of, in words."""
        return f"{self.names[row['config']]}, {players(row['players'])}"


def players(count: int) -> str:
    """A series' name."""
    return f"{count} player" if count == 1 else f"{count} players"


def rows_of(part: Part, metrics: Sequence[Metric]) -> list[dict[str, Any]]:
    """The estimates of metrics, as `show` gives them."""
    names = [metric.name for metric in metrics]
    return [row for row in metric_rows(part.cells, part.totals) if row["metric"] in names]


def pooled_rows(part: Part, metrics: Sequence[Metric]) -> list[dict[str, Any]]:
    """The estimates of metrics over all configurations at each number of players; bounds as in `show --by`."""
    found = []
    for count in part.counts:
        cells = [cell for cell in part.cells if cell.players == count]
        for metric in metrics:
            totals = [part.totals[cell.index][metric.name] for cell in cells]
            got = pooled([(each, estimate(metric, each)) for each in totals])
            head = {"config": part.over or part.configs[0], "players": count, "metric": metric.name}
            found.append({**head, **vars(got)})
    return found


def merged_rows(part: Part, section: Section) -> list[dict[str, Any]]:
    """The estimates of a section's breakdown over all configurations, as `show --by` gives them."""
    return split_rows(part.cells, part.totals, section.by, over=part.over)


def common(rows: Sequence[Row]) -> list[Row]:
    """Rows of labels that are not rare at their number of players: the others' estimates say little."""
    most: dict[int, int] = {}
    for row in rows:
        most[row["players"]] = max(most.get(row["players"], 0), row["n"])
    return [row for row in rows if row["n"] * RARE >= most[row["players"]]]


def mark_of(row: Row | None, unit: str, who: str) -> Mark | None:
    """A row to be drawn; None where there is nothing to estimate."""
    if row is None or row["estimate"] is None:
        return None
    factor = 100 if unit == "pp" else 1
    low, high = (None if row[name] is None else factor * row[name] for name in ("low", "high"))
    words = interval(row["estimate"], row["low"], row["high"], unit)
    return Mark(factor * row["estimate"], low, high, f"{who}: {words}, {row['n']:,} games")
