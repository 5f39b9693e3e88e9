"""The order of the hands beside their rarity, as rows and as a table: both readings of the Trump side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, log10
from typing import Any

from alchemy_sim.games.furnace.names import CATEGORIES, TITLES
from alchemy_sim.games.furnace.order import Ordering
from alchemy_sim.report.tables import Table

_TITLE = dict(zip(CATEGORIES, TITLES, strict=True))
_NOTHING = CATEGORIES[-1]
_READINGS = {"wild_family": "Trumps wild", "own_family": "Trumps a family"}


def hand_rows(config: str, orderings: Sequence[Ordering]) -> list[dict[str, Any]]:
    """A row for each hand, strongest first: its count, share and ranks under the configured reading of the Trump.

    The other reading has the same keys with `_other` behind them.
    """
    first = orderings[0]
    rows = []
    for place, name in enumerate(first.order, 1):
        row: dict[str, Any] = {
            "config": config,
            "cards": first.cards,
            "category": name,
            **_numbers(first, name),
            "printed_rank": place,
            "furnace_trump": first.deck.furnace_trump,
        }
        for other in orderings[1:]:
            numbers = {**_numbers(other, name), "furnace_trump": other.deck.furnace_trump}
            row |= {f"{key}_other": value for key, value in numbers.items()}
        rows.append(row)
    return rows


def _numbers(ordering: Ordering, name: str) -> dict[str, Any]:
    return {
        "count": ordering.counts[name],
        "share": ordering.counts[name] / ordering.total,
        "rarity_rank": ordering.rarity.index(name) + 1,
        "inverted": ordering.inverted(name),
    }


def verdicts(orderings: Sequence[Ordering]) -> list[dict[str, Any]]:
    """What each reading's counts say of the order, for programs: inversions, the nearest order, the moves to it."""
    return [
        {
            "furnace_trump": each.deck.furnace_trump,
            "total": each.total,
            "inversions": [list(pair) for pair in each.inversions],
            "nearest_order": list(each.nearest),
            "nearest_counts": dict(each.nearest_counts),
            "moves": [{"category": move.category, "below": move.below} for move in each.moves],
            "inversions_left": [list(pair) for pair in each.left],
        }
        for each in orderings
    ]


def hand_table(title: str, orderings: Sequence[Ordering]) -> Table:
    """The rows as a table, with what they say of the order below it."""
    first = orderings[0]
    columns = ["hand", "printed"]
    for each in orderings:
        reading = f", {_READINGS[each.deck.furnace_trump]}" if len(orderings) > 1 else ""
        columns += [f"hands{reading}", "share", "by rarity"]
    body = []
    for place, name in enumerate(first.order, 1):
        line = [_TITLE[name], str(place)]
        for each in orderings:
            mark = " !" if each.inverted(name) else ""
            share = each.counts[name] / each.total
            line += [f"{each.counts[name]:,}", _per_cent(share), f"{each.rarity.index(name) + 1}{mark}"]
        body.append(line)
    notes = [f"all {first.total:,} hands of {first.cards} cards, each counted as the strongest it can be called"]
    for each in orderings:
        notes += _words(each, len(orderings) > 1)
    return Table(
        columns,
        body,
        f"{title}: the order of the hands and how rare they are",
        numbers=frozenset(range(1, len(columns))),
        notes=notes,
        keys=2,
    )


def _words(ordering: Ordering, named: bool) -> list[str]:
    """What a reading's counts say of the order, in sentences."""
    who = f"{_READINGS[ordering.deck.furnace_trump]}: " if named else ""
    wrong = [pair for pair in ordering.inversions if _NOTHING not in pair]
    lines = []
    if wrong:
        lines.append(f"{who}the stronger is the commoner (!) in {_pairs(wrong, ordering.counts)}")
    if len(wrong) < len(ordering.inversions):
        above = ", ".join(_TITLE[strong] for strong, weak in ordering.inversions if weak == _NOTHING)
        lines.append(
            f"{who}the high card is rarer than {above}, but no combination: everybody has it, so it stays last"
        )
    if not ordering.moves:
        agrees = (
            "no other order of the combinations has fewer inversions" if wrong else "the order agrees with the counts"
        )
        return [*lines, f"{who}{agrees}"]
    moves = "; ".join(_move(each.category, each.below) for each in ordering.moves)
    if ordering.left:
        left = _pairs(ordering.left, ordering.nearest_counts)
        lines.append(
            f"{who}no order agrees with the counts that it leads to; nearest with the fewest inversions: {moves}"
        )
        lines.append(f"{who}what that leaves is {left}")
    else:
        lines.append(f"{who}nearest order that agrees with the counts that it leads to: {moves}")
    return lines


def _move(category: str, below: str | None) -> str:
    return f"{_TITLE[category]} to the top" if below is None else f"{_TITLE[category]} right below {_TITLE[below]}"


def _pairs(pairs: Sequence[tuple[str, str]], counts: Mapping[str, int]) -> str:
    return ", ".join(
        f"{_TITLE[strong]} over {_TITLE[weak]} ({_times(counts[strong], counts[weak])})" for strong, weak in pairs
    )


def _times(more: int, fewer: int) -> str:
    return f"{more / fewer:.3g} times as many" if fewer else "of which there is none"


def _per_cent(share: float) -> str:
    """Three digits, however small."""
    places = max(0, 2 - floor(log10(100 * share))) if share else 0
    return f"{100 * share:.{places}f} %"
