"""`lint` calls nothing dead that can be done: against all play of small deals, and against many missions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from alchemy_sim.config.load import load
from alchemy_sim.core.game import Remark
from alchemy_sim.games.crucible.config import CrucibleConfig
from alchemy_sim.games.crucible.game import GAME
from alchemy_sim.games.crucible.lint import lint
from alchemy_sim.games.crucible.names import DISCIPLINES, TASKS
from alchemy_sim.games.crucible.table import Ending, Status
from alchemy_sim.games.crucible.tallies import Drafts
from tests.statistical.test_sharp import Solver, State, TooLarge

NAMES = [task.id for task in TASKS]
#: Tasks of which the solver's ends tell whether they hold.
COUNTED = ["T01", "T02", "T03", "T04", "T05", "T06", "T33", "T34", "T35", "T36"]
DECK = [f"{suit}{rank}" for suit in "BQSLAM" for rank in range(1, 10)] + [f"C{rank}" for rank in range(1, 5)]


def mission(number: int, *sets: str) -> CrucibleConfig:
    config = load(f"crucible/mission-{number:02d}", sets).settings[0].config
    assert isinstance(config, CrucibleConfig)
    return config


@cache
def remarks(number: int, players: int) -> list[Remark]:
    return lint(mission(number), players)


def about(found: list[Remark], subject: str) -> Remark:
    return next(each for each in found if each.subject == subject)


# ---- what the rule pages name ------------------------------------------------------------------------------


@pytest.mark.parametrize("players", GAME.players)
def test_what_section_9_of_the_rules_names(players: int) -> None:
    """T24 (and T32) are dead in mission 5, T23 needs powers in 6 and 12, T33 and T34 are not for the Lead."""
    for task in ("T24", "T32"):
        assert [about(remarks(number, players), task).status for number in (4, 5)] == ["alive", "dead"]
    assert about(remarks(6, players), "T23").needs == ("purifier",)
    assert set(about(remarks(12, players), "T23").needs) == {"purifier", "stabilizer"}
    assert about(remarks(4, players), "T23").status == "alive"
    for task in ("T33", "T34"):
        assert about(remarks(1, players), task).status == "owner"
        assert "the Lead" in about(remarks(1, players), task).reason


def test_the_sponge_may_win_nothing() -> None:
    found = remarks(11, 4)
    assert "the Sponge" in about(found, "T02").reason
    assert about(found, "T07").needs == ("hoarder",)  # the Hoarder's pile gets cards without a trick
    assert about(found, "T01").status == about(found, "T26").status == "alive"


def test_one_task_falls_to_the_lead() -> None:
    found = lint(mission(1, "tasks=1"), 3)
    assert [about(found, task).status for task in ("T33", "T34")] == ["dead", "dead"]


def test_extreme_numbers() -> None:
    """Limits no reaction exceeds, targets none reaches or all do, and a mission too short to end."""
    assert about(lint(mission(4, "limit=27"), 3), "T24").status == "dead"
    assert about(lint(mission(4, "limit=26"), 3), "T24").status == "alive"
    assert about(lint(mission(4, "target=28", "disciplines=false"), 3), "T25").status == "dead"
    assert about(lint(mission(4, "target=28"), 3), "T25").needs == ("metallurgist", "transmuter")
    assert about(lint(mission(4, "target=40"), 3), "T25").needs == ("transmuter",)
    assert about(lint(mission(4, "target=0"), 3), "T27").status == "dead"
    assert about(lint(mission(4, "limit=19", "disciplines=false"), 3), "T23").status == "dead"
    assert about(lint(mission(4, "max_reactions=3"), 3), "mission").status == "dead"
    assert about(lint(mission(4, "max_reactions=4"), 3), "T06").status == "dead"
    assert about(lint(mission(10, "limit=20", "disciplines=false"), 3), "mission").status == "dead"


def test_sets_of_tasks() -> None:
    """Both for the Lead; more tricks than there are; and the share of draws that hold one, counted by hand."""
    dead = {each.subject for each in remarks(1, 4) if each.rule == "together"}
    assert dead == {"T01+T34", "T33+T34", "T33+T35", "T33+T36", "T34+T36"}
    assert "0.64%" in next(each.reason for each in remarks(1, 4) if each.rule == "draws")  # 5 of 780 pairs
    assert "12 tricks" in next(each.reason for each in remarks(4, 5) if each.subject == "T04+T05+T06")
    assert not any(each.rule == "draws" for each in lint(mission(1, "rulings.impossible_draft=redraw"), 4))


# ---- against all play of small deals -----------------------------------------------------------------------


class Going(Solver):
    """All play up to the loss by Slag Tokens."""

    def reactions(self, state: State) -> Iterator[State]:
        for after in super().reactions(state):
            if sum(after.slag) < self.mission["slag_cap"]:
                yield after


def small_deal(rng: random.Random, config: CrucibleConfig, cards: int) -> tuple[list[str | None], State]:
    """Hands of so many cards each for three, who all may hold any discipline, or none."""
    deck = list(DECK)
    rng.shuffle(deck)
    if rng.random() < 0.5:  # low cards, high cards and Catalysts, which are what the proofs are about
        deck.sort(key=lambda card: card[0] != "C" and card[1] not in rng.choice(("12", "89", "19")))
    hands = tuple(tuple(sorted(deck[cards * seat : cards * seat + cards])) for seat in range(3))
    kept: list[str | None] = [None] * 3
    if config.disciplines:
        kept = list(rng.sample([each.slug for each in DISCIPLINES if each.slug != "seer"], 3))
    fresh = tuple(None if each in (None, "void-weaver", "apprentice") else each for each in kept)
    return kept, State(hands, 0, fresh, False, (0, 0, 0), (0, 0, 0))


def solved(rng: random.Random, config: CrucibleConfig) -> tuple[list[str | None], Solver]:
    while True:
        kept, start = small_deal(rng, config, 2)
        facts = GAME.encode(config, 3, ["random"] * 3).facts
        solver = Going(dict(facts["mission"]), dict(facts["rulings"]), kept, 4_000)
        try:
            solver.solve(start)
        except TooLarge:
            continue
        return kept, solver


def refuted(config: CrucibleConfig, kept: list[str | None], solver: Solver) -> set[str]:
    """The remarks on single tasks that some play of this deal contradicts."""
    wrong = set()
    for each in lint(config, 3):
        if each.status not in ("dead", "needs") or each.subject not in NAMES:
            continue
        if each.status == "needs" and set(each.needs) & set(kept):
            continue
        if each.subject == "T24":
            if any(1 in slag for _, slag in solver.ends):
                wrong.add(each.subject)
        elif any(name == each.subject for name, _ in solver.events):
            wrong.add(each.subject)
    return wrong


def any_config(rng: random.Random) -> CrucibleConfig:
    sets = [
        f"limit={rng.choice((2, 4, 8, 10, 14, 18, 19, 20, 22, 26, 27))}",
        f"target={rng.choice((0, 1, 2, 3, 4, 18, 26, 28, 31, 40))}",
        f"slag_cap={rng.choice((1, 1, 2, 3))}",
        f"disciplines={str(rng.random() < 0.6).lower()}",
        f"rulings.boil_over_timing={rng.choice(('immediate', 'end_of_reaction'))}",
        f"rulings.hoarder_takes={rng.choice(('cards', 'trick'))}",
    ]
    if rng.random() < 0.3:
        sets.append(f"catalyst_value={rng.choice((0, 5, 10, 20))}")
    return mission(4, *sets)


def test_dead_tasks_against_all_play() -> None:
    rng = random.Random(20)
    claimed: Counter[str] = Counter()
    for _ in range(90):
        config = any_config(rng)
        kept, solver = solved(rng, config)
        assert refuted(config, kept, solver) == set()
        claimed.update(each.subject for each in lint(config, 3) if each.status in ("dead", "needs"))
    assert min(claimed[task] for task in ("T21", "T23", "T24", "T25", "T27", "T32", "T39")) >= 6


def test_the_test_of_dead_tasks_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit read one too low, a Boil Over that no limit keeps from happening: found within as many deals."""
    import alchemy_sim.games.crucible.lint as module

    monkeypatch.setattr(module, "_room", lambda bounds, cards: ("dead", (), "wrong"))
    rng = random.Random(21)
    found: set[str] = set()
    for _ in range(20):
        config = any_config(rng)
        found |= refuted(config, *solved(rng, config))
    assert found & {"T07", "T19", "T21", "T40"}


def test_dead_sets_against_all_play() -> None:
    """With two cards each there are two tricks: whatever was played, no draft of a dead set has all its tasks done."""
    rng = random.Random(22)
    shared = 0
    for _ in range(40):
        count = rng.choice((2, 3, 4))
        config = mission(4, "max_reactions=2", f"tasks={count}", "rulings.early_win=true", "limit=40")
        drafts = Drafts(config, 3)
        _, solver = solved(rng, config)
        for size in (2, 3):
            for group in combinations(COUNTED, min(size, count)):
                if not drafts.dead([NAMES.index(name) for name in group]):
                    continue
                shared += 1
                for places in permutations(range(count), len(group)):
                    owners = [place % 3 for place in places]
                    for end in solver.ends:
                        held = [solver.holds(name, me, 0, *end) for name, me in zip(group, owners, strict=True)]
                        assert not all(held)
    assert shared > 500


# ---- against many missions ---------------------------------------------------------------------------------


def completed(number: int, players: int, policy: str, games: int, seed: int) -> tuple[np.ndarray, np.ndarray, Any]:
    """Which task each place holds, and whether it was completed: shapes (games, tasks)."""
    config = mission(number, "rulings.after_loss=play_on")
    encoded = GAME.encode(config, players, [policy] * players)
    outcomes = GAME.simulate(encoded, seed, 0, games)
    places = range(config.tasks)
    tasks = np.stack([outcomes[f"task_{place}"] for place in places], axis=1)
    done = np.stack([outcomes[f"task_{place}_status"] == Status.COMPLETE for place in places], axis=1)
    return tasks, done, outcomes


def sponge_kept(outcomes: Any, players: int) -> np.ndarray:
    """The missions in which the Sponge, if there is one, won no trick: what it wins after a loss is void."""
    tricks = np.stack([outcomes[f"tricks_{seat}"] for seat in range(players)], axis=1)
    seat = outcomes["sponge_seat"]
    return (seat < 0) | (tricks[np.arange(len(seat)), np.maximum(seat, 0)] == 0)


def contradictions(number: int, players: int, policy: str, games: int, seed: int) -> list[str]:
    tasks, done, outcomes = completed(number, players, policy, games, seed)
    powers = np.stack([outcomes[f"discipline_{seat}"] for seat in range(players)], axis=1)
    slugs = [each.slug for each in DISCIPLINES]
    found = []
    for each in remarks(number, players):
        if each.subject in NAMES and each.status in ("dead", "needs"):
            without = np.ones(len(tasks), bool)
            for name in each.needs:
                without &= ~(powers == slugs.index(name)).any(axis=1)
            if (((tasks == NAMES.index(each.subject)) & done).any(axis=1) & without).any():
                found.append(each.subject)
        elif each.rule == "together":
            wanted = [NAMES.index(name) for name in each.subject.split("+")]
            together = sponge_kept(outcomes, players)
            for task in wanted:
                together &= ((tasks == task) & done).any(axis=1)
            if together.any() or (np.isin(wanted, tasks).all() and _won_with(tasks, wanted, outcomes)):
                found.append(each.subject)
        elif each.status == "owner" and "the Lead:" in each.reason:
            place_owner = np.stack([outcomes[f"task_{p}_owner"] for p in range(tasks.shape[1])], axis=1)
            if ((tasks == NAMES.index(each.subject)) & done & (place_owner == outcomes["lead"][:, None])).any():
                found.append(each.subject)
    return found


def _won_with(tasks: np.ndarray, wanted: list[int], outcomes: Any) -> bool:
    drawn = np.ones(len(tasks), bool)
    for task in wanted:
        drawn &= (tasks == task).any(axis=1)
    return bool((drawn & (outcomes["ending"] == Ending.WIN)).any())


@pytest.mark.compiled
@pytest.mark.parametrize("policy", ["random", "careful"])
def test_nothing_called_dead_is_ever_done(policy: str) -> None:
    """All missions at all player counts, 2,000 missions each (1,000,000 together in `make verify`)."""
    for number in range(1, 13):
        for players in GAME.players:
            assert contradictions(number, players, policy, 2_000, 77) == []


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("policy", ["random", "careful"])
def test_nothing_called_dead_is_ever_done_in_a_million(policy: str) -> None:
    for number in range(1, 13):
        for players in GAME.players:
            assert contradictions(number, players, policy, 28_000, 78) == []
