"""Where a key stands: the layers a configuration is made of, and the line of a key in a file.

tomllib tells no positions. But a prefix of a file's lines parses exactly when no statement is cut, and the keys it
holds only grow with its length: so the line of a key is found by bisection, for every way TOML can write it.
"""

from __future__ import annotations

import json
import re
import tomllib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Any

from alchemy_sim.core.errors import ConfigError

#: A key: names of tables, then the name in the last one; a number is a place in a list of tables.
Path = tuple[str | int, ...]

_WIDTH = 60
#: Longer files are answered without a line: parsing prefixes would take seconds.
_MOST_LINES = 2000
_NOTHING = object()


def one_line(text: str) -> str:
    """The text with everything escaped that a terminal would not print on one line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def shortened(text: str, width: int = _WIDTH) -> str:
    """The text on one line, cut to `width` characters."""
    line = one_line(text)
    return line if len(line) <= width else line[: width - 3] + "..."


def written(value: Any) -> str:
    """A value as one would write it in TOML, on one line and cut when long."""
    return shortened(_written(value))


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_written(each)}" for key, each in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_written, value)) + "]"
    try:
        return "none" if value is None else str(value)
    except ValueError:  # Python refuses to write integers of thousands of digits
        return "a huge number"


def dotted(path: Path) -> str:
    """`rulings.trick_order`, `areas[0].size`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return shortened(text.removeprefix("."))


def parse_toml(text: str, label: str) -> dict[str, Any]:
    """The tables of a TOML text; ConfigError says the line that breaks it."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ConfigError(f"{label}: lists or tables are nested too deeply") from None
    except ValueError as error:  # TOMLDecodeError, and Python's own on numbers of thousands of digits
        what = str(error)
        at = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", what)
        if at is None:
            digits = re.search(r"[0-9_]{4000,}", text)
            place = f":{text[: digits.start()].count(chr(10)) + 1}" if digits else ""
            raise ConfigError(f"{label}{place}: not valid TOML: a number is too long") from None
        line = at[1] or str(text.rstrip().count("\n") + 1)
        column = f" (column {at[2]})" if at[2] else " (at the end of the file)"
        raise ConfigError(f"{label}:{line}: not valid TOML: {shortened(what[: at.start()])}{column}") from None


def value_at(data: Any, path: Path, default: Any = None) -> Any:
    """What stands at `path` in nested tables and lists."""
    for part in path:
        inside = isinstance(data, Mapping) and part in data
        inside = inside or (isinstance(data, list | tuple) and isinstance(part, int) and part < len(data))
        if not inside:
            return default
        data = data[part]
    return data


def _prefix(lines: list[str], count: int) -> tuple[int, dict[str, Any]]:
    """The longest prefix of at most `count` lines that parses, and its tables."""
    while count > 0:
        try:
            return count, tomllib.loads("\n".join(lines[:count]))
        except ValueError:
            count -= 1
    return 0, {}


def line_of(text: str, path: Path) -> int | None:
    """The line (from 1) where the statement that gives `path` starts, in a text that parses; None if it has none."""
    lines = text.replace("\r\n", "\n").split("\n")

    def held(count: int) -> bool:
        return value_at(_prefix(lines, count)[1], path, _NOTHING) is not _NOTHING

    if len(lines) > _MOST_LINES or not held(len(lines)):
        return None
    ends = bisect_left(range(len(lines)), True, key=held)
    return _prefix(lines, ends - 1)[0] + 1


@dataclass(frozen=True)
class Layer:
    """One source of keys: a file, or an option of the command line (`text` is None then)."""

    label: str
    data: Mapping[str, Any]
    text: str | None = None
    #: where the text gives all of `data`, if it doesn't stand there as it is (an override of an experiment)
    stands_at: Path | None = None

    def holds(self, path: Path) -> bool:
        """Whether this layer gives that key."""
        return value_at(self.data, path, _NOTHING) is not _NOTHING

    def line(self, path: Path) -> int | None:
        """The line of the key, if this is a file and has it."""
        return None if self.text is None or not path else line_of(self.text, self.stands_at or path)

    def at(self, path: Path) -> str:
        """`mission.toml:3`, or the option."""
        line = self.line(path)
        return self.label if line is None else f"{self.label}:{line}"
