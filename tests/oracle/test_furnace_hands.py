"""The evaluator and the showdowns of the Furnace against an oracle that knows the rule page and nothing of the kernel.

Hands: the same category, and an order that is the same for all hands at once. Showdowns: no fault in any trace, and
every row says what its trace says.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alchemy_sim.config.load import load
from alchemy_sim.core.game import Encoded, game
from alchemy_sim.core.seats import PolicyFault
from alchemy_sim.games.furnace.counting import count_hands
from alchemy_sim.games.furnace.evaluate import strengths
from alchemy_sim.games.furnace.names import CATEGORIES, card_number
from alchemy_sim.games.furnace.names import JOKER as JOKER_CARD
from alchemy_sim.games.furnace.showdown import simulate
from alchemy_sim.games.furnace.showdown.table import SHARES
from alchemy_sim.games.furnace.showdown.view import POLICIES
from alchemy_sim.games.furnace.tables import CATEGORY_AT, STRENGTH_BITS, Deck, hands_of
from tests.conftest import games
from tests.oracle import furnace_oracle as oracle
from tests.oracle.furnace_faults import FAULTS, NAMED_BY
from tests.oracle.furnace_kinds import kind_label
from tests.oracle.furnace_oracle import JOKER, RULINGS, TRUMP, Rules, best, showdown_faults
from tests.oracle.injected import assert_named

Event = dict[str, Any]
Row = dict[str, Any]

SEED = 20_250_311
GAME = game("showdown")
COLUMN = {column.name: column for column in GAME.columns}

#: The hands from the rarest up as the default deck has them, roughly; upside down; and anyhow.
BY_RARITY = ("straight_flush", "royal", "four", "straight", "high", "full_house", "three", "two_pair", "flush", "pair")
UPSIDE_DOWN = tuple(reversed(CATEGORIES))
ANYHOW = ("pair", "flush", "royal", "high", "three", "straight_flush", "two_pair", "straight", "four", "full_house")
OWN, TRUMP_FIRST = "own_family", "trump_then_ranks"

DECKS = {
    "default": Deck(),
    "own family": Deck(furnace_trump=OWN),
    "Trump first": Deck(tie_order=TRUMP_FIRST),
    "own family, Trump first": Deck(furnace_trump=OWN, tie_order=TRUMP_FIRST),
    "ace high": Deck(ace="high"),
    "ace low": Deck(ace="low"),
    "13 ranks, no Trumps": Deck(ranks=13, trumps=False),
    "9 ranks": Deck(ranks=9),
    "9 ranks, ace low, Trump first": Deck(ranks=9, ace="low", tie_order=TRUMP_FIRST),
    "5 families": Deck(families=5),
    "5 families, own family": Deck(families=5, furnace_trump=OWN),
    "1 family and Trumps": Deck(families=1),
    "5 ranks": Deck(ranks=5),
    "by rarity": Deck(order=BY_RARITY),
    "upside down, Trump first": Deck(order=UPSIDE_DOWN, tie_order=TRUMP_FIRST),
    "anyhow, own family": Deck(order=ANYHOW, furnace_trump=OWN),
}


# ---- hands -------------------------------------------------------------------------------------------------


@cache
def numbers(rules: Rules) -> dict[str, int]:
    """The deck's cards by name, with the evaluator's numbers."""
    return {name: card_number(name) for name in oracle.deck(rules)}


def random_hands(rules: Rules, size: int, count: int, rng: random.Random) -> Iterator[list[str]]:
    """By turns out of the whole deck, of a family or two with the Trumps, of neighbouring ranks, of few ranks."""
    whole = oracle.deck(rules)
    families, ranks = sorted({card[0] for card in whole} - {TRUMP}), list(oracle.deck_ranks(rules.ranks))
    for turn in range(count):
        number = (len(families), 1, 2, 1, len(families), len(families))[turn % 6]
        few = {*rng.sample(families, min(number, len(families))), TRUMP}
        near = ranks
        if turn % 6 in (3, 4):
            first = rng.randrange(len(ranks))
            near = (ranks + ranks)[first : first + 7]
        elif turn % 6 == 5:
            near = rng.sample(ranks, 4)
        pool = [card for card in whole if card[0] in few and card[1:] in near]
        yield rng.sample(pool, size)


def evaluated(deck: Deck, hands: Sequence[Sequence[str]]) -> np.ndarray:
    known = numbers(Rules(*deck))
    return strengths(hands_of(deck), np.array([[known[card] for card in hand] for hand in hands], np.uint8))


def categories(deck: Deck, found: np.ndarray) -> list[str]:
    return [CATEGORIES[number] for number in hands_of(deck).category[found >> CATEGORY_AT]]


def dense(values: np.ndarray) -> np.ndarray:
    """Each value's place among the different values: equal for two arrays if, and only if, they order alike."""
    return np.unique(values, return_inverse=True)[1]


def places_of(keys: Sequence[Any]) -> np.ndarray:
    """The same of the oracle's keys."""
    place = {key: number for number, key in enumerate(sorted(set(keys)))}
    return np.array([place[key] for key in keys])


def assert_same_order(deck: Deck, hands: Sequence[Sequence[str]], rules: Rules | None = None) -> list[str]:
    """The evaluator and the oracle call each hand the same, and order all of them alike; the categories."""
    rules = rules or Rules(*deck)
    found, told = evaluated(deck, hands), [best(hand, rules) for hand in hands]
    names = [name for name, _ in told]
    wrong = [each for each in zip(hands, categories(deck, found), names, strict=True) if each[1] != each[2]]
    assert not wrong, wrong[:5]
    order = places_of([key for _, key in told])
    away = np.flatnonzero(dense(found) != order)
    assert not len(away), [hands[row] for row in away[:5]]
    return names


#: Hands of one to seven cards; seven cost the oracle 0.14 ms.
COUNTS = {1: 100, 2: 500, 3: 1_000, 4: 1_000, 5: 2_000, 6: 2_000, 7: 1_500}


@pytest.mark.parametrize("times", [1, pytest.param(8, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", DECKS)
def test_random_hands_order_alike(name: str, times: int) -> None:
    deck, rng = DECKS[name], random.Random(f"{SEED} {name} {times}")
    for size, count in COUNTS.items():
        names = assert_same_order(deck, list(random_hands(Rules(*deck), size, times * count, rng)))
        if name in ("default", "own family") and size == 7:  # else a whole branch might never be asked
            assert set(names) == set(CATEGORIES)


@given(st.sampled_from(sorted(DECKS)), st.integers(5, 7), st.data())
@settings(deadline=None, max_examples=games(200, 100))
def test_any_two_hands_compare_alike(name: str, size: int, data: st.DataObject) -> None:
    """Found by shrinking if there are any that don't."""
    deck = DECKS[name]
    hand = st.lists(st.sampled_from(oracle.deck(Rules(*deck))), min_size=size, max_size=size, unique=True)
    assert_same_order(deck, [data.draw(hand), data.draw(hand)])


@pytest.mark.parametrize("name", ["own family", "Trump first", "ace high", "ace low", "by rarity"])
def test_another_reading_does_not_pass(name: str) -> None:
    """Else the tests above would say nothing about it."""
    hands = list(random_hands(Rules(), 7, 1_000, random.Random(SEED)))
    with pytest.raises(AssertionError):
        assert_same_order(DECKS[name], hands, Rules())


def test_the_order_of_the_cards_does_not_matter() -> None:
    for deck in (DECKS["default"], DECKS["Trump first"], DECKS["5 families"]):
        rng = random.Random(SEED)
        hands = list(random_hands(Rules(*deck), 7, 200, rng))
        found = evaluated(deck, hands)
        for _ in range(5):
            assert np.array_equal(evaluated(deck, [rng.sample(hand, 7) for hand in hands]), found)


HAND_PAIRS = [
    # a deck, a hand, a weaker one (or "=" and an equal one)
    ("default", "WJ WN WQ WK TA", "C2 C3 C4 C5 C6"),  # royal, with a wild Trump
    ("default", "WJ WN WQ WK TA", "WJ WN WQ WK WA"),  # the Trump breaks the tie
    ("default", "W5 C5 S5 P5 T5", "W4 C4 S4 P4 TA"),  # fives over fours
    ("default", "W5 C5 S5 P5 T5", "W5 C5 S5 P5 C4"),  # five of a rank: the fifth is the kicker
    ("default", "W5 C5 S5 P5 W6", "W5 C5 S5 P5 T5"),  # and a 6 is the better one
    ("default", "WA TA W9 W7 W3", "WA WK WQ W9 W8"),  # a flush with a doubled Ace
    ("default", "T2 T4 T6 T8 T9", "W2 C3 S4 P5 W6"),  # five Trumps are a flush
    ("default", "WA C2 S3 P4 W5", "WA CA SA PK W2"),  # A-2-3-4-5 is a straight, beats three of a kind
    ("default", "W2 C3 S4 P5 W6", "WA C2 S3 P4 W5"),  # and the lowest one
    ("default", "W9 CJ S4 P5 W2", "W9 C10 S4 P5 W2"),
    ("default", "W9 C9 S4 P5 T2", "W9 C9 S4 P5 W2"),  # a pair with a Trump anywhere among the five
    ("default", "W9 C9 S4 P6 W2", "W9 C9 S4 P5 T2"),  # ranks first
    ("Trump first", "W9 C9 S4 P5 T2", "W9 C9 S4 P6 W2"),  # the Trump first
    ("Trump first", "WK CQ SJ P9 W7 T4 C2", "WA CQ SJ P9 W7 C4 S2"),  # a Trump outside of the best five comes in
    ("own family", "WA WK WQ W9 W8", "WA WK WQ W9 T8"),  # no flush
    ("ace high", "W2 C3 S4 P5 W6", "WA C2 S3 P4 W5"),  # an ace high only
    ("ace low", "WA C2 S3 P4 W5", "WA CK SQ PN WJ"),
    ("upside down, Trump first", "W2 C4 S6 P8 W10", "WA CA S4 P6 W8"),
    ("default", "W9 C9 S4 P5 W2", "= C9 S9 W4 W5 C2"),
    ("default", "WA CA SK PK WQ CQ S2", "= WA CA SK PK WQ S3 C2"),  # three pairs: the third only as a kicker
]


@pytest.mark.parametrize(("name", "stronger", "weaker"), HAND_PAIRS)
def test_hands_by_hand(name: str, stronger: str, weaker: str) -> None:
    """Written down by a person, for the oracle can be wrong too."""
    hands = [stronger.split(), weaker.removeprefix("= ").split()]
    one, other = evaluated(DECKS[name], hands)
    assert one == other if weaker.startswith("=") else one > other
    assert_same_order(DECKS[name], hands)


# ---- small decks, every hand -------------------------------------------------------------------------------

SMALL_DECKS = {
    "2 families of 7": Deck(2, 7),
    "3 families of 5, own family": Deck(3, 5, furnace_trump=OWN),
    "3 families of 5, Trump first": Deck(3, 5, tie_order=TRUMP_FIRST),
    "2 families of 6, ace low, own family, Trump first": Deck(2, 6, True, "low", OWN, TRUMP_FIRST),
    "1 family of 9, ace high, anyhow": Deck(1, 9, True, "high", order=ANYHOW),
    "4 families of 5, no Trumps": Deck(4, 5, False),
    "2 families of 6, upside down, Trump first": Deck(2, 6, tie_order=TRUMP_FIRST, order=UPSIDE_DOWN),
}


def all_sets(size: int, of: int) -> np.ndarray:
    """All sets of `size` numbers below `of`, each ascending."""
    flat = np.fromiter((number for each in combinations(range(of), size) for number in each), np.int64)
    return flat.reshape(-1, size)


def set_number(sets: np.ndarray, of: int) -> np.ndarray:
    """A number for each ascending set (the combinatorial number system)."""
    choose = np.array([[comb(n, k + 1) for k in range(sets.shape[1])] for n in range(of)])
    return sum(choose[sets[:, k], k] for k in range(sets.shape[1]))


@pytest.mark.compiled
@pytest.mark.parametrize("name", SMALL_DECKS)
def test_every_hand_of_a_small_deck(name: str) -> None:
    """Of five to seven cards: the order, how often each strength occurs, and all that a hand can be called."""
    deck = SMALL_DECKS[name]
    rules, cards = Rules(*deck), oracle.deck(Rules(*deck))
    fives = all_sets(5, len(cards))
    told = [best([cards[card] for card in five], rules) for five in fives.tolist()]
    called = [oracle._readings([oracle._card(cards[card], rules) for card in five], rules) for five in fives.tolist()]
    at = set_number(fives, len(cards))
    place, claims = np.zeros((2, len(fives)), np.int64)
    place[at] = places_of([key for _, key in told])
    claims[at] = [sum(1 << CATEGORIES.index(each) for each in names) for names in called]
    known = np.array([card_number(card) for card in cards], np.uint8)
    for size in (5, 6, 7):
        sets = all_sets(size, len(cards))
        best_place, all_claims = np.zeros((2, len(sets)), np.int64)
        for columns in combinations(range(size), 5):
            five = set_number(sets[:, columns], len(cards))
            best_place = np.maximum(best_place, place[five])
            all_claims |= claims[five]
        found = strengths(hands_of(deck), known[sets])
        assert np.array_equal(dense(found), dense(best_place)), size
        counts = count_hands(deck, size)
        assert np.array_equal(counts.strengths, np.bincount(found, minlength=1 << STRENGTH_BITS)), size
        assert np.array_equal(counts.claims, np.bincount(all_claims, minlength=len(counts.claims))), size
        assert counts.total == len(sets)


# ---- showdowns ---------------------------------------------------------------------------------------------


def setting(players: int, policies: str | Sequence[str], *sets: str) -> Encoded:
    """One cell: showdowns with `--set` entries; one policy for all seats, or one for each."""
    config: Any = load("furnace/showdown", (*sets, f"players={players}")).settings[0].config
    seats = [policies] * players if isinstance(policies, str) else list(policies)
    return GAME.encode(config, players, seats)


def readable_rows(encoded: Encoded, seed: int, first: int, count: int) -> list[Row]:
    """The rows of the kernel with labels for numbers and None for what does not exist."""
    columns = GAME.simulate(encoded, seed, first, count)
    assert tuple(columns) == encoded.columns
    rows: list[Row] = [{} for _ in range(count)]
    for name, values in columns.items():
        column = COLUMN[name]
        assert values.shape == (count,)
        for row, value in zip(rows, values.tolist(), strict=True):
            absent = column.nullable and value == -1
            row[name] = None if absent else value if column.labels is None else column.labels[value]
    return rows


def row_of(events: list[Event]) -> Row:
    """The outcome row that a trace tells, with words for numbers and None for what does not exist."""
    setup, deal, showdown, end = events
    winners = showdown["winners"]
    row = {
        "winner": end["winner"],
        "winners": sum(1 << seat for seat in winners),
        "tied": int(len(winners) > 1),
        "trump_decided": int(showdown["trump_decided"]),
        "jokers_laid": deal["jokers_laid"],
    }
    for seat, hand in enumerate(deal["hands"]):
        kept = showdown["kept"][str(seat)]
        row |= {
            f"policy_{seat}": setup["policies"][seat],
            f"share_{seat}": SHARES // len(winners) if seat in winners else 0,
            f"category_{seat}": showdown["category"][str(seat)],
            f"kept_{seat}": kind_label(kept, setup["deck"]["ranks"], setup["rulings"]["ace"]),
            f"trumps_{seat}": sum(card[0] == TRUMP for card in hand),
            f"jokers_{seat}": hand.count(JOKER),
        }
    return row


def assert_flawless(encoded: Encoded, first: int, count: int, seed: int = SEED) -> None:
    """The oracle finds no fault in `count` showdowns, and each row says what its trace says."""
    for index, row in enumerate(readable_rows(encoded, seed, first, count), first):
        events = GAME.trace(encoded, seed, index)
        where = (encoded.facts, encoded.players, encoded.policies, seed, index)
        faults = showdown_faults(events)
        assert not faults, (where, faults[:5])
        told = row_of(events)
        wrong = {name: (row[name], told.get(name, "missing")) for name in row if row[name] != told.get(name, "missing")}
        assert not wrong, (where, wrong)
        assert told.keys() == row.keys(), where


SHORT, LONG = games(20, 4), 200
RANGES = [pytest.param(0, SHORT, id="short"), pytest.param(SHORT, LONG - SHORT, id="long", marks=pytest.mark.slow)]
#: Those that look ahead take the outlook, a second's work for each deck, and minutes as plain Python.
BLIND, AHEAD = ("random", "rank"), ("fast", "best")
OTHER_VALUES = [(key, value) for key, values in RULINGS.items() for value in values[1:]]


@pytest.mark.parametrize(("first", "count"), RANGES)
@pytest.mark.parametrize("sets", [(), *((f"rulings.{key}={value}",) for key, value in OTHER_VALUES)], ids=" ".join)
def test_every_ruling_is_flawless(sets: tuple[str, ...], first: int, count: int) -> None:
    for players in (2, 4, 6):
        for policy in BLIND:
            assert_flawless(setting(players, policy, *sets), first, count)


@pytest.mark.compiled
@pytest.mark.parametrize(("key", "value"), OTHER_VALUES)
def test_every_ruling_changes_something(key: str, value: str) -> None:
    """Else the test above would say nothing about it."""
    one, other = (
        GAME.simulate(setting(4, "random", *sets), SEED, 0, 3_000) for sets in ((), (f"rulings.{key}={value}",))
    )
    assert any((one[name] != other[name]).any() for name in one)


MANY_DEAD = ("deck.jokers=10", "match.hand=12", "rulings.community_joker=dead")
ODD_SHOWDOWNS: dict[str, tuple[str, ...]] = {
    "many dead Jokers": MANY_DEAD,
    "many dead Jokers, Trump first": (*MANY_DEAD, f"rulings.tie_order={TRUMP_FIRST}"),
    "dead Jokers, own family, Trump first": (
        *("rulings.community_joker=dead", f"rulings.furnace_trump={OWN}", f"rulings.tie_order={TRUMP_FIRST}"),
    ),
    "few cards that are no Jokers": (
        *MANY_DEAD,
        *("deck.families=2", "deck.ranks=10", "match.open_cards=2", "match.hidden_cards=3"),
    ),
    "five families": ("deck.families=5", "deck.jokers=7"),
    "9 ranks": ("deck.ranks=9",),
    "5 ranks, one family": ("deck.ranks=5", "deck.families=1", "deck.jokers=0", "match.hand=2"),
    "poker": ("deck.ranks=13", "deck.trumps=false", "deck.jokers=0", "match.hand=2"),
    "three kept": ("match.kept=3", "match.open_cards=2"),
    "one kept": ("match.kept=1", "match.open_cards=5", "match.hidden_cards=1"),
    "none hidden": ("match.hidden_cards=0",),
    "three hidden": ("match.open_cards=2", "match.hidden_cards=3"),
    "none open": ("match.kept=3", "match.open_cards=0", "match.hidden_cards=3"),
    "upside down": ("hand_order=" + ",".join(UPSIDE_DOWN),),
    "every other value": (*(f"rulings.{key}={values[-1]}" for key, values in RULINGS.items()), "deck.ranks=13"),
}


def counts_that_fit(*sets: str) -> list[int]:
    """The player counts that such a deck is large enough for."""
    fitting = []
    for players in (2, 4, 6):
        config: Any = load("furnace/showdown", (*sets, "players=2")).settings[0].config
        dealt = players * config.match.hand + config.match.furnace + config.deck.jokers
        if dealt <= config.deck.natural + config.deck.jokers:
            fitting.append(players)
    return fitting


@pytest.mark.parametrize(("first", "count"), RANGES)
@pytest.mark.parametrize("name", ODD_SHOWDOWNS)
def test_odd_showdowns_are_flawless(name: str, first: int, count: int) -> None:
    sets = ODD_SHOWDOWNS[name]
    for players in counts_that_fit(*sets):
        for policy in BLIND:
            assert_flawless(setting(players, policy, *sets), first, count)


LOOKING_AHEAD = [
    *(pytest.param(name, 5) for name in ("", "many dead Jokers", "three hidden", "one kept")),  # one deck
    *(pytest.param(name, 40, marks=pytest.mark.slow) for name in ("", *ODD_SHOWDOWNS)),
]


@pytest.mark.compiled
@pytest.mark.parametrize(("name", "count"), LOOKING_AHEAD)
def test_players_that_look_ahead_are_flawless(name: str, count: int) -> None:
    sets = ODD_SHOWDOWNS.get(name, ())
    for players in counts_that_fit(*sets):
        for policy in AHEAD:
            assert_flawless(setting(players, policy, *sets), 0, count)
        seats = [(*AHEAD, *BLIND)[(seat + players) % 4] for seat in range(players)]
        assert_flawless(setting(players, seats, *sets), 0, count)


@pytest.mark.parametrize(("first", "count"), [pytest.param(0, 40, id="short"), RANGES[1]])
def test_rulings_mixed_at_random_are_flawless(first: int, count: int) -> None:
    """A few showdowns each of settings drawn at random, so that rare rules meet."""
    rng = random.Random(SEED + first)
    for _ in range(count // 5):  # each deck's tables stay in memory
        sets = [f"rulings.{key}={rng.choice(values)}" for key, values in RULINGS.items()]
        sets += [f"deck.families={rng.randint(3, 5)}", f"deck.ranks={rng.randint(11, 14)}"]
        sets += [f"deck.trumps={rng.choice(('true', 'false'))}", f"deck.jokers={rng.randint(0, 7)}"]
        sets += ["hand_order=" + ",".join(rng.sample(CATEGORIES, 10))]
        for kept, open_cards, hidden_cards in rng.sample([(2, 3, 2), (3, 2, 2), (2, 4, 0), (1, 5, 1), (3, 0, 3)], 3):
            deal = [f"match.kept={kept}", f"match.open_cards={open_cards}", f"match.hidden_cards={hidden_cards}"]
            deal += [f"match.hand={rng.randint(10, 11)}"]
            players = rng.choice(counts_that_fit(*sets, *deal))
            encoded = setting(players, [rng.choice(BLIND) for _ in range(players)], *sets, *deal)
            assert_flawless(encoded, rng.randrange(10**6), 2, seed=rng.randrange(2**63))


def test_extreme_seeds_and_game_numbers() -> None:
    encoded = setting(6, "random")
    for seed in (0, 1, 2**63 - 1, 2**64 - 1):
        assert_flawless(encoded, 0, 2, seed)
        assert_flawless(encoded, 10**12, 2, seed)


def test_a_showdown_does_not_depend_on_those_before_it() -> None:
    """Nothing is left on the table for the next."""
    for sets in ((), *ODD_SHOWDOWNS.values()):
        encoded = setting(2, "rank", *sets)
        together = readable_rows(encoded, SEED, 0, games(40, 4))
        assert [readable_rows(encoded, SEED, index, 1)[0] for index in range(len(together))] == together


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_keeping_what_is_not_allowed_is_an_error(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing, a card that is not there, three cards, a negative mask, Jokers: the first where a hand has one."""

    def cheat(view: Any) -> int:
        if view.players == 2:
            return 0
        if view.players == 3:
            return 1 | 1 << view.hand
        if view.players == 4:
            return 7
        if view.players == 5:
            return -3
        chosen, number = 0, 0
        for jokers_first in range(2):
            for place in range(view.hand):
                if number < 2 and (view.cards[place] == JOKER_CARD) == (jokers_first == 0):
                    chosen |= 1 << place
                    number += 1
        return chosen

    declared = POLICIES.declare(cheat)
    monkeypatch.setattr(simulate, "policy", lambda _: declared)
    encoded = setting(players, "random")
    with pytest.raises(PolicyFault, match=r'"random" \(seat \d\) broke the rules in game \d+: asked for KEEP'):
        GAME.simulate(encoded, SEED, 7, 20)


# ---- faults in the kernel's own traces are caught ----------------------------------------------------------


def legal_traces(kind: str) -> Iterator[list[Event]]:
    """Traces of the kernel in which a fault of this kind finds a place, sooner or later."""
    rng = random.Random(kind)
    while True:
        sets = rng.choice([(), ("rulings.community_joker=dead",), (f"rulings.tie_order={TRUMP_FIRST}",)])
        if kind == "joker_from_nowhere":
            sets = ("deck.jokers=1",)
        encoded = setting(rng.choice((2, 4, 6)), rng.choice(BLIND), *sets)
        for _ in range(5):
            yield GAME.trace(encoded, SEED, rng.randrange(10**6))


@pytest.mark.compiled
@pytest.mark.parametrize("kind", sorted(FAULTS))
def test_a_fault_in_a_trace_is_caught(kind: str) -> None:
    assert_named(kind, FAULTS[kind], NAMED_BY[kind], legal_traces(kind), showdown_faults)


@pytest.mark.parametrize("name", ["trump_decided", "jokers_laid", "kept_0", "share_1", "category_1", "trumps_0"])
def test_a_wrong_column_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel whose column is off by one in one showdown of twenty does not pass."""
    encoded = setting(2, "random")
    right = GAME.simulate(encoded, SEED, 0, SHORT)

    class Wrong:
        trace = staticmethod(GAME.trace)

        @staticmethod
        def simulate(*_: Any) -> dict[str, Any]:
            wrong = {column: values.copy() for column, values in right.items()}
            wrong[name][SHORT // 2] = 1 - wrong[name][SHORT // 2] % 2
            return wrong

    monkeypatch.setitem(globals(), "GAME", Wrong)
    with pytest.raises(AssertionError, match=name):
        assert_flawless(encoded, 0, SHORT)
