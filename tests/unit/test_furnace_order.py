"""The order of the hands against their counts: by brute force where that is possible."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest

from alchemy_sim.games.furnace.config import DeckConfig, FurnaceConfig, FurnaceRulings
from alchemy_sim.games.furnace.counting import Counts, count_hands
from alchemy_sim.games.furnace.lint import lint
from alchemy_sim.games.furnace.names import CATEGORIES
from alchemy_sim.games.furnace.order import (
    Move,
    counts_under,
    fewest_moves,
    inversions_in,
    judge_order,
    nearest_orders,
)
from alchemy_sim.games.furnace.tables import Deck

SMALL = Deck(families=3, ranks=7)


def test_counts_under_another_order_are_those_of_a_deck_with_that_order():
    counts = count_hands(SMALL, 7)
    for seed in range(3):
        order = Random(seed).sample(CATEGORIES, len(CATEGORIES))
        other = count_hands(SMALL._replace(order=tuple(order)), 7)
        assert counts_under(counts, order) == counts_under(other, order)
        by_strength = other.strengths.reshape(16, -1).sum(1)[: len(order)]
        assert [counts_under(counts, order)[name] for name in reversed(order)] == by_strength.tolist()


def moved(order, move):
    rest = [name for name in order if name != move.category]
    rest.insert(0 if move.below is None else rest.index(move.below) + 1, move.category)
    return tuple(rest)


def test_moves_lead_there_and_no_fewer_do():
    """Against a search through all that one, two or three moves can reach."""
    rng = Random(4)
    names = CATEGORIES[:5]
    for _ in range(40):
        wanted = tuple(rng.sample(names, 5))
        moves = fewest_moves(names, wanted)
        order = names
        for move in moves:
            order = moved(order, move)
        assert order == wanted
        reached = {names}
        for _ in range(len(moves) - 1):
            reached |= {moved(each, Move(a, b)) for each in reached for a in names for b in [None, *names] if a != b}
        assert (wanted not in reached) if moves else wanted == names


def test_the_nearest_order_has_the_fewest_inversions_of_all():
    rng = np.random.default_rng(3)
    names = CATEGORIES[3:]
    claims = np.zeros(1 << len(CATEGORIES), np.int64)
    for _ in range(30):
        claims[int(rng.integers(1, 128)) << 3] += int(rng.integers(1, 1000))
    counts = Counts(np.zeros(0, np.int64), claims, int(claims.sum()))
    found = nearest_orders(counts, (*CATEGORIES[:3], *names))

    def wrong(order):
        under = counts_under(counts, order)
        return sum(under[a] > under[b] for a, b in combinations(order[:-1], 2))

    least = min(wrong((*CATEGORIES[:3], *each, "high")) for each in permutations(names[:-1]))
    assert wrong(found[0]) <= least
    assert {wrong(each) for each in found[:20]} == {wrong(found[0])}
    moves = [len(fewest_moves((*CATEGORIES[:3], *names), each)) for each in found]
    assert moves == sorted(moves)


def test_what_the_default_deck_says():
    """Wild Trumps make the flush commoner than what it beats; one move mends that for five cards."""
    five, seven = judge_order(Deck(), 5), judge_order(Deck(), 7)
    assert five.counts["flush"] == 385_739
    assert five.rarity.index("flush") + 1 == 7
    assert five.inversions == (("flush", "straight"), ("flush", "three"))
    assert five.moves == seven.moves == (Move("flush", "three"),)
    assert five.left == ()
    assert seven.left == (("flush", "two_pair"),)
    own = judge_order(Deck(furnace_trump="own_family"), 7)
    assert [pair for pair in own.inversions if "high" not in pair] == [("full_house", "flush")]
    assert (own.moves, own.left) == ((Move("flush", "four"),), ())


def test_poker_is_in_order():
    found = judge_order(Deck(ranks=13, trumps=False), 5)
    assert found.inversions == ()
    assert found.nearest == CATEGORIES
    assert inversions_in(CATEGORIES, dict.fromkeys(CATEGORIES, 1)) == ()


def remarks(config, players=4):
    return {(each.subject, each.status): each.reason for each in lint(config, players)}


def test_lint_names_inversions_and_what_the_list_leaves_out():
    found = remarks(FurnaceConfig())
    assert {subject for subject, status in found if status == "inverted"} == {
        *("full_house", "flush", "straight", "three", "two_pair"),
    }
    assert "commoner than Straight, Three of a Kind, Two Pair, which it beats" in found["flush", "inverted"]
    assert {subject for subject, status in found if status == "unranked"} == {
        *("high_card", "five_of_a_rank", "doubled_rank"),
    }
    assert found["five_of_a_rank", "unranked"].startswith("29,120 hands")


@pytest.mark.parametrize(
    ("config", "subject", "status"),
    [
        (FurnaceConfig(rulings=FurnaceRulings(ace="low")), "royal", "dead"),
        (FurnaceConfig(rulings=FurnaceRulings(community_joker="dead")), "short_hand", "unranked"),
        (FurnaceConfig(deck=DeckConfig(families=1, jokers=0), players=(2,)), "full_house", "dead"),
    ],
)
def test_lint_of_other_decks(config, subject, status):
    assert (subject, status) in remarks(config, 2)
    assert ("doubled_rank", "unranked") not in remarks(
        FurnaceConfig(rulings=FurnaceRulings(furnace_trump="own_family"))
    )


def test_five_of_a_rank_is_counted_right():
    """Against all seven-card hands of a small deck."""
    ranks = np.repeat(np.arange(5), 5)
    hands = ranks[np.array(list(combinations(range(25), 7)))]
    number = int((np.stack([(hands == rank).sum(1) for rank in range(5)]).max(0) >= 5).sum())
    config = FurnaceConfig(deck=DeckConfig(families=4, ranks=5, jokers=0), players=(2,), match={"hand": 2})
    assert remarks(config, 2)["five_of_a_rank", "unranked"].startswith(f"{number:,} hands")
