"""One turn of the kernel from any of the oracle's positions: the two representations, one into the other."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from alchemy_sim.config.load import load
from alchemy_sim.core.bits import ZERO, lowest
from alchemy_sim.core.jit import (
    Policy,
    array_of,
    helper,
    kernel,
    one_record,
    quiet_integers,
    record_type,
    records,
    types,
)
from alchemy_sim.games.metallurgie.areas import next_area
from alchemy_sim.games.metallurgie.encode import encode
from alchemy_sim.games.metallurgie.kernel import blank_outcome
from alchemy_sim.games.metallurgie.names import IRON
from alchemy_sim.games.metallurgie.pattern import bit, top
from alchemy_sim.games.metallurgie.policies import policy
from alchemy_sim.games.metallurgie.setup import find_free, find_place, lay_start
from alchemy_sim.games.metallurgie.table import END_CARD, OUTCOME, TABLE, Ask, Event, Mode, Purpose
from alchemy_sim.games.metallurgie.turns import (
    draw_first,
    may_place,
    place_cards,
    places_for,
    put,
    score,
    score_areas,
    scored_area,
    turn_to,
)
from alchemy_sim.games.metallurgie.view import SEATS, VIEW
from tests.oracle.metallurgie_oracle import METALS, Pattern, Place, Placing, Rules, around

#: Areas of a pattern at most.
AREAS = 64
#: The points of a turn that begins with a draw where no card was given as drawn.
DREW = -2
_RECORDS: Any = (record_type(VIEW), record_type(TABLE), types.int64)
_OUTCOMES: Any = array_of(record_type(OUTCOME))
_ROWS: Any = array_of(types.int64, 2)
#: Rows of a script: place a card; the next to be taken; score them; list what may be scored.
PLACE, PICK, SCORE, LIST = range(4)


class Asked(NamedTuple):
    """A turn to be played."""

    pattern: Pattern
    hand: tuple[str, ...]
    drawn: str | None
    rules: Rules


class Played(NamedTuple):
    """A turn that was played."""

    points: int  # -1 if nothing can be placed; DREW
    placing: Placing
    scored: list[tuple[str, int, frozenset[Place]]]  # metal, size of the area, what was taken away
    pattern: Pattern
    hand: tuple[str, ...]
    fault: bool  # whether the policy answered what is not allowed
    given_up: bool = False  # whether the policy found more scoring phases than it looks at


Scorable = set[tuple[str, frozenset[Place]]]  # metal and places of each area that may be scored


@helper
def begin(view: Any, table: Any, seat: int, drawn: int, out: Any) -> None:
    """Lay the pattern; nothing was placed in this turn yet."""
    blank_outcome(out)
    lay_start(view, table)
    view.placed = view.scored = 0
    view.metal = view.place = -1
    view.mode = Mode.FREE
    view.touched = view.spent = ZERO
    view.drawn = drawn
    turn_to(view, table, seat, Ask.PLACE, Purpose.PLACE, 0)


@kernel(types.int64(*_RECORDS, types.int64, _OUTCOMES))
def play_turn(view: Any, table: Any, seat: int, drawn: int, outcomes: Any) -> int:
    """Place and score: the points, -1 if nothing can be placed. With no card drawn (-1), DREW if the player draws."""
    begin(view, table, seat, drawn, outcomes[0])
    if drawn < 0 and draw_first(view, table, seat, outcomes[0]) >= 0:
        return DREW
    if drawn >= 0 and places_for(view, drawn) == 0:
        return -1
    place_cards(view, table, seat, outcomes[0])
    score_areas(view, table, seat, outcomes[0])
    return view.scored


@kernel(types.int64(*_RECORDS, types.int64, _ROWS, _ROWS, array_of(types.uint64, 2), _OUTCOMES))
def play_rows(view: Any, table: Any, seat: int, drawn: int, rows: Any, metals: Any, areas: Any, outcomes: Any) -> int:
    """Play a script: -1, or the number of the first row that is not allowed. Lists go into the rows of `areas`."""
    begin(view, table, seat, drawn, outcomes[0])
    picked = ZERO
    for row in range(rows.shape[0]):
        what, metal, q, r = rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3]
        if what == PLACE:
            number = find_free(view.pattern, q, r) if metal == IRON else find_place(view.pattern, q, r)
            first = drawn >= 0 and view.placed == 0
            if not may_place(view, metal, number) or not (first or view.hand[metal] > 0):
                return row
            put(view, metal, number)
            if not first:
                table.held[seat, metal] -= 1
                view.hand[metal] -= 1
        elif what == PICK:
            place = find_place(view.pattern, q, r)
            if place < 0:
                return row
            picked |= bit(place)
        elif what == SCORE:
            area = scored_area(view, metal, picked)
            if area == ZERO:
                return row
            score(view, seat, metal, area, picked)
            picked = ZERO
        else:
            number = 0
            for each in range(4):
                left = top(view.pattern, each)
                while left != ZERO:
                    area = next_area(view, each, left)
                    if area == ZERO:
                        break
                    metals[row, number], areas[row, number] = each, area
                    number += 1
                    left &= ~area
                    while left != ZERO and lowest(left) < lowest(area):
                        left &= ~bit(lowest(left))
    return -1


def ordered(pattern: Pattern) -> list[tuple[int, int, int]]:
    """The cards of a pattern in one part as they can be laid from (0, 0) on: metal, q, r."""
    found, seen, todo = [], {(0, 0)}, [(0, 0)] if pattern else []
    for place in todo:
        found += [(metal, *place) for metal in range(len(pattern[place]))]
        for each in around(place):
            if each in pattern and each not in seen:
                seen.add(each)
                todo.append(each)
    assert len(seen) == max(len(pattern), 1)
    return found


@cache
def rules_of(rules: Rules, players: int, hand: int) -> Any:
    """The rules of a cell as the kernel has them."""
    settings = [f"game.{name}={','.join(map(str, getattr(rules, name)))}" for name in ("thresholds", "removals")]
    settings += [f"rulings.{name}={str(getattr(rules, name)).lower()}" for name in ("must_score", "score_again")]
    settings += [f"rulings.score_scope={rules.score_scope}", f"game.hand={hand}"]
    config: Any = load("metallurgie/default", settings).settings[0].config
    return encode(config, players, ["random"] * players).rules


def counted(cards: tuple[str, ...]) -> list[int]:
    return [cards.count(metal) for metal in METALS]


class Turns:
    """Turns of one policy, asked about one after the other; the others' cards, points and all draws are random."""

    def __init__(self, player: str | Policy = "random", seed: int = 0) -> None:
        self.view, self.table = one_record(VIEW), one_record(TABLE)
        self.outcomes = records(np.zeros(1, OUTCOME))
        self.address = (policy(player) if isinstance(player, str) else player).address
        self.rng = Random(seed)

    def set_up(self, asked: Asked) -> int:
        """Lay the cards on the table; who has the turn."""
        view, table, rng = self.view, self.table, self.rng
        players = rng.choice((2, 3, 4))
        seat = rng.randrange(players)
        full = max(len(asked.hand), rng.choice((1, 3, 3, 5)))
        rules = rules_of(asked.rules, players, full)
        for name in rules.dtype.names:
            view[name] = rules[name][0]
        cards = ordered(asked.pattern)
        table.start_size = len(cards)
        table.start[: len(cards)] = np.array(cards).reshape(-1, 3)
        left = view.deck - np.bincount([metal for metal, _, _ in cards], minlength=4) - counted(asked.hand)
        others = [metal for metal in range(4) for _ in range(left[metal] - (asked.drawn == METALS[metal]))]
        rng.shuffle(others)
        table.held[:], view.hand_sizes[:] = 0, 0
        table.held[seat] = counted(asked.hand)
        view.hand_sizes[seat] = len(asked.hand)
        for other in range(players):
            if other != seat:
                for _ in range(min(full, len(others) // 2)):
                    table.held[other, others.pop()] += 1
                    view.hand_sizes[other] += 1
        pile = [END_CARD, *others]
        table.pile[: len(pile)] = pile
        view.pile = len(pile)
        for each in range(SEATS):
            view.points[each] = rng.randrange(20) if each < players else 0
        table.policy[:] = self.address
        table.own_key[:] = [rng.getrandbits(64) for _ in range(SEATS)]
        table.first_scorer[:], table.leader = -1, -1
        table.faults = table.logged = 0
        table.recording = 1
        view.turn += 1  # a policy may remember something for as long as a turn lasts
        return seat

    def play(self, asked: Asked) -> Played:
        """Play the turn; without a drawn card the player is asked first whether to draw, all cards left in the pile."""
        seat = self.set_up(asked)
        drawn = -1 if asked.drawn is None else METALS.index(asked.drawn)
        with quiet_integers():
            points = int(play_turn(self.view, self.table, seat, drawn, self.outcomes))
        placing, scored = [], list[tuple[str, int, frozenset[Place]]]()
        for what, a, b, c in self.table.log[: int(self.table.logged)].tolist():
            if what == Event.PLACED:
                placing.append((METALS[a], (b, c)))
            elif what == Event.SCORED:
                scored.append((METALS[a], b, frozenset()))
            elif what == Event.TAKEN:
                metal, size, taken = scored[-1]
                scored[-1] = metal, size, taken | {(a, b)}
        fault, given_up = bool(self.outcomes["fault"][0]), bool(self.view.plan.given_up)
        return Played(points, placing, scored, self.pattern(), self.hand(seat), fault, given_up)

    def script(self, asked: Asked, rows: list[tuple[int, int, int, int]]) -> tuple[int, list[Scorable], Pattern]:
        """Play rows: -1 or the first that is not allowed; the areas of each LIST; the pattern at the end."""
        seat = self.set_up(asked)
        drawn = -1 if asked.drawn is None else METALS.index(asked.drawn)
        metals, areas = np.zeros((len(rows), AREAS), np.int64), np.zeros((len(rows), AREAS), np.uint64)
        with quiet_integers():
            plan = np.array(rows, np.int64)
            wrong = int(play_rows(self.view, self.table, seat, drawn, plan, metals, areas, self.outcomes))
        listed = []
        for at, row in enumerate(rows):
            if row[0] == LIST:
                each = zip(metals[at].tolist(), areas[at].tolist(), strict=True)
                listed.append({(METALS[metal], frozenset(self.places(area))) for metal, area in each if area})
        return wrong, listed, self.pattern()

    def places(self, mask: int) -> list[Place]:
        """The coordinates of places with cards."""
        pattern = self.view.pattern
        return [(int(pattern.q[each]), int(pattern.r[each])) for each in range(64) if mask >> each & 1]

    def pattern(self) -> Pattern:
        layers, pattern = self.view.pattern.layer.tolist(), self.view.pattern
        qs, rs = pattern.q.tolist(), pattern.r.tolist()
        heights = [sum(layer >> each & 1 for layer in layers) for each in range(64)]
        return {(qs[each], rs[each]): METALS[:height] for each, height in enumerate(heights) if height}

    def hand(self, seat: int) -> tuple[str, ...]:
        held = self.table.held[seat].tolist()
        return tuple(metal for metal, number in zip(METALS, held, strict=True) for _ in range(number))
