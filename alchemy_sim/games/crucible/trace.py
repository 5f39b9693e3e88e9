"""Traces: one mission as JSON events (Crucible 10), decoded from the log of the kernel that plays the runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from alchemy_sim.core.game import Encoded
from alchemy_sim.games.crucible.log import Event
from alchemy_sim.games.crucible.names import DISCIPLINES, TASKS, face_name
from alchemy_sim.games.crucible.simulate import record
from alchemy_sim.games.crucible.table import Ending, Hint, Intent, Result, Status

Row = tuple[int, ...]


def _name(number: int) -> str | None:
    return None if number < 0 else TASKS[number].id


def _present(number: int) -> int | None:
    return None if number < 0 else number


class Decoder:
    """Turns the rows of one mission's log into events, in order."""

    def __init__(self, encoded: Encoded, seed: int, index: int, lead: int, sponge_seat: int) -> None:
        self.setup: dict[str, Any] = {
            "type": "setup",
            "game": "crucible",
            "players": encoded.players,
            "mission": dict(encoded.facts["mission"]),
            "sponge_seat": _present(sponge_seat),
            "rulings": dict(encoded.facts["rulings"]),
            "seed": seed,
            "game_index": index,
            "lead": lead,
            "hands": [[] for _ in range(encoded.players)],
            "left_over": [],
        }
        self.slag = [0] * encoded.players
        self.offered: list[list[str]] = []
        self.kept: list[str | None] = []
        self.revealed: list[str] = []
        self.redrawn: list[list[str]] = []
        self.claims: list[list[Any]] = []
        self.plays: list[list[Any]] = []
        self.reaction: dict[str, Any] = {}
        self.opened = False

    def events(self, rows: np.ndarray) -> Iterator[dict[str, Any]]:
        """The events of a log of shape (rows, 6)."""
        for row in rows.tolist():
            kind, *values = row
            if kind > Event.CLAIM and not self.opened:
                yield from self._opening()
            yield from _HANDLERS[kind](self, tuple(values))

    def _opening(self) -> Iterator[dict[str, Any]]:
        """The lines before the first reaction, once all that belongs to them has been read."""
        self.opened = True
        yield self.setup
        yield {"type": "disciplines", "offered": self.offered, "kept": self.kept}
        yield {"type": "draft", "revealed": self.revealed, "claims": self.claims, "redrawn": self.redrawn}

    def deal(self, row: Row) -> Iterator[dict[str, Any]]:
        seat, face = row[:2]
        (self.setup["left_over"] if seat < 0 else self.setup["hands"][seat]).append(face_name(face))
        yield from ()

    def keep(self, row: Row) -> Iterator[dict[str, Any]]:
        self.offered.append([DISCIPLINES[each].slug for each in row[1:3]])
        self.kept.append(None if row[3] < 0 else DISCIPLINES[row[3]].slug)  # null: a given card that does nothing
        yield from ()

    def reveal(self, row: Row) -> Iterator[dict[str, Any]]:
        self.revealed.append(TASKS[row[0]].id)
        yield from ()

    def redraw(self, row: Row) -> Iterator[dict[str, Any]]:
        self.redrawn.append([TASKS[row[0]].id, TASKS[row[1]].id])
        yield from ()

    def claim(self, row: Row) -> Iterator[dict[str, Any]]:
        self.claims.append([row[0], TASKS[row[1]].id])
        yield from ()

    def whisper(self, row: Row) -> Iterator[dict[str, Any]]:
        reaction, seat, face, hint = row[:4]
        hint_name = Hint(hint).name.lower()
        yield {"type": "whisper", "reaction": reaction, "player": seat, "card": face_name(face), "hint": hint_name}

    def swap(self, row: Row) -> Iterator[dict[str, Any]]:
        reaction, seat, gives, other, takes = row
        yield {
            "type": "swap",
            "reaction": reaction,
            "player": seat,
            "gives": TASKS[gives].id,
            "other": other,
            "takes": TASKS[takes].id,
        }

    def begin(self, row: Row) -> Iterator[dict[str, Any]]:
        self.plays = []
        number, leader, intent = row[:3]
        self.reaction = {"type": "reaction", "n": number, "leader": leader, "intent": Intent(intent).name.lower()}
        yield from ()

    def play(self, row: Row) -> Iterator[dict[str, Any]]:
        seat, face, total, discipline = row[:4]
        # the Seer's swap has a line of its own
        powers = [] if discipline < 0 or DISCIPLINES[discipline].slug == "seer" else [DISCIPLINES[discipline].slug]
        self.plays.append([seat, face_name(face), total, powers])
        yield from ()

    def result(self, row: Row) -> Iterator[dict[str, Any]]:
        result, winner, credit, next_leader, pusher = row
        if pusher >= 0:
            self.slag[pusher] += 1
        yield {
            **self.reaction,
            "plays": self.plays,
            "outcome": Result(result).name.lower(),
            "total": self.plays[-1][2],
            "winner": _present(winner),
            "credit": _present(credit),
            "next_leader": next_leader,
            "slag": list(self.slag),
        }

    def task(self, row: Row) -> Iterator[dict[str, Any]]:
        reaction, task, owner, status = row[:4]
        status_name = Status(status).name.lower()
        yield {"type": "task", "reaction": reaction, "task": TASKS[task].id, "owner": owner, "status": status_name}

    def end(self, row: Row) -> Iterator[dict[str, Any]]:
        ending, task, reactions = row[:3]
        yield {"type": "end", "ending": Ending(ending).name.lower(), "task": _name(task), "reactions": reactions}


_HANDLERS: dict[int, Callable[[Decoder, Row], Iterator[dict[str, Any]]]] = {
    Event.DEAL: Decoder.deal,
    Event.KEEP: Decoder.keep,
    Event.REVEAL: Decoder.reveal,
    Event.REDRAW: Decoder.redraw,
    Event.CLAIM: Decoder.claim,
    Event.WHISPER: Decoder.whisper,
    Event.SWAP: Decoder.swap,
    Event.REACTION: Decoder.begin,
    Event.PLAY: Decoder.play,
    Event.RESULT: Decoder.result,
    Event.TASK: Decoder.task,
    Event.END: Decoder.end,
}


def trace(encoded: Encoded, seed: int, index: int) -> list[dict[str, Any]]:
    """The events of mission `index` under `seed`, from setup to end."""
    lead, sponge_seat, rows = record(encoded, seed, index)
    return list(Decoder(encoded, seed, index, lead, sponge_seat).events(rows))
