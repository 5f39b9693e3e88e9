"""Numbers that players weigh by, as rows of configuration: `[weights.NAME]` holds those that differ from a default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alchemy_sim.config.model import Problem
from alchemy_sim.core.errors import unknown

#: By player: name -> default, meaning; in the order in which a kernel has them.
Weights = Mapping[str, Mapping[str, tuple[float, str]]]


def check_weights(changed: Mapping[str, Mapping[str, float]], known: Weights) -> None:
    """Problem unless every player and every number named is known."""
    for player, values in changed.items():
        if player not in known:
            raise Problem(unknown("player with weights", player, known))
        for name in values:
            if name not in known[player]:
                raise Problem(unknown(f"weight of {player}", name, known[player]))


def weights_of(player: str, changed: Mapping[str, Mapping[str, float]], known: Weights) -> list[float]:
    """The numbers of a player, none for one that has none."""
    given = changed.get(player, {})
    return [given.get(name, default) for name, (default, _) in known.get(player, {}).items()]


def weight_rows(known: Weights) -> list[dict[str, Any]]:
    """All of them, as `alchemy-sim list weights` shows them."""
    return [
        {"player": player, "weight": name, "default": default, "meaning": meaning}
        for player, rows in known.items()
        for name, (default, meaning) in rows.items()
    ]
