"""The player who keeps what seems to promise most, at a hundredth of the work of `best`.

Ranks are judged by a table (`outlook`), flushes by the chance that enough of a family lies hidden. Choices that come
close to the best are then told apart on hidden cards drawn at random, the same for all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, integer
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.rng import below, draw
from alchemy_sim.core.room import stack_floats, stack_masks
from alchemy_sim.games.furnace.evaluate import (
    fifth_bit,
    fifth_of,
    flush_strength,
    lanes_of,
    slot_of,
    sum_strength,
    trumps_in,
)
from alchemy_sim.games.furnace.names import JOKER, RANK_COUNT, TRUMP
from alchemy_sim.games.furnace.showdown.policies.choices import (
    MOST_CHOICES,
    key_of,
    known_cards,
    list_choices,
    open_key,
    open_size,
)
from alchemy_sim.games.furnace.showdown.policies.expect import MOST_UNSEEN, list_unseen
from alchemy_sim.games.furnace.showdown.view import POLICIES
from alchemy_sim.games.furnace.tables import COUNTER_BITS, COUNTERS, COUNTS_AT, LANES

#: How many choices are told apart by drawing, if they come this close to the best, and on how many draws; the first
#: judgement counts as so many more. Measured against `best`: more draws cost speed and gain next to nothing.
CLOSE_ONES, CLOSE, DRAWS, PRIOR = 4, 0.03, 128, 60.0
#: Ranks that stand for those of a family's hidden cards: a Jack, an 8, a 5, a 10.
_LIKELY = np.array([9, 6, 3, 8])
_U = np.uint64
_COUNTER, _RANKS = _U((1 << COUNTER_BITS) - 1), _U((1 << RANK_COUNT) - 1)


@helper
def count_outs(view: Any, unseen: Any, count: int, outs: Any) -> None:
    """How many of the unseen cards help a flush of each family (5: the Trumps' own), into `outs`."""
    for family in range(TRUMP + 1):
        outs[family] = 0.0
    for place in range(count):
        family = integer(unseen[place]) // RANK_COUNT
        if family < TRUMP or (family == TRUMP and view.hands.own_family == 1):
            outs[family] += 1.0
        elif family == TRUMP:
            for each in range(view.families):
                outs[each] += 1.0


@helper
def choose(number: float, taken: int) -> float:
    """The binomial coefficient for up to three taken."""
    ways = 1.0
    for each in range(taken):
        ways *= max(number - each, 0.0) / (each + 1)
    return ways


@helper
def chance_of(needed: int, outs: float, count: int, hidden: int) -> float:
    """The chance that at least `needed` of `hidden` cards are among `outs` of `count` unseen ones."""
    if needed <= 0:
        return 1.0
    ways = 0.0
    for number in range(needed, hidden + 1):
        ways += choose(outs, number) * choose(count - outs, hidden - number)
    return ways / choose(float(count), hidden)


@helper
def filled(held: Any, wild: Any, needed: int) -> Any:
    """A family's ranks with likely ones in the place of the cards it needs."""
    for each in range(len(_LIKELY)):
        bit = ONE << _U(_LIKELY[each])
        if needed > 0 and not (held | wild) & bit:
            held |= bit
            needed -= 1
    return held


@helper
def first_judgement(view: Any, key: Any, cards: Any, size: int, outs: Any, count: int) -> float:
    """About what percentile a choice will reach: by its ranks, and by the flushes that may come of it.

    Flushes count as if one family's came after another's was missed; they hardly ever exclude each other.
    """
    hands, percentile = view.hands, view.outlook.percentile
    worth = np.float64(view.outlook.promise[slot_of(hands, size, key)])
    lanes, fifth, trumps, counts = lanes_of(hands, cards), fifth_of(hands, cards), trumps_in(key), key >> _U(COUNTS_AT)
    for family in range(TRUMP + 1):
        needed = 5 - integer((counts >> _U(COUNTER_BITS * family)) & _COUNTER)
        if needed > view.hidden_cards:
            continue
        wild = trumps if family < TRUMP and not hands.own_family else ZERO
        held = trumps if family == TRUMP else (lanes >> _U(16 * family)) & _RANKS if family < LANES else fifth
        strong = flush_strength(hands, filled(held, wild, needed), wild, wild)
        chance = chance_of(needed, outs[family], count, view.hidden_cards)
        worth += chance * max(percentile[strong] - worth, 0.0)
    return worth


@helper
def put_best_first(choices: Any, number: int, worth: Any, wanted: int) -> int:
    """Move the `wanted` choices of the greatest worth to the front; how many of them come close to the first."""
    for place in range(min(wanted, number)):
        best = place
        for which in range(place + 1, number):
            if worth[which] > worth[best]:
                best = which
        worth[place], worth[best] = worth[best], worth[place]
        choices[place], choices[best] = choices[best], choices[place]
        if worth[place] < worth[0] - CLOSE:
            return place
    return min(wanted, number)


@large_helper
def tell_apart(view: Any, choices: Any, number: int, worth: Any, unseen: Any, count: int) -> None:
    """Add to the worth of a few choices what they come to on hidden cards drawn at random."""
    hands, size, base = view.hands, open_size(view) + view.kept, open_key(view)
    keys, lanes, fifths = stack_masks(CLOSE_ONES), stack_masks(CLOSE_ONES), stack_masks(CLOSE_ONES)
    for which in range(number):
        cards = known_cards(view, choices[which])
        keys[which], lanes[which], fifths[which] = (
            base + key_of(view, choices[which]),
            lanes_of(hands, cards),
            fifth_of(hands, cards),
        )
        worth[which] *= PRIOR
    for trial in range(DRAWS):
        key, lane, fifth, final = ZERO, ZERO, ZERO, size
        for place in range(view.hidden_cards):
            other = place + below(draw(view.source, trial * view.hidden_cards + place), count - place)
            unseen[place], unseen[other] = unseen[other], unseen[place]
            card = integer(unseen[place])
            key += hands.keys[card]
            lane += hands.lanes[card]
            fifth |= fifth_bit(card)
            final += card != JOKER
        for which in range(number):
            strong = sum_strength(hands, final, key + keys[which], lane + lanes[which], fifth | fifths[which])
            worth[which] += view.outlook.percentile[strong]


@large_helper
def fast_choice(view: Any) -> Any:
    """The choice that seems best, as a mask of places, and about what percentile it will reach."""
    choices, worth, outs = stack_masks(MOST_CHOICES), stack_floats(MOST_CHOICES), stack_floats(COUNTERS)
    unseen = stack_masks(MOST_UNSEEN)
    number, count = list_choices(view, choices), list_unseen(view, unseen)
    count_outs(view, unseen, count, outs)
    base, size = open_key(view), open_size(view) + view.kept
    for which in range(number):
        chosen = choices[which]
        worth[which] = first_judgement(view, base + key_of(view, chosen), known_cards(view, chosen), size, outs, count)
    number = put_best_first(choices, number, worth, CLOSE_ONES)
    if number > 1:
        tell_apart(view, choices, number, worth, unseen, count)
        for which in range(number):
            worth[which] /= PRIOR + DRAWS
    chosen, most = choices[0], worth[0]
    for which in range(1, number):
        if worth[which] > most:
            chosen, most = choices[which], worth[which]
    return chosen, most


@POLICIES.declare
def fast_player(view: Any) -> int:
    """Keep the choice that seems best."""
    chosen, _ = fast_choice(view)
    return integer(chosen)
