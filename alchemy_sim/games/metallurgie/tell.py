"""A game told so that people can act it out with real cards: one turn a line, the pattern drawn when it matters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from alchemy_sim.games.metallurgie.names import END, LETTERS, METALS, NEIGHBOURS, metal_number

Event = Mapping[str, Any]
Place = tuple[int, int]

_COLUMNS = " turn      draws  points"
_MARGIN = " " * len(_COLUMNS)


def _player(seat: int) -> str:
    return f"P{seat}"


def _listed(words: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _counted(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"


def _hand(cards: Sequence[str]) -> str:
    """Cards from iron to gold."""
    return " ".join(sorted(cards, key=metal_number))


def _place(place: Sequence[int]) -> str:
    return f"({place[0]},{place[1]})"


def _each(points: Sequence[int]) -> str:
    return ", ".join(f"{_player(seat)} {count}" for seat, count in enumerate(points))


class Pattern:
    """The cards on the table: how high each place is, which tells its top card too (Metallurgie 1)."""

    def __init__(self) -> None:
        self.heights: dict[Place, int] = {}

    def lay(self, q: int, r: int) -> None:
        self.heights[q, r] = self.heights.get((q, r), 0) + 1

    def take(self, q: int, r: int) -> None:
        self.heights[q, r] -= 1
        if not self.heights[q, r]:
            del self.heights[q, r]

    def drawn(self) -> Iterator[str]:
        """One line for each r: where its first place is, then each place's top card and height, `..` where none is.

        Neighbours stand beside each other in a row, or half a place aside in the next.
        """
        if not self.heights:
            yield "no card lies there"
            return
        rows: dict[int, list[int]] = {}
        for q, r in self.heights:
            rows.setdefault(r, []).append(q)
        left = min(2 * min(row) + r for r, row in rows.items())
        width = max(len(_place((min(row), r))) for r, row in rows.items())
        for r, row in sorted(rows.items()):
            first = min(row)
            cells = "  ".join(self._cell(q, r) for q in range(first, max(row) + 1))
            yield f"{_place((first, r)):>{width}}  {'  ' * (2 * first + r - left)}{cells}"

    def _cell(self, q: int, r: int) -> str:
        height = self.heights.get((q, r), 0)
        return f"{LETTERS[height - 1]}{height}" if height else ".."


class Teller:
    """Tells the events of a game in order; it remembers the pattern."""

    def __init__(self, setup: Event) -> None:
        self.setup = setup
        self.pattern = Pattern()
        for _, q, r in setup["rules"]["start"]:
            self.pattern.lay(q, r)

    def opening(self) -> Iterator[str]:
        setup, rules = self.setup, self.setup["rules"]
        needs = zip(LETTERS, rules["thresholds"], rules["removals"], strict=True)
        areas = _listed([f"{letter} {threshold} (takes {removal})" for letter, threshold, removal in needs])
        yield (
            f"Game {setup['game_index']} under seed {setup['seed']}: {setup['players']} players, "
            f"{_player(setup['first'])} starts. Areas: {areas}."
        )
        names = setup.get("policies", [""] * setup["players"])
        for seat, hand in enumerate(setup["hands"]):
            yield f"  {_player(seat)}{names[seat] and f' ({names[seat]})'}: {_hand(hand)}"
        pile = setup["pile"]
        yield f"  The end card is number {pile.index(END) + 1} of the {len(pile)} cards of the pile."
        yield f"  {_listed([f'{letter} {name}' for letter, name in zip(LETTERS, METALS, strict=True)])}."
        yield "  The pattern by rows: the place (q,r) that a row begins with, then top cards and heights."
        yield f"  The neighbours of a place are at {' '.join(map(_place, NEIGHBOURS))} from it."
        yield "  Points are the player's after the turn."
        yield ""
        yield from self.drawing("")
        yield ""
        yield _COLUMNS

    def drawing(self, margin: str) -> Iterator[str]:
        yield from (f"{margin}  {line}" for line in self.pattern.drawn())

    def turn(self, event: Event) -> Iterator[str]:
        seat, draw = event["player"], event["draw"]
        told = [self.placed(event["placed"])] if event["placed"] else []
        told += [f"cannot place {event['discarded']} and discards it"] if event["discarded"] else []
        told += [self.scored(each) for each in event["scored"]]
        told += self.refilled(event["refill"])
        if draw == END:
            told.append("turns up the end card")
        points = event["points"][seat]
        yield f"{event['n']:>5}  {_player(seat)}  {draw or 'none':>5}  {points:>6}  {'; '.join(told)}".rstrip()
        if event["scored"]:
            yield from self.drawing(_MARGIN)

    def placed(self, cards: Sequence[Sequence[Any]]) -> str:
        """Cards in the order they are laid; those of one metal, or at one place, are told together."""
        for _, q, r in cards:
            self.pattern.lay(q, r)
        letters = [card[0] for card in cards]
        places = [_place(card[1:]) for card in cards]
        if len(set(places)) == 1:
            return f"lays {' '.join(letters)} at {places[0]}"
        if len(set(letters)) == 1:
            return f"lays {letters[0]} at {' '.join(places)}"
        return f"lays {', '.join(f'{letter} at {place}' for letter, place in zip(letters, places, strict=True))}"

    def scored(self, score: Event) -> str:
        for q, r in score["removed"]:
            self.pattern.take(q, r)
        taken = " ".join(map(_place, score["removed"]))
        return f"scores {score['area']} {METALS[metal_number(score['metal'])]}, taking {taken}"

    def refilled(self, cards: Sequence[str]) -> Iterator[str]:
        drawn = [card for card in cards if card != END]
        if drawn:
            yield f"refills {' '.join(drawn)}"
        if END in cards:
            yield "draws the end card"

    def end(self, event: Event) -> Iterator[str]:
        yield ""
        yield f"The pattern explodes after {event['turns']} turns:"
        yield from self.drawing("")
        for seat, metals in enumerate(event["bonus"]):
            if metals:
                names = _listed([METALS[metal_number(each)] for each in metals])
                yield f"{_player(seat)} has the bonus for {names}: {_counted(len(metals))} more."
        yield f"Points: {_each(event['points'])}."
        winners = [_player(seat) for seat in event["winners"]]
        does = "wins" if len(winners) == 1 else "share the win"
        yield f"{_listed(winners)} {does} with {_counted(event['points'][event['winners'][0]])}."


def tell(events: list[dict[str, Any]], _outcomes: Mapping[str, Any]) -> str:
    """A trace as text."""
    setup, *rest = events
    teller = Teller(setup)
    lines = list(teller.opening())
    for event in rest:
        lines += teller.turn(event) if event["type"] == "turn" else teller.end(event)
    return "\n".join(lines) + "\n"
