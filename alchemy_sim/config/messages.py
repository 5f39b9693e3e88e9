"""pydantic's findings in plain words: where, which key, what is allowed, the nearest name. One line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from alchemy_sim.config.locate import Layer, Path, dotted, shortened, value_at, written
from alchemy_sim.config.model import Model, Problem, split_optional
from alchemy_sim.core.errors import ConfigError, nearest

#: pydantic's kinds of error that the phrase of `allowed` answers in full.
_ANSWERED = (
    *("greater_than", "less_than", "literal_error", "int_from", "finite_number", "bool_parsing", "int_parsing"),
    "too_long",
)


class _Place(NamedTuple):
    """What a model says about one key."""

    path: Path
    annotation: Any
    metadata: Sequence[Any]
    table: type[Model] | None  # the innermost table on the way


def explain(
    error: ValidationError, model: type[Model], layers: Sequence[Layer], extra: Iterable[str] = ()
) -> ConfigError:
    """The first of the errors, by its place in the layers, as one line; `extra` keys are allowed beside the model's."""
    found = []
    for each in error.errors(include_url=False):
        path, body, complete = _body(each, model, layers, tuple(extra))
        held = _held(path, layers)
        number, layer = _blamed(held, layers)
        line = layer.line(held)
        where = layer.label if line is None else f"{layer.label}:{line}"
        # an option is shown with its value already
        prefix = "" if complete or layer.text is None else f"{dotted(path)} = {written(_value(path, layers))}: "
        found.append((number, line or 0, f"{where}: {prefix}{body}"))
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return ConfigError(min(found)[2] + more)


def blame(path: Path, layers: Sequence[Layer]) -> str:
    """Where a key was given: `mission.toml:3`, an option, or the last layer if none gave it."""
    held = _held(path, layers)
    return _blamed(held, layers)[1].at(held)


def unknown_key(path: Path, model: type[Model], table: type[Model], extra: Sequence[str] = ()) -> str:
    """One line on a key that its table doesn't know, with the nearest key of the whole configuration."""
    # an extra key that is refused all the same is not allowed where it was given
    siblings = [*table.model_fields, *(key for key in extra if table is model and key != path[-1])]
    inside = path[:-1]
    by_name = {name.rpartition(".")[2]: name for name in model.dotted_keys()}
    by_name |= {name: dotted((*inside, name)) for name in siblings}
    near = nearest(str(path[-1]), by_name)
    for name, full in by_name.items():
        near = near.replace(f'"{name}"', f'"{full}"')
    return f'unknown key "{dotted(path)}"{near}; allowed: {", ".join(siblings)}'


def allowed(annotation: Any, metadata: Sequence[Any] = ()) -> str:
    """What a field accepts, to follow "must be"."""
    plain, optional = split_optional(annotation)
    return _kind(plain, metadata) + (' or "none"' if optional else "")


def _kind(plain: Any, metadata: Sequence[Any]) -> str:
    origin, args = get_origin(plain), get_args(plain)
    if origin is Annotated:
        return _kind(args[0], args[1:])
    if origin is Literal:
        values = ", ".join(written(each) for each in args)
        return values if len(args) == 1 else f"one of {values}"
    if origin is tuple and args[-1] is Ellipsis:
        return f"{_plural(args[0])} (one or a list)"
    if origin is tuple:
        alike = all(each == args[0] for each in args)
        return f"a list of {len(args)} {_plural(args[0]) if alike else 'values'}"
    if origin is dict or (isinstance(plain, type) and issubclass(plain, Model)):
        return "a table"
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "a text in quotes"}
    return names.get(plain, "another value") + _range(metadata)


def _plural(item: Any) -> str:
    metadata: Sequence[Any] = ()
    if get_origin(item) is Annotated:
        item, metadata = get_args(item)[0], get_args(item)[1:]
    names = {int: "whole numbers", float: "numbers", str: "texts in quotes"}
    return names.get(item, "values") + _range(metadata)


def _range(metadata: Sequence[Any]) -> str:
    flat = [part for each in metadata for part in (each.metadata if isinstance(each, FieldInfo) else [each])]
    bounds = {name: getattr(part, name) for part in flat for name in ("ge", "gt", "le", "lt") if hasattr(part, name)}
    if "ge" in bounds and "le" in bounds:
        return f" from {bounds['ge']} to {bounds['le']}"
    words = {"ge": "of at least", "gt": "above", "le": "of at most", "lt": "below"}
    return "".join(f" {word} {bounds[name]}" for name, word in words.items() if name in bounds)


def _walk(model: type[Model], location: Sequence[int | str]) -> _Place:
    """Follow pydantic's location through the models; a list counts as one value unless its items are tables."""
    place = _Place((), model, (), None)
    stack = [place]
    for part in location:
        plain, _ = split_optional(place.annotation)
        origin, args = get_origin(plain), get_args(plain)
        if isinstance(plain, type) and issubclass(plain, Model):
            field = plain.model_fields.get(str(part))
            annotation, metadata = (field.annotation, field.metadata) if field else (None, [])
            place = _Place((*place.path, part), annotation, metadata, plain)
        elif origin is dict and isinstance(part, str):
            place = _Place((*place.path, part), args[1], (), place.table)
        elif origin is tuple and isinstance(part, int):
            item = args[0] if args[-1] is Ellipsis else args[min(part, len(args) - 1)]
            place = _Place((*place.path, part), item, (), place.table)
        else:
            break
        stack.append(place)
    while stack[-1].path and isinstance(stack[-1].path[-1], int):
        stack.pop()
    return stack[-1]


def _body(each: Any, model: type[Model], layers: Sequence[Layer], extra: Sequence[str]) -> tuple[Path, str, bool]:
    """The key to blame, what is wrong, and whether that says it all (else "key = value: " goes before it)."""
    place = _walk(model, each["loc"])
    kind = each["type"]
    if kind == "extra_forbidden" and place.table is not None:
        return place.path, unknown_key(place.path, model, place.table, extra), True
    if kind == "missing" and place.path == each["loc"]:
        return place.path, f'no key "{dotted(place.path)}": must be {allowed(place.annotation, place.metadata)}', True
    cause = each.get("ctx", {}).get("error")
    if isinstance(cause, Problem) and cause.keys:
        keys = [(*place.path, *key.split(".")) for key in cause.keys]
        given = [key for key in keys if any(layer.holds(key) for layer in layers)]
        return (given or keys)[0], shortened(str(cause), 400), True
    if isinstance(cause, Exception):
        return place.path, shortened(str(cause), 2000), False
    if kind.endswith("_type") or kind.startswith(_ANSWERED) or kind == "missing":
        value = each["input"]
        plain, _ = split_optional(place.annotation)
        near = nearest(value, filter(_is_text, get_args(plain))) if isinstance(value, str) else ""
        return place.path, f"must be {allowed(place.annotation, place.metadata)}{near}", False
    return place.path, shortened(each["msg"], 200), False


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _value(path: Path, layers: Sequence[Layer]) -> Any:
    """The value that counts: the last layer's."""
    for layer in reversed(layers):
        if layer.holds(path):
            return value_at(layer.data, path)
    return None


def _held(path: Path, layers: Sequence[Layer]) -> Path:
    """The key, or the innermost table around it that a layer gives."""
    while path and not any(layer.holds(path) for layer in layers):
        path = path[:-1]
    return path


def _blamed(held: Path, layers: Sequence[Layer]) -> tuple[int, Layer]:
    """The layer that gave a key, and its number: the last one counts. An empty path is the last file's affair."""
    if not held:
        files = [number for number, layer in enumerate(layers) if layer.text is not None and layer.stands_at is None]
        number = (files or [len(layers) - 1])[-1]
        return number, layers[number]
    number = max(number for number, layer in enumerate(layers) if layer.holds(held))
    return number, layers[number]
