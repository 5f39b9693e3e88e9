"""Digests of outcome columns, game by game the same on every machine: `python -m tests.regression.make_digests`.

Without arguments it rewrites the files that test_digests.py compares with, one a game; with names of games only theirs.
`crucible --of "200 mission-04 3 players random"` prints the digest of so many games of a game's cell (any number of
them as JSON), as the tests ask for with other switches in the environment. A digest may change only with a line in
CHANGELOG.md that names the rule (or the player) that changed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np

from alchemy_sim.core.game import Encoded, game
from tests.regression.cells import ROWS, Cell, cells

SEED = 1


def file_of(name: str) -> Path:
    """Where the digests of a game are."""
    return Path(__file__).with_name(f"{name}_digests.json")


def digest(encoded: Encoded, count: int) -> str:
    """sha256 over the columns of games 0 to `count` - 1 and of their rounds: names, values as little-endian int64."""
    found = hashlib.sha256()
    for name, values in game(encoded.game).simulate(encoded, SEED, 0, count).items():
        found.update(name.encode() + b"\0")
        found.update(np.ascontiguousarray(values, "<i8").tobytes())
    return found.hexdigest()


def digests(cell: Cell) -> dict[str, str]:
    """The digests of a cell as its game's file has them."""
    encoded = cell.encoded()
    return {f"first_{count}": digest(encoded, count) for count in cell.sizes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "games", nargs="*", help="rewrite the files of these games, all if none is named; with --of the game"
    )
    parser.add_argument("--of", action="append", metavar="'N CELL'", help="print the digest of so many games of a cell")
    chosen = parser.parse_args()
    if chosen.of:
        (name_of_game,) = chosen.games
        every = cells(name_of_game)
        asked = [text.partition(" ") for text in chosen.of]
        print(json.dumps({f"{count} {name}": digest(every[name].encoded(), int(count)) for count, _, name in asked}))
        return
    for name in chosen.games or ROWS:
        known = {each: digests(cell) for each, cell in cells(name).items()}
        text = json.dumps({"seed": SEED, "cells": known}, indent=1) + "\n"
        file_of(name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{len(known)} cells in {file_of(name).name}")


if __name__ == "__main__":
    main()
