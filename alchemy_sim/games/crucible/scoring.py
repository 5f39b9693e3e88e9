"""What a reaction does (Crucible 3, 5 and 7): tricks, Slag, flips, ashes, and the deeds that tasks look at."""

from __future__ import annotations

from typing import Any

from alchemy_sim.core.jit import helper
from alchemy_sim.games.crucible.cards import other_face
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.log import Event, note
from alchemy_sim.games.crucible.reaction import put_back
from alchemy_sim.games.crucible.table import Intent, Result
from alchemy_sim.games.crucible.tasks import Deed, combination_deeds, face_deeds


@helper
def credit_deeds(view: Any, table: Any, seat: int, deeds: int) -> None:
    """Add deeds to a player's record; ordered tasks also want to know when each was last done."""
    view.deeds[seat] |= deeds
    if view.ordered_tasks:
        for deed in range(32):
            if (deeds >> deed) & 1:
                table.deed_reaction[seat, deed] = view.reaction


@helper
def highest_card(view: Any) -> int:
    """Who played the highest card (Crucible 3): with no eligible card the highest counted value among the others."""
    if view.best_seat >= 0:
        return view.best_seat
    most = -1
    holder = view.leader
    for play in range(view.plays):
        seat = view.play_seat[play]
        if view.discipline[seat] != Discipline.VOID_WEAVER and view.play_value[play] > most:
            most = view.play_value[play]
            holder = seat
    return holder


@helper
def trick_deeds(view: Any) -> int:
    """Deeds of the one whose trick it is (T23, T29, T31, T32, T37 to T40)."""
    deeds = combination_deeds(view)
    if view.total == 22:
        deeds |= 1 << Deed.SUM_22
    if view.boil_pending:
        deeds |= 1 << Deed.AFTER_BOIL
    number = view.reaction if view.trick_order == 1 else view.trick_count
    if number == 1:
        deeds |= 1 << Deed.FIRST
    elif number <= 3:
        deeds |= 1 << Deed.SECOND_OR_THIRD
    return deeds


@helper
def score_trick(view: Any, table: Any) -> int:
    """A safe Catalyze: the trick and its cards are won; returns whose trick it is (Crucible 3, `hoarder_takes`)."""
    winner = highest_card(view)
    pile = winner if view.hoarder < 0 else view.hoarder
    credit = pile if view.hoarder_takes == 1 else winner
    view.trick_count += 1
    view.tricks[credit] += 1
    view.last_trick = credit
    if view.trick_order == 0:
        if view.trick_count == 1:
            view.first_trick = credit
    elif view.reaction == 1:
        view.first_trick = credit
    if view.total == 22:
        view.made_22 = 1
    credit_deeds(view, table, pile, face_deeds(view))
    credit_deeds(view, table, credit, trick_deeds(view))
    view.next_leader = winner
    return credit


@helper
def boil_over(view: Any, table: Any, out: Any) -> None:
    """The pusher takes a Slag Token and leads next; nobody wins the cards (Crucible 3)."""
    pusher = table.pusher
    view.slag[pusher] += 1
    view.slag_total += 1
    out.boil_at[table.pusher_position] += 1
    if out.first_boil_reaction < 0:
        out.first_boil_reaction = view.reaction
    view.next_leader = pusher


@helper
def transmute_success(view: Any, table: Any) -> None:
    """Every card flips and returns to its hand; highest and lowest counted values are noted (Crucible 3, T25, T26)."""
    most = view.play_value[0]
    least = most
    for play in range(view.plays):
        most = max(most, view.play_value[play])
        least = min(least, view.play_value[play])
    for play in range(view.plays):
        seat = view.play_seat[play]
        face = view.play_face[play]
        put_back(view, table, seat, face if table.anchored[play] else other_face(face))
        deeds = 0
        if view.play_value[play] == most:
            deeds |= 1 << Deed.HIGH
        if view.play_value[play] == least:
            deeds |= 1 << Deed.LOW
        if deeds:
            credit_deeds(view, table, seat, deeds)
    view.transmutes_made += 1
    if view.total == 18:
        view.made_18 = 1


@helper
def fizzle(view: Any, table: Any) -> None:
    """The cards are destroyed, and whose they were is noted (T27, `fizzle_credit`)."""
    first = view.plays - 1 if view.fizzle_credit == 1 else 0
    for play in range(first, view.plays):
        credit_deeds(view, table, view.play_seat[play], 1 << Deed.FIZZLE)


@helper
def settle_reaction(view: Any, table: Any, out: Any) -> None:
    """Work out a reaction's outcome and write it into the records."""
    credit = -1
    winner = -1
    if view.intent == Intent.CATALYZE:
        if view.exploded:
            table.result = Result.BOIL_OVER
            boil_over(view, table, out)
        else:
            table.result = Result.SAFE
            credit = score_trick(view, table)
            winner = view.next_leader
    else:
        view.transmutes_led[view.leader] += 1
        view.transmutes_tried += 1
        winner = highest_card(view)
        view.next_leader = winner
        if view.total >= view.target_now:
            table.result = Result.TRANSMUTED
            transmute_success(view, table)
        else:
            table.result = Result.FIZZLED
            fizzle(view, table)
    view.boil_pending = 1 if table.result == Result.BOIL_OVER else 0
    if view.trick_order == 1 and table.result != Result.SAFE:
        view.last_trick = -1
        if view.reaction == 1:
            view.first_trick = -2
    out.cards_played += view.plays
    pusher = table.pusher if table.result == Result.BOIL_OVER else -1
    table.credit = credit
    note(table, Event.RESULT, table.result, winner, credit, view.next_leader, pusher)
