"""What a player is handed for its random draws tells neither the deal nor the draws of the other seats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from alchemy_sim.config.load import load
from alchemy_sim.core.bits import members_of
from alchemy_sim.core.jit import quiet_integers
from alchemy_sim.core.rng import GOLDEN, draw, game_key, position, sealed, stream
from alchemy_sim.games.crucible.game import GAME
from alchemy_sim.games.crucible.setup import ask_seat, clear, deal, find_lead
from alchemy_sim.games.crucible.table import Ask, Purpose, blank_table, view_of
from tests.conftest import games

WORD = 2**64
#: Places of a game's draws that an attack tries: turns of a whole mission, every purpose, seat and draw.
PLACES = np.arange(80 * 16 * 8 * 8, dtype=np.uint64)


@pytest.fixture(scope="module")
def records() -> tuple[Any, Any]:
    config = load("crucible/mission-04").settings[0].config
    return view_of(GAME.encode(config, 4, ["random"] * 4).rules), blank_table()


def handed(records: tuple[Any, Any], game: int) -> tuple[int, list[int], list[int]]:
    """The key of a game, and by seat what its player is handed at the first question, and its hand."""
    view, table = records
    with quiet_integers():
        table.key = game_key(np.uint64(1), np.uint64(game))
        clear(view, table)
        deal(view, table)
        find_lead(view, table)
        sources = []
        for seat in range(4):
            ask_seat(view, table, seat, Ask.KEEP, Purpose.KEEP)
            sources.append(int(view.source))
    return int(table.key), sources, [int(hand) for hand in table.hands[:4]]


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


def test_no_key_lies_behind_what_a_player_is_handed(records: tuple[Any, Any]) -> None:
    """Neither the game's key nor what another seat is handed."""
    for game in range(20):
        key, sources, _ = handed(records, game)
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


def test_what_a_player_is_handed_has_nothing_to_do_with_the_deal(records: tuple[Any, Any]) -> None:
    """Every bit of it against every card of every hand: the largest of 59,392 correlations stays below 6.5 sigma.

    With independent bits that fails once in 200,000 seeds; the seed is fixed. The last line shows that one leaked card
    would be found.
    """
    count = games(20_000, 300)
    bits, cards = np.zeros((count, 4, 64)), np.zeros((count, 4, 58))
    for game in range(count):
        _, sources, hands = handed(records, game)
        for seat in range(4):
            bits[game, seat, members_of(sources[seat])] = 1
            cards[game, seat, members_of(hands[seat])] = 1
    bits = (bits - bits.mean(0)) / bits.std(0)
    cards = (cards - cards.mean(0)) / cards.std(0)
    sigmas = np.einsum("gsb,gtc->sbtc", bits, cards, optimize=True) / np.sqrt(count)
    assert sigmas.size == 59_392
    assert np.abs(sigmas).max() < 6.5
    assert np.abs((cards[:, 0, 3] * cards[:, 0, 3]).sum() / np.sqrt(count)) > 6.5
