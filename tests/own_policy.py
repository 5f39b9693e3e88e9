"""Policies from files for tests: one to play with, and one that answers by all that it sees."""

from __future__ import annotations

from alchemy_sim.games.crucible.view import FIELDS

#: `low` plays its lowest legal card and is else like thumb; `plain` is thumb by another name; the others break rules.
MY = """\
import numpy as np
from alchemy_sim.core.bits import ONE, ZERO, lowest
from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.cards import RANK_OF
from alchemy_sim.games.crucible.policies.thumb import thumb_player
from alchemy_sim.games.crucible.table import Ask


@helper
def lowest_card(faces):
    best = lowest(faces)
    while faces != ZERO:
        face = lowest(faces)
        faces &= faces - ONE
        if RANK_OF[face] < RANK_OF[best]:
            best = face
    return best


def low(view):
    return lowest_card(view.legal) if view.ask == Ask.CARD else thumb_player(view)


def plain(view):
    return thumb_player(view)


def gossip(view):
    if view.plan != -1 and not (view.ask > Ask.INTENT and view.plan == 100 + view.me):
        return 99
    answer = 0 if view.ask == Ask.INTENT else thumb_player(view)
    view.plan = 100 + view.me
    return lowest(view.legal) if view.ask == Ask.CARD else answer


def far(view):
    return 99 if view.ask == Ask.CARD else thumb_player(view)


def minus(view):
    return -2 if view.ask == Ask.WHISPER else thumb_player(view)


def outside(view):
    return view.slag[view.me + view.players] if view.ask == Ask.POWER else thumb_player(view)


def divides(view):
    return 1 // view.slag_total if view.ask == Ask.INTENT else thumb_player(view)


def gives_up(view):
    if view.ask == Ask.CLAIM:
        raise ValueError("I don't know")
    return thumb_player(view)
"""


def all_seeing() -> str:
    """A policy that answers by a hash of every field of its view, so that no field can change unnoticed."""
    lines = [
        "import numpy as np",
        "from alchemy_sim.core.bits import kth, popcount",
        "from alchemy_sim.core.rng import below, mix64",
        "from alchemy_sim.games.crucible.table import Ask",
        "",
        "",
        "def seer(view):",
        "    word = np.uint64(0)",
    ]
    for each in (each for group in FIELDS.values() for each in group if each.name != "weights"):
        if each.shape:
            lines += [f"    for at in range({each.shape[0]}):"]
            lines += [f"        word = mix64(word + np.uint64(view.{each.name}[at]))"]
        else:
            lines += [f"    word = mix64(word + np.uint64(view.{each.name}))"]
    lines += [
        "    if view.ask == Ask.CARD:",
        "        return kth(view.legal, below(word, popcount(view.legal)))",
        "    if view.ask == Ask.CLAIM:",
        "        return kth(view.unclaimed, below(word, popcount(view.unclaimed)))",
        "    if view.ask == Ask.WHISPER or view.ask == Ask.SWAP:",
        "        return -1",
        "    return below(word, 2)",
    ]
    return "\n".join(lines) + "\n"
