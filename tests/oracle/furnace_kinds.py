"""What kinds kept cards are of, in plain Python: the obvious twin of `showdown.kept`."""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracle.furnace_oracle import TRUMP, deck_ranks


def in_line(ranks: set[str], rank_count: int, ace: str) -> bool:
    """Whether different ranks are neighbours somewhere along the line that straights are cut from (Furnace 1)."""
    line = list(deck_ranks(rank_count))[:-1]
    low, high = (["A"] if ace in ends else [] for ends in (("both", "low"), ("both", "high")))
    line = [*low, *line, *high]
    return any(set(line[start : start + len(ranks)]) == ranks for start in range(len(line) - len(ranks) + 1))


def kind_label(cards: Sequence[str], rank_count: int, ace: str) -> str:
    """The kinds of some kept cards as the column has them: "other", "pair", "family_connected_trump", ..."""
    families, ranks = {card[0] for card in cards}, {card[1:] for card in cards}
    pair = len(ranks) < len(cards)
    holds = {
        "pair": pair,
        "family": len(families) == 1,
        "connected": len(cards) > 1 and not pair and in_line(ranks, rank_count, ace),
        "trump": TRUMP in families,
    }
    return "_".join(name for name, true in holds.items() if true) or "other"
