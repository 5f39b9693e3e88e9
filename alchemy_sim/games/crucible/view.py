"""What a player sees: the record that every policy is handed, field by field, with the meaning of each.

A policy is a function `int64(view)`. The view is turned towards one seat after another, so it holds the asked player's
own hand, what is public, and the rules; hidden cards are in another record. A policy reads it and writes nothing but
`plan`; one from a user's file is compiled so that it can't write anything else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.jit import PolicyType
from alchemy_sim.core.seen import Field, filled, record_of, rows_of

SEATS = 5
TASKS = 40
WEIGHTS = 64


_INT, _MASK = np.int64, np.uint64
_SEATS, _TASKS = (SEATS,), (TASKS,)

_DECISION = (
    Field("ask", _INT, "the question, an Ask: KEEP, CLAIM, WHISPER, INTENT, POWER, SWAP or CARD"),
    Field("me", _INT, "the asked player's seat"),
    Field("hand", _MASK, "faces in the own hand"),
    Field("twin", _MASK, "those of them held twice"),
    Field("legal", _MASK, "faces that may be played (CARD)"),
    Field("offered", _INT, "the own two disciplines (KEEP)", (2,)),
    Field("unclaimed", _MASK, "task numbers, 0 to 39, still to claim (CLAIM)"),
    Field("source", _MASK, "random draws of this decision, for core.rng.draw"),
    Field("plan", _INT, "the leader's own note from INTENT to its card, -1 before; the one field a policy may write"),
)
_RULES = (
    Field("players", _INT, "how many play"),
    Field("limit", _INT, "a Catalyze total above it boils over"),
    Field("target", _INT, "a Transmute total below it fizzles"),
    Field("slag_cap", _INT, "the team's Slag Tokens that lose the mission"),
    Field("tasks", _INT, "how many tasks are drafted"),
    Field("max_reactions", _INT, "reactions until the mission is stalled"),
    Field("catalyst_value", _INT, "what a Catalyst counts, -1: its printed value"),
    Field("whispers", _INT, "1: there are Whisper Tokens"),
    Field("disciplines", _INT, "1: there are disciplines"),
    Field("ordered_tasks", _INT, "1: tasks must be completed in draft order (mission 3)"),
    Field("needs_transmute", _INT, "1: a successful Transmute is needed (mission 2)"),
    Field("needs_22_and_18", _INT, "1: a trick of exactly 22 and a Transmute of exactly 18 are needed (mission 10)"),
    Field("sponge", _INT, "1: there is a Sponge (mission 11)"),
    Field("pool", _INT, "how many tasks the pool has"),
    Field("pool_tasks", np.int8, "their numbers, the first `pool` of them", _TASKS),
    # the place of the value among the switch's values, 0 the default
    Field("boil_over_timing", _INT, "ruling: 0 immediate, 1 end_of_reaction"),
    Field("early_win", _INT, "ruling: 0 false, 1 true"),
    Field("after_loss", _INT, "ruling: 0 stop, 1 play_on"),
    Field("impossible_test", _INT, "ruling: 0 table, 1 sharp"),
    Field("impossible_draft", _INT, "ruling: 0 lose, 1 redraw"),
    Field("trick_order", _INT, "ruling: 0 tricks, 1 reactions"),
    Field("fizzle_credit", _INT, "ruling: 0 all, 1 last"),
    Field("hoarder_takes", _INT, "ruling: 0 cards, 1 trick"),
    Field("task_order", _INT, "ruling: 0 strict, 1 deferred"),
    Field("sponge_is", _INT, "ruling: 0 not_lead, 1 lead, 2 any"),
    Field("given", np.int64, "disciplines given to seats drawn at random, -1 none: for experiments", (2,)),
    Field("blank", np.int64, "1: that one's card does nothing", (2,)),
    Field("weights", np.float64, "numbers that some policies of the toolkit read, by seat", (SEATS, WEIGHTS)),
)
_MISSION = (
    Field("reaction", _INT, "the reaction being played, from 1; 0 before the first"),
    Field("lead", _INT, "the Lead Alchemist's seat"),
    Field("sponge_seat", _INT, "the Sponge's seat, or -1"),
    Field("next_leader", _INT, "who leads next, before players without cards are skipped"),
    Field("cards_left", _INT, "hand sizes by seat", _SEATS),
    Field("unseen", _MASK, "cards nobody has shown yet, in other hands, the own hand or left over"),
    Field("known", _MASK, "faces everybody knows to be in a seat's hand", _SEATS),
    Field("known_twin", _MASK, "those of them known twice", _SEATS),
    Field("excluded", _MASK, "faces that a seat's hidden cards can't be (voids shown, hints)", _SEATS),
    Field("slag", _INT, "Slag Tokens, which is Boil Overs caused, by seat", _SEATS),
    Field("slag_total", _INT, "Slag Tokens of the team"),
    Field("tricks", _INT, "tricks credited, by seat", _SEATS),
    Field("trick_count", _INT, "tricks so far"),
    Field("deeds", _INT, "what each seat has done, bits of tasks.Deed", _SEATS),
    Field("transmutes_led", _INT, "Transmutes led, by seat", _SEATS),
    Field("transmutes_tried", _INT, "Transmutes declared"),
    Field("transmutes_made", _INT, "Transmutes that succeeded"),
    Field("made_22", _INT, "mission 10: 1 once a trick of exactly 22 was won"),
    Field("made_18", _INT, "mission 10: 1 once a Transmute of exactly 18 succeeded"),
    Field("first_trick", _INT, "who won the first trick, -1 none yet, -2 nobody can any more"),
    Field("last_trick", _INT, "who won the last trick so far, or -1"),
    Field("boil_pending", _INT, "1: the last reaction was a Boil Over"),
    Field("discipline", _INT, "kept disciplines by seat, -1 before they are open", _SEATS),
    Field("power_spent", _INT, "by seat: 1 once the power is used; passive ones count as spent", _SEATS),
    Field("whisper_left", _INT, "by seat: 1 while the Whisper Token is there", _SEATS),
    Field("whispers_left", _INT, "Whisper Tokens left"),
    Field("task", _INT, "drafted tasks in draft order, numbers 0 to 39; -1 from `drafted` on", _TASKS),
    Field("owner", _INT, "the seat that has each, -1 from `drafted` on", _TASKS),
    Field("status", _INT, "where each stands, a Status", _TASKS),
    Field("drafted", _INT, "how many tasks have been claimed so far"),
    Field("wanted", _INT, "deeds (tasks.Deed) that a seat's open tasks ask for", _SEATS),
    Field("barred", _INT, "deeds that would fail a seat's open tasks", _SEATS),
    Field("counting", _INT, "open tasks of a seat that are of neither kind: they count or compare", _SEATS),
)
_REACTION = (
    Field("leader", _INT, "who leads it, -1 before the first reaction"),
    Field("intent", _INT, "an Intent: 0 Catalyze, 1 Transmute; -1 before it is declared"),
    Field("lead_suit", _INT, "the suit to follow, 0 to 6 for B Q S L A M C; -1 before the first card"),
    Field("active", _INT, "players who had cards when it began"),
    Field("plays", _INT, "cards played so far in this reaction"),
    Field("play_seat", _INT, "who played each of them; only the first `plays` count", _SEATS),
    Field("play_face", _INT, "the face of each", _SEATS),
    Field("play_value", _INT, "what each counts", _SEATS),
    Field("total", _INT, "the total so far"),
    Field("limit_now", _INT, "the limit in force, very large under a Purifier"),
    Field("target_now", _INT, "the target in force, very small under a Transmuter"),
    Field("best_seat", _INT, "who has the highest card so far, -1 nobody eligible"),
    Field("best_strength", _INT, "how high that card ranks (rules.strength)"),
    Field("exploded", _INT, "1: the total has crossed the limit (end_of_reaction plays on)"),
    Field("hoarder", _INT, "who claimed the cards with the Hoarder, -1 nobody"),
)
#: The fields by what they are about, in the order of the record.
FIELDS = {"decision": _DECISION, "rules": _RULES, "mission": _MISSION, "reaction": _REACTION}


VIEW = record_of(*FIELDS.values())
RULES = record_of(_RULES)

#: The field a policy may write.
NOTE = "plan"

#: The type of the policies a kernel is handed: functions `int64(view)`.
POLICIES = PolicyType(VIEW, NOTE)


def view_of(rules: np.ndarray) -> Any:
    """A fresh `VIEW` record with the rules of a cell (`rules`: structured, shape (1,)) filled in."""
    view = filled(VIEW, rules)
    view.task[:] = view.owner[:] = -1
    return view


def view_rows() -> list[dict[str, Any]]:
    """The fields as `alchemy-sim list view` shows them."""
    return rows_of(FIELDS)
