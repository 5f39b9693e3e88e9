"""What a table is good for: how many cards areas lack, and how likely the next players have them.

A player knows its own hand, the table and what is gone; any other card is equally likely in every other hand and in
the pile (hypergeometric).
"""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ZERO, integer, popcount
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_masks
from alchemy_sim.games.metallurgie.areas import spread
from alchemy_sim.games.metallurgie.chain import points_within
from alchemy_sim.games.metallurgie.joins import list_places, meet
from alchemy_sim.games.metallurgie.names import IRON
from alchemy_sim.games.metallurgie.pattern import bit, top
from alchemy_sim.games.metallurgie.weights import Weight


@helper
def _has_room(plan: Any, metal: int, place: int, area: Any, cards: int) -> bool:
    """Whether so many cards of a metal can be laid one beside the other from a place on, with an area between them."""
    if metal == IRON:
        return area != ZERO
    there = top(plan, metal - 1)
    return popcount(spread(plan, bit(place), there | area) & there) >= cards


@large_helper
def note_short(view: Any, plan: Any, metal: int) -> None:
    """How many cards of a metal make an area that can be scored, and what that may be worth, into the plan.

    Areas are joined by one, two or three cards; each card more adds one. (A few ways are not seen: this only weighs.)
    """
    need, best, found = view.thresholds[metal], view.full_hand + 2, ZERO
    plan.short[metal], plan.worth[metal] = best, 0.0
    if popcount(top(plan, metal)) + best - 1 < need:
        return
    where, joins = stack_masks(512), stack_masks(512)
    listed = list_places(view, plan, metal, metal, where, joins)
    for one in range(listed):
        area = joins[one]
        size = popcount(area)
        if need - 3 * size >= best or best == 1:
            break
        cards = max(1, need - size)
        if cards < best and _has_room(plan, metal, integer(where[one]), area, cards):
            best, found = cards, area
        for two in range(one + 1, listed):
            if need - size - 2 * popcount(joins[two]) >= best or best <= 2:
                break
            if joins[two] & ~area == ZERO:
                continue
            if not joins[two] & area and not meet(plan, metal, integer(where[one]), integer(where[two])):
                continue
            both = area | joins[two]
            cards = max(2, need - popcount(both))
            if cards < best and _has_room(plan, metal, integer(where[one]), both, cards):
                best, found = cards, both
            if best <= 3:
                continue
            for three in range(two + 1, listed):
                cards = max(3, need - popcount(both | joins[three]))
                if cards < best and joins[three] & both and joins[three] & ~both:
                    best, found = cards, both | joins[three]
    plan.short[metal] = best
    if best < view.full_hand + 2:
        plan.worth[metal] = _worth(view, plan, metal, found, popcount(found) + best)


@helper
def _worth(view: Any, plan: Any, metal: int, area: Any, cards: int) -> float:
    """What scoring an area of so many cards may bring with what it uncovers; the latter counts by a weight."""
    above, reached, found = points_within(view, metal, cards), area, 1.0
    chain = view.weights[view.me][Weight.CHAIN]
    found += chain * (above - 1)
    for down in range(metal):
        below = metal - 1 - down
        there = top(plan, below)
        reached = spread(plan, reached, there | reached)
        above = points_within(view, below, popcount(reached & there) + view.removals[below + 1] * above)
        if above == 0:
            break
        found += chain * above
    return found


@large_helper
def _pile_completes(view: Any, plan: Any, high: int) -> bool:
    """Whether a card of a metal and the one below it, laid on one place, complete an area."""
    if high == IRON or popcount(top(plan, high)) + 1 < view.thresholds[high]:
        return False
    where, joins = stack_masks(512), stack_masks(512)
    listed = list_places(view, plan, high - 1, high, where, joins)
    return listed > 0 and 1 + popcount(joins[0]) >= view.thresholds[high]


@large_helper
def note_chances(view: Any, plan: Any) -> None:
    """How likely what nobody has seen lies in other hands, and comes from the pile."""
    plan.unknown = 0.0
    for metal in range(4):
        number = view.deck[metal] - popcount(view.pattern.layer[metal]) - view.gone[metal] - view.hand[metal]
        plan.unseen[metal] = float(number - (view.drawn == metal and view.placed == 0))
        plan.unknown += plan.unseen[metal]
        plan.held[metal] = view.hand[metal]
    counts = view.full_hand + 2
    for metal in range(4):
        for count in range(counts):
            plan.chances[0, metal, count] = 1.0 if count == 0 else 0.0
        for cards in range(1, view.full_hand + 1):
            left = max(plan.unknown - cards + 1.0, 1.0)
            for count in range(counts):
                others = max(plan.unknown - plan.unseen[metal] - (cards - 1 - count), 0.0)
                found = plan.chances[cards - 1, metal, count] * others
                if count > 0:
                    found += plan.chances[cards - 1, metal, count - 1] * max(plan.unseen[metal] - count + 1.0, 0.0)
                plan.chances[cards, metal, count] = found / left
        for number in range(counts + 1):
            plan.lack[metal, number] = 1.0 - _has_them(plan, view.full_hand, metal, number)


@large_helper
def note_refill(view: Any, plan: Any, placed: int) -> None:
    """How likely the own hand lacks cards in the next turn, after a refill of so many."""
    for metal in range(4):
        for number in range(view.full_hand + 3):
            plan.miss[metal, number] = 1.0 - _has_them(plan, placed, metal, number)


@helper
def _has_them(plan: Any, cards: int, metal: int, number: int) -> float:
    """The chance that so many of a metal are among cards drawn, or all but one and the next card from the pile is."""
    if number <= 0 or number > cards + 1:
        return 1.0 if number <= 0 else 0.0
    found = 1.0
    for count in range(number):
        found -= plan.chances[cards, metal, count]
    next_one = max(plan.unseen[metal] - number + 1.0, 0.0) / max(plan.unknown - cards, 1.0)
    return found + plan.chances[cards, metal, number - 1] * next_one


@helper
def _still_on(view: Any, draws: int) -> float:
    """The chance that the end card has not shown after so many more cards from the pile."""
    above = max(view.pile - view.end_card_depth, 0)
    return max(0.0, 1.0 - max(0, draws - above) / min(view.pile, view.end_card_depth))


@helper
def note_shortage(view: Any, plan: Any, metal: int) -> None:
    """What areas of a metal lack on the sketch."""
    note_short(view, plan, metal)
    plan.pile[metal] = 1 if plan.short[metal] > 1 and _pile_completes(view, plan, metal) else 0


@large_helper
def outlook(view: Any, plan: Any, placed: int) -> float:
    """What the sketch is worth when the turn ends on it, `placed` cards of the hand gone.

    Others may score before the next own turn, which costs; nobody may, and the own hand does then.
    """
    weights = view.weights[view.me]
    nobody, mine, theirs, own_points, kept = 1.0, 1.0, 0.0, 0.0, 0.0
    looked = 0
    for _ in range(4):
        # who can score more than one metal takes the one that is worth most
        metal = -1
        for each in range(4):
            if not looked >> each & 1 and (metal < 0 or plan.worth[each] > plan.worth[metal]):
                metal = each
        looked |= 1 << metal
        short, own, worth = plan.short[metal], plan.held[metal], plan.worth[metal]
        lack, miss = plan.lack[metal, short], plan.miss[metal, max(short - own, 0)]
        if plan.pile[metal]:
            below, same = plan.chances[view.full_hand, metal - 1, 0], plan.chances[view.full_hand, metal, 0]
            lack *= 1.0 - (1.0 - below) * (1.0 - same)
            if own > 0 and plan.held[metal - 1] > 0:
                miss = 0.0
        theirs += nobody * (1.0 - lack) * worth
        own_points += mine * (1.0 - miss) * worth
        nobody *= lack
        mine *= miss
        fading = 1.0
        for _ in range(short - own):
            fading *= weights[Weight.FADE]
        kept += fading if own > 0 else 0.0
    quiet, fed = 1.0, 0.0
    for seat in range(1, view.players):
        fed += _still_on(view, placed + seat - 1) * quiet * theirs
        quiet *= nobody
    own_points *= _still_on(view, placed + view.players - 1) * quiet
    value = weights[Weight.OWN] * own_points - weights[Weight.FEED] * fed / (view.players - 1)
    return value + weights[Weight.KEEP] * kept
