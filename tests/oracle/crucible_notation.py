"""Names and tables of "The Alchemist's Crucible" for the referee and the trace maker: no judging."""

from __future__ import annotations

from typing import Any

# Crucible 1: suits in the order that makes the other face of face f equal to 53 - f.
SUITS = "BQSLAM"
CATALYST = "C"
FACES = [f"{suit}{rank}" for suit in SUITS for rank in range(1, 10)]
CATALYSTS = [f"{CATALYST}{rank}" for rank in range(1, 5)]
DECK = FACES + CATALYSTS

# Crucible 5
TASKS = [f"T{number:02d}" for number in range(1, 41)]

# Crucible 5: the suit of each of T07-T12 and of T13-T18, in the order of the table.
SUIT_TASK_ORDER = "BQSMAL"

# Crucible 8: the tasks that mission 3's order binds; the standing ones among them keep what they have seen.
_STANDING = (6, 7, 8, 9, 10, 11, 12, 19, 20, 21, 29)
_MOMENTARY = (23, 25, 26, 27, 32, 37, 38, 39, 40)
MOMENTARY_TASKS = frozenset(f"T{number:02d}" for number in _MOMENTARY)
BOUND_TASKS = MOMENTARY_TASKS | frozenset(f"T{number:02d}" for number in _STANDING)

# Crucible 7
CATALYZE_POWERS = ("purifier", "stabilizer", "pyromancer", "hoarder")
TRANSMUTE_POWERS = ("metallurgist", "transmuter", "anchor")
PASSIVES = ("void-weaver", "apprentice")
SEER = "seer"
DISCIPLINES = PASSIVES + CATALYZE_POWERS + TRANSMUTE_POWERS + (SEER,)

# Every switch of the rule page; the first value is the default.
RULINGS: dict[str, tuple[Any, ...]] = {
    "boil_over_timing": ("immediate", "end_of_reaction"),
    "early_win": (False, True),
    "after_loss": ("stop", "play_on"),
    "fizzle_credit": ("all", "last"),
    "impossible_test": ("table", "sharp"),
    "impossible_draft": ("lose", "redraw"),
    "trick_order": ("tricks", "reactions"),
    "hoarder_takes": ("cards", "trick"),
    "task_order": ("strict", "deferred"),
    "sponge_is": ("not_lead", "lead", "any"),
}
DEFAULT_RULINGS: dict[str, Any] = {key: values[0] for key, values in RULINGS.items()}


def _mission(limit: int, target: int, slag_cap: int, tasks: int, **special: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "limit": limit,
        "target": target,
        "slag_cap": slag_cap,
        "tasks": tasks,
        "max_reactions": None,
        "catalyst_value": None,
        "whispers": True,
        "disciplines": True,
        "ordered_tasks": False,
        "needs_transmute": False,
        "needs_22_and_18": False,
        "sponge": False,
    }
    return plain | special


# Crucible 8: the logbook.
MISSIONS: dict[int, dict[str, Any]] = {
    1: _mission(22, 18, 3, 2),
    2: _mission(22, 18, 3, 2, needs_transmute=True),
    3: _mission(22, 18, 3, 3, ordered_tasks=True),
    4: _mission(22, 18, 3, 3),
    5: _mission(25, 18, 1, 3),
    6: _mission(18, 14, 3, 3),
    7: _mission(22, 18, 3, 4, catalyst_value=10),
    8: _mission(22, 18, 3, 4),
    9: _mission(22, 18, 3, 4, whispers=False),
    10: _mission(22, 18, 3, 4, needs_22_and_18=True),
    11: _mission(22, 18, 3, 5, sponge=True),
    12: _mission(20, 20, 2, 5),
}
