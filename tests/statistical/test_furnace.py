"""The Furnace's chances: exact counts of hands, poker by another evaluator, the deal, the players of showdowns.

Seeds are fixed, so each of these tests passes or fails for good. `ALARM` is what the choice of a seed could have done
to correct code: the chance that any of the comparisons that share it fails, for each test.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.stats import binomtest, chi2, hypergeom

from alchemy_sim.core.jit import array_of, ask_policy, kernel, record_type, types
from alchemy_sim.core.rng import game_key
from alchemy_sim.core.room import stack_floats, stack_masks
from alchemy_sim.games.furnace.claims import multisets
from alchemy_sim.games.furnace.counting import Counts, count_hands
from alchemy_sim.games.furnace.deck import cards_in, deck_in
from alchemy_sim.games.furnace.evaluate import strength, strengths
from alchemy_sim.games.furnace.names import CATEGORIES, JOKER, RANK_COUNT, RANKS, card_number
from alchemy_sim.games.furnace.outlook import outlook_of, percentiles
from alchemy_sim.games.furnace.showdown.kernel import deal, lay_furnace, show_hand
from alchemy_sim.games.furnace.showdown.policies import policy
from alchemy_sim.games.furnace.showdown.policies.choices import MOST_CHOICES, list_choices
from alchemy_sim.games.furnace.showdown.policies.expect import expect
from alchemy_sim.games.furnace.showdown.simulate import ready_view
from alchemy_sim.games.furnace.showdown.table import SHARES, TABLE, blank_table
from alchemy_sim.games.furnace.showdown.view import VIEW
from alchemy_sim.games.furnace.tables import CATEGORY_AT, FIRST_SLOT, HANDS, STRENGTH_BITS, Deck, _places, hands_of
from tests.oracle import furnace_oracle as oracle
from tests.oracle.test_furnace_hands import ANYHOW, DECKS, GAME, OWN, TRUMP_FIRST, setting

with warnings.catch_warnings():  # its parser of ranges, not used here, calls another package by old names
    warnings.simplefilter("ignore")
    import eval7

SEED = 88_001
ALARM = 1e-6
#: What a wrong law must fall below.
REJECTED = 1e-20


# ---- statistics --------------------------------------------------------------------------------------------


def p_of(found: np.ndarray, chances: np.ndarray, room: float = 20) -> float:
    """The p-value of "these counts have these chances", by chi-square.

    What is expected less than `room` times is one cell together; what can't be must not occur.
    """
    assert found.shape == chances.shape
    assert abs(chances.sum() - 1) < 1e-9
    assert not found[chances == 0].any()
    expected = chances * found.sum()
    common = expected >= room
    cells = np.append(found[common], found[~common].sum()), np.append(expected[common], expected[~common].sum())
    keep = cells[1] > 0
    assert keep.sum() > 1
    statistic = float(((cells[0] - cells[1])[keep] ** 2 / cells[1][keep]).sum())
    return float(chi2.sf(statistic, int(keep.sum()) - 1))


def even(number: int) -> np.ndarray:
    return np.full(number, 1 / number)


def test_a_loaded_die_is_found() -> None:
    rng = np.random.default_rng(SEED)
    assert p_of(np.bincount(rng.integers(0, 6, 200_000), minlength=6), even(6)) > ALARM
    loaded = np.bincount(rng.choice(6, 200_000, p=[0.16, *[0.168] * 5]), minlength=6)
    assert p_of(loaded, even(6)) < ALARM


# ---- counts of hands ---------------------------------------------------------------------------------------


def by_category(deck: Deck, by_strength: np.ndarray) -> dict[str, int]:
    """Hands by category, strongest first."""
    places = by_strength.reshape(-1, 1 << CATEGORY_AT).sum(1)[: len(CATEGORIES)]
    assert places.sum() == by_strength.sum()
    names = [CATEGORIES[number] for number in hands_of(deck).category]
    return dict(zip(reversed(names), reversed(places.tolist()), strict=True))


def cards_of(deck: Deck) -> np.ndarray:
    """All cards but the Jokers, as the evaluator numbers them."""
    return np.array([card_number(name) for name in oracle.deck(oracle.Rules(*deck))], np.uint8)


POKER = Deck(families=4, ranks=13, trumps=False)
POKER_COUNTS = {
    5: (4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540),
    7: (4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460),
}


@pytest.mark.parametrize("cards", POKER_COUNTS)
def test_without_trumps_the_counts_are_those_of_poker(cards: int) -> None:
    """Finding 1."""
    counts = count_hands(POKER, cards)
    assert tuple(by_category(POKER, counts.strengths).values()) == POKER_COUNTS[cards]
    assert counts.total == {5: 2_598_960, 7: 133_784_560}[cards]
    assert np.count_nonzero(counts.strengths) == {5: 7_462, 7: 4_824}[cards]  # the classes that poker is known to have


FIVE_CARD_DECKS = {
    "default": Deck(),
    "own family": Deck(furnace_trump=OWN),
    "ace high": Deck(ace="high"),
    "ace low": Deck(ace="low"),
    "13 ranks": Deck(ranks=13),
    "5 families": Deck(families=5),
    "anyhow, Trump first": Deck(order=ANYHOW, tie_order=TRUMP_FIRST),
}


@pytest.mark.parametrize("name", FIVE_CARD_DECKS)
def test_five_card_hands_are_those_of_the_oracle(name: str) -> None:
    """It looks at each of the twelve million in another way."""
    deck = FIVE_CARD_DECKS[name]
    assert by_category(deck, count_hands(deck, 5).strengths) == oracle.five_card_counts(oracle.Rules(*deck))


@pytest.mark.parametrize("deck", [Deck(), Deck(furnace_trump=OWN, tie_order=TRUMP_FIRST)], ids=["default", "other"])
def test_every_five_card_hand_is_counted(deck: Deck) -> None:
    """The batch evaluator on all C(70, 5) = 12,103,014, strength by strength."""
    cards = cards_of(deck)
    fours = np.fromiter(chain.from_iterable(combinations(range(len(cards)), 4)), np.uint8).reshape(-1, 4)
    starts = np.searchsorted(fours[:, 0], np.arange(len(cards)), side="right")
    found = np.zeros(1 << STRENGTH_BITS, np.int64)
    for first, start in enumerate(starts.tolist()):
        block = np.empty((len(fours) - start, 5), np.uint8)
        block[:, 0], block[:, 1:] = cards[first], cards[fours[start:]]
        found += np.bincount(strengths(hands_of(deck), block), minlength=len(found))
    assert found.sum() == comb(70, 5) == 12_103_014
    assert np.array_equal(found, count_hands(deck, 5).strengths)


@cache
def enumerator() -> Callable:
    """Counts the strengths of all seven-card hands of a deck, one after another. (Compiled only if it is asked for.)"""

    @kernel(types.void(record_type(HANDS), array_of(types.uint8), array_of(types.int64)))
    def every_seven(hands: Any, cards: Any, found: Any) -> None:
        keys = hands.keys
        size = cards.shape[0]
        for a in range(size):
            for b in range(a + 1, size):
                for c in range(b + 1, size):
                    for d in range(c + 1, size):
                        four = (cards[a], cards[b], cards[c], cards[d])
                        key_4 = keys[four[0]] + keys[four[1]] + keys[four[2]] + keys[four[3]]
                        for e in range(d + 1, size):
                            key_5 = key_4 + keys[cards[e]]
                            for f in range(e + 1, size):
                                key_6 = key_5 + keys[cards[f]]
                                for g in range(f + 1, size):
                                    seven = (*four, cards[e], cards[f], cards[g])
                                    found[strength(hands, 7, key_6 + keys[cards[g]], seven)] += 1

    return every_seven  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.parametrize("deck", [Deck(), Deck(furnace_trump=OWN), POKER], ids=["default", "own family", "poker"])
def test_every_seven_card_hand_is_counted(deck: Deck) -> None:
    """All C(70, 7) = 1,198,774,720 one by one, strength by strength."""
    cards, found = cards_of(deck), np.zeros(1 << STRENGTH_BITS, np.int64)
    enumerator()(hands_of(deck), cards, found)
    assert found.sum() == comb(len(cards), 7)
    assert np.array_equal(found, count_hands(deck, 7).strengths)


def random_hands(deck: Deck, count: int, rng: np.random.Generator, block: int = 100_000) -> Iterator[np.ndarray]:
    """Blocks of random seven-card hands, `count` in all: sets of seven draws, those with a card twice left out."""
    cards = cards_of(deck)
    while count > 0:
        drawn = np.sort(rng.integers(0, len(cards), (block, 7), np.uint8), axis=1)
        drawn = drawn[(np.diff(drawn.view(np.int8), axis=1) != 0).all(1)][:count]
        count -= len(drawn)
        yield cards[drawn]


def in_quantiles(counts: Counts, bins: int) -> np.ndarray:
    """A bin for each strength: neighbours together, each bin about as likely as the next."""
    middle = np.cumsum(counts.strengths) - counts.strengths / 2
    return np.minimum((middle * bins / counts.total).astype(np.int64), bins - 1)


def p_values(deck: Deck, found: np.ndarray, counts: Counts) -> tuple[float, float]:
    """How well a histogram of strengths goes with exact counts: by category, and by 200 quantiles of strength."""
    bins = in_quantiles(counts, 200)
    places = np.arange(len(found)) >> CATEGORY_AT
    return tuple(  # type: ignore[return-value]
        p_of(np.bincount(group, found), np.bincount(group, counts.strengths) / counts.total) for group in (places, bins)
    )


OTHER = {"wild_family": OWN, OWN: "wild_family"}
RANDOM_HANDS = [pytest.param(1_000_000, id="million"), pytest.param(10_000_000, id="ten", marks=pytest.mark.slow)]


@pytest.mark.parametrize("count", RANDOM_HANDS)
@pytest.mark.parametrize("trump", OTHER)
def test_seven_card_hands_come_as_often_as_counted(trump: str, count: int) -> None:
    """Random hands go with the counts of their deck and not with those of the other reading of `furnace_trump`."""
    deck, other = (Deck(furnace_trump=each) for each in (trump, OTHER[trump]))
    rng = np.random.default_rng(SEED)
    found = sum(
        np.bincount(strengths(hands_of(deck), hands), minlength=1 << STRENGTH_BITS)
        for hands in random_hands(deck, count, rng)
    )
    assert found.sum() == count
    assert min(p_values(deck, found, count_hands(deck, 7))) > ALARM / 2
    wrong = count_hands(other, 7)
    found[wrong.strengths == 0] = 0  # or it would be found out by what can't be
    assert max(p_values(deck, found, wrong)) < REJECTED


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Trump first", "5 families", "9 ranks, ace low, Trump first"])
def test_seven_card_hands_of_other_decks_come_as_often_as_counted(name: str) -> None:
    deck = DECKS[name]
    rng = np.random.default_rng(SEED)
    found = sum(
        np.bincount(strengths(hands_of(deck), hands), minlength=1 << STRENGTH_BITS)
        for hands in random_hands(deck, 10_000_000, rng)
    )
    assert min(p_values(deck, found, count_hands(deck, 7))) > ALARM / 2


def test_percentiles_are_shares_of_weaker_hands() -> None:
    counts = count_hands(Deck(), 7)
    share = percentiles(Deck(), 7)
    assert abs(float((share * counts.strengths).sum()) / counts.total - 0.5) < 1e-12
    for strong in np.flatnonzero(counts.strengths)[::997]:
        weaker, equal = int(counts.strengths[:strong].sum()), int(counts.strengths[strong])
        assert abs(share[strong] - (weaker + equal / 2) / counts.total) < 1e-12


# ---- poker by another evaluator ----------------------------------------------------------------------------


@cache
def poker_cards() -> np.ndarray:
    """eval7's cards by the evaluator's number."""
    found = np.full(JOKER, None, object)
    for card in cards_of(POKER).tolist():
        family, rank = divmod(card, RANK_COUNT)
        found[card] = eval7.Card(RANKS[rank].replace("10", "T") + "cdhs"[family])
    return found


@pytest.mark.parametrize("pairs", RANDOM_HANDS)
def test_any_two_hands_compare_as_in_poker(pairs: int) -> None:
    """Finding 1, by `eval7`: pairs of hands; and all hands with each other, for their values order alike."""
    ours, theirs = [], []
    for hands in random_hands(POKER, 2 * pairs, np.random.default_rng(SEED)):
        ours.append(strengths(hands_of(POKER), hands))
        cards = zip(*(poker_cards()[column].tolist() for column in hands.T), strict=True)
        theirs.append(np.fromiter(map(eval7.evaluate, cards), np.int64, len(hands)))
    found, told = np.concatenate(ours).astype(np.int64), np.concatenate(theirs)
    assert np.array_equal(np.sign(found[::2] - found[1::2]), np.sign(told[::2] - told[1::2]))
    classes, dense = np.unique(found, return_inverse=True)
    assert np.array_equal(dense, np.unique(told, return_inverse=True)[1])
    assert 4_700 < len(classes) <= 4_824  # nearly all classes were met
    names = [CATEGORIES[number] for number in hands_of(POKER).category[found[:2_000] >> CATEGORY_AT]]
    titles = {"Trips": "three", "Quads": "four", "High Card": "high"}
    for name, value in zip(names, told.tolist(), strict=False):
        title = eval7.handtype(value)
        assert name.replace("royal", "straight_flush") == titles.get(title, title.lower().replace(" ", "_"))


# ---- deals, and what players keep of them ------------------------------------------------------------------


class Study(NamedTuple):
    """Deals, and answers to them. `hands`: (games, seats, cards), `furnace`: (games, cards), `answers`: masks, (games,
    seats, policies); for seat 0 the number of choices, (games,), the choices and their worth, (games, choices)."""

    hands: np.ndarray
    furnace: np.ndarray
    answers: np.ndarray
    number: np.ndarray
    choices: np.ndarray
    worth: np.ndarray


@kernel(
    types.void(
        record_type(VIEW),
        record_type(TABLE),
        types.uint64,
        array_of(types.uint64),
        array_of(types.uint8, 3),
        array_of(types.uint8, 2),
        array_of(types.int64, 3),
        array_of(types.int64),
        array_of(types.uint64, 2),
        array_of(types.float64, 2),
    )
)
def deal_and_ask(
    view: Any,
    table: Any,
    seed: Any,
    policies: Any,
    hands: Any,
    furnace: Any,
    answers: Any,
    number: Any,
    choices: Any,
    worth: Any,
) -> None:
    """Fill a `Study` with games 0, 1, ...; choices and worth only as far as there is room for them."""
    masks, promises = stack_masks(MOST_CHOICES), stack_floats(MOST_CHOICES)
    for index in range(hands.shape[0]):
        table.key = game_key(seed, np.uint64(index))
        deal(view, table)
        lay_furnace(view, table)
        for place in range(furnace.shape[1]):
            furnace[index, place] = table.furnace[place]
        for seat in range(hands.shape[1]):
            show_hand(view, table, seat)
            for place in range(view.hand):
                hands[index, seat, place] = view.cards[place]
            for which in range(policies.shape[0]):
                answers[index, seat, which] = ask_policy(policies[which], view)
        if index < worth.shape[0]:
            show_hand(view, table, 0)
            number[index] = list_choices(view, masks)
            expect(view, masks, number[index], promises)
            for which in range(number[index]):
                choices[index, which], worth[index, which] = masks[which], promises[which]


def study(count: int, names: tuple[str, ...], *sets: str, players: int = 4, exact: bool = False) -> Study:
    """Games 0 to `count` - 1 with every seat asked for each of these policies; `exact`: and what all choices promise.

    Only the first seat of an exact study is asked.
    """
    encoded = setting(players, "random", *sets)
    view, table = ready_view(encoded.rules, outlook=exact), blank_table()
    cards = cards_in(encoded.rules)
    table.deck_size = len(cards)
    table.cards[: len(cards)] = cards
    seats = 1 if exact else players
    found = Study(
        np.zeros((count, seats, int(view.hand)), np.uint8),
        np.zeros((count, int(view.open_cards + view.hidden_cards)), np.uint8),
        np.zeros((count, seats, len(names)), np.int64),
        np.zeros(count, np.int64),
        np.zeros((count if exact else 0, MOST_CHOICES), np.uint64),
        np.zeros((count if exact else 0, MOST_CHOICES)),
    )
    deal_and_ask(view, table, np.uint64(SEED), np.array([policy(name).address for name in names], np.uint64), *found)
    return found


GAMES = 200_000
#: How many there are of each card of the default deck, by number.
COPIES = np.bincount([*cards_of(Deck()), *[JOKER] * 6], minlength=JOKER + 1)


@cache
def random_study(*sets: str) -> Study:
    return study(GAMES, ("random",), *sets)


@cache
def showdowns(*sets: str) -> dict[str, np.ndarray]:
    return dict(GAME.simulate(setting(4, "random", *sets), SEED, 0, GAMES))


DEAD = "rulings.community_joker=dead"


@pytest.mark.parametrize("sets", [(), (DEAD,)], ids=["redraw", "dead"])
def test_every_card_lies_everywhere_equally_often(sets: tuple[str, ...]) -> None:
    """Each place of each hand and of the Furnace; under `redraw` the Furnace has no Jokers."""
    found = random_study(*sets)
    every = np.concatenate([found.hands.reshape(GAMES, -1), found.furnace], axis=1)
    laid = COPIES.copy()
    if not sets:
        laid[JOKER] = 0
    for place, column in enumerate(every.T):
        copies = laid if place >= 36 else COPIES
        assert p_of(np.bincount(column, minlength=JOKER + 1), copies / copies.sum()) > ALARM / every.shape[1], place


@pytest.mark.parametrize("sets", [(), (DEAD,)], ids=["redraw", "dead"])
def test_no_card_is_dealt_twice(sets: tuple[str, ...]) -> None:
    found = random_study(*sets)
    every = np.sort(np.concatenate([found.hands.reshape(GAMES, -1), found.furnace], axis=1), axis=1)
    twice = (np.diff(every, axis=1) == 0) & (every[:, 1:] != JOKER)
    assert not twice.any()
    assert (every == JOKER).sum(1).max() <= 6


def test_two_cards_of_a_deal_are_independent() -> None:
    """Neighbours in a hand, first and last cards of hands, hand and Furnace: every ordered pair of cards."""
    found = random_study(DEAD)
    every = np.concatenate([found.hands.reshape(GAMES, -1), found.furnace], axis=1).astype(np.int64)
    chances = COPIES[:, None] * (COPIES - np.eye(len(COPIES), dtype=np.int64))
    chances = chances / chances.sum()
    pairs = [(0, 1), (1, 2), (8, 9), (17, 18), (0, 35), (0, 36), (35, 36), (36, 37), (39, 40)]
    for one, other in pairs:
        cells = np.bincount(every[:, one] * len(COPIES) + every[:, other], minlength=chances.size)
        assert p_of(cells, chances.ravel()) > ALARM / len(pairs), (one, other)


def test_trumps_and_jokers_in_a_hand_are_hypergeometric() -> None:
    found = showdowns()
    for seat in range(4):
        for name, number in (("trumps", 14), ("jokers", 6)):
            chances = hypergeom(76, number, 9).pmf(np.arange(10))
            cells = np.bincount(found[f"{name}_{seat}"], minlength=10)
            assert p_of(cells, chances) > ALARM / 8, (seat, name)


@pytest.mark.parametrize("sets", [(), (DEAD,)], ids=["redraw", "dead"])
def test_a_third_of_deals_lay_a_joker(sets: tuple[str, ...]) -> None:
    """Furnace 3: 34.5 %; and as many Jokers as five cards of 76 have."""
    chance = 1 - comb(70, 5) / comb(76, 5)
    assert round(100 * chance, 1) == 34.5
    laid = showdowns(*sets)["jokers_laid"]
    assert binomtest(int((laid > 0).sum()), GAMES, chance).pvalue > ALARM / 2
    assert p_of(np.bincount(laid, minlength=6), hypergeom(76, 6, 5).pmf(np.arange(6))) > ALARM / 2
    if sets:
        assert np.array_equal((random_study(*sets).furnace == JOKER).sum(1), laid)


def test_the_random_player_keeps_each_pair_equally_often() -> None:
    """Of the 36 pairs of places, and of those that are left by one to three Jokers."""
    found = random_study()
    pairs = list(combinations(range(9), 2))
    masks = np.array([1 << one | 1 << other for one, other in pairs])
    for seat in range(4):
        kept = np.searchsorted(np.sort(masks), found.answers[:, seat, 0])
        assert p_of(np.bincount(kept, minlength=36), even(36)) > ALARM / 8, seat
    hands, answers = found.hands.reshape(-1, 9), found.answers.reshape(-1)
    jokers = ((hands == JOKER) << np.arange(9)).sum(1)
    assert not (jokers & answers).any()
    held = (hands == JOKER).sum(1)
    for number in range(4):
        of_these, where = answers[held == number], jokers[held == number]
        # the pair's place among those that are possible in this hand
        place = ((masks[None, :] & where[:, None] == 0) & (masks[None, :] < of_these[:, None])).sum(1)
        assert p_of(np.bincount(place, minlength=comb(9 - number, 2)), even(comb(9 - number, 2))) > ALARM / 8, number


def test_the_random_players_pair_does_not_depend_on_the_other_seats() -> None:
    """Seats have keys of their own."""
    found = random_study().answers[:, :, 0]
    places = {mask: place for place, mask in enumerate(sorted(1 << a | 1 << b for a, b in combinations(range(9), 2)))}
    index = np.vectorize(places.get)(np.arange(512), -1)
    for one, other in combinations(range(4), 2):
        no_joker = ~(random_study().hands[:, [one, other]] == JOKER).any((1, 2))
        cells = np.bincount(36 * index[found[no_joker, one]] + index[found[no_joker, other]], minlength=36 * 36)
        assert p_of(cells, even(36 * 36)) > ALARM / 6, (one, other)


@pytest.mark.parametrize("sets", [(), (f"rulings.tie_order={TRUMP_FIRST}",)], ids=["default", "Trump first"])
def test_seats_win_equally_often(sets: tuple[str, ...]) -> None:
    """All four keep at random: whoever wins alone, and each two who share, are uniform; the pot is always whole."""
    found = showdowns(*sets)
    assert (sum(found[f"share_{seat}"].astype(np.int64) for seat in range(4)) == SHARES).all()
    masks = np.bincount(found["winners"], minlength=16)
    for number in (1, 2):
        alike = [mask for mask in range(16) if mask.bit_count() == number]
        assert masks[alike].sum() > 500
        assert p_of(masks[alike], even(len(alike))) > ALARM / 2, number
    assert masks[0] == 0


# ---- the players' choices ----------------------------------------------------------------------------------


def strengths_of(hands: Any, cards: np.ndarray) -> np.ndarray:
    """Strengths of hands that may have dead Jokers among their cards."""
    cards = np.sort(cards, axis=1)  # the Joker is the greatest number
    sizes = (cards != JOKER).sum(1)
    found = np.zeros(len(cards), np.int32)
    for size in np.unique(sizes).tolist():
        found[sizes == size] = strengths(hands, cards[sizes == size][:, :size])
    return found


EXACT = {
    "default": (20, ()),
    "dead": (10, (DEAD,)),
    "three hidden": (3, ("match.open_cards=2", "match.hidden_cards=3")),
    "one kept, one hidden": (20, ("match.kept=1", "match.open_cards=5", "match.hidden_cards=1")),
    "9 ranks, own family, Trump first": (
        10,
        ("deck.ranks=9", f"rulings.furnace_trump={OWN}", f"rulings.tie_order={TRUMP_FIRST}", DEAD),
    ),
    "9 ranks, 5 families": (10, ("deck.ranks=9", "deck.families=5", "rulings.ace=low")),
}


@pytest.mark.parametrize("name", EXACT)
def test_best_and_rank_keep_what_they_should(name: str) -> None:
    """`best` against all hidden cards and all choices, one by one; `rank` has the highest hand with the open ones."""
    count, sets = EXACT[name]
    found = study(count, ("best", "rank"), *sets, players=2, exact=True)
    encoded = setting(2, "best", *sets)
    rules = {key: int(encoded.rules[key][0]) for key in ("kept", "open_cards", "hidden_cards")}
    deck = deck_in(encoded.rules)
    counts = count_hands(deck, rules["kept"] + found.furnace.shape[1])
    below = np.concatenate([[0], np.cumsum(counts.strengths)[:-1]])
    share = (below + counts.strengths / 2) / counts.total
    dead = encoded.facts["rulings"]["community_joker"] == "dead"
    jokers = encoded.facts["deck"]["jokers"]
    for index in range(count):
        hand, up = found.hands[index, 0].tolist(), found.furnace[index, : rules["open_cards"]].tolist()
        unseen = [*cards_of(deck).tolist(), *([JOKER] * jokers if dead else [])]
        for card in [*hand, *up]:
            if card != JOKER or dead:
                unseen.remove(card)
        hidden = np.array(list(combinations(unseen, rules["hidden_cards"])), np.uint8)
        places = [place for place, card in enumerate(hand) if card != JOKER]
        worth, high = {}, {}
        for kept in combinations(places, rules["kept"]):
            known = np.array([*(hand[place] for place in kept), *up], np.uint8)
            cards = np.concatenate([np.broadcast_to(known, (len(hidden), len(known))), hidden], axis=1)
            mask = sum(1 << place for place in kept)
            worth[mask] = float(share[strengths_of(hands_of(deck), cards)].mean())
            high[mask] = int(strengths_of(hands_of(deck), known[None])[0])
        number = int(found.number[index])
        told = dict(zip(found.choices[index, :number].tolist(), found.worth[index, :number].tolist(), strict=True))
        assert told.keys() == worth.keys()
        assert all(abs(told[mask] - worth[mask]) < 1e-6 for mask in worth), index
        best, rank = found.answers[index, 0].tolist()
        assert worth[best] > max(worth.values()) - 1e-6, index
        assert rank == min(mask for mask in high if high[mask] == max(high.values())), index


def test_better_players_give_away_less() -> None:
    """The expected percentile that a player gives away against `best`: hardly any by `fast`, then `rank`, `random`."""
    names = ("best", "fast", "rank", "random")
    found = study(1_000, names, exact=True)
    given_away = np.zeros((len(found.number), len(names)))
    for index, number in enumerate(found.number.tolist()):
        told = dict(zip(found.choices[index, :number].tolist(), found.worth[index, :number].tolist(), strict=True))
        given_away[index] = [max(told.values()) - told[int(answer)] for answer in found.answers[index, 0]]
    best, fast, rank, at_random = given_away.mean(0)
    assert best == 0
    assert 0 < fast < 0.002
    assert 20 * fast < rank
    assert 2 * rank < at_random


@pytest.mark.parametrize("hidden", [1, 2])
def test_the_promise_of_ranks_is_the_mean_over_hidden_cards(hidden: int) -> None:
    """Five families and no Trumps: hands whose cards are spread over the families, so that no flush can come."""
    deck = Deck(families=5, trumps=False)
    outlook, share = outlook_of(deck, 7, hidden), percentiles(deck, 7)
    known = multisets(7 - hidden)
    fitting = np.flatnonzero(known.max(1) <= 5)
    for row in np.random.default_rng(SEED).choice(fitting, 40, replace=False):
        ranks = np.repeat(np.arange(RANK_COUNT), known[row])
        left = np.repeat(np.arange(RANK_COUNT), 5 - known[row])
        each = np.array(list(combinations(left, hidden)))
        hands = np.sort(np.concatenate([np.broadcast_to(ranks, (len(each), 7 - hidden)), each], axis=1), axis=1)
        cards = (hands + RANK_COUNT * (np.arange(7) % 5)).astype(np.uint8)  # equal ranks stand beside each other
        wanted = share[strengths(hands_of(deck), cards)].mean()
        at = FIRST_SLOT[7 - hidden] + _places(7 - hidden)[0][row]
        assert abs(float(outlook.promise[at]) - wanted) < 1e-5, ranks
