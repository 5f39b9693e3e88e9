"""From names to numbers: a configuration at one player count as the arrays the kernel plays on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from alchemy_sim.config.weights import fill_weights
from alchemy_sim.core.game import Encoded
from alchemy_sim.core.seats import check_seats
from alchemy_sim.games.metallurgie.columns import present
from alchemy_sim.games.metallurgie.config import MetallurgieConfig
from alchemy_sim.games.metallurgie.policies import POLICY_NAMES
from alchemy_sim.games.metallurgie.view import RULES
from alchemy_sim.games.metallurgie.weights import WEIGHTS


def encode(config: MetallurgieConfig, players: int, policies: Sequence[str]) -> Encoded:
    """The rules of a game for `players` seats, each with the policy of that name."""
    check_seats("Metallurgie", config.allowed_players, players, policies, POLICY_NAMES)
    rules, game = np.zeros(1, RULES), config.game
    rules["players"], rules["full_hand"], rules["end_card_depth"] = players, game.hand, game.end_card_depth
    for key in ("thresholds", "removals", "deck"):
        rules[key] = getattr(game, key)
    for name, place in config.rulings.places().items():
        rules[name] = place
    fill_weights(rules, policies, config.weights, WEIGHTS)
    facts: dict[str, Any] = {
        "rules": game.model_dump(mode="json"),
        "rulings": config.rulings.model_dump(mode="json"),
    }
    return Encoded("metallurgie", players, tuple(policies), rules, facts, present(players))
