"""The base of every configuration model: frozen, strict about types, no unknown keys.

A model is filled from TOML, so three of TOML's habits are met here, for all fields alike: a list stands for a tuple,
one value for a list of one, and the word "none" for a value that is left out (TOML has no null).
"""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Any, ClassVar, NamedTuple, Self, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from alchemy_sim.core.errors import ConfigError, unknown


class Problem(ValueError):
    """What a validator finds wrong with `keys` (dotted; the first one that the user gave is blamed)."""

    def __init__(self, message: str, *keys: str) -> None:
        super().__init__(message)
        self.keys = keys


def split_optional(annotation: Any) -> tuple[Any, bool]:
    """The annotation without `| None`, and whether it had one."""
    if get_origin(annotation) in (Union, UnionType):
        rest = [each for each in get_args(annotation) if each is not NoneType]
        if len(rest) < len(get_args(annotation)):
            return (rest[0] if len(rest) == 1 else Union[tuple(rest)]), True  # noqa: UP007 - built at run time
    return annotation, False


def is_tuple(annotation: Any) -> bool:
    """Whether a field holds a list, optional or not."""
    return get_origin(split_optional(annotation)[0]) is tuple


def is_list(annotation: Any) -> bool:
    """Whether a field holds a list of any length: `tuple[X, ...]`, optional or not."""
    return is_tuple(annotation) and get_args(split_optional(annotation)[0])[-1] is Ellipsis


def _tuples(value: Any) -> Any:
    """Lists as tuples, at any depth."""
    if isinstance(value, list | tuple):
        return tuple(_tuples(each) for each in value)
    if isinstance(value, dict):
        return {key: _tuples(each) for key, each in value.items()}
    return value


class Model(BaseModel):
    """A part of a configuration: one table of a TOML file."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _from_toml(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        ready = {}
        for key, given in data.items():
            value = _tuples(given)
            if key in cls.model_fields:
                annotation = cls.model_fields[key].annotation
                if value == "none" and split_optional(annotation)[1]:
                    value = None
                elif is_list(annotation) and value is not None and not isinstance(value, tuple):
                    value = (value,)
            ready[key] = value
        return ready

    @classmethod
    def tables(cls) -> dict[str, type[Model]]:
        """The keys that hold a table of their own, with its model."""
        plain = {key: field.annotation for key, field in cls.model_fields.items()}
        return {key: kind for key, kind in plain.items() if isinstance(kind, type) and issubclass(kind, Model)}

    @classmethod
    def dotted_keys(cls) -> list[str]:
        """Every key in fixed order, those of tables dotted (`rulings.trick_order`)."""
        return list(_dotted(cls))


def _dotted(model: type[Model]) -> Iterator[str]:
    tables = model.tables()
    for key in model.model_fields:
        if key in tables:
            yield from (f"{key}.{inner}" for inner in _dotted(tables[key]))
        else:
            yield key


class Switch(NamedTuple):
    """One ruling: its values as written in TOML, the first the default."""

    name: str
    values: tuple[str, ...]
    default: str
    description: str


class Rulings(Model):
    """The base of a game's table of rulings: every field a bool, or a `Literal` whose first value is the default."""

    @classmethod
    def switches(cls) -> list[Switch]:
        """All rulings, in order."""
        found = []
        for name, field in cls.model_fields.items():
            values = tuple(_written(value) for value in cls.values(name))
            found.append(Switch(name, values, _written(field.default), field.description or ""))
        return found

    @classmethod
    def rows(cls) -> list[dict[str, Any]]:
        """All rulings as `alchemy-sim list rulings` shows them."""
        return [
            {
                "ruling": switch.name,
                "default": switch.default,
                "others": ", ".join(value for value in switch.values if value != switch.default),
                "decides": switch.description,
            }
            for switch in cls.switches()
        ]

    @classmethod
    def values(cls, name: str) -> tuple[Any, ...]:
        """The values of one switch, the default first."""
        field = cls.model_fields[name]
        return (field.default, not field.default) if field.annotation is bool else get_args(field.annotation)

    def places(self) -> dict[str, int]:
        """Each switch's value as its place among the switch's values, 0 the default: what a kernel reads."""
        return {name: self.values(name).index(getattr(self, name)) for name in type(self).model_fields}


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class GameConfig(Model):
    """What the configurations of all games share; a game's own model extends it.

    A game narrows `rulebook` to its name, gives `players` a default and sets `allowed_players`.
    """

    allowed_players: ClassVar[tuple[int, ...]] = ()

    rulebook: str = Field(description="which game: crucible, furnace or metallurgie")
    title: str = Field(default="", description="a name for tables and reports")
    note: str = Field(default="", description="anything worth saying about it")
    players: tuple[int, ...] = Field(description="the player counts to simulate, one or a list")
    policy: tuple[str, ...] = Field(default=(), description="who plays: one policy for all, or a list by seat")
    assumed: tuple[str, ...] = Field(default=(), description="keys whose values the game's source text does not give")

    @field_validator("players")
    @classmethod
    def _players(cls, players: tuple[int, ...]) -> tuple[int, ...]:
        if not players:
            raise Problem("must name at least one player count")
        if len(set(players)) < len(players):
            raise Problem("must not name a player count twice")
        if cls.allowed_players and not set(players) <= set(cls.allowed_players):
            raise Problem(f"must be among {', '.join(map(str, cls.allowed_players))} (one number or a list)")
        if min(players) < 1:
            raise Problem("must be whole numbers of at least 1")
        return players

    @field_validator("policy")
    @classmethod
    def _policy(cls, policy: tuple[str, ...]) -> tuple[str, ...]:
        if not all(name.strip() for name in policy):
            raise Problem("must not hold an empty name")
        return policy

    @field_validator("assumed")
    @classmethod
    def _assumed(cls, assumed: tuple[str, ...]) -> tuple[str, ...]:
        known = [*cls.dotted_keys(), *cls.tables()]
        for key in assumed:
            if key not in known:
                raise Problem(unknown("key", key, known))
        return assumed

    @model_validator(mode="after")
    def _seats(self) -> Self:
        if len(self.policy) > 1 and any(count != len(self.policy) for count in self.players):
            counts = ", ".join(map(str, self.players))
            raise Problem(f"policy names {len(self.policy)} seats, but players is {counts}", "policy", "players")
        return self

    def policies(self, players: int, default: str) -> tuple[str, ...]:
        """The policy of each seat at a table of `players`; `default` where none is named."""
        if len(self.policy) <= 1:
            return (self.policy or (default,)) * players
        if len(self.policy) != players:
            raise ConfigError(f"policy names {len(self.policy)} seats, but there are {players} players")
        return self.policy

    def resolved(self) -> dict[str, Any]:
        """Every key with its value, ready for JSON, in the order of the fields."""
        return self.model_dump(mode="json")
