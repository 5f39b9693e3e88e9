"""Keyed randomness: a draw is a function of (seed, game, position), never of what was drawn before.

A game's draws are the outputs of splitmix64 (Steele, Lea and Flood, 2014; the public-domain reference by S. Vigna)
started at the game's key, taken at any position: output n is mix64(key + (n + 1) * GOLDEN). So a decision's draws don't
depend on how many were made before it, a changed rule shifts nothing else, and any game can be replayed alone.

A position is made of (turn, purpose, seat, index): `position`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alchemy_sim.core.jit import helper

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_ONE = np.uint64(1)
_LOW = np.uint64(0xFFFFFFFF)
_HIGH = np.uint64(0xFFFFFFFF00000000)

#: Room of a purpose in one turn: 8 seats of 8 draws, or 64 draws of the table's own (a deal).
DRAWS = 8
SEATS = 8
PURPOSES = 16


@helper
def mix64(value: Any) -> Any:
    """The output function of splitmix64: a bijection of 64-bit words."""
    value = (value ^ (value >> _S30)) * _MIX_1
    value = (value ^ (value >> _S27)) * _MIX_2
    return value ^ (value >> _S31)


@helper
def game_key(seed: Any, game: Any) -> Any:
    """The key of game number `game` (uint64) under `seed` (uint64)."""
    return mix64(mix64(seed + GOLDEN) + (game + _ONE) * GOLDEN)


@helper
def position(turn: int, purpose: int, seat: int) -> int:
    """Where the draws of a decision start: `turn` from 0, `purpose` below 16, `seat` below 8."""
    return ((turn * PURPOSES + purpose) * SEATS + seat) * DRAWS


@helper
def stream(key: Any, start: int) -> Any:
    """The stream of draws that starts at position `start` of a game: hand it to `draw`."""
    return key + np.uint64(start) * GOLDEN


@helper
def draw(source: Any, index: int) -> Any:
    """Draw number `index` (from 0) of a stream: 64 random bits."""
    return mix64(source + np.uint64(index + 1) * GOLDEN)


@helper
def sealed(source: Any) -> Any:
    """A key of its own made of the first two draws of a stream: what a player may be handed.

    A draw can be turned back into the key it comes from, for `mix64` is a bijection. Of these two only the upper halves
    are kept, so that the key, and with it every other draw of the game, is a search over 2^32 words away. (Who guesses
    the seed can search its games for a hand; nothing helps against that, for a seed has to give the same games again.)
    """
    return (draw(source, 0) & _HIGH) | (draw(source, 1) >> _S32)


@helper
def below(bits: Any, bound: int) -> int:
    """A number from 0 to bound - 1 out of the upper 32 of 64 random bits (bias below bound / 2^32)."""
    return np.int64(((bits >> _S32) * np.uint64(bound)) >> _S32)  # type: ignore[return-value]


@helper
def below_low(bits: Any, bound: int) -> int:
    """The same out of the lower 32 bits: a second draw from one word."""
    return np.int64(((bits & _LOW) * np.uint64(bound)) >> _S32)  # type: ignore[return-value]


@helper
def shuffle(cards: Any, size: int, source: Any) -> None:
    """Shuffle `cards[:size]`, two places a word of random bits."""
    for pair in range(size // 2):
        bits = draw(source, pair)
        first, left = 2 * pair, size - 2 * pair
        other = first + below(bits, left)
        cards[first], cards[other] = cards[other], cards[first]
        other = first + 1 + below_low(bits, left - 1)
        cards[first + 1], cards[other] = cards[other], cards[first + 1]
