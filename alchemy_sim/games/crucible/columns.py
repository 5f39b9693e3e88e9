"""The outcome columns of a mission: one row a game, integers inside, words outside."""

from __future__ import annotations

import numpy as np

from alchemy_sim.core.game import Column
from alchemy_sim.games.crucible.names import SLUGS, TASKS
from alchemy_sim.games.crucible.policies import POLICY_NAMES
from alchemy_sim.games.crucible.table import SEATS, Ending, Status
from alchemy_sim.games.crucible.table import TASKS as TASK_PLACES

ENDINGS = tuple(each.name.lower() for each in Ending)
STATUSES = tuple(each.name.lower() for each in Status)
TASK_IDS = tuple(task.id for task in TASKS)

_MISSION = (
    Column("ending", np.int8, "how the mission ended (Crucible 4)", labels=ENDINGS),
    Column("ending_task", np.int8, "the impossible task that lost it", labels=TASK_IDS, nullable=True),
    Column("reactions", np.int32, "reactions played", unit="reactions"),
    Column("cards_played", np.int32, "cards played into the cauldron, returned ones again", unit="cards"),
    Column("lead", np.int8, "seat of the Lead Alchemist"),
    Column("sponge_seat", np.int8, "seat of the Sponge (mission 11)", nullable=True),
    Column("transmutes_tried", np.int32, "Transmutes declared"),
    Column("transmutes_made", np.int32, "Transmutes that succeeded"),
    Column("boil_overs", np.int16, "Boil Overs, which is Slag Tokens of the team"),
    *(
        Column(f"boil_at_{place}", np.int16, f"Boil Overs caused by card number {place} of a reaction")
        for place in range(1, SEATS + 1)
    ),
    Column("first_boil_reaction", np.int32, "reaction of the first Boil Over", nullable=True),
    Column("forced_plays", np.int32, "cards played when just one was legal"),
    Column("choices", np.int32, "decisions with at least two options, of every kind"),
)


def _seat(seat: int) -> tuple[Column, ...]:
    return (
        Column(f"policy_{seat}", np.int8, f"who plays seat {seat}", labels=POLICY_NAMES, nullable=True, own=True),
        Column(f"tricks_{seat}", np.int16, f"tricks credited to seat {seat}", nullable=True),
        Column(f"slag_{seat}", np.int16, f"Slag Tokens of seat {seat}", nullable=True),
        Column(f"discipline_{seat}", np.int8, f"discipline kept by seat {seat}", labels=SLUGS, nullable=True),
        Column(f"discipline_declined_{seat}", np.int8, f"the one declined by seat {seat}", labels=SLUGS, nullable=True),
        Column(f"power_used_reaction_{seat}", np.int32, f"reaction in which seat {seat} used its power", nullable=True),
        Column(f"whispered_reaction_{seat}", np.int32, f"reaction before which seat {seat} whispered", nullable=True),
    )


def _task(place: int) -> tuple[Column, ...]:
    return (
        Column(f"task_{place}", np.int8, f"task drafted as number {place}", labels=TASK_IDS, nullable=True),
        Column(f"task_{place}_owner", np.int8, "its owner's seat at the end", nullable=True),
        Column(f"task_{place}_status", np.int8, "where it stood at the end", labels=STATUSES, nullable=True),
        Column(f"task_{place}_reaction", np.int32, "reaction in which that was settled; 0 the draft", nullable=True),
    )


COLUMNS = (
    *_MISSION,
    *(column for seat in range(SEATS) for column in _seat(seat)),
    *(column for place in range(TASK_PLACES) for column in _task(place)),
    Column("lost_reaction", np.int32, "reaction in which the loss became certain; 0 the draft", nullable=True),
    Column("lost_seat", np.int8, "seat whose card (or draft) made it certain", nullable=True),
)


def present(players: int, tasks: int) -> tuple[str, ...]:
    """The columns that exist for a mission of `tasks` tasks with `players` seats, in order."""
    per_seat = {column.name: seat for seat in range(SEATS) for column in _seat(seat)}
    per_task = {column.name: place for place in range(TASK_PLACES) for column in _task(place)}
    per_card = {f"boil_at_{place}": place - 1 for place in range(1, SEATS + 1)}
    return tuple(
        column.name
        for column in COLUMNS
        if per_seat.get(column.name, 0) < players
        and per_task.get(column.name, -1) < tasks
        and per_card.get(column.name, 0) < players
    )
