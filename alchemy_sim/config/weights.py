"""Numbers that players weigh by, as rows of configuration: `[weights.NAME]` holds those that differ from a default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

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


def fill_weights(
    rules: np.ndarray, policies: Sequence[str], changed: Mapping[str, Mapping[str, float]], known: Weights
) -> None:
    """Write the numbers of each seat's player into `rules["weights"]`, shape (1, seats, numbers)."""
    for seat, player in enumerate(policies):
        given = changed.get(player, {})
        values = [given.get(name, default) for name, (default, _) in known.get(player, {}).items()]
        rules["weights"][0, seat, : len(values)] = values


def weight_rows(known: Weights) -> list[dict[str, Any]]:
    """All of them, as `alchemy-sim list weights` shows them."""
    return [
        {"player": player, "weight": name, "default": default, "meaning": meaning}
        for player, rows in known.items()
        for name, (default, meaning) in rows.items()
    ]
