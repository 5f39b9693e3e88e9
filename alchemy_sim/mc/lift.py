"""What one factor is worth: every variant of it against its absence, on the same deals, as one family of verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module

import numpy as np
from scipy.stats import false_discovery_control, norm

from alchemy_sim.config.load import Experiment, Setting, load
from alchemy_sim.config.model import Rulings
from alchemy_sim.core.errors import UsageError, unknown
from alchemy_sim.core.game import Breakdown, Encoded, Game, Metric, Variant
from alchemy_sim.core.game import game as find_game
from alchemy_sim.mc.compare import Finding, finding, play_both
from alchemy_sim.mc.plan import Cell, Part, Plan, plan
from alchemy_sim.mc.prices import RATE, Price, Prices
from alchemy_sim.mc.runner import Counting, Progress, Workers, play
from alchemy_sim.mc.splits import uncounted
from alchemy_sim.mc.stats import LEVEL, Estimate, estimate
from alchemy_sim.mc.tables import Columns
from alchemy_sim.mc.totals import CellTotals, Totals
from alchemy_sim.mc.verdicts import Family

#: Factors that every game has, and the breakdown whose labels have a price list.
GENERAL = ("ruling", "policy")
PRICED = "task"


@dataclass(frozen=True)
class Lifted:
    """The effect of one variant in one cell."""

    factor: str
    variant: str
    finding: Finding


def factors_of(game: Game) -> list[str]:
    """The factors that can be measured in a game."""
    priced = [PRICED] if any(each.name == PRICED for each in game.breakdowns) else []
    return [*game.factors, *priced, *GENERAL]


def variants_of(game: Game, setting: Setting, factor: str) -> list[Variant]:
    """The variants of a factor in a configuration; UsageError if the game has no such factor."""
    if factor in game.factors:
        return game.factors[factor](setting.config)
    if factor == "ruling":
        found = []
        rulings: Rulings = setting.config.rulings  # type: ignore[attr-defined]
        for switch in rulings.switches():
            now = getattr(rulings, switch.name)
            current = str(now).lower() if isinstance(now, bool) else str(now)
            for value in switch.values:
                if value != current:
                    text = value if value in ("true", "false") else f'"{value}"'
                    found.append(Variant(f"{switch.name} = {value}", (), (f"rulings.{switch.name}={text}",)))
        return found
    raise UsageError(unknown("factor", factor, factors_of(game)))


def lift(
    config: str,
    factor: str,
    games: int | None,
    seed: int | None,
    players: Sequence[int] | None,
    policy: str | None,
    workers: Workers,
    sets: Sequence[str] = (),
    progress: Callable[[Progress], None] | None = None,
) -> list[Lifted]:
    """Measure every variant of a factor; the verdicts on all variants in all cells hold together with 95 % chance."""
    base = load(config, sets, players)
    game = one_game(base)
    pairs: list[tuple[str, Plan, Plan]] = []
    if factor == "policy":
        for name in game.policies:
            a, b = (plan(base, games, seed, policy=each) for each in (policy, name))
            pairs.append((f"{name} in every seat", a, b))
    else:
        names = dict.fromkeys(each.name for setting in base.settings for each in variants_of(game, setting, factor))
        by_name = {each.name: each for setting in base.settings for each in variants_of(game, setting, factor)}
        for name in names:
            sides = (by_name[name].without, by_name[name].having)
            a, b = (plan(load(config, [*sets, *each], players), games, seed, policy=policy) for each in sides)
            pairs.append((name, a, b))
    metric = game.metric(game.headline)
    family = Family(metric.name, len(pairs) * len(pairs[0][1].cells), 0)
    found = []
    for name, a, b in pairs:
        both = play_both(a, b, workers, progress=progress)
        found += [Lifted(factor, name, finding(both, place, metric, family)) for place in range(len(both.matches))]
    return found


def one_game(experiment: Experiment) -> Game:
    """The game of an experiment; UsageError if it has several."""
    names = {setting.game for setting in experiment.settings}
    if len(names) > 1:
        raise UsageError(f"{experiment.name} has several games ({', '.join(sorted(names))}); name one's configuration")
    return find_game(names.pop())


# ---- pairs of variants -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Four:
    """The cell with neither of two variants, with one, with the other, and with both."""

    encoded: tuple[Encoded, ...]


def count_fours(module: str, four: Four, seed: int, first: int, count: int, _keep: bool) -> tuple[CellTotals, None]:
    """What a worker does: by how much both together differ from the sum of each, game by game."""
    game: Game = import_module(module).GAME
    metric = game.metric(game.headline)
    none, one, other, both = (
        metric.numerator(game.simulate(each, seed, first, count)).astype(np.int64) for each in four.encoded
    )
    extra = both - one - other + none
    total = int(extra.sum())
    return {"extra": Totals(count, total, count, int((extra * extra).sum()), count, total)}, None


@dataclass(frozen=True)
class Together:
    """What two variants are worth together beyond the sum of each, in one cell."""

    factor: str
    cell: Cell
    one: str
    other: str
    extra: Estimate
    chance: float
    stands_out: bool = False


def together(
    config: str,
    factor: str,
    games: int | None,
    seed: int | None,
    players: Sequence[int] | None,
    policy: str | None,
    workers: Workers,
    sets: Sequence[str] = (),
    progress: Callable[[Progress], None] | None = None,
) -> list[Together]:
    """The interaction of every two variants of a factor, on the same deals with neither, one, the other and both."""
    base = load(config, sets, players)
    game = one_game(base)
    found: list[Together] = []
    for quartet in game.quartets[factor](base.settings[0].config):
        plans = [plan(load(config, [*sets, *each], players), games, seed, policy=policy) for each in quartet.sets]
        fours = [Four(tuple(cell.encoded for cell in four)) for four in zip(*(p.cells for p in plans), strict=True)]
        played = play(plans[0], workers, None, progress, None, Counting(count_fours, fours))
        for cell in plans[0].cells:
            totals: Totals = played.totals[cell.index]["extra"]
            extra = estimate(Metric("extra", "mean", "", uncounted), totals, LEVEL)
            spread = (totals.xx / totals.n - (totals.x / totals.n) ** 2) / totals.n
            chance = 2 * float(norm.sf(abs(totals.x / totals.n) / spread**0.5)) if spread > 0 else 1.0
            found.append(Together(factor, cell, quartet.one, quartet.other, extra, chance))
    if not found:
        return []
    out = false_discovery_control([each.chance for each in found]) <= RATE
    return [replace(each, stands_out=bool(stands)) for each, stands in zip(found, out, strict=True)]


# ---- the price list ----------------------------------------------------------------------------------------


def keep_games(
    module: str, encoded: Encoded, seed: int, first: int, count: int, _keep: bool
) -> tuple[CellTotals, Mapping[str, np.ndarray]]:
    """What a worker does for games that are looked at one by one: nothing is counted."""
    game: Game = import_module(module).GAME
    return {}, game.simulate(encoded, seed, first, count)


class _Carried:
    """A sink that keeps of each game which labels it carries, and its success."""

    wants_columns = True

    def __init__(self, cells: Sequence[Cell], breakdown: Breakdown) -> None:
        self._cells = cells
        self._breakdown = breakdown
        self.kept: dict[int, list[tuple[np.ndarray, np.ndarray]]] = {cell.index: [] for cell in cells}

    def done(self, part: Part, _totals: CellTotals, columns: Columns | None) -> None:
        assert columns is not None
        game = self._cells[part.cell].game
        success = game.metric(game.headline).numerator(columns).astype(np.int8)
        labels = [label for label, _, _ in self._breakdown.splits[0].strips(columns)]
        carried = np.stack(labels, axis=1) if labels else np.zeros((len(success), 0), np.int8)
        self.kept[part.cell].append((carried, success))


@dataclass(frozen=True)
class PriceList:
    """The prices of one cell: single labels and pairs."""

    cell: Cell
    labels: tuple[str, ...]
    singles: list[Price]
    pairs: list[Price]


def price_lists(
    planned: Plan, workers: Workers, pairs: bool, progress: Callable[[Progress], None] | None = None
) -> list[PriceList]:
    """What each label of the breakdown `PRICED` costs, by cell; all intervals of a cell hold together."""
    breakdown = next(each for each in planned.cells[0].game.breakdowns if each.name == PRICED)
    sink = _Carried(planned.cells, breakdown)
    play(planned, workers, sink, progress, None, Counting(keep_games))
    found = []
    for cell in planned.cells:
        carried, success = (np.concatenate(each) for each in zip(*sink.kept[cell.index], strict=True))
        if carried.shape[1] == 0:
            continue
        prices = Prices(carried, success, len(breakdown.labels))
        level = 1 - (1 - LEVEL) / max(1, len(prices.priced))
        found.append(PriceList(cell, breakdown.labels, prices.singles(level), prices.pairs(LEVEL) if pairs else []))
    return found
