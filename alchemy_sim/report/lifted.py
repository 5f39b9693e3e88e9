"""The tables of `lift`: what each variant of a factor is worth, largest first, and the price list of tasks."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any

from alchemy_sim.mc.lift import Lifted, PriceList, Together
from alchemy_sim.mc.prices import Price
from alchemy_sim.mc.stats import proportion
from alchemy_sim.report.compared import comparison_rows, effect_text, shown, verdict_text
from alchemy_sim.report.tables import NOTHING, Table, interval

#: Half the width of a tornado's bar, in characters.
_BAR = 12
#: So many pairs are told in a table.
_PAIRS = 20


def lift_rows(found: Sequence[Lifted]) -> list[dict[str, Any]]:
    """One row a cell and variant: those of `compare`, with factor and variant."""
    rows = []
    for each in found:
        (row,) = comparison_rows([each.finding])
        row["config"] = each.finding.match.a.config_name
        rows.append({"factor": each.factor, "variant": each.variant, **row})
    return rows


def lift_tables(found: Sequence[Lifted], title: str) -> list[Table]:
    """One table a cell, the largest effect first, with a bar for each: a tornado."""
    largest = max((abs(each.finding.effect.effect or 0.0) for each in found), default=0.0)
    tables = []
    for key in dict.fromkeys(_cell(each) for each in found):
        mine = [each for each in found if _cell(each) == key]
        metric = mine[0].finding.metric
        mine.sort(key=lambda each: -abs(each.finding.effect.effect or 0.0))
        rows = [
            [
                each.variant,
                shown(each.finding.effect.a, metric.unit),
                shown(each.finding.effect.b, metric.unit),
                effect_text(each.finding.effect, metric.unit),
                _bar(each.finding.effect.effect or 0.0, largest),
                NOTHING if each.finding.effect.gain is None else f"{each.finding.effect.gain:.2f}",
                verdict_text(each.finding),
            ]
            for each in mine
        ]
        word = metric.name.replace("_", " ")
        unit = ", points" if metric.unit == "pp" else ""
        columns = [mine[0].factor, f"{word} without", "with", f"effect{unit}", "", "pairing gain", "verdict"]
        tables.append(Table(columns, rows, f"{title}: {key[0]}, {key[1]} players", frozenset({1, 2, 3, 5})))
    if tables:
        first = found[0].finding
        notes = (
            f"{first.effect.n:,} games each, with and without on the same deals",
            "all intervals of the effects hold together with 95 % chance",
        )
        tables[-1] = Table(**{**vars(tables[-1]), "notes": notes})
    return tables


def _cell(each: Lifted) -> tuple[str, int]:
    return each.finding.match.a.title, each.finding.match.a.players


def _bar(value: float, largest: float) -> str:
    """A bar to the left or right of the middle, as long as the value."""
    size = round(_BAR * abs(value) / largest) if largest else 0
    left, right = ("█" * size, "") if value < 0 else ("", "█" * size)
    return f"{left:>{_BAR}}│{right:<{_BAR}}"


def price_rows(lists: Sequence[PriceList]) -> list[dict[str, Any]]:
    """One row a cell and task, or pair of tasks: cost in log-odds with interval, games, games won."""
    rows = []
    for each in lists:
        for price in [*each.singles, *each.pairs]:
            alone = len(price.labels) == 1
            rows.append(
                {
                    "factor": "task",
                    "variant": "+".join(each.labels[label] for label in price.labels),
                    "config": each.cell.config_name,
                    "players": each.cell.players,
                    "metric": "log_odds_cost" if alone else "log_odds_cost_together",
                    "estimate": price.cost,
                    "low": price.low,
                    "high": price.high,
                    "n": price.n,
                    "method": "logistic" if alone else "logistic-score",
                    "won": price.successes,
                    "stands_out": price.stands_out,
                }
            )
    return rows


def price_tables(lists: Sequence[PriceList], title: str) -> list[Table]:
    """The price list of each cell, the dearest first, and the pairs that stand out."""
    tables = []
    for each in lists:
        singles = sorted(each.singles, key=lambda price: -(price.cost if price.cost is not None else 99.0))
        rows = [_price_row(each, price) for price in singles]
        columns = ["task", "games", "won with it", "cost, log-odds", "odds of losing"]
        where = f"{each.cell.title}, {each.cell.players} players"
        notes = ("cost: against the average task; all intervals of a table hold together with 95 % chance",)
        tables.append(Table(columns, rows, f"{title}: {where}", frozenset({1, 2, 3, 4}), notes))
        apart = sorted((price for price in each.pairs if price.stands_out), key=lambda price: -abs(price.cost or 0.0))
        if each.pairs:
            told = [_price_row(each, price) for price in apart[:_PAIRS]]
            note = (
                f"{len(apart)} of {len(each.pairs)} pairs stand out (Benjamini-Hochberg, 5 % of them false); "
                "cost: beyond the sum of both; intervals of 95 % each",
            )
            tables.append(Table(["pair", *columns[1:]], told, f"pairs: {where}", frozenset({1, 2, 3, 4}), note))
    return tables


def _price_row(each: PriceList, price: Price) -> list[str]:
    name = " + ".join(each.labels[label] for label in price.labels)
    won = proportion(price.successes, price.n)
    if price.cost is None:
        words = (
            "always lost" if price.successes == 0 else "never lost" if price.successes == price.n else "too few games"
        )
        return [name, f"{price.n:,}", shown(won, "pp"), words, NOTHING]
    cost = interval(price.cost, price.low, price.high)
    return [name, f"{price.n:,}", shown(won, "pp"), cost, f"x {exp(price.cost):.2f}"]


def together_rows(found: Sequence[Together]) -> list[dict[str, Any]]:
    """One row a cell and pair of variants: what both are worth together beyond the sum of each."""
    return [
        {
            "factor": each.factor,
            "variant": f"{each.one}+{each.other}",
            "config": each.cell.config_name,
            "players": each.cell.players,
            "metric": "together",
            **vars(each.extra),
            "p_value": each.chance,
            "stands_out": each.stands_out,
        }
        for each in found
    ]


def together_tables(found: Sequence[Together], title: str) -> list[Table]:
    """A matrix a cell: the extra worth of every pair in points; `*` marks those that stand out."""
    tables = []
    for key in dict.fromkeys((each.cell.title, each.cell.players) for each in found):
        mine = {(each.one, each.other): each for each in found if (each.cell.title, each.cell.players) == key}
        names = list(dict.fromkeys(name for pair in mine for name in pair))
        rows = []
        for one in names:
            row = [one]
            for other in names:
                pair = mine.get((one, other)) or mine.get((other, one))
                if pair is None or pair.extra.estimate is None:
                    row.append(NOTHING)
                else:
                    row.append(f"{100 * pair.extra.estimate:+.1f}{'*' if pair.stands_out else ''}")
            rows.append(row)
        halves = [
            (each.extra.high - each.extra.low) / 2 for each in mine.values() if each.extra.high and each.extra.low
        ]
        size = f", each within {100 * max(halves):.1f} points (95 %)" if halves else ""
        note = f"points of win rate beyond the sum of both{size}; * stands out (Benjamini-Hochberg, 5 % of them false)"
        where = f"{title}, together: {key[0]}, {key[1]} players"
        tables.append(Table(["", *names], rows, where, frozenset(range(1, len(names) + 1)), (note,)))
    return tables
