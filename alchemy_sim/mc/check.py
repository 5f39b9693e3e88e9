"""Checking a run against bands, or against an earlier run: what left its band.

A band is the range in which a metric should be. A metric has left it when its interval lies wholly outside; all
intervals of a check hold together with 95 % chance, so a check of a configuration whose true values are all in their
bands fails in at most 5 % of seeds. Against an earlier run the band is around what that run had, and the interval is
that of the difference, on the same deals where both have them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, model_validator

from alchemy_sim.config.model import Model
from alchemy_sim.core.errors import ConfigError, unknown
from alchemy_sim.mc.compare import Comparison
from alchemy_sim.mc.plan import Cell, Plan
from alchemy_sim.mc.stats import LEVEL, estimate
from alchemy_sim.mc.totals import CellTotals
from alchemy_sim.mc.verdicts import margin_of


class Band(Model):
    """One band of a file: where a metric of a cell should be."""

    config: str
    players: int
    metric: str
    low: float | None = Field(default=None, description="none: no lower bound")
    high: float | None = Field(default=None, description="none: no upper bound")

    @model_validator(mode="after")
    def _a_band(self) -> Band:
        if self.low is None and self.high is None:
            raise ValueError("a band needs low or high")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"low is {self.low}, above high, {self.high}")
        return self


@dataclass(frozen=True)
class Checked:
    """One metric of one cell held against its band: `left` if it is outside; `which` band or baseline."""

    cell: Cell
    metric: str
    unit: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    band: tuple[float | None, float | None]
    left: bool


def read_bands(path: Path, plan: Plan) -> list[tuple[Band, Cell]]:
    """The bands of a file with the cells they are about; ConfigError on anything that does not fit the plan."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: can't be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None
    for key in data:
        if key != "band":
            raise ConfigError(f"{path}: {unknown('key', key, ['band'])}")
    given = data.get("band", [])
    if not isinstance(given, list) or not given:
        raise ConfigError(f"{path}: no bands; each stands under [[band]] with config, players, metric, low and high")
    cells = {(cell.config_name, cell.players): cell for cell in plan.cells}
    found = []
    for number, each in enumerate(given, 1):
        where = f"{path}: band {number}"
        band = _band(each, where)
        if band.config not in plan.config_names:
            raise ConfigError(f"{where}: {unknown('configuration', band.config, plan.config_names)}")
        cell = cells.get((band.config, band.players))
        if cell is None:
            players = sorted(count for name, count in cells if name == band.config)
            raise ConfigError(f"{where}: players {band.players}: {band.config} has {', '.join(map(str, players))}")
        names = [metric.name for metric in cell.game.metrics]
        if band.metric not in names:
            raise ConfigError(f"{where}: {unknown('metric', band.metric, names)}")
        found.append((band, cell))
    return found


def _band(given: Any, where: str) -> Band:
    try:
        return Band.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        message = str(first["msg"]).removeprefix("Value error, ")
        known = ", ".join(Band.model_fields)
        if first["type"] == "extra_forbidden":
            raise ConfigError(f"{where}: {unknown('key', key, Band.model_fields)}") from None
        raise ConfigError(f"{where}: {key + ': ' if key else ''}{message}; a band has {known}") from None


def against_bands(
    bands: Sequence[tuple[Band, Cell]], totals: Sequence[CellTotals], share: float = 1.0
) -> Iterator[Checked]:
    """Each band and what the run says; `share` of the 5 % of false alarms is theirs."""
    level = 1 - share * (1 - LEVEL) / len(bands)
    for band, cell in bands:
        metric = cell.game.metric(band.metric)
        got = estimate(metric, totals[cell.index][metric.name], level)
        low, high = (got.estimate if each is None else each for each in (got.low, got.high))
        left = got.estimate is not None and (
            (band.low is not None and high is not None and high < band.low)
            or (band.high is not None and low is not None and low > band.high)
        )
        bounds = (band.low, band.high)
        yield Checked(cell, metric.name, metric.unit, got.estimate, got.low, got.high, got.n, bounds, left)


def against_run(both: Comparison, metrics: Sequence[str] | None = None, share: float = 1.0) -> Iterator[Checked]:
    """Each metric and what it was: left if it differs by surely more than what counts as no change."""
    chosen = [each for each in both.matches[0].a.game.metrics if metrics is None or each.name in metrics]
    level = 1 - share * (1 - LEVEL) / (len(chosen) * len(both.matches))
    for place, match in enumerate(both.matches):
        for metric in chosen:
            effect = both.effect(place, metric, level)
            margin = margin_of(metric, effect)
            was = effect.a.estimate
            if was is None:
                continue
            left = effect.low is not None and effect.high is not None and (effect.low > margin or effect.high < -margin)
            band = (was - margin, was + margin)
            b = effect.b
            yield Checked(match.b, metric.name, metric.unit, b.estimate, b.low, b.high, effect.n, band, left)


def bands_text(plan: Plan, totals: Sequence[CellTotals], metrics: Sequence[str], width: float) -> str:
    """A file of bands around what a run had, `width` to each side of the interval: a start for one's own."""
    lines = [
        f"# Bands around what {plan.games:,} games of each cell gave under seed {plan.seed}: the 95 % interval and",
        f"# {width:g} more to each side. See `alchemy-sim check`.",
    ]
    for cell in plan.cells:
        for name in metrics:
            got = estimate(cell.game.metric(name), totals[cell.index][name])
            if got.low is None or got.high is None:
                continue
            low, high = got.low - width, got.high + width
            if cell.game.metric(name).unit == "pp":
                low, high = max(low, 0.0), min(high, 1.0)
            lines += [
                "",
                "[[band]]",
                f'config = "{cell.config_name}"',
                f"players = {cell.players}",
                f'metric = "{name}"',
                f"low = {low:.4f}",
                f"high = {high:.4f}",
            ]
    return "\n".join(lines) + "\n"
