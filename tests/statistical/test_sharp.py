"""`impossible_test = sharp` proves nothing that some play of the cards could refute: all play of small positions.

Positions come from late in the kernel's missions. A solver in plain Python, written from the rule page alone, tries
every intent, card and power from there on, whatever has been lost; then each of the 40 tasks in each player's hands is
asked: if `sharp` calls it impossible, no continuation may complete it.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from alchemy_sim.core.jit import array_of, kernel, record_type, types
from alchemy_sim.games.crucible.disciplines import Discipline
from alchemy_sim.games.crucible.game import GAME
from alchemy_sim.games.crucible.names import TASKS
from alchemy_sim.games.crucible.sharp import provably_impossible
from alchemy_sim.games.crucible.table import VIEW, view_of
from alchemy_sim.games.crucible.tasks import FAMILY, PARAMETER, Family
from tests.conftest import games
from tests.oracle.crucible_notation import BOUND_TASKS, CATALYZE_POWERS, SUITS, TRANSMUTE_POWERS
from tests.oracle.crucible_referee import Halt, Referee
from tests.oracle.crucible_tasks_oracle import Position, happenings, hopeless, slag_of, won
from tests.oracle.test_crucible_kernel import Event, setting

SEED = 4_711
NAMES = [task.id for task in TASKS]
EVENTS = sorted(BOUND_TASKS - {"T06"})
Hands = tuple[tuple[str, ...], ...]


# ---- a solver of small positions ---------------------------------------------------------------------------


def turned(card: str) -> str:
    return card if card[0] == "C" else f"{SUITS[5 - SUITS.index(card[0])]}{10 - int(card[1])}"


class Play(NamedTuple):
    seat: int
    card: str
    value: int
    power: str | None


class State(NamedTuple):
    """All that the rest of a mission depends on, and what the counting tasks look at."""

    hands: Hands
    leader: int
    fresh: tuple[str | None, ...]
    pending: bool  # the last reaction was a Boil Over
    tricks: tuple[int, ...]
    slag: tuple[int, ...]  # more than two are as bad as two


class TooLarge(Exception):
    """More states than a test has time for."""


@dataclass
class Solver:
    """Every continuation of a position: which events happen to whom, and what the counts can be at the end."""

    mission: dict[str, Any]
    rulings: dict[str, Any]
    kept: list[str | None]
    most: int = 6_000
    events: set[tuple[str, int]] = field(default_factory=set)
    ends: set[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=set)

    def solve(self, start: State) -> None:
        seen, todo = {start}, [start]
        while todo:
            state = todo.pop()
            if not any(state.hands):
                self.ends.add((state.tricks, state.slag))
                continue
            for after in self.reactions(state):
                if after not in seen:
                    if len(seen) >= self.most:
                        raise TooLarge
                    seen.add(after)
                    todo.append(after)

    def reactions(self, state: State) -> Iterator[State]:
        players = len(state.hands)
        order = [(state.leader + step) % players for step in range(players)]
        order = [seat for seat in order if state.hands[seat]]
        for intent in ("catalyze", "transmute"):
            for plays in self.plays(state, order, intent, ()):
                yield self.outcome(state, intent, plays)

    def plays(self, state: State, order: list[int], intent: str, plays: tuple[Play, ...]) -> Iterator[tuple[Play, ...]]:
        over = intent == "catalyze" and self.pusher(plays) is not None
        if len(plays) == len(order) or (over and self.rulings["boil_over_timing"] == "immediate"):
            yield plays
            return
        seat = order[len(plays)]
        hand = set(state.hands[seat])
        follow = {card for card in hand if plays and card[0] == plays[0].card[0]}
        powers: list[str | None] = [None]
        if state.fresh[seat] in (CATALYZE_POWERS if intent == "catalyze" else TRANSMUTE_POWERS):
            powers.append(state.fresh[seat])
        for card in sorted(follow or hand):
            for power in powers:
                yield from self.plays(
                    state, order, intent, (*plays, Play(seat, card, self.value(seat, card, power), power))
                )

    def value(self, seat: int, card: str, power: str | None) -> int:
        if card[0] == "C" and self.kept[seat] == "void-weaver":
            return 0
        if card[0] == "C" and self.mission["catalyst_value"] is not None:
            return int(self.mission["catalyst_value"])
        return 0 if card[0] == "B" and power == "pyromancer" else int(card[1])

    def pusher(self, plays: tuple[Play, ...]) -> int | None:
        total, limit = 0, self.mission["limit"]
        for play in plays:
            limit += {"stabilizer": 3, "purifier": 10_000}.get(play.power or "", 0)
            total += play.value
            if total > limit:
                return play.seat
        return None

    def highest(self, plays: tuple[Play, ...]) -> Play:
        """Crucible 3, highest card."""
        able = [play for play in plays if play.card[0] == "C" and self.kept[play.seat] != "void-weaver"]
        able = able or [play for play in plays if play.card[0] == plays[0].card[0] != "C"]
        if able:
            return max(able, key=lambda play: play.card[1])
        others = [play for play in plays if self.kept[play.seat] != "void-weaver"]
        return max(others, key=lambda play: play.value) if others else plays[0]

    def outcome(self, state: State, intent: str, plays: tuple[Play, ...]) -> State:
        hands = [list(hand) for hand in state.hands]
        fresh, tricks, slag = list(state.fresh), list(state.tricks), list(state.slag)
        for play in plays:
            hands[play.seat].remove(play.card)
            if play.power:
                fresh[play.seat] = None
        total = sum(play.value for play in plays)
        leader = self.highest(plays).seat
        pusher = self.pusher(plays) if intent == "catalyze" else None
        if pusher is not None:
            slag[pusher] = min(slag[pusher] + 1, 2)
            leader = pusher
        elif intent == "catalyze":
            self.trick(state, plays, leader, total, tricks)
        else:
            self.transmute(plays, total, hands)
        ready = tuple(tuple(sorted(hand)) for hand in hands)
        return State(ready, leader, tuple(fresh), pusher is not None, tuple(tricks), tuple(slag))

    def trick(self, state: State, plays: tuple[Play, ...], winner: int, total: int, tricks: list[int]) -> None:
        pile = next((play.seat for play in plays if play.power == "hoarder"), winner)
        credit = pile if self.rulings["hoarder_takes"] == "trick" else winner
        cards = [play.card for play in plays]
        for card in cards:
            if card[0] == "C":
                self.events.add(("T21", pile))
                continue
            self.events.add((f"T{7 + 'BQSMAL'.index(card[0]):02d}", pile))
            if card[1] in "19":
                self.events.add(("T19" if card[1] == "9" else "T20", pile))
        letters = Counter(card[0] for card in cards)
        done = {
            "T23": total == 22,
            "T29": self.rulings["trick_order"] == "tricks" and not any(state.tricks),
            "T32": state.pending,
            "T37": letters["M"] >= 2,
            "T38": max(letters.values()) >= 3,
            "T39": letters["C"] >= 2,
            "T40": all(card[1] <= "5" for card in cards),
        }
        self.events |= {(name, credit) for name, true in done.items() if true}
        tricks[credit] += 1

    def transmute(self, plays: tuple[Play, ...], total: int, hands: list[list[str]]) -> None:
        powers = [play.power for play in plays]
        values = [play.value for play in plays]
        if total >= self.mission["target"] - 5 * powers.count("metallurgist") or "transmuter" in powers:
            for play in plays:
                hands[play.seat].append(play.card if play.power == "anchor" else turned(play.card))
                self.events |= {("T25", play.seat)} if play.value == max(values) else set()
                self.events |= {("T26", play.seat)} if play.value == min(values) else set()
        else:
            credited = plays[-1:] if self.rulings["fizzle_credit"] == "last" else plays
            self.events |= {("T27", play.seat) for play in credited}

    def can_complete(self, name: str, owner: int, lead: int) -> bool:
        """Whether some continuation completes the task, if it was not complete before; any but T28, T30 and T31."""
        if name in EVENTS:
            return (name, owner) in self.events
        return any(self.holds(name, owner, lead, *end) for end in self.ends)

    def holds(self, name: str, me: int, lead: int, tricks: tuple[int, ...], slag: tuple[int, ...]) -> bool:
        mine, number = tricks[me], int(name[1:])
        if number <= 5:
            return mine == number - 1
        return {
            "T06": mine >= 5,
            "T24": slag[me] == 1,
            "T33": mine > tricks[lead],
            "T34": mine < tricks[lead],
            "T35": all(mine > other for seat, other in enumerate(tricks) if seat != me),
            "T36": mine == tricks[(me + 1) % len(tricks)],
        }[name]


# ---- positions ---------------------------------------------------------------------------------------------

_VIEW = record_type(VIEW)


@kernel(types.void(_VIEW, array_of(types.int64, 2)))
def ask_sharp(view: Any, proven: Any) -> None:
    """What `sharp` says of every task in every hands: shape (40, players)."""
    for task in range(proven.shape[0]):
        for owner in range(proven.shape[1]):
            proven[task, owner] = provably_impossible(view, task, owner)


@dataclass
class Case:
    """A position rebuilt from a trace that was cut off after a reaction, and what is claimed about it."""

    mission: dict[str, Any]
    kept: list[str | None]
    position: Position
    next_leader: int
    rules: np.ndarray

    def done(self, name: str, player: int) -> bool:
        return name in BOUND_TASKS and bool(happenings(self.position, name, player))

    def view(self) -> Any:
        """The kernel's record of the position, as far as `sharp` reads it."""
        view, position = view_of(self.rules), self.position
        slugs = [each.name.lower().replace("_", "-") for each in Discipline]
        view.lead = position.lead
        for player in range(position.players):
            view.cards_left[player] = len(position.hands[player])
            view.tricks[player] = won(position, player)
            view.slag[player] = slag_of(position, player)
            view.discipline[player] = slugs.index(self.kept[player]) if self.kept[player] else -1
            view.power_spent[player] = position.unspent[player] is None
            view.deeds[player] = sum(
                1 << int(PARAMETER[NAMES.index(name)]) for name in EVENTS if self.done(name, player)
            )
        return view

    def proven(self, wrong: Callable[[Any], None] | None = None) -> set[tuple[str, int]]:
        """The tasks that `sharp` calls impossible, by owner; `wrong` may falsify what it is told."""
        found = np.zeros((len(NAMES), self.position.players), np.int64)
        view = self.view()
        if wrong:
            wrong(view)
        ask_sharp(view, found)
        return {(NAMES[task], int(owner)) for task, owner in np.argwhere(found)}

    def beyond(self, proven: set[tuple[str, int]]) -> set[tuple[str, int]]:
        """Those that the table leaves open and that are not complete yet."""
        return {
            (name, owner)
            for name, owner in proven
            if not self.done(name, owner) and not hopeless(self.position, name, owner)
        }

    def solved(self, most: int = 6_000) -> Solver:
        position = self.position
        solver = Solver(self.mission, position.rulings, self.kept, most)
        players = range(position.players)
        tricks = tuple(won(position, player) for player in players)
        slag = tuple(min(slag_of(position, player), 2) for player in players)
        hands = tuple(tuple(sorted(hand)) for hand in position.hands)
        pending = position.past[-1].outcome == "boil_over"
        solver.solve(State(hands, self.next_leader, tuple(position.unspent), pending, tricks, slag))
        return solver


class Replay(Referee):
    """The referee as a reader of traces: it moves the cards and judges nothing (other tests let it judge)."""

    def conserve(self) -> None:
        pass

    def judge_draft(self) -> None:
        self.take_all("task")

    def judge_reaction(self, n: int) -> None:
        self.take_all("task")


def cut(events: list[Event], place: int, rules: np.ndarray) -> Case:
    """The position after the reaction that stands at `place` of a trace."""
    referee = Replay(events[: place + 1], None)
    with contextlib.suppress(Halt):
        referee.replay()
    return Case(referee.mission, referee.kept, referee.position, events[place]["next_leader"], rules)


def missions(rng: random.Random, tasks: tuple[int, ...] = (4, 8)) -> Iterator[tuple[list[Event], np.ndarray]]:
    """Traces of missions played out, with all kinds of rulings."""
    for index in range(10**6):
        rulings = {
            "boil_over_timing": rng.choice(("immediate", "immediate", "end_of_reaction")),
            "fizzle_credit": rng.choice(("all", "last")),
            "hoarder_takes": rng.choice(("cards", "trick")),
            "trick_order": rng.choice(("tricks", "reactions")),
            "after_loss": "play_on",
            "impossible_test": "sharp",
        }
        sets = [f"rulings.{key}={value}" for key, value in rulings.items()]
        sets += [f"limit={rng.choice((12, 18, 22, 22))}", f"target={rng.choice((8, 14, 18))}", "slag_cap=58"]
        sets += [f"disciplines={str(rng.random() < 0.6).lower()}", "whispers=false", f"tasks={rng.choice(tasks)}"]
        sets += ["max_reactions=1000", *(["catalyst_value=10"] if rng.random() < 0.2 else [])]
        encoded = setting(8, 3, "random", *sets)
        yield GAME.trace(encoded, SEED, index), encoded.rules


def cases(rng: random.Random, seer: bool = False) -> Iterator[Case]:
    """Positions with few cards, one of each mission; with hands of several sizes where there are any.

    With `seer` only missions with a Seer, who never swaps: there is one task, so nobody to swap with.
    """
    for events, rules in missions(rng, (1,)) if seer else missions(rng):
        if seer and "seer" not in events[1]["kept"]:
            continue
        hands = [len(hand) for hand in events[0]["hands"]]
        places: dict[bool, list[int]] = {True: [], False: []}
        for place, event in enumerate(events):
            if event["type"] != "reaction":
                continue
            for play in event["plays"]:
                hands[play[0]] -= event["outcome"] != "transmuted"
            most = 3 if events[0]["mission"]["disciplines"] else 4
            if 1 <= sum(hands) <= 7 and max(hands) <= most:
                places[max(hands) > min(hands)].append(place)
        if places[True] or places[False]:
            yield cut(events, rng.choice(places[True] or places[False]), rules)


@cache
def studied() -> list[tuple[Case, Solver]]:
    """Positions solved: those in which `sharp` proves something beyond the table, and nobody's Seer waits."""
    rng = random.Random(SEED)
    found: list[tuple[Case, Solver]] = []
    claims = 0
    for case in cases(rng):
        extra = case.beyond(case.proven())
        seer = any(
            power == "seer" and hand for power, hand in zip(case.position.unspent, case.position.hands, strict=True)
        )
        if not extra or seer:
            continue
        try:
            found.append((case, case.solved()))
        except TooLarge:
            continue
        claims += len(extra)
        if claims >= games(2_500, 100):
            break
    return found


# ---- tests -------------------------------------------------------------------------------------------------


def refuted(wrong: Callable[[Any], None] | None = None) -> tuple[Counter[str], Counter[str]]:
    """Claims beyond the table by task, and those of them that some continuation refutes."""
    claims: Counter[str] = Counter()
    false: Counter[str] = Counter()
    for case, solver in studied():
        for name, owner in case.beyond(case.proven(wrong)):
            claims[name] += 1
            false[name] += solver.can_complete(name, owner, case.position.lead)
    return claims, +false


def families(claims: Counter[str]) -> set[Family]:
    return {Family(int(FAMILY[NAMES.index(name)])) for name in claims}


PROVEN_FAMILIES = {
    Family.DEED,
    Family.TRICKS,
    Family.TRICKS_PLUS,
    Family.ONE_BOIL,
    Family.MORE,
    Family.FEWER,
    Family.MOST,
    Family.SAME,
}


def test_no_play_of_the_cards_refutes_sharp() -> None:
    claims, false = refuted()
    assert not false
    assert sum(claims.values()) >= games(2_500, 100)
    assert families(claims) == PROVEN_FAMILIES or games(0, 1)
    # every event but those that the table already knows (a hand without cards), and two that come up once in a
    # thousand claims or less, is claimed impossible somewhere
    assert set(EVENTS) - set(claims) <= {"T25", "T26", "T27", "T23", "T29"} or games(0, 1)


def fewer_cards(view: Any) -> None:
    """As if everybody held one card less."""
    for seat in range(int(view.players)):
        view.cards_left[seat] = max(int(view.cards_left[seat]) - 1, 0)


def more_tricks(view: Any) -> None:
    """As if everybody but the Lead had won a trick more, and the Lead two."""
    for seat in range(int(view.players)):
        view.tricks[seat] += 1 + (seat == view.lead)


@pytest.mark.compiled
def test_a_wrong_proof_is_refuted() -> None:
    """Told of fewer cards, or more tricks, `sharp` claims too much, and the solver finds it in each family."""
    _, false = refuted(fewer_cards)
    assert families(false) == PROVEN_FAMILIES
    assert {"T37", "T38"} <= set(false)
    _, false = refuted(more_tricks)
    assert {Family.MORE, Family.MOST} & families(false)


def seer_has_swapped(view: Any) -> None:
    """As if no power waited."""
    for seat in range(int(view.players)):
        view.power_spent[seat] = 1


def test_a_waiting_seer_is_reckoned_with() -> None:
    """A swapped task looks at its new owner's whole record (Crucible 7), so a done deed may complete it after a swap.

    The Seer exchanges a task of its own with one of another player, on its turn. Told that the swap is over, `sharp`
    must claim too much, which shows that such positions are among those tried.
    """
    rng = random.Random(SEED + 1)
    waiting = 0
    wrong: dict[str, list[tuple[str, int, int, Hands]]] = {"told": [], "misled": []}
    for case in cases(rng, seer=True):
        position = case.position
        seers = [seat for seat in range(3) if position.unspent[seat] == "seer" and position.hands[seat]]
        if not seers:
            continue
        waiting += 1
        for which, lie in (("told", None), ("misled", seer_has_swapped)):
            for name, owner in case.beyond(case.proven(lie)):
                assert name in EVENTS or lie, "a count may come true for another owner"
                for other in {0, 1, 2} - {owner}:
                    if seers[0] in (owner, other) and case.done(name, other):
                        wrong[which].append((name, owner, other, tuple(map(tuple, position.hands))))
        if waiting >= games(300, 4):
            break
    assert not wrong["told"], f"tasks called impossible that a swap completes, such as {wrong['told'][:2]}"
    assert wrong["misled"] or games(0, 1)


def test_the_kernel_judges_as_its_proofs_say() -> None:
    """In traces under `sharp` a task becomes impossible exactly when the table or a proof says so of the position."""
    rng = random.Random(SEED + 2)
    extra = 0
    for number, (events, rules) in enumerate(missions(rng)):
        places = [place for place, event in enumerate(events) if event["type"] == "reaction"]
        for place in places[-8:-1]:
            case = cut(events, place, rules)
            proven = case.proven()
            told: dict[str, tuple[int, str]] = {}
            for event in events[place + 1 :]:
                if event["type"] != "task":
                    break
                told[event["task"]] = event["owner"], event["status"]
            for name, owner in open_tasks(events, place):
                table = hopeless(case.position, name, owner) and not case.done(name, owner)
                if told.get(name, (owner, "open"))[1] != "complete":
                    claimed = table or (name, owner) in proven
                    assert (told.get(name) == (owner, "impossible")) == claimed, (number, name, owner)
                    extra += claimed and not table
        if number >= games(150, 4):
            break
    assert extra > games(20, -1)


def open_tasks(events: list[Event], place: int) -> list[tuple[str, int]]:
    """The tasks that were open when a reaction began to be judged, with their owners then."""
    owners: dict[str, int] = {}
    for event in events[: place + 1]:
        if event["type"] == "draft":
            owners = {name: owner for owner, name in event["claims"]}
        elif event["type"] == "swap":
            owners[event["gives"]], owners[event["takes"]] = event["other"], event["player"]
        elif event["type"] == "task":
            owners.pop(event["task"], None)
    return list(owners.items())
