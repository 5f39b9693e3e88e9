"""What a run found, in sentences: the ends of the headline metric, the commonest of a family, the ends of breakdowns.

Every number in them is one of the page's own, with its interval. Two configurations are called apart only where their
intervals do not overlap: whatever deals they share, their difference is then not 0 at the intervals' level.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from alchemy_sim.core.game import Metric
from alchemy_sim.core.page import Family, Finding, Section
from alchemy_sim.report.part import Part, Row, common, merged_rows, players, pooled_rows, rows_of
from alchemy_sim.report.runs import headline_split, label
from alchemy_sim.report.tables import interval

#: Configurations named as not told apart from the first; more are counted.
_NAMED = 2


class Sentence(NamedTuple):
    """A sentence of the findings: what it is about, and what it says."""

    about: str
    says: str


def findings(part: Part) -> list[Sentence]:
    """The sentences on one game's cells."""
    families = headline_split(part.game)[1]
    found = [_headline(part)]
    found += [_commonest(part, each, families[each.word]) for each in part.game.page.families if each.word in families]
    for section in part.game.page.sections:
        rows = merged_rows(part, section)
        found += [_ends(part, section, each, rows) for each in section.findings]
    return [Sentence(about, says) for about, says in found if says]


def _headline(part: Part) -> Sentence:
    metric = part.game.metric(part.game.headline)
    rows = [row for row in rows_of(part, [metric]) if row["estimate"] is not None]
    if len(part.configs) == 1:
        return Sentence(label(metric).capitalize(), _by_players(part, rows, lambda mine: _value(mine[0], metric.unit)))
    page = part.game.page
    above, below = (page.high, page.low) if metric.better != "low" else (page.low, page.high)

    def ends(mine: Sequence[Row]) -> str:
        high, low = (_end(part, mine, metric.unit, highest) for highest in (True, False))
        return f"{above} {high}; {below} {low}"

    about = f"{above.capitalize()} and {below} {page.configuration}"
    return Sentence(about, _by_players(part, rows, ends))


def _end(part: Part, rows: Sequence[Row], unit: str, highest: bool) -> str:
    """The configuration at one end, and those that its interval does not tell it apart from."""
    first = (max if highest else min)(rows, key=lambda row: row["estimate"])
    like = [part.names[row["config"]] for row in rows if row is not first and _overlap(row, first)]
    named = f"{part.names[first['config']]}, {_value(first, unit)}"
    if not like:
        return named
    others = " or ".join(like) if len(like) <= _NAMED else f"{len(like)} others"
    return f"{named}, not told apart from {others}"


def _overlap(one: Row, other: Row) -> bool:
    if None in (one["low"], one["high"], other["low"], other["high"]):
        return True
    return bool(one["low"] <= other["high"] and other["low"] <= one["high"])


def _commonest(part: Part, family: Family, metrics: Sequence[Metric]) -> Sentence:
    """The family's commonest metric at each number of players, over all configurations."""

    def first(mine: Sequence[Row]) -> str:
        row = max(mine, key=lambda each: each["estimate"])
        name = label(part.game.metric(row["metric"])).removeprefix(f"{family.word} ")
        return f"{name}, {_value(row, 'pp')} of all games"

    return Sentence(
        family.finding, _by_players(part, [row for row in pooled_rows(part, metrics) if row["estimate"]], first)
    )


def _ends(part: Part, section: Section, finding: Finding, rows: Sequence[Row]) -> Sentence:
    """The labels at one end of a split, at each number of players."""
    breakdown = next(each for each in part.game.breakdowns if each.name == section.by)
    unit = next(each.unit for each in breakdown.splits if each.name == finding.split)
    known = common([row for row in rows if row["metric"] == finding.split and row["estimate"] is not None])

    def first(mine: Sequence[Row]) -> str:
        order = sorted(mine, key=lambda row: row["estimate"], reverse=finding.highest)
        return "; ".join(
            finding.says.format(label=section.names.get(row["label"], row["label"]), value=_value(row, unit))
            for row in order[: finding.count]
        )

    return Sentence(finding.about, _by_players(part, known, first))


def _by_players(part: Part, rows: Sequence[Row], tell: Callable[[Sequence[Row]], str]) -> str:
    """What `tell` says of the rows of each number of players."""
    mine = {count: [row for row in rows if row["players"] == count] for count in part.counts}
    return ". ".join(f"With {players(count)}: {tell(each)}" for count, each in mine.items() if each)


def _value(row: Row, unit: str) -> str:
    return interval(row["estimate"], row["low"], row["high"], unit)
