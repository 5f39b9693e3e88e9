"""The Crucible as a `Game`: all that the rest of the toolkit knows about it."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Any

from alchemy_sim.config.load import load, shipped
from alchemy_sim.config.weights import weight_rows
from alchemy_sim.core.game import Game, Quartet, Variant
from alchemy_sim.core.jit import mark_compiled
from alchemy_sim.games.crucible.breakdowns import BREAKDOWNS
from alchemy_sim.games.crucible.columns import COLUMNS
from alchemy_sim.games.crucible.config import CrucibleConfig, CrucibleRulings
from alchemy_sim.games.crucible.encode import encode
from alchemy_sim.games.crucible.metrics import METRICS
from alchemy_sim.games.crucible.names import DISCIPLINES, SLUGS, TASKS
from alchemy_sim.games.crucible.page import PAGE
from alchemy_sim.games.crucible.policies import OWN_POLICIES, POLICY_NAMES, policy
from alchemy_sim.games.crucible.simulate import simulate
from alchemy_sim.games.crucible.tell import tell
from alchemy_sim.games.crucible.trace import trace
from alchemy_sim.games.crucible.view import view_rows
from alchemy_sim.games.crucible.weights import WEIGHTS

#: Mission keys that are on for few missions.
SPECIAL_RULES = ("ordered_tasks", "needs_transmute", "needs_22_and_18", "sponge")


def _missions() -> list[dict[str, Any]]:
    rows = []
    for name in shipped():
        if name.startswith("crucible/mission-"):
            config: Any = load(name).settings[0].config
            special = [key for key in SPECIAL_RULES if getattr(config, key)]
            special += [] if config.whispers else ["no whispers"]
            special += [] if config.catalyst_value is None else [f"Catalysts count {config.catalyst_value}"]
            rows.append(
                {
                    "mission": name,
                    "title": config.title,
                    "limit": config.limit,
                    "target": config.target,
                    "slag_cap": config.slag_cap,
                    "tasks": config.tasks,
                    "special": ", ".join(special),
                    "assumed": ", ".join(config.assumed),
                }
            )
    return rows


def _tasks() -> list[dict[str, Any]]:
    return [{"id": task.id, "slug": task.slug, "category": task.category, "text": task.text} for task in TASKS]


def _disciplines() -> list[dict[str, Any]]:
    return [{"discipline": each.slug, "timing": each.timing, "text": each.text} for each in DISCIPLINES]


def _discipline_variants(_config: Any) -> list[Variant]:
    """Each discipline in the hands of a seat drawn at random, against a card there that does nothing."""
    found = []
    for slug in SLUGS:
        given = f'given=["{slug}"]'
        found.append(Variant(slug, (given, f'blank=["{slug}"]'), (given,)))
    return found


def _discipline_quartets(_config: Any) -> list[Quartet]:
    """Two disciplines in the hands of two seats drawn at random, each with its card or with one that does nothing."""
    found = []
    for one, other in combinations(SLUGS, 2):
        given = f'given=["{one}","{other}"]'
        blanks = (f'["{one}","{other}"]', f'["{other}"]', f'["{one}"]', "[]")
        neither, first, second, both = ((given, f"blank={blank}") for blank in blanks)
        found.append(Quartet(one, other, (neither, first, second, both)))
    return found


def _whisper_variants(_config: Any) -> list[Variant]:
    return [Variant("whispers", ("whispers=false",), ("whispers=true",))]


def warm() -> None:
    """Compile (or load) every policy; the kernel itself is compiled by importing this module."""
    for name in POLICY_NAMES:
        policy(name)
    mark_compiled("crucible")


GAME = Game(
    name="crucible",
    title="The Alchemist's Crucible",
    config=CrucibleConfig,
    players=(3, 4, 5),
    policies=POLICY_NAMES,
    default_policy=POLICY_NAMES[-1],
    encode=encode,
    simulate=simulate,
    trace=trace,
    columns=COLUMNS,
    metrics=METRICS,
    breakdowns=BREAKDOWNS,
    factors={"discipline": _discipline_variants, "whispers": _whisper_variants},
    quartets={"discipline": _discipline_quartets},
    page=PAGE,
    lists={
        "missions": _missions,
        "tasks": _tasks,
        "disciplines": _disciplines,
        "rulings": CrucibleRulings.rows,
        "weights": partial(weight_rows, WEIGHTS),
        "view": view_rows,
    },
    headline="win_rate",
    warm=warm,
    tell=tell,
    own_policies=OWN_POLICIES,
)
