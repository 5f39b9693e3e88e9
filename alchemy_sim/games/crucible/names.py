"""The names of the cards, tasks and disciplines, as plain data (Crucible 1, 5 and 7).

The place of a name in its table is the integer the kernel uses.
"""

from __future__ import annotations

from typing import NamedTuple

from alchemy_sim.core.errors import ConfigError, unknown

#: Ingredient suits by number; a suit's opposite is 5 - suit. Catalysts are suit 6.
SUITS = "BQSLAM"
CATALYST_LETTER = "C"
SUIT_NAMES = ("Brimstone", "Quicksilver", "Salt", "Lodestone", "Aether", "Mandrake", "Catalyst")
FACES = 58


class Task(NamedTuple):
    """One task card. `binds_order`: mission 3's order binds it (Crucible 8); the others are judged at the end."""

    id: str
    slug: str
    category: str
    text: str
    binds_order: bool


class Discipline(NamedTuple):
    """One discipline. `timing`: passive, or the reactions it may be used in (catalyze, transmute, any)."""

    slug: str
    timing: str
    text: str


#: Suits in the order of the tasks T07 to T12 and T13 to T18.
_TASK_SUITS = ("Brimstone", "Quicksilver", "Salt", "Mandrake", "Aether", "Lodestone")

#: slug, category, text, binds_order
_TASKS: tuple[tuple[str, str, str, bool], ...] = (
    ("tricks-0", "trick volume", "Win no trick", False),
    ("tricks-1", "trick volume", "Win exactly 1 trick", False),
    ("tricks-2", "trick volume", "Win exactly 2 tricks", False),
    ("tricks-3", "trick volume", "Win exactly 3 tricks", False),
    ("tricks-4", "trick volume", "Win exactly 4 tricks", False),
    ("tricks-5plus", "trick volume", "Win 5 or more tricks", True),
    *((f"some-{suit.lower()}", "suits", f"Win at least one {suit}", True) for suit in _TASK_SUITS),
    *((f"no-{suit.lower()}", "suits", f"Win no {suit}", False) for suit in _TASK_SUITS),
    ("win-a-9", "ranks", "Win an ingredient of rank 9", True),
    ("win-a-1", "ranks", "Win an ingredient of rank 1", True),
    ("some-catalyst", "ranks", "Win at least one Catalyst", True),
    ("no-catalyst", "ranks", "Win no Catalyst", False),
    ("sum-22", "reactions and transmutes", "Win a trick whose total is exactly 22", True),
    ("one-boil-over", "reactions and transmutes", "Cause exactly one Boil Over", False),
    ("transmute-high", "reactions and transmutes", "Play the highest card in a successful Transmute", True),
    ("transmute-low", "reactions and transmutes", "Play the lowest card in a successful Transmute", True),
    ("fizzler", "reactions and transmutes", "Play a card into a Transmute that fizzles", True),
    ("lead-one-transmute", "reactions and transmutes", "Lead exactly one Transmute", False),
    ("first-trick", "timing and order", "Win the first trick", True),
    ("last-trick", "timing and order", "Win the last trick", False),
    ("none-of-first-three", "timing and order", "Win none of the first three tricks", False),
    ("after-boil-over", "timing and order", "Win the trick right after a Boil Over", True),
    ("more-than-lead", "comparisons", "Win more tricks than the Lead Alchemist", False),
    ("fewer-than-lead", "comparisons", "Win fewer tricks than the Lead Alchemist", False),
    ("most-outright", "comparisons", "Win more tricks than anyone else", False),
    ("same-as-left", "comparisons", "Win as many tricks as the alchemist to your left", False),
    ("two-mandrake", "combos", "Win a trick with two or more Mandrake", True),
    ("three-of-a-suit", "combos", "Win a trick with three or more cards of one suit", True),
    ("two-catalysts", "combos", "Win a trick with two or more Catalysts", True),
    ("all-low", "combos", "Win a trick with no card above 5", True),
)
TASKS = tuple(Task(f"T{number:02d}", *row) for number, row in enumerate(_TASKS, 1))

DISCIPLINES = (
    Discipline("void-weaver", "passive", "Your Catalysts count 0 and are never the highest card"),
    Discipline("apprentice", "passive", "Your whisper also tells whether the card's other half is odd or even"),
    Discipline("purifier", "catalyze", "No limit in this Catalyze"),
    Discipline("stabilizer", "catalyze", "The limit is 3 higher in this Catalyze"),
    Discipline("pyromancer", "catalyze", "Your Brimstone counts 0 in this Catalyze"),
    Discipline("metallurgist", "transmute", "The target is 5 lower in this Transmute"),
    Discipline("transmuter", "transmute", "This Transmute succeeds whatever its total"),
    Discipline("anchor", "transmute", "Your card is not flipped if this Transmute succeeds"),
    Discipline("hoarder", "catalyze", "If this Catalyze is safe, its cards go to your pile"),
    Discipline("seer", "any", "Swap one of your open tasks with another player's"),
)

SLUGS = tuple(each.slug for each in DISCIPLINES)

_TASK_NUMBER = {name: number for number, task in enumerate(TASKS) for name in (task.id, task.slug)}


def task_number(name: str) -> int:
    """The number (0 to 39) of a task named by id or slug."""
    if name not in _TASK_NUMBER:
        # all forty names would drown the nearest one, so ids are answered by their range
        kind = [task.id for task in TASKS] if name[:1] in "Tt" and name[1:].isdecimal() else [t.slug for t in TASKS]
        near = unknown("task", name, kind).split("; allowed", 1)[0]
        raise ConfigError(f"{near}; allowed: T01 to T40 or their slugs, such as {TASKS[0].slug}")
    return _TASK_NUMBER[name]


def face_name(face: int) -> str:
    """The notation of a face: 0 is B1, 53 is M9, 54 to 57 are C1 to C4."""
    if not 0 <= face < FACES:
        raise ConfigError(f"no card has the face {face}; allowed: 0 to {FACES - 1}")
    return f"{(SUITS + CATALYST_LETTER)[face // 9]}{face % 9 + 1}"


_FACE_NUMBER = {face_name(face): face for face in range(FACES)}


def face_number(text: str) -> int:
    """The face that a notation such as B3, M7 or C4 means."""
    if text not in _FACE_NUMBER:
        raise ConfigError(f'no card is called "{text}"; allowed: B, Q, S, L, A or M with 1 to 9, and C1 to C4')
    return _FACE_NUMBER[text]
