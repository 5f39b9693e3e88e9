"""A showdown told so that people can lay it out with real cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alchemy_sim.games.furnace.names import CATEGORIES, TITLES, card_number

_TITLE = dict(zip(CATEGORIES, TITLES, strict=True))


def _sorted(cards: list[str]) -> str:
    return " ".join(sorted(cards, key=card_number))


def tell(events: list[dict[str, Any]], _outcomes: Mapping[str, Any]) -> str:
    """A trace as text."""
    setup, deal, showdown, _ = events
    lines = [f"Showdown {setup['game_index']} under seed {setup['seed']}: {setup['players']} players."]
    jokers = deal["jokers_laid"]
    if jokers:
        fate = "replaced" if setup["rulings"]["community_joker"] == "redraw" else "dead"
        lines.append(f"Jokers laid in the Furnace: {jokers}, {fate}.")
    lines.append(f"The Furnace shows {' '.join(deal['furnace_up'])}; face down lie {' '.join(deal['furnace_down'])}.")
    for seat, hand in enumerate(deal["hands"]):
        kept = showdown["kept"][str(seat)]
        who = f"P{seat} ({setup['policies'][seat]})"
        lines.append(f"  {who}: {_sorted(hand)}")
        lines.append(f"    keeps {' '.join(kept)}: {_TITLE[showdown['category'][str(seat)]]}")
    winners = showdown["winners"]
    names = " and ".join(f"P{seat}" for seat in winners)
    with_what = _TITLE[showdown["category"][str(winners[0])]]
    how = " by the Trump rule" if showdown["trump_decided"] else ""
    lines.append(f"{names} {'share the pot' if len(winners) > 1 else 'wins'} with {with_what}{how}.")
    return "\n".join(lines) + "\n"
