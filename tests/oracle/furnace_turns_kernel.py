"""The kernel's search asked about the oracle's positions: the two representations, one into the other."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from alchemy_sim.config.load import load
from alchemy_sim.core.bits import integer
from alchemy_sim.core.jit import array_of, copy_record, kernel, quiet_integers, record_type, records, types
from alchemy_sim.games.furnace.match.board import BOARD, SEATS
from alchemy_sim.games.furnace.match.board import Meld as Kind
from alchemy_sim.games.furnace.match.encode import encode
from alchemy_sim.games.furnace.match.options import MOST_PLAYS, list_plays
from alchemy_sim.games.furnace.match.plays import apply, legal, may_stop
from alchemy_sim.games.furnace.match.search import search
from alchemy_sim.games.furnace.match.simulate import ready_view
from alchemy_sim.games.furnace.match.view import VIEW
from tests.oracle.furnace_melds import Book, Meld, Rules, Run, Triad, book_of
from tests.oracle.furnace_oracle import FAMILIES, JOKER, TRUMP
from tests.oracle.furnace_turns import Aim, Outcome, Position

LETTERS = FAMILIES + TRUMP  # in the kernel's order
_BOARD: Any = record_type(BOARD)
MELD_FIELDS = ("kind", "owner", "family", "low", "high", "trumps", "wild", "reals")


@kernel(types.float64(record_type(VIEW), types.int64, array_of(types.float64)))
def search_turn(view: Any, me: int, aim: Any) -> float:
    """Search; what the plan is said to be worth."""
    return search(view, me, aim)


@kernel(types.int64(record_type(VIEW), record_type(BOARD), types.int64))
def play_plan(view: Any, board: Any, me: int) -> int:
    """Make the plan's plays on a board: -1, or the number of the first that is illegal, stopping behind the last."""
    plan = view.plan
    for step in range(plan.number):
        if not legal(view, board, me, plan.steps[step]):
            return step
        apply(view, board, me, plan.steps[step])
    return -1 if may_stop(view, board) else plan.number


@kernel(types.int64(record_type(VIEW), record_type(BOARD), types.int64, array_of(types.uint64), array_of(_BOARD)))
def single_plays(view: Any, board: Any, me: int, codes: Any, after: Any) -> int:
    """Each listed play made on a board of its own, how many they are; -1 if others, or not all of them, are legal."""
    number = list_plays(view, board, me, codes, codes.shape[0])
    for which in range(number):
        if not legal(view, board, me, integer(codes[which])):
            return -1
        copy_record(board, after[which])
        apply(view, after[which], me, integer(codes[which]))
    found = 0
    for code in range(1 << 16):
        found += legal(view, board, me, code)
    return number if found == number else -1


@kernel(types.int64(record_type(VIEW), record_type(BOARD), types.int64, types.int64))
def made(view: Any, board: Any, me: int, code: int) -> int:
    """Make a play on a board if it is legal; whether it is."""
    if not legal(view, board, me, code):
        return 0
    apply(view, board, me, code)
    return 1


@cache
def encoded(rules: Rules, players: int, policy: str = "random", hand: int = 9) -> Any:
    """A cell of these rules; fewer cards are dealt where a small deck is to do for many players."""
    deck = {name: getattr(rules, name) for name in ("families", "ranks", "trumps", "jokers")}
    switches = {name: getattr(rules, name) for name in ("ace", "stones_a_turn", "single_extension", "points_for")}
    settings = [f"deck.{name}={str(each).lower()}" for name, each in deck.items()]
    settings += [f"rulings.{name}={each}" for name, each in switches.items()]
    settings.append(f"match.hand={hand}")
    config: Any = load("furnace/default", settings).settings[0].config
    return encode(config, players, [policy] * players)


@cache
def view_of(rules: Rules) -> Any:
    """A view for any number of players."""
    return ready_view(encoded(rules, SEATS, hand=2).rules, outlook=False)


def mask_of(cards: tuple[str, ...], family: str, ranks: tuple[str, ...]) -> int:
    return sum(1 << ranks.index(card[1:]) for card in cards if card != JOKER and card[0] == family)


def set_up(view: Any, position: Position) -> None:
    """Lay a position on the view's board."""
    view["board"] = np.zeros((), BOARD)
    ranks, board = book_of(position.rules).ranks, view.board
    view.me, view.players, view.qualify = position.me, len(position.points), position.qualify
    for family, letter in enumerate(LETTERS):
        board.held[family] = mask_of(position.hand, letter, ranks)
    board.jokers = position.hand.count(JOKER)
    board.melds, board.bag = len(position.melds), position.bag
    for number, meld in enumerate(position.melds):
        board.owner[number] = meld.owner
        board.started[meld.owner] = 1
        jokers = [place for place, card in enumerate(meld.cards) if card == JOKER]
        if isinstance(meld, Triad):
            board.kind[number], board.family[number] = Kind.TRIAD, ranks.index(meld.rank)
            board.wild[number] = len(jokers)
            board.reals[number] = sum(1 << LETTERS.index(card[0]) for card in meld.cards if card != JOKER)
            continue
        trumps = [place for place, card in enumerate(meld.cards) if card[0] == TRUMP != meld.family]
        board.kind[number], board.family[number] = Kind.RUN, LETTERS.index(meld.family)
        board.low[number], board.high[number] = meld.low, meld.low + len(meld.cards) - 1
        board.wild[number] = sum(1 << (meld.low + place) for place in jokers)
        board.trumps[number] = sum(1 << (meld.low + place) for place in trumps)
    for player in range(len(position.points)):
        board.points[player], board.stones[player] = position.points[player], position.stones[player]


def fields_of(boards: np.ndarray) -> list[dict[str, Any]]:
    """Boards as plain numbers, which are quicker to read."""
    columns = {name: boards[name].tolist() for name in BOARD.names or ()}
    return [{name: column[which] for name, column in columns.items()} for which in range(len(boards))]


def hand_on(board: dict[str, Any], book: Book) -> tuple[str, ...]:
    cards = [JOKER] * board["jokers"]
    for letter, held in zip(LETTERS, board["held"], strict=True):
        cards += [letter + rank for place, rank in enumerate(book.ranks) if held >> place & 1]
    return tuple(sorted(cards))


def meld_on(board: dict[str, Any], number: int, book: Book) -> Meld:
    kind, owner, family, low, high, trumps, wild, reals = (board[name][number] for name in MELD_FIELDS)
    if kind == Kind.TRIAD:
        rank = book.ranks[family]
        naturals = [letter + rank for each, letter in enumerate(LETTERS) if reals >> each & 1]
        return Triad(owner, rank, tuple(sorted(naturals + [JOKER] * wild)))
    cards = []
    for at in range(low, high + 1):
        letter = TRUMP if trumps >> at & 1 else LETTERS[family]
        cards.append(JOKER if wild >> at & 1 else letter + book.line[at])
    return Run(owner, LETTERS[family], low, tuple(cards))


Lying = tuple[tuple[str, ...], frozenset[Meld]]  # a hand, and the melds on the table


class Answer(NamedTuple):
    """What a search says, and where its plan leads."""

    worth: float
    given_up: bool
    wrong: int  # the number of an illegal step, else -1
    outcome: Outcome
    hand: tuple[str, ...]
    melds: frozenset[Meld]


class Asked:
    """A position on the kernel's board, to be asked about with one aim after another."""

    def __init__(self, position: Position) -> None:
        self.position, self.book = position, book_of(position.rules)
        self.view = view_of(position.rules)
        set_up(self.view, position)
        self.before = self.view.board.tobytes()
        self.codes = np.zeros(MOST_PLAYS, np.uint64)  # of the single plays, once they were asked for

    def lying(self, board: dict[str, Any]) -> Lying:
        return hand_on(board, self.book), frozenset(meld_on(board, each, self.book) for each in range(board["melds"]))

    def singles(self) -> list[Lying] | None:
        """What lies after each single play; None if the list of plays and the judge of a play disagree."""
        boards = records(np.zeros(MOST_PLAYS, BOARD))
        number = single_plays(self.view, self.view.board, self.position.me, self.codes, boards)
        return None if number < 0 else [self.lying(board) for board in fields_of(boards[:number])]

    def play(self, code: int) -> bool:
        """Make a play on the view's board, if it is legal; whether it is."""
        with quiet_integers():
            return bool(made(self.view, self.view.board, self.position.me, code))

    def now(self) -> Lying:
        """What lies on the view's board."""
        return self.lying(fields_of(np.array([self.view["board"]]))[0])

    def search(self, aim: Aim) -> float:
        return float(search_turn(self.view, self.position.me, np.array(aim, np.float64)))

    def answer(self, aim: Aim) -> Answer:
        view, me, boards = self.view, self.position.me, np.zeros(1, BOARD).view(np.recarray)
        with quiet_integers():
            said = self.search(aim)
            assert view.board.tobytes() == self.before, "the search changed the board that it was asked about"
            boards[0] = view["board"]
            wrong = int(play_plan(view, boards[0], me))
        end = fields_of(boards)[0]
        players = range(len(self.position.points))
        gained = [end["points"][player] - self.position.points[player] for player in players]
        hand, melds = self.lying(end)
        stones = end["stones"][me] - self.position.stones[me]
        outcome = Outcome(gained[me], stones, sum(gained) - gained[me], len(hand))
        return Answer(said, bool(view.plan.given_up), wrong, outcome, hand, melds)
