"""What Catalyzing with a lead is worth: the trick it is likely to make, and what it risks."""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, highest, popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.games.crucible.cards import CATALYST, INGREDIENTS, MANDRAKE, RANK_OF, SUIT, SUIT_OF, bit
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.policies.careful.chances import (
    ALL_LOW,
    NO_ONE,
    NONE_FOLLOWS,
    NONE_VOID,
    ONE_FOLLOWS,
    PASSES,
    RISK,
    at_most,
    can_exceed,
    hidden_cards,
    none_of,
    won_by,
)
from alchemy_sim.games.crucible.policies.careful.common import (
    players_before,
)
from alchemy_sim.games.crucible.policies.careful.gains import (
    must_not_lead,
    trick_gain,
    weight,
    wished_deeds,
)
from alchemy_sim.games.crucible.policies.careful.purpose import (
    Purpose,
    next_with_cards,
)
from alchemy_sim.games.crucible.policies.careful.weights import Weight
from alchemy_sim.games.crucible.policies.lead import may_hold
from alchemy_sim.games.crucible.policies.wishes import to_come
from alchemy_sim.games.crucible.rules import counted_value
from alchemy_sim.games.crucible.tasks import DEEDS_OF_FACE, Deed, largest_hand


@large_helper
def likely_deeds(view: Any, seat: int, face: int, facts: Any) -> float:
    """What the cards that follow are likely to add for a seat that leads `face` and wins, beside its own card's."""
    wished = wished_deeds(view, seat)
    barred = view.barred[seat]
    suit = SUIT_OF[face]
    feeds = 0.85 if suit == CATALYST else 0.6 * (1.0 - facts[NONE_VOID])
    many = 1.0 - facts[NONE_FOLLOWS] - facts[ONE_FOLLOWS]
    found = 0.0
    fed = wished & ((1 << Deed.NINE) | 0x3F) & ~DEEDS_OF_FACE[face]
    if fed:
        found += feeds * popcount(np.uint64(fed))
    if wished & (1 << Deed.ONE) and RANK_OF[face] != 1:
        found += 1.0 - facts[NO_ONE]
    if wished & (1 << Deed.THREE_OF_A_SUIT):
        found += many
    if wished & (1 << Deed.ALL_LOW) and RANK_OF[face] <= 5:
        found += facts[ALL_LOW]
    if wished & (1 << Deed.TWO_MANDRAKE):
        # those who are void can discard Mandrake
        found += 1.0 - facts[NONE_FOLLOWS] if suit == MANDRAKE else 0.7 * feeds if to_come(view) > 1 else 0.0
    if suit == CATALYST and wished & (1 << Deed.TWO_CATALYSTS):
        found += 1.0 - facts[NONE_FOLLOWS]
    if barred:
        # those who are void can mostly choose what to discard; at the end they can't
        forced = 0.02 if largest_hand(view) > 3 else 0.15
        found -= weight(view, Weight.FAIL) * forced * (1.0 - facts[NONE_VOID]) * popcount(np.uint64(barred & 0x1FF))
    return found


@helper
def can_take(view: Any, seat: int, face: int) -> float:
    """The chance that a seat can win over a led face by following suit."""
    suit = SUIT_OF[face]
    higher = SUIT[suit] & ~((bit(face) << ONE) - ONE)
    if view.known[seat] & higher != ZERO:
        return 1.0
    pool = may_hold(view, seat)
    return 1.0 - none_of(popcount(pool), popcount(pool & higher), hidden_cards(view, seat))


@large_helper
def takes_over(view: Any, seat: int, face: int, facts: Any) -> float:
    """The chance that a seat, the heir of `facts`, wins over a led face when everybody else ducks."""
    held = view.known[seat] & SUIT[SUIT_OF[face]]
    top = RANK_OF[highest(held)] if held != ZERO else 8
    return can_take(view, seat, face) * facts[PASSES + top]


@large_helper
def catalyze_worth(
    view: Any, face: int, aim: int, ahead: Any, limit: int, cost: float, burn: float, sums: Any, facts: Any
) -> float:
    """What Catalyzing with this lead is worth under a limit; `cost`: of a Boil Over, `burn`: of a card that leaves."""
    me = view.me
    value = counted_value(view, me, face, -1)
    deeds = DEEDS_OF_FACE[face]
    if view.boil_pending:
        deeds |= 1 << Deed.AFTER_BOIL
    safe = at_most(sums, limit - value)
    mine = trick_gain(view, me, deeds, ahead) + likely_deeds(view, me, face, facts)
    worth = won_by(facts, RANK_OF[face], mine)
    if view.discipline[me] == Discipline.VOID_WEAVER and face >= INGREDIENTS:
        worth = 0.0
    best = safe * worth - (1.0 - safe) * cost
    seat = aim & 7
    if aim >> 3 == Purpose.TRICK and seat != me:
        takes = takes_over(view, seat, face, facts)
        roomy = at_most(sums, limit - value - 4)
        wished = trick_gain(view, seat, deeds, ahead)
        spoiled = (1.0 - takes) * min(mine, 0.0) + facts[RISK + RANK_OF[face]]
        best = max(best, roomy * (takes * wished + spoiled) - (1.0 - roomy) * cost)
        safe = max(safe, roomy)
    if aim >> 3 == Purpose.BOIL and seat != me:
        between = players_before(view, seat)
        if between <= 3:
            # the fewer play after the one who is to push, the better, but for those who had better not lead
            left = 0
            after = next_with_cards(view, seat)
            while after != me:
                if not must_not_lead(view, after):
                    left += 1
                after = next_with_cards(view, after)
            each = 7.5 if between == 1 else 6.4 if between == 2 else 5.4
            room = view.limit_now - value - int(each * between)
            pushes = 0.95 * can_exceed(view, seat, SUIT_OF[face], room) - 0.4 * left if between > 0 else 0.0
            best = max(best, pushes * 1.2 - 0.2 + 0.3 * (1.0 - pushes) * min(worth, 0.0))
    return best - 0.03 + max(burn, 0.0) * view.active * (safe + 0.6 * (1.0 - safe))
