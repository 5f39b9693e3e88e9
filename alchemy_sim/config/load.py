"""Load a configuration or an experiment by name: files, what they extend, and what goes over them.

A configuration is a stack of layers, the base of an `extends` chain lowest, overrides on top. The layers are merged,
the game's model checks the result, and an error is blamed on the layer, and the line, that gave the key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from pydantic import Field, ValidationError

from alchemy_sim.config import override, source
from alchemy_sim.config.locate import Layer, shortened, written
from alchemy_sim.config.messages import blame, explain
from alchemy_sim.config.model import GameConfig, Model
from alchemy_sim.config.override import Override
from alchemy_sim.config.source import File, Source
from alchemy_sim.core import game as games
from alchemy_sim.core.errors import ConfigError, unknown

#: Where the games' models live, imported on first use: a model is light, its game's kernel is not.
MODELS: dict[str, str] = {
    "crucible": "alchemy_sim.games.crucible.config:CrucibleConfig",
    "furnace": "alchemy_sim.games.furnace.config:FurnaceConfig",
    "showdown": "alchemy_sim.games.furnace.config:ShowdownConfig",
    "metallurgie": "alchemy_sim.games.metallurgie.config:MetallurgieConfig",
}

M = TypeVar("M", bound=Model)

_RUN_KEYS = ("games", "seed")


@dataclass(frozen=True)
class Setting:
    """One configuration of a game, checked."""

    name: str
    game: str
    config: GameConfig


@dataclass(frozen=True)
class Experiment:
    """What a name stands for: one setting, or several to be run together."""

    name: str
    title: str
    settings: tuple[Setting, ...]
    games: int | None
    seed: int | None


class _Run(Model):
    """The keys of a file that say how much to run."""

    games: int | None = Field(default=None, ge=1, le=10**12, description="how many games of each setting and table")
    seed: int | None = Field(default=None, ge=0, le=2**63 - 1, description="where the random numbers start")


class _ExperimentFile(_Run):
    """The keys of an experiment file."""

    title: str = ""
    note: str = ""
    configs: tuple[str, ...]
    players: tuple[int, ...] | None = None
    policy: tuple[str, ...] | None = None
    set: dict[str, Any] = Field(default_factory=dict)


def shipped() -> list[str]:
    """The names of all shipped configurations and experiments."""
    return list(source.shipped_files())


def rulebooks() -> list[str]:
    """The names of all games a configuration can be of."""
    return list(dict.fromkeys([*MODELS, *games.REGISTRY]))


def config_model(rulebook: str) -> type[GameConfig]:
    """The configuration model of a game."""
    if rulebook in MODELS:
        module, _, name = MODELS[rulebook].partition(":")
        found: type[GameConfig] = getattr(import_module(module), name)
        return found
    return games.game(rulebook).config


def load(name: str, sets: Sequence[str] = (), players: Sequence[int] | None = None) -> Experiment:
    """The experiment that a path or a shipped name stands for, with `--set` entries and `--players` over it."""
    options = [override.from_option(entry) for entry in sets]
    if players is not None:
        options.append(override.from_players(players))
    found = source.find(name)
    try:
        file = source.read(found)
        return _experiment(file, options) if "configs" in file.data else _single(file, options)
    except RecursionError:
        raise ConfigError(f"{found.label}: lists or tables are nested too deeply") from None


def _single(file: File, options: Sequence[Override]) -> Experiment:
    setting, run = _setting(file, options)
    return Experiment(setting.name, setting.config.title, (setting,), run.games, run.seed)


def _experiment(file: File, options: Sequence[Override]) -> Experiment:
    layers = [file.layer, *(each.layer(_ExperimentFile) for each in options if each.key[0] in _RUN_KEYS)]
    content = _checked(_ExperimentFile, layers)
    where = blame(("configs",), layers)
    if not content.configs:
        raise ConfigError(f"{where}: configs is empty; list names of configurations, or paths relative to this file")
    over = [*_overrides(file), *(each for each in options if each.key[0] not in _RUN_KEYS)]
    settings = []
    sources = [source.find(given, file.source, f"{where}: ") for given in content.configs]
    for each, name in zip(sources, _names(sources, where), strict=True):
        member = source.read(each, f"{where}: ")
        if "configs" in member.data:
            raise ConfigError(f"{where}: {each.label} is an experiment; configs lists configurations only")
        setting, _ = _setting(member, over)
        settings.append(Setting(name, setting.game, setting.config))
    return Experiment(file.source.name, content.title, tuple(settings), content.games, content.seed)


def _overrides(file: File) -> list[Override]:
    """What an experiment puts over each of its configurations."""
    layer, data = file.layer, file.data
    text = layer.text or ""
    shared = {key: value for key, value in data.items() if key in ("players", "policy")}
    over = list(override.from_table(layer.label, text, ("set",), data.get("set", {})))
    for each in over:
        if each.key[0] in _RUN_KEYS:
            line = layer.at(each.stands_at or ())
            raise ConfigError(f'{line}: unknown key "set.{each.key[0]}"; it stands beside configs, above [set]')
    return [*override.from_table(layer.label, text, (), shared), *over]


def _names(sources: Sequence[Source], where: str) -> list[str]:
    """A name for each setting, unique in the experiment: the path as given where two files have one name."""
    for given, times in Counter(each.given for each in sources).items():
        if times > 1:
            raise ConfigError(f"{where}: configs lists {written(given)} {times} times")
    clashing = Counter(each.name for each in sources)
    return [each.given if clashing[each.name] > 1 else each.name for each in sources]


def _setting(file: File, over: Sequence[Override]) -> tuple[Setting, _Run]:
    """The configuration in a file, with what it extends and what goes over it; and how much to run."""
    layers = _chain(file)
    rulebook = _rulebook(layers)
    model = config_model(rulebook)
    run_over = [each.layer(_Run) for each in over if each.key[0] in _RUN_KEYS]
    runs = [_part(layer, of_run=True) for layer in layers] + run_over
    layers = [_part(layer, of_run=False) for layer in layers]
    layers += [each.layer(model) for each in over if each.key[0] not in _RUN_KEYS]
    config = _checked(model, layers, ("extends", *_RUN_KEYS))
    if config.rulebook != rulebook:
        raise ConfigError(f"{blame(('rulebook',), layers)}: the rulebook of {file.layer.label} is {written(rulebook)}")
    return Setting(file.source.name, rulebook, config), _checked(_Run, runs)


def _part(layer: Layer, of_run: bool) -> Layer:
    """The keys of a file that say how much to run, or all others."""
    data = {key: value for key, value in layer.data.items() if (key in _RUN_KEYS) == of_run and key != "extends"}
    return Layer(layer.label, data, layer.text)


def _chain(file: File) -> list[Layer]:
    """The layers of a file and all that it extends, the base first."""
    chain = [file]
    while "extends" in (last := chain[-1]).data:
        where = last.layer.at(("extends",))
        given = last.data["extends"]
        if not isinstance(given, str):
            raise ConfigError(f"{where}: extends = {written(given)}: must be a name or a path in quotes")
        base = source.read(source.find(given, last.source, f"{where}: extends: "), f"{where}: extends: ")
        if "configs" in base.data:
            raise ConfigError(f"{where}: extends = {written(given)}: that is an experiment, not a configuration")
        chain.append(base)
        if base.source.path.resolve() in [each.source.path.resolve() for each in chain[:-1]]:
            circle = " -> ".join(shortened(each.source.label) for each in chain)
            raise ConfigError(f"{where}: extends goes in a circle: {circle}")
    return [each.layer for each in reversed(chain)]


def _rulebook(layers: Sequence[Layer]) -> str:
    """The game that a configuration is of."""
    given = _merged(layers).get("rulebook")
    if given is None:
        raise ConfigError(f"{layers[-1].label}: no rulebook; name the game by one of: {', '.join(rulebooks())}")
    where = blame(("rulebook",), layers)
    if not isinstance(given, str):
        raise ConfigError(f"{where}: rulebook = {written(given)}: must be one of: {', '.join(rulebooks())}")
    if given not in rulebooks():
        raise ConfigError(f"{where}: {unknown('rulebook', shortened(given), rulebooks())}")
    return given


def _merged(layers: Sequence[Layer]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for layer in layers:
        merged = override.merge(merged, layer.data)
    return merged


def _checked(model: type[M], layers: Sequence[Layer], extra: Sequence[str] = ()) -> M:
    """The layers merged and checked."""
    try:
        return model.model_validate(_merged(layers))
    except ValidationError as error:
        raise explain(error, model, layers, extra) from None
