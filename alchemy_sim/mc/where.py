"""Conditions on games: `ending == 'impossible' and boil_overs == 2` as a Polars expression.

The text is read by Python's own parser and only what stands in the table of `_HANDLERS` is translated, node by node;
nothing is ever evaluated. Types are checked on the way, so that a mistake is answered here, in one line.

As in Polars and SQL, a comparison with a missing value is neither true nor false, and such games are left out; ask for
them by `is null`. A division by zero is a missing value too.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import polars as pl

from alchemy_sim.core.errors import UsageError, nearest
from alchemy_sim.mc.where_kinds import ARITHMETIC, COMPARE, DIVISIONS, KINDS, Value, labels_of, mismatch

#: What a condition may be at most: characters and parts, so that no parser is driven to its limits.
_MOST_CHARACTERS = 4000
_MOST_NODES = 300
#: Words for values, in any case: `ending_task is null`, `hot == true`.
_WORDS = {"null": None, "none": None, "true": True, "false": False}
_LARGEST = 2**63 - 1


@dataclass(frozen=True)
class Condition:
    """A condition on games: the Polars expression, and the columns it speaks of, in order."""

    text: str
    expression: pl.Expr
    columns: tuple[str, ...]


def where(text: str, schema: Mapping[str, Any]) -> Condition:
    """The condition `text` on rows of that schema (column -> Polars type); UsageError names what is wrong with it."""
    return _Reader(text, schema).condition()


class _Reader:
    """One condition being translated."""

    def __init__(self, text: str, schema: Mapping[str, Any]) -> None:
        self._text = text
        self._schema = schema
        self._columns: dict[str, None] = {}

    def condition(self) -> Condition:
        """The whole text."""
        if not self._text.strip():
            raise UsageError("--where is empty; it takes a condition, such as \"ending == 'win'\"")
        if len(self._text) > _MOST_CHARACTERS:
            raise UsageError(f"--where: longer than {_MOST_CHARACTERS} characters")
        tree = self._parse()
        if sum(isinstance(each, ast.expr) for each in ast.walk(tree)) > _MOST_NODES:
            raise UsageError(f"--where: more than {_MOST_NODES} parts")
        found = self._truth(self._read(tree.body), "the condition")
        return Condition(self._text, found, tuple(self._columns))

    def _parse(self) -> ast.Expression:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # on backslashes in texts and the like
                return ast.parse(" ".join(self._text.split("\n")).strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            words = error.msg if isinstance(error, SyntaxError) else "can't be read"
            if re.search(r"(?<![=!<>])=(?!=)", self._text):
                words = "write == to compare"
            elif re.search(r"&&|\|\||!(?!=)", self._text):
                words = "write and, or, not"
            elif re.search(r"<>|\bis not in\b|\blike\b|\bbetween\b", self._text, re.IGNORECASE):
                words = "write !=, not in, or 1 <= x <= 3"
            raise UsageError(f"--where {self._text.strip()}: not a condition: {words}") from None

    def _read(self, node: ast.AST) -> Value:
        for kind, handler in _HANDLERS.items():
            if isinstance(node, kind):
                return handler(self, node)
        raise self._refusal(node, "write comparisons, and, or, not, in, is null, + - * / // % and parentheses")

    def _refusal(self, node: ast.AST, words: str) -> UsageError:
        source = ast.unparse(node)
        shown = source if len(source) <= 80 else source[:77] + "..."
        return UsageError(f"--where: {shown}: {words}")

    def _truth(self, value: Value, name: str) -> pl.Expr:
        if value.kind != "truth":
            kind = "a label" if value.kind == "label" else KINDS[value.kind]
            raise UsageError(f"--where: {name} is {kind} ({value.name}), neither true nor false; compare it with ==")
        return value.expression

    def _constant(self, node: ast.Constant) -> Value:
        return self._literal(node.value, node)

    def _literal(self, value: object, node: ast.AST) -> Value:
        name = ast.unparse(node)
        if value is None:
            return Value("null", "null", pl.lit(None))
        if isinstance(value, bool):
            return Value("truth", name.lower(), pl.lit(value), literal=value)
        if isinstance(value, int) and abs(value) <= _LARGEST:
            return Value("number", name, pl.lit(value, pl.Int64), literal=value)
        if isinstance(value, int) and 0 < value < 2**64:
            return Value("number", name, pl.lit(value, pl.UInt64).cast(pl.Int128), literal=value)
        if isinstance(value, float) and abs(value) < float("inf"):
            return Value("number", name, pl.lit(value, pl.Float64), literal=value)
        if isinstance(value, str):
            return Value("text", name, pl.lit(value, pl.String), literal=value)
        raise self._refusal(node, "no value a column can have")

    def _name(self, node: ast.Name) -> Value:
        if node.id in self._schema:
            self._columns[node.id] = None
            return self._column(node.id)
        if node.id.lower() in _WORDS:
            return self._literal(_WORDS[node.id.lower()], node)
        near = nearest(node.id, self._schema)
        labelled = [name for name, dtype in self._schema.items() if node.id in labels_of(dtype)]
        if labelled:
            near = f"; a label is written in quotes: {labelled[0]} == '{node.id}'"
        raise UsageError(f'--where: unknown column "{node.id}"{near or "; columns: " + ", ".join(self._schema)}')

    def _column(self, name: str) -> Value:
        dtype = self._schema[name]
        labels = labels_of(dtype)
        if labels:
            return Value("label", name, pl.col(name), labels)
        if dtype == pl.Boolean:
            return Value("truth", name, pl.col(name))
        if dtype in (pl.Float32, pl.Float64):
            return Value("number", name, pl.col(name).cast(pl.Float64))
        # wide enough that neither signs nor sums go wrong
        return Value("number", name, pl.col(name).cast(pl.Int128 if dtype == pl.UInt64 else pl.Int64))

    def _bool(self, node: ast.BoolOp) -> Value:
        parts = [self._truth(self._read(each), ast.unparse(each)) for each in node.values]
        join = pl.all_horizontal if isinstance(node.op, ast.And) else pl.any_horizontal
        return Value("truth", ast.unparse(node), join(parts))

    def _unary(self, node: ast.UnaryOp) -> Value:
        value = self._read(node.operand)
        name = ast.unparse(node)
        if isinstance(node.op, ast.Not):
            return Value("truth", name, ~self._truth(value, ast.unparse(node.operand)))
        if isinstance(node.op, ast.USub | ast.UAdd) and value.kind == "number":
            if value.literal is not None:
                return self._literal(-value.literal if isinstance(node.op, ast.USub) else value.literal, node)
            return Value("number", name, -value.expression if isinstance(node.op, ast.USub) else value.expression)
        words = "write not" if isinstance(node.op, ast.Invert) else "only numbers have a sign"
        raise self._refusal(node, words)

    def _binary(self, node: ast.BinOp) -> Value:
        if isinstance(node.op, ast.BitAnd | ast.BitOr):
            words = "and, not &" if isinstance(node.op, ast.BitAnd) else "or, not |"
            raise self._refusal(node, f"write {words}")
        if type(node.op) not in ARITHMETIC:
            raise self._refusal(node, "arithmetic is + - * / // %")
        left, right = self._read(node.left), self._read(node.right)
        for each in (left, right):
            if each.kind != "number":
                raise self._refusal(node, f"{each.name} is no number")
        below = right.expression
        if isinstance(node.op, DIVISIONS):
            below = pl.when(below != 0).then(below)
        return Value("number", ast.unparse(node), ARITHMETIC[type(node.op)](left.expression, below))

    def _compare(self, node: ast.Compare) -> Value:
        terms = [node.left, *node.comparators]
        parts = [self._pair(node, op, *terms[place : place + 2]) for place, op in enumerate(node.ops)]
        return Value("truth", ast.unparse(node), reduce(lambda a, b: a & b, parts))

    def _pair(self, node: ast.Compare, op: ast.cmpop, left_node: ast.expr, right_node: ast.expr) -> pl.Expr:
        if isinstance(op, ast.In | ast.NotIn):
            found = self._among(node, left_node, right_node)
            return found if isinstance(op, ast.In) else ~found
        left, right = self._read(left_node), self._read(right_node)
        if isinstance(op, ast.Is | ast.IsNot):
            if right.kind != "null":
                raise self._refusal(node, "is goes with null only; write ==")
            return left.expression.is_null() if isinstance(op, ast.Is) else left.expression.is_not_null()
        sign, apply = COMPARE[type(op)]
        left, right = self._matching(node, left, right)
        if left.kind != "number" and sign not in ("==", "!="):
            words = "labels have no order" if left.kind == "label" else "only numbers have an order"
            raise self._refusal(node, f"{words}; use ==, != or in")
        return apply(left.expression, right.expression)

    def _matching(self, node: ast.AST, left: Value, right: Value) -> tuple[Value, Value]:
        """Both sides of a comparison, a text made a label where the other side has labels."""
        if "null" in (left.kind, right.kind):
            raise self._refusal(node, "write is null, or is not null")
        if left.kind == "text" and right.kind == "label":
            return self._label(left, right), right
        if left.kind == "label" and right.kind == "text":
            return left, self._label(right, left)
        if left.kind != right.kind or left.kind == "text" or left.labels != right.labels:
            raise self._refusal(node, mismatch(left, right))
        return left, right

    def _label(self, text: Value, column: Value) -> Value:
        if text.literal not in column.labels:
            near = nearest(text.literal, column.labels)
            shown = ", ".join(column.labels)
            raise UsageError(f'--where: {column.name} is never "{text.literal}"{near}; it is one of: {shown}')
        label = pl.lit(text.literal, pl.Enum(column.labels))
        return Value("label", text.name, label, column.labels, text.literal)

    def _among(self, node: ast.Compare, left_node: ast.expr, right_node: ast.expr) -> pl.Expr:
        left = self._read(left_node)
        items = right_node.elts if isinstance(right_node, ast.Tuple | ast.List | ast.Set) else [right_node]
        if not items:
            raise self._refusal(node, "nothing stands in the list")
        parts = []
        for item in items:
            value = self._read(item)
            if value.literal is None:
                raise self._refusal(node, "in takes a list of values, such as ('T23', 'T24')")
            left, right = self._matching(node, left, value)
            parts.append(left.expression == right.expression)
        return pl.any_horizontal(parts)


_HANDLERS: dict[type[ast.AST], Callable[[_Reader, Any], Value]] = {
    ast.Constant: _Reader._constant,
    ast.Name: _Reader._name,
    ast.BoolOp: _Reader._bool,
    ast.UnaryOp: _Reader._unary,
    ast.BinOp: _Reader._binary,
    ast.Compare: _Reader._compare,
}
