"""Legal traces by "The random player" (Crucible 8), to try the referee on and to compare frequencies with.

Written apart from the referee: cards are numbers here, and instead of a history each player has a record that
is brought up to date after every reaction. The two share only the names in crucible_notation.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.crucible_notation import (
    BOUND_TASKS,
    CATALYZE_POWERS,
    DEFAULT_RULINGS,
    DISCIPLINES,
    MISSIONS,
    MOMENTARY_TASKS,
    SEER,
    SUIT_TASK_ORDER,
    SUITS,
    TASKS,
    TRANSMUTE_POWERS,
)

Event = dict[str, Any]

# Faces are 0..53 (suit f // 9, rank f % 9 + 1), Catalysts 54..57 (suit 6).
SUIT = [face // 9 for face in range(54)] + [6] * 4
RANK = [face % 9 + 1 for face in range(54)] + [1, 2, 3, 4]
NAME = [f"{(SUITS + 'C')[SUIT[card]]}{RANK[card]}" for card in range(58)]
FLIPPED = [53 - face for face in range(54)] + [54, 55, 56, 57]
SOME_OF_SUIT = [f"T{7 + SUIT_TASK_ORDER.index(suit):02d}" for suit in SUITS] + ["T21"]
# What winning each card puts into a record: its suit's task, and T19 or T20.
SHOWN_BY = [
    [SOME_OF_SUIT[SUIT[card]]]
    + (["T19"] if card < 54 and RANK[card] == 9 else [])
    + (["T20"] if card < 54 and RANK[card] == 1 else [])
    for card in range(58)
]
PAIR = [min(SUIT[card], 5 - SUIT[card]) if card < 54 else 6 for card in range(58)]
FORBIDS = {f"T{13 + i:02d}": f"T{7 + i:02d}" for i in range(6)} | {"T22": "T21"}
PAIR_OF_SUIT = {suit: min(i, 5 - i) for i, suit in enumerate(SUITS)}
PAIR_OF_TASK = {f"T{7 + i:02d}": PAIR_OF_SUIT[suit] for i, suit in enumerate(SUIT_TASK_ORDER)}
MANDRAKE = SUITS.index("M")


@dataclass
class Drafted:
    """One drafted task."""

    name: str
    owner: int
    status: str = "open"
    done_in: int = 0


@dataclass
class Record:
    """What one player has done; `last` holds the last reaction in which each event happened."""

    tricks: int = 0
    slag: int = 0
    led_transmutes: int = 0
    last: dict[str, int] = field(default_factory=dict)


def generate(
    players: int,
    mission: dict[str, Any],
    rulings: dict[str, Any],
    seed: int,
    task_pool: list[str] | None = None,
) -> list[Event]:
    """One mission's trace. Keys missing in `mission` are those of mission 1, missing rulings the defaults."""
    full = MISSIONS[1] | mission
    if full["max_reactions"] is None:
        full["max_reactions"] = 4 * (58 // players)
    if task_pool is not None:
        full["task_pool"] = list(task_pool)
    return RandomMission(players, full, DEFAULT_RULINGS | rulings, seed).play()


class RandomMission:
    """One mission while it is played."""

    def __init__(self, players: int, mission: dict[str, Any], rulings: dict[str, Any], seed: int) -> None:
        self.rng = random.Random(seed)
        self.seed = seed
        self.players = players
        self.mission = mission
        self.rulings = rulings
        self.trace: list[Event] = []
        self.records = [Record() for _ in range(players)]
        self.kept: list[str] = [""] * players
        self.fresh: list[str] = [""] * players  # the power while it is unspent
        self.tokens = [bool(mission["whispers"])] * players
        self.tasks: list[Drafted] = []
        self.total_slag = 0
        self.after_boil_over = False
        self.firsts: list[int | None] = []  # winners of the first three tricks (or reactions)
        self.latest: int | None = None  # winner of the last trick (or reaction)
        self.by_reactions = rulings["trick_order"] == "reactions"
        self.transmuted = self.exact_22 = self.exact_18 = False
        self.loss: tuple[str, str | None] | None = None

    def pick(self, count: int) -> int:
        return int(self.rng.random() * count)

    # ---- setup ---------------------------------------------------------------------------------------------

    def play(self) -> list[Event]:
        self.deal()
        if self.mission["disciplines"]:
            self.choose_disciplines()
        self.draft()
        self.judge(0, last=False)
        stop = self.rulings["after_loss"] == "stop"
        n, leader = 0, self.lead
        ending = self.loss if self.loss and stop else None
        while ending is None:
            n += 1
            leader = self.next_with_cards(leader)
            self.whisper(n, leader)
            leader, credit, led_transmute = self.react(n, leader)
            ending = self.after(n, credit, led_transmute)
        self.trace.append({"type": "end", "ending": ending[0], "task": ending[1], "reactions": n})
        return self.trace

    def deal(self) -> None:
        deck = list(range(58))
        self.rng.shuffle(deck)
        size = 58 // self.players
        self.hands = [deck[i * size : (i + 1) * size] for i in range(self.players)]
        left_over = deck[size * self.players :]
        top = max(card for hand in self.hands for card in hand)  # Catalysts have the highest numbers
        self.lead = next(p for p in range(self.players) if top in self.hands[p])
        self.sponge = None
        if self.mission["sponge"]:
            choice, everyone = self.rulings["sponge_is"], range(self.players)
            seats = [p for p in everyone if choice == "any" or (p == self.lead) == (choice == "lead")]
            self.sponge = seats[self.pick(len(seats))]
        self.trace.append(
            {
                "type": "setup",
                "game": "crucible",
                "players": self.players,
                "mission": dict(self.mission),
                "sponge_seat": self.sponge,
                "rulings": dict(self.rulings),
                "seed": self.seed,
                "game_index": 0,
                "lead": self.lead,
                "hands": [[NAME[card] for card in hand] for hand in self.hands],
                "left_over": [NAME[card] for card in left_over],
            }
        )

    def choose_disciplines(self) -> None:
        cards = list(DISCIPLINES)
        self.rng.shuffle(cards)
        offered = [[cards[2 * p], cards[2 * p + 1]] for p in range(self.players)]
        self.kept = [pair[self.pick(2)] for pair in offered]
        self.fresh = ["" if one in ("void-weaver", "apprentice") else one for one in self.kept]
        self.trace.append({"type": "disciplines", "offered": offered, "kept": list(self.kept)})

    def draft(self) -> None:
        cards = list(self.mission.get("task_pool") or TASKS)
        self.rng.shuffle(cards)
        count = self.mission["tasks"]
        revealed, rest = cards[:count], cards[count:]
        unclaimed = list(revealed)
        for turn in range(count):
            name = unclaimed.pop(self.pick(len(unclaimed)))
            self.tasks.append(Drafted(name, (self.lead + turn) % self.players))
        redrawn: list[list[str]] = []
        while self.rulings["impossible_draft"] == "redraw" and rest:
            bad = [task for task in self.tasks if self.cannot(task)]
            if not bad:
                break
            for task in bad[: len(rest)]:
                redrawn.append([task.name, rest[0]])
                task.name = rest.pop(0)
        claims = [[task.owner, task.name] for task in self.tasks]
        self.trace.append({"type": "draft", "revealed": revealed, "claims": claims, "redrawn": redrawn})

    # ---- one reaction --------------------------------------------------------------------------------------

    def next_with_cards(self, seat: int) -> int:
        while not self.hands[seat]:
            seat = (seat + 1) % self.players
        return seat

    def whisper(self, n: int, leader: int) -> None:
        for step in range(self.players):
            player = (leader + step) % self.players
            hand = self.hands[player]
            if not self.tokens[player] or not hand or self.rng.random() >= 0.25:
                continue
            self.tokens[player] = False
            highest, lowest = [0] * 7, [99] * 7
            for card in hand:
                highest[SUIT[card]] = max(highest[SUIT[card]], card)
                lowest[SUIT[card]] = min(lowest[SUIT[card]], card)
            able = [card for card in hand if card in (highest[SUIT[card]], lowest[SUIT[card]])]
            card = able[self.pick(len(able))]
            hints = ["top"] if card == highest[SUIT[card]] else []
            hints += ["bottom"] if card == lowest[SUIT[card]] else []
            hints += ["middle"] if len(hints) == 2 else []
            hint = hints[self.pick(len(hints))]
            line = {"type": "whisper", "reaction": n, "player": player, "card": NAME[card], "hint": hint}
            self.trace.append(line)

    def use_power(self, n: int, player: int, intent: str) -> list[str]:
        power = self.fresh[player]
        fitting = CATALYZE_POWERS if intent == "catalyze" else TRANSMUTE_POWERS
        if power == SEER:
            self.maybe_swap(n, player)
        elif power in fitting and self.rng.random() < 0.25:
            self.fresh[player] = ""
            return [power]
        return []

    def maybe_swap(self, n: int, player: int) -> None:
        open_tasks: list[list[Drafted]] = [[] for _ in range(self.players)]
        for task in self.tasks:
            if task.status == "open":
                open_tasks[task.owner].append(task)
        partners = [p for p in range(self.players) if p != player and open_tasks[p]]
        if not open_tasks[player] or not partners or self.rng.random() >= 0.25:
            return
        other = partners[self.pick(len(partners))]
        mine = open_tasks[player][self.pick(len(open_tasks[player]))]
        theirs = open_tasks[other][self.pick(len(open_tasks[other]))]
        mine.owner, theirs.owner = other, player
        self.fresh[player] = ""
        self.trace.append(
            {
                "type": "swap",
                "reaction": n,
                "player": player,
                "gives": mine.name,
                "other": other,
                "takes": theirs.name,
            }
        )

    def react(self, n: int, leader: int) -> tuple[int, int | None, bool]:
        """Who is named to lead next, whose trick it was, and whether the Sponge led a Transmute."""
        intent = "catalyze" if self.rng.random() < 0.5 else "transmute"
        immediate = self.rulings["boil_over_timing"] == "immediate"
        plays: list[list[Any]] = []
        seats, cards, values = [], [], []
        total, limit = 0, self.mission["limit"]
        target, forced, hoarder, pusher = self.mission["target"], False, None, None
        heavy = self.mission["catalyst_value"]
        anchored, lead_suit = -1, -1
        for step in range(self.players):
            player = (leader + step) % self.players
            hand = self.hands[player]
            if not hand:
                continue
            powers = self.use_power(n, player, intent)
            power = powers[0] if powers else ""
            legal = [i for i in range(len(hand)) if SUIT[hand[i]] == lead_suit] or range(len(hand))
            card = hand.pop(legal[self.pick(len(legal))])
            if lead_suit < 0:
                lead_suit = SUIT[card]
            value = RANK[card]
            if card >= 54:
                value = 0 if self.kept[player] == "void-weaver" else value if heavy is None else heavy
            if power == "purifier":
                limit = 10_000
            elif power == "stabilizer":
                limit += 3
            elif power == "pyromancer":
                value = 0 if SUIT[card] == 0 else value
            elif power == "hoarder":
                hoarder = player
            elif power == "metallurgist":
                target -= 5
            elif power == "transmuter":
                forced = True
            elif power == "anchor":
                anchored = player
            total += value
            seats.append(player)
            cards.append(card)
            values.append(value)
            plays.append([player, NAME[card], total, powers])
            if intent == "catalyze" and pusher is None and total > limit:
                pusher = player
                if immediate:
                    break
        highest = self.highest(seats, cards, values)
        credit = None
        if intent == "transmute":
            self.records[leader].led_transmutes += 1
            outcome = "transmuted" if forced or total >= target else "fizzled"
            self.record_transmute(n, outcome, seats, cards, values, total, anchored)
        elif pusher is not None:
            outcome = "boil_over"
            self.records[pusher].slag += 1
            self.total_slag += 1
        else:
            outcome = "safe"
            pile = highest if hoarder is None else hoarder
            credit = pile if self.rulings["hoarder_takes"] == "trick" else highest
            self.record_trick(n, credit, pile, cards, total)
        if self.by_reactions or credit is not None:
            self.latest = credit
            if len(self.firsts) < 3:
                self.firsts.append(credit)
                if len(self.firsts) == 1 and credit is not None:
                    self.records[credit].last["T29"] = n
        self.after_boil_over = outcome == "boil_over"
        next_leader = highest if pusher is None else pusher
        self.trace.append(
            {
                "type": "reaction",
                "n": n,
                "leader": leader,
                "intent": intent,
                "plays": plays,
                "outcome": outcome,
                "total": total,
                "winner": None if outcome == "boil_over" else highest,
                "credit": credit,
                "next_leader": next_leader,
                "slag": [record.slag for record in self.records],
            }
        )
        return next_leader, credit, intent == "transmute" and leader == self.sponge

    def highest(self, seats: list[int], cards: list[int], values: list[int]) -> int:
        best, winner = -1, seats[0]
        for seat, card in zip(seats, cards, strict=True):
            void = self.kept[seat] == "void-weaver"
            if card >= 54:
                strength = -1 if void else 100 + card
            else:
                strength = card if SUIT[card] == SUIT[cards[0]] else -1
            if strength > best:
                best, winner = strength, seat
        if best < 0:  # a Void Weaver led a Catalyst and nobody has a card that can be highest
            for seat, value in zip(seats, values, strict=True):
                if self.kept[seat] != "void-weaver" and value > best:
                    best, winner = value, seat
        return winner

    # ---- records -------------------------------------------------------------------------------------------

    def record_transmute(
        self,
        n: int,
        outcome: str,
        seats: list[int],
        cards: list[int],
        values: list[int],
        total: int,
        anchored: int,
    ) -> None:
        if outcome == "fizzled":
            credited = seats[-1:] if self.rulings["fizzle_credit"] == "last" else seats
            for seat in credited:
                self.records[seat].last["T27"] = n
            return
        self.transmuted = True
        self.exact_18 = self.exact_18 or total == 18
        top, bottom = max(values), min(values)
        for seat, card, value in zip(seats, cards, values, strict=True):
            self.hands[seat].append(card if seat == anchored else FLIPPED[card])
            if value == top:
                self.records[seat].last["T25"] = n
            if value == bottom:
                self.records[seat].last["T26"] = n

    def record_trick(self, n: int, credit: int, pile: int, cards: list[int], total: int) -> None:
        for card in cards:
            for name in SHOWN_BY[card]:
                self.records[pile].last[name] = n
        record = self.records[credit]
        record.tricks += 1
        suits = [SUIT[card] for card in cards]
        happened = {
            "T06": record.tricks >= 5,
            "T23": total == 22,
            "T32": self.after_boil_over,
            "T37": suits.count(MANDRAKE) >= 2,
            "T38": max(map(suits.count, suits)) >= 3,
            "T39": suits.count(6) >= 2,
            "T40": max(RANK[card] for card in cards) <= 5,
        }
        record.last.update({name: n for name, true in happened.items() if true})
        self.exact_22 = self.exact_22 or total == 22

    # ---- judging -------------------------------------------------------------------------------------------

    def after(self, n: int, credit: int | None, led_transmute: bool) -> tuple[str, str | None] | None:
        """The order of judging after a reaction (Crucible 4); the ending once the mission is over."""
        empty = not any(self.hands)
        stop = self.rulings["after_loss"] == "stop"
        lost_now = False
        if self.loss is None:
            if self.total_slag >= self.mission["slag_cap"]:
                self.loss = ("slag", None)
            elif led_transmute or (credit is not None and credit == self.sponge):
                self.loss = ("sponge", None)
            lost_now = self.loss is not None
        if not lost_now or (empty and not stop):
            self.judge(n, last=empty)
        if self.loss and stop:
            return self.loss
        done = all(task.status == "complete" for task in self.tasks)
        extra = (self.transmuted or not self.mission["needs_transmute"]) and (
            (self.exact_22 and self.exact_18) or not self.mission["needs_22_and_18"]
        )
        if empty:
            return self.loss or ("incomplete" if not done else "win" if extra else "extra_goal", None)
        if self.rulings["early_win"] and done and extra and not self.loss:
            return ("win", None)
        if n >= self.mission["max_reactions"]:
            return self.loss or ("stalled", None)
        return None

    def judge(self, n: int, last: bool) -> None:
        blocked, since = False, 0  # by the bound tasks before this one
        for task in self.tasks:
            if task.status == "open":
                status = self.at_the_end(task, blocked, since) if last else self.so_far(task, blocked, since)
                if status != "open":
                    task.status, task.done_in = status, n
                    line = {"type": "task", "reaction": n, "task": task.name, "owner": task.owner}
                    self.trace.append(line | {"status": status})
                    if status == "impossible" and self.loss is None:
                        self.loss = ("impossible", task.name)
            if self.mission["ordered_tasks"] and task.name in BOUND_TASKS:
                blocked = blocked or task.status != "complete"
                since = max(since, task.done_in)

    def happened(self, task: Drafted, since: int) -> bool:
        when = self.records[task.owner].last.get(task.name)
        if when is None:
            return False
        if self.rulings["task_order"] == "deferred" and task.name in MOMENTARY_TASKS:
            return when >= since
        return True

    def so_far(self, task: Drafted, blocked: bool, since: int) -> str:
        if task.name in BOUND_TASKS and self.happened(task, since):
            if not blocked:
                return "complete"
            if self.rulings["task_order"] == "strict":
                return "impossible"
        if task.name == "T31" and len(self.firsts) == 3 and task.owner not in self.firsts:
            return "complete"
        return "impossible" if self.cannot(task) else "open"

    def at_the_end(self, task: Drafted, blocked: bool, since: int) -> str:
        me, records = task.owner, self.records
        tricks = [record.tricks for record in records]
        name, mine = task.name, records[me].tricks
        if name in BOUND_TASKS:
            good = not blocked and self.happened(task, since)
        elif name <= "T05":
            good = mine == int(name[1:]) - 1
        elif name in FORBIDS:
            good = FORBIDS[name] not in records[me].last
        elif name == "T24":
            good = records[me].slag == 1
        elif name == "T28":
            good = records[me].led_transmutes == 1
        elif name == "T30":
            good = self.latest == me
        elif name == "T31":
            good = me not in self.firsts
        elif name == "T33":
            good = mine > tricks[self.lead]
        elif name == "T34":
            good = mine < tricks[self.lead]
        elif name == "T35":
            good = tricks.count(mine) == 1 and mine == max(tricks)
        else:
            good = mine == tricks[(me + 1) % self.players]
        return "complete" if good else "incomplete"

    def cannot(self, task: Drafted) -> bool:
        """The last column of the table (Crucible 5), for a task that is not complete."""
        name, me = task.name, task.owner
        record, hands = self.records[me], self.hands
        if name in FORBIDS:
            return FORBIDS[name] in record.last
        if name in PAIR_OF_TASK:
            pair = PAIR_OF_TASK[name]
            return name not in record.last and all(PAIR[card] != pair for hand in hands for card in hand)
        if name in ("T19", "T20"):
            extremes = [card for hand in hands for card in hand if card < 54 and RANK[card] in (1, 9)]
            return name not in record.last and not extremes
        if name in ("T21", "T39"):
            catalysts = sum(1 for hand in hands for card in hand if card > 53)
            return catalysts < 2 if name == "T39" else catalysts == 0 and name not in record.last
        if name == "T37":
            return sum(1 for hand in hands for card in hand if PAIR[card] == 0) < 2
        if name in ("T25", "T26", "T27"):
            return not hands[me]
        if name == "T28":
            return record.led_transmutes > 1 or (record.led_transmutes == 0 and not hands[me])
        if name in ("T23", "T24", "T29", "T31", "T32"):
            return self.cannot_by_event(name, me)
        if name in ("T30", "T38", "T40"):
            return False
        return self.cannot_by_volume(name, me)

    def cannot_by_event(self, name: str, me: int) -> bool:
        near_cap = self.total_slag >= self.mission["slag_cap"] - 1
        if name == "T23":
            if "purifier" in self.fresh or self.mission["limit"] >= 22:
                return False
            return not ("stabilizer" in self.fresh and self.mission["limit"] >= 19)
        if name == "T24":
            return self.records[me].slag > 1 or (near_cap and not self.records[me].slag)
        if name == "T29":
            return bool(self.firsts) and self.firsts[0] != me
        if name == "T31":
            return me in self.firsts
        return near_cap and not self.after_boil_over

    def cannot_by_volume(self, name: str, me: int) -> bool:
        left = max(map(len, self.hands))
        tricks = [record.tricks for record in self.records]
        mine, lead = tricks[me], tricks[self.lead]
        if name == "T06":
            return left < 5 - mine
        if name <= "T05":
            want = int(name[1:]) - 1
            return not (mine <= want <= mine + left) if want else mine != 0
        if name in ("T33", "T34"):
            behind = lead - mine if name == "T33" else mine - lead
            return me == self.lead or behind >= left
        if name == "T35":
            return max(tricks[:me] + tricks[me + 1 :]) - mine >= left
        return abs(mine - tricks[(me + 1) % self.players]) > left
