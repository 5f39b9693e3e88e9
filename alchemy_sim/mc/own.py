"""The policies from users' files in a run: compiled when it is planned, and the same ones whenever it is played again.

The manifest names them with digests of their files. Reading a run back needs no file; playing games of it again does,
and a file that has changed or is gone is said in one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from alchemy_sim.core.errors import StoreError, UsageError, unknown
from alchemy_sim.core.own import Own, is_own

if TYPE_CHECKING:
    from alchemy_sim.core.game import Game
    from alchemy_sim.mc.plan import Cell


def check_name(game: Game, name: str) -> None:
    """UsageError unless a seat of this game can have a policy of that name, or the file it names may hold one."""
    if name in game.policies or (is_own(name) and game.own_policies is not None):
        return
    more = "" if game.own_policies is None else ", or your own: file.py:function"
    raise UsageError(unknown("policy", name, game.policies) + more)


def opened(cells: Sequence[Cell]) -> list[Cell]:
    """The cells with their own policies, compiled as they are now. UsageError if one can't be had."""
    found: dict[str, Own] = {}
    for cell in cells:
        for name in dict.fromkeys(cell.policies):
            if is_own(name) and cell.game.own_policies is not None:
                found[name] = cell.game.own_policies.open(name)
    return attached(cells, found.values())


def attached(cells: Sequence[Cell], own: Iterable[Own]) -> list[Cell]:
    """The cells with those of the policies that any cell of their game has, so that these share one list of labels."""
    every = tuple(own)
    names = {
        cell.game.name: {name for each in cells if each.game is cell.game for name in each.policies} for cell in cells
    }
    return [
        replace(
            cell,
            encoded=replace(cell.encoded, own=tuple(each for each in every if each.name in names[cell.game.name])),
        )
        for cell in cells
    ]


def own_of(cells: Iterable[Cell]) -> list[Own]:
    """The own policies of a run, each once."""
    return list(dict.fromkeys(own for cell in cells for own in cell.encoded.own))


def ready(cells: Iterable[Cell], run: str) -> None:
    """Compile the own policies of cells that are to be played again. StoreError if a file is not as it was."""
    for cell in cells:
        for own in cell.encoded.own:
            if own.name in cell.policies and cell.game.own_policies is not None:
                changed = own.changed()
                if changed:
                    raise StoreError(f"{run}: its games can't be played again: policy {own.name}: {changed}")
                cell.game.own_policies.policy(own)


def changed_policies(manifest: Mapping[str, Any]) -> list[str]:
    """What has become of the files since the run was played, one line a policy; none if all are as they were."""
    found = [Own.from_json(each) for each in manifest.get("own_policies", ())]
    return [f"policy {own.name}: {own.changed()}" for own in found if own.changed()]


def difference(stored: Any, wanted: Any) -> str:
    """In which file the own policies of two manifests, otherwise alike, differ."""
    for one, other in zip(stored or (), wanted or (), strict=False):
        digests = {each["file"]: each["sha256"] for each in one["files"]}
        for each in other["files"]:
            if digests.get(each["file"]) != each["sha256"]:
                return f"policy {one['policy']} as it was before {each['file']} changed"
    return "other policies from files"
