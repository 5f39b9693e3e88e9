"""Digests of outcome columns, game by game the same on every machine: `python -m tests.regression.make_digests`.

Without arguments it rewrites crucible_digests.json, which test_digests.py compares with. With names of cells (or
`--first N`) it only prints their digests, as the tests ask it to do with other switches in the environment.
A digest may change only with a line in CHANGELOG.md that names the rule (or the player) that changed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from alchemy_sim.config.load import load
from alchemy_sim.core.game import Encoded
from alchemy_sim.games.crucible.config import CrucibleRulings
from alchemy_sim.games.crucible.game import GAME
from alchemy_sim.games.crucible.policies import POLICY_NAMES

FILE = Path(__file__).with_name("crucible_digests.json")
SEED = 1
#: How many games a digest covers. As plain Python fewer are played, so the first of the thousand have their own.
FEW, SOME, GAMES = 40, 200, 1000

#: For each ruling a mission in which its values differ: mission, players, what is set.
_MATTERS: dict[str, tuple[int, int, tuple[str, ...]]] = {
    "boil_over_timing": (4, 5, ()),
    "early_win": (1, 4, ()),
    "after_loss": (4, 3, ()),
    "impossible_test": (12, 4, ("rulings.after_loss=play_on", "slag_cap=6")),
    "impossible_draft": (5, 4, ("task_pool=T24 T32 T33 T34 T01 T02 T07",)),
    "trick_order": (4, 3, ("task_pool=T29 T30 T31 T32",)),
    "fizzle_credit": (4, 4, ("task_pool=T25 T26 T27 T28",)),
    "hoarder_takes": (8, 5, ("rulings.after_loss=play_on",)),
    "task_order": (3, 4, ("tasks=9", "slag_cap=9", "rulings.after_loss=play_on")),
    "sponge_is": (11, 4, ()),
}


def _entry(text: str) -> str:
    """A `--set` entry; a task pool is written with blanks above."""
    key, _, value = text.partition("=")
    return f'{key}=["{value.replace(" ", chr(34) + "," + chr(34))}"]' if key == "task_pool" else text


def _cell(mission: int, players: int, policy: str, *sets: str) -> Encoded:
    config: Any = load(f"crucible/mission-{mission:02d}", [_entry(text) for text in sets]).settings[0].config
    return GAME.encode(config, players, [policy] * players)


def cells() -> dict[str, Encoded]:
    """Every cell that has a digest, by a name that says what it is."""
    found = {
        f"mission-04 {players} players {policy}": _cell(4, players, policy)
        for players in GAME.players
        for policy in POLICY_NAMES
    }
    for switch in CrucibleRulings.switches():
        mission, players, sets = _MATTERS[switch.name]
        for value in switch.values:
            name = f"mission-{mission:02d} {players} players random {switch.name}={value}"
            found[name] = _cell(mission, players, "random", *sets, f"rulings.{switch.name}={value}")
    return found


def digest(encoded: Encoded, games: int) -> str:
    """sha256 over the columns of games 0 to `games` - 1: names, and values as little-endian int64."""
    found = hashlib.sha256()
    for name, values in GAME.simulate(encoded, SEED, 0, games).items():
        found.update(name.encode() + b"\0")
        found.update(np.ascontiguousarray(values, "<i8").tobytes())
    return found.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="print only these cells")
    parser.add_argument("--first", type=int, help="print digests of this many games instead of writing the file")
    chosen = parser.parse_args()
    every = cells()
    if chosen.names or chosen.first:
        names = chosen.names or list(every)
        print(json.dumps({name: digest(every[name], chosen.first or GAMES) for name in names}))
        return
    known = {
        name: {f"first_{first}": digest(encoded, first) for first in (FEW, SOME, GAMES)}
        for name, encoded in every.items()
    }
    text = json.dumps({"seed": SEED, "cells": known}, indent=1) + "\n"
    FILE.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(known)} cells in {FILE.name}")


if __name__ == "__main__":
    main()
