"""The rule texts for users: what every game's says of the keys and rulings of its configurations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import get_args

import pytest
from pydantic.fields import FieldInfo

from alchemy_sim.config.load import MODELS, config_model
from alchemy_sim.config.model import Model, Rulings, Switch

#: The package of each rule text (a folder of `games`), how many sections it has, and the configurations it is about.
SECTIONS = {"crucible": 10, "furnace": 7, "metallurgie": 5}
BOOKS = {book: [name for name, where in MODELS.items() if f".games.{book}." in where] for book in SECTIONS}
#: `key` (1 to 9, default 3), or a default of several numbers.
NUMBERS = re.compile(r"`(\w+)`\s+\((\d+)\s+to\s+(\d+),\s+(?:default\s+)?(\d+(?:,\s+\d+)*)\)")
RULING = re.compile(r"^- Ruling `(\w+)`: ((?:`\w+`(?: \(default\))?(?: \| )?)+)\.", re.MULTILINE)

every_book = pytest.mark.parametrize("book", SECTIONS)


def rule_text(book: str) -> str:
    """A rule text."""
    return files(f"alchemy_sim.games.{book}").joinpath("RULES.md").read_text(encoding="utf-8")


def sections(text: str) -> dict[str, str]:
    """The sections of a rule text by number."""
    return dict(re.findall(r"^## (\d+) [^\n]+\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))


def switches(book: str) -> list[Switch]:
    """The switches of all configurations of a rule text, each once."""
    tables = [config_model(name).tables()["rulings"] for name in BOOKS[book]]
    assert all(issubclass(each, Rulings) for each in tables)
    return list(dict.fromkeys(switch for each in tables for switch in each.switches()))  # type: ignore[attr-defined]


def cited_keys(model: type[Model]) -> Iterator[tuple[str, FieldInfo]]:
    """The keys of a model and its tables but rulings, if their descriptions cite a section."""
    for key, field in model.model_fields.items():
        if re.match(r"\w+ \d+: ", field.description or ""):
            yield key, field
    for key, table in model.tables().items():
        if key != "rulings":
            yield from cited_keys(table)


def told_numbers(field: FieldInfo) -> list[str] | None:
    """The least, the most and the default of a field of whole numbers, one or a fixed list; None of any other."""
    items = get_args(field.annotation) if isinstance(field.default, tuple) else ()
    fixed = bool(items) and items[-1] is not Ellipsis
    metadata = items[0].__metadata__[0].metadata if fixed else field.metadata
    bounds = [getattr(each, name) for each in metadata for name in ("ge", "le") if hasattr(each, name)]
    defaults = field.default if fixed else (field.default,)
    if len(bounds) != 2 or not isinstance(defaults[0], int):
        return None
    return [*map(str, bounds), ", ".join(map(str, defaults))]


def test_every_configuration_has_a_rule_text() -> None:
    assert sorted(name for names in BOOKS.values() for name in names) == sorted(MODELS)


@every_book
def test_sections_are_numbered_as_cited(book: str) -> None:
    assert list(sections(rule_text(book))) == [str(number) for number in range(1, SECTIONS[book] + 1)]


@every_book
def test_every_switch_with_its_values_and_default_and_no_other(book: str) -> None:
    text = rule_text(book)
    told = {}
    for name, values in RULING.findall(text):
        assert name not in told
        told[name] = tuple(re.findall(r"`(\w+)`", values))
        assert values.startswith(f"`{told[name][0]}` (default)")
        assert values.count("(default)") == 1
    assert told == {switch.name: switch.values for switch in switches(book)}
    assert text.count("Ruling `") == len(told)


@every_book
def test_switches_default_to_their_first_value_and_stand_in_the_section_they_cite(book: str) -> None:
    for switch in switches(book):
        assert switch.default == switch.values[0]
        number = re.match(rf"{book.capitalize()} (\d+): .", switch.description)
        assert number is not None, switch
        assert f"Ruling `{switch.name}`" in sections(rule_text(book))[number[1]]


@every_book
def test_every_key_that_cites_a_section_is_told_with_its_numbers(book: str) -> None:
    text = rule_text(book)
    numbers = {key: [*bounds, " ".join(default.split())] for key, *bounds, default in NUMBERS.findall(text)}
    ranges = 0
    for key, field in (pair for name in BOOKS[book] for pair in cited_keys(config_model(name))):
        assert f"`{key}`" in text, key
        number = re.match(rf"{book.capitalize()} (\d+): .", field.description or "")
        assert number is not None, (key, field.description)
        assert number[1] in sections(text), (key, field.description)
        if (expected := told_numbers(field)) is not None:
            assert numbers.get(key) == expected, key
            ranges += 1
    assert ranges >= len(numbers) > 3


@every_book
def test_nothing_outside_the_project_is_named(book: str) -> None:
    assert not re.search(r"\.\./|/work|seeds?/", rule_text(book))
