"""The numbers that players of matches weigh by: rows of configuration (`[weights.NAME]`), in the kernel's order."""

from __future__ import annotations

#: player -> number -> (default, meaning). The first six are the aim of a turn's plays (`search.Aim`), in its order.
_AIM = {
    "points": "a point of the own layout",
    "stones": "a Stone earned by layouts",
    "given": "a point given to another player",
    "cards": "a card left in the hand",
    "needed": "a point up to those that qualify",
    "qualified": "to qualify",
}
_BETTING = {
    "force": "percentile of the best hand to keep from which the Furnace is forced",
    "late": "turns of a round before which it is not forced, unless the bag is empty",
    "bet": "share of the own Stones that is bet",
    "call": "percentile from which a bet is called, and so much more of the way to 1 as the bet is of the own Stones",
}


def _row(*defaults: float) -> dict[str, tuple[float, str]]:
    meanings = {**_AIM, **_BETTING}
    return {name: (default, meanings[name]) for name, default in zip(meanings, defaults, strict=True)}


WEIGHTS = {
    "builder": _row(1.0, 3.0, -0.5, 0.0, 1.0, 5.0, 0.65, 0.0, 0.34, 0.75),
    "shark": _row(1.0, 3.0, -0.5, 0.0, 1.0, 5.0, 0.65, 0.0, 0.34, 0.75),
    "banker": _row(0.3, 10.0, -0.2, 0.0, 0.5, 2.0, 0.85, 12.0, 0.5, 0.8),
}
