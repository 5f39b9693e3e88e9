"""The Crucible's rule text says what its tasks, disciplines and missions are; see test_rules_md.py for all games'."""

from __future__ import annotations

import re

import pytest

from alchemy_sim.config.load import load
from alchemy_sim.core.errors import ConfigError
from alchemy_sim.games.crucible.names import (
    DISCIPLINES,
    FACES,
    SUIT_NAMES,
    SUITS,
    TASKS,
    face_name,
    face_number,
    task_number,
)
from tests.unit.test_rules_md import rule_text, sections

SECTIONS = sections(rule_text("crucible"))


def cells(section: str) -> list[list[str]]:
    """The rows of the tables of a section, without those of dashes."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return [row for row in rows if set("".join(row)) != {"-"}]


def test_the_forty_tasks() -> None:
    rows = cells(SECTIONS["5"])[1:]
    assert [(row[0], row[1]) for row in rows] == [(task.id, task.slug) for task in TASKS]
    assert len({task.slug for task in TASKS}) == len(TASKS) == 40
    counts = {task.category: 0 for task in TASKS}
    for task in TASKS:
        counts[task.category] += 1
    assert list(counts.values()) == [6, 12, 4, 6, 4, 4, 4]


def test_tasks_bound_by_order() -> None:
    told = re.search(r"complete by an event: (.*?)\. The", SECTIONS["8"], re.DOTALL)
    assert told is not None
    bound = set()
    for first, last in re.findall(r"T(\d\d)(?:\s+to\s+T(\d\d))?", told[1]):
        bound |= set(range(int(first), int(last or first) + 1))
    assert {task.id for task in TASKS if task.binds_order} == {f"T{number:02d}" for number in bound}


def test_end_tasks_are_the_unbound_ones() -> None:
    ends = {row[0] for row in cells(SECTIONS["5"])[1:] if row[2].startswith(("end", "the same"))}
    standing = {f"T{number:02d}" for number in range(8, 13)}  # "the same" as T07, which is no matter of the end
    assert ends - standing | {"T31"} == {task.id for task in TASKS if not task.binds_order}


def test_disciplines() -> None:
    rows = cells(SECTIONS["7"])[1:]
    assert [(row[0].strip("`"), row[1].lower()) for row in rows] == [(each.slug, each.timing) for each in DISCIPLINES]


def test_logbook() -> None:
    rows = cells(SECTIONS["8"])[1:]
    assert len(rows) == 12
    keys = ("limit", "target", "slag_cap", "tasks")
    base = load("crucible/base").settings[0].config.resolved()
    plain = ("title", "assumed", *keys)
    for number, row in enumerate(rows, 1):
        mission = load(f"crucible/mission-{number:02d}").settings[0].config.resolved()
        assert [mission[key] for key in keys] == [int(cell) for cell in row[1:5]]
        assert mission["title"] == "Mission " + row[0].replace(f"{number} ", f"{number}: ")
        special = {key for key in mission if mission[key] != base[key] and key not in plain}
        assert special == ({row[6].strip("`")} - {"", "slag_cap"})


def test_faces() -> None:
    assert [face_number(face_name(face)) for face in range(FACES)] == list(range(FACES))
    assert (face_name(0), face_name(53), face_name(54), face_name(57)) == ("B1", "M9", "C1", "C4")
    for face in range(54):
        name, other = face_name(face), face_name(53 - face)
        assert SUITS.index(name[0]) + SUITS.index(other[0]) == 5
        assert int(name[1]) + int(other[1]) == 10
    assert [name[0] for name in SUIT_NAMES] == [*SUITS, "C"]


@pytest.mark.parametrize("text", ["", "B0", "C5", "b3", "X1", "B10"])
def test_no_such_card(text: str) -> None:
    with pytest.raises(ConfigError, match="no card is called"):
        face_number(text)
    with pytest.raises(ConfigError, match="no card has the face 58"):
        face_name(58)


def test_task_names() -> None:
    assert [task_number(task.id) for task in TASKS] == [task_number(task.slug) for task in TASKS] == list(range(40))
    with pytest.raises(ConfigError, match=r'unknown task "wins-a-9" \(did you mean "win-a-9"'):
        task_number("wins-a-9")
