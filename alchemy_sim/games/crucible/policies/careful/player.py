"""The careful player: dispatches each question."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ZERO, highest, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.cards import SUIT, ruled_out_by
from alchemy_sim.games.crucible.policies.careful.draft import joint_claim
from alchemy_sim.games.crucible.policies.careful.follow import catalyze_follow
from alchemy_sim.games.crucible.policies.careful.keep import worthier_discipline
from alchemy_sim.games.crucible.policies.careful.lead import lead_plan
from alchemy_sim.games.crucible.policies.careful.power import careful_power
from alchemy_sim.games.crucible.policies.careful.seer import careful_swap
from alchemy_sim.games.crucible.policies.careful.transmute import transmute_follow
from alchemy_sim.games.crucible.table import POLICIES, Ask, Hint, Intent


@helper
def telling_whisper(view: Any) -> int:
    """The hint that rules out most of what the others must reckon with."""
    best = -1
    most = 0
    for suit in range(6):
        held = view.hand & SUIT[suit]
        if held == ZERO:
            continue
        face = highest(held)
        told = popcount(ruled_out_by(face, 0) & view.unseen)
        if told > most:
            most = told
            best = 4 * face + Hint.TOP
    return best


@POLICIES.declare
def careful_player(view: Any) -> int:
    """Answer for the team."""
    if view.ask == Ask.CARD:
        if view.plays == 0:
            return view.plan & 63
        return catalyze_follow(view) if view.intent == Intent.CATALYZE else transmute_follow(view)
    if view.ask == Ask.INTENT:
        view.plan = lead_plan(view)
        return (view.plan >> 6) & 1
    if view.ask == Ask.POWER:
        return careful_power(view)
    if view.ask == Ask.SWAP:
        return careful_swap(view)
    if view.ask == Ask.CLAIM:
        return joint_claim(view)
    if view.ask == Ask.KEEP:
        return worthier_discipline(view)
    if view.ask == Ask.WHISPER:
        return telling_whisper(view)
    return -1
