"""A run's plan from its manifest: the configurations as they were resolved then, not the files of today."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from alchemy_sim.config.load import Setting, config_model
from alchemy_sim.core.errors import ConfigError, StoreError
from alchemy_sim.core.game import game as find_game
from alchemy_sim.core.own import Own, is_own
from alchemy_sim.mc.own import attached
from alchemy_sim.mc.plan import Cell, Plan

#: The format of manifests and summaries that is read here.
FORMAT = 1


def plan_of(manifest: Mapping[str, Any], folder: Path | str) -> Plan:
    """The plan that was played: cells with the very rules they had. StoreError if it can't be understood.

    `folder` is what messages call the run.
    """
    try:
        if manifest["format"] != FORMAT:
            raise StoreError(f"{folder}: manifest.json has format {manifest['format']}; this version reads {FORMAT}")
        settings = {each["config"]: setting_of(each, folder) for each in manifest["configurations"]}
        cells = [_cell(entry, settings, folder) for entry in manifest["cells"]]
        if [cell.index for cell in cells] != list(range(len(cells))) or not cells:
            raise StoreError(f"{folder}: manifest.json: its cells are not numbered from 0 on")
        own = [Own.from_json(each) for each in manifest.get("own_policies", ())]
        for name in {name for cell in cells for name in cell.policies if is_own(name)} - {each.name for each in own}:
            raise StoreError(f"{folder}: manifest.json: says nothing of the files of policy {name}")
        cells = attached(cells, own)
        return Plan(manifest["name"], manifest["title"], tuple(cells), manifest["games"], manifest["seed"])
    except (KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"{folder}: manifest.json is not a run's ({type(error).__name__}: {error})") from None


def setting_of(entry: Mapping[str, Any], folder: Path | str) -> Setting:
    """One of a manifest's `configurations`, checked by its game's model again."""
    try:
        config = config_model(entry["game"]).model_validate(entry["resolved"])
    except ConfigError as error:
        raise StoreError(f"{folder}: manifest.json: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"]))
        raise StoreError(f"{folder}: manifest.json: configuration {entry['config']}: {key}: {first['msg']}") from None
    return Setting(entry["config"], entry["game"], config)


def _cell(entry: Mapping[str, Any], settings: Mapping[str, Setting], folder: Path | str) -> Cell:
    name, players, policies = entry["config"], entry["players"], tuple(entry["policies"])
    if name not in settings:
        raise StoreError(f"{folder}: manifest.json: cell {entry['cell']} is of an unknown configuration {name}")
    setting = settings[name]
    game = find_game(setting.game)
    try:
        encoded = game.encode(setting.config, players, policies)
    except ConfigError as error:
        raise StoreError(f"{folder}: manifest.json: cell {entry['cell']}: {error}") from None
    return Cell(entry["cell"], name, setting, game, players, policies, encoded)
