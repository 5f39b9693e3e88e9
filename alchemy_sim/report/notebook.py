"""Tables as HTML for a notebook cell."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from alchemy_sim.report.tables import Table


def as_html(tables: Sequence[Table]) -> str:
    """Tables with their titles and notes; every word is escaped."""
    return "\n".join(_one(table) for table in tables)


def _one(table: Table) -> str:
    title = f"<caption style='text-align:left'><b>{escape(table.title)}</b></caption>" if table.title else ""
    head = "".join(_cell("th", place, table, text) for place, text in enumerate(table.columns))
    rows = "".join(
        "<tr>" + "".join(_cell("td", place, table, text) for place, text in enumerate(row)) + "</tr>"
        for row in table.rows
    )
    notes = "".join(f"<div><small>{escape(note)}</small></div>" for note in table.notes)
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{notes}"


def _cell(tag: str, place: int, table: Table, text: str) -> str:
    side = "right" if place in table.numbers else "left"
    return f"<{tag} style='text-align:{side}'>{escape(text)}</{tag}>"
