"""A match told so that people can act it out with real cards: everything that happens, one turn a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from alchemy_sim.games.furnace.names import CATEGORIES, TITLES, card_number

Event = Mapping[str, Any]

_TITLE = dict(zip(CATEGORIES, TITLES, strict=True))
_COLUMNS = " turn      draws  points  Stones  bag"


def _player(seat: int) -> str:
    return f"P{seat}"


def _players(listed: Sequence[int]) -> str:
    *first, last = map(_player, listed)
    return f"{', '.join(first)} and {last}" if first else last


def _do(listed: Sequence[int], verb: str) -> str:
    """Players and what they do: "P0 folds", "P0 and P2 fold"."""
    return f"{_players(listed)} {verb}{'s' if len(listed) == 1 else ''}"


def _stones(count: int) -> str:
    return "1 Stone" if count == 1 else f"{count} Stones"


def _hand(cards: Sequence[str]) -> str:
    """Cards sorted by family and rank, a gap between families."""
    groups: dict[str, list[str]] = {}
    for card in sorted(cards, key=card_number):
        groups.setdefault(card[0], []).append(card)
    return "   ".join(" ".join(group) for group in groups.values())


def _each(listed: Sequence[int], values: Sequence[int]) -> str:
    return ", ".join(f"{_player(seat)} {values[seat]}" for seat in listed)


class Teller:
    """Tells the events of a match in order; it remembers who is in, whose each layout is, and everyone's points."""

    def __init__(self, setup: Event) -> None:
        self.setup = setup
        self.playing: list[int] = []
        self.owners: list[int] = []
        self.points = [0] * setup["players"]

    def opening(self) -> Iterator[str]:
        setup, match = self.setup, self.setup["match"]
        yield (
            f"Match {setup['game_index']} under seed {setup['seed']}: {setup['players']} players with "
            f"{_stones(match['stones'])} each, {match['bag_stones']} in the bag; {match['qualify']} points may force."
        )
        yield f"  {', '.join(f'{_player(seat)} {name}' for seat, name in enumerate(setup['policies']))}"
        yield "  Layouts are numbered as they are made in a round. Points, Stones and bag are those after the turn."

    def round(self, event: Event) -> Iterator[str]:
        self.owners, self.points = [], [0] * len(self.points)
        self.playing = [seat for seat, hand in enumerate(event["hands"]) if hand]
        head = f"Round {event['n']}: {_player(event['starter'])} starts"
        yield ""
        yield f"{head}. Stones after the ante: {_each(self.playing, event['stones'])}; pot {event['pot']}."
        yield from (f"  {_player(seat)}: {_hand(event['hands'][seat])}" for seat in self.playing)
        down = f", face down {' '.join(event['furnace_down'])}" if event["furnace_down"] else ""
        yield f"  Furnace: {' '.join(event['furnace_up'])}{down}"
        yield _COLUMNS

    def turn(self, event: Event) -> Iterator[str]:
        seat = event["player"]
        told = [_do(event["ante"], "ante")] if event["ante"] else []
        told += ["the discards are reshuffled"] if event["reshuffled"] else []
        told += [*self.plays(seat, event["plays"]), *self.earned(event["plays"])]
        told += [f"discards {' '.join(event['discards'])}"] if event["discards"] else []
        for other, points in enumerate(event["points"]):
            if other != seat and points != self.points[other]:
                told.append(f"{_player(other)} has {points} points")
        self.points = list(event["points"])
        yield (
            f"{event['n']:>5}  {_player(seat)}  {event['draws'] or 'none':>5}  {event['points'][seat]:>6}  "
            f"{event['stones'][seat]:>6}  {event['bag']:>3}  {'; '.join(told)}"
        ).rstrip()

    def plays(self, seat: int, plays: Sequence[Event]) -> Iterator[str]:
        """A player's plays in words; cards that come to one layout one after another are told together."""
        cards: list[str] = []
        onto = 0
        for play in plays:
            if cards and play.get("extend", onto if "stone_from" in play else 0) != onto:
                yield f"adds {' '.join(cards)} to {self.layout(seat, onto)}"
                cards = []
            if "new" in play:
                self.owners.append(seat)
                yield f"lays {play['meld']}: {' '.join(play['cards'])}"
            elif "extend" in play:
                onto = play["extend"]
                cards += play["cards"]
            elif "retrieve" in play:
                yield f"takes {play['takes']} from {self.layout(seat, play['retrieve'])} for {play['with']}"
        if cards:
            yield f"adds {' '.join(cards)} to {self.layout(seat, onto)}"

    def layout(self, seat: int, number: int) -> str:
        owner = self.owners[number - 1]
        return str(number) if owner == seat else f"{number} of {_player(owner)}"

    def earned(self, plays: Sequence[Event]) -> Iterator[str]:
        sources = [play["stone_from"] for play in plays if "stone_from" in play]
        for source in dict.fromkeys(sources):
            whose = "the bag" if source == "bag" else _player(source)
            yield f"gets {_stones(sources.count(source))} from {whose}"

    def force(self, event: Event) -> Iterator[str]:
        told = [f"{_player(seat)} calls {stones}" for seat, stones in event["calls"]]
        told += [_do(event["folds"], "fold")] if event["folds"] else []
        yield f"  {_player(event['player'])} forces the Furnace and bets {event['bet']}: {', '.join(told)}."

    def showdown(self, event: Event) -> Iterator[str]:
        for seat, kept in event["kept"].items():
            yield f"    {_player(seat)} keeps {' '.join(kept)}: {_TITLE[event['category'][seat]]}"
        yield f"  The pot pays {', '.join(f'{_player(seat)} {stones}' for seat, stones in event['paid'].items())}."

    def round_end(self, event: Event) -> Iterator[str]:
        left = f"; {_stones(event['pot'])} stay in the pot" if event["pot"] else ""
        if event["outcome"] == "folded":
            yield "  Nobody calls: the forcer takes the pot."
        elif event["outcome"] == "stalled":
            yield "  The round has come to its last turn."
        yield f"  Stones: {_each(self.playing, event['stones'])}; bag {event['bag']}{left}."
        if event["out"]:
            yield f"  {_players(event['out'])} {'is' if len(event['out']) == 1 else 'are'} out."

    def end(self, event: Event) -> Iterator[str]:
        yield ""
        if event["winner"] is None:
            yield f"After {event['rounds']} rounds the match is unfinished."
        else:
            yield f"{_player(event['winner'])} is the Supreme Alchemist after {event['rounds']} rounds."


_TOLD = {
    "round": Teller.round,
    "turn": Teller.turn,
    "force": Teller.force,
    "showdown": Teller.showdown,
    "round_end": Teller.round_end,
    "end": Teller.end,
}


def tell(events: list[dict[str, Any]], _outcomes: Mapping[str, Any]) -> str:
    """A trace as text."""
    setup, *rest = events
    teller = Teller(setup)
    lines = list(teller.opening())
    for event in rest:
        lines += _TOLD[event["type"]](teller, event)
    return "\n".join(lines) + "\n"
