"""From names to numbers: a configuration of matches at one player count as the arrays the kernel plays on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from alchemy_sim.config.weights import fill_weights
from alchemy_sim.core.errors import ConfigError
from alchemy_sim.core.game import Encoded
from alchemy_sim.core.seats import check_seats
from alchemy_sim.games.furnace.config import FurnaceConfig, too_small
from alchemy_sim.games.furnace.match.columns import present, round_columns
from alchemy_sim.games.furnace.match.policies import POLICY_NAMES
from alchemy_sim.games.furnace.match.view import RULES
from alchemy_sim.games.furnace.match.weights import WEIGHTS
from alchemy_sim.games.furnace.names import CATEGORIES

#: Keys of the configuration that the kernel knows by another name.
_RENAMED = {"hand": "dealt", "stones": "start_stones", "jokers": "deck_jokers"}


def encode(config: FurnaceConfig, players: int, policies: Sequence[str]) -> Encoded:
    """The rules of a match for `players` seats, each with the policy of that name."""
    check_seats("the Furnace", config.allowed_players, players, policies, POLICY_NAMES)
    problem = too_small(config.deck, config.match, players, config.rulings.community_joker)
    if problem:
        raise ConfigError(problem)
    rules = np.zeros(1, RULES)
    rules["players"] = players
    for key, value in (config.deck.model_dump() | config.match.model_dump()).items():
        rules[_RENAMED.get(key, key)] = value
    for name, place in config.rulings.places().items():
        rules[name] = place
    rules["hand_order"] = [CATEGORIES.index(name) for name in config.hand_order]
    fill_weights(rules, policies, config.weights, WEIGHTS)
    facts: dict[str, Any] = {key: getattr(config, key).model_dump(mode="json") for key in ("deck", "match", "rulings")}
    facts["match"] = {"players": players, **facts["match"]}
    facts["hand_order"] = list(config.hand_order)
    return Encoded("furnace", players, tuple(policies), rules, facts, present(players), rounds=round_columns(players))
