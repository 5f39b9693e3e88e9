"""Showdowns of the Furnace as a `Game`: all that the rest of the toolkit knows about them."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.game import Game
from alchemy_sim.core.jit import mark_compiled
from alchemy_sim.games.furnace.config import HandRulings, ShowdownConfig
from alchemy_sim.games.furnace.names import CATEGORIES, TITLES
from alchemy_sim.games.furnace.showdown.breakdowns import BREAKDOWNS
from alchemy_sim.games.furnace.showdown.columns import COLUMNS
from alchemy_sim.games.furnace.showdown.encode import encode
from alchemy_sim.games.furnace.showdown.metrics import METRICS, SEAT_SHARES
from alchemy_sim.games.furnace.showdown.page import PAGE
from alchemy_sim.games.furnace.showdown.policies import OWN_POLICIES, POLICY_NAMES, policy
from alchemy_sim.games.furnace.showdown.simulate import simulate
from alchemy_sim.games.furnace.showdown.tell import tell
from alchemy_sim.games.furnace.showdown.trace import trace
from alchemy_sim.games.furnace.showdown.view import view_rows


def _hands() -> list[dict[str, Any]]:
    return [{"hand": name, "title": title} for name, title in zip(CATEGORIES, TITLES, strict=True)]


def warm() -> None:
    """Compile (or load) every policy; the kernel itself is compiled by importing this module."""
    for name in POLICY_NAMES:
        policy(name)
    mark_compiled("showdown")


GAME = Game(
    name="showdown",
    title="Furnace showdowns",
    config=ShowdownConfig,
    players=(2, 3, 4, 5, 6),
    policies=POLICY_NAMES,
    default_policy="fast",
    encode=encode,
    simulate=simulate,
    trace=trace,
    columns=COLUMNS,
    metrics=METRICS,
    breakdowns=BREAKDOWNS,
    page=PAGE,
    lists={"hands": _hands, "rulings": HandRulings.rows, "view": view_rows},
    headline="trump_decided",
    warm=warm,
    tell=tell,
    own_policies=OWN_POLICIES,
    seat_shares=SEAT_SHARES,
)
