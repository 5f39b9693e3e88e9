"""The kernel against the referee, game by game, and its columns against its own traces.

The referee knows the rule page and the trace and nothing of the kernel. `row_of` reads the outcome columns off a trace
in plain Python, so a column that says something else than the game that was played is found too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from alchemy_sim.config.load import load
from alchemy_sim.core.bits import lowest
from alchemy_sim.core.game import Encoded
from alchemy_sim.core.seats import PolicyFault
from alchemy_sim.games.crucible import simulate
from alchemy_sim.games.crucible.columns import COLUMNS
from alchemy_sim.games.crucible.game import GAME
from alchemy_sim.games.crucible.policies import POLICY_NAMES
from alchemy_sim.games.crucible.table import LOG_ROWS, POLICIES, Ask, Intent
from tests.conftest import games
from tests.oracle.crucible_faults import FAULTS, NAMED_BY
from tests.oracle.crucible_notation import (
    CATALYZE_POWERS,
    MISSIONS,
    PASSIVES,
    RULINGS,
    SEER,
    SUITS,
    TRANSMUTE_POWERS,
)
from tests.oracle.crucible_referee import referee
from tests.oracle.injected import assert_named

Event = dict[str, Any]
Row = dict[str, Any]

SEED = 20_240_607
PLAYERS = POLICY_NAMES
COLUMN = {column.name: column for column in COLUMNS}


# ---- running one setting -----------------------------------------------------------------------------------


def setting(mission: int, players: int, policies: str | Sequence[str], *sets: str) -> Encoded:
    """One cell: a logbook mission with `--set` entries; one policy for all seats, or one for each."""
    config: Any = load(f"crucible/mission-{mission:02d}", sets).settings[0].config
    seats = [policies] * players if isinstance(policies, str) else list(policies)
    return GAME.encode(config, players, seats)


def spelled(value: Any) -> str:
    """A ruling's value as `--set` wants it."""
    return str(value).lower()


def readable_rows(encoded: Encoded, seed: int, first: int, count: int) -> list[Row]:
    """The rows of the kernel with labels for numbers and None for what does not exist."""
    columns = GAME.simulate(encoded, seed, first, count)
    assert tuple(columns) == encoded.columns
    rows: list[Row] = [{} for _ in range(count)]
    for name, values in columns.items():
        column = COLUMN[name]
        assert values.shape == (count,)
        for row, value in zip(rows, values.tolist(), strict=True):
            if column.nullable and value == -1:
                row[name] = None
            else:
                row[name] = column.labels[value] if column.labels is not None else value
    return rows


# ---- columns read off a trace ------------------------------------------------------------------------------


def turned(card: str) -> str:
    return card if card[0] == "C" else f"{SUITS[5 - SUITS.index(card[0])]}{10 - int(card[1])}"


def legal(hand: list[str], plays: list[Any]) -> list[str]:
    """Crucible 3: the lead suit must be followed when held."""
    follow = [card for card in hand if plays and card[0] == plays[0][1][0]]
    return follow or hand


class Reading:
    """One trace read from the front: hands, open tasks, unspent powers, tokens, and what is counted on the way."""

    def __init__(self, events: list[Event], policies: Sequence[str]) -> None:
        self.events = events
        self.setup, self.end = events[0], events[-1]
        self.players: int = self.setup["players"]
        self.hands = [list(hand) for hand in self.setup["hands"]]
        self.kept: list[str | None] = [None] * self.players
        self.fresh: list[str | None] = [None] * self.players
        self.tokens = [bool(self.setup["mission"]["whispers"])] * self.players
        self.owner: dict[str, int] = {}
        self.status: dict[str, str] = {}
        self.swaps: list[Event] = []
        self.whispers: list[Event] = []
        self.loss: tuple[int, int | None] | None = None  # reaction and seat
        self.last: Event | None = None
        counted = ("reactions", "cards_played", "transmutes_tried", "transmutes_made", "boil_overs", "forced_plays")
        self.row: Row = dict.fromkeys((*counted, "choices"), 0)
        self.row |= {
            "ending": self.end["ending"],
            "ending_task": self.end["task"],
            "lead": self.setup["lead"],
            "sponge_seat": self.setup["sponge_seat"],
            "first_boil_reaction": None,
            "lost_reaction": None,
            "lost_seat": None,
        }
        for seat, policy in enumerate(policies):
            self.row |= {f"policy_{seat}": policy, f"tricks_{seat}": 0, f"slag_{seat}": 0, f"boil_at_{seat + 1}": 0}
            for name in ("discipline", "discipline_declined", "power_used_reaction", "whispered_reaction"):
                self.row[f"{name}_{seat}"] = None

    def read(self) -> Row:
        for event in self.events:
            getattr(self, f"on_{event['type']}")(event)
        return self.row

    def lose(self, reaction: int, seat: int | None) -> None:
        if self.row["lost_reaction"] is None:
            self.row["lost_reaction"], self.row["lost_seat"] = reaction, seat

    def on_setup(self, event: Event) -> None:
        pass

    def on_disciplines(self, event: Event) -> None:
        for seat, (pair, kept) in enumerate(zip(event["offered"], event["kept"], strict=True)):
            self.kept[seat] = kept
            self.fresh[seat] = None if kept in PASSIVES else kept
            self.row[f"discipline_{seat}"] = kept
            given = set(pair) & set(self.setup["mission"].get("given", ()))
            self.row[f"discipline_declined_{seat}"] = next(one for one in pair if one not in (given or {kept}))
            self.row["choices"] += not given

    def on_draft(self, event: Event) -> None:
        self.row["choices"] += max(len(event["claims"]) - 1, 0)
        for place, (owner, name) in enumerate(event["claims"]):
            self.owner[name], self.status[name] = owner, "open"
            self.row |= {f"task_{place}": name, f"task_{place}_owner": owner, f"task_{place}_status": "open"}
            self.row[f"task_{place}_reaction"] = None

    def on_whisper(self, event: Event) -> None:
        self.whispers.append(event)
        self.row[f"whispered_reaction_{event['player']}"] = event["reaction"]

    def on_swap(self, event: Event) -> None:
        self.swaps.append(event)

    def on_reaction(self, event: Event) -> None:
        row, self.last = self.row, event
        row["reactions"] += 1
        row["choices"] += 1 + sum(token and bool(hand) for token, hand in zip(self.tokens, self.hands, strict=True))
        for whisper in self.whispers:
            self.tokens[whisper["player"]] = False
        self.whispers.clear()
        for place, (seat, card, _, powers) in enumerate(event["plays"]):
            self.power(event, seat, powers)
            free = len(legal(self.hands[seat], event["plays"][:place]))
            row["forced_plays"] += free == 1
            row["choices"] += free > 1
            row["cards_played"] += 1
            self.hands[seat].remove(card)
        assert not self.swaps, "a swap by somebody who did not play"
        getattr(self, event["outcome"])(event)
        for seat, tokens in enumerate(event["slag"]):
            assert row[f"slag_{seat}"] == tokens

    def power(self, event: Event, seat: int, powers: list[str]) -> None:
        """Whether the seat was asked for its power, and what it did."""
        fresh = self.fresh[seat]
        fitting = CATALYZE_POWERS if event["intent"] == "catalyze" else TRANSMUTE_POWERS
        owners = {self.owner[name] for name, status in self.status.items() if status == "open"}
        if fresh in fitting or (fresh == SEER and seat in owners and len(owners) > 1):
            self.row["choices"] += 1
        swapped = [swap for swap in self.swaps if swap["player"] == seat]
        for swap in swapped:
            self.owner[swap["gives"]], self.owner[swap["takes"]] = swap["other"], seat
            self.swaps.remove(swap)
        if powers or swapped:
            self.fresh[seat] = None
            self.row[f"power_used_reaction_{seat}"] = event["n"]

    def safe(self, event: Event) -> None:
        self.row[f"tricks_{event['credit']}"] += 1
        if event["credit"] == self.setup["sponge_seat"]:
            self.lose(event["n"], event["credit"])

    def boil_over(self, event: Event) -> None:
        pusher = event["next_leader"]
        place = 1 + [play[0] for play in event["plays"]].index(pusher)
        row = self.row
        row[f"boil_at_{place}"] += 1
        row["boil_overs"] += 1
        row[f"slag_{pusher}"] += 1
        if row["first_boil_reaction"] is None:
            row["first_boil_reaction"] = event["n"]
        if row["boil_overs"] >= self.setup["mission"]["slag_cap"]:
            self.lose(event["n"], pusher)

    def transmuted(self, event: Event) -> None:
        self.row["transmutes_made"] += 1
        for seat, card, _, powers in event["plays"]:
            self.hands[seat].append(card if "anchor" in powers else turned(card))
        self.fizzled(event)

    def fizzled(self, event: Event) -> None:
        self.row["transmutes_tried"] += 1
        if event["leader"] == self.setup["sponge_seat"]:
            self.lose(event["n"], event["leader"])

    def decider(self) -> int | None:
        """Whose card settled the last reaction: the pusher, the highest card of a trick, the last of a Transmute."""
        if self.last is None:
            return None
        return self.last["next_leader"] if self.last["intent"] == "catalyze" else self.last["plays"][-1][0]

    def on_task(self, event: Event) -> None:
        self.status[event["task"]] = event["status"]
        assert self.owner[event["task"]] == event["owner"]
        place = list(self.owner).index(event["task"])
        self.row[f"task_{place}_status"], self.row[f"task_{place}_reaction"] = event["status"], event["reaction"]
        if event["status"] == "impossible":
            self.lose(event["reaction"], event["owner"] if event["reaction"] == 0 else self.decider())

    def on_end(self, event: Event) -> None:
        for place, owner in enumerate(self.owner.values()):
            self.row[f"task_{place}_owner"] = owner
        if event["ending"] == "incomplete":
            self.lose(event["reactions"], self.decider())
        elif event["ending"] in ("extra_goal", "stalled"):
            self.lose(event["reactions"], None)


def row_of(events: list[Event], policies: Sequence[str]) -> Row:
    """The outcome row that a trace tells, with words for numbers and None for what does not exist."""
    return Reading(events, policies).read()


# ---- (a) and (b): every trace flawless, every row what its trace says --------------------------------------


def assert_flawless(encoded: Encoded, first: int, count: int, seed: int = SEED) -> None:
    """The referee finds no fault in `count` games, and each row says what its trace says."""
    rows = readable_rows(encoded, seed, first, count)
    for index, row in enumerate(rows, first):
        events = GAME.trace(encoded, seed, index)
        where = (encoded.facts, encoded.players, encoded.policies, seed, index)
        faults = referee(events)
        assert not faults, (where, faults[:5])
        told = row_of(events, encoded.policies)
        wrong = {name: (row[name], told.get(name, "missing")) for name in row if row[name] != told.get(name, "missing")}
        assert not wrong, (where, wrong)
        assert told.keys() == row.keys(), where


#: Games from 0 in the normal run; a slow run goes on from there.
SHORT, LONG = games(20, 2), 200
RANGES = [pytest.param(0, SHORT, id="short"), pytest.param(SHORT, LONG - SHORT, id="long", marks=pytest.mark.slow)]


@pytest.mark.parametrize(("first", "count"), RANGES)
@pytest.mark.parametrize("mission", sorted(MISSIONS))
def test_logbook_missions_are_flawless(mission: int, first: int, count: int) -> None:
    for players in GAME.players:
        for policy in PLAYERS:
            for disciplines in (True, False):
                encoded = setting(mission, players, policy, f"disciplines={spelled(disciplines)}")
                assert_flawless(encoded, first, count)


#: Each ruling's other values, with a mission in which each matters.
WHERE_IT_MATTERS: dict[str, tuple[int, tuple[str, ...]]] = {
    "boil_over_timing": (4, ()),
    "early_win": (1, ()),
    "after_loss": (4, ()),
    "fizzle_credit": (4, ('task_pool=["T25","T26","T27","T28"]',)),
    "impossible_test": (12, ()),
    "impossible_draft": (5, ('task_pool=["T24","T32","T33","T34","T01","T02","T07"]',)),
    "trick_order": (4, ('task_pool=["T29","T30","T31","T32"]',)),
    "hoarder_takes": (8, ()),
    "task_order": (3, ("tasks=9",)),
    "sponge_is": (11, ()),
}
OTHER_VALUES = [(key, value) for key, values in RULINGS.items() for value in values[1:]]


@pytest.mark.parametrize(("first", "count"), RANGES)
@pytest.mark.parametrize(("key", "value"), OTHER_VALUES)
def test_every_ruling_is_flawless(key: str, value: Any, first: int, count: int) -> None:
    """In the mission where it matters, stopped and played on, and in two more of the logbook by turns."""
    turn = OTHER_VALUES.index((key, value))
    mission, sets = WHERE_IT_MATTERS[key]
    ruling = f"rulings.{key}={spelled(value)}"
    for number, more in [(mission, sets), *((1 + (turn + step) % 12, ()) for step in (0, 6))]:
        for players in GAME.players:
            for policy in PLAYERS:
                assert_flawless(setting(number, players, policy, *more, ruling), first, count)
    if key != "after_loss":
        assert_flawless(setting(mission, 4, "random", *sets, "rulings.after_loss=play_on", ruling), first, count)


@pytest.mark.compiled
@pytest.mark.parametrize(("key", "value"), OTHER_VALUES)
def test_every_ruling_changes_something(key: str, value: Any) -> None:
    """Else the test above would say nothing about it."""
    mission, sets = WHERE_IT_MATTERS[key]
    columns = [
        GAME.simulate(setting(mission, 4, "random", *sets, f"rulings.{key}={spelled(one)}"), SEED, 0, 3000)
        for one in (RULINGS[key][0], value)
    ]
    assert any((columns[0][name] != columns[1][name]).any() for name in columns[0])


ODD_MISSIONS: dict[str, tuple[int, tuple[str, ...]]] = {
    "nine tasks in order, deferred": (
        3,
        ("tasks=9", "slag_cap=9", "rulings.task_order=deferred", "rulings.after_loss=play_on"),
    ),
    "events in order, deferred": (
        3,
        (
            'task_pool=["T19","T23","T25","T26","T27","T32","T37","T38","T39","T40"]',
            "tasks=10",
            "slag_cap=20",
            "limit=20",
            "rulings.task_order=deferred",
            "rulings.after_loss=play_on",
        ),
    ),
    "events in order, strict": (
        3,
        ('task_pool=["T06","T23","T25","T26","T27","T37","T40"]', "tasks=7", "rulings.after_loss=play_on"),
    ),
    "a small pool, redrawn": (
        5,
        ('task_pool=["T24","T32","T33","T34","T01","T36"]', "tasks=4", "rulings.impossible_draft=redraw"),
    ),
    "a pool of one": (6, ('task_pool=["T23"]', "tasks=1", "rulings.impossible_draft=redraw")),
    "few reactions": (4, ("max_reactions=3",)),
    "one reaction": (2, ("max_reactions=1", "tasks=0")),
    "no tasks": (1, ("tasks=0", "rulings.early_win=true")),
    "Catalysts count 7": (8, ("catalyst_value=7",)),
    "Catalysts count nothing": (7, ("catalyst_value=0",)),
    "Catalysts count much": (10, ("catalyst_value=30",)),
    "all forty tasks": (8, ("tasks=40", "rulings.after_loss=play_on", "slag_cap=58")),
    "all forty tasks in order": (3, ("tasks=40", "rulings.after_loss=play_on", "rulings.task_order=deferred")),
    "slag cap 1": (4, ("slag_cap=1", "rulings.after_loss=play_on")),
    "every Transmute succeeds": (8, ("target=0", "slag_cap=58", "rulings.after_loss=play_on")),
    "every Transmute fizzles": (8, ("target=99", "slag_cap=58", "rulings.after_loss=play_on")),
    "nothing is safe": (4, ("limit=1", "slag_cap=58", "rulings.after_loss=play_on")),
    "the limit needs a Stabilizer": (4, ("limit=19", 'task_pool=["T23","T24","T32"]', "rulings.after_loss=play_on")),
    "two disciplines given": (8, ('given=["stabilizer", "seer"]', "rulings.after_loss=play_on")),
    "one of two given is blank": (4, ('given=["void-weaver", "purifier"]', 'blank=["void-weaver"]')),
    "every other value": (11, tuple(f"rulings.{key}={spelled(values[1])}" for key, values in RULINGS.items())),
    "every other value, in order": (
        3,
        ("tasks=8", "slag_cap=6", *(f"rulings.{key}={spelled(values[1])}" for key, values in RULINGS.items())),
    ),
    "everything at once": (
        12,
        (
            "sponge=true",
            "ordered_tasks=true",
            "needs_22_and_18=true",
            "needs_transmute=true",
            "slag_cap=5",
            "catalyst_value=10",
            "rulings.sponge_is=any",
            "rulings.after_loss=play_on",
            "rulings.boil_over_timing=end_of_reaction",
        ),
    ),
}


@pytest.mark.parametrize(("first", "count"), [pytest.param(0, games(10, 1), id="short"), RANGES[1]])
@pytest.mark.parametrize("name", ODD_MISSIONS)
def test_odd_missions_are_flawless(name: str, first: int, count: int) -> None:
    mission, sets = ODD_MISSIONS[name]
    for players in GAME.players:
        for policy in PLAYERS:
            assert_flawless(setting(mission, players, policy, *sets), first, count)


@pytest.mark.parametrize(("first", "count"), RANGES)
@pytest.mark.parametrize("players", GAME.players)
def test_mixed_seats_are_flawless(players: int, first: int, count: int) -> None:
    for mission in (3, 4, 8, 11):
        for turn in range(2):
            policies = [PLAYERS[(seat + turn) % len(PLAYERS)] for seat in range(players)]
            assert_flawless(setting(mission, players, policies, "rulings.after_loss=play_on"), first, count)


@pytest.mark.parametrize(("first", "count"), [pytest.param(0, games(300, 20), id="short"), RANGES[1]])
def test_rulings_mixed_at_random_are_flawless(first: int, count: int) -> None:
    """One game each of settings drawn at random, so that rare rules meet."""
    rng = random.Random(SEED + first)
    for _ in range(count):
        sets = [f"rulings.{key}={spelled(rng.choice(values))}" for key, values in RULINGS.items()]
        sets += [f"slag_cap={rng.choice((1, 2, 3, 6, 30))}", f"limit={rng.choice((14, 18, 19, 20, 22, 25, 30))}"]
        sets += [f"target={rng.choice((10, 14, 18, 20))}", f"tasks={rng.randint(1, 10)}"]
        sets += [f"ordered_tasks={spelled(rng.random() < 0.5)}", f"sponge={spelled(rng.random() < 0.3)}"]
        players = rng.choice(GAME.players)
        policies = [rng.choice(PLAYERS) for _ in range(players)]
        encoded = setting(rng.randint(1, 12), players, policies, *sets)
        assert_flawless(encoded, rng.randrange(10**6), 1, seed=rng.randrange(2**63))


def test_extreme_seeds_and_game_numbers() -> None:
    encoded = setting(4, 4, "random")
    for seed in (0, 1, 2**63 - 1, 2**64 - 1):
        assert_flawless(encoded, 0, 2, seed)
        assert_flawless(encoded, 10**12, 2, seed)


def test_a_game_does_not_depend_on_the_games_before_it() -> None:
    """Nothing of a mission is left on the table for the next."""
    for mission, sets in [(4, ()), *ODD_MISSIONS.values()]:
        encoded = setting(mission, 4, "random", *sets)
        together = readable_rows(encoded, SEED, 0, games(40, 4))
        assert [readable_rows(encoded, SEED, index, 1)[0] for index in range(len(together))] == together


@pytest.fixture
def everybody(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable], None]:
    """Seat a policy of the test's own at every seat."""

    def seat(function: Callable) -> None:
        declared = POLICIES.declare(function)
        monkeypatch.setattr(simulate, "policy", lambda _: declared)

    return seat


@pytest.mark.compiled
def test_long_logs_are_read_in_windows(everybody: Callable[[Callable], None]) -> None:
    """Transmutes without end: the log is longer than the kernel's window, and the mission stalls."""

    def turn_for_ever(view: Any) -> int:
        if view.ask == Ask.CARD:
            return lowest(view.legal)
        if view.ask == Ask.CLAIM:
            return lowest(view.unclaimed)
        if view.ask == Ask.INTENT:
            return Intent.TRANSMUTE
        return 0 if view.ask == Ask.KEEP or view.ask == Ask.POWER else -1

    everybody(turn_for_ever)
    encoded = setting(4, 5, "random", "target=0", "max_reactions=700", "rulings.after_loss=play_on")
    assert len(simulate.record(encoded, SEED, 0)[2]) > 2 * LOG_ROWS
    assert_flawless(encoded, 0, 1)
    assert readable_rows(encoded, SEED, 0, 1)[0]["transmutes_made"] == 700


def test_an_answer_against_the_rules_is_an_error(everybody: Callable[[Callable], None]) -> None:
    def cheat(view: Any) -> int:
        return 57 if view.ask == Ask.CARD else 0  # everybody plays Catalyst 4

    everybody(cheat)
    with pytest.raises(PolicyFault, match=r'policy "random".*broke the rules in game 7'):
        GAME.simulate(setting(4, 4, "random", "tasks=0", "whispers=false"), SEED, 7, 3)


# ---- (c): faults in the kernel's own traces are caught -----------------------------------------------------


def legal_traces(kind: str) -> Iterator[list[Event]]:
    """Traces of the kernel in which a fault of this kind finds a place, sooner or later."""
    rng = random.Random(kind)
    while True:
        mission, sets = rng.choice([(rng.randint(1, 12), ()), *ODD_MISSIONS.values()])
        sets = (*sets, f"rulings.trick_order={rng.choice(RULINGS['trick_order'])}")
        if kind == "redraw_forgotten":
            mission, sets = 5, ("rulings.impossible_draft=redraw",)
        elif kind == "forbidden_whisper":
            mission, sets = 9, ()
        elif kind.startswith(("swap", "anchor", "hoarder")):
            mission, sets = 8, ("slag_cap=6", "tasks=6", "rulings.after_loss=play_on")
        players = rng.choice(GAME.players)
        encoded = setting(mission, players, [rng.choice(PLAYERS) for _ in range(players)], *sets)
        for _ in range(5):
            yield GAME.trace(encoded, SEED, rng.randrange(10**6))


@pytest.mark.compiled
@pytest.mark.parametrize("kind", sorted(FAULTS))
def test_a_fault_in_a_kernel_trace_is_caught(kind: str) -> None:
    assert_named(kind, FAULTS[kind], NAMED_BY[kind], legal_traces(kind), referee)


@pytest.mark.parametrize("name", ["forced_plays", "cards_played", "task_0_status", "lost_reaction", "choices"])
def test_a_wrong_column_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel whose column is off by one in one game of twenty does not pass."""
    encoded = setting(4, 4, "random", "rulings.after_loss=play_on")
    right = GAME.simulate(encoded, SEED, 0, SHORT)

    class Wrong:
        trace = staticmethod(GAME.trace)

        @staticmethod
        def simulate(*_: Any) -> dict[str, Any]:
            return right

    right[name] = right[name].copy()
    right[name][SHORT - 1] += 1 if right[name][SHORT - 1] == 0 else -1
    monkeypatch.setattr(f"{__name__}.GAME", Wrong)
    with pytest.raises(AssertionError, match=name):
        assert_flawless(encoded, 0, SHORT)
