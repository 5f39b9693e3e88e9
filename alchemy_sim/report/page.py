"""A run as one page of HTML that needs nothing else: figures, tables and style are inside."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from alchemy_sim.core.errors import UsageError
from alchemy_sim.mc.files import reason, write_atomically
from alchemy_sim.mc.provenance import configurations
from alchemy_sim.mc.record import Record
from alchemy_sim.report.findings import findings
from alchemy_sim.report.head import configuration_table, facts, lines
from alchemy_sim.report.part import Part
from alchemy_sim.report.runs import assumed_notes, method_note
from alchemy_sim.report.sections import blocks

SUFFIX = ".html"
_INTERVAL = re.compile(r"(?<=\S) \(((?:-?[\d.,]+ to -?[\d.,]+)|(?:up to|from) [\d.,]+)\)")


@dataclass(frozen=True)
class Report:
    """A page, and the rows of the numbers it shows."""

    html: str
    rows: list[Mapping[str, Any]]


def report(record: Record) -> Report:
    """The page of a run, and its rows: the same for the same run."""
    plan = record.plan
    games = {cell.game.name: cell.game for cell in plan.cells}.values()
    parts = [Part.of(plan, game, record.totals) for game in games]
    sections = [(part, blocks(part)) for part in parts]
    rows = [row for _, each in sections for block in each for row in block.rows]
    assumed = assumed_notes(plan)
    environment = Environment(
        loader=PackageLoader("alchemy_sim", "report/templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"words": _words, "safe_svg": Markup}
    html = environment.get_template("report.html.j2").render(
        title=plan.title,
        facts=facts(record, parts),
        configurations=[configuration_table(part) for part in parts],
        findings=[
            (about if len(parts) == 1 else f"{part.game.title}: {about}", says)
            for part in parts
            for about, says in findings(part)
        ],
        compared=any(part.over for part in parts),
        notes=[part.game.page.note for part in parts if part.game.page.note],
        sections=[
            (block, block.title if len(parts) == 1 else f"{part.game.title}: {block.title}")
            for part, each in sections
            for block in each
        ],
        assumed=assumed[0] if assumed else "",
        method=method_note({row["method"] for row in rows}),
        lines=lines(record),
        metrics=list(dict.fromkeys(row["metric"] for row in rows if "by" not in row)),
        breakdowns=list(dict.fromkeys(each.name for part in parts for each in part.game.breakdowns)),
    )
    return Report(html, rows)


def assumed_values(record: Record) -> dict[str, Any]:
    """The assumed values of a run by configuration."""
    return {each["config"]: each["assumed"] for each in configurations(record.plan) if each["assumed"]}


def page_path(option: str, text: str) -> Path:
    """The file that an option's text means, `.html` added where it is missing; UsageError where none can be."""
    if text.endswith(("/", os.sep)) or os.path.isdir(text):
        raise UsageError(f"{option} {text}: is a folder; name the page in it, such as {Path(text) / 'logbook'}")
    path = Path(text if text.lower().endswith(SUFFIX) else text + SUFFIX)
    if os.path.isdir(path):
        raise UsageError(f"{option} {path}: is a folder")
    return path


def write_page(path: Path, html: str) -> None:
    """Write a page, whole or not at all, with the folders above it; UsageError if that can't be done."""
    made: list[Path] = []
    try:
        for folder in reversed(path.parents):
            if not os.path.isdir(folder):
                folder.mkdir(exist_ok=True)
                made.append(folder)
        write_atomically(path, html.encode())
    except OSError as error:
        with contextlib.suppress(OSError):  # somebody else may be using them by now
            for folder in reversed(made):
                folder.rmdir()
        raise UsageError(f"{path}: can't be written: {reason(error)}") from None


def _words(text: str) -> Markup:
    """Text with its intervals set back, and its marks of assumed values leading to the footnote."""
    found = _INTERVAL.sub(r' <span class="ci">(\1)</span>', str(escape(text)))
    return Markup(re.sub(r"(?<=\S) \*(?=[\s,.;:)]|$)", '\u00a0<a class="mark" href="#assumed">*</a>', found))
