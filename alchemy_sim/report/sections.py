"""The sections of a game's report page: for each its figures, its tables, and the rows of numbers they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from alchemy_sim.core.game import Breakdown, Metric, Split
from alchemy_sim.core.page import Family, Section
from alchemy_sim.mc.splits import split_rows
from alchemy_sim.report.charts import Series, bars, dots, lines, map_
from alchemy_sim.report.labels import label_tables, split_notes
from alchemy_sim.report.part import RARE, Part, Row, common, mark_of, merged_rows, players, pooled_rows, rows_of
from alchemy_sim.report.runs import family_table, headline_split, label, main_table, seen_of
from alchemy_sim.report.tables import Table

#: Figures that belong together, with their heading.
Group = tuple[str, list[str]]

#: Tables of more rows than these are folded away below their figure.
_FOLDED = 8


@dataclass(frozen=True)
class Block:
    """A section as the page shows it: groups of figures with a heading, which are small ones where they are `maps`."""

    title: str
    text: Sequence[str] = ()
    figures: Sequence[Group] = ()
    tables: Sequence[Table] = ()
    maps: bool = False
    folded: bool = False
    rows: Sequence[Row] = ()


def blocks(part: Part) -> list[Block]:
    """All sections of a game, in order."""
    page = part.game.page
    declared = {each.word for each in page.families}
    families = headline_split(part.game)[1]
    found = [_headline(part, {word: each for word, each in families.items() if word not in declared})]
    found += [_family(part, each, families[each.word]) for each in page.families if each.word in families]
    return found + [_section(part, each) for each in page.sections]


def _headline(part: Part, families: Mapping[str, Sequence[Metric]]) -> Block:
    metric = part.game.metric(part.game.headline)
    shown = headline_split(part.game)[0] + [each for family in families.values() for each in family]
    rows = rows_of(part, [*shown, metric])
    found = _by_cell(part, [row for row in rows if row["metric"] == metric.name], metric)
    percent = metric.unit == "pp"
    words = f"{metric.doc}, 95 % interval" if percent else f"{metric.doc} ({metric.unit}), 95 % interval"
    title = f"{_first(label(metric))} by {part.game.page.configuration} and number of players"
    names = [part.letters(config) for config in part.configs]
    figure = dots(f"{part.game.name}-{metric.name}", title, names, found, words, percent)
    tables = [main_table(part.plan, part.game, part.cells, part.totals)]
    tables += [family_table(part.plan, part.cells, part.totals, word, family) for word, family in families.items()]
    return Block(title, (), [("", [figure])], [replace(tables[0], title=""), *tables[1:]], rows=rows)


def _family(part: Part, family: Family, metrics: Sequence[Metric]) -> Block:
    seen = seen_of(metrics, part.cells, part.totals)
    table = family_table(part.plan, part.cells, part.totals, family.word, metrics)
    rows = rows_of(part, metrics)
    shown = rows + pooled_rows(part, metrics) if part.over else rows
    text = tuple(each for each in (family.text,) if each)
    if not seen:
        return Block(family.title, (*text, *table.notes), rows=shown)
    groups = []
    for config in part.configs:
        counts = [str(cell.players) for cell in part.cells if cell.config_name == config]
        groups.append((part.letters(config), counts))
    series = []
    for metric in seen:
        name = label(metric).removeprefix(f"{family.word} ")
        marks = [mark_of(row, "pp", f"{name}, {part.cell(row)}") for row in rows if row["metric"] == metric.name]
        series.append(Series(name, marks, metrics.index(metric)))
    axis = f"{table.title} (players beside the bars)"
    figure = bars(f"{part.game.name}-{family.word}", family.title, groups, series, axis)
    meanings = tuple(f"{label(each).removeprefix(f'{family.word} ')}: {each.doc}" for each in seen)
    tables = [replace(table, notes=(*meanings, *table.notes))]
    return Block(family.title, text, [("", [figure])], tables, rows=shown)


def _section(part: Part, section: Section) -> Block:
    breakdown = next(each for each in part.game.breakdowns if each.name == section.by)
    splits = {split.name: split for split in breakdown.splits}
    shown = [splits[name] for name in section.splits]
    merged = merged_rows(part, section)
    if not merged:
        return Block(section.title, (f"No game of this run says anything by {section.by}.",))
    tables = [
        replace(table, title=f"With {players(count)}", notes=(), rows=_named(table.rows, section))
        for table, count in zip(label_tables(part.plan, merged, section.by), _tables_counts(merged), strict=True)
    ]
    tables[-1] = replace(tables[-1], notes=split_notes([breakdown], merged))
    rows = merged
    maps = section.figure == "map" and part.over is not None
    if maps:
        each = split_rows(part.cells, part.totals, section.by, section.splits)
        rows = [*each, *merged]
        figures = [_maps(part, section, split, each, merged) for split in shown]
    else:
        figures = [_along(part, section, breakdown, split, merged) for split in shown]
    folded = max(len(table.rows) for table in tables) > _FOLDED
    text = tuple(each for each in (section.text, _games(part, section, rows)) if each)
    return Block(section.title, text, figures, tables, maps, folded, rows)


def _maps(part: Part, section: Section, split: Split, each: Sequence[Row], merged: Sequence[Row]) -> Group:
    """A map for each number of players: labels by configuration, and over all of them."""
    figures = []
    for count in part.counts:
        configs = [cell.config_name for cell in part.cells if cell.players == count]
        mine = [row for row in (*each, *merged) if row["players"] == count and row["metric"] == split.name]
        found = {(row["config"], row["label"]): row for row in mine}
        labels = list(dict.fromkeys(row["label"] for row in mine if row["config"] in configs))
        total = f"all {part.game.page.configuration}s"
        columns = {config: part.letters(config) for config in configs} | {part.plan.name: total}
        marks = [
            [
                mark_of(found.get((config, one)), split.unit, f"{_name(section, one)}, {words}, {players(count)}")
                for config, words in columns.items()
            ]
            for one in labels
        ]
        name = f"{part.game.name}-{section.by}-{split.name}-{count}"
        title = f"{section.title}, {split.doc}: {players(count)}"
        rows = [section.names.get(one, one) for one in labels]
        figures.append(
            map_(name, title, rows, list(columns.values()), marks, (players(count).capitalize(), _label_of(split)))
        )
    return _first(split.doc), figures


def _along(part: Part, section: Section, breakdown: Breakdown, split: Split, merged: Sequence[Row]) -> Group:
    """Dots for each label and number of players, or lines along the labels."""
    mine = [row for row in merged if row["metric"] == split.name]
    if section.figure == "line":
        mine = common(mine)
    labels = [each for each in breakdown.labels if any(row["label"] == each for row in mine)]
    series = []
    for count in part.counts:
        found = {row["label"]: row for row in mine if row["players"] == count}
        marks = [mark_of(found.get(one), split.unit, f"{_name(section, one)}, {players(count)}") for one in labels]
        series.append(Series(players(count), marks, part.place(count)))
    name = f"{part.game.name}-{section.by}-{split.name}"
    title = f"{section.title}: {split.doc}"
    percent = split.unit == "pp"
    words = f"{_label_of(split)}, 95 % interval"
    if section.figure == "line":
        return _first(split.doc), [lines(name, title, labels, series, (section.axis, words), percent)]
    rows = [section.names.get(one, one) for one in labels]
    return _first(split.doc), [dots(name, title, rows, series, words, percent)]


def _label_of(split: Split) -> str:
    """A split's name, with its unit where it is not per cent."""
    unit = "" if split.unit in ("pp", "") else f" ({split.unit})"
    return split.name.replace("_", " ") + unit


def _by_cell(part: Part, rows: Sequence[Row], metric: Metric) -> list[Series]:
    """One series a number of players, a mark for each configuration."""
    found = {(row["config"], row["players"]): row for row in rows}
    return [
        Series(
            players(count),
            [
                mark_of(row, metric.unit, part.cell(row)) if (row := found.get((config, count))) else None
                for config in part.configs
            ],
            part.place(count),
        )
        for count in part.counts
    ]


def _name(section: Section, one: str) -> str:
    """A label with its longer name."""
    return f"{one} {section.names[one]}" if one in section.names else f"{section.by} {one}"


def _named(rows: Sequence[Sequence[str]], section: Section) -> list[list[str]]:
    return [[f"{row[0]} {section.names[row[0]]}" if row[0] in section.names else row[0], *row[1:]] for row in rows]


def _tables_counts(rows: Sequence[Row]) -> list[int]:
    """The numbers of players of the tables that `label_tables` makes of the rows."""
    return [count for _, count in dict.fromkeys((row["config"], row["players"]) for row in rows)]


def _games(part: Part, section: Section, rows: Sequence[Row]) -> str:
    """Which games the numbers stand for."""
    kind = part.game.page.configuration
    blank = "A square is blank where no game has the label. " if section.figure == "map" else ""
    over = f"The {'last columns and the tables are' if section.figure == 'map' else 'numbers are'} over all {kind}s. "
    cut = section.figure == "line" and len(common(rows)) < len(rows)
    rare = f"What fewer than one in {RARE} games have is left out of the figures. " if cut else ""
    counts = [row["n"] for row in rows]
    games = f"From {part.plan.total:,} games; a number stands for {min(counts):,} to {max(counts):,} of them"
    return f"{blank + over if part.over else ''}{rare}{games}. A mark tells its own when the pointer rests on it."


def _first(words: str) -> str:
    """Words with a capital at the start."""
    return words[:1].upper() + words[1:]
