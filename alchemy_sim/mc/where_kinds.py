"""What a condition on games is made of: kinds of values, the signs between them, and what does not go together."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars as pl

#: Comparisons, with their signs: labels and truths take the first two only.
COMPARE: dict[type[ast.cmpop], tuple[str, Callable[[pl.Expr, pl.Expr], pl.Expr]]] = {
    ast.Eq: ("==", lambda a, b: a == b),
    ast.NotEq: ("!=", lambda a, b: a != b),
    ast.Lt: ("<", lambda a, b: a < b),
    ast.LtE: ("<=", lambda a, b: a <= b),
    ast.Gt: (">", lambda a, b: a > b),
    ast.GtE: (">=", lambda a, b: a >= b),
}
#: Arithmetic on numbers; what stands below a division is made null where it is 0.
ARITHMETIC: dict[type[ast.operator], Callable[[pl.Expr, pl.Expr], pl.Expr]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
}
DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)

#: What a kind of value is called.
KINDS = {
    "number": "a number",
    "truth": "true or false",
    "label": "a label of another kind",
    "text": "a text",
    "null": "null",
}


@dataclass(frozen=True)
class Value:
    """A translated part: its kind (number, truth, label, text, null), what it is called, and a label's words."""

    kind: str
    name: str
    expression: pl.Expr
    labels: tuple[str, ...] = ()
    literal: Any = None


def labels_of(dtype: Any) -> tuple[str, ...]:
    """The labels of a Polars Enum, none of any other type."""
    return tuple(dtype.categories) if isinstance(dtype, pl.Enum) else ()


def mismatch(left: Value, right: Value) -> str:
    """What can stand where two kinds of value don't go together."""
    for one, other in ((left, right), (right, left)):
        if one.kind == "label":
            return f"{one.name} is a label, not {KINDS[other.kind]}; it is one of: {', '.join(one.labels)}"
    for one, other in ((left, right), (right, left)):
        if one.kind == "number":
            return f"{one.name} is a number, not {KINDS[other.kind]}"
    for one, other in ((left, right), (right, left)):
        if one.kind == "truth":
            return f"{one.name} is true or false, not {KINDS[other.kind]}"
    return "no column is compared"
