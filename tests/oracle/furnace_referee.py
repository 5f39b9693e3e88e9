"""A referee for traces of whole matches of "The Alchemical Furnace", from the rule page alone (Furnace 1 to 5 and 7).

It keeps every card and every Stone itself and names each line that the rules do not allow. It shares no code with the
simulation; hands at the showdown are compared by `furnace_oracle`, which was written apart as well.

A line that tells a wrong number is named and then believed, so that one mistake is not named twice; after a line that
leaves the cards in an unknown state (a card that is not there, a meld that is none) the rest is not judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain, product
from typing import Any, NamedTuple, TypeGuard

from tests.oracle.furnace_oracle import FAMILIES, JOKER, ORDER, RANKS, TRUMP, Rules, best, deck_families, deck_ranks
from tests.oracle.furnace_oracle import deck as cards_but_jokers
from tests.oracle.furnace_oracle import winners as best_hands

Event = dict[str, Any]

# Furnace 2: the keys of `match` and the least each can be.
MATCH: dict[str, int] = {
    "players": 2,
    "stones": 0,
    "bag_stones": 0,
    "hand": 0,
    "open_cards": 0,
    "hidden_cards": 0,
    "kept": 0,
    "qualify": 0,
    "min_bet": 1,
    "max_turns": 1,
    "max_rounds": 1,
}
MOST_PLAYERS = 6

# The switches; the first value is the default.
RULINGS: dict[str, tuple[str, ...]] = {
    "ace": ("both", "high", "low"),  # Furnace 1
    "ante_per": ("round", "turn"),  # Furnace 3
    "community_joker": ("redraw", "dead"),
    "stones_a_turn": ("per_pair", "one"),  # Furnace 4
    "single_extension": ("allowed", "forbidden"),
    "points_for": ("layout_owner", "who_played"),
    "short_call": ("fold", "all_in"),  # Furnace 5
    "furnace_trump": ("wild_family", "own_family"),
    "tie_order": ("ranks_then_trump", "trump_then_ranks"),
}

MELD_SIZE = 3  # Furnace 4: a new meld has exactly three cards
ACE = "A"
RUN, TRIAD = "run", "triad"
BAG = "bag"


class Halt(Exception):
    """The trace leaves the rules so far that replaying further would say nothing."""


class Illegal(Exception):
    """Cards that cannot lie, or be taken, as a play says."""


def match_faults(events: list[Event]) -> list[str]:
    """Replays the trace of one match: a sentence for everything that the rules do not allow; [] if it is flawless."""
    referee = Referee(events)
    try:
        referee.replay()
    except Halt:
        pass
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        referee.say(f"the line is malformed ({type(error).__name__}: {error})")
    return referee.faults


# ---- the form of the lines (Furnace 7) ---------------------------------------------------------------------


def is_count(thing: object) -> TypeGuard[int]:
    """A whole number of at least zero; JSON's true is not a 1."""
    return isinstance(thing, int) and not isinstance(thing, bool) and thing >= 0


def is_text(thing: object) -> bool:
    return isinstance(thing, str)


def is_flag(thing: object) -> bool:
    return isinstance(thing, bool)


def is_object(thing: object) -> bool:
    return isinstance(thing, dict)


def is_list_of(each: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda thing: isinstance(thing, list) and all(each(part) for part in thing)


def is_map_to(each: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda thing: isinstance(thing, dict) and all(is_text(key) and each(part) for key, part in thing.items())


def is_or_null(inner: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda thing: thing is None or inner(thing)


def is_call(thing: object) -> bool:
    return isinstance(thing, list) and len(thing) == 2 and all(is_count(part) for part in thing)


counts, texts = is_list_of(is_count), is_list_of(is_text)

FORM: dict[str, dict[str, Callable[[object], bool]]] = {
    "setup": {
        "game": is_text,
        "players": is_count,
        "match": is_object,
        "rulings": is_object,
        "deck": is_object,
        "hand_order": texts,
        "seed": is_count,
        "game_index": is_count,
        "stones": counts,
        "bag": is_count,
    },
    "round": {
        "n": is_count,
        "starter": is_count,
        "pot": is_count,
        "stones": counts,
        "hands": is_list_of(texts),
        "furnace_up": texts,
        "furnace_down": texts,
    },
    "turn": {
        "round": is_count,
        "n": is_count,
        "player": is_count,
        "ante": counts,
        "draws": is_or_null(is_text),
        "reshuffled": is_flag,
        "plays": is_list_of(is_object),
        "discards": texts,
        "points": counts,
        "stones": counts,
        "bag": is_count,
    },
    "force": {"round": is_count, "player": is_count, "bet": is_count, "calls": is_list_of(is_call), "folds": counts},
    "showdown": {
        "round": is_count,
        "kept": is_map_to(texts),
        "category": is_map_to(is_text),
        "winners": counts,
        "paid": is_map_to(is_count),
    },
    "round_end": {
        "round": is_count,
        "outcome": is_text,
        "stones": counts,
        "pot": is_count,
        "bag": is_count,
        "out": counts,
    },
    "end": {"winner": is_or_null(is_count), "rounds": is_count},
}

PLAY_FORM: dict[str, dict[str, Callable[[object], bool]]] = {
    "new": {"new": is_text, "meld": is_count, "cards": texts},
    "extend": {"extend": is_count, "cards": texts},
    "retrieve": {"retrieve": is_count, "takes": is_text, "with": is_text},
    "stone_from": {"stone_from": lambda thing: thing == BAG or is_count(thing)},
}

EACH_PLAYER = ("stones", "points", "hands")  # lists with one entry for each player


# ---- cards and melds (Furnace 1 and 4) ---------------------------------------------------------------------


def value(rank: str) -> int:
    """Furnace 1: Ace 11, 2 to 10 their face, J N Q K 10."""
    if rank == ACE:
        return 11
    return int(rank) if rank.isdigit() else 10


def is_wild(card: str) -> bool:
    """A Joker or a Trump; `card` as it is in a hand."""
    return card == JOKER or card[:1] == TRUMP


class Laid(NamedTuple):
    """A card in a layout: the card itself, and the family and rank it stands for."""

    card: str
    family: str
    rank: str

    @property
    def stands_for(self) -> str:
        return self.family + self.rank

    @property
    def name(self) -> str:
        """As the trace writes it (Furnace 7)."""
        return self.card if self.card == self.stands_for else f"{self.card}={self.stands_for}"


class Deck:
    """The cards of a match, and the line of ranks that Runs follow."""

    def __init__(self, rules: Rules, jokers: int) -> None:
        self.families = deck_families(rules.families, rules.trumps)
        self.ranks = deck_ranks(rules.ranks)
        self.cards = Counter(cards_but_jokers(rules))
        if jokers:
            self.cards[JOKER] = jokers
        # Furnace 1: the Ace is below the lowest rank, above the King, or at both places.
        self.places: dict[str, tuple[int, ...]] = {
            rank: (number,) for number, rank in enumerate(self.ranks[:-1], start=1)
        }
        below, above = 0, len(self.ranks)
        self.places[ACE] = {"both": (below, above), "low": (below,), "high": (above,)}[rules.ace]

    def laid(self, name: str) -> Laid:
        """Reads a card of a play; a wild card that stands for another says so."""
        card, wild, stands_for = name.partition("=")
        if card not in self.cards:
            raise Illegal(f"{name} is no card of this deck")
        if not wild:
            if card == JOKER:
                raise Illegal("a Joker is laid without saying what it stands for")
            return Laid(card, card[0], card[1:])
        if stands_for == JOKER or stands_for not in self.cards:
            raise Illegal(f"{name} stands for no card of this deck")
        if card != JOKER and (not is_wild(card) or stands_for[0] == TRUMP or card[1:] != stands_for[1:]):
            raise Illegal(f"{card} can't stand for {stands_for}")
        return Laid(card, stands_for[0], stands_for[1:])


class Run:
    """Furnace 4: a line of neighbouring ranks of one family; `line` maps a place to the card there."""

    kind = RUN

    def __init__(self, deck: Deck, owner: int, names: list[str]) -> None:
        self.deck, self.owner = deck, owner
        cards = [deck.laid(name) for name in names]
        check_new(cards)
        families = {card.family for card in cards}
        if len(families) != 1:
            raise Illegal("a Run is of one family")
        self.family = families.pop()
        for places in product(*(deck.places[card.rank] for card in cards)):
            if max(places) - min(places) == len(cards) - 1 == len(set(places)) - 1:
                self.line = dict(zip(places, cards, strict=True))
                break
        else:
            raise Illegal("its ranks are no line of neighbours")
        self.check()

    @property
    def cards(self) -> list[str]:
        return [laid.card for laid in self.line.values()]

    def check(self) -> None:
        """Never both Aces, and never more cards than there are ranks."""
        if [laid.rank for laid in self.line.values()].count(ACE) > 1:
            raise Illegal("a Run has one Ace at most")
        if len(self.line) > len(self.deck.ranks):
            raise Illegal(f"a Run has at most {len(self.deck.ranks)} cards")

    def extend(self, name: str) -> Laid:
        laid = self.deck.laid(name)
        if laid.family != self.family:
            raise Illegal(f"{name} does not fit a Run of {self.family}")
        ends = (min(self.line) - 1, max(self.line) + 1)
        places = [place for place in self.deck.places[laid.rank] if place in ends]
        if not places:
            raise Illegal(f"{name} does not follow on either end of the Run")
        self.line[places[0]] = laid
        self.check()
        return laid

    def retrieve(self, takes: str, card: str) -> str:
        """The very card stood for takes the wild card's place; a Trump in a Run of Trumps stands for itself."""
        for place, laid in self.line.items():
            if laid.name == takes and laid.card != laid.stands_for:
                if card != laid.stands_for:
                    raise Illegal(f"{card} is not the correct card for {takes}")
                self.line[place] = Laid(card, laid.family, laid.rank)
                return laid.card
        raise Illegal(f"there is no {takes} to be taken")


class Triad:
    """Furnace 4: cards of one rank, the families of `real` all different, and Jokers for missing ones."""

    kind = TRIAD

    def __init__(self, deck: Deck, owner: int, names: list[str]) -> None:
        self.deck, self.owner = deck, owner
        cards = [deck.laid(name) for name in names]
        check_new(cards)
        self.rank = cards[0].rank
        self.real: set[str] = set()
        self.jokers: list[str] = []  # the families that they are said to stand for
        self.labels_mean_nothing = False
        for laid in sorted(cards, key=lambda card: card.card == JOKER):
            self.add(laid)

    @property
    def cards(self) -> list[str]:
        return [family + self.rank for family in self.real] + [JOKER] * len(self.jokers)

    def add(self, laid: Laid) -> None:
        if laid.rank != self.rank:
            raise Illegal(f"{laid.name} is not of the Triad's rank")
        if laid.card != JOKER and laid.card != laid.stands_for:
            raise Illegal(f"{laid.name}: in a Triad a Trump stands for itself")
        if laid.family in self.real:
            raise Illegal(f"{laid.name}: the Triad has a {laid.family} already")
        if laid.card == JOKER:
            if laid.family in self.jokers and not self.labels_mean_nothing:
                raise Illegal(f"{laid.name}: another Joker stands for it")
            self.jokers.append(laid.family)
        else:
            self.real.add(laid.family)
        if len(self.real) + len(self.jokers) > len(self.deck.families):
            raise Illegal(f"a Triad has at most {len(self.deck.families)} cards")

    def extend(self, name: str) -> Laid:
        laid = self.deck.laid(name)
        self.add(laid)
        return laid

    def retrieve(self, takes: str, card: str) -> str:
        """A natural card of a family that no real card has takes the Joker's or the Trump's place."""
        if takes == TRUMP + self.rank and TRUMP in self.real:
            taken = takes
        elif self.jokers and takes in (JOKER, *(f"{JOKER}={family}{self.rank}" for family in self.deck.families)):
            taken = JOKER
        else:
            raise Illegal(f"there is no {takes} to be taken")
        if is_wild(card) or card[1:] != self.rank or card[:1] in self.real or card not in self.deck.cards:
            raise Illegal(f"{card} is not a correct card for {takes}")
        if taken == JOKER:
            label = takes[3:4]
            self.jokers.remove(label if label in self.jokers else self.jokers[0])
            self.labels_mean_nothing = True
        else:
            self.real.remove(TRUMP)
        self.real.add(card[0])
        return taken


Meld = Run | Triad
MELDS: dict[str, type[Run] | type[Triad]] = {RUN: Run, TRIAD: Triad}


def check_new(cards: list[Laid]) -> None:
    """Furnace 4: exactly three cards, and never Jokers alone."""
    if len(cards) != MELD_SIZE:
        raise Illegal(f"a new meld has {MELD_SIZE} cards, not {len(cards)}")
    if all(laid.card == JOKER for laid in cards):
        raise Illegal("a meld is never of Jokers alone")


# ---- the pot (Furnace 5) -----------------------------------------------------------------------------------


def payments(before: int, bets: dict[int, int], hands: dict[int, list[str]], order: list[int], rules: Rules) -> Event:
    """What everyone is paid; `before` was in the pot before the bets, `order` is clockwise with the forcer last.

    Without short calls all bets are equal, so there is one layer.
    """
    paid: dict[str, int] = {}
    below = 0
    for bet in sorted(set(bets.values())):
        matched = [player for player in order if bets.get(player, 0) >= bet]
        layer = (bet - below) * len(matched) + (before if below == 0 else 0)
        best_of_them = [matched[place] for place in best_hands([hands[player] for player in matched], rules)]
        share, odd = divmod(layer, len(best_of_them))
        for place, player in enumerate(best_of_them):
            paid[str(player)] = paid.get(str(player), 0) + share + (odd if place == 0 else 0)
        below = bet
    return {player: stones for player, stones in paid.items() if stones}


# ---- the referee -------------------------------------------------------------------------------------------


class Referee:
    """Replays one trace; `where` names the place for messages."""

    match: dict[str, Any]
    rulings: dict[str, Any]
    rules: Rules
    deck: Deck
    total: int  # of all Stones
    stones: list[int]
    pot: int
    bag: int
    still_in: list[int]
    round_number: int
    # The state of a round.
    furnace: list[str]
    hands: list[list[str]]
    pile: Counter[str]
    discards: list[str]
    melds: list[Meld]
    points: list[int]
    has_run: set[int]  # who has laid their first Run

    def __init__(self, events: list[Event]) -> None:
        self.events = events
        self.at = 0
        self.where = "Setup"
        self.faults: list[str] = []
        self.players = 0

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
            if key in EACH_PLAYER and kind != "setup":
                self.need(len(line[key]) == self.players, f"the {kind} line's {key} are not one for each player")
        if "round" in FORM[kind]:
            self.same(f"the {kind} line's round", line["round"], self.round_number)
        return line

    def clockwise_after(self, player: int) -> list[int]:
        """Furnace 3: those still in, from the next one clockwise; the player, if still in, last."""
        around = [(player + step) % self.players for step in range(1, self.players + 1)]
        return [other for other in around if other in self.still_in]

    def stones_told(self, line: Event) -> None:
        """The Stones as told, then believed (Furnace 6.2)."""
        self.same("the Stones", line["stones"], self.stones)
        self.stones = list(line["stones"])
        for key, mine in (("pot", self.pot), ("bag", self.bag)):
            if key in line:
                self.same(f"the {key}", line[key], mine)
        self.pot, self.bag = line.get("pot", self.pot), line.get("bag", self.bag)
        total = sum(self.stones) + self.pot + self.bag
        self.check(total == self.total, f"there are {total} Stones, but there were {self.total}")
        self.total = total

    def check_cards(self) -> None:
        """Furnace 6.3: every card is in one place."""
        in_melds = (card for meld in self.melds for card in meld.cards)
        everywhere = Counter(chain(*self.hands, self.pile.elements(), self.discards, self.furnace, in_melds))
        self.need(everywhere == self.deck.cards, "the cards are not those of the deck, each once")

    # ---- the whole match -----------------------------------------------------------------------------------

    def replay(self) -> None:
        self.setup(self.take("setup"))
        winner: int | None = None
        starter: int | None = None
        while winner is None and self.round_number < self.match["max_rounds"]:
            self.round_number += 1
            starter, paid = self.round(starter)
            if paid and len(self.still_in) == 1:
                winner = self.still_in[0]
        self.where = "End"
        line = self.take("end")
        self.same("the winner", line["winner"], winner)
        self.same("the number of rounds", line["rounds"], self.round_number)
        self.check(self.next_type() is None, "lines follow after the match's end")

    def setup(self, line: Event) -> None:
        """Furnace 2; nothing can be judged without a sound first line."""
        self.same("the game", line["game"], "furnace")
        self.match, self.rulings, cards = line["match"], line["rulings"], line["deck"]
        for key, least in MATCH.items():
            number = self.match.get(key)
            self.check(is_count(number) and number >= least, f"the match's {key} is {number!r}, not {least} or more")
        for key, values in RULINGS.items():
            ruling = self.rulings.get(key)
            self.check(ruling in values, f"the ruling {key} is {ruling!r}, none of {', '.join(values)}")
        for key, low, high in (("families", 1, len(FAMILIES)), ("ranks", 5, len(RANKS)), ("jokers", 0, 1000)):
            number = cards.get(key)
            self.check(is_count(number) and low <= number <= high, f"the deck's {key} are {number!r}")
        self.check(is_flag(cards.get("trumps")), f"the deck's trumps are {cards.get('trumps')!r}")
        self.check(sorted(line["hand_order"]) == sorted(ORDER), "the hand_order does not name each category once")
        if self.faults:
            raise Halt
        self.players = line["players"]
        self.need(2 <= self.players <= MOST_PLAYERS, f"there are {self.players} players, not 2 to {MOST_PLAYERS}")
        self.same("the match's number of players", self.match["players"], self.players)
        self.rules = Rules(
            families=cards["families"],
            ranks=cards["ranks"],
            trumps=cards["trumps"],
            ace=self.rulings["ace"],
            furnace_trump=self.rulings["furnace_trump"],
            tie_order=self.rulings["tie_order"],
            order=tuple(line["hand_order"]),
        )
        self.deck = Deck(self.rules, cards["jokers"])
        self.stones, self.bag, self.pot = [self.match["stones"]] * self.players, self.match["bag_stones"], 0
        self.total = sum(self.stones) + self.bag
        self.need(len(line["stones"]) == self.players, "the Stones are not one number for each player")
        self.stones_told(line)
        self.still_in = list(range(self.players))
        self.round_number = 0

    # ---- a round (Furnace 3) -------------------------------------------------------------------------------

    def round(self, last_starter: int | None) -> tuple[int, bool]:
        """One round: who started it, and whether its pot was paid."""
        self.where = f"Round {self.round_number}"
        line = self.take("round")
        self.same("the round's number", line["n"], self.round_number)
        starter = line["starter"]
        if last_starter is not None:
            self.same("the starter", starter, self.clockwise_after(last_starter)[0])
        self.need(starter in self.still_in, f"player {starter} starts, but is not in the match")
        self.ante()
        self.stones_told(line)
        self.deal(line)

        player = starter
        for n in range(1, self.match["max_turns"] + 1):
            self.where = f"Round {self.round_number}, turn {n}"
            player = self.turn(n, player)
            if self.next_type() == "force":
                self.where = f"Round {self.round_number}, Furnace"
                self.force(player)
                return starter, True
            player = self.clockwise_after(player)[0]
        self.where = f"Round {self.round_number}"
        self.round_end("stalled")
        return starter, False

    def ante(self) -> list[int]:
        """Furnace 2 and 3: everyone still in antes one, and a player without Stones nothing."""
        antes = [player for player in self.still_in if self.stones[player] > 0]
        for player in antes:
            self.stones[player] -= 1
            self.pot += 1
        return antes

    def deal(self, line: Event) -> None:
        """A fresh shuffle: hands, the Furnace, and what is left is the pile."""
        for player, hand in enumerate(line["hands"]):
            size = self.match["hand"] if player in self.still_in else 0
            self.check(len(hand) == size, f"player {player} is dealt {len(hand)} cards, not {size}")
        for key, number in (("furnace_up", "open_cards"), ("furnace_down", "hidden_cards")):
            size = self.match[number]
            self.check(len(line[key]) == size, f"the {key} has {len(line[key])} cards, not {size}")
        self.furnace = line["furnace_up"] + line["furnace_down"]
        if self.rulings["community_joker"] == "redraw":
            self.check(JOKER not in self.furnace, "the Furnace has a Joker although they are redrawn")
        self.hands = [list(hand) for hand in line["hands"]]
        dealt = Counter(chain(*self.hands, self.furnace))
        for card, times in dealt.items():
            copies = self.deck.cards[card]
            self.check(times <= copies, f"the card {card} is dealt {times} times, but the deck has {copies}")
        if not dealt <= self.deck.cards:
            raise Halt
        self.pile = self.deck.cards - dealt
        self.discards = []
        self.melds = []
        self.points = [0] * self.players
        self.has_run = set()

    def round_end(self, outcome: str) -> None:
        line = self.take("round_end")
        self.same("the round's outcome", line["outcome"], outcome)
        self.stones_told(line)
        paid = outcome != "stalled"
        out = [player for player in self.still_in if paid and self.stones[player] == 0]
        self.same("the list of those who are newly out", sorted(line["out"]), out)
        self.still_in = [player for player in self.still_in if player not in out]
        self.need(bool(self.still_in), "nobody is left")

    # ---- a turn (Furnace 3 and 4) --------------------------------------------------------------------------

    def turn(self, n: int, wanted: int) -> int:
        line = self.take("turn")
        self.same("the turn's number", line["n"], n)
        player: int = line["player"]
        self.check(player == wanted, f"it is player {wanted}'s turn, not player {player}'s")
        self.need(player in self.still_in, f"player {player} has a turn, but is not in the match")
        antes = self.ante() if self.rulings["ante_per"] == "turn" and n > 1 else []
        self.same("the list of antes", sorted(line["ante"]), antes)
        self.draw(player, line["draws"], line["reshuffled"])
        Plays(self, player).judge(line["plays"])
        self.discard(player, line["discards"])
        self.same("the points", line["points"], self.points)
        self.points = list(line["points"])
        self.stones_told(line)
        self.check_cards()
        return player

    def draw(self, player: int, card: str | None, reshuffled: bool) -> None:
        """Furnace 3: one card; an empty pile is made anew of the discards; no draw if both are empty."""
        if not self.pile and not self.discards:
            self.need(card is None, f"{card} is drawn, but the pile and the discards are empty")
            return  # whether nothing at all was "reshuffled" the page does not say
        was_empty = not self.pile
        self.check(reshuffled == was_empty, f"reshuffled is {reshuffled}, but the pile was empty: {was_empty}")
        if was_empty:
            self.pile, self.discards = Counter(self.discards), []
        if card is None:
            self.need(False, "no card is drawn, although there are some")
            return
        self.need(self.pile[card] > 0, f"{card} is drawn, but can't be in the pile")
        self.pile -= Counter([card])
        self.hands[player].append(card)

    def discard(self, player: int, cards: list[str]) -> None:
        """Furnace 3: down to the size of a hand, and no further."""
        wanted = max(0, len(self.hands[player]) - self.match["hand"])
        self.check(len(cards) == wanted, f"player {player} discards {len(cards)} cards, but should discard {wanted}")
        for card in cards:
            self.leave_hand(player, card, "discards")
            self.discards.append(card)

    def leave_hand(self, player: int, card: str, does: str) -> None:
        self.need(card in self.hands[player], f"player {player} {does} {card}, which is not in their hand")
        self.hands[player].remove(card)

    # ---- the Furnace (Furnace 5) ---------------------------------------------------------------------------

    def can_enter(self, player: int) -> bool:
        """Entering needs two cards in hand that are not Jokers."""
        needed: int = self.match["kept"]
        return sum(card != JOKER for card in self.hands[player]) >= needed

    def force(self, player: int) -> None:
        line = self.take("force")
        bet = line["bet"]
        self.need(line["player"] == player, f"player {line['player']} forces after player {player}'s turn")
        points, needed = self.points[player], self.match["qualify"]
        self.check(points >= needed, f"player {player} forces with {points} points, but {needed} qualify")
        self.check(self.can_enter(player), f"player {player} forces without {self.match['kept']} cards to keep")
        low, high = self.match["min_bet"], self.stones[player]
        self.need(low <= bet <= high, f"player {player} bets {bet}, but may bet {low} to {high}")

        before, bets = self.pot, {player: bet}
        bets.update(self.calls(line, player, bet))
        for better, stones in bets.items():
            self.stones[better] -= stones
            self.pot += stones
        if len(bets) == 1:
            self.stones[player] += self.pot
        else:
            self.showdown(before, bets, player)
        self.pot = 0
        self.round_end("folded" if len(bets) == 1 else "showdown")

    def calls(self, line: Event, forcer: int, bet: int) -> dict[int, int]:
        """The calls, if everyone else calls or folds, in their order, and may do so."""
        calls = dict(line["calls"])
        others = [other for other in self.clockwise_after(forcer) if other != forcer]
        answers = [*(caller for caller, _ in line["calls"]), *line["folds"]]
        self.need(sorted(answers) == sorted(others), f"{sorted(answers)} call or fold, but should be {sorted(others)}")
        for what, said in (("calls", list(calls)), ("folds", line["folds"])):
            in_order = [other for other in others if other in said]
            self.check(said == in_order, f"the {what} are told as {said}, but clockwise they are {in_order}")
        for caller, put_in in calls.items():
            have = self.stones[caller]
            self.check(self.can_enter(caller), f"player {caller} calls without {self.match['kept']} cards to keep")
            may = have >= bet or (self.rulings["short_call"] == "all_in" and have > 0)
            self.need(may, f"player {caller} calls a bet of {bet} with {have} Stones")
            right = min(bet, have)
            self.need(put_in == right, f"player {caller} calls with {put_in} Stones, but should with {right}")
        return calls

    def showdown(self, before: int, bets: dict[int, int], forcer: int) -> None:
        """Everyone who entered keeps two cards of their own; the layers of the pot go to the best hands."""
        line = self.take("showdown")
        entered = sorted(bets)
        self.names_entered("kept", line["kept"], entered)
        for player in entered:
            self.check_kept(player, line["kept"][str(player)])
        kept = {player: line["kept"][str(player)] for player in entered}
        if not all(card in self.deck.cards and card != JOKER for cards in kept.values() for card in cards):
            raise Halt
        hands = {player: cards + self.furnace for player, cards in kept.items()}

        self.names_entered("category", line["category"], entered)
        for player in entered:
            said, right = line["category"][str(player)], best(hands[player], self.rules)[0]
            self.check(said == right, f"player {player} is said to have {said}, but has {right}")

        paid = payments(before, bets, hands, self.clockwise_after(forcer), self.rules)
        self.same("the list of winners", sorted(line["winners"]), sorted(int(player) for player in paid))
        self.same("what is paid", dict(sorted(line["paid"].items())), dict(sorted(paid.items())))
        for name, stones in paid.items():
            self.stones[int(name)] += stones

    def names_entered(self, what: str, by_player: dict[str, Any], entered: list[int]) -> None:
        said, wanted = sorted(by_player), sorted(str(player) for player in entered)
        self.need(said == wanted, f"the {what} names players {said}, but {wanted} entered")

    def check_kept(self, player: int, cards: list[str]) -> None:
        wanted = self.match["kept"]
        self.check(len(cards) == wanted, f"player {player} keeps {len(cards)} cards, not {wanted}")
        self.check(JOKER not in cards, f"player {player} keeps a Joker")
        for card in (Counter(cards) - Counter(self.hands[player])).elements():
            self.say(f"player {player} keeps {card}, which is not in their hand")


# ---- the plays of one turn (Furnace 4) ---------------------------------------------------------------------


class Plays:
    """The plays of one turn: what lies, whom it gives points, and which Stones it earns."""

    def __init__(self, referee: Referee, player: int) -> None:
        self.referee, self.player = referee, player
        self.extensions: Counter[int] = Counter()  # cards of this turn on each player's layout
        self.taken: Counter[str] = Counter()  # wild cards that are still to be played
        self.due: list[str | int] = []  # Stones to be taken at once

    def say(self, text: str) -> None:
        self.referee.say(f"player {self.player} {text}")

    def judge(self, plays: list[Event]) -> None:
        for play in plays:
            kind = self.kind_of(play)
            if kind != "stone_from":
                self.all_stones_taken()
            {
                "new": self.new,
                "extend": self.extend,
                "retrieve": self.retrieve,
                "stone_from": self.stone_from,
            }[kind](play)
        self.all_stones_taken()
        for card, times in self.taken.items():
            if times:
                self.say(f"takes {card} and does not play it in the same turn")
        if self.referee.rulings["single_extension"] == "forbidden":
            for owner, cards in self.extensions.items():
                if cards == 1:
                    self.say(f"puts a single card on player {owner}'s layout")

    def kind_of(self, play: Event) -> str:
        kinds = [kind for kind in PLAY_FORM if kind in play]
        self.referee.need(len(kinds) == 1, f"{play} is no play")
        form = PLAY_FORM[kinds[0]]
        good = set(form) == set(play) and all(is_right(play[key]) for key, is_right in form.items())
        self.referee.need(good, f"{play} is no play")
        return kinds[0]

    def needs_run(self, what: str) -> None:
        """A player's first play in a round must be a Run."""
        if self.player not in self.referee.has_run:
            self.say(f"{what} before their first Run")

    # ---- cards ---------------------------------------------------------------------------------------------

    def lay(self, laid: Laid, owner: int) -> None:
        """A card goes from the hand to an owner's layout and counts (`points_for`)."""
        self.referee.leave_hand(self.player, laid.card, "lays")
        if self.taken[laid.card]:
            self.taken[laid.card] -= 1
        to_owner = self.referee.rulings["points_for"] == "layout_owner"
        self.referee.points[owner if to_owner else self.player] += value(laid.rank)

    def new(self, play: Event) -> None:
        referee, kind = self.referee, play["new"]
        referee.need(kind in MELDS, f"{play} is no play")
        if kind == TRIAD:
            self.needs_run("lays a Triad")
        try:
            meld = MELDS[kind](referee.deck, self.player, play["cards"])
        except Illegal as illegal:
            self.say(f"lays {play['cards']} as a {kind}: {illegal}")
            raise Halt from illegal
        for name in play["cards"]:
            self.lay(referee.deck.laid(name), self.player)
        referee.melds.append(meld)
        referee.same("the new meld's number", play["meld"], len(referee.melds))
        if kind == RUN:
            referee.has_run.add(self.player)

    def meld(self, number: int) -> Meld:
        melds = self.referee.melds
        self.referee.need(1 <= number <= len(melds), f"there is no meld {number}")
        return melds[number - 1]

    def extend(self, play: Event) -> None:
        self.needs_run("extends")
        meld = self.meld(play["extend"])
        if not play["cards"]:
            self.say(f"extends meld {play['extend']} by no card")
        for name in play["cards"]:
            try:
                laid = meld.extend(name)
            except Illegal as illegal:
                self.say(f"extends meld {play['extend']}, a {meld.kind}, by {name}: {illegal}")
                raise Halt from illegal
            self.lay(laid, meld.owner)
            self.extensions[meld.owner] += 1
            self.earn(meld.owner)

    def retrieve(self, play: Event) -> None:
        """No extension, no points; the card taken has to be played later in the turn."""
        self.needs_run("takes a wild card")
        meld = self.meld(play["retrieve"])
        try:
            card = meld.retrieve(play["takes"], play["with"])
        except Illegal as illegal:
            self.say(f"takes {play['takes']} with {play['with']} from meld {play['retrieve']}: {illegal}")
            raise Halt from illegal
        self.referee.leave_hand(self.player, play["with"], "puts down")
        self.referee.hands[self.player].append(card)
        self.taken[card] += 1

    # ---- Stones --------------------------------------------------------------------------------------------

    def earn(self, owner: int) -> None:
        """`stones_a_turn`: every second card on a layout, or the second one only, earns a Stone if there is one."""
        cards = self.extensions[owner]
        if self.referee.rulings["stones_a_turn"] == "one":
            earns = cards == 2
        else:
            earns = cards % 2 == 0
        source: str | int = BAG if owner == self.player else owner
        there = self.referee.bag if owner == self.player else self.referee.stones[owner]
        if earns and there > self.due.count(source):
            self.due.append(source)

    def stone_from(self, play: Event) -> None:
        source = play["stone_from"]
        if not self.due:
            self.say(f"takes a Stone from {source}, but none is due")
            return
        right = self.due.pop(0)
        if source != right:
            self.say(f"takes a Stone from {source}, but one from {right} is due")
            return
        if right == BAG:
            self.referee.bag -= 1
        else:
            self.referee.stones[int(right)] -= 1
        self.referee.stones[self.player] += 1

    def all_stones_taken(self) -> None:
        for source in self.due:
            self.say(f"does not take the Stone due from {source}")
        self.due = []
