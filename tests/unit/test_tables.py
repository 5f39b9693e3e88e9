"""Rows as table, JSON, CSV and Markdown; digits."""

from __future__ import annotations

import io
import json
import re

import pytest

from alchemy_sim.report.tables import Table, as_csv, as_json, as_markdown, as_table, decimals, interval, plain_table

ROWS = [
    {"name": "a|b", "n": 3, "note": None, "many": [3, 4], "yes": True},
    {"name": 'Säure, "x"', "n": 12, "note": "", "many": [], "yes": False},
]


@pytest.mark.parametrize(
    ("half", "expected"),
    [(1.1, 1), (0.95, 1), (0.35, 2), (0.36, 1), (0.0011, 4), (36, 0), (12345, 0), (3.5, 1), (3.6, 0), (0, 3)],
)  # fmt: skip
def test_digits_follow_the_half_width(half, expected):
    assert decimals(half) == expected


@pytest.mark.parametrize(
    ("numbers", "unit", "expected"),
    [
        ((0.612, 0.601, 0.623), "pp", "61.2 % (60.1 to 62.3)"),
        ((0.61234, 0.61233, 0.61235), "pp", "61.2340 % (61.2330 to 61.2350)"),
        ((17.31234, 17.1, 17.5), "", "17.31 (17.10 to 17.50)"),
        ((123456.7, 123000.0, 124000.0), "", "123,457 (123,000 to 124,000)"),
        ((0.0, 0.0, 0.0037), "pp", "0 % (up to 0.37)"),
        ((1.0, 0.9963, 1.0), "pp", "100 % (from 99.63)"),
        ((-0.001, -0.5, 0.4), "", "0.0 (-0.5 to 0.4)"),
        ((None, None, None), "pp", "-"),
        ((20.0, None, None), "", "20"),
        ((0.333333, None, None), "pp", "33.3 %"),
        ((123456.0, None, None), "", "123,456"),
    ],
)
def test_an_estimate_reads_with_its_interval(numbers, unit, expected):
    assert interval(*numbers, unit) == expected


def test_json_is_one_object_with_the_command():
    parsed = json.loads(as_json("run", ROWS, more=1))
    assert parsed == {"command": "run", "more": 1, "rows": ROWS}
    assert "Säure" in as_json("run", ROWS)


def test_csv_quotes_and_leaves_what_is_absent_empty():
    assert as_csv(ROWS) == 'name,n,note,many,yes\na|b,3,,"3, 4",yes\n"Säure, ""x""",12,,,no\n'
    assert as_csv([{"a": 1}, {"b": None}]) == "a,b\n1,\n,\n"


def test_markdown_sets_numbers_right_and_escapes():
    table = Table(["name", "n"], [["a|b *", "3"]], "Title", frozenset({1}), ["* assumed"])
    assert as_markdown([table]) == "**Title**\n\n| name | n |\n| --- | ---: |\n| a\\|b * | 3 |\n\n\\* assumed\n"


def test_a_piped_table_is_never_cut_and_has_no_colour():
    table = Table([f"column {place}" for place in range(40)], [["x" * 30] * 40], "T", notes=["note " * 60])
    lines = as_table([table]).split("\n")
    assert lines[0] == "T"
    assert lines[3].split() == ["x" * 30] * 40
    assert "\x1b" not in "".join(lines)
    assert all(line == line.rstrip() for line in lines)
    assert lines[4] == ("note " * 60).rstrip()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_table_too_wide_for_a_terminal_is_cut_into_several(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    table = Table(["key", *(f"column {place}" for place in range(8))], [["k1", *["12345678"] * 8]], notes=["end"])
    lines = re.sub(r"\x1b\[[0-9;]*m", "", as_table([table], Terminal())).split("\n")
    assert max(map(len, lines)) <= 60
    assert sum("k1" in line for line in lines) == 2
    assert sum("end" in line for line in lines) == 1
    assert sum(line.count("12345678") for line in lines) == 8


def test_plain_rows_become_a_table():
    table = plain_table(ROWS)
    assert table.columns == ["name", "n", "note", "many", "yes"]
    assert table.rows[0] == ["a|b", "3", "-", "3, 4", "yes"]
    assert table.numbers == {1}
    assert plain_table([]).rows == []
