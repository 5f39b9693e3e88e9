"""The compiled core: one mission from deal to ending, and batches of missions (Crucible 4).

The same functions play runs and traces. A mission depends on (seed, game number, rules) and on nothing else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.jit import array_of, helper, kernel, record_type, types
from alchemy_sim.core.rng import game_key
from alchemy_sim.games.crucible.judge import all_complete, extra_goal_met, first_impossible, judge, judge_at_end
from alchemy_sim.games.crucible.keeping import keep_disciplines
from alchemy_sim.games.crucible.log import Event, note
from alchemy_sim.games.crucible.reaction import begin, fill_cauldron, whispers
from alchemy_sim.games.crucible.scoring import settle_reaction
from alchemy_sim.games.crucible.setup import (
    clear,
    deal,
    draft,
    draw_sponge,
    find_lead,
    finish_draft,
)
from alchemy_sim.games.crucible.table import FATE, OUTCOME, SEATS, TABLE, VIEW, Ending, Intent, Result, Status


@helper
def blank_outcome(view: Any, out: Any) -> None:
    """A row of results before anything has happened."""
    out.ending = -1
    out.ending_task = -1
    out.cards_played = 0
    out.first_boil_reaction = -1
    out.forced_plays = 0
    out.choices = 0
    out.lost_reaction = -1
    out.lost_seat = -1
    out.fault = 0
    for seat in range(SEATS):
        out.boil_at[seat] = 0
        out.discipline[seat] = -1
        out.power_used_reaction[seat] = -1
        out.whispered_reaction[seat] = -1


@helper
def lose(view: Any, table: Any, out: Any, ending: int, task: int, seat: int) -> None:
    """Write down a loss, its reaction and the seat whose card decided it; the first loss stays (`after_loss`)."""
    if table.lost:
        return
    table.lost = 1
    out.ending = ending
    out.ending_task = task
    out.lost_reaction = view.reaction
    out.lost_seat = seat


@helper
def deciding_seat(view: Any, table: Any) -> int:
    """Whose card settled the last reaction: the pusher, the trick's highest card, or the last of a Transmute."""
    if table.result == Result.BOIL_OVER:
        return table.pusher
    if table.result == Result.SAFE:
        return view.next_leader
    return view.play_seat[view.plays - 1]


@helper
def lose_by_task(view: Any, table: Any, out: Any, seat: int) -> None:
    """The first impossible task, if any, ends the mission."""
    place = first_impossible(view)
    if place >= 0:
        lose(view, table, out, Ending.IMPOSSIBLE, view.task[place], view.owner[place] if seat < 0 else seat)


@helper
def sponge_broken(view: Any, table: Any) -> bool:
    """Mission 11: the Sponge won a trick or led a Transmute (Crucible 8)."""
    if view.sponge_seat < 0:
        return False
    if view.intent == Intent.TRANSMUTE:
        return view.leader == view.sponge_seat
    return table.credit == view.sponge_seat


@helper
def close(view: Any, table: Any, out: Any) -> None:
    """No card is left: win, incomplete or extra_goal (Crucible 4)."""
    judge_at_end(view, table)
    if table.lost:
        return
    if not all_complete(view):
        lose(view, table, out, Ending.INCOMPLETE, -1, deciding_seat(view, table))
    elif not extra_goal_met(view):
        lose(view, table, out, Ending.EXTRA_GOAL, -1, -1)
    else:
        out.ending = Ending.WIN


@helper
def after_reaction(view: Any, table: Any, out: Any) -> bool:
    """Judge in order: slag, Sponge, tasks, no card left, early win, stalled; True when the mission is over."""
    before = table.lost
    seat = deciding_seat(view, table)
    if table.result == Result.BOIL_OVER and view.slag_total >= view.slag_cap:
        lose(view, table, out, Ending.SLAG, -1, seat)
    if sponge_broken(view, table):
        lose(view, table, out, Ending.SPONGE, -1, view.sponge_seat)
    just_lost = table.lost and not before
    if just_lost and view.after_loss == 0:
        return True
    cards = 0
    for each in range(view.players):
        cards += view.cards_left[each]
    if cards == 0:
        close(view, table, out)
        return True
    if not just_lost:
        judge(view, table)
        lose_by_task(view, table, out, seat)
        if table.lost and view.after_loss == 0:
            return True
        if view.early_win and not table.lost and all_complete(view) and extra_goal_met(view):
            out.ending = Ending.WIN
            return True
    if view.reaction >= view.max_reactions:
        lose(view, table, out, Ending.STALLED, -1, -1)
        return True
    return False


@helper
def finish(view: Any, table: Any, out: Any) -> None:
    """Fill the rest of the row."""
    out.reactions = view.reaction
    out.lead = view.lead
    out.sponge_seat = view.sponge_seat
    out.transmutes_tried = view.transmutes_tried
    out.transmutes_made = view.transmutes_made
    out.boil_overs = view.slag_total
    for seat in range(view.players):
        out.tricks[seat] = view.tricks[seat]
        out.slag[seat] = view.slag[seat]
        out.discipline_declined[seat] = table.declined[seat]
    note(table, Event.END, out.ending, out.ending_task, out.reactions, 0, 0)


@helper
def play_mission(view: Any, table: Any, out: Any) -> None:
    """One mission, from the deal to its ending; `table.key` says which."""
    clear(view, table)
    blank_outcome(view, out)
    deal(view, table)
    find_lead(view, table)
    draw_sponge(view, table)
    if view.disciplines:
        keep_disciplines(view, table, out)
    draft(view, table, out)
    finish_draft(view, table)
    lose_by_task(view, table, out, -1)
    over = table.lost and view.after_loss == 0
    while not over:
        begin(view, table)
        if view.whispers_left > 0:
            whispers(view, table, out)
        fill_cauldron(view, table, out)
        settle_reaction(view, table, out)
        over = after_reaction(view, table, out)
    finish(view, table, out)


_VIEW, _TABLE, _OUTCOME, _FATE = (record_type(each) for each in (VIEW, TABLE, OUTCOME, FATE))


@helper
def write_fate(view: Any, table: Any, place: int, fate: Any) -> None:
    """One drafted task's row."""
    fate.task = view.task[place]
    fate.owner = view.owner[place]
    fate.status = view.status[place]
    fate.reaction = -1 if view.status[place] == Status.OPEN else table.settled_reaction[place]


@kernel(types.void(_VIEW, _TABLE, types.uint64, types.uint64, array_of(_OUTCOME), array_of(_FATE, 2)))
def play_missions(view: Any, table: Any, seed: Any, first: Any, outcomes: Any, fates: Any) -> None:
    """Play missions `first`, `first` + 1, ... under `seed`, one for each row of `outcomes` (shape (games,)).

    `fates` has shape (games, drafted tasks). The table's `policy` must hold addresses of `POLICIES`.
    """
    table.faults = 0
    for row in range(outcomes.shape[0]):
        table.key = game_key(seed, first + np.uint64(row))
        play_mission(view, table, outcomes[row])
        for place in range(view.drafted):
            write_fate(view, table, place, fates[row, place])
