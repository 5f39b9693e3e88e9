"""Cards as masks, tasks and disciplines as rows: against plain loops over names (Crucible 1, 5, 6 and 7)."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from alchemy_sim.core.bits import mask_of, members_of
from alchemy_sim.games.crucible import cards
from alchemy_sim.games.crucible.cards import (
    count,
    hintable,
    kth_card,
    legal_faces,
    other_face,
    rank_sum,
    ruled_out_by,
    true_hints,
)
from alchemy_sim.games.crucible.disciplines import BOUNDLESS, LIMIT_ADDED, TARGET_ADDED, TIMING, Discipline, Timing
from alchemy_sim.games.crucible.names import DISCIPLINES, FACES, TASKS, face_name, face_number
from alchemy_sim.games.crucible.table import TASKS as TASK_PLACES
from alchemy_sim.games.crucible.table import Hint, Intent, blank_table
from alchemy_sim.games.crucible.tasks import BOUND, DEEDS_OF_FACE, FAMILY, PARAMETER, STANDING, Deed, Family

NAMES = [face_name(face) for face in range(FACES)]
OPPOSITE = dict(zip("BQSLAMC", "MALSQBC", strict=True))
HANDS = st.sets(st.integers(0, FACES - 1), min_size=1, max_size=19)
SUITS = st.integers(-1, 6)


def named(mask: Any) -> set[str]:
    return {NAMES[face] for face in members_of(mask)}


# ---- cards -------------------------------------------------------------------------------------------------


def test_the_deck() -> None:
    assert len(NAMES) == len(set(NAMES)) == cards.DECK == 58
    assert [sum(name[0] == suit for name in NAMES) for suit in "BQSLAMC"] == [9] * 6 + [4]
    for face, name in enumerate(NAMES):
        assert ("BQSLAMC"[cards.SUIT_OF[face]], cards.RANK_OF[face]) == (name[0], int(name[1]))


def test_the_other_face_is_the_opposite_suit_at_10_minus_the_rank() -> None:
    for face, name in enumerate(NAMES):
        other = NAMES[int(other_face(face))]
        assert other == (name if name[0] == "C" else f"{OPPOSITE[name[0]]}{10 - int(name[1])}")


def test_the_other_face_twice_is_the_same_face() -> None:
    """Finding 4: two successful Transmutes of a card restore it."""
    assert [int(other_face(int(other_face(face)))) for face in range(FACES)] == list(range(FACES))


def test_the_parity_of_the_other_half_is_known() -> None:
    assert all(cards.RANK_OF[face] % 2 == cards.RANK_OF[int(other_face(face))] % 2 for face in range(FACES))


def test_masks_of_suits_and_ranks() -> None:
    for suit, letter in enumerate("BQSLAMC"):
        assert named(cards.SUIT[suit]) == {name for name in NAMES if name[0] == letter}
    for rank in range(1, 10):
        assert named(cards.RANK[rank]) == {name for name in NAMES if name[0] != "C" and name[1] == str(rank)}
    assert cards.RANK[0] == 0
    assert named(cards.ALL_CATALYSTS) == {"C1", "C2", "C3", "C4"}
    assert named(cards.ALL_INGREDIENTS) == set(NAMES) - named(cards.ALL_CATALYSTS)
    assert named(cards.NINE_OR_ONE) == {name for name in NAMES if name[0] != "C" and name[1] in "19"}
    for suit, letter in enumerate("BQSLAM"):
        assert named(cards.EITHER_SIDE[suit]) == {name for name in NAMES if name[0] in (letter, OPPOSITE[letter])}


@given(HANDS, st.data())
@settings(deadline=None)
def test_counting_and_picking_cards(hand: set[int], data: st.DataObject) -> None:
    twin = data.draw(st.sets(st.sampled_from(sorted(hand))))
    masks = mask_of(hand), mask_of(twin)
    held = [*sorted(hand), *sorted(twin)]
    assert count(*masks) == len(held)
    assert [int(kth_card(*masks, k)) for k in range(len(held))] == held
    assert rank_sum(masks[0]) == sum(int(NAMES[face][1]) for face in hand)


@given(HANDS, SUITS)
@settings(deadline=None)
def test_the_lead_suit_must_be_followed(hand: set[int], lead_suit: int) -> None:
    letter = "BQSLAMC"[lead_suit] if lead_suit >= 0 else "-"
    follow = {face for face in hand if NAMES[face][0] == letter}
    assert set(members_of(legal_faces(mask_of(hand), lead_suit))) == (follow or hand)


def hints_of(hand: set[int], face: int) -> set[Hint]:
    """Crucible 6, card by card."""
    ranks = [int(NAMES[other][1]) for other in hand if NAMES[other][0] == NAMES[face][0]]
    rank = int(NAMES[face][1])
    true = {Hint.TOP: rank == max(ranks), Hint.BOTTOM: rank == min(ranks), Hint.MIDDLE: set(ranks) == {rank}}
    return {hint for hint, holds in true.items() if holds}


@given(HANDS)
@settings(deadline=None)
def test_true_hints(hand: set[int]) -> None:
    mask = mask_of(hand)
    for face in hand:
        bits = int(true_hints(mask, face))
        assert {hint for hint in Hint if bits >> hint & 1} == hints_of(hand, face)
        assert 0 <= bits < 8
    assert set(members_of(hintable(mask))) == {face for face in hand if hints_of(hand, face)}


@given(st.integers(0, FACES - 1), st.sampled_from(Hint), HANDS)
@settings(deadline=None)
def test_what_a_hint_rules_out(face: int, hint: Hint, hidden: set[int]) -> None:
    """A face is ruled out exactly when a hand that held it too could not have given the hint truly."""
    ruled_out = set(members_of(ruled_out_by(face, hint)))
    assert ruled_out == {other for other in range(FACES) if hint not in hints_of({face, other}, face)}
    fits = {other for other in hidden if other not in ruled_out} | {face}
    assert hint in hints_of(fits, face)


# ---- tasks -------------------------------------------------------------------------------------------------


def test_the_rows_of_the_tasks_are_those_of_the_names() -> None:
    assert len(TASKS) == TASK_PLACES == len(FAMILY) == len(PARAMETER) == len(BOUND) == 40
    assert [task.id for task in TASKS] == [f"T{number:02d}" for number in range(1, 41)]
    assert [bool(bound) for bound in BOUND] == [task.binds_order for task in TASKS]


def test_each_task_is_judged_by_what_its_slug_says() -> None:
    suit_deeds = {"brimstone": 0, "quicksilver": 1, "salt": 2, "lodestone": 3, "aether": 4, "mandrake": 5}
    cards_won = suit_deeds | {"catalyst": Deed.CATALYST}
    single = {
        "tricks-5plus": (Family.TRICKS_PLUS, 5),
        "win-a-9": (Family.DEED, Deed.NINE),
        "win-a-1": (Family.DEED, Deed.ONE),
        "sum-22": (Family.DEED, Deed.SUM_22),
        "one-boil-over": (Family.ONE_BOIL, 0),
        "transmute-high": (Family.DEED, Deed.HIGH),
        "transmute-low": (Family.DEED, Deed.LOW),
        "fizzler": (Family.DEED, Deed.FIZZLE),
        "lead-one-transmute": (Family.LEAD_ONE, 0),
        "first-trick": (Family.DEED, Deed.FIRST),
        "last-trick": (Family.LAST, 0),
        "none-of-first-three": (Family.NONE_OF_THREE, 0),
        "after-boil-over": (Family.DEED, Deed.AFTER_BOIL),
        "more-than-lead": (Family.MORE, 0),
        "fewer-than-lead": (Family.FEWER, 0),
        "most-outright": (Family.MOST, 0),
        "same-as-left": (Family.SAME, 0),
        "two-mandrake": (Family.DEED, Deed.TWO_MANDRAKE),
        "three-of-a-suit": (Family.DEED, Deed.THREE_OF_A_SUIT),
        "two-catalysts": (Family.DEED, Deed.TWO_CATALYSTS),
        "all-low": (Family.DEED, Deed.ALL_LOW),
    }
    for number, task in enumerate(TASKS):
        kind, _, what = task.slug.partition("-")
        if task.slug in single:
            wanted = single[task.slug]
        elif kind == "tricks":
            wanted = (Family.TRICKS, int(what))
        else:
            wanted = ({"some": Family.DEED, "no": Family.NO_DEED}[kind], cards_won[what])
        assert (FAMILY[number], PARAMETER[number]) == wanted, task.slug


def test_standing_deeds_are_those_of_standing_conditions() -> None:
    """Crucible 8, deferred: T06-T12, T19-T21 and T29 stand; T23, T25-T27, T32 and T37-T40 must happen again."""
    standing, momentary = {*range(7, 13), 19, 20, 21, 29}, {23, 25, 26, 27, 32, 37, 38, 39, 40}
    deeds = {number: PARAMETER[number - 1] for number in range(1, 41) if FAMILY[number - 1] == Family.DEED}
    assert set(deeds) == standing | momentary
    assert {number for number, deed in deeds.items() if STANDING[deed]} == standing


def test_deeds_of_each_face() -> None:
    for face, name in enumerate(NAMES):
        wanted = {"BQSLAMC".index(name[0])}
        if name[0] != "C" and name[1] == "9":
            wanted.add(Deed.NINE)
        if name[0] != "C" and name[1] == "1":
            wanted.add(Deed.ONE)
        assert {deed for deed in range(32) if DEEDS_OF_FACE[face] >> deed & 1} == wanted


# ---- disciplines -------------------------------------------------------------------------------------------


def test_the_rows_of_the_disciplines_are_those_of_the_names() -> None:
    assert [each.slug for each in DISCIPLINES] == [each.name.lower().replace("_", "-") for each in Discipline]
    words = {Timing.PASSIVE: "passive", Timing.CATALYZE: "catalyze", Timing.TRANSMUTE: "transmute", Timing.ANY: "any"}
    assert [words[Timing(int(timing))] for timing in TIMING] == [each.timing for each in DISCIPLINES]
    assert (Timing.CATALYZE, Timing.TRANSMUTE) == (Intent.CATALYZE, Intent.TRANSMUTE)


def test_what_a_discipline_adds_to_limit_and_target() -> None:
    limits = {Discipline.PURIFIER: BOUNDLESS, Discipline.STABILIZER: 3}
    targets = {Discipline.METALLURGIST: -5, Discipline.TRANSMUTER: -BOUNDLESS}
    assert LIMIT_ADDED.tolist() == [limits.get(each, 0) for each in Discipline]
    assert TARGET_ADDED.tolist() == [targets.get(each, 0) for each in Discipline]


def test_names_of_faces_and_numbers_agree() -> None:
    assert [face_number(name) for name in NAMES] == list(range(FACES))


def test_a_blank_table_is_blank() -> None:
    table = blank_table()
    assert not np.any(table.hands)
    assert table.recording == 0
