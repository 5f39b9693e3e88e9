"""The report page of matches: which sections it has, and their words."""

from __future__ import annotations

from alchemy_sim.core.page import Finding, Page, Section
from alchemy_sim.games.furnace.names import CATEGORIES, TITLES

_TITLES = dict(zip(CATEGORIES, TITLES, strict=True))

PAGE = Page(
    configuration="configuration",
    high="longest",
    low="shortest",
    note="What forcing and calling bring is what these players made of it: others may get more out of the same rules.",
    sections=(
        Section(
            "Where Stones come from",
            "source",
            ("share",),
            "map",
            axis="source",
            text="What all players gain from the bag, from each other by layouts, and from pots beyond what they "
            "put in. A source that is hardly used is a rule that hardly matters.",
            findings=(Finding("Where Stones come from", "{label}: {value} of all Stones gained", "share"),),
        ),
        Section(
            "How rounds end",
            "outcome",
            ("share",),
            "map",
            axis="how the round ends",
            text="A bet that nobody calls takes the pot unseen.",
            findings=(Finding("How most rounds end", "{label}: {value} of all rounds", "share"),),
        ),
        Section(
            "In the course of a match",
            "round",
            ("from_bag", "from_pots", "uncallable", "turns"),
            "line",
            axis="number of the round",
            text="Only long matches have late rounds, so later labels rest on fewer matches.",
        ),
        Section(
            "What forcing brings, by the forcer's hand",
            "chance",
            ("profit", "folded", "wins"),
            "line",
            axis="chance of the forcer's best choice against one hand at random",
            text="Profit is what the pot pays beyond the bet; antes are sunk. Where all players draw lots no chances "
            "are worked out.",
            findings=(Finding("When forcing brings most", "at a chance of {label}: {value} a round", "profit"),),
        ),
        Section(
            "What forcing brings, by the bet",
            "bet",
            ("profit", "folded"),
            "line",
            axis="bet, as a share of the forcer's Stones",
        ),
        Section(
            "Bets that nobody can call",
            "callable",
            ("folded", "frequency"),
            "map",
            axis="whether anybody else has the Stones",
            text="A forcer with more Stones than anybody else can bet more than all others hold.",
            names={"yes": "can be called", "no": "nobody can call"},
        ),
        Section(
            "What forcing brings, by the number of opponents",
            "opponents",
            ("profit", "folded"),
            "line",
            axis="others still in the match",
        ),
        Section(
            "What calls bring, by the caller's hand",
            "call_chance",
            ("profit", "called"),
            "line",
            axis="chance of the caller's best choice against one hand at random",
            findings=(Finding("When calling brings most", "at a chance of {label}: {value} a call", "profit"),),
        ),
        Section(
            "What calls bring, by the bet",
            "call_bet",
            ("profit", "called"),
            "line",
            axis="bet, as a share of the pot before it",
        ),
        Section(
            "Whether waiting pays",
            "waiting",
            ("net", "from_layouts", "frequency"),
            "line",
            axis="what a player does about forcing in a round",
            text="Who waits can go on earning by layouts, and may be forestalled. These are not the same hands: who "
            "forces at once holds other cards than who waits. Stones that others take are not counted off.",
        ),
        Section(
            "Seats",
            "order",
            ("win_rate",),
            "line",
            axis="place behind the first starter",
        ),
        Section(
            "What wins showdowns",
            "category",
            ("wins", "forcer_wins"),
            "map",
            axis="best hand",
            names=_TITLES,
            findings=(Finding("What wins most often", "{label}: {value} of all showdowns", "wins"),),
        ),
    ),
)
