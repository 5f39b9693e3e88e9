"""What to lead: the intent and the card together, by what the others are likely to add.

A convention that everybody can read: in a Transmute a lead of 6 or more asks for success, a lower one for a fizzle.
A fizzle burns cards and a success turns high ones low, so both get rid of high cards. A success that turns as many
cards up as down would go on for ever: the loop is left by Catalyzing, at worst for a Slag Token.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, highest, lowest, popcount
from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.cards import CATALYST, INGREDIENTS, RANK, RANK_OF, SUIT, SUIT_OF, SUITS
from alchemy_sim.games.crucible.policies.wishes import (
    base_wish,
    needs_tricks,
    owns_open,
    wanted_by_any,
    wish_for,
)
from alchemy_sim.games.crucible.rules import counted_value
from alchemy_sim.games.crucible.table import Intent
from alchemy_sim.games.crucible.tasks import DEEDS_OF_FACE, Deed, Family

#: Tenths of a point that hidden cards add: following a suit low or high, discarding low or high.
HIDDEN_LOW, HIDDEN_HIGH = 34, 68
DISCARD_LOW, DISCARD_HIGH = 15, 85
HIGH_OR_LOW = 1 << Deed.HIGH | 1 << Deed.LOW
BURN_BELOW = 6
#: A wish as low as this: a trick would fail a task of the seat.
MUST_NOT = -10
#: The Catalyst of each printed value, as a mask by rank.
CATALYSTS_OF = np.array([0] + [1 << (INGREDIENTS + r - 1) if r <= 4 else 0 for r in range(1, 10)], np.uint64)


@helper
def may_hold(view: Any, seat: int) -> Any:
    """Faces that a seat's hidden cards may be, as far as the asked player can tell; empty when none is hidden."""
    hidden = view.cards_left[seat] - popcount(view.known[seat]) - popcount(view.known_twin[seat])
    return view.unseen & ~view.excluded[seat] & ~view.hand if hidden > 0 else ZERO


@helper
def low_follow(suit: int, known: Any, hidden: Any, discard: int) -> int:
    """Tenths of points that a seat is likely to add to a lead of `suit` when it ducks; `discard` when it is void."""
    follows = known & SUIT[suit]
    if hidden & SUIT[suit] == ZERO:
        return 10 * RANK_OF[lowest(follows)] if follows != ZERO else discard
    if follows != ZERO:
        return min(10 * RANK_OF[lowest(follows)], HIDDEN_LOW)
    return HIDDEN_LOW if suit != CATALYST else DISCARD_LOW


@helper
def high_follow(suit: int, known: Any, hidden: Any) -> int:
    """Tenths of points that a seat is likely to add to a lead of `suit` when it plays high."""
    follows = known & SUIT[suit]
    if follows != ZERO:
        return 10 * RANK_OF[highest(follows)]
    return HIDDEN_HIGH if hidden & SUIT[suit] != ZERO and suit != CATALYST else DISCARD_HIGH


@helper
def lowest_rank(faces: Any) -> int:
    """The lowest rank among faces (9 when there are none)."""
    for rank in range(1, 9):
        if faces & (RANK[rank] | CATALYSTS_OF[rank]) != ZERO:
            return rank
    return 9


@helper
def team_needs_success(view: Any) -> bool:
    """Whether the team needs a successful Transmute now."""
    if view.needs_transmute and view.transmutes_made == 0:
        return True
    if view.needs_22_and_18 and view.made_18 == 0:
        return True
    return wanted_by_any(view) & HIGH_OR_LOW != 0


@helper
def somebody_needs_tricks(view: Any) -> bool:
    """Whether any player with cards has an open task that wants tricks won."""
    for seat in range(view.players):
        if view.cards_left[seat] > 0 and needs_tricks(view, seat):
            return True
    return view.needs_22_and_18 == 1 and view.made_22 == 0


@helper
def catalyze_score(face: int, above: int, needed: bool, desire: int, others: int, harmed: int) -> int:
    """How good it is to Catalyze with this lead; `above`: tenths by which a ducked total is likely over the limit."""
    chance = min(10, 7 + RANK_OF[face]) if SUIT_OF[face] == CATALYST else RANK_OF[face]
    score = (260 if needed else 60) - 12 * max(above + 15, 0)
    score += chance * max(-40, min(desire, 20)) - chance * others // 2
    return score - harmed * (10 - chance) * 6


@helper
def transmute_score(view: Any, face: int, low_total: int, high_total: int, needed: bool, success: bool) -> int:
    """How good it is to Transmute with this lead: a low card asks for a fizzle, a high one for success."""
    worn = view.transmutes_made * 6  # successes use up no cards: ever less attractive
    if RANK_OF[face] < BURN_BELOW or face >= INGREDIENTS:
        if success and low_total >= 10 * view.target:
            return 200
        short = 10 * view.target - 10 - low_total
        return (150 if needed else 220) + min(short, 0) * 6 - (60 if face >= INGREDIENTS else 0)
    reaches = high_total >= 10 * view.target + 5
    turned = high_total - 50 * view.active
    if success:
        return 330 if reaches else 60
    return (140 + turned - worn) if reaches else 120


@helper
def lead_plan(view: Any) -> int:
    """The best lead: 64 * intent + face. Of each suit only the lowest and the highest card are weighed."""
    me = view.me
    needed = somebody_needs_tricks(view)
    success = team_needs_success(view)
    mine = base_wish(view, me)
    led_one = owns_open(view, me, Family.LEAD_ONE)
    led = view.transmutes_led[me]
    no_catalyze = 500 if led_one and led == 0 else 0
    no_transmute = 5000 if me == view.sponge_seat or (led_one and led == 1) else 0
    others = 0
    harmed = 0
    low_others = 0  # nine bits a suit
    high_others = 0
    for seat in range(view.players):
        if seat == me or view.cards_left[seat] == 0:
            continue
        wish = base_wish(view, seat)
        others = max(others, wish)
        if wish <= MUST_NOT:
            harmed += 1
        known = view.known[seat]
        hidden = may_hold(view, seat)
        discard = DISCARD_LOW if hidden != ZERO else 10 * lowest_rank(known)
        for suit in range(SUITS):
            if view.hand & SUIT[suit] != ZERO:
                low_others += low_follow(suit, known, hidden, discard) << (9 * suit)
                high_others += high_follow(suit, known, hidden) << (9 * suit)
    best = -1
    best_score = -1000000
    for suit in range(SUITS):
        held = view.hand & SUIT[suit]
        if held == ZERO:
            continue
        low_total = (low_others >> (9 * suit)) & 511
        high_total = (high_others >> (9 * suit)) & 511
        for end in range(2):
            face = lowest(held) if end == 0 else highest(held)
            value = 10 * counted_value(view, me, face, -1)
            desire = mine + wish_for(view, me, DEEDS_OF_FACE[face])
            score = catalyze_score(face, value + low_total - 10 * view.limit, needed, desire, others, harmed)
            score += value // 5 - no_catalyze
            if score > best_score:
                best_score = score
                best = 64 * Intent.CATALYZE + face
            score = transmute_score(view, face, value + low_total, value + high_total, needed, success)
            score += value // 10 - no_transmute
            if score > best_score:
                best_score = score
                best = 64 * Intent.TRANSMUTE + face
            if held & (held - ONE) == ZERO:
                break
    return best
