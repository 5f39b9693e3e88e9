"""From names to numbers: a configuration of showdowns at one player count as the arrays the kernel plays on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from alchemy_sim.core.errors import ConfigError
from alchemy_sim.core.game import Encoded
from alchemy_sim.core.seats import check_seats
from alchemy_sim.games.furnace.config import DealConfig, HandConfig, HandRulings, deal_problem
from alchemy_sim.games.furnace.names import CATEGORIES
from alchemy_sim.games.furnace.showdown.columns import present
from alchemy_sim.games.furnace.showdown.policies import POLICY_NAMES
from alchemy_sim.games.furnace.showdown.view import RULES


def encode(config: HandConfig, players: int, policies: Sequence[str]) -> Encoded:
    """The rules of a showdown for `players` seats, each with the policy of that name."""
    check_seats("the Furnace", config.allowed_players, players, policies, POLICY_NAMES)
    problem = deal_problem(config.deck, config.match, players, config.rulings.community_joker)
    if problem:
        raise ConfigError(problem)
    rules = np.zeros(1, RULES)
    rules["players"] = players
    match = {key: getattr(config.match, key) for key in DealConfig.model_fields}
    for key, value in (config.deck.model_dump() | match).items():
        rules["deck_jokers" if key == "jokers" else key] = value
    for name, place in config.rulings.places().items():
        if name in HandRulings.model_fields:
            rules[name] = place
    rules["hand_order"] = [CATEGORIES.index(name) for name in config.hand_order]
    rulings = {name: getattr(config.rulings, name) for name in HandRulings.model_fields}
    facts: dict[str, Any] = {"deck": config.deck.model_dump(), "match": match, "rulings": rulings}
    facts["hand_order"] = list(config.hand_order)
    return Encoded("showdown", players, tuple(policies), rules, facts, present(players))
