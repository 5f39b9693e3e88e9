"""The numbers that players of matches weigh by: rows of configuration (`[weights.NAME]`), in the kernel's order."""

from __future__ import annotations

from enum import IntEnum

#: What the plays of a turn are worth (`aims.Aim`), in the order of its columns: name -> meaning.
_AIM = {
    "points": "a point of the own layout",
    "stones": "a Stone earned by layouts",
    "given": "a point given to another player",
    "cards": "a card left in the hand",
    "needed": "a point up to those that qualify",
    "qualified": "to qualify",
}


class Threshold(IntEnum):
    """The columns behind those of the aim, of players who bet by thresholds."""

    FORCE = 6
    LATE = 7
    HURRY = 8
    BET = 9
    CALL = 10
    CALL_MORE = 11


_THRESHOLDS = {
    "force": "percentile of the best cards to keep from which the Furnace is forced",
    "late": "own turns of a round before which it is not forced, unless the bag is empty",
    "hurry": "by how much that percentile falls with every own turn after these",
    "bet": "share of the own Stones that is bet",
    "call": "percentile from which a bet of next to nothing is called",
    "call_more": "by how much that percentile is higher for a bet of all own Stones",
}


class Betting(IntEnum):
    """The columns behind those of the aim, of players who bet by what they expect to win."""

    SLOPE = 6
    RIVAL = 7
    CARD = 8
    FORCER = 9
    WAIT = 10
    RISK = 11


_BETTING = {
    "slope": "how surely the better of two hands wins, by a unit of quality (the logit of its percentile)",
    "rival": "quality of a full hand that nobody knows",
    "card": "what every card less makes it worse",
    "forcer": "quality of the hand of who forced the Furnace",
    "wait": "share of the pot that not forcing is worth",
    "risk": "by how much a Stone counts more when all are lost at once",
}


def _row(meanings: dict[str, str], *defaults: float) -> dict[str, tuple[float, str]]:
    return {name: (default, meaning) for default, (name, meaning) in zip(defaults, meanings.items(), strict=True)}


#: player -> number -> (default, meaning).
WEIGHTS = {
    "builder": _row(_AIM | _THRESHOLDS, 1.0, 3.0, -0.5, 0.0, 1.0, 5.0, 0.6, 0.0, 0.03, 0.3, 0.7, 0.15),
    "banker": _row(_AIM | _THRESHOLDS, 0.3, 10.0, -0.2, 0.0, 0.5, 2.0, 0.8, 3.0, 0.08, 0.4, 0.72, 0.15),
    "shark": _row(_AIM | _BETTING, 0.2, 4.0, -0.5, 0.5, 1.0, 8.0, 1.2, 1.1, 0.15, 0.8, 0.3, 0.2),
}
