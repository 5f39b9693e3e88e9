"""Values that go over a configuration: `--set key=value`, `--players`, and the [set] table of an experiment."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Any

from alchemy_sim.config.locate import Layer, Path, shortened
from alchemy_sim.config.model import Model, is_tuple, split_optional
from alchemy_sim.core.errors import ConfigError


@dataclass(frozen=True)
class Override:
    """One key with its new value, before it is known which game's configuration it meets."""

    label: str
    key: tuple[str, ...]
    value: Any
    raw: str | None = None  # the value as typed after --set
    text: str | None = None  # the file it stands in, and where
    stands_at: Path | None = None

    def layer(self, model: type[Model]) -> Layer:
        """What it changes in a configuration of that model."""
        key = self._full(model)
        data = self.value if self.raw is None else _fitting(self.value, self.raw, _annotation(model, key), self.label)
        for part in reversed(key):
            data = {part: data}
        return Layer(self.label, data, self.text, self.stands_at)

    def _full(self, model: type[Model]) -> tuple[str, ...]:
        """The key with its table, if it was named without and one table alone has it."""
        if len(self.key) > 1 or self.key[0] in model.model_fields:
            return self.key
        tables = [name for name, table in model.tables().items() if self.key[0] in table.model_fields]
        if len(tables) > 1:
            each = " or ".join(f"{name}.{self.key[0]}" for name in tables)
            raise ConfigError(f'{self.label}: "{self.key[0]}" stands in several tables; write {each}')
        return (*tables, *self.key)


def from_option(entry: str) -> Override:
    """`--set key=value`: the value as TOML, or a bare text."""
    label = f"--set {shortened(entry)}"
    key, equals, raw = entry.partition("=")
    parts = tuple(key.strip().split("."))
    raw = raw.strip()
    if not equals or not key.strip():
        raise ConfigError(f"{label}: write key=value, such as --set limit=24")
    if not all(re.fullmatch(r"[A-Za-z0-9_-]+", part) for part in parts):
        raise ConfigError(f"{label}: not a key; write it like rulings.after_loss, and the value after =")
    if not raw:
        raise ConfigError(f'{label}: no value; an empty text is written {key.strip()}=""')
    return Override(label, parts, _parsed(raw), raw)


def from_table(label: str, text: str, at: tuple[str, ...], table: Mapping[str, Any]) -> Iterator[Override]:
    """The overrides in the table of a file that stands at `at`, one for each key."""
    for path, value in _leaves(table):
        yield Override(label, path, value, None, text, (*at, *path))


def from_players(players: Sequence[int]) -> Override:
    """`--players`."""
    return Override(f"--players {','.join(map(str, players))}".rstrip(), ("players",), list(players))


def merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Both, tables merged at any depth; `above` wins."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        merged[key] = merge(under, value) if isinstance(under, Mapping) and isinstance(value, Mapping) else value
    return merged


def _leaves(table: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping) and value:
            yield from (((key, *rest), leaf) for rest, leaf in _leaves(value))
        else:
            yield (key,), value


def _parsed(raw: str) -> Any:
    """A TOML value, or the text itself where it is none; dates are texts, no configuration holds one."""
    try:
        parsed = tomllib.loads(f"value = {raw}")
    except (ValueError, RecursionError):
        return raw
    value = parsed.get("value")
    return raw if len(parsed) > 1 or isinstance(value, date | time) else value


def _annotation(model: type[Model], key: tuple[str, ...]) -> Any:
    """The type of a key's value, None for an unknown key."""
    for table in key[:-1]:
        inner = model.tables().get(table)
        if inner is None:
            return None
        model = inner
    field = model.model_fields.get(key[-1])
    return field.annotation if field else None


def _fitting(value: Any, raw: str, annotation: Any, label: str) -> Any:
    """The value as its field wants it where a shell user would not quote: `title=12`, `players=3,4`."""
    plain, _ = split_optional(annotation)
    if plain is str and not isinstance(value, str):
        return raw
    if is_tuple(annotation) and isinstance(value, str) and value == raw and "," in raw:
        parts = [part.strip() for part in raw.split(",")]
        if not all(parts):
            raise ConfigError(f"{label}: nothing between two commas")
        return [_parsed(part) for part in parts]
    return value
