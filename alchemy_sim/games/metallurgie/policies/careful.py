"""The careful player: scores what it can, and weighs what it leaves to the next ones and to itself."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.bits import ONE, ZERO, integer, lowest
from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_floats, stack_masks
from alchemy_sim.games.metallurgie.areas import area_of, mark_scored, may_take, metal_of
from alchemy_sim.games.metallurgie.chain import most_points
from alchemy_sim.games.metallurgie.chances import note_chances, still_on
from alchemy_sim.games.metallurgie.joins import joined_by, list_areas, list_places
from alchemy_sim.games.metallurgie.names import COPPER, IRON
from alchemy_sim.games.metallurgie.outlook import lead_of, outlook
from alchemy_sim.games.metallurgie.plan import (
    begin_sketch,
    near_spot,
    step_code,
    step_metal,
    step_where,
    take_back,
    try_card,
)
from alchemy_sim.games.metallurgie.plays import search_turn
from alchemy_sim.games.metallurgie.policies.steps import next_step
from alchemy_sim.games.metallurgie.shortage import note_shortage
from alchemy_sim.games.metallurgie.table import Ask, Mode
from alchemy_sim.games.metallurgie.view import POLICIES
from alchemy_sim.games.metallurgie.weights import Weight

_NEVER = -1e9


@helper
def _without_alike(view: Any, plan: Any, where: Any, joins: Any, listed: int) -> int:
    """Keep one of the spots for an iron that lie next to the same areas of iron and copper; how many are kept."""
    areas, above = stack_masks(64), stack_masks(512)
    number, kept = list_areas(plan, COPPER, areas), 0
    for each in range(listed):
        over = joined_by(near_spot(view, plan, integer(where[each])), areas, number)
        known = False
        for other in range(kept):
            known |= joins[other] == joins[each] and above[other] == over
        if not known:
            where[kept], joins[kept], above[kept] = where[each], joins[each], over
            kept += 1
    return kept


@large_helper
def weigh_placings(view: Any, plan: Any, metal: int, gone: int, drawn: bool) -> None:
    """The best way to lay one more card of a metal on the sketch, into `plan.value` and `plan.step`.

    It comes from the pile if it may be `drawn`, and from the hand if that has one; `gone` cards are gone from the hand.
    """
    where, joins, before = stack_masks(512), stack_masks(512), stack_floats(12)
    listed, held = list_places(view, plan, metal, metal, where, joins), plan.held[metal]
    if metal == IRON:
        listed = _without_alike(view, plan, where, joins, listed)
    plan.value[0] = plan.value[1] = _NEVER
    plan.step[0] = plan.step[1] = -1
    for each in range(4):
        before[each], before[4 + each], before[8 + each] = plan.short[each], plan.pile[each], plan.worth[each]
    for number in range(listed):
        spot = integer(where[number])
        try_card(view, plan, metal, spot)
        # the card counts for its own metal, covers the one below, and makes room for those above
        for each in range(max(metal - 1, 0), min(metal + 3, 4)):
            note_shortage(view, plan, each)
        for source in range(2):
            if held > 0 if source == 1 else drawn:
                plan.held[metal], plan.turned = held - source, 1 - source if view.drawn < 0 and view.placed == 0 else 0
                value = outlook(view, plan, gone + source)
                if value > plan.value[source]:
                    plan.value[source], plan.step[source] = value, step_code(metal, spot)
        plan.held[metal], plan.turned = held, 0
        take_back(plan)
    for each in range(4):
        plan.short[each], plan.pile[each] = integer(before[each]), integer(before[4 + each])
        plan.worth[each] = before[8 + each]


@helper
def _weigh_table(view: Any, plan: Any) -> None:
    """Note all that does not depend on what is placed next."""
    begin_sketch(view, plan)
    note_chances(view, plan)
    for metal in range(4):
        note_shortage(view, plan, metal)


@helper
def _plan_one(plan: Any, step: int) -> None:
    plan.number, plan.done, plan.best = 1, 0, 0
    plan.steps[0] = step


@large_helper
def _score_all(view: Any, plan: Any) -> None:
    """Score what the sketch has, for the most points."""
    while most_points(view, plan) > 0:
        taken = plan.taking
        metal = metal_of(plan, taken)
        area = area_of(plan, metal, lowest(taken))
        plan.layer[metal] &= ~taken
        mark_scored(view, plan, plan.layer[IRON], area, taken)


@large_helper
def choose_tie(view: Any, plan: Any, drawn: int) -> None:
    """Of turns with the most points plan the one that leaves the best; `drawn` cards of each are from the pile."""
    if plan.ties < 2:
        return
    note_chances(view, plan)
    best, chosen = _NEVER, 0
    for tie in range(plan.ties):
        begin_sketch(view, plan)
        cards = plan.tie_number[tie]
        for number in range(cards):
            code = plan.tie_steps[tie, number]
            metal = step_metal(code)
            try_card(view, plan, metal, step_where(code))
            if number >= drawn:
                plan.held[metal] -= 1
        _score_all(view, plan)
        for metal in range(4):
            note_shortage(view, plan, metal)
        value = outlook(view, plan, cards - drawn)
        for number in range(drawn, cards):
            plan.held[step_metal(plan.tie_steps[tie, number])] += 1
        if value > best:
            best, chosen = value, tie
    plan.number = plan.tie_number[chosen]
    for number in range(plan.number):
        plan.steps[number] = plan.tie_steps[chosen, number]


@large_helper
def wants_draw(view: Any, plan: Any) -> int:
    """Whether to draw first: what the hand can do against what the next card may bring. The hand's best is planned."""
    plan.turn, plan.weighed = view.turn, 0
    if search_turn(view, plan, -1, 1) > 0:
        choose_tie(view, plan, 0)
        return 0
    _weigh_table(view, plan)
    now, best, step = outlook(view, plan, 0), _NEVER, -1
    weights, on = view.weights[view.me], still_on(view, plan, 1)
    drawing = weights[Weight.DRAW] + weights[Weight.FINISH] * lead_of(view) * (1.0 - on)
    for metal in range(4):
        share = on * plan.unseen[metal] / max(plan.unknown, 1.0)
        scored = search_turn(view, plan, metal, 0) if share > 0.0 else 0
        weigh_placings(view, plan, metal, 0, share > 0.0 and scored == 0)
        plan.drawn_step[metal] = plan.step[0]
        drawing += share * (plan.value[0] if plan.step[0] >= 0 else scored + now)
        if plan.value[1] > best:
            best, step = plan.value[1], plan.step[1]
    plan.weighed = view.turn
    _plan_one(plan, step)
    return 1 if drawing > best else 0


@large_helper
def place_drawn(view: Any, plan: Any) -> None:
    """Plan the turn from the card that was turned up on."""
    if search_turn(view, plan, view.drawn, 1) > 0:
        choose_tie(view, plan, 1)
        return
    if plan.weighed != view.turn:
        _weigh_table(view, plan)
        weigh_placings(view, plan, view.drawn, 0, True)
        plan.drawn_step[view.drawn] = plan.step[0]
    _plan_one(plan, plan.drawn_step[view.drawn])


@large_helper
def go_on(view: Any, plan: Any) -> None:
    """Plan one more card of the hand if that is better than to stop."""
    gone = view.full_hand - view.hand_sizes[view.me]
    upward = view.metal + 1 if view.mode != Mode.METAL and view.metal < 3 else -1
    along = view.metal if view.mode != Mode.POSITION else -1
    plan.number = plan.done = 0
    if not ((along >= 0 and view.hand[along] > 0) or (upward >= 0 and view.hand[upward] > 0)):
        return
    _weigh_table(view, plan)
    best, step = outlook(view, plan, gone), -1
    if along >= 0 and view.hand[along] > 0:
        weigh_placings(view, plan, along, gone, False)
        if plan.value[1] > best:
            best, step = plan.value[1], plan.step[1]
    if upward >= 0 and view.hand[upward] > 0:
        plan.held[upward] -= 1
        try_card(view, plan, upward, view.place)
        for each in range(view.metal, min(upward + 2, 4)):
            note_shortage(view, plan, each)
        value = outlook(view, plan, gone + 1)
        take_back(plan)
        if value > best:
            step = step_code(upward, view.place)
    if step >= 0:
        _plan_one(plan, step)


@large_helper
def taking(view: Any, plan: Any) -> Any:
    """The cards to take away: for the most points, and if nothing can follow, those whose loss leaves the best."""
    begin_sketch(view, plan)
    plan.nodes = 0
    if most_points(view, plan) != 1:
        return plan.taking
    metal = metal_of(plan, plan.taking)
    area, taken, best_taken = area_of(plan, metal, lowest(plan.taking)), ZERO, plan.taking
    _weigh_table(view, plan)
    gone = view.full_hand - view.hand_sizes[view.me]
    for _ in range(view.removals[metal]):
        best, chosen, left = _NEVER, ZERO, area & ~taken
        while left != ZERO:
            card = left & (~left + ONE)
            left ^= card
            if not may_take(plan, metal, card):
                continue
            plan.layer[metal] ^= card
            for each in range(max(metal - 1, 0), min(metal + 3, 4)):
                note_shortage(view, plan, each)
            value = outlook(view, plan, gone)
            plan.layer[metal] ^= card
            if value > best:
                best, chosen = value, card
        if chosen == ZERO:
            return best_taken
        plan.layer[metal] ^= chosen
        taken |= chosen
    return taken


@POLICIES.declare
def careful_player(view: Any) -> int:
    """Points first, then what is left behind."""
    plan = view.plan
    if view.ask == Ask.DRAW:
        return wants_draw(view, plan)
    if view.ask == Ask.SCORE:
        return integer(taking(view, plan))
    if view.placed == 0 and view.drawn >= 0:
        place_drawn(view, plan)
    if plan.done == plan.number and plan.best == 0:
        go_on(view, plan)
    return next_step(view, plan)
