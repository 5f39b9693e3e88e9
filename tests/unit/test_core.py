"""The lowest layer: random draws by position, masks, and the tree of errors."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from alchemy_sim.core import errors
from alchemy_sim.core.bits import ONE, ZERO, highest, kth, kth_by_loop, lowest, mask_of, members_of, popcount
from alchemy_sim.core.errors import (
    AlchemyError,
    CheckFailed,
    ConfigError,
    Interrupted,
    StoreError,
    UsageError,
    nearest,
    unknown,
)
from alchemy_sim.core.jit import JIT_OFF, array_of, helper, kernel, quiet_integers, types
from alchemy_sim.core.rng import DRAWS, PURPOSES, SEATS, below, below_low, draw, game_key, mix64, position, stream
from tests.conftest import games

WORDS = st.integers(0, 2**64 - 1)
FILLED = st.integers(1, 2**64 - 1)

# Intrinsics live inside compiled code only, so a few one-line helpers call them.


@helper
def call_popcount(mask: Any) -> int:
    return popcount(mask)


@helper
def call_lowest(mask: Any) -> int:
    return lowest(mask)


@helper
def call_highest(mask: Any) -> int:
    return highest(mask)


@kernel(types.void(types.uint64, types.uint64, array_of(types.int64), array_of(types.int64)))
def draw_many(key: Any, bound: Any, upper: Any, lower: Any) -> None:
    """`below` and `below_low` of the draws 0, 1, ... of one key."""
    for index in range(upper.shape[0]):
        bits = draw(key, index)
        upper[index] = below(bits, np.int64(bound))
        lower[index] = below_low(bits, np.int64(bound))


# ---- rng ---------------------------------------------------------------------------------------------------


def splitmix64(seed: int, count: int) -> list[int]:
    """The published generator (Vigna's splitmix64.c), in Python integers."""
    word = 2**64 - 1
    outputs = []
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & word
        z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & word
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & word
        outputs.append(z ^ (z >> 31))
    return outputs


def test_draws_are_splitmix64() -> None:
    """Against the published outputs for the seed 1234567."""
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert splitmix64(1234567, 5) == published
    with quiet_integers():
        assert [int(draw(np.uint64(1234567), index)) for index in range(5)] == published


@given(WORDS)
@settings(deadline=None)
def test_any_key_and_any_place_of_its_stream(key: int) -> None:
    outputs = splitmix64(key, 40)
    with quiet_integers():
        assert [int(draw(np.uint64(key), index)) for index in range(40)] == outputs
        # a stream from position p on is the same outputs p places later
        assert [int(draw(np.uint64(stream(np.uint64(key), 17)), index)) for index in range(20)] == outputs[17:37]


def test_positions_are_distinct() -> None:
    """No two decisions share a draw: turns, purposes and seats, each with `DRAWS` draws."""
    places = {
        int(position(turn, purpose, seat)) + index
        for turn in range(30)
        for purpose in range(PURPOSES)
        for seat in range(SEATS)
        for index in range(DRAWS)
    }
    assert places == set(range(30 * PURPOSES * SEATS * DRAWS))


def test_the_words_of_a_game_are_distinct_between_games_and_seeds() -> None:
    with quiet_integers():
        keys = {int(game_key(np.uint64(seed), np.uint64(game))) for seed in range(60) for game in range(60)}
        assert len(keys) == 3600
        assert len({int(mix64(np.uint64(value))) for value in range(5000)}) == 5000
        top = np.uint64(2**64 - 1)
        assert int(game_key(top, top)) != int(game_key(top, np.uint64(0)))


@pytest.mark.parametrize("bound", [2, 3, 4, 7, 19, 40, 58])
def test_below_is_uniform(bound: int) -> None:
    """Chi-square of both halves of a word and of the two together; false alarm 1e-6 each, 21 in all."""
    upper, lower = (np.zeros(games(400_000, 8_000), np.int64) for _ in range(2))
    with quiet_integers():
        draw_many(np.uint64(2**63 + bound), np.uint64(bound), upper, lower)
    for values, cells in ((upper, bound), (lower, bound), (upper * bound + lower, bound * bound)):
        counts = np.bincount(values, minlength=cells)
        assert len(counts) == cells
        expected = len(values) / cells
        if expected > 2:
            assert chi2.sf(((counts - expected) ** 2 / expected).sum(), cells - 1) > 1e-6


@given(WORDS, st.integers(1, 58))
@settings(deadline=None)
def test_below_by_its_definition(word: int, bound: int) -> None:
    with quiet_integers():
        assert below(np.uint64(word), bound) == (word >> 32) * bound >> 32
        assert below_low(np.uint64(word), bound) == (word & 0xFFFFFFFF) * bound >> 32


# ---- bits --------------------------------------------------------------------------------------------------


@given(FILLED)
@settings(deadline=None)
def test_masks_against_integers(value: int) -> None:
    mask = np.uint64(value)
    members = [bit for bit in range(64) if value >> bit & 1]
    assert members_of(mask) == members
    assert mask_of(members) == mask
    assert call_popcount(mask) == len(members)
    assert call_lowest(mask) == members[0]
    assert call_highest(mask) == members[-1]
    assert [int(kth(mask, k)) for k in range(len(members))] == members
    assert [int(kth_by_loop(mask, k)) for k in range(len(members))] == members


def test_the_empty_mask() -> None:
    assert members_of(ZERO) == []
    assert mask_of([]) == ZERO
    assert call_popcount(ZERO) == 0
    assert mask_of([0]) == ONE
    assert mask_of(range(64)) == np.uint64(2**64 - 1)
    if not JIT_OFF:
        assert (call_lowest(ZERO), call_highest(ZERO)) == (64, -1)


def test_masks_stay_unsigned() -> None:
    """`uint64` throughout: numba would make int64, numpy float64, of a mixed pair."""
    top = np.uint64(2**63)
    assert call_highest(top | ONE) == 63
    assert call_popcount(~ZERO) == 64
    assert mask_of([63]).dtype == np.uint64
    assert int(kth(top | ONE, 1)) == 63


# ---- errors ------------------------------------------------------------------------------------------------


def test_the_nearest_name() -> None:
    assert nearest("pley_on", ["stop", "play_on"]) == ' (did you mean "play_on"?)'
    assert nearest("THUMB", ["random", "thumb"]) == ' (did you mean "thumb"?)'
    assert nearest("xyzzy", ["random", "thumb"]) == ""
    assert nearest("anything", []) == ""


def test_an_unknown_name_is_one_line() -> None:
    assert unknown("policy", "thum", ["random", "thumb"]) == (
        'unknown policy "thum" (did you mean "thumb"?); allowed: random, thumb'
    )
    assert unknown("game", "chess", iter(["crucible"])) == 'unknown game "chess"; allowed: crucible'
    assert "\n" not in unknown("task", "T99", [f"T{number:02d}" for number in range(1, 41)])


def test_the_tree_of_errors() -> None:
    """All errors a user can meet have one root, an exit code of the contract, and stand in the drawn tree.

    A check that says no is no error, and stands beside it.
    """
    found = {value for value in vars(errors).values() if inspect.isclass(value) and issubclass(value, Exception)}
    assert CheckFailed.exit_code == 1
    assert not issubclass(CheckFailed, AlchemyError)
    found.remove(CheckFailed)
    assert found == {AlchemyError, ConfigError, UsageError, StoreError, Interrupted}
    assert all(issubclass(each, AlchemyError) for each in found)
    assert {each.exit_code for each in found - {Interrupted}} == {2}
    assert Interrupted.exit_code == 3
    assert all(each.__name__ in (errors.__doc__ or "") for each in found)


def test_interrupted_work_tells_how_to_go_on() -> None:
    stopped = Interrupted("stopped at 3 of 7 parts", "alchemy-sim run x --out y")
    assert str(stopped) == "stopped at 3 of 7 parts"
    assert stopped.resume == "alchemy-sim run x --out y"
    assert Interrupted("stopped").resume == ""
