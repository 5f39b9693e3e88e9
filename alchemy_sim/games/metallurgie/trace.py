"""Traces: one game as JSON events (Metallurgie 4), decoded from the log of the kernel that plays the runs."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.game import Encoded
from alchemy_sim.games.metallurgie.names import END, LETTERS
from alchemy_sim.games.metallurgie.simulate import record
from alchemy_sim.games.metallurgie.table import END_CARD, Event


def _letter(card: int) -> str:
    return END if card == END_CARD else LETTERS[card]


def _turn(number: int, player: int) -> dict[str, Any]:
    """A turn in which nothing has happened yet."""
    empty: dict[str, Any] = {"draw": None, "placed": [], "discarded": None, "scored": [], "refill": []}
    return {"type": "turn", "n": number, "player": player, **empty}


def trace(encoded: Encoded, seed: int, index: int) -> list[dict[str, Any]]:
    """The events of game `index` as JSON-ready dicts."""
    players = encoded.players
    hands: list[list[str]] = [[] for _ in range(players)]
    pile: list[str] = []
    bonus: list[list[str]] = [[] for _ in range(players)]
    points, turns, winners = [0] * players, list[dict[str, Any]](), 0
    for kind, a, b, c in record(encoded, seed, index).tolist():
        if kind == Event.HAND:
            hands[a].append(_letter(b))
        elif kind == Event.PILE:
            pile.append(_letter(a))
        elif kind == Event.TURN:
            turns.append(_turn(len(turns) + 1, a))
            turns[-1]["points"] = list(points)
        elif kind == Event.DRAW:
            turns[-1]["draw"] = _letter(a)
        elif kind == Event.PLACED:
            turns[-1]["placed"].append([_letter(a), b, c])
        elif kind == Event.DISCARDED:
            turns[-1]["discarded"] = _letter(a)
        elif kind == Event.SCORED:
            turns[-1]["scored"].append({"metal": _letter(a), "area": b, "removed": []})
            points[turns[-1]["player"]] += 1
            turns[-1]["points"] = list(points)
        elif kind == Event.TAKEN:
            turns[-1]["scored"][-1]["removed"].append([a, b])
        elif kind == Event.REFILL:
            turns[-1]["refill"].append(_letter(a))
        elif kind == Event.BONUS:
            bonus[a].append(_letter(b))
        elif kind == Event.END:
            winners = a
    setup: dict[str, Any] = {"type": "setup", "game": "metallurgie", "players": players, **encoded.facts, "seed": seed}
    setup |= {"game_index": index, "first": turns[0]["player"], "hands": hands, "pile": pile}
    total = [own + len(extra) for own, extra in zip(points, bonus, strict=True)]
    end: dict[str, Any] = {"type": "end", "points": total, "bonus": bonus}
    end |= {"winners": [seat for seat in range(players) if winners >> seat & 1], "turns": len(turns)}
    return [setup | {"policies": list(encoded.policies)}, *turns, end]
