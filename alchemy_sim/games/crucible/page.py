"""The report page of missions: which sections it has, and their words."""

from __future__ import annotations

from alchemy_sim.core.page import Family, Finding, Page, Section
from alchemy_sim.games.crucible.names import TASKS

PAGE = Page(
    configuration="mission",
    high="easiest",
    low="hardest",
    note="Weak players make missions look harder than they are: read their win rates as lower bounds.",
    families=(
        Family(
            "lost",
            "Losses by cause",
            "A mission is lost by the first of these that happens. What a bar leaves free was won.",
            "Commonest cause of loss",
        ),
    ),
    sections=(
        Section(
            "Which tasks get done",
            "task",
            ("completed", "completed_decided"),
            "map",
            axis="task",
            text="A mission that is lost early leaves its other tasks open. The first figure counts these as not "
            "completed; the second leaves them out.",
            names={task.id: task.slug for task in TASKS},
            findings=(
                Finding("Least feasible tasks", "{label}, {value} completed", "completed", highest=False, count=3),
            ),
        ),
        Section(
            "Boil Overs by position in the reaction",
            "position",
            ("boil_rate",),
            "line",
            axis="position of the card in its reaction, the leader's first",
            findings=(
                Finding("Where Boil Overs happen", "card {label} of a reaction causes {value} of them", "boil_share"),
            ),
        ),
        Section(
            "Boil Overs and losses by reaction",
            "reaction",
            ("first_boil", "lost"),
            "line",
            axis="reaction (0 is the draft)",
            findings=(
                Finding(
                    "When the first Boil Over comes",
                    "likeliest in reaction {label}, {value} of the missions that came so far",
                    "first_boil",
                ),
            ),
        ),
    ),
)
