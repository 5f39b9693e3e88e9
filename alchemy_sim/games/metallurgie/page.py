"""The report page of Metallurgie: which sections it has, and their words."""

from __future__ import annotations

from alchemy_sim.core.page import Finding, Page, Section

PAGE = Page(
    configuration="configuration",
    high="most points",
    low="fewest points",
    note="Numbers are of these players: better ones may get more out of the same rules.",
    sections=(
        Section(
            "Which metals bring points",
            "metal",
            ("share", "most_wins"),
            "map",
            axis="metal",
            text="A kept card is one point, whatever its metal. Whoever keeps the most of a metal has more points for "
            "it, so each metal goes with wins: compare them with each other.",
            findings=(Finding("Where points come from", "{label}: {value} of all points", "share"),),
        ),
        Section(
            "What a card is worth",
            "metal",
            ("worth", "winner", "others"),
            "line",
            axis="metal, the lowest layer first",
            text="A card on the pattern may be scored by anybody, or by nobody; what lies there at the end has brought "
            "nothing.",
            findings=(Finding("Most points for a card placed", "{label}: {value}", "worth"),),
        ),
        Section(
            "Whether it matters who starts",
            "order",
            ("win_rate", "points", "turns"),
            "line",
            axis="place behind the first player",
            text="Whoever starts has a turn more than others in some games, for the end card may show at any time.",
        ),
        Section(
            "How close games are",
            "margin",
            ("share", "lead_changes"),
            "line",
            axis="points of the best player beyond the second best",
        ),
        Section(
            "Big turns",
            "turn",
            ("share", "winner_points"),
            "line",
            axis="most points of one turn",
        ),
        Section(
            "Chains",
            "chain",
            ("share", "points"),
            "line",
            axis="most areas scored one out of the other in a turn",
        ),
    ),
)
