"""Where a run's numbers come from: versions, a hash of the sources, configurations, rulings, assumed values."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import alchemy_sim
from alchemy_sim.mc import plan as planning
from alchemy_sim.mc.own import own_of
from alchemy_sim.mc.plan import Plan
from alchemy_sim.mc.tables import tables_of

_PACKAGES = ("numpy", "numba", "polars")


@cache
def versions() -> dict[str, str | None]:
    """The versions that can change a digit or a byte; None for a package that isn't installed."""
    found: dict[str, str | None] = {"alchemy_sim": alchemy_sim.__version__, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


@cache
def source_hash() -> str:
    """sha256 over all .py files of the package, names and contents in the order of their names."""
    package = Path(alchemy_sim.__file__).resolve().parent
    digest = hashlib.sha256()
    for name, file in sorted((file.relative_to(package).as_posix(), file) for file in package.rglob("*.py")):
        content = file.read_bytes()
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def configurations(plan: Plan) -> list[dict[str, Any]]:
    """Each setting of a plan once: its name, game, values as resolved, rulings and assumed values by key."""
    settings = {cell.config_name: cell.setting for cell in plan.cells}
    found = []
    for name, setting in settings.items():
        resolved = setting.config.resolved()
        found.append(
            {
                "config": name,
                "game": setting.game,
                "resolved": resolved,
                "rulings": resolved.get("rulings", {}),
                "assumed": {key: _value(resolved, key) for key in setting.config.assumed},
            }
        )
    return found


def describe(plan: Plan, keep: str) -> dict[str, Any]:
    """All of a run's manifest but its parts: the same for equal plans, whoever played them and however."""
    return {
        "format": 1,
        "name": plan.name,
        "title": plan.title,
        "seed": plan.seed,
        "games": plan.games,
        "keep": keep,
        "part_games": planning.PART_GAMES,
        "cells": [
            {
                "cell": cell.index,
                "config": cell.config_name,
                "title": cell.title,
                "game": cell.game.name,
                "tables": list(tables_of(cell.game)),
                "players": cell.players,
                "policies": list(cell.policies),
                "games": plan.games,
            }
            for cell in plan.cells
        ],
        "own_policies": [own.to_json() for own in own_of(plan.cells)],
        "configurations": configurations(plan),
        "versions": versions(),
        "source": source_hash(),
    }


def _value(resolved: dict[str, Any], key: str) -> Any:
    value: Any = resolved
    for part in key.split("."):
        value = value[part]
    return value
