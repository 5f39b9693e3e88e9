"""Matches of the Furnace as a `Game`: all that the rest of the toolkit knows about them."""

from __future__ import annotations

from functools import partial

from alchemy_sim.config.weights import weight_rows
from alchemy_sim.core.game import Game
from alchemy_sim.core.jit import mark_compiled
from alchemy_sim.games.furnace.config import FurnaceConfig, FurnaceRulings
from alchemy_sim.games.furnace.match.breakdowns import BREAKDOWNS
from alchemy_sim.games.furnace.match.columns import COLUMNS, ROUND_COLUMNS
from alchemy_sim.games.furnace.match.encode import encode
from alchemy_sim.games.furnace.match.metrics import METRICS, SEAT_SHARES
from alchemy_sim.games.furnace.match.page import PAGE
from alchemy_sim.games.furnace.match.policies import OWN_POLICIES, POLICY_NAMES, policy
from alchemy_sim.games.furnace.match.simulate import simulate
from alchemy_sim.games.furnace.match.tell import tell
from alchemy_sim.games.furnace.match.trace import trace
from alchemy_sim.games.furnace.match.view import view_rows
from alchemy_sim.games.furnace.match.weights import WEIGHTS


def warm() -> None:
    """Compile (or load) every policy; the kernel itself is compiled by importing this module."""
    for name in POLICY_NAMES:
        policy(name)
    mark_compiled("furnace")


GAME = Game(
    name="furnace",
    title="The Alchemical Furnace",
    config=FurnaceConfig,
    players=(2, 3, 4, 5, 6),
    policies=POLICY_NAMES,
    default_policy=POLICY_NAMES[-1],
    encode=encode,
    simulate=simulate,
    trace=trace,
    columns=COLUMNS,
    rounds=ROUND_COLUMNS,
    metrics=METRICS,
    breakdowns=BREAKDOWNS,
    page=PAGE,
    lists={"rulings": FurnaceRulings.rows, "weights": partial(weight_rows, WEIGHTS), "view": view_rows},
    headline="rounds",
    warm=warm,
    tell=tell,
    own_policies=OWN_POLICIES,
    seat_shares=SEAT_SHARES,
)
