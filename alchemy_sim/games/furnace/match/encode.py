"""From names to numbers: a configuration of matches at one player count as the arrays the kernel plays on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from alchemy_sim.core.errors import ConfigError, unknown
from alchemy_sim.core.game import Encoded
from alchemy_sim.core.own import is_own
from alchemy_sim.games.furnace.config import FurnaceConfig, match_problem
from alchemy_sim.games.furnace.match.columns import present
from alchemy_sim.games.furnace.match.policies import POLICY_NAMES
from alchemy_sim.games.furnace.match.view import RULES
from alchemy_sim.games.furnace.names import CATEGORIES

#: Keys of the configuration that the kernel knows by another name.
_RENAMED = {"hand": "dealt", "stones": "start_stones", "jokers": "deck_jokers"}


def encode(config: FurnaceConfig, players: int, policies: Sequence[str]) -> Encoded:
    """The rules of a match for `players` seats, each with the policy of that name."""
    if players not in config.allowed_players:
        allowed = ", ".join(map(str, config.allowed_players))
        raise ConfigError(f"players = {players}: the Furnace is played by {allowed}")
    problem = match_problem(config.deck, config.match, players, config.rulings.community_joker)
    if problem:
        raise ConfigError(problem)
    if len(policies) != players:
        raise ConfigError(f"{len(policies)} policies named for {players} players")
    for name in policies:
        if name not in POLICY_NAMES and not is_own(name):  # those of users' files are found when a run is planned
            raise ConfigError(unknown("policy", name, POLICY_NAMES))
    rules = np.zeros(1, RULES)
    rules["players"] = players
    for key, value in (config.deck.model_dump() | config.match.model_dump()).items():
        rules[_RENAMED.get(key, key)] = value
    for name, place in config.rulings.places().items():
        rules[name] = place
    rules["hand_order"] = [CATEGORIES.index(name) for name in config.hand_order]
    rules["weights"][0, :, :6] = (1.0, 4.0, -0.5, 0.0, 0.0, 0.0)
    facts: dict[str, Any] = {key: getattr(config, key).model_dump(mode="json") for key in ("deck", "match", "rulings")}
    facts["match"] = {"players": players, **facts["match"]}
    facts["hand_order"] = list(config.hand_order)
    return Encoded("furnace", players, tuple(policies), rules, facts, present(players))
