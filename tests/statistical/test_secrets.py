"""What a player is handed for its random draws tells neither the deal nor the draws of the other seats.

And in showdowns and matches nothing that it answers depends on what is hidden. (For the Crucible see test_crucible.py.)
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from alchemy_sim.config.load import load
from alchemy_sim.core.bits import members_of
from alchemy_sim.core.jit import Policy, array_of, ask_policy, kernel, quiet_integers, record_type, types
from alchemy_sim.core.rng import GOLDEN, draw, game_key, position, sealed, stream
from alchemy_sim.core.seen import filled
from alchemy_sim.games.crucible import setup as crucible
from alchemy_sim.games.crucible.game import GAME as CRUCIBLE
from alchemy_sim.games.crucible.table import Ask, Purpose
from alchemy_sim.games.crucible.table import blank_table as crucible_table
from alchemy_sim.games.crucible.view import view_of
from alchemy_sim.games.furnace.deck import cards_in, give_deck
from alchemy_sim.games.furnace.match import kernel as match
from alchemy_sim.games.furnace.match import policies as match_policies
from alchemy_sim.games.furnace.match import setup as match_setup
from alchemy_sim.games.furnace.match import turns as match_turns
from alchemy_sim.games.furnace.match.betting import ask_bet, may_force
from alchemy_sim.games.furnace.match.game import GAME as FURNACE
from alchemy_sim.games.furnace.match.simulate import ready_view as match_view
from alchemy_sim.games.furnace.match.table import OUTCOME as MATCH_OUTCOME
from alchemy_sim.games.furnace.match.table import TABLE as MATCH_TABLE
from alchemy_sim.games.furnace.match.table import Ask as MatchAsk
from alchemy_sim.games.furnace.match.table import Purpose as MatchPurpose
from alchemy_sim.games.furnace.match.table import blank_table as match_table
from alchemy_sim.games.furnace.match.view import VIEW as MATCH_VIEW
from alchemy_sim.games.furnace.names import CARDS, JOKER
from alchemy_sim.games.furnace.showdown import kernel as showdown
from alchemy_sim.games.furnace.showdown.game import GAME as SHOWDOWN
from alchemy_sim.games.furnace.showdown.policies import POLICY_NAMES, policy
from alchemy_sim.games.furnace.showdown.simulate import ready_view
from alchemy_sim.games.furnace.showdown.table import OUTCOME
from alchemy_sim.games.furnace.showdown.table import blank_table as showdown_table
from alchemy_sim.games.furnace.showdown.view import POLICIES
from alchemy_sim.games.metallurgie import setup as metallurgie
from alchemy_sim.games.metallurgie import turns as metallurgie_turns
from alchemy_sim.games.metallurgie.game import GAME as METALLURGIE
from alchemy_sim.games.metallurgie.simulate import ready_table
from alchemy_sim.games.metallurgie.table import Ask as MetallurgieAsk
from alchemy_sim.games.metallurgie.table import Purpose as MetallurgiePurpose
from alchemy_sim.games.metallurgie.view import VIEW as METALLURGIE_VIEW
from tests.conftest import games
from tests.games import packaged
from tests.own_policy import all_seeing

WORD = 2**64
#: Places of a game's draws that an attack tries: turns of a whole mission, every purpose, seat and draw.
PLACES = np.arange(80 * 16 * 8 * 8, dtype=np.uint64)


class Deal(NamedTuple):
    """How the cards of a game are dealt, without playing on.

    `records()` gives a view and a table, `deal(view, table)` deals the game whose key the table has, `ask(view, table,
    seat)` turns the view towards a seat for its first question, `hand(view, table, seat)` tells its cards by number.
    """

    players: int
    records: Callable[[], tuple[Any, Any]]
    deal: Callable[[Any, Any], None]
    ask: Callable[[Any, Any, int], None]
    hand: Callable[[Any, Any, int], list[int]]
    cards: int
    games: int


def _crucible_records() -> tuple[Any, Any]:
    config = load("crucible/mission-04").settings[0].config
    return view_of(CRUCIBLE.encode(config, 4, ["random"] * 4).rules), crucible_table()


def _crucible_deal(view: Any, table: Any) -> None:
    crucible.clear(view, table)
    crucible.deal(view, table)
    crucible.find_lead(view, table)


def _showdown_records(*sets: str, players: int = 3, outlook: bool = False) -> tuple[Any, Any]:
    config = load("furnace/showdown", sets, [players]).settings[0].config
    rules = SHOWDOWN.encode(config, players, ["random"] * players).rules
    view, table = ready_view(rules, outlook), showdown_table()
    cards = cards_in(rules)
    table.deck_size = len(cards)
    table.cards[: len(cards)] = cards
    return view, table


def _showdown_deal(view: Any, table: Any) -> None:
    showdown.deal(view, table)
    showdown.lay_furnace(view, table)


def _match_records(*sets: str, players: int = 3, outlook: bool = False) -> tuple[Any, Any]:
    config = load("furnace/default", sets, [players]).settings[0].config
    rules = FURNACE.encode(config, players, ["random"] * players).rules
    view, table = match_view(rules, outlook), match_table()
    give_deck(table, cards_in(rules))
    return view, table


def _match_deal(view: Any, table: Any) -> None:
    """The first round; the table then has its key, which is a draw of the match's."""
    table.match_key = table.key
    match.begin_match(view, table)
    table.key = draw(np.uint64(stream(table.match_key, position(1, MatchPurpose.DEAL, 0))), 0)
    match_setup.deal_round(view, table)


def _match_hand(view: Any, table: Any, seat: int) -> list[int]:
    match_setup.list_hand(view, table, seat)
    found: list[int] = view.cards[: view.hand].tolist()
    return found


#: Cards of the pile that are told with each hand: all that are dealt, hands and pile, have a metal and no more.
FROM_PILE = 13


def _metallurgie_records() -> tuple[Any, Any]:
    config: Any = load("metallurgie/default", (), [3]).settings[0].config
    encoded = METALLURGIE.encode(config, 3, ["random"] * 3)
    return filled(METALLURGIE_VIEW, encoded.rules), ready_table(encoded)


def _metallurgie_cards(view: Any, table: Any, seat: int) -> list[int]:
    """The hand (three numbers for each metal: one, two and three cards of it) and a part of the pile by place."""
    full, top = int(view.full_hand), int(view.pile) - 1 - FROM_PILE * seat
    found = [full * metal + card for metal in range(4) for card in range(min(int(table.held[seat, metal]), full))]
    return found + [4 * (full + place) + int(table.pile[top - place]) for place in range(FROM_PILE)]


DEALS = {
    "crucible": Deal(
        4,
        _crucible_records,
        _crucible_deal,
        lambda view, table, seat: crucible.ask_seat(view, table, seat, Ask.KEEP, Purpose.KEEP),
        lambda _view, table, seat: members_of(table.hands[seat]),
        58,
        8_000,
    ),
    "furnace": Deal(
        3,
        _match_records,
        _match_deal,
        lambda view, table, seat: match_turns.turn_to(view, table, seat, MatchAsk.PLAY, MatchPurpose.PLAY, 0),
        _match_hand,
        CARDS,
        8_000,
    ),
    "showdown": Deal(
        3,
        _showdown_records,
        _showdown_deal,
        showdown.show_hand,
        lambda view, table, seat: table.deck[view.hand * seat : view.hand * (seat + 1)].tolist(),
        CARDS,
        8_000,
    ),
    "metallurgie": Deal(
        3,
        _metallurgie_records,
        metallurgie.begin_game,
        lambda view, table, seat: metallurgie_turns.turn_to(
            view, table, seat, MetallurgieAsk.DRAW, MetallurgiePurpose.DRAW, 0
        ),
        _metallurgie_cards,
        4 * (3 + FROM_PILE),
        8_000,
    ),
}
every_game = pytest.mark.parametrize("name", DEALS)


@cache
def records(name: str) -> tuple[Any, Any]:
    return DEALS[name].records()


def handed(name: str, game: int) -> tuple[int, list[int], list[list[int]]]:
    """The key of a game, and by seat what its player is handed at the first question, and its hand."""
    how, (view, table) = DEALS[name], records(name)
    with quiet_integers():
        table.key = game_key(np.uint64(1), np.uint64(game))
        how.deal(view, table)
        sources, hands = [], []
        for seat in range(how.players):
            how.ask(view, table, seat)
            sources.append(int(view.source))
            hands.append(how.hand(view, table, seat))
    return int(table.key), sources, hands


def test_every_game_is_dealt_here() -> None:
    assert list(DEALS) == packaged()


def unmixed(word: int) -> int:
    """The word that `mix64` makes this one of: its inverse, step by step."""

    def shifted(value: int, by: int) -> int:
        found = value
        for _ in range(64 // by):
            found = value ^ (found >> by)
        return found

    word = shifted(word, 31) * pow(0x94D049BB133111EB, -1, WORD) % WORD
    word = shifted(word, 27) * pow(0xBF58476D1CE4E5B9, -1, WORD) % WORD
    return shifted(word, 30)


def keys_behind(source: int) -> np.ndarray:
    """Every key that a stream could come from in a straightforward way: as it stands, or as an output, at any place."""
    with quiet_integers():
        back = PLACES * GOLDEN
        return np.concatenate([np.uint64(each) - back for each in (source, unmixed(source))])


def test_the_attack_works_on_a_stream_of_the_games_own_key() -> None:
    """Else the test below would prove nothing: it finds the key behind a plain stream, and behind a draw."""
    key = 0x0123456789ABCDEF
    with quiet_integers():
        plain = int(stream(np.uint64(key), position(7, Purpose.CARD, 3)))
        first, output = (int(draw(np.uint64(key), index)) for index in (0, 5))
    assert unmixed(first) == (key + int(GOLDEN)) % WORD
    assert key in keys_behind(plain)
    assert key in keys_behind(output)


@every_game
def test_no_key_lies_behind_what_a_player_is_handed(name: str) -> None:
    """Neither the game's key nor what another seat is handed."""
    for game in range(12):
        key, sources, _ = handed(name, game)
        for seat, source in enumerate(sources):
            found = keys_behind(source)
            assert key not in found
            others = np.array(sources[:seat] + sources[seat + 1 :], np.uint64)
            assert not np.isin(others, found).any()


def test_only_upper_halves_count() -> None:
    """Of the two words behind a seat's key half is lost, so that no single word leads back."""
    with quiet_integers():
        for start in range(50):
            source = np.uint64(stream(np.uint64(99), 8 * start))
            one, two = int(draw(source, 0)), int(draw(source, 1))
            assert int(sealed(source)) == (one >> 32 << 32) + (two >> 32)


@every_game
def test_what_a_player_is_handed_has_nothing_to_do_with_the_deal(name: str) -> None:
    """Every bit of it against every card of every hand: the largest of some 50,000 correlations is below 6.5 sigma.

    With independent bits that fails once in 200,000 seeds; the seed is fixed. The last line shows that one leaked card
    would be found.
    """
    how = DEALS[name]
    count = games(how.games, 300)
    bits, cards = np.zeros((count, how.players, 64)), np.zeros((count, how.players, how.cards))
    for game in range(count):
        _, sources, hands = handed(name, game)
        for seat in range(how.players):
            bits[game, seat, members_of(sources[seat])] = 1
            cards[game, seat, hands[seat]] = 1
    cards = cards[:, :, cards.any(axis=(0, 1))]
    bits = (bits - bits.mean(0)) / bits.std(0)
    cards = (cards - cards.mean(0)) / cards.std(0)
    sigmas = np.einsum("gsb,gtc->sbtc", bits, cards, optimize=True) / np.sqrt(count)
    assert 35_000 < sigmas.size < 60_000
    assert np.abs(sigmas).max() < 6.5
    assert np.abs((cards[:, 0, 3] * cards[:, 0, 3]).sum() / np.sqrt(count)) > 6.5


# ---- showdowns: no hidden card reaches a player ------------------------------------------------------------


class Showdowns:
    """Showdowns of one player of the toolkit, or of a user's own, dealt from decks in any order."""

    def __init__(self, player: Policy, players: int, *sets: str) -> None:
        self.view, self.table = _showdown_records(*sets, players=players, outlook=True)
        self.player = player  # keeps its code alive
        self.sorted = self.table.cards[: self.table.deck_size].copy()
        self.table.policy[:players] = player.address
        self.own = [slice(seat * self.view.hand, (seat + 1) * self.view.hand) for seat in range(players)]
        pile, self.open = players * self.view.hand, int(self.view.open_cards)
        self.furnace = slice(pile, pile + self.open + int(self.view.hidden_cards))

    def play(self, game: int, cards: np.ndarray) -> list[list[int]]:
        """What each seat keeps if the deck lies in this order before the shuffle."""
        outcomes = np.zeros(1, OUTCOME).view(np.recarray)
        self.table.cards[: len(cards)] = cards
        showdown.play_showdowns(self.view, self.table, np.uint64(9), np.uint64(game), outcomes)
        assert outcomes["fault"][0] == 0
        return self.table.kept[: len(self.own)].tolist()

    def places(self, game: int) -> np.ndarray:
        """Where in that order each card of the shuffled deck came from, if no Joker is laid."""
        self.play(game, np.arange(len(self.sorted)).astype(np.uint8))
        return self.table.deck[: len(self.sorted)].astype(np.int64)

    def redealt(self, me: int, places: np.ndarray, rng: random.Random) -> np.ndarray:
        """The deck in another order, which changes nothing that a seat sees."""
        own, furnace = self.own[me], places[self.furnace]
        seen = {*places[own].tolist(), *furnace[: self.open].tolist()}
        hidden = [place for place in range(len(self.sorted)) if place not in seen]
        while True:
            order, found = list(hidden), self.sorted.copy()
            rng.shuffle(order)
            found[hidden] = self.sorted[order]
            if JOKER not in found[furnace]:
                return found


@pytest.mark.compiled
@pytest.mark.parametrize("name", [*POLICY_NAMES, "seer"])
@pytest.mark.parametrize(
    ("players", "sets"), [(3, ()), (2, ("match.hidden_cards=3", "match.open_cards=1")), (6, ("match.kept=1",))]
)
def test_what_a_player_keeps_does_not_depend_on_what_is_hidden(name: str, players: int, sets: tuple[str, ...]) -> None:
    """The kernel deals all that a seat does not see anew, and the seat keeps what it kept; the others mostly don't.

    (But `random` does, which looks for Jokers only.) `seer` answers by a hash of every field it sees.
    """
    if name == "seer":
        space: dict[str, Any] = {}
        exec(all_seeing("showdown"), space)
        player = POLICIES.compile(space["seer"])
    else:
        player = policy(name)
    table, rng = Showdowns(player, players, *sets), random.Random(f"{name} {players}")
    asked = other = 0
    for game in range(12 if name == "best" else 60):
        places = table.places(game)
        kept = table.play(game, table.sorted)
        if table.table.jokers_laid:
            continue  # which cards are laid then depends on where the Jokers are
        for me in range(players):
            again = table.play(game, table.redealt(me, places, rng))
            assert again[me] == kept[me], (game, me)
            asked += 1
            other += sum(again[seat] != kept[seat] for seat in range(players) if seat != me)
    assert asked >= 10
    assert name == "random" or other > 0.5 * asked * (players - 1)


# ---- matches: no hidden card reaches a player --------------------------------------------------------------

_VIEW: Any = record_type(MATCH_VIEW)
_TABLE: Any = record_type(MATCH_TABLE)
_OUTCOMES: Any = array_of(record_type(MATCH_OUTCOME))


@kernel(types.int64(_VIEW, _TABLE, types.uint64, types.int64, _OUTCOMES))
def play_some_turns(view: Any, table: Any, game: Any, turns: int, outcomes: Any) -> int:
    """Deal a first round and play so many of its turns, without forcing; whose turn is next."""
    match.blank_outcome(outcomes[0])
    table.match_key = game_key(np.uint64(9), game)
    match.begin_match(view, table)
    view.round_number = 1
    table.key = draw(stream(table.match_key, position(1, MatchPurpose.DEAL, 0)), 0)
    match_setup.deal_round(view, table)
    seat = view.starter
    for _ in range(turns):
        view.turn += 1
        match_turns.take_turn(view, table, seat, outcomes[0])
        seat = match_setup.next_playing(view, seat)
    return seat


@kernel(types.int64(_VIEW, _TABLE, types.int64, _OUTCOMES, array_of(types.int64)))
def ask_all(view: Any, table: Any, seat: int, outcomes: Any, said: Any) -> int:
    """A whole turn of a player, its bet, whether it calls the next player's, what it keeps: -1 where not asked.

    The player before it has looked at its hand last, so that what the view is left with is that player's.
    """
    view.turn += 1
    before = (seat + view.players - 1) % view.players
    match_setup.list_hand(view, table, before)
    match_turns.pick_up(view, table, before)
    match_turns.put_back(view, table, before)
    match_turns.take_turn(view, table, seat, outcomes[0])
    said[:] = -1
    if may_force(view, table, seat):
        said[0] = ask_bet(view, table, seat, outcomes[0])
    if match_setup.can_enter(view, table, seat):
        view.forcer, view.bet = match_setup.next_playing(view, seat), 3
        match_turns.turn_to(view, table, seat, MatchAsk.CALL, MatchPurpose.CALL, 0)
        match_setup.list_hand(view, table, seat)
        said[1] = ask_policy(table.policy[seat], view)
        match_turns.turn_to(view, table, seat, MatchAsk.KEEP, MatchPurpose.KEEP, 0)
        match_setup.list_hand(view, table, seat)
        said[2] = ask_policy(table.policy[seat], view)
    return outcomes[0].fault


Answers = tuple[list[list[int]], list[int]]


class Matches:
    """First rounds of matches of one player of the toolkit, stopped at some turn; what is hidden is dealt anew."""

    def __init__(self, name: str, players: int, *sets: str) -> None:
        self.view, self.table = _match_records(*sets, players=players, outlook=name != "random")
        config: Any = load("furnace/default", sets, [players]).settings[0].config
        self.view.weights[:] = FURNACE.encode(config, players, [name] * players).rules["weights"][0]
        self.player = match_policies.policy(name)  # keeps its code alive
        self.table.policy[:players] = self.player.address
        self.players = players
        self.outcomes = np.zeros(1, MATCH_OUTCOME)

    def stop_at(self, game: int, turns: int) -> int:
        """Play so many turns; whose turn is next."""
        self.table.recording = 0
        return int(play_some_turns(self.view, self.table, np.uint64(game), turns, self.outcomes))

    def answers(self, seat: int) -> Answers:
        """All a seat does in its turn and says after it."""
        self.table.recording, self.table.log_first, self.table.logged = 1, 0, 0
        said = np.zeros(3, np.int64)
        assert ask_all(self.view, self.table, seat, self.outcomes, said) == 0
        return self.table.log[: self.table.logged].tolist(), said.tolist()

    def deal_anew(self, me: int, rng: random.Random) -> None:
        """The others' hands, the pile below the card that is drawn next and the Furnace's hidden cards: shuffled."""
        view, table = self.view, self.table
        others = [seat for seat in range(self.players) if seat != me]
        hands = {seat: _match_hand(view, table, seat) for seat in others}
        below_top = slice(0, max(int(table.pile_size) - 1, 0))
        closed = slice(int(view.open_cards), int(view.open_cards + view.hidden_cards))
        unseen = [card for hand in hands.values() for card in hand]
        unseen += [*table.pile[below_top].tolist(), *table.furnace[closed].tolist()]
        while True:
            rng.shuffle(unseen)
            if JOKER not in unseen[-int(view.hidden_cards) :]:
                break
        left = iter(unseen)
        for seat in others:
            table.held[seat], table.jokers[seat] = 0, 0
            for _ in hands[seat]:
                match_setup.take(view, table, seat, next(left))
        table.pile[below_top] = [next(left) for _ in range(below_top.stop)]
        table.furnace[closed] = list(left)


@pytest.mark.compiled
@pytest.mark.parametrize("name", match_policies.POLICY_NAMES)
@pytest.mark.parametrize(
    ("players", "sets"), [(3, ("match.qualify=12",)), (2, ("match.hidden_cards=3", "match.open_cards=1")), (6, ())]
)
def test_what_a_player_does_does_not_depend_on_what_is_hidden(name: str, players: int, sets: tuple[str, ...]) -> None:
    """All that a seat does not see is dealt anew before its turn: it plays, discards, bets, calls and keeps the same.

    The seat after it, asked in its place, mostly doesn't: it has another hand, though it draws the same card.
    """
    matches, rng = Matches(name, players, *sets), random.Random(f"{name} {players}")
    asked, other = np.zeros(3, np.int64), 0
    positions = [(game, turns) for game in range(8) for turns in (0, 1, 5, 11, 25, 60)]
    for game, turns in positions:
        found: list[list[Answers]] = []
        for anew in (False, True):
            both = []
            for after in (0, 1):
                me = matches.stop_at(game, turns)
                if anew:
                    with quiet_integers():
                        matches.deal_anew(me, rng)
                both.append(matches.answers((me + after) % players))
            found.append(both)
        assert found[0][0] == found[1][0], (game, turns)
        asked += np.array(found[0][0][1]) >= 0
        other += found[0][1] != found[1][1]
    assert asked[1:].min() > 0.6 * len(positions)
    assert asked[0] > 0
    assert other > 0.6 * len(positions)
