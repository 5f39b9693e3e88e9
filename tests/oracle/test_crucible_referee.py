"""The referee passes legal traces and names every kind of injected fault."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.oracle.crucible_faults import FAULTS, NAMED_BY
from tests.oracle.crucible_notation import DEFAULT_RULINGS, MISSIONS, MOMENTARY_TASKS, RULINGS, TASKS
from tests.oracle.crucible_referee import referee
from tests.oracle.make_trace import generate

OTHER_VALUES = [(key, value) for key, values in RULINGS.items() for value in values[1:]]
PLACES_WANTED = 5


def assert_flawless(players: int, mission: dict[str, Any], rulings: dict[str, Any], seed: int) -> list[Any]:
    events = generate(players, mission, rulings, seed)
    faults = referee(events)
    assert not faults, (players, mission, rulings, seed, faults[:5])
    return events


def mixed_rulings(rng: random.Random) -> dict[str, Any]:
    return {key: rng.choice(values) for key, values in RULINGS.items()}


def odd_mission(rng: random.Random) -> dict[str, Any]:
    """Limits, caps and goals that no logbook mission has, so that rare rules meet."""
    changed = {
        "limit": rng.choice((14, 18, 19, 20, 22, 25, 30)),
        "target": rng.choice((10, 14, 18, 20)),
        "slag_cap": rng.choice((1, 2, 3, 6, 30)),
        "tasks": rng.randint(1, 10),
        "max_reactions": rng.choice((None, None, 10, 25)),
        "ordered_tasks": rng.random() < 0.5,
        "sponge": rng.random() < 0.3,
        "disciplines": rng.random() < 0.8,
    }
    return MISSIONS[rng.randint(1, 12)] | changed


@pytest.mark.parametrize("disciplines", [True, False])
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("number", sorted(MISSIONS))
def test_logbook_missions_are_flawless(number: int, players: int, disciplines: bool) -> None:
    mission = MISSIONS[number] | {"disciplines": disciplines}
    for seed in range(6):
        assert_flawless(players, mission, {}, 1000 * number + seed)
        assert_flawless(players, mission, {"after_loss": "play_on"}, 1000 * number + seed)


@pytest.mark.parametrize(("key", "value"), OTHER_VALUES)
def test_every_ruling_is_flawless(key: str, value: Any) -> None:
    for number, mission in MISSIONS.items():
        for players in (3, 4, 5):
            for after_loss in ("stop", "play_on"):
                assert_flawless(players, mission, {"after_loss": after_loss} | {key: value}, number + players)


def test_mixed_rulings_and_odd_missions_reach_every_status() -> None:
    """Every task is seen complete, impossible and incomplete, except T30, which is never impossible."""
    rng = random.Random(11)
    seen: set[tuple[str, str]] = set()
    endings: set[str] = set()
    for _ in range(2500):
        rulings = mixed_rulings(rng) | {"after_loss": rng.choice(("stop", "play_on", "play_on"))}
        events = assert_flawless(rng.choice((3, 4, 5)), odd_mission(rng), rulings, rng.randrange(10**9))
        seen |= {(line["task"], line["status"]) for line in events if line["type"] == "task"}
        endings.add(events[-1]["ending"])
    every = {(task, status) for task in TASKS for status in ("complete", "impossible", "incomplete")}
    assert every - seen == {("T30", "impossible")}
    assert endings == {"win", "slag", "sponge", "impossible", "incomplete", "extra_goal", "stalled"}


@pytest.mark.parametrize("task_order", RULINGS["task_order"])
def test_two_ordered_events_of_one_reaction_both_count(task_order: str) -> None:
    mission = MISSIONS[3] | {"tasks": 4, "slag_cap": 9}
    rulings = {"task_order": task_order, "after_loss": "play_on"}
    together = 0
    for seed in range(1500):
        events = generate(4, mission, rulings, seed, task_pool=sorted(MOMENTARY_TASKS))
        assert not referee(events)
        done = [line["reaction"] for line in events if line["type"] == "task" and line["status"] == "complete"]
        together += len(done) > len(set(done))
    assert together >= 5


def test_a_small_task_pool_may_run_out_in_the_redraw() -> None:
    pool = ["T24", "T32", "T33", "T34", "T01", "T02"]
    endings: Counter[str] = Counter()
    for seed in range(200):
        events = generate(4, MISSIONS[5], {"impossible_draft": "redraw"}, seed, task_pool=pool)
        assert not referee(events)
        assert not referee(events, task_pool=pool)
        endings["draft" if events[-1]["reactions"] == 0 else "later"] += 1
    assert set(endings) == {"draft", "later"}


def test_sharp_may_prove_more_than_the_table() -> None:
    """An extra proof is accepted under sharp and named under table."""
    accepted = 0
    for seed in range(60):
        events = generate(4, MISSIONS[8], {"impossible_test": "sharp"}, seed)
        first = next(i for i, line in enumerate(events) if line["type"] in ("reaction", "end"))
        drafted = next(line for line in events if line["type"] == "draft")["claims"]
        if events[first]["type"] == "end":
            continue
        owner, task = drafted[0]
        proof = {"type": "task", "reaction": 0, "task": task, "owner": owner, "status": "impossible"}
        end = {"type": "end", "ending": "impossible", "task": task, "reactions": 0}
        before = [line for line in events[:first] if line["type"] in ("setup", "disciplines", "draft")]
        sharp = [*before, proof, end]
        assert not referee(sharp)
        table = [before[0] | {"rulings": DEFAULT_RULINGS}, *sharp[1:]]
        assert referee(table)
        accepted += 1
    assert accepted > 20


def fault_setting(rng: random.Random, kind: str) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """A random setting, tilted towards those in which this kind of fault finds a place."""
    mission, rulings = dict(MISSIONS[rng.randint(1, 12)]), mixed_rulings(rng)
    mission["disciplines"] = rng.random() < 0.85
    if kind == "redraw_forgotten":
        mission = dict(MISSIONS[5])
        rulings |= {"impossible_draft": "redraw", "impossible_test": "table"}
    elif kind == "forbidden_whisper":
        mission = dict(MISSIONS[9])
    elif kind.startswith(("swap", "anchor", "hoarder")):
        mission |= {"disciplines": True, "slag_cap": 6, "tasks": 6}
        rulings |= {"after_loss": "play_on", "boil_over_timing": "immediate"}
    return rng.choice((3, 4, 5)), mission, rulings


@pytest.mark.parametrize("kind", sorted(FAULTS))
def test_every_kind_of_fault_is_named(kind: str) -> None:
    rng = random.Random(kind)
    found = 0
    for seed in range(3000):
        players, mission, rulings = fault_setting(rng, kind)
        legal = generate(players, mission, rulings, seed)
        before = repr(legal)
        broken = FAULTS[kind](legal, rng)
        assert repr(legal) == before, "the legal trace was touched"
        if broken is None:
            continue
        faults = referee(broken)
        assert any(NAMED_BY[kind] in text for text in faults), (kind, seed, faults[:5])
        found += 1
        if found == 2 * PLACES_WANTED:
            break
    assert found >= PLACES_WANTED


def test_a_malformed_line_is_a_fault_and_no_crash() -> None:
    rng = random.Random(3)
    for seed in range(150):
        events = generate(4, MISSIONS[8], {}, seed)
        line = rng.choice(events)
        if line["type"] == "setup":
            continue
        del line[rng.choice([key for key in line if key != "type"])]
        assert referee(events)
    assert referee([])
