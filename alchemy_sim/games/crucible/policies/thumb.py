"""Rules of thumb: duck under the limit, burn what nobody needs, win or avoid tricks by one's own open tasks.

Transmuting is the safe way to get rid of cards: a fizzle burns them, a success turns high cards low. So the leader
Catalyzes only when somebody needs tricks and the total is likely to stay under the limit.
"""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ONE, ZERO, highest, lowest, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.cards import CATALYST, RANK_OF, SUIT, SUIT_OF, bit
from alchemy_sim.games.crucible.policies.draft import best_claim, better_discipline
from alchemy_sim.games.crucible.policies.lead import BURN_BELOW, lead_plan, team_needs_success
from alchemy_sim.games.crucible.policies.powers import thumb_power, wants_boil
from alchemy_sim.games.crucible.policies.wishes import base_wish, to_come, wanted_by_any, wish_for
from alchemy_sim.games.crucible.rules import beating, counted_value
from alchemy_sim.games.crucible.table import POLICIES, Ask, Hint, Intent
from alchemy_sim.games.crucible.tasks import DEEDS_OF_FACE, Deed, combination_deeds, face_deeds

#: Tenths of a point that a player still to come is expected to add when everybody ducks.
DUCKING = 32
#: Score of a card that boils the cauldron over, and of one that does so on purpose.
BOILS = -3000
BOILS_GLADLY = 500
HIGHEST_CATALYST = 57


@helper
def transmute_card(view: Any) -> int:
    """Follow the leader's convention: as high as possible for a success, as high as still fizzles for a fizzle.

    The lowest for an owner of that task, and exactly 18 where the mission wants it, come first.
    """
    success = RANK_OF[view.play_face[0]] >= BURN_BELOW or team_needs_success(view)
    low = success and view.wanted[view.me] & (1 << Deed.LOW) != 0
    after = to_come(view)
    exact = after == 0 and view.needs_22_and_18 == 1 and view.made_18 == 0
    best = -1
    best_score = -100000
    rest = view.legal
    while rest != ZERO:
        face = lowest(rest)
        rest &= rest - ONE
        value = counted_value(view, view.me, face, -1)
        score = -10 * value if low else 10 * value
        if SUIT_OF[face] == CATALYST:
            score -= 25  # never flips and wins tricks: the last to be burned
        if not success and 10 * (view.total + value) + after * DUCKING >= 10 * view.target_now:
            score -= 200 + 20 * value
        if exact and view.total + value == 18:
            score += 1000
        if score > best_score:
            best_score = score
            best = face
    return best


@helper
def others_wish(view: Any, there: int) -> int:
    """The strongest wish of the other seats for the trick in the cauldron, at least 0."""
    most = 0
    for seat in range(view.players):
        if seat != view.me:
            most = max(most, base_wish(view, seat) + wish_for(view, seat, there))
    return most


@helper
def chance_to_win(face: int, after: int) -> int:
    """Tenths of the chance that a card that is highest so far stays so."""
    if after == 0 or face == HIGHEST_CATALYST:
        return 10
    return max(9 - 2 * after, 1)


@helper
def wants_22(view: Any) -> bool:
    """Whether anybody needs a trick of exactly 22."""
    return wanted_by_any(view) & (1 << Deed.SUM_22) != 0 or (view.needs_22_and_18 == 1 and view.made_22 == 0)


@helper
def catalyze_card(view: Any) -> int:
    """The card with the best score: no Boil Over first, then the trick to who wishes it, then high cards out."""
    after = to_come(view)
    boil = wants_boil(view)
    exact = after == 0 and wants_22(view)
    winning = beating(view, view.me, view.legal)
    there = 0
    mine = 0
    others = 0
    if winning != ZERO:
        there = face_deeds(view) | combination_deeds(view)
        mine = base_wish(view, view.me)
        others = others_wish(view, there)
    best = -1
    best_score = -1000000
    rest = view.legal
    while rest != ZERO:
        face = lowest(rest)
        rest &= rest - ONE
        value = counted_value(view, view.me, face, -1)
        total = view.total + value
        score = 2 * value
        if total > view.limit_now or view.exploded:
            score += BOILS_GLADLY if boil else BOILS
        else:
            over = 10 * total + after * DUCKING - 10 * view.limit_now
            if over > 0 and not boil:
                score -= 4 * over
            if winning & bit(face) != ZERO:
                desire = mine + wish_for(view, view.me, there | DEEDS_OF_FACE[face])
                score += chance_to_win(face, after) * (desire - others)
            if exact and total == 22:
                score += 200
        if score > best_score:
            best_score = score
            best = face
    return best


@helper
def thumb_whisper(view: Any) -> int:
    """At the first chance, the top of the longest ingredient suit: it tells most about what is held and what is not."""
    best = -1
    longest = 0
    for suit in range(6):
        held = view.hand & SUIT[suit]
        if popcount(held) > longest:
            longest = popcount(held)
            best = 4 * highest(held) + Hint.TOP
    return best


@POLICIES.declare
def thumb_player(view: Any) -> int:
    """Answer by rules of thumb."""
    if view.ask == Ask.CARD:
        if view.plays == 0:
            return view.plan & 63
        return catalyze_card(view) if view.intent == Intent.CATALYZE else transmute_card(view)
    if view.ask == Ask.INTENT:
        view.plan = lead_plan(view)
        return view.plan >> 6
    if view.ask == Ask.POWER:
        return thumb_power(view)
    if view.ask == Ask.CLAIM:
        return best_claim(view)
    if view.ask == Ask.KEEP:
        return better_discipline(view)
    if view.ask == Ask.WHISPER:
        return thumb_whisper(view)
    return -1
