"""The Crucible's chances: the deal, the random player against one written apart, findings that follow from the rules.

Seeds are fixed, so each of these tests passes or fails for good. `ALARM` is what the choice of a seed could have done
to correct code: the chance that any of the comparisons that share it fails.
"""

from __future__ import annotations

import inspect
import json
import math
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, norm

from alchemy_sim.core.bits import kth
from alchemy_sim.core.game import Encoded
from alchemy_sim.core.jit import JIT_OFF, array_of, kernel, quiet_integers, record_type, types
from alchemy_sim.core.rng import below, draw, game_key, position, stream
from alchemy_sim.games.crucible import keeping, reaction, setup, simulate
from alchemy_sim.games.crucible import kernel as kernel_module
from alchemy_sim.games.crucible.cards import RANK_OF
from alchemy_sim.games.crucible.disciplines import LIMIT_ADDED, TARGET_ADDED, TIMING, Discipline
from alchemy_sim.games.crucible.game import GAME
from alchemy_sim.games.crucible.log import Event as Note
from alchemy_sim.games.crucible.names import DISCIPLINES, TASKS
from alchemy_sim.games.crucible.policies import POLICY_NAMES, policy
from alchemy_sim.games.crucible.setup import deal
from alchemy_sim.games.crucible.table import POLICIES, TABLE, VIEW, Ask, Status, blank_table, view_of
from tests.conftest import games
from tests.oracle.crucible_notation import DEFAULT_RULINGS, MISSIONS
from tests.oracle.make_trace import RandomMission
from tests.oracle.test_crucible_kernel import COLUMN, Event, row_of, setting, turned

SEED = 77_001
ALARM = 1e-6
DECK = 58
Columns = Mapping[str, np.ndarray]


# ---- statistics --------------------------------------------------------------------------------------------


def assert_frequencies(found: np.ndarray, expected: np.ndarray, alarm: float, what: str) -> None:
    """Counts (n,) against their expectations, by chi-square."""
    assert len(found) == len(expected) > 1, what
    statistic = float(((found - expected) ** 2 / expected).sum())
    p = chi2.sf(statistic, len(found) - 1)
    assert p > alarm, f"{what}: p = {p:.2g}, found {found.tolist()}, expected {np.round(expected, 1).tolist()}"


def same_law(one: np.ndarray, other: np.ndarray, room: int = 100, rest: int = 25) -> float:
    """The p-value of "both samples of integers come from one law": chi-square on the values that are common enough.

    A value with `room` expected in the smaller sample is a cell of its own, the others are pooled with neighbours; what
    remains at last is a cell from `rest` on. Far out the chi-square law then errs by a factor of ten or so.
    """
    least = min(one.min(), other.min())
    size = int(max(one.max(), other.max()) - least) + 1
    counts = np.stack([np.bincount(part.astype(np.int64) - least, minlength=size) for part in (one, other)], 1)
    share = min(len(one), len(other)) / (len(one) + len(other))
    common = counts.sum(1) * share >= room
    cells = list(counts[common])
    cell = np.zeros(2, np.int64)
    for both in counts[~common]:
        cell = cell + both
        if cell.sum() * share >= room:
            cells.append(cell)
            cell = np.zeros(2, np.int64)
    if cell.sum() * share >= rest or not cells:
        cells.append(cell)
    else:
        cells[-1] = cells[-1] + cell
    table = np.array(cells)
    expected = np.outer(table.sum(1), table.sum(0)) / table.sum()
    return float(chi2.sf(((table - expected) ** 2 / expected).sum(), len(table) - 1)) if len(table) > 1 else 1.0


def plain(name: str, *share: str) -> Any:
    """What one of this file's studies answers when the kernel runs as plain Python, in a process of its own."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.statistical.test_crucible", name, *share]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


# ---- the deal ----------------------------------------------------------------------------------------------


@kernel(
    types.void(record_type(VIEW), record_type(TABLE), types.uint64, array_of(types.uint64, 2), array_of(types.int64))
)
def deal_many(view: Any, table: Any, seed: Any, hands: Any, totals: Any) -> None:
    """The kernel's deals of games 0, 1, ...: hands (games, players) and the total of one random card of each hand."""
    for game in range(hands.shape[0]):
        table.key = game_key(seed, np.uint64(game))
        deal(view, table)
        source = stream(table.key, position(0, 15, 0))
        total = 0
        for seat in range(view.players):
            hands[game, seat] = table.hands[seat]
            total += RANK_OF[kth(table.hands[seat], below(draw(source, seat), view.cards_left[seat]))]
        totals[game] = total


@cache
def deals(players: int) -> tuple[np.ndarray, np.ndarray]:
    """A million of the kernel's deals."""
    hands = np.zeros((1_000_000, players), np.uint64)
    totals = np.zeros(len(hands), np.int64)
    deal_many(view_of(setting(4, players, "random").rules), blank_table(), np.uint64(SEED), hands, totals)
    return hands, totals


def exact_totals(cards: int) -> list[float]:
    """P(total = t) of that many random cards of the deck, by counting the subsets of each size and total."""
    values = [rank for rank in range(1, 10) for _ in range(6)] + [1, 2, 3, 4]
    assert len(values) == DECK
    ways = [[0] * (9 * cards + 1) for _ in range(cards + 1)]
    ways[0][0] = 1
    for value in values:
        for taken in range(cards, 0, -1):
            for total in range(9 * cards, value - 1, -1):
                ways[taken][total] += ways[taken - 1][total - value]
    return [count / math.comb(DECK, cards) for count in ways[cards]]


@pytest.mark.parametrize(
    ("cards", "above_22", "from_18"), [(3, 0.0357, 0.2556), (4, 0.2683, 0.6329), (5, 0.6098, 0.8795)]
)
def test_exact_totals(cards: int, above_22: float, from_18: float) -> None:
    exact = exact_totals(cards)
    assert sum(exact) == pytest.approx(1)
    assert round(sum(exact[23:]), 4) == above_22
    assert round(sum(exact[18:]), 4) == from_18


@pytest.mark.compiled
@pytest.mark.parametrize("players", GAME.players)
def test_totals_of_a_million_deals(players: int) -> None:
    """Within 4 standard errors of the exact chances (false alarm: 6e-5 for each of the six), and the whole law."""
    _, totals = deals(players)
    exact = np.array(exact_totals(players))
    for chance, found in ((exact[23:].sum(), (totals > 22).mean()), (exact[18:].sum(), (totals >= 18).mean())):
        assert abs(found - chance) < 4 * math.sqrt(chance * (1 - chance) / len(totals))
    # finding 6: about 15, 20 and 25 a reaction; exactly 280/58 a card with the Catalysts
    assert abs(totals.mean() - players * 280 / DECK) < 4 * totals.std() / math.sqrt(len(totals))
    assert abs(totals.mean() - 5 * players) < 1
    assert_frequencies(
        np.bincount(totals, minlength=9 * players + 1)[players:], len(totals) * exact[players:], ALARM / 3, "totals"
    )


@pytest.mark.compiled
@pytest.mark.parametrize("players", GAME.players)
def test_the_deal_is_uniform(players: int) -> None:
    """Each card in each hand or left over; each pair of cards in one hand; one game and the next."""
    hands, _ = deals(players)
    each = DECK // players
    left = DECK - each * players
    count, together = len(hands), np.zeros((DECK, DECK))
    where = np.zeros((players, DECK))
    for first in range(0, count, 100_000):
        for seat in range(players):
            part = hands[first : first + 100_000, seat]
            bits = ((part[:, None] >> np.arange(DECK, dtype=np.uint64)) & np.uint64(1)).astype(np.float32)
            where[seat] += bits.sum(0)
            together += bits.T @ bits
    assert where.sum() == count * each * players
    expected = np.array([*[count * each / DECK] * players, count * left / DECK])
    for card in range(DECK):
        found = np.array([*where[:, card], count - where[:, card].sum()])
        assert_frequencies(found, expected, ALARM / (3 * DECK), f"card {card}")
    chance = players * math.comb(each, 2) / math.comb(DECK, 2)
    error = (together - count * chance) / math.sqrt(count * chance * (1 - chance))
    pairs = np.abs(error[np.triu_indices(DECK, 1)])
    assert pairs.max() < norm.isf(ALARM / (6 * len(pairs)))
    holder = (((hands >> np.uint64(57)) & np.uint64(1)) * np.arange(1, players + 1, dtype=np.uint64)).sum(1)
    for step in (1, 2):
        codes = (holder[:-step] * np.uint64(players + 1) + holder[step:]).astype(np.int64)
        law = expected / count
        assert_frequencies(
            np.bincount(codes, minlength=(players + 1) ** 2)
            .reshape(players + 1, -1)[np.ix_(*[order(players)] * 2)]
            .ravel(),
            np.outer(law, law).ravel() * len(codes),
            ALARM / 6,
            f"games {step} apart",
        )


def order(players: int) -> list[int]:
    """Places of the holders 1 to `players`, then 0 (nobody)."""
    return [*range(1, players + 1), 0]


@pytest.mark.compiled
@pytest.mark.parametrize("players", GAME.players)
def test_tasks_disciplines_and_the_sponge_are_drawn_uniformly(players: int) -> None:
    count = 200_000
    alarm = ALARM / (3 * (5 + 3 * 5 + 3))
    columns = GAME.simulate(setting(11, players, "random"), SEED, 0, count)
    for place in range(5):
        found = np.bincount(columns[f"task_{place}"], minlength=40)
        assert_frequencies(found, np.full(40, count / 40), alarm, f"task {place}")
    for seat in range(players):
        kept, declined = columns[f"discipline_{seat}"], columns[f"discipline_declined_{seat}"]
        assert (kept != declined).all()
        for which in (kept, declined):
            assert_frequencies(np.bincount(which, minlength=10), np.full(10, count / 10), alarm, f"seat {seat}")
        # which of two disciplines is kept is even: 45 pairs, each way round
        ways = np.bincount(10 * kept.astype(np.int64) + declined, minlength=100)
        off = [10 * one + other for one in range(10) for other in range(10) if one != other]
        assert_frequencies(ways[off], np.full(90, count / 90), alarm, f"pairs of seat {seat}")
    dealt = [columns[f"{name}_{seat}"] for seat in range(players) for name in ("discipline", "discipline_declined")]
    assert all(len(set(row)) == 2 * players for row in np.stack(dealt, 1)[:2000].tolist())
    lead = np.bincount(columns["lead"], minlength=players)
    assert_frequencies(lead, np.full(players, count / players), alarm, "lead")
    for sponge_is, places in (("not_lead", range(1, players)), ("lead", [0]), ("any", range(players))):
        columns = GAME.simulate(setting(11, players, "random", f"rulings.sponge_is={sponge_is}"), SEED, 0, 20_000)
        after = (columns["sponge_seat"].astype(np.int64) - columns["lead"]) % players
        found = np.bincount(after, minlength=players)
        assert found[list(places)].sum() == len(after)
        if len(places) > 1:
            assert_frequencies(found[list(places)], np.full(len(places), len(after) / len(places)), alarm, sponge_is)


def test_variants_share_deals_disciplines_and_tasks() -> None:
    """Common random numbers: a changed rule shifts nothing else, and three tasks are the first three of four."""
    variants = [("tasks=3",), ("tasks=4",), ("limit=25",), ("whispers=false",), ("rulings.trick_order=reactions",)]
    for index in range(20):
        traces = [GAME.trace(setting(4, 4, "random", *sets), SEED, index) for sets in variants]
        assert len({json.dumps(events[0]["hands"]) for events in traces}) == 1
        assert len({json.dumps(events[1]) for events in traces}) == 1
        assert len({json.dumps(events[2]["revealed"][:3]) for events in traces}) == 1


# ---- the random player against the one written apart -------------------------------------------------------

#: mission, players, `--set` entries of the rulings, of the mission
SETTINGS: dict[str, tuple[int, int, dict[str, Any], dict[str, Any]]] = {
    "plain": (4, 4, {}, {}),
    "play on": (12, 3, {"after_loss": "play_on"}, {"slag_cap": 5}),
    "in order": (3, 5, {"after_loss": "play_on", "task_order": "deferred", "hoarder_takes": "trick"}, {"tasks": 6}),
    "sponge": (
        11,
        4,
        {"boil_over_timing": "end_of_reaction", "sponge_is": "any", "early_win": True},
        {"tasks": 1, "limit": 16},
    ),
    "heavy": (
        7,
        5,
        {"trick_order": "reactions", "fizzle_credit": "last", "impossible_draft": "redraw", "after_loss": "play_on"},
        {"slag_cap": 4, "limit": 21},
    ),
}


def sets_of(rulings: Mapping[str, Any], mission: Mapping[str, Any]) -> list[str]:
    return [f"rulings.{key}={str(value).lower()}" for key, value in rulings.items()] + [
        f"{key}={value}" for key, value in mission.items()
    ]


def trace_features(events: list[Event]) -> dict[str, int]:
    """What the columns don't show: the first whisper and the first two reactions, as integers, -1 where absent."""
    found = {"hint": -1, "whispered_rank": -1, "whispered_suit": -1}
    for event in events:
        if event["type"] == "whisper":
            found["hint"] = ("top", "bottom", "middle").index(event["hint"])
            found["whispered_rank"], found["whispered_suit"] = int(event["card"][1]), "BQSLAMC".index(event["card"][0])
            break
    reactions = [event for event in events if event["type"] == "reaction"]
    for n in range(2):
        values = dict.fromkeys(("intent", "rank", "suit", "last_rank", "followed", "outcome", "total", "winner"), -1)
        if n < len(reactions):
            now = reactions[n]
            cards = [play[1] for play in now["plays"]]
            values |= {
                "intent": now["intent"] == "catalyze",
                "rank": int(cards[0][1]),
                "suit": "BQSLAMC".index(cards[0][0]),
                "last_rank": int(cards[-1][1]),
                "followed": sum(card[0] == cards[0][0] for card in cards),
                "outcome": ("safe", "boil_over", "transmuted", "fizzled").index(now["outcome"]),
                "total": now["total"],
                "winner": -1 if now["winner"] is None else (now["winner"] - now["leader"]) % len(events[0]["hands"]),
            }
        found |= {f"{name}_{n + 1}": int(value) for name, value in values.items()}
    return found


def as_columns(rows: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    """Rows in words as the kernel's integers."""
    columns = {}
    for name in rows[0]:
        labels = COLUMN[name].labels if name in COLUMN else None
        code = {label: place for place, label in enumerate(labels or ())}
        columns[name] = np.array([-1 if row[name] is None else code.get(row[name], row[name]) for row in rows])
    return columns


def features(columns: Columns, players: int, tasks: int) -> dict[str, np.ndarray]:
    """One integer a mission for each thing to compare; seats are counted from the Lead."""
    lead = columns["lead"].astype(np.int64)
    rows = np.arange(len(lead))
    seats = [(lead + step) % players for step in range(players)]

    def by_seat(name: str, step: int) -> np.ndarray:
        return np.stack([columns[f"{name}_{seat}"] for seat in range(players)], 1)[rows, seats[step]]

    after_lead = {
        name: np.where(columns[name] < 0, -1, (columns[name].astype(np.int64) - lead) % players)
        for name in ("sponge_seat", "lost_seat")
    }
    plain_ones = ("ending", "ending_task", "lead", "reactions", "cards_played", "transmutes_tried", "transmutes_made")
    counts = ("boil_overs", "first_boil_reaction", "forced_plays", "choices", "lost_reaction")
    found = {name: columns[name] for name in (*plain_ones, *counts)} | after_lead
    for step in range(players):
        found[f"boil_at_{step + 1}"] = columns[f"boil_at_{step + 1}"]
        for name in ("tricks", "slag", "whispered_reaction"):
            found[f"{name} of seat {step} after the Lead"] = by_seat(name, step)
    for number, discipline in enumerate(DISCIPLINES):
        fate = np.full(len(lead), -3)
        for seat in range(players):
            fate[columns[f"discipline_declined_{seat}"] == number] = -2
            kept = columns[f"discipline_{seat}"] == number
            fate[kept] = columns[f"power_used_reaction_{seat}"][kept]
        found[f"use of {discipline.slug}"] = fate
    for number, task in enumerate(TASKS):
        status, when = np.full(len(lead), -1), np.full(len(lead), -2)
        for place in range(tasks):
            drafted = columns[f"task_{place}"] == number
            status[drafted] = columns[f"task_{place}_status"][drafted]
            when[drafted] = columns[f"task_{place}_reaction"][drafted]
        found[f"status of {task.id}"], found[f"reaction of {task.id}"] = status, when
    for place in range(tasks):
        found[f"status of place {place}"] = columns[f"task_{place}_status"]
        found[f"owner of place {place}"] = (columns[f"task_{place}_owner"].astype(np.int64) - lead) % players
    return found


def written_apart(name: str, count: int, maker: type[RandomMission] = RandomMission, **changed: Any) -> Columns:
    """Columns and trace features of missions by the plain generator, with a mission key or ruling changed."""
    number, players, rulings, mission = SETTINGS[name]
    full = MISSIONS[number] | mission | {"max_reactions": 4 * (DECK // players)}
    full |= {key: value for key, value in changed.items() if key in full}
    rules = DEFAULT_RULINGS | rulings | {key: value for key, value in changed.items() if key in DEFAULT_RULINGS}
    rows = []
    for seed in range(count):
        events = maker(players, full, rules, SEED * 1_000_000 + seed).play()
        rows.append(row_of(events, ["random"] * players) | trace_features(events))
    return as_columns(rows)


def differences(name: str, apart: Columns, played: int, traces: int) -> dict[str, float]:
    """The p-value of each comparison between the kernel and missions written apart."""
    number, players, rulings, mission = SETTINGS[name]
    encoded = setting(number, players, "random", *sets_of(rulings, mission))
    tasks = int(encoded.rules["tasks"][0])
    columns = GAME.simulate(encoded, SEED, 0, played)
    one, other = features(columns, players, tasks), features(apart, players, tasks)
    found = {feature: same_law(one[feature], other[feature]) for feature in one}
    told = as_columns([trace_features(GAME.trace(encoded, SEED, index)) for index in range(traces)])
    return found | {feature: same_law(told[feature], apart[feature]) for feature in told}


SIZES = [
    pytest.param(5_000, 150_000, 1_500, id="short"),
    pytest.param(40_000, 1_000_000, 10_000, id="long", marks=pytest.mark.slow),
]


@pytest.mark.compiled
@pytest.mark.parametrize(("apart", "played", "traces"), SIZES)
@pytest.mark.parametrize("name", SETTINGS)
def test_the_random_player_has_the_frequencies_of_the_one_written_apart(
    name: str, apart: int, played: int, traces: int
) -> None:
    found = differences(name, written_apart(name, apart), played, traces)
    assert len(found) > 140
    low = {feature: p for feature, p in found.items() if p < ALARM / (len(SETTINGS) * len(found))}
    assert not low


class TalksMore(RandomMission):
    """Asks for whispers twice before each reaction."""

    def whisper(self, n: int, leader: int) -> None:
        super().whisper(n, leader)
        super().whisper(n, leader)


class HoldsBack(RandomMission):
    """Uses the Seer with probability 1/8 instead of 1/4."""

    def maybe_swap(self, n: int, player: int) -> None:
        if self.rng.random() < 0.5:
            super().maybe_swap(n, player)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("plain", {"limit": 23}),
        ("plain", {"target": 17}),
        ("plain", {"maker": TalksMore}),
        ("play on", {"maker": HoldsBack}),
        ("in order", {"task_order": "strict"}),
        ("sponge", {"boil_over_timing": "immediate"}),
        ("heavy", {"fizzle_credit": "all"}),
    ],
)
def test_another_rule_is_noticed(name: str, wrong: dict[str, Any]) -> None:
    """The comparison above has teeth: with one rule changed it must fail."""
    found = differences(name, written_apart(name, 2_000, **wrong), 100_000, 300)
    assert min(found.values()) < ALARM / (len(SETTINGS) * len(found))


# ---- findings that any correct simulation must reproduce (Crucible 9) --------------------------------------


def drafted(columns: Columns, task: str) -> Iterator[tuple[np.ndarray, str]]:
    """For each place of the draft: the games that have the task there, and the prefix of its columns."""
    place = 0
    while f"task_{place}" in columns:
        yield columns[f"task_{place}"] == int(task[1:]) - 1, f"task_{place}"
        place += 1


def completed(columns: Columns, task: str) -> int:
    return sum(int((columns[f"{name}_status"][has] == Status.COMPLETE).sum()) for has, name in drafted(columns, task))


@pytest.mark.compiled
@pytest.mark.parametrize("policy_name", POLICY_NAMES)
@pytest.mark.parametrize("players", GAME.players)
def test_finding_1_t24_is_dead_in_mission_5(players: int, policy_name: str) -> None:
    sets = ('task_pool=["T24","T07"]', "tasks=2", "rulings.after_loss=play_on")
    columns = GAME.simulate(setting(5, players, policy_name, *sets), SEED, 0, 20_000)
    assert completed(columns, "T24") == 0
    assert completed(columns, "T07") > 0
    for has, name in drafted(columns, "T24"):
        assert (columns[f"{name}_reaction"][has] == 0).all()  # impossible from the draft on
    alive = GAME.simulate(setting(5, players, "random", *sets, "slag_cap=2"), SEED, 0, 20_000)
    assert completed(alive, "T24") > 0


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("mission", "limit", "powers"),
    [(6, 18, {"purifier"}), (12, 20, {"purifier", "stabilizer"}), (12, 19, {"purifier", "stabilizer"})],
)
@pytest.mark.parametrize("players", GAME.players)
def test_finding_1_t23_needs_a_power(players: int, mission: int, limit: int, powers: set[str]) -> None:
    """T23 completes in the reaction in which a Purifier is used, or a Stabilizer where the limit is 19 to 21."""
    sets = ('task_pool=["T23"]', "tasks=1", "slag_cap=30", f"limit={limit}", "rulings.after_loss=play_on")
    columns = GAME.simulate(setting(mission, players, "random", *sets), SEED, 0, 60_000)
    done = columns["task_0_status"] == Status.COMPLETE
    helped = {}
    for power in ("purifier", "stabilizer"):
        helped[power] = np.zeros(len(done), bool)
        for seat in range(players):
            has = columns[f"discipline_{seat}"] == [each.slug for each in DISCIPLINES].index(power)
            helped[power] |= has & (columns[f"power_used_reaction_{seat}"] == columns["task_0_reaction"])
    explained = np.zeros(len(done), bool)
    for power in powers:
        explained |= helped[power]
        assert (done & helped[power]).any(), power
    assert not (done & ~explained).any()
    without = GAME.simulate(setting(mission, players, "random", *sets, "disciplines=false"), SEED, 0, 200)
    assert (without["task_0_status"] == Status.IMPOSSIBLE).all()
    assert (without["task_0_reaction"] == 0).all()


@pytest.mark.compiled
@pytest.mark.parametrize("policy_name", POLICY_NAMES)
@pytest.mark.parametrize("players", GAME.players)
def test_finding_2_the_lead_cannot_compare_with_the_lead(players: int, policy_name: str) -> None:
    sets = ('task_pool=["T33","T34"]', "tasks=2", "slag_cap=30", "rulings.after_loss=play_on")
    columns = GAME.simulate(setting(8, players, policy_name, *sets), SEED, 0, 20_000)
    for task in ("T33", "T34"):
        of_lead, of_others = Counter[int](), Counter[int]()
        for has, name in drafted(columns, task):
            leads = columns[f"{name}_owner"] == columns["lead"]
            of_lead.update(columns[f"{name}_status"][has & leads].tolist())
            of_others.update(columns[f"{name}_status"][has & ~leads].tolist())
        assert of_lead[Status.COMPLETE] == 0
        assert of_lead[Status.IMPOSSIBLE] > 0 or policy_name != "random"
        assert of_others[Status.COMPLETE] > 0 or policy_name != "random"


def test_finding_3_apprentice_is_worth_nothing() -> None:
    """Game by game: in Apprentice's place stands a discipline that no source file knows, and no digit changes.

    No key of a configuration forces a discipline, so the kernel runs as plain Python, where the discipline of one seat
    can be written over once all are kept: with Apprentice, with the unknown one, and, to show that the comparison
    would notice, with Void Weaver. Compared is the whole log: every card, total, credit, task and the ending.
    """
    for name, changed in plain("apprentice").items():
        assert changed["unknown"] == 0, name
        assert changed["void-weaver"] > 0, name


def test_finding_3_no_source_names_apprentice_but_its_row() -> None:
    """The compiled kernel is built from the same sources: the parity of the other half is nowhere worked out."""
    folder = Path(inspect.getfile(kernel_module)).parent
    named = {
        file.name: file.read_text(encoding="utf-8").count("APPRENTICE")
        for file in folder.rglob("*.py")
        if "APPRENTICE" in file.read_text(encoding="utf-8")
    }
    assert named == {"disciplines.py": 2}


def test_finding_4_two_transmutes_restore_a_card() -> None:
    """Followed card by card through traces: after an even number of flips a card is played with its first face."""
    seen: Counter[int] = Counter()
    encoded = setting(8, 3, "random", "target=0", "slag_cap=58", "disciplines=false", "rulings.after_loss=play_on")
    for index in range(games(800, 80)):
        events = GAME.trace(encoded, SEED, index)
        # a hand holds [first face, flips so far]
        hands = [[[card, 0] for card in hand] for hand in events[0]["hands"]]
        for event in (event for event in events if event["type"] == "reaction"):
            for seat, card, _, _ in event["plays"]:
                showing = [each for each in hands[seat] if (turned(each[0]) if each[1] % 2 else each[0]) == card]
                assert len(showing) == 1
                seen[showing[0][1]] += 1
                if event["outcome"] == "transmuted":
                    showing[0][1] += 1
                else:
                    hands[seat].remove(showing[0])
            if any(len({turned(each[0]) if each[1] % 2 else each[0] for each in hand}) < len(hand) for hand in hands):
                break  # equal faces in one hand: from here on cards can't be told apart
    assert min(seen[2], seen[3], seen[4]) > games(15, 1)


def test_finding_6_the_limit_of_22_is_another_game_at_each_table() -> None:
    """Boil Overs a Catalyze by random players rise with their number, far outside of any error."""
    rates = []
    for players in GAME.players:
        sets = ("tasks=0", "slag_cap=58", "rulings.boil_over_timing=end_of_reaction", "disciplines=false")
        columns = GAME.simulate(setting(4, players, "random", *sets, "max_reactions=1"), SEED, 0, games(4_000, 1_000))
        catalyzed = columns["reactions"].sum() - columns["transmutes_tried"].sum()
        rates.append(columns["boil_overs"].sum() / catalyzed)
    assert rates[0] < 0.15 < rates[1] < 0.45 < rates[2]


# ---- no hidden card reaches a player -----------------------------------------------------------------------


def test_policies_are_handed_a_view_and_nothing_else() -> None:
    """By signature: one record, whose fields are those of `VIEW`; the table with the hands is another record."""
    assert not {"hands", "twins", "deck", "faces", "declined"} & set(VIEW.names or ())
    for name in POLICY_NAMES:
        assert list(inspect.signature(policy(name).function).parameters) == ["view"]
    if not JIT_OFF:
        assert POLICIES.signature == types.int64(record_type(VIEW))
        assert record_type(VIEW).dtype == VIEW


def test_a_player_sees_nothing_of_what_is_hidden() -> None:
    """Everything the asked player can't see is dealt anew, and every field of its view and its answer stay the same.

    At decisions of every kind: the hidden cards of the others, the left-over ones, and the disciplines nobody has shown
    are shuffled as far as public knowledge allows (voids shown, hints, the Lead), worked out here from the log. Then
    the mission is played again with the same answers up to the decision. See `study_redeal`.
    """
    with ThreadPoolExecutor(2) as pool:  # each waits for a process
        halves = list(pool.map(plain, ("redeal", "redeal"), ("0", "1")))
    assert [each["leaks"] for each in halves] == [{}, {}]
    decisions, players = (sum((Counter(each[what]) for each in halves), Counter()) for what in ("decisions", "players"))
    assert set(decisions) == {each.name for each in Ask}
    assert min(decisions.values()) >= 40
    assert players["careful"] >= 10_000
    assert min(players["thumb"], players["random"]) >= 1_000
    assert sum(each["moved"] for each in halves) > 60_000  # hidden cards that lay somewhere else
    assert sum(each["refused"] for each in halves) < 0.2 * sum(decisions.values())


# ---- studies of the kernel as plain Python -----------------------------------------------------------------


def study_apprentice() -> dict[str, dict[str, int]]:
    """How many games change when one seat has another discipline than Apprentice, by policy and discipline."""
    unknown = len(Discipline)
    extra = [(each, np.append(each, value)) for each, value in ((TIMING, -1), (LIMIT_ADDED, 0), (TARGET_ADDED, 0))]
    for module in (keeping, setup, reaction, sys.modules[Discipline.__module__]):
        for old, new in extra:
            for name, value in list(vars(module).items()):
                if value is old:
                    setattr(module, name, new)
    keep = kernel_module.keep_disciplines
    forced = [0, 0]  # seat and discipline

    def keep_and_force(view: Any, table: Any, out: Any) -> None:
        keep(view, table, out)
        view.discipline[forced[0]] = forced[1]
        view.power_spent[forced[0]] = 1

    kernel_module.keep_disciplines = keep_and_force
    found = {}
    for name in POLICY_NAMES:
        changed: Counter[str] = Counter({"unknown": 0, "void-weaver": 0})
        for players in GAME.players:
            encoded = setting(8, players, name, "rulings.after_loss=play_on")
            for index in range(14 if name == "random" else 5):
                told = {}
                for discipline in (Discipline.APPRENTICE, unknown, Discipline.VOID_WEAVER):
                    forced[:] = [index % players, discipline]
                    told[discipline] = simulate.record(encoded, SEED, index)[2].tolist()
                changed["unknown"] += told[Discipline.APPRENTICE] != told[unknown]
                changed["void-weaver"] += told[Discipline.APPRENTICE] != told[Discipline.VOID_WEAVER]
        found[name] = dict(changed)
    return found


class Enough(Exception):
    """The mission was played as far as wanted."""


class Tape:
    """One mission played and listened to; then played again, with the same answers, on other hidden cards."""

    def __init__(self, encoded: Encoded, index: int) -> None:
        self.encoded, self.index = encoded, index
        self.asks: dict[tuple[int, ...], tuple[Any, int]] = {}  # by decision: the view, and the rows of the log
        self.answers: dict[tuple[int, ...], tuple[int, int]] = {}  # by decision: the answer, and the plan after it
        self.table: Any = None
        self.hands: list[list[int]] | None = None
        self.disciplines: list[int] | None = None
        self.stop: tuple[int, ...] | None = None
        self.ask_policy, self.deal, self.shuffle = setup.ask_policy, kernel_module.deal, setup.shuffle_prefix

    def play(self) -> None:
        """Listen to the mission, or play it again up to ask number `stop`."""
        self.asks = {}
        setup.ask_policy = keeping.ask_policy = reaction.ask_policy = self.asked
        kernel_module.deal, keeping.shuffle_prefix = self.dealt, self.shuffled
        try:
            simulate.record(self.encoded, SEED, self.index)
        except Enough:
            pass
        finally:
            setup.ask_policy = keeping.ask_policy = reaction.ask_policy = self.ask_policy
            kernel_module.deal, keeping.shuffle_prefix = self.deal, self.shuffle

    def log(self) -> list[list[int]]:
        return np.array(self.table.log[: self.table.logged]).tolist()

    def dealt(self, view: Any, table: Any) -> None:
        self.deal(view, table)
        self.table = table
        if self.hands is not None:
            for seat, hand in enumerate(self.hands):
                table.hands[seat] = np.uint64(sum(1 << face for face in hand))

    def shuffled(self, cards: Any, size: int, source: Any, first: int, count: int) -> None:
        self.shuffle(cards, size, source, first, count)
        if size == len(Discipline) and cards.shape == (size,) and self.disciplines is not None:
            cards[:] = self.disciplines

    @staticmethod
    def decision(view: Any) -> tuple[int, ...]:
        """Which decision a view belongs to: its kind, the seat, the reaction, the turn of the draft."""
        return int(view.ask), int(view.me), int(view.reaction), int(view.drafted) if view.ask == Ask.CLAIM else 0

    def asked(self, address: Any, view: Any) -> int:
        key = self.decision(view)
        self.asks[key] = view.copy(), int(self.table.logged)
        if self.stop is None:
            self.answers[key] = int(self.ask_policy(address, view)), int(view.plan)
        elif key == self.stop or key not in self.answers:
            raise Enough
        answer, view.plan = self.answers[key]
        return answer

    def listen(self) -> list[list[int]]:
        """Play the mission as it is; its whole log. Cards that were forced were not asked for: the log has them."""
        self.play()
        log, reaction_number = self.log(), 0
        for kind, *values in log:
            if kind == Note.REACTION:
                reaction_number = values[0]
            elif kind == Note.PLAY:
                self.answers.setdefault((int(Ask.CARD), values[0], reaction_number, 0), (values[1], -1))
        return log

    def again(self, stop: tuple[int, ...], hands: list[list[int]], disciplines: list[int]) -> list[list[int]]:
        """Play on other cards up to a decision; the log."""
        self.stop, self.hands, self.disciplines = stop, hands, disciplines
        self.play()
        return self.log()


class Hidden:
    """What a player can't see at a point of the log, and what everybody knows of it (Crucible 3 and 6)."""

    def __init__(self, log: list[list[int]], players: int) -> None:
        self.players = players
        self.dealt: list[list[int]] = [[] for _ in range(players + 1)]  # the last: left over
        self.showing: list[Counter[int]] = [Counter() for _ in range(players)]  # faces known in a hand
        self.shown: set[int] = set()  # faces of the deal that everybody has seen
        self.barred: list[set[int]] = [set() for _ in range(players + 1)]  # faces a hidden card there can't have
        self.cauldron: list[tuple[int, int, bool]] = []
        for kind, *values in log:
            if kind == Note.DEAL:
                self.dealt[values[0] if values[0] >= 0 else players].append(values[1])
            elif kind == Note.WHISPER:
                self.whisper(*values[1:4])
            elif kind == Note.REACTION:
                self.cauldron = []
            elif kind == Note.PLAY:
                self.play(values[0], values[1], values[3] == Discipline.ANCHOR)
            elif kind == Note.RESULT and values[0] == 2:
                for seat, face, anchored in self.cauldron:
                    self.showing[seat][face if anchored or face > 53 else 53 - face] += 1

    @staticmethod
    def suit(face: int) -> range:
        return range(9 * (face // 9), min(9 * (face // 9) + 9, DECK))

    def whisper(self, seat: int, face: int, hint: int) -> None:
        if not self.showing[seat][face]:
            self.showing[seat][face] += 1
            self.shown.add(face)
        higher = {each for each in self.suit(face) if each > face}
        lower = {each for each in self.suit(face) if each < face}
        self.barred[seat] |= (higher, lower, higher | lower)[hint]

    def play(self, seat: int, face: int, anchored: bool) -> None:
        lead = self.cauldron[0][1] if self.cauldron else face
        if face // 9 != lead // 9:
            self.barred[seat] |= set(self.suit(lead))
        if self.showing[seat][face]:
            self.showing[seat][face] -= 1
        else:
            self.shown.add(face)
        self.cauldron.append((seat, face, anchored))

    def lead(self, dealt: list[list[int]]) -> int:
        return max(range(self.players), key=lambda seat: max(dealt[seat]))

    def deal_anew(self, me: int, rng: random.Random) -> tuple[list[list[int]], int]:
        """Another deal with the same public history, and how many cards lie elsewhere."""
        dealt = [list(cards) for cards in self.dealt]
        places = [
            (at, place)
            for at, cards in enumerate(dealt)
            for place, card in enumerate(cards)
            if at != me and card not in self.shown
        ]
        lead = self.lead(dealt)
        for _ in range(6 * len(places)):
            (one, i), (other, j) = rng.choice(places), rng.choice(places)
            if dealt[one][i] in self.barred[other] or dealt[other][j] in self.barred[one]:
                continue
            dealt[one][i], dealt[other][j] = dealt[other][j], dealt[one][i]
            if self.lead(dealt) != lead:
                dealt[one][i], dealt[other][j] = dealt[other][j], dealt[one][i]
        moved = sum(len(set(new) - set(old)) for new, old in zip(dealt, self.dealt, strict=True))
        return dealt, moved


def disciplines_anew(log: list[list[int]], deck: list[int], view: Any, rng: random.Random) -> list[int]:
    """The discipline cards, those that the asked player has not seen shuffled: declined by others, or never dealt."""
    kept = {} if view.ask == Ask.KEEP else {values[0]: values[3] for kind, *values in log if kind == Note.KEEP}
    own = (2 * view.me, 2 * view.me + 1)
    hidden = [place for place, card in enumerate(deck) if place not in own and card not in kept.values()]
    order = list(hidden)
    rng.shuffle(order)
    changed = list(deck)
    for place, other in zip(hidden, order, strict=True):
        changed[place] = deck[other]
    return changed


def public(log: list[list[int]]) -> list[list[int]]:
    """The rows everybody sees. (The deal and the offered disciplines are hidden, kept ones stand in the view.)"""
    return [row for row in log if row[0] >= Note.REVEAL]


def study_redeal(share: str = "0", wanted: int = 5_000) -> dict[str, Any]:
    """Decisions tried by kind and player, cards moved, refused worlds, and views that changed: by kind and field.

    Games of one of two shares, until `careful` has had the wanted decisions.

    A deal that fits all that a player knows at one decision fits what it knew at its earlier ones too, so each new deal
    tries all of them.
    """
    rng = random.Random(f"{SEED} {share}")
    decisions: Counter[str] = Counter()
    by_player: Counter[str] = Counter()
    leaks: Counter[str] = Counter()
    moved = refused = game = 0
    while by_player["careful"] < wanted or min(decisions[each.name] for each in Ask) < 20:
        players = GAME.players[game % 3]
        name = ("careful", "thumb", "careful", "random", "careful")[game // 3 % 5]
        sets = ("rulings.after_loss=play_on", "slag_cap=6") if game % 2 else ()
        tape = Tape(setting((4, 8, 11, 3, 10, 12, 6)[game % 7], players, name, *sets), 2 * game + int(share))
        game += 1
        whole = tape.listen()
        asks = tape.asks
        deck = [int(card) for card in tape.table.discipline_deck]
        for me in range(players):
            last = rng.choice([key for key in asks if key[1] == me])
            view, logged = asks[last]
            dealt, elsewhere = Hidden(whole[:logged], players).deal_anew(me, rng)
            log = tape.again(last, dealt[:players], disciplines_anew(whole[:logged], deck, view, rng))
            for key, (before, rows) in asks.items():
                if key[1] != me:
                    continue
                after, rows_again = tape.asks.get(key, (None, len(log)))
                one, other = public(whole[:rows]), public(log[:rows_again])
                if one != other:
                    # what was announced as impossible tells of cards that lie in no hand; nothing else may differ first
                    differ = [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
                    first = differ[0] if differ else max(one, other, key=len)[min(len(one), len(other)) :][:1]
                    tasks = Note.TASK in (row[0] for row in first)
                    assert tasks or not differ, f"an answer was not allowed on the new cards: {first}"
                    refused += 1
                    break
                assert after is not None, "with the same public history another player was asked, or something else"
                moved += elsewhere
                kind = Ask(key[0]).name
                decisions[kind] += 1
                by_player[name] += 1
                for field in VIEW.names or ():
                    if not np.array_equal(before[field], after[field]):
                        leaks[f"{kind}: {field}"] += 1
                if tape.ask_policy(policy(name).address, after) != tape.answers[key][0]:
                    leaks[f"{kind}: answer"] += 1
                if key == last:
                    break
    return {"decisions": decisions, "players": by_player, "moved": moved, "refused": refused, "leaks": leaks}


STUDIES: dict[str, Callable[[], Any]] = {"apprentice": study_apprentice, "redeal": study_redeal}

if __name__ == "__main__":
    with quiet_integers():
        print(json.dumps(STUDIES[sys.argv[1]](*sys.argv[2:])))
