"""Traces: one showdown as JSON events (Furnace 7), read off the table that the kernel leaves."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.game import Encoded
from alchemy_sim.games.furnace.names import CATEGORIES, card_name
from alchemy_sim.games.furnace.showdown.simulate import record


def trace(encoded: Encoded, seed: int, index: int) -> list[dict[str, Any]]:
    """The events of showdown `index` as JSON-ready dicts."""
    table, outcomes = record(encoded, seed, index)
    out = outcomes[0]
    players, match = encoded.players, encoded.facts["match"]
    size = match["hand"]
    hands = [[card_name(int(card)) for card in table.deck[seat * size : (seat + 1) * size]] for seat in range(players)]
    furnace = [card_name(int(card)) for card in table.furnace[: match["open_cards"] + match["hidden_cards"]]]
    kept = {str(seat): [card_name(int(card)) for card in table.kept[seat, : match["kept"]]] for seat in range(players)}
    setup = {"type": "setup", "game": "furnace", "players": players, **encoded.facts}
    return [
        {**setup, "seed": seed, "game_index": index, "policies": list(encoded.policies)},
        {
            "type": "round",
            "n": 1,
            "hands": hands,
            "jokers_laid": int(out["jokers_laid"]),
            "furnace_up": furnace[: match["open_cards"]],
            "furnace_down": furnace[match["open_cards"] :],
        },
        {
            "type": "showdown",
            "round": 1,
            "kept": kept,
            "category": {str(seat): CATEGORIES[int(out["category"][seat])] for seat in range(players)},
            "winners": [seat for seat in range(players) if int(out["winners"]) >> seat & 1],
            "trump_decided": bool(out["trump_decided"]),
        },
        {"type": "end", "winner": int(out["winner"]) if out["winner"] >= 0 else None},
    ]
