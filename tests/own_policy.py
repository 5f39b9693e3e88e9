"""Policies from files for tests: one to play with, and one that answers by all that it sees."""

from __future__ import annotations

from importlib import import_module

import numpy as np

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


#: The same for showdowns: `plain` is rank by another name.
MY_SHOWDOWN = """\
from alchemy_sim.games.furnace.showdown.policies.rank import rank_player


def plain(view):
    return rank_player(view)
"""

#: By game: where its view is told, what an answer by a random word needs, and the answer.
_SEERS = {
    "crucible": (
        "alchemy_sim.games.crucible.view",
        ["from alchemy_sim.games.crucible.table import Ask"],
        [
            "    if view.ask == Ask.CARD:",
            "        return kth(view.legal, below(word, popcount(view.legal)))",
            "    if view.ask == Ask.CLAIM:",
            "        return kth(view.unclaimed, below(word, popcount(view.unclaimed)))",
            "    if view.ask == Ask.WHISPER or view.ask == Ask.SWAP:",
            "        return -1",
            "    return below(word, 2)",
        ],
    ),
    "showdown": (
        "alchemy_sim.games.furnace.showdown.view",
        ["from alchemy_sim.games.furnace.showdown.policies.choices import keepable"],
        [
            "    places = keepable(view)",
            "    while popcount(places) > view.kept:",
            "        places ^= np.uint64(1) << np.uint64(kth(places, below(word, popcount(places))))",
            "        word = mix64(word)",
            "    return np.int64(places)",
        ],
    ),
    "furnace": (
        "alchemy_sim.games.furnace.match.view",
        [
            "from alchemy_sim.games.furnace.match.policies.random import random_player",
            "from alchemy_sim.games.furnace.match.table import Ask",
        ],
        [
            "    if view.ask == Ask.DISCARD:",
            "        return below(word, view.hand)",
            "    owed = view.board.owed_jokers > 0 or view.board.owed_trumps != np.uint64(0)",
            "    if view.ask == Ask.KEEP or (view.ask == Ask.PLAY and (owed or word & np.uint64(7))):",
            "        return random_player(view)",
            "    if view.ask == Ask.PLAY:",
            "        return 0",
            "    return np.int64(word & np.uint64(1)) * (view.min_bet if view.ask == Ask.FORCE else 1)",
        ],
    ),
    "metallurgie": (
        "alchemy_sim.games.metallurgie.view",
        [
            "from alchemy_sim.games.metallurgie.policies.random import random_place, random_scoring",
            "from alchemy_sim.games.metallurgie.table import STOP, Ask",
        ],
        [
            "    if view.ask == Ask.DRAW:",
            "        return below(word, 2)",
            "    if view.ask == Ask.SCORE:",
            "        return random_scoring(view) if word & np.uint64(3) else 0",
            "    if view.placed > 0 and word & np.uint64(1):",
            "        return STOP",
            "    return random_place(view)",
        ],
    ),
}


def _hashed(name: str, kind: np.dtype, shape: tuple[int, ...], indent: str = "    ") -> list[str]:
    """Lines that take all integers of a field into the hash, those of records within it too."""
    if shape:
        at = f"at_{len(indent)}"
        lines = _hashed(f"{name}[{at}]", kind, shape[1:], indent + "    ")
        return [f"{indent}for {at} in range({shape[0]}):", *lines] if lines else []
    if kind.fields:
        parts = [(field, *(sub.subdtype or (sub, ()))) for field, (sub, *_) in kind.fields.items()]
        return [line for field, sub, size in parts for line in _hashed(f"{name}.{field}", sub, size, indent)]
    return [f"{indent}word = mix64(word + np.uint64({name}))"] if kind.kind in "iu" else []


def all_seeing(game: str = "crucible") -> str:
    """A policy that answers by a hash of all it sees, but tables of the rules: no field can change unnoticed."""
    module, imports, answer = _SEERS[game]
    lines = [
        "import numpy as np",
        "from alchemy_sim.core.bits import kth, popcount",
        "from alchemy_sim.core.rng import below, mix64",
        *imports,
        "",
        "",
        "def seer(view):",
        "    word = np.uint64(0)",
    ]
    for each in (each for group in import_module(module).FIELDS.values() for each in group):
        if each.name not in ("hands", "outlook"):  # tables of the rules
            lines += _hashed(f"view.{each.name}", np.dtype(each.kind), each.shape)
    return "\n".join([*lines, *answer]) + "\n"
