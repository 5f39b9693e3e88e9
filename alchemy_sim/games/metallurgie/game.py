"""Metallurgie as a `Game`: all that the rest of the toolkit knows about it."""

from __future__ import annotations

from functools import partial

from alchemy_sim.config.weights import weight_rows
from alchemy_sim.core.game import Game
from alchemy_sim.core.jit import mark_compiled
from alchemy_sim.games.metallurgie.breakdowns import BREAKDOWNS
from alchemy_sim.games.metallurgie.columns import COLUMNS
from alchemy_sim.games.metallurgie.config import MetallurgieConfig, MetallurgieRulings
from alchemy_sim.games.metallurgie.encode import encode
from alchemy_sim.games.metallurgie.metrics import METRICS, SEAT_SHARES
from alchemy_sim.games.metallurgie.page import PAGE
from alchemy_sim.games.metallurgie.policies import OWN_POLICIES, POLICY_NAMES, policy
from alchemy_sim.games.metallurgie.simulate import simulate
from alchemy_sim.games.metallurgie.tell import tell
from alchemy_sim.games.metallurgie.trace import trace
from alchemy_sim.games.metallurgie.view import view_rows
from alchemy_sim.games.metallurgie.weights import WEIGHTS


def warm() -> None:
    """Compile (or load) every policy; the kernel itself is compiled by importing this module."""
    for name in POLICY_NAMES:
        policy(name)
    mark_compiled("metallurgie")


GAME = Game(
    name="metallurgie",
    title="Metallurgie",
    config=MetallurgieConfig,
    players=MetallurgieConfig.allowed_players,
    policies=POLICY_NAMES,
    default_policy=POLICY_NAMES[-1],
    encode=encode,
    simulate=simulate,
    trace=trace,
    columns=COLUMNS,
    metrics=METRICS,
    breakdowns=BREAKDOWNS,
    page=PAGE,
    lists={"rulings": MetallurgieRulings.rows, "weights": partial(weight_rows, WEIGHTS), "view": view_rows},
    headline="points",
    warm=warm,
    tell=tell,
    own_policies=OWN_POLICIES,
    seat_shares=SEAT_SHARES,
)
