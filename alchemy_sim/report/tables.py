"""Rows as a table, JSON, CSV or Markdown, with no more digits than the intervals support."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor, log10
from typing import IO, Any

FORMATS = ("table", "json", "csv", "md")

#: Stands where there is nothing to show.
NOTHING = "-"
#: Width given to what isn't a terminal: wide enough never to cut a line.
_WIDE = 10_000
#: Columns between two columns.
_GAP = 3


@dataclass(frozen=True)
class Table:
    """Words in rows and columns. `numbers` are the columns set to the right; `notes` stand below.

    A table too wide for its terminal is cut into several that repeat the first `keys` columns."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""
    numbers: frozenset[int] = frozenset()
    notes: Sequence[str] = ()
    keys: int = 1


def decimals(half: float) -> int:
    """How many decimals a value with an interval of that half-width supports.

    The half-width is shown with two digits if they are at most 35, else with one: the rule of the Particle Data Group
    (Review of Particle Physics, introduction, "Rounding"), so that rounding moves a bound by 5 % to 14 % of it at most.
    """
    if half <= 0:
        return 3
    place = floor(log10(half))
    two_digits = round(half / 10.0 ** (place - 1))
    return max(0, (1 if two_digits <= 35 else 0) - place)


def number(value: float, places: int) -> str:
    """A number with so many decimals, thousands apart, and no minus before zero."""
    text = f"{value:,.{places}f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text


def interval(estimate: float | None, low: float | None, high: float | None, unit: str = "") -> str:
    """An estimate with its interval: `61.2 % (60.1 to 62.3)` for unit "pp", else `17.3 (17.1 to 17.5)`."""
    if estimate is None:
        return NOTHING
    factor, sign = (100.0, " %") if unit == "pp" else (1.0, "")
    if low is None or high is None:
        return f"{factor * estimate:,.3g}{sign}" if abs(factor * estimate) < 1000 else f"{estimate:,.0f}{sign}"
    places = decimals(factor * (high - low) / 2)
    if estimate == low == 0:
        return f"0{sign} (up to {number(factor * high, places)})"
    if estimate == high == 1 and sign:
        return f"100{sign} (from {number(factor * low, places)})"
    shown = [number(factor * value, places) for value in (estimate, low, high)]
    return f"{shown[0]}{sign} ({shown[1]} to {shown[2]})"


def as_json(command: str, rows: Sequence[Mapping[str, Any]], **more: Any) -> str:
    """One JSON object with `command`, what else the command says, and `rows`."""
    return json.dumps({"command": command, **more, "rows": list(rows)}, ensure_ascii=False, allow_nan=False) + "\n"


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows with a head line, in the order of the first one's keys; what is absent is empty."""
    text = io.StringIO(newline="")
    keys = list(dict.fromkeys(key for row in rows for key in row))
    writer = csv.DictWriter(text, keys, lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: "" if value is None else _plain(value) for key, value in row.items()} for row in rows)
    return text.getvalue()


def as_markdown(tables: Sequence[Table]) -> str:
    """Tables in Markdown, with their titles and notes."""
    blocks = []
    for table in tables:
        lines = [f"**{table.title}**", ""] if table.title else []
        rule = ["---:" if place in table.numbers else "---" for place in range(len(table.columns))]
        head, *body = ([cell.replace("|", "\\|") for cell in row] for row in (table.columns, *table.rows))
        lines += [f"| {' | '.join(row)} |" for row in (head, rule, *body)]
        lines += [line for note in table.notes for line in ("", note.replace("*", "\\*"))]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def as_table(tables: Sequence[Table], stream: IO[str] | None = None) -> str:
    """Aligned tables with their titles and notes; colours and a width only for a `stream` that is a terminal."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    terminal = stream is not None and stream.isatty()
    buffer = io.StringIO()
    width = Console(file=stream).width if terminal else _WIDE
    console = Console(
        file=buffer, width=width, force_terminal=terminal, color_system="auto" if terminal else None, highlight=False
    )
    narrow = [piece for table in tables for piece in (_pieces(table, width) if terminal else [table])]
    for place, table in enumerate(narrow):
        if place:
            console.print()
        if table.title:
            console.print(Text(table.title, style="bold"))
        grid = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
        for index, name in enumerate(table.columns):
            grid.add_column(Text(name), justify="right" if index in table.numbers else "left", overflow="fold")
        for row in table.rows:
            grid.add_row(*(Text(cell) for cell in row))
        console.print(grid)
        for note in table.notes:
            console.print(Text(note, style="dim"))
    return "\n".join(line.rstrip() for line in buffer.getvalue().split("\n"))


def _pieces(table: Table, width: int) -> list[Table]:
    """The table in pieces no wider than `width`, where its columns allow it."""
    widths = [max(map(len, column)) + _GAP for column in zip(table.columns, *table.rows, strict=True)]
    pieces: list[list[int]] = [[]]
    for place in range(table.keys, len(widths)):
        used = sum(widths[each] for each in (*range(table.keys), *pieces[-1], place)) - _GAP
        if pieces[-1] and used > width:
            pieces.append([])
        pieces[-1].append(place)
    found = []
    for index, piece in enumerate(pieces):
        taken = [*range(table.keys), *piece]
        numbers = frozenset(new for new, old in enumerate(taken) if old in table.numbers)
        rows = [[row[place] for place in taken] for row in table.rows]
        found.append(replace(table, columns=[table.columns[place] for place in taken], rows=rows, numbers=numbers))
        if index < len(pieces) - 1:
            found[-1] = replace(found[-1], notes=())
    return found


def plain_table(rows: Sequence[Mapping[str, Any]], title: str = "") -> Table:
    """Rows of plain values as a table, in the order of the first one's keys."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    shown = [[NOTHING if row.get(key) in (None, "") else _plain(row[key]) for key in keys] for row in rows]
    numbers = frozenset(
        place
        for place, key in enumerate(keys)
        if all(isinstance(row.get(key), int | float) and not isinstance(row.get(key), bool) for row in rows)
    )
    return Table(keys, shown, title, numbers)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value))
    return str(value)
