"""A referee for traces of whole games of "Metallurgie", from the rule page alone (Metallurgie 1, 2 and 4).

It keeps every card itself and names each line that the rules do not allow. It shares no code with the simulation.

A line that tells a wrong number is named and then believed, so that one mistake is not named twice; after a line that
leaves the cards in an unknown state (a card that is not there, a place where it can't lie) the rest is not judged.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from tests.oracle.furnace_referee import Halt, is_count, is_list_of, is_object, is_or_null, is_text

Event = dict[str, Any]
Place = tuple[int, int]

METALS = ("I", "C", "S", "G")  # Metallurgie 1: in the order of the layers
END = "END"
NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
PLAYERS = (2, 3, 4)

# The switches (Metallurgie 2); the first value is the default.
RULINGS: dict[str, tuple[bool | str, ...]] = {
    "must_score": (False, True),
    "score_scope": ("touched", "any"),
    "score_again": (True, False),
    "bonus": ("none", "majority", "first"),
}

# ---- the form of the lines (Metallurgie 4) -----------------------------------------------------------------


def is_whole(thing: object) -> bool:
    return isinstance(thing, int) and not isinstance(thing, bool)


def is_positive(thing: object) -> bool:
    return is_count(thing) and thing > 0


def is_place(thing: object) -> bool:
    return isinstance(thing, list) and len(thing) == 2 and all(is_whole(part) for part in thing)


def is_laid(thing: object) -> bool:
    """A metal and where it lies."""
    return isinstance(thing, list) and len(thing) == 3 and thing[0] in METALS and is_place(thing[1:])


def is_metal(thing: object) -> bool:
    return thing in METALS


def is_card(thing: object) -> bool:
    return is_metal(thing) or thing == END


def is_for_each_metal(each: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda thing: isinstance(thing, list) and len(thing) == len(METALS) and all(each(part) for part in thing)


def has_form(thing: object, form: dict[str, Callable[[object], bool]]) -> bool:
    return isinstance(thing, dict) and all(key in thing and is_right(thing[key]) for key, is_right in form.items())


SCORED_FORM: dict[str, Callable[[object], bool]] = {
    "metal": is_metal,
    "area": is_count,
    "removed": is_list_of(is_place),
}


def is_scored(thing: object) -> bool:
    return has_form(thing, SCORED_FORM)


counts = is_list_of(is_count)

FORM: dict[str, dict[str, Callable[[object], bool]]] = {
    "setup": {
        "game": is_text,
        "players": is_count,
        "rules": is_object,
        "rulings": is_object,
        "seed": is_count,
        "game_index": is_count,
        "first": is_count,
        "hands": is_list_of(is_list_of(is_card)),
        "pile": is_list_of(is_card),
    },
    "turn": {
        "n": is_count,
        "player": is_count,
        "draw": is_or_null(is_card),
        "placed": is_list_of(is_laid),
        "discarded": is_or_null(is_metal),
        "scored": is_list_of(is_scored),
        "refill": is_list_of(is_card),
        "points": counts,
    },
    "end": {
        "points": counts,
        "bonus": is_list_of(is_list_of(is_metal)),
        "winners": counts,
        "turns": is_count,
    },
}
RULES_FORM: dict[str, Callable[[object], bool]] = {
    "thresholds": is_for_each_metal(is_positive),
    "removals": is_for_each_metal(is_positive),
    "deck": is_for_each_metal(is_count),
    "hand": is_count,
    "end_card_depth": is_positive,
    "start": is_list_of(is_laid),
}
EACH_PLAYER = ("hands", "points", "bonus")  # lists with one entry for each player


# ---- the pattern (Metallurgie 1 and 2) ---------------------------------------------------------------------


def next_to(place: Place) -> list[Place]:
    return [(place[0] + q, place[1] + r) for q, r in NEIGHBOURS]


def joined(start: Place, places: Iterable[Place]) -> set[Place]:
    """Those of the places that are connected with `start`, which is one of them."""
    left = set(places) - {start}
    found, reached = [start], {start}
    while found:
        for other in next_to(found.pop()):
            if other in left:
                left.remove(other)
                reached.add(other)
                found.append(other)
    return reached


def is_whole_pattern(places: set[Place]) -> bool:
    """Whether nothing is split; an empty table is not."""
    return not places or len(joined(next(iter(places)), places)) == len(places)


class Pattern:
    """The cards on the table: a stack for each place that has one, its top card last."""

    def __init__(self) -> None:
        self.stacks: dict[Place, list[str]] = {}

    def top(self, place: Place) -> str | None:
        return self.stacks[place][-1] if place in self.stacks else None

    def fits(self, card: str, place: Place) -> bool:
        """Iron on an empty place next to a card; another metal on the next lower one."""
        if card != METALS[0]:
            return self.top(place) == METALS[METALS.index(card) - 1]
        if place in self.stacks:
            return False
        return not self.stacks or any(other in self.stacks for other in next_to(place))

    def fits_anywhere(self, card: str) -> bool:
        return card == METALS[0] or any(self.fits(card, place) for place in self.stacks)

    def put(self, card: str, place: Place) -> None:
        self.stacks.setdefault(place, []).append(card)

    def take(self, place: Place) -> str:
        stack = self.stacks[place]
        card = stack.pop()
        if not stack:
            del self.stacks[place]
        return card

    def area(self, place: Place) -> set[Place]:
        """All places connected with this one by top cards of its metal."""
        return joined(place, [other for other in self.stacks if self.top(other) == self.top(place)])

    def areas(self) -> list[set[Place]]:
        found: list[set[Place]] = []
        for place in self.stacks:
            if not any(place in area for area in found):
                found.append(self.area(place))
        return found

    def splits(self, removed: set[Place]) -> bool:
        """Whether the pattern would be split if these places, iron alone, were empty."""
        return not is_whole_pattern(set(self.stacks) - removed)

    def can_lose(self, area: set[Place], number: int) -> bool:
        """Whether some `number` places of an iron area can be taken without a split.

        If they can be taken together, they can be taken one by one as well, those furthest from the rest first. So
        it is enough to look for a next place that splits nothing; the search is deep first, and seldom goes back.
        """
        nothing: frozenset[Place] = frozenset()
        seen, stack = {nothing}, [nothing]
        while stack:
            gone = stack.pop()
            if len(gone) == number:
                return True
            for place in area - gone:
                more = gone | {place}
                if more not in seen and not self.splits(set(more)):
                    seen.add(more)
                    stack.append(more)
        return False


# ---- the referee -------------------------------------------------------------------------------------------


def game_faults(events: list[Event]) -> list[str]:
    """Replays the trace of one game: a sentence for everything that the rules do not allow; [] if it is flawless."""
    referee = Referee(events)
    try:
        referee.replay()
    except Halt:
        pass
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        referee.say(f"the line is malformed ({type(error).__name__}: {error})")
    return referee.faults


class Referee:
    """Replays one trace; `where` names the place for messages."""

    players: int
    rules: dict[str, Any]
    rulings: dict[str, Any]
    hands: list[Counter[str]]
    pile: list[str]  # the top first
    points: list[int]
    # The state of a turn.
    player: int
    touched: set[Place]  # where cards were placed or uncovered, and what remains of scored areas
    spent: set[Place]  # what remains of scored areas, if they can't be scored again

    def __init__(self, events: list[Event]) -> None:
        self.events = events
        self.at = 0
        self.where = "Setup"
        self.faults: list[str] = []
        self.players = 0
        self.pattern = Pattern()
        self.kept: list[tuple[str, int]] = []  # each card kept as a point, in order: its metal, and who has it
        self.over = False

    # ---- reading -------------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        self.faults.append(f"{self.where}: {text}.")

    def check(self, good: bool, text: str) -> bool:
        if not good:
            self.say(text)
        return good

    def same(self, what: str, told: Any, right: Any) -> None:
        self.check(told == right, f"{what} told is {told}, but should be {right}")

    def need(self, good: bool, text: str) -> None:
        """What has to be so for the rest to be judged."""
        if not good:
            self.say(text)
            raise Halt

    def next_type(self) -> Any:
        if self.at >= len(self.events):
            return None
        line = self.events[self.at]
        return line.get("type") if isinstance(line, dict) else "malformed"

    def take(self, kind: str) -> Event:
        """The next line, which has to be of this type and form."""
        found = self.next_type()
        self.need(found == kind, f"a {kind} line should follow, but {found or 'nothing'} does")
        line = self.events[self.at]
        self.at += 1
        for key, is_right in FORM[kind].items():
            self.need(key in line, f"the {kind} line lacks {key}")
            self.need(is_right(line[key]), f"the {kind} line's {key} is {line[key]!r}, which is not of the right form")
            if key in EACH_PLAYER:
                wanted = line["players"] if kind == "setup" else self.players
                self.need(len(line[key]) == wanted, f"the {kind} line's {key} are not one for each player")
        return line

    def number(self, key: str, metal: str) -> int:
        """A number of the rules that each metal has."""
        found: int = self.rules[key][METALS.index(metal)]
        return found

    # ---- the whole game ------------------------------------------------------------------------------------

    def replay(self) -> None:
        player = self.setup(self.take("setup"))
        turns = 0
        while not self.over:
            turns += 1
            self.where = f"Turn {turns}"
            player = (self.turn(turns, player) + 1) % self.players
        self.where = "End"
        self.end(turns)
        self.check(self.next_type() is None, "lines follow after the game's end")

    def setup(self, line: Event) -> int:
        """Metallurgie 1: who is first; nothing can be judged without a sound first line."""
        self.same("the game", line["game"], "metallurgie")
        self.rules, self.rulings, self.players = line["rules"], line["rulings"], line["players"]
        self.check(self.players in PLAYERS, f"there are {self.players} players, not 2 to 4")
        for key, is_right in RULES_FORM.items():
            number = self.rules.get(key)
            self.check(is_right(number), f"the rules' {key} is {number!r}, which is not of the right form")
        for key, values in RULINGS.items():
            ruling = self.rulings.get(key)
            # JSON's true is not a 1.
            good = any(type(ruling) is type(value) and ruling == value for value in values)
            self.check(good, f"the ruling {key} is {ruling!r}, none of {values}")
        self.check(line["first"] < self.players, f"player {line['first']} is first, but there is none")
        if self.faults:
            raise Halt
        self.start()
        for player, hand in enumerate(line["hands"]):
            wanted = self.rules["hand"]
            self.check(len(hand) == wanted, f"player {player} is dealt {len(hand)} cards, not {wanted}")
        self.hands, self.pile = [Counter(hand) for hand in line["hands"]], list(line["pile"])
        self.count_cards()
        under, depth = len(self.pile) - self.pile.index(END), self.rules["end_card_depth"]
        self.check(under <= depth, f"the end card is number {under} from the bottom, and not among the last {depth}")
        self.points = [0] * self.players
        first: int = line["first"]
        return first

    def start(self) -> None:
        """The start pattern has to be one that could have been placed; the order of its list means nothing."""
        stacks: defaultdict[Place, list[str]] = defaultdict(list)
        for card, q, r in self.rules["start"]:
            stacks[q, r].append(card)
        for place, cards in stacks.items():
            cards.sort(key=METALS.index)
            good = tuple(cards) == METALS[: len(cards)]
            self.need(good, f"the start has {cards} at {place}, which is no stack")
        self.pattern.stacks = dict(stacks)
        self.need(is_whole_pattern(set(stacks)), "the start is not one pattern")

    def count_cards(self) -> None:
        """Every card is in one place (Metallurgie 3.1); from here on each move takes a card from where it is."""
        everywhere = Counter(chain(*self.pattern.stacks.values(), self.pile))
        for hand in self.hands:
            everywhere += hand
        counted = [(metal, self.number("deck", metal)) for metal in METALS] + [(END, 1)]
        for card, right in counted:
            self.check(everywhere[card] == right, f"there are {everywhere[card]} {card}, but the deck has {right}")
        self.check(END in self.pile, "the end card is not in the pile")
        if any(everywhere[card] != right for card, right in counted) or END not in self.pile:
            raise Halt

    # ---- a turn (Metallurgie 2) ----------------------------------------------------------------------------

    def turn(self, n: int, wanted: int) -> int:
        """Judges one turn: who took it."""
        line = self.take("turn")
        self.same("the turn's number", line["n"], n)
        self.player = player = line["player"]
        self.need(player < self.players, f"player {player} has a turn, but there is none")
        self.check(player == wanted, f"it is player {wanted}'s turn, not player {player}'s")
        if line["draw"] is not None:
            top = self.pile.pop(0)
            self.need(line["draw"] == top, f"player {player} draws {line['draw']}, but {top} is on top of the pile")
        if line["draw"] == END:
            for key in ("placed", "discarded", "scored", "refill"):
                self.check(not line[key], f"the end card is drawn, but {key} is {line[key]}")
            self.over = True
        else:
            self.touched, self.spent = set(), set()
            self.place(line)
            self.score(line)
            self.refill(line["refill"])
        self.same("the points", line["points"], self.points)
        self.points = list(line["points"])
        return player

    def leave_hand(self, card: str, does: str) -> None:
        hand = self.hands[self.player]
        self.need(hand[card] > 0, f"player {self.player} {does} {card}, which is not in their hand")
        hand[card] -= 1

    def place(self, line: Event) -> None:
        """The drawn card is placed first, if it can be; then cards of one metal or in one position only."""
        player, drawn, placed, discarded = self.player, line["draw"], line["placed"], line["discarded"]
        if drawn is not None:
            self.hands[player][drawn] += 1
        if discarded is not None:
            self.need(drawn == discarded, f"player {player} discards {discarded}, but has drawn {drawn}")
            can = self.pattern.fits_anywhere(discarded)
            self.check(not can, f"player {player} discards the drawn {discarded}, which can be placed")
            self.leave_hand(discarded, "discards")
            self.check(not placed, f"player {player} places cards although the drawn one is discarded")
        elif drawn is not None:
            good = placed and placed[0][0] == drawn
            self.check(good, f"player {player} does not place the drawn {drawn} first")
        else:
            self.check(bool(placed), f"player {player} neither draws nor plays a card")
        metals, places = {card for card, _, _ in placed}, {(q, r) for _, q, r in placed}
        good = len(metals) <= 1 or len(places) <= 1
        self.check(good, f"player {player} places neither one metal nor in one position: {placed}")
        for card, q, r in placed:
            self.leave_hand(card, "places")
            self.need(self.pattern.fits(card, (q, r)), f"player {player} places {card} at {(q, r)}, where it can't lie")
            self.pattern.put(card, (q, r))
            self.touched.add((q, r))

    def refill(self, told: list[str]) -> None:
        """Up to the size of a hand, from the top of the pile; the end card ends it."""
        wanted = max(0, self.rules["hand"] - self.hands[self.player].total())
        right = self.pile[:wanted]
        if END in right:
            right = right[: right.index(END) + 1]
        self.same("the refill", told, right)
        self.need(told == self.pile[: len(told)], f"player {self.player} refills with cards not on top of the pile")
        del self.pile[: len(told)]
        self.hands[self.player].update(card for card in told if card != END)
        self.over = END in told

    # ---- scoring (Metallurgie 2.3) -------------------------------------------------------------------------

    def score(self, line: Event) -> None:
        if line["discarded"] is not None:
            self.check(not line["scored"], f"player {self.player} scores although the drawn card is discarded")
        for scored in line["scored"]:
            self.score_area(scored["metal"], scored["area"], [(q, r) for q, r in scored["removed"]])
        if line["discarded"] is None and self.rulings["must_score"]:
            for area in self.pattern.areas():
                if self.can_score(area):
                    metal = self.pattern.top(min(area))
                    self.say(f"player {self.player} leaves an area of {len(area)} {metal} at {min(area)} unscored")

    def score_area(self, metal: str, told: int, removed: list[Place]) -> None:
        player, number, taken = self.player, self.number("removals", metal), set(removed)
        self.check(len(taken) == len(removed), f"player {player} removes a place twice: {removed}")
        self.check(len(removed) == number, f"player {player} removes {len(removed)} cards of {metal}, not {number}")
        self.need(bool(removed), f"player {player} scores {metal} and removes nothing")
        for place in removed:
            self.need(self.pattern.top(place) == metal, f"player {player} removes {metal} at {place}, where it isn't")
        area = self.pattern.area(removed[0])
        self.check(taken <= area, f"player {player} removes {sorted(taken - area)} of another area than {removed[0]}")
        self.same(f"the size of the {metal} area", told, len(area))
        why_not = self.objection(area)
        if why_not:
            self.say(f"player {player} scores the {metal} area at {removed[0]}, which {why_not}")
        if metal == METALS[0]:
            self.need(not self.pattern.splits(taken), f"player {player} splits the pattern by taking {removed}")
        for place in taken:
            self.pattern.take(place)
        self.touched |= area | taken
        if not self.rulings["score_again"]:
            self.spent |= area - taken
        self.points[player] += 1
        self.kept.append((metal, player))

    def objection(self, area: set[Place]) -> str | None:
        """Why an area can't be scored, whichever cards are taken; None if it is large enough and counts."""
        threshold = self.number("thresholds", self.metal_of(area))
        if len(area) < threshold:
            return f"has {len(area)} cards, but needs {threshold}"
        if self.rulings["score_scope"] == "touched" and not area & self.touched:
            return "holds no card placed or uncovered in this turn"
        if area & self.spent:
            return "holds a card of an area scored before in this turn"
        return None

    def can_score(self, area: set[Place]) -> bool:
        """Whether the area counts and there is a choice of cards that may be taken."""
        metal = self.metal_of(area)
        number = self.number("removals", metal)
        if self.objection(area) or number > len(area):
            return False
        return metal != METALS[0] or self.pattern.can_lose(area, number)

    def metal_of(self, area: set[Place]) -> str:
        metal = self.pattern.top(next(iter(area)))
        assert metal is not None
        return metal

    # ---- the end (Metallurgie 2) ---------------------------------------------------------------------------

    def end(self, turns: int) -> None:
        line = self.take("end")
        self.same("the bonus", [sorted(each, key=METALS.index) for each in line["bonus"]], self.bonus())
        right = [mine + len(each) for mine, each in zip(self.points, line["bonus"], strict=True)]
        self.same("the final points", line["points"], right)
        best = [player for player, points in enumerate(line["points"]) if points == max(line["points"])]
        self.same("the list of winners", sorted(line["winners"]), best)
        self.same("the number of turns", line["turns"], turns)

    def bonus(self) -> list[list[str]]:
        """For each player the metals that give one more point."""
        found: list[list[str]] = [[] for _ in range(self.players)]
        for metal in METALS:
            scorers = [player for kept, player in self.kept if kept == metal]
            if not scorers:
                continue
            if self.rulings["bonus"] == "first":
                found[scorers[0]].append(metal)
            elif self.rulings["bonus"] == "majority":
                most = Counter(scorers).most_common(2)
                # Strictly more than anyone else; a tie gives nobody the bonus.
                if len(most) == 1 or most[0][1] > most[1][1]:
                    found[most[0][0]].append(metal)
        return found
