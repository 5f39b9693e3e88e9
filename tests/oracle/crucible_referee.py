"""A referee for traces of "The Alchemist's Crucible".

It knows only the rule page and the trace (Crucible 10): it rebuilds the whole mission from the setup line and
names every line that the rules do not allow. It shares no code with the simulation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.oracle.crucible_notation import (
    BOUND_TASKS,
    CATALYST,
    CATALYZE_POWERS,
    DECK,
    DISCIPLINES,
    MISSIONS,
    RULINGS,
    SEER,
    TASKS,
    TRANSMUTE_POWERS,
)
from tests.oracle.crucible_tasks_oracle import (
    PastReaction,
    Position,
    Task,
    certain_before_end,
    hopeless,
    new_status,
    other_face,
    slag_of,
    slag_total,
)

Event = dict[str, Any]
POWERS = CATALYZE_POWERS + TRANSMUTE_POWERS + (SEER,)


def referee(events: list[Event], task_pool: list[str] | None = None) -> list[str]:
    """Every fault in one mission's trace, in the order found; empty when it is flawless.

    `task_pool` limits the task cards (else the setup line's mission key of that name, else all 40).
    """
    judge = Referee(events, task_pool)
    try:
        judge.replay()
    except Halt:
        pass
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, AssertionError) as error:
        judge.fault(judge.where, f"malformed line, {type(error).__name__}: {error}")
    return judge.faults


class Halt(Exception):
    """The trace leaves the rules so far that replaying further would say nothing."""


class Referee:
    """Replays one trace; `where` names the place for messages."""

    position: Position
    sponge_seat: int | None

    def __init__(self, events: list[Event], task_pool: list[str] | None) -> None:
        self.events = events
        self.asked_pool = task_pool
        self.task_pool: list[str] = []
        self.at = 0
        self.where = "setup"
        self.faults: list[str] = []
        self.kept: list[str | None] = []
        self.tasks: list[Task] = []
        self.whispered: set[int] = set()
        self.loss: tuple[str, str | None] | None = None
        self.ending: tuple[str, str | None] | None = None
        # Where the cards are that have left the hands (Crucible 9.5).
        self.score_piles: list[str] = []
        self.slag_pile: list[str] = []
        self.destroyed: list[str] = []

    # ---- reading -------------------------------------------------------------------------------------------

    def fault(self, where: str, text: str) -> None:
        self.faults.append(f"{where}: {text}")

    def say(self, text: str) -> None:
        self.fault(self.where, text)

    def check(self, good: bool, text: str) -> None:
        if not good:
            self.say(text)

    def check_same(self, what: str, found: Any, right: Any) -> None:
        self.check(found == right, f"{what} is {found}, should be {right}")

    def next_type(self) -> str | None:
        return self.events[self.at]["type"] if self.at < len(self.events) else None

    def take(self, kind: str) -> Event:
        """The next line, which has to be of this type."""
        if self.next_type() != kind:
            self.say(f"expected a {kind} line, found {self.next_type()}")
            raise Halt
        self.at += 1
        return self.events[self.at - 1]

    def take_all(self, kind: str) -> list[Event]:
        lines = []
        while self.next_type() == kind:
            lines.append(self.take(kind))
        return lines

    def clockwise(self, start: int) -> list[int]:
        return [(start + i) % self.position.players for i in range(self.position.players)]

    def with_cards(self, start: int) -> list[int]:
        """Crucible 3: players from `start` clockwise; those without cards are skipped."""
        return [player for player in self.clockwise(start) if self.position.hands[player]]

    # ---- the whole mission ---------------------------------------------------------------------------------

    def replay(self) -> None:
        self.setup(self.take("setup"))
        self.disciplines()
        self.where = "draft"
        self.draft(self.take("draft"))
        self.judge_draft()
        named_leader, n = self.position.lead, 0
        while self.ending is None:
            n += 1
            self.where = f"reaction {n}"
            if self.next_type() in ("end", None):
                break
            named_leader = self.reaction(n, named_leader)
            self.conserve()
            self.judge_reaction(n)
        self.end(len(self.position.past))

    # ---- Crucible 2: setup ---------------------------------------------------------------------------------

    def setup(self, line: Event) -> None:
        self.mission, self.rulings = line["mission"], dict(line["rulings"])
        self.check_same("game", line["game"], "crucible")
        for key in MISSIONS[1]:
            self.check(key in self.mission, f"mission key {key} is missing")
        for key, values in RULINGS.items():
            self.check(self.rulings.get(key, "missing") in values, f"ruling {key} is missing or unknown")
            self.rulings.setdefault(key, values[0])
        self.task_pool = self.asked_pool or self.mission.get("task_pool") or TASKS
        players, hands = line["players"], [list(hand) for hand in line["hands"]]
        self.check_deal(players, hands, line["left_over"])
        self.left_over = list(line["left_over"])
        lead = holder_of_highest_catalyst(hands)
        self.check_same("lead", line["lead"], lead)
        self.position = Position(
            players=players,
            lead=lead,
            limit=self.mission["limit"],
            slag_cap=self.mission["slag_cap"],
            ordered=self.mission["ordered_tasks"],
            rulings=self.rulings,
            hands=hands,
            unspent=[None] * players,
        )
        self.max_reactions = self.mission["max_reactions"] or 4 * (len(DECK) // players)
        self.check_sponge(line["sponge_seat"])
        self.kept = [None] * players

    def check_deal(self, players: int, hands: list[list[str]], left_over: list[str]) -> None:
        if players not in (3, 4, 5):
            self.say(f"players is {players}")
            raise Halt
        share = len(DECK) // players
        sizes = [len(hand) for hand in hands]
        self.check(sizes == [share] * players, f"hand sizes are {sizes}, should be {share} each")
        self.check_same("number of cards left over", len(left_over), len(DECK) - share * players)
        dealt = [card for hand in hands for card in hand] + left_over
        self.check(Counter(dealt) == Counter(DECK), "the deal is not a permutation of the deck")
        if len(hands) != players or not set(dealt) <= set(DECK):
            raise Halt

    def check_sponge(self, seat: int | None) -> None:
        """Crucible 8, mission 11."""
        self.sponge_seat = seat
        if not self.mission["sponge"]:
            self.check_same("sponge_seat", seat, None)
            return
        sponge_is, lead = self.rulings["sponge_is"], self.position.lead
        self.check(seat in range(self.position.players), f"sponge_seat {seat} is no player")
        self.check(sponge_is != "lead" or seat == lead, "the Sponge is not the Lead")
        self.check(sponge_is != "not_lead" or seat != lead, "the Sponge is the Lead")

    # ---- Crucible 2 and 7: disciplines ---------------------------------------------------------------------

    def disciplines(self) -> None:
        self.where = "disciplines"
        if not self.mission["disciplines"]:
            for line in self.take_all("disciplines"):
                self.check(not any(line["offered"]) and not any(line["kept"]), "this mission has none")
            return
        line = self.take("disciplines")
        offered, kept = line["offered"], line["kept"]
        dealt = [discipline for pair in offered for discipline in pair]
        self.check(len(set(dealt)) == len(dealt), "the offered disciplines are not distinct")
        self.check(set(dealt) <= set(DISCIPLINES), "an offered discipline is unknown")
        self.check([len(pair) for pair in offered] == [2] * self.position.players, "two are offered to each")
        if len(kept) != self.position.players:
            self.say("one is kept by each")
            raise Halt
        for player, (pair, one) in enumerate(zip(offered, kept, strict=False)):
            given = [name for name in self.mission.get("given", ()) if name in pair]
            if given:  # for experiments: whoever is dealt a given one keeps it, and a blank one does nothing
                wanted = None if given[0] in self.mission.get("blank", ()) else given[0]
                self.check(one == wanted, f"player {player} has {one}, given was {given[0]}")
                continue
            self.check(one in pair, f"player {player} kept {one}, which was not offered")
        self.kept = list(kept)
        self.position.unspent = [one if one in POWERS else None for one in kept]

    def is_void_weaver(self, player: int) -> bool:
        return self.kept[player] == "void-weaver"

    # ---- Crucible 2 and 5: tasks ---------------------------------------------------------------------------

    def draft(self, line: Event) -> None:
        revealed, redrawn = line["revealed"], [tuple(pair) for pair in line["redrawn"]]
        owners = [owner for owner, _ in line["claims"]]
        names = [name for _, name in line["claims"]]
        self.check_same("number of tasks revealed", len(revealed), self.mission["tasks"])
        self.check(len(set(revealed)) == len(revealed), "the revealed tasks are not distinct")
        turns = [(self.position.lead + i) % self.position.players for i in range(len(revealed))]
        self.check(owners == turns, f"claims are by {owners}, should be by {turns}")
        new_cards = [new for _, new in redrawn]
        cards = revealed + new_cards
        self.check(len(set(cards)) == len(cards), "a redrawn card was used before")
        for name in cards:
            self.check(name in self.task_pool, f"{name} is not among this mission's task cards")
        if not set(cards + names) <= set(TASKS):
            raise Halt
        first_claimed = names_before_redraw(names, redrawn)
        self.check(sorted(first_claimed) == sorted(revealed), "the claims are not the revealed tasks")
        self.tasks = [Task(name, owner) for owner, name in zip(owners, names, strict=True)]
        if self.rulings["impossible_draft"] == "lose":
            self.check(not redrawn, "tasks were redrawn, but impossible_draft is lose")
            return
        self.check_redraw(first_claimed, owners, redrawn, names)

    def check_redraw(
        self, first: list[str], owners: list[int], redrawn: list[tuple[str, str]], final: list[str]
    ) -> None:
        """Crucible 5, impossible_draft: redraw. Both readings of "in claim order" are allowed."""
        put_aside = {old for old, _ in redrawn}
        sharp = self.rulings["impossible_test"] == "sharp"

        def impossible(name: str, owner: int) -> bool:
            return hopeless(self.position, name, owner) or (sharp and name in put_aside)

        for name, owner in zip(first, owners, strict=True):
            if name in put_aside:
                self.check(impossible(name, owner), f"{name} was redrawn, but it is not impossible")
        news = [new for _, new in redrawn]
        readings = [redraw(first, owners, news, impossible) for redraw in (redraw_in_rounds, redraw_each)]
        self.check((redrawn, final) in readings, "the tasks redrawn are not the impossible ones in claim order")
        used_up = set(first) | set(news) >= set(self.task_pool)
        for name, owner in zip(final, owners, strict=True):
            still = impossible(name, owner)
            self.check(not still or used_up, f"{name} is impossible from the start and was not redrawn")

    def judge_draft(self) -> None:
        self.judge_tasks(0)
        if self.loss is not None and self.rulings["after_loss"] == "stop":
            self.ending = self.loss

    # ---- Crucible 6: whispers ------------------------------------------------------------------------------

    def whispers(self, n: int, leader: int) -> None:
        order = self.with_cards(leader)
        last_place = -1
        for line in self.take_all("whisper"):
            player, card, hint = line["player"], line["card"], line["hint"]
            self.check_same("the whisper's reaction", line["reaction"], n)
            self.check(self.mission["whispers"], f"player {player} whispered, this mission has no whispers")
            self.check(player not in self.whispered, f"player {player} whispered a second time")
            self.whispered.add(player)
            if player not in order:
                self.say(f"player {player} whispered without cards")
                continue
            place = order.index(player)
            self.check(place >= last_place, f"player {player} whispered out of turn")
            last_place = max(place, last_place)
            hand = self.position.hands[player]
            if card not in hand:
                self.say(f"player {player} whispered {card}, which is not in hand")
                continue
            ranks = [int(other[1]) for other in hand if other[0] == card[0]]
            truth = {
                "top": int(card[1]) == max(ranks),
                "bottom": int(card[1]) == min(ranks),
                "middle": len(set(ranks)) == 1,
            }
            self.check(truth.get(hint, False), f"player {player}'s hint {hint} for {card} is not true")

    # ---- Crucible 7: the Seer ------------------------------------------------------------------------------

    def swaps(self, n: int) -> list[int]:
        """Open tasks only, on one's turn; the players who swapped."""
        lines = self.take_all("swap")
        playing = []
        if self.next_type() == "reaction":
            playing = [play[0] for play in self.events[self.at]["plays"]]
        for line in lines:
            player, other = line["player"], line["other"]
            self.check_same("the swap's reaction", line["reaction"], n)
            self.check(player in playing, f"player {player} swapped tasks without a turn in this reaction")
            self.check(player != other, f"player {player} swapped with themselves")
            self.spend(player, SEER)
            mine = self.open_task(line["gives"], player)
            theirs = self.open_task(line["takes"], other)
            if mine is not None and theirs is not None:
                mine.owner, theirs.owner = other, player
        return [line["player"] for line in lines]

    def open_task(self, name: str, owner: int) -> Task | None:
        for task in self.tasks:
            if task.name == name:
                self.check(task.owner == owner, f"{name} was swapped, but player {owner} does not own it")
                self.check(task.status == "open", f"{name} was swapped, but it is {task.status}")
                return task
        self.say(f"{name} was swapped, but it was not drafted")
        return None

    def spend(self, player: int, power: str) -> None:
        """A power is used once, by the player who kept it."""
        if self.kept[player] != power:
            self.say(f"player {player} used {power} without having it")
        elif self.position.unspent[player] != power:
            self.say(f"player {player} used {power} a second time")
        self.position.unspent[player] = None if self.kept[player] == power else self.position.unspent[player]

    # ---- Crucible 3: a reaction ----------------------------------------------------------------------------

    def reaction(self, n: int, named_leader: int) -> int:
        """Checks one reaction and moves its cards; returns the player the rules name to lead next."""
        order = self.with_cards(named_leader)
        leader = order[0]
        self.whispers(n, leader)
        seers = self.swaps(n)
        line = self.take("reaction")
        self.check_same("the reaction's number", line["n"], n)
        self.check_same("leader", line["leader"], leader)
        self.check(line["intent"] in ("catalyze", "transmute"), f"intent {line['intent']} is unknown")
        now = PastReaction(n, leader, line["intent"], [], [], [], "", 0, None, None, None, None)
        used: list[tuple[int, str]] = []
        for place, (player, card, running, powers) in enumerate(line["plays"]):
            self.check_turn(now, order, place, player)
            self.use_powers(line["intent"], player, powers, used, seers)
            self.play_card(now, player, card, used)
            self.check_same(f"running total after player {player}'s {card}", running, now.total)
            limit = self.limit_in_force(used)
            if now.intent == "catalyze" and limit is not None and now.total > limit and now.pusher is None:
                now.pusher = player
        missing = order[len(now.players) :]
        if missing and not (now.pusher is not None and self.rulings["boil_over_timing"] == "immediate"):
            self.say(f"players {missing} did not play")
        if not now.players:
            raise Halt
        next_leader = self.resolve(now, used)
        self.move_cards(now, used)
        self.position.past.append(now)
        self.compare(line, now, next_leader)
        return next_leader

    def check_turn(self, now: PastReaction, order: list[int], place: int, player: int) -> None:
        right = order[place] if place < len(order) else None
        self.check(player == right, f"player {player} played, it was the turn of {right}")
        if now.pusher is not None and self.rulings["boil_over_timing"] == "immediate":
            self.say(f"player {player} played after the Boil Over")

    def use_powers(
        self, intent: str, player: int, powers: list[str], used: list[tuple[int, str]], seers: list[int]
    ) -> None:
        """Crucible 7: kept, unspent, fitting the intent, one a reaction."""
        fitting = CATALYZE_POWERS if intent == "catalyze" else TRANSMUTE_POWERS
        self.check(len(powers) <= 1, f"player {player} used more than one power")
        for power in powers:
            if power == SEER:  # its swap line is the use
                self.check(player in seers, f"player {player} used seer without a swap")
                continue
            if power not in POWERS:
                self.say(f"player {player} used {power}, which is no power")
                continue
            self.check(power in fitting, f"player {player} used {power}, which does not fit a {intent}")
            self.spend(player, power)
            used.append((player, power))

    def play_card(self, now: PastReaction, player: int, card: str, used: list[tuple[int, str]]) -> None:
        """The card leaves the hand; the lead suit must be followed, Catalysts being a suit of their own."""
        hand = self.position.hands[player]
        if card not in DECK:
            self.say(f"{card} is no card")
            raise Halt
        if now.cards:
            lead_suit = now.cards[0][0]
            held = [other for other in hand if other[0] == lead_suit]
            if held and card[0] != lead_suit:
                self.say(f"player {player} held {held[0]} but did not follow with {card}")
        if card in hand:
            hand.remove(card)
        else:
            self.say(f"player {player} played {card}, which is not in hand")
        value = self.counted_value(player, card, used)
        now.players.append(player)
        now.cards.append(card)
        now.values.append(value)
        now.total += value

    def counted_value(self, player: int, card: str, used: list[tuple[int, str]]) -> int:
        """Crucible 3: the active rank; a Catalyst its printed value, or the mission's."""
        if card[0] == CATALYST:
            if self.is_void_weaver(player):
                return 0
            worth = self.mission["catalyst_value"]
            return int(card[1]) if worth is None else worth
        if card[0] == "B" and (player, "pyromancer") in used:
            return 0
        return int(card[1])

    def limit_in_force(self, used: list[tuple[int, str]]) -> int | None:
        powers = [power for _, power in used]
        if "purifier" in powers:
            return None
        return self.mission["limit"] + 3 * powers.count("stabilizer")

    def resolve(self, now: PastReaction, used: list[tuple[int, str]]) -> int:
        """Outcome, winner and credit; returns who is named to lead next."""
        highest = self.highest_player(now)
        powers = [power for _, power in used]
        if now.intent == "transmute":
            target = self.mission["target"] - 5 * powers.count("metallurgist")
            success = now.total >= target or "transmuter" in powers
            now.outcome = "transmuted" if success else "fizzled"
            now.winner = highest
            return highest
        if now.pusher is not None:
            now.outcome = "boil_over"
            return now.pusher
        now.outcome, now.winner, now.credit, now.pile = "safe", highest, highest, highest
        for player, power in used:
            if power == "hoarder":  # Crucible 7, hoarder_takes
                now.pile = player
                if self.rulings["hoarder_takes"] == "trick":
                    now.credit = player
        return highest

    def highest_player(self, now: PastReaction) -> int:
        """Crucible 3, highest card: Catalysts, then the lead suit; the one played first on a tie."""
        plays = list(zip(now.players, now.cards, now.values, strict=True))
        catalysts = [p for p in plays if p[1][0] == CATALYST and not self.is_void_weaver(p[0])]
        lead_suit = [p for p in plays if p[1][0] == now.cards[0][0] and p[1][0] != CATALYST]
        for eligible in (catalysts, lead_suit):
            if eligible:
                return max(eligible, key=lambda p: int(p[1][1]))[0]
        others = [p for p in plays if not self.is_void_weaver(p[0])]
        return max(others, key=lambda p: p[2])[0] if others else now.leader

    def move_cards(self, now: PastReaction, used: list[tuple[int, str]]) -> None:
        if now.outcome == "transmuted":
            for player, card in zip(now.players, now.cards, strict=True):
                back = card if (player, "anchor") in used else other_face(card)
                self.position.hands[player].append(back)
        elif now.outcome == "fizzled":
            self.destroyed += now.cards
        elif now.outcome == "boil_over":
            self.slag_pile += now.cards
        else:
            self.score_piles += now.cards

    def compare(self, line: Event, now: PastReaction, next_leader: int) -> None:
        slag = [slag_of(self.position, player) for player in range(self.position.players)]
        self.check_same("outcome", line["outcome"], now.outcome)
        self.check_same("total", line["total"], now.total)
        self.check_same("winner", line["winner"], now.winner)
        self.check_same("credit", line["credit"], now.credit)
        self.check_same("next_leader", line["next_leader"], next_leader)
        self.check_same("slag", line["slag"], slag)

    def conserve(self) -> None:
        """Crucible 9.5: every physical card, whatever its face, is in exactly one place."""
        hands = [card for hand in self.position.hands for card in hand]
        everywhere = hands + self.score_piles + self.slag_pile + self.destroyed + self.left_over
        found = Counter(min(card, other_face(card)) for card in everywhere)
        right = Counter(min(card, other_face(card)) for card in DECK)
        self.check(found == right, f"cards are not conserved: {len(everywhere)} cards")

    # ---- Crucible 4: judging -------------------------------------------------------------------------------

    def judge_reaction(self, n: int) -> None:
        """Slag, Sponge, tasks, no card left, early_win, max_reactions."""
        now = self.position.past[-1]
        stop = self.rulings["after_loss"] == "stop"
        no_card_left = not any(self.position.hands)
        lost_here = False
        if self.loss is None and slag_total(self.position) >= self.position.slag_cap:
            self.loss, lost_here = ("slag", None), True
        elif self.loss is None and self.mission["sponge"]:
            leads_transmute = now.intent == "transmute" and now.leader == self.sponge_seat
            if leads_transmute or (now.credit is not None and now.credit == self.sponge_seat):
                self.loss, lost_here = ("sponge", None), True
        if lost_here and (stop or not no_card_left):
            self.no_tasks_judged()
        else:
            self.judge_tasks(n)
        all_complete = all(task.status == "complete" for task in self.tasks)
        if self.loss is not None and stop:
            self.ending = self.loss
        elif no_card_left:
            good = "win" if self.extra_goal_met() else "extra_goal"
            self.ending = self.loss or ((good if all_complete else "incomplete"), None)
        elif self.rulings["early_win"] and self.loss is None and all_complete and self.extra_goal_met():
            self.ending = ("win", None)
        elif n >= self.max_reactions:
            self.ending = self.loss or ("stalled", None)

    def extra_goal_met(self) -> bool:
        """Crucible 8, missions 2 and 10."""
        transmuted = [r for r in self.position.past if r.outcome == "transmuted"]
        safe = [r for r in self.position.past if r.outcome == "safe"]
        if self.mission["needs_transmute"] and not transmuted:
            return False
        if self.mission["needs_22_and_18"]:
            return any(r.total == 22 for r in safe) and any(r.total == 18 for r in transmuted)
        return True

    def no_tasks_judged(self) -> None:
        for line in self.take_all("task"):
            self.say(f"{line['task']} was judged {line['status']} in the reaction that lost the mission")

    def judge_tasks(self, n: int) -> None:
        """In draft order; a task found impossible is the loss if nothing was lost before."""
        lines = self.take_all("task")
        no_card_left = not any(self.position.hands)
        changed: list[Task] = []
        first: list[Task] = []
        for place, task in enumerate(self.tasks):
            if task.status != "open":
                continue
            status = new_status(self.position, self.tasks, place)
            if status is None and self.proved_sharply(task, lines) and not no_card_left:
                status = "impossible"
            if status is None:
                continue
            if status == "complete" and self.is_event(task):
                first.append(task)
            task.status, task.changed_in = status, n
            changed.append(task)
            if status == "impossible" and self.loss is None:
                self.loss = ("impossible", task.name)
        at_the_end = first + [task for task in changed if task not in first]
        self.compare_tasks(n, lines, changed, at_the_end if no_card_left else changed)

    def is_event(self, task: Task) -> bool:
        return task.name in BOUND_TASKS or certain_before_end(self.position, task.name, task.owner)

    def proved_sharply(self, task: Task, lines: list[Event]) -> bool:
        """Crucible 5, impossible_test: sharp may prove more than the table."""
        if self.rulings["impossible_test"] != "sharp":
            return False
        return any(line["task"] == task.name and line["status"] == "impossible" for line in lines)

    def compare_tasks(self, n: int, lines: list[Event], changed: list[Task], other_order: list[Task]) -> None:
        """In the last reaction events may stand before the tasks that the end decides, or in draft order."""
        found = [(line["reaction"], line["task"], line["owner"], line["status"]) for line in lines]
        right = [(n, task.name, task.owner, task.status) for task in changed]
        other = [(n, task.name, task.owner, task.status) for task in other_order]
        for entry in found:
            if entry not in right:
                self.say(f"{entry[1]} of player {entry[2]} was judged {entry[3]} ({entry[0]}), wrongly")
        for entry in right:
            if entry not in found:
                self.say(f"{entry[1]} of player {entry[2]} became {entry[3]}, which the trace does not say")
        if sorted(found) == sorted(right) and found not in (right, other):
            self.say("the tasks were not judged in draft order")
        if len(found) != len(set(found)):
            self.say("a task was judged twice")

    # ---- Crucible 4: the end -------------------------------------------------------------------------------

    def end(self, played: int) -> None:
        self.where = "end"
        if self.next_type() in ("whisper", "swap", "reaction", "task"):
            self.say(f"a {self.next_type()} line after the mission was over")
            while self.next_type() in ("whisper", "swap", "reaction", "task"):
                self.at += 1
        line = self.take("end")
        self.check_same("reactions", line["reactions"], played)
        if self.ending is None:
            self.say(f"the mission ended as {line['ending']} after reaction {played}, but it was not over")
        else:
            self.check_same("ending", line["ending"], self.ending[0])
            self.check_same("the ending's task", line["task"], self.ending[1])
        self.check(self.next_type() is None, "lines after the end")


def holder_of_highest_catalyst(hands: list[list[str]]) -> int:
    """Crucible 2: the Lead Alchemist."""
    for rank in (4, 3, 2, 1):
        for player, hand in enumerate(hands):
            if f"{CATALYST}{rank}" in hand:
                return player
    return 0  # not with the right deck: at most three cards are left over


def names_before_redraw(names: list[str], redrawn: list[tuple[str, str]]) -> list[str]:
    """The claims as first made: each card walked back through the redraws."""
    replaced = {new: old for old, new in redrawn}
    first = []
    for name in names:
        for _ in redrawn:
            name = replaced.get(name, name)
        first.append(name)
    return first


def redraw_in_rounds(
    first: list[str], owners: list[int], news: list[str], impossible: Callable[[str, int], bool]
) -> tuple[list[tuple[str, str]], list[str]]:
    """Every impossible task is replaced once, in claim order; then the same again until none is left."""
    names, cards = list(first), list(news)
    pairs: list[tuple[str, str]] = []
    while cards:
        before = len(pairs)
        for place, owner in enumerate(owners):
            if cards and impossible(names[place], owner):
                pairs.append((names[place], cards[0]))
                names[place] = cards.pop(0)
        if len(pairs) == before:
            break
    return pairs, names


def redraw_each(
    first: list[str], owners: list[int], news: list[str], impossible: Callable[[str, int], bool]
) -> tuple[list[tuple[str, str]], list[str]]:
    """In claim order each impossible task is replaced until it is possible."""
    names, cards = list(first), list(news)
    pairs: list[tuple[str, str]] = []
    for place, owner in enumerate(owners):
        while cards and impossible(names[place], owner):
            pairs.append((names[place], cards[0]))
            names[place] = cards.pop(0)
    return pairs, names
