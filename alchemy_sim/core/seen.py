"""The fields of a record that players are handed: rows of data with a name, a type and a meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from alchemy_sim.core.jit import one_record


class Field(NamedTuple):
    """One field: its name, numpy type and what it means; `shape` of one that holds several numbers."""

    name: str
    kind: Any
    meaning: str
    shape: tuple[int, ...] = ()


def record_of(*groups: tuple[Field, ...]) -> np.dtype:
    """The record of some groups of fields, in their order."""
    return np.dtype([(each.name, each.kind, each.shape) for group in groups for each in group], align=True)


def filled(record: np.dtype, rules: np.ndarray) -> Any:
    """A fresh record with the rules of a cell (structured, shape (1,)) in the fields of their names."""
    found = one_record(record)
    for name in rules.dtype.names or ():
        found[name] = rules[name][0]
    return found


def rows_of(fields: Mapping[str, tuple[Field, ...]]) -> list[dict[str, Any]]:
    """The fields by what they are about, as `alchemy-sim list view` shows them."""
    return [
        {"field": each.name, "type": _type(each), "about": about, "meaning": each.meaning}
        for about, group in fields.items()
        for each in group
    ]


def _type(field: Field) -> str:
    kind = np.dtype(field.kind)
    name = "record" if kind.names else kind.name
    return name + "".join(f"[{size}]" for size in field.shape)
