"""The report page of showdowns: which sections it has, and their words."""

from __future__ import annotations

from alchemy_sim.core.page import Family, Finding, Page, Section
from alchemy_sim.games.furnace.names import CATEGORIES, TITLES

_TITLES = dict(zip(CATEGORIES, TITLES, strict=True))

PAGE = Page(
    configuration="configuration",
    high="most often decided by a Trump",
    low="least often decided by a Trump",
    note="Nobody bets or folds here: every hand is shown.",
    families=(
        Family(
            "won",
            "What wins",
            "The hand that wins a showdown; together all bars are whole.",
            "What wins most often",
        ),
    ),
    sections=(
        Section(
            "What a hand is worth",
            "category",
            ("win_rate", "frequency"),
            "map",
            axis="hand",
            text="A hand that is stronger by the printed order should win more often, and be rarer.",
            names=_TITLES,
            findings=(Finding("Strongest hand met", "{label} gets {value} of the pot", "win_rate"),),
        ),
        Section(
            "What to keep",
            "kept",
            ("win_rate", "frequency"),
            "map",
            axis="kind of kept cards",
            text="Cards can be of several kinds at once.",
            findings=(Finding("Best cards to keep", "{label}: {value} of the pot", "win_rate"),),
        ),
        Section(
            "What Trumps are worth",
            "trumps",
            ("win_rate",),
            "line",
            axis="Trumps dealt to a hand",
        ),
    ),
)
