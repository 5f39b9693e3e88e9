"""The Furnace's words and tables: cards, decks, straights, the hash of ranks, kinds of kept cards, mistakes (1 and 5).

What hands are worth is in `tests/oracle/test_furnace_hands.py`.
"""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
import pytest

from alchemy_sim.config.load import load
from alchemy_sim.core.bits import ONE, ZERO, members_of
from alchemy_sim.core.errors import ConfigError
from alchemy_sim.core.game import game
from alchemy_sim.core.jit import array_of, kernel, one_record, quiet_integers, record_type, types
from alchemy_sim.games.crucible import table as crucible
from alchemy_sim.games.furnace.claims import MOST_CARDS, multisets, ranks_in_deck, straight_windows
from alchemy_sim.games.furnace.evaluate import slot_of, strengths
from alchemy_sim.games.furnace.names import (
    CARDS,
    CATEGORIES,
    JOKER,
    MOST_FAMILIES,
    RANK_COUNT,
    RANKS,
    TITLES,
    card_name,
    card_number,
)
from alchemy_sim.games.furnace.outlook import OUTLOOK
from alchemy_sim.games.furnace.showdown.kept import KEPT_LABELS, kind_of
from alchemy_sim.games.furnace.showdown.simulate import cards_in
from alchemy_sim.games.furnace.showdown.table import OUTCOME, TABLE
from alchemy_sim.games.furnace.showdown.view import VIEW
from alchemy_sim.games.furnace.tables import (
    FIRST_SLOT,
    HANDS,
    RANK_KEYS,
    SLOT_BITS,
    SLOTS,
    TRUMPS_AT,
    Deck,
    _places,
    hands_of,
)
from tests.oracle import furnace_oracle as oracle
from tests.oracle.furnace_kinds import kind_label
from tests.unit.test_config_mistakes import matches, refusal

ACES = ("both", "high", "low")
SIZES = range(1, MOST_CARDS + 1)


# ---- cards and decks ---------------------------------------------------------------------------------------


def test_every_card_has_a_name_of_its_own() -> None:
    names = [card_name(card) for card in range(CARDS)]
    assert names == [*oracle.deck(oracle.Rules(families=MOST_FAMILIES)), "JK"]
    assert [card_number(name) for name in names] == list(range(CARDS))
    assert len(set(names)) == CARDS == 85
    assert (card_name(0), card_name(23), card_name(69), card_name(JOKER)) == ("W2", "CJ", "EA", "JK")


UNKNOWN_CARDS = {
    "W11": 'unknown card "W11" (did you mean "W10"?); cards are written W10, CN, TA, JK',
    "wa": 'unknown card "wa" (did you mean "WA"?); *',
    "Jk": 'unknown card "Jk" (did you mean "JK"?); *',
    "10W": 'unknown card "10W" (did you mean "W10"?); *',
    "JOKER": 'unknown card "JOKER"; cards are written W10, CN, TA, JK',
    "": 'unknown card ""; cards are written W10, CN, TA, JK',
}


@pytest.mark.parametrize("name", UNKNOWN_CARDS)
def test_an_unknown_card_is_one_line(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        card_number(name)
    assert matches(str(caught.value), UNKNOWN_CARDS[name])


def test_the_hands_are_those_of_the_rule_page() -> None:
    assert CATEGORIES == oracle.ORDER
    assert len(TITLES) == len(CATEGORIES)
    assert [title.lower().replace(" ", "_")[:4] for title in TITLES] == [name[:4] for name in CATEGORIES]


@pytest.mark.parametrize("ranks", range(5, RANK_COUNT + 1))
def test_the_ranks_of_a_deck(ranks: int) -> None:
    """13: no Knight; fewer: nor the lowest."""
    assert tuple(RANKS[rank] for rank in ranks_in_deck(ranks)) == oracle.deck_ranks(ranks)


@pytest.mark.parametrize("sets", [(), ("deck.families=5", "deck.ranks=13"), ("deck.trumps=false", "deck.jokers=0")])
def test_the_cards_of_a_deck(sets: tuple[str, ...]) -> None:
    config: Any = load("furnace/showdown", (*sets, "players=2")).settings[0].config
    cards = cards_in(game("showdown").encode(config, 2, ["random"] * 2).rules)
    rules = oracle.Rules(*config.evaluated())
    assert [card_name(card) for card in cards] == oracle.deck(rules) + ["JK"] * config.deck.jokers
    assert len(cards) == config.deck.natural + config.deck.jokers


WINDOWS = {
    (14, "both"): "A2345 23456 34567 45678 56789 6789T 789TJ 89TJN 9TJNQ TJNQK JNQKA",
    (14, "high"): "23456 34567 45678 56789 6789T 789TJ 89TJN 9TJNQ TJNQK JNQKA",
    (14, "low"): "A2345 23456 34567 45678 56789 6789T 789TJ 89TJN 9TJNQ TJNQK",
    (13, "both"): "A2345 23456 34567 45678 56789 6789T 789TJ 89TJQ 9TJQK TJQKA",
    (9, "both"): "A6789 6789T 789TJ 89TJQ 9TJQK TJQKA",
    (9, "high"): "6789T 789TJ 89TJQ 9TJQK TJQKA",
    (9, "low"): "A6789 6789T 789TJ 89TJQ 9TJQK",
    (6, "both"): "A9TJQ 9TJQK TJQKA",
    (6, "low"): "A9TJQ 9TJQK",
    (5, "both"): "TJQKA",
    (5, "high"): "TJQKA",
    (5, "low"): "ATJQK",
}


@pytest.mark.parametrize(("ranks", "ace"), WINDOWS)
def test_straights(ranks: int, ace: str) -> None:
    """From the lowest up; the royal one is the highest, and there is none where the Ace is low only."""
    masks, royal = straight_windows(ranks, ace)
    wanted = WINDOWS[ranks, ace].replace("T", "0").split()
    assert [{RANKS[rank][-1] for rank in members_of(mask)} for mask in masks] == [set(each) for each in wanted]
    assert royal == (-1 if ace == "low" else len(wanted) - 1)


# ---- the hash of ranks -------------------------------------------------------------------------------------


@kernel(types.void(record_type(HANDS), types.int64, array_of(types.uint64), array_of(types.int64)))
def slots_of(hands: Any, cards: int, keys: Any, found: Any) -> None:
    """Where the kernel looks up hands of `cards` cards."""
    for row in range(keys.shape[0]):
        found[row] = slot_of(hands, cards, keys[row])


@pytest.mark.parametrize("cards", SIZES)
def test_multisets_are_all_there(cards: int) -> None:
    counts = multisets(cards)
    assert counts.shape == (comb(RANK_COUNT + cards - 1, cards), RANK_COUNT)
    assert (counts.sum(1) == cards).all()
    assert len(np.unique(counts, axis=0)) == len(counts)


def test_sums_of_rank_keys_stay_below_the_marks_of_trumps() -> None:
    assert MOST_CARDS * max(RANK_KEYS) < 1 << TRUMPS_AT


@pytest.mark.parametrize("cards", SIZES)
def test_no_two_multisets_share_a_slot(cards: int) -> None:
    """Else one of them would be taken for the other; what lies above the hash in a key must not matter."""
    sums = multisets(cards).astype(np.uint64) @ np.array(RANK_KEYS, np.uint64)
    assert len(np.unique(sums)) == len(sums)
    rest = np.random.default_rng(cards).integers(0, 1 << 32, len(sums), np.uint64) << np.uint64(TRUMPS_AT)
    found = np.zeros(len(sums), np.int64)
    with quiet_integers():
        slots_of(hands_of(Deck()), cards, sums + rest, found)
    assert len(np.unique(found)) == len(found)
    assert np.array_equal(found, FIRST_SLOT[cards] + _places(cards)[0])
    first = int(FIRST_SLOT[cards])
    assert first <= found.min() <= found.max() < first + (1 << int(SLOT_BITS[cards])) <= SLOTS


def test_tables_of_different_sizes_lie_apart() -> None:
    ranges = sorted((int(FIRST_SLOT[cards]), 1 << int(SLOT_BITS[cards])) for cards in SIZES)
    assert [at for at, _ in ranges] == np.cumsum([0, *(size for _, size in ranges[:-1])]).tolist()
    assert sum(size for _, size in ranges) == SLOTS


def test_a_deck_has_one_record_of_tables() -> None:
    assert hands_of(Deck()) is hands_of(Deck())
    assert hands_of(Deck()) is not hands_of(Deck(ace="low"))


@pytest.mark.parametrize("shape", [(3,), (3, 0), (3, 8), (1, 2, 3)])
def test_hands_of_a_wrong_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"cards must have the shape \(hands, 1 to 7\)"):
        strengths(hands_of(Deck()), np.zeros(shape, np.uint8))


@pytest.mark.parametrize("dtype", [VIEW, TABLE, OUTCOME, HANDS, OUTLOOK, crucible.VIEW, crucible.TABLE])
def test_no_field_of_a_record_is_hidden_by_numpy(dtype: np.dtype) -> None:
    """In plain Python `record.size` is numpy's 1 and not the field, while compiled code reads the field."""
    assert not set(dtype.names or ()) & set(dir(np.record))


# ---- kinds of kept cards -----------------------------------------------------------------------------------


@kernel(types.void(record_type(VIEW), array_of(types.uint8, 2), array_of(types.int64)))
def kinds(view: Any, cards: Any, found: Any) -> None:
    """The kinds of each row of cards, which lie scattered in the hand."""
    for row in range(cards.shape[0]):
        chosen = ZERO
        for place in range(cards.shape[1]):
            view.cards[3 * place + 1] = cards[row, place]
            chosen |= ONE << np.uint64(3 * place + 1)
        found[row] = kind_of(view, chosen)


def kernel_labels(cards: list[tuple[int, ...]], ranks: int, ace: str) -> list[str]:
    view, found = one_record(VIEW), np.zeros(len(cards), np.int64)
    view.ranks, view.ace = ranks, ACES.index(ace)
    view.cards[:] = JOKER
    with quiet_integers():
        kinds(view, np.array(cards, np.uint8), found)
    return [KEPT_LABELS[kind] for kind in found]


def deck_of(ranks: int) -> list[int]:
    return [card_number(name) for name in oracle.deck(oracle.Rules(ranks=ranks))]


def assert_kinds(cards: list[tuple[int, ...]], ranks: int, ace: str) -> set[str]:
    found = kernel_labels(cards, ranks, ace)
    wanted = [kind_label([card_name(card) for card in each], ranks, ace) for each in cards]
    wrong = [(each, one, two) for each, one, two in zip(cards, found, wanted, strict=True) if one != two]
    assert not wrong, [([card_name(card) for card in each], *labels) for each, *labels in wrong[:5]]
    return set(found)


def test_labels_of_kinds() -> None:
    assert KEPT_LABELS[:5] == ("other", "pair", "family", "pair_family", "connected")
    assert (KEPT_LABELS[8], KEPT_LABELS[14], len(KEPT_LABELS)) == ("trump", "family_connected_trump", 16)


@pytest.mark.parametrize("ace", ACES)
@pytest.mark.parametrize("ranks", [14, 13, 9, 5])
def test_kinds_of_all_pairs_of_cards(ranks: int, ace: str) -> None:
    labels = assert_kinds(list(permutations(deck_of(ranks), 2)), ranks, ace)
    trump = {"trump", "pair_trump", "connected_trump", "family_trump", "family_connected_trump"}
    assert labels == {"other", "pair", "connected", "family", "family_connected", *trump}


@pytest.mark.parametrize("ace", ACES)
def test_kinds_of_one_and_of_three_cards(ace: str) -> None:
    assert assert_kinds([(card,) for card in deck_of(14)], 14, ace) == {"family", "family_trump"}
    for ranks in (14, 9):
        few = deck_of(ranks)
        few = [card for card in few if card // RANK_COUNT in (0, 1, MOST_FAMILIES)]
        labels = assert_kinds(list(combinations(few, 3)), ranks, ace)
        assert {"family_connected", "connected_trump", "pair_trump", "pair", "family_connected_trump"} <= labels


@pytest.mark.parametrize(
    ("cards", "ranks", "ace", "label"),
    [
        ("WA W2", 14, "both", "family_connected"),
        ("WA W2", 14, "high", "family"),
        ("WA CK", 14, "low", "other"),
        ("WJ CQ", 14, "both", "other"),
        ("WJ CQ", 13, "both", "connected"),
        ("WA C6", 9, "both", "connected"),
        ("TA S6", 9, "high", "trump"),
        ("T5 S5", 14, "both", "pair_trump"),
        ("T5 T6", 14, "both", "family_connected_trump"),
        ("WK CA W2", 14, "both", "other"),
    ],
)
def test_kinds_by_hand(cards: str, ranks: int, ace: str, label: str) -> None:
    """Written down by a person, for a twin can be wrong too."""
    numbers = tuple(card_number(name) for name in cards.split())
    assert kernel_labels([numbers], ranks, ace) == [label]


# ---- mistakes in configurations ----------------------------------------------------------------------------

HANDS_IN_ORDER = ",".join(CATEGORIES)
PLAYERS = "must be among 2, 3, 4, 5, 6 (one number or a list)"
MISTAKES = {
    ("players=1",): f"--set players=1: {PLAYERS}",
    ("players=7",): f"--set players=7: {PLAYERS}",
    ("players=2,7",): f"--set players=2,7: {PLAYERS}",
    ("deck.families=0",): "--set deck.families=0: must be a whole number from 1 to 5",
    ("deck.families=6",): "--set deck.families=6: must be a whole number from 1 to 5",
    ("deck.ranks=4",): "--set deck.ranks=4: must be a whole number from 5 to 14",
    ("deck.ranks=15",): "--set deck.ranks=15: must be a whole number from 5 to 14",
    ("deck.trumps=1",): "--set deck.trumps=1: must be true or false",
    ("deck.rank=13",): '--set deck.rank=13: unknown key "deck.rank" (did you mean "deck.ranks"?); *',
    # a deck too small
    ("deck.ranks=9",): "--set deck.ranks=9: a deck of 51 cards is too small for 6 players: hands and Furnace take 59 "
    "and 6 to replace Jokers in the Furnace",
    ("deck.families=1", "players=4"): "--set deck.families=1: a deck of 34 cards is too small for 4 players: hands and "
    "Furnace take 41 and 6 to replace Jokers in the Furnace",
    ("deck.ranks=9", "rulings.community_joker=dead"): "--set deck.ranks=9: a deck of 51 cards is too small for 6 "
    "players: hands and Furnace take 59",
    ("match.hand=12",): "--set match.hand=12: a deck of 76 cards is too small for 6 players: *",
    # Jokers
    ("deck.jokers=-1",): "--set deck.jokers=-1: must be a whole number from 0 to 12",
    ("deck.jokers=13",): "--set deck.jokers=13: must be a whole number from 0 to 12",
    ("deck.jokers=8",): "--set deck.jokers=8: a hand of 9 could hold 8 Jokers, and 2 other cards are kept",
    ("match.hand=7",): "--set match.hand=7: a hand of 7 could hold 6 Jokers, and 2 other cards are kept",
    # the cards of a final hand
    ("match.kept=0",): "--set match.kept=0: must be a whole number from 1 to 3",
    ("match.kept=3",): "--set match.kept=3: kept, open_cards and hidden_cards add up to 8; 5 to 7 are allowed",
    ("match.hidden_cards=3",): "--set match.hidden_cards=3: kept, open_cards and hidden_cards add up to 8; *",
    ("match.open_cards=0",): "--set match.open_cards=0: kept, open_cards and hidden_cards add up to 4; *",
    # the order of the hands
    ("hand_order=" + HANDS_IN_ORDER.replace("straight_flush,", ""),): "*: must name each of the ten hands once; "
    "straight_flush is missing",
    ("hand_order=" + HANDS_IN_ORDER.replace(",high", ""),): "*: must name each of the ten hands once; high is missing",
    ("hand_order=" + HANDS_IN_ORDER + ",pair",): "*: must name each of the ten hands once; pair stands there twice",
    ("hand_order=" + HANDS_IN_ORDER.replace("high", "four"),): "*: must name each of the ten hands once; four stands "
    "there twice",
    ("hand_order=" + HANDS_IN_ORDER.replace("two_pair", "two_pairs"),): '*: unknown hand "two_pairs" (did you mean '
    '"two_pair"?); allowed: royal, straight_flush, four, *, high',
    ("hand_order=royal",): "--set hand_order=royal: must name each of the ten hands once; straight_flush is missing",
    ("hand_order=3",): "--set hand_order=3: must be texts in quotes (one or a list)",
    # rulings
    ("rulings.ace=hihg",): '--set rulings.ace=hihg: must be one of "both", "high", "low" (did you mean "high"?)',
    ("rulings.tie_order=rank",): '--set rulings.tie_order=rank: must be one of "ranks_then_trump", "trump_then_ranks"*',
    ("rulings.joker=dead",): '--set rulings.joker=dead: unknown key "rulings.joker" *',
}


@pytest.mark.parametrize("sets", MISTAKES, ids=" ".join)
def test_mistakes_in_a_configuration_are_one_line(sets: tuple[str, ...]) -> None:
    line = refusal("furnace/showdown", *sets)
    assert matches(line, MISTAKES[sets]), line


def test_settings_at_the_edge_are_allowed() -> None:
    """What is refused above is refused no earlier than it must be."""
    for sets in (
        ("deck.ranks=12",),
        ("deck.jokers=7",),
        ("match.hand=8",),
        ("match.kept=3", "match.open_cards=2"),
        ("match.kept=2", "match.hidden_cards=0"),
        ("deck.ranks=5", "deck.families=1", "deck.jokers=0", "players=2", "match.hand=2", "match.hidden_cards=0"),
        ("hand_order=" + ",".join(reversed(CATEGORIES)),),
    ):
        load("furnace/showdown", sets)


def test_exactly_enough_cards_are_enough() -> None:
    """70 + 6 cards: six hands of 10, the Furnace's 5 and the 6 Jokers it may have to put back are 71; of 11, 77."""
    load("furnace/showdown", ("match.hand=10",))
    assert "too small" in refusal("furnace/showdown", "match.hand=11")
    load("furnace/showdown", ("match.hand=11", "rulings.community_joker=dead"))
