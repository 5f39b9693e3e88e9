"""Traces: one match as JSON events (Furnace 7), decoded from the log of the kernel that plays the runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from alchemy_sim.core.game import Encoded
from alchemy_sim.games.furnace.claims import ranks_in_deck
from alchemy_sim.games.furnace.match.board import (
    Fill,
    Meld,
    Play,
    fill_of,
    kind_of,
    meld_of,
    place_at,
    position_of,
    run_family,
    run_fill,
    run_low,
    triad_place,
    triad_reals,
)
from alchemy_sim.games.furnace.match.columns import RESULTS
from alchemy_sim.games.furnace.match.simulate import record
from alchemy_sim.games.furnace.match.table import Event
from alchemy_sim.games.furnace.names import CATEGORIES, MOST_FAMILIES, RANK_COUNT, TRUMP, card_name

Row = tuple[int, ...]


class _Layout:
    """What the decoder knows of a meld: enough to name the cards that come to it."""

    def __init__(self, kind: int, family: int, reals: int = 0) -> None:
        self.kind, self.family, self.reals, self.wild = kind, family, reals, dict[int, int]()


class Decoder:
    """Turns the rows of one match's log into events, in order."""

    def __init__(self, encoded: Encoded, seed: int, index: int) -> None:
        facts, players = encoded.facts, encoded.players
        match = facts["match"]
        self.players = players
        self.families = facts["deck"]["families"]
        self.ranks = ranks_in_deck(facts["deck"]["ranks"])
        self.setup: dict[str, Any] = {
            "type": "setup",
            "game": "furnace",
            "players": players,
            **facts,
            "seed": seed,
            "game_index": index,
            "stones": [match["stones"]] * players,
            "bag": match["bag_stones"],
            "policies": list(encoded.policies),
        }
        self.number = 0
        self.antes: list[int] = []
        self.round: dict[str, Any] = {}
        self.turn: dict[str, Any] = {}
        self.force: dict[str, Any] = {}
        self.showdown: dict[str, Any] = {}
        self.end: dict[str, Any] = {}
        self.melds: list[_Layout] = []

    def card(self, family: int, place: int) -> str:
        """The name of a card by family and place."""
        return card_name(RANK_COUNT * family + self.ranks[place])

    def events(self, rows: np.ndarray) -> Iterator[dict[str, Any]]:
        """The events of a log of shape (rows, 6)."""
        yield self.setup
        for row in rows.tolist():
            kind, *values = row
            yield from _HANDLERS[kind](self, tuple(values))

    def flush(self) -> Iterator[dict[str, Any]]:
        """What is complete once something else begins: the round's opening, or a turn."""
        for name in ("round", "turn"):
            if event := getattr(self, name):
                setattr(self, name, {})
                yield event

    def begin_round(self, row: Row) -> Iterator[dict[str, Any]]:
        if self.end:
            yield self.end
            self.end = {}
        self.number, self.melds, self.antes = row[0], [], []
        empty: list[list[str]] = [[] for _ in range(self.players)]
        opening = {"type": "round", "n": row[0], "starter": row[1], "pot": row[2], "stones": [0] * self.players}
        self.round = {**opening, "hands": empty, "furnace_up": [], "furnace_down": []}

    def stones(self, row: Row) -> Iterator[dict[str, Any]]:
        (self.round or self.end)["stones"][row[0]] = row[1]
        yield from ()

    def hand(self, row: Row) -> Iterator[dict[str, Any]]:
        self.round["hands"][row[0]].append(card_name(row[1]))
        yield from ()

    def up(self, row: Row) -> Iterator[dict[str, Any]]:
        self.round["furnace_up"].append(card_name(row[0]))
        yield from ()

    def down(self, row: Row) -> Iterator[dict[str, Any]]:
        self.round["furnace_down"].append(card_name(row[0]))
        yield from ()

    def ante(self, row: Row) -> Iterator[dict[str, Any]]:
        self.antes.append(row[0])
        yield from ()

    def begin_turn(self, row: Row) -> Iterator[dict[str, Any]]:
        yield from self.flush()
        number, player, card, reshuffled = row[:4]
        nothing: list[int] = [0] * self.players
        self.turn = {
            "type": "turn",
            "round": self.number,
            "n": number,
            "player": player,
            "ante": self.antes,
            "draws": None if card < 0 else card_name(card),
            "reshuffled": bool(reshuffled),
            "plays": [],
            "discards": [],
            "points": list(nothing),
            "stones": list(nothing),
            "bag": 0,
        }
        self.antes = []

    def play(self, row: Row) -> Iterator[dict[str, Any]]:
        code = row[0]
        self.turn["plays"].append(_PLAYS[kind_of(code)](self, code))
        yield from ()

    def new_run(self, code: int) -> dict[str, Any]:
        family, low = run_family(code), run_low(code)
        self.melds.append(_Layout(Meld.RUN, family))
        number = len(self.melds)
        cards = [self.in_run(number - 1, low + card, run_fill(code, card)) for card in range(3)]
        return {"new": "run", "meld": number, "cards": cards}

    def in_run(self, meld: int, position: int, fill: int) -> str:
        """A card that comes to a Run."""
        family, place = self.melds[meld].family, place_at(len(self.ranks), position)
        card = self.card(family, place)
        if fill == Fill.NATURAL:
            return card
        return f"{'JK' if fill == Fill.JOKER else self.card(TRUMP, place)}={card}"

    def missing(self, layout: _Layout) -> int:
        """A family that a Triad lacks: what its next Joker is written as."""
        taken = layout.reals | sum(1 << family for family in layout.wild)
        families = [*range(self.families), TRUMP]
        return next(family for family in families if not taken >> family & 1)

    def joker_in_triad(self, layout: _Layout) -> str:
        family = self.missing(layout)
        layout.wild[family] = 1
        return f"JK={self.card(family, layout.family)}"

    def new_triad(self, code: int) -> dict[str, Any]:
        place, reals = triad_place(code), triad_reals(code)
        layout = _Layout(Meld.TRIAD, place, reals)
        self.melds.append(layout)
        cards = [self.card(family, place) for family in range(MOST_FAMILIES + 1) if reals >> family & 1]
        cards += [self.joker_in_triad(layout) for _ in range(3 - len(cards))]
        return {"new": "triad", "meld": len(self.melds), "cards": cards}

    def extend(self, code: int) -> dict[str, Any]:
        meld, position, fill = meld_of(code), position_of(code), fill_of(code)
        layout = self.melds[meld]
        if layout.kind == Meld.RUN:
            card = self.in_run(meld, position, fill)
        elif fill == Fill.JOKER:
            card = self.joker_in_triad(layout)
        else:
            layout.reals |= 1 << position
            card = self.card(position, layout.family)
        return {"extend": meld + 1, "cards": [card]}

    def retrieve(self, code: int) -> dict[str, Any]:
        meld, position, fill = meld_of(code), position_of(code), fill_of(code)
        layout = self.melds[meld]
        if layout.kind == Meld.RUN:
            place = place_at(len(self.ranks), position)
            put = self.card(layout.family, place)
            taken = f"{'JK' if fill == Fill.JOKER else self.card(TRUMP, place)}={put}"
        else:
            put = self.card(position, layout.family)
            layout.reals |= 1 << position
            if fill == Fill.JOKER:
                label = position if position in layout.wild else next(iter(layout.wild))
                del layout.wild[label]
                taken = f"JK={self.card(label, layout.family)}"
            else:
                layout.reals ^= 1 << TRUMP
                taken = self.card(TRUMP, layout.family)
        return {"retrieve": meld + 1, "takes": taken, "with": put}

    def stone(self, row: Row) -> Iterator[dict[str, Any]]:
        self.turn["plays"].append({"stone_from": "bag" if row[0] == 0 else row[0] - 1})
        yield from ()

    def discard(self, row: Row) -> Iterator[dict[str, Any]]:
        self.turn["discards"].append(card_name(row[0]))
        yield from ()

    def totals(self, row: Row) -> Iterator[dict[str, Any]]:
        self.turn["points"][row[0]] = row[1]
        self.turn["stones"][row[0]] = row[2]
        self.turn["bag"] = row[3]
        yield from ()

    def forced(self, row: Row) -> Iterator[dict[str, Any]]:
        yield from self.flush()
        self.force = {"type": "force", "round": self.number, "player": row[0], "bet": row[1], "calls": [], "folds": []}

    def call(self, row: Row) -> Iterator[dict[str, Any]]:
        self.force["calls"].append([row[0], row[1]])
        yield from ()

    def fold(self, row: Row) -> Iterator[dict[str, Any]]:
        self.force["folds"].append(row[0])
        yield from ()

    def showing(self) -> dict[str, Any]:
        """The showdown under way."""
        if not self.showdown:
            parts: dict[str, Any] = {"kept": {}, "category": {}, "winners": [], "paid": {}}
            self.showdown = {"type": "showdown", "round": self.number, **parts}
        return self.showdown

    def kept(self, row: Row) -> Iterator[dict[str, Any]]:
        self.showing()["kept"].setdefault(str(row[0]), []).append(card_name(row[1]))
        yield from ()

    def category(self, row: Row) -> Iterator[dict[str, Any]]:
        self.showing()["category"][str(row[0])] = CATEGORIES[row[1]]
        yield from ()

    def paid(self, row: Row) -> Iterator[dict[str, Any]]:
        if self.showdown:
            self.showdown["paid"][str(row[0])] = row[1]
            self.showdown["winners"].append(row[0])
        yield from ()

    def end_round(self, row: Row) -> Iterator[dict[str, Any]]:
        yield from self.flush()
        for name in ("force", "showdown"):
            if event := getattr(self, name):
                setattr(self, name, {})
                yield event
        head = {"type": "round_end", "round": self.number, "outcome": RESULTS[row[0]], "stones": [0] * self.players}
        self.end = {**head, "pot": row[1], "bag": row[2], "out": []}

    def out(self, row: Row) -> Iterator[dict[str, Any]]:
        self.end["out"].append(row[0])
        yield from ()

    def end_match(self, row: Row) -> Iterator[dict[str, Any]]:
        yield self.end
        yield {"type": "end", "winner": None if row[0] < 0 else row[0], "rounds": row[1]}


_HANDLERS: dict[int, Callable[[Decoder, Row], Iterator[dict[str, Any]]]] = {
    Event.ROUND: Decoder.begin_round,
    Event.STONES: Decoder.stones,
    Event.HAND: Decoder.hand,
    Event.UP: Decoder.up,
    Event.DOWN: Decoder.down,
    Event.ANTE: Decoder.ante,
    Event.TURN: Decoder.begin_turn,
    Event.PLAY: Decoder.play,
    Event.STONE: Decoder.stone,
    Event.DISCARD: Decoder.discard,
    Event.TOTALS: Decoder.totals,
    Event.FORCE: Decoder.forced,
    Event.CALL: Decoder.call,
    Event.FOLD: Decoder.fold,
    Event.KEPT: Decoder.kept,
    Event.CATEGORY: Decoder.category,
    Event.PAID: Decoder.paid,
    Event.ROUND_END: Decoder.end_round,
    Event.OUT: Decoder.out,
    Event.END: Decoder.end_match,
}

_PLAYS: dict[int, Callable[[Decoder, int], dict[str, Any]]] = {
    Play.RUN: Decoder.new_run,
    Play.TRIAD: Decoder.new_triad,
    Play.EXTEND: Decoder.extend,
    Play.RETRIEVE: Decoder.retrieve,
}


def trace(encoded: Encoded, seed: int, index: int) -> list[dict[str, Any]]:
    """The events of match `index` as JSON-ready dicts."""
    return list(Decoder(encoded, seed, index).events(record(encoded, seed, index)))
