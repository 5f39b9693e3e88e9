"""From names to numbers: a configuration at one player count as the arrays the kernel plays on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from alchemy_sim.config.weights import fill_weights
from alchemy_sim.core.game import ABSENT, Encoded
from alchemy_sim.core.seats import check_seats
from alchemy_sim.games.crucible.cards import DECK
from alchemy_sim.games.crucible.columns import present
from alchemy_sim.games.crucible.config import CrucibleConfig
from alchemy_sim.games.crucible.names import SLUGS
from alchemy_sim.games.crucible.policies import POLICY_NAMES
from alchemy_sim.games.crucible.table import RULES
from alchemy_sim.games.crucible.weights import WEIGHTS

#: Mission keys the trace repeats, in its order (Crucible 10).
MISSION_KEYS = (
    "limit",
    "target",
    "slag_cap",
    "tasks",
    "max_reactions",
    "catalyst_value",
    "whispers",
    "disciplines",
    "ordered_tasks",
    "needs_transmute",
    "needs_22_and_18",
    "sponge",
)


def encode(config: CrucibleConfig, players: int, policies: Sequence[str]) -> Encoded:
    """The rules of a mission for `players` seats, each with the policy of that name."""
    check_seats("the Crucible", config.allowed_players, players, policies, POLICY_NAMES)
    mission: dict[str, Any] = {key: getattr(config, key) for key in MISSION_KEYS}
    if mission["max_reactions"] is None:
        mission["max_reactions"] = 4 * (DECK // players)  # R: four times the starting hand size (Crucible 3)
    rules = np.zeros(1, RULES)
    rules["players"] = players
    for key, value in mission.items():
        rules[key] = ABSENT if value is None else value
    pool = config.pool()
    rules["pool"] = len(pool)
    rules["pool_tasks"][0, : len(pool)] = pool
    for name, place in config.rulings.places().items():
        rules[name] = place
    rules["given"] = ABSENT
    for place, name in enumerate(config.given):
        rules["given"][0, place] = SLUGS.index(name)
        rules["blank"][0, place] = name in config.blank
    fill_weights(rules, policies, config.weights, WEIGHTS)
    rulings = config.rulings.model_dump(mode="json")
    if config.given:
        mission |= {"given": list(config.given), "blank": list(config.blank)}
    facts = {"mission": {**mission, "task_pool": config.task_pool}, "rulings": rulings}
    return Encoded("crucible", players, tuple(policies), rules, facts, present(players, config.tasks))
