"""Tasks that spoil each other: whether the tricks of a mission can be shared out so that all of them hold.

A tally says how many tricks each seat has won at the end, the Lead's first; there are at most as many tricks as the
largest hand has cards, for each takes one card out of every hand. A task in a seat's hands allows some of all tallies,
and a set of tasks is dead if no way of drafting it leaves any tally allowed by all. Tasks that look at the cards won
also bar each other (some Salt, no Salt). Nothing is said of what the cards allow: a set that is not dead may be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, permutations
from math import comb

import numpy as np

from alchemy_sim.core.game import Remark
from alchemy_sim.games.crucible.cards import MANDRAKE
from alchemy_sim.games.crucible.config import CrucibleConfig
from alchemy_sim.games.crucible.names import FACES, TASKS
from alchemy_sim.games.crucible.tasks import FAMILY, PARAMETER, Deed, Family

#: Larger sets than this are not looked at: beyond five tasks nearly everything is a set of smaller ones.
MOST_TOGETHER = 5
#: Tasks whose owner has to win a trick, whatever is in it, stand for each other in the sets.
_TRANSMUTE = (Deed.HIGH, Deed.LOW, Deed.FIZZLE)


@cache
def tallies(players: int, tricks: int) -> np.ndarray:
    """All ways to share out at most so many tricks among the seats: shape (ways, players)."""
    grid = np.indices((tricks + 1,) * players).reshape(players, -1).T
    return grid[grid.sum(axis=1) <= tricks]


@cache
def allowed(players: int, tricks: int, task: int, seat: int, by_pile: bool, by_tricks: bool) -> int:
    """The tallies that a task in a seat's hands allows, a bit each.

    `by_pile`: a Hoarder's pile may get cards without a trick. `by_tricks`: T31 counts tricks, not reactions.
    """
    return _bits(_allows(tallies(players, tricks), task, seat, by_pile, by_tricks))


def _bits(flags: np.ndarray) -> int:
    return int.from_bytes(np.packbits(flags).tobytes(), "big")


def _allows(won: np.ndarray, task: int, seat: int, by_pile: bool, by_tricks: bool) -> np.ndarray:
    family, parameter, mine = FAMILY[task], PARAMETER[task], won[:, seat]
    everything = np.ones(len(won), bool)
    if family == Family.TRICKS:
        return mine == parameter
    if family == Family.TRICKS_PLUS:
        return mine >= parameter
    if family == Family.MORE:
        return mine > won[:, 0]
    if family == Family.FEWER:
        return mine < won[:, 0]
    if family == Family.MOST:
        return mine > np.delete(won, seat, axis=1).max(axis=1)
    if family == Family.SAME:
        return mine == won[:, (seat + 1) % won.shape[1]]
    if family == Family.LAST:
        return mine > 0
    if family == Family.NONE_OF_THREE and by_tricks:
        return mine <= np.maximum(0, won.sum(axis=1) - 3)  # of three tricks or fewer none
    if family == Family.DEED and parameter not in _TRANSMUTE and not (by_pile and parameter <= Deed.ONE):
        return mine > 0
    return everything


def bar_each_other(one: int, other: int) -> bool:
    """Whether one owner can't complete both, for what they ask of the cards won or of the first tricks."""
    for a, b in ((one, other), (other, one)):
        wanted = PARAMETER[a]
        if FAMILY[a] == Family.DEED and FAMILY[b] == Family.NO_DEED:
            same = {Deed.TWO_MANDRAKE: MANDRAKE, Deed.TWO_CATALYSTS: Deed.CATALYST}.get(wanted, wanted)
            if same == PARAMETER[b]:
                return True
        if FAMILY[a] == Family.DEED and wanted == Deed.FIRST and FAMILY[b] == Family.NONE_OF_THREE:
            return True
    return False


class Drafts:
    """The ways in which a mission's tasks can be drafted, and what they leave possible."""

    def __init__(self, config: CrucibleConfig, players: int) -> None:
        self.players = players
        self.tasks = config.tasks
        self.tricks = min(FACES // players, config.max_reactions or FACES // players)
        self._by_pile = config.disciplines and config.rulings.hoarder_takes == "cards"
        self._by_tricks = config.rulings.trick_order == "tricks"
        won = tallies(players, self.tricks)
        sponges = {"lead": slice(0, 1), "not_lead": slice(1, players), "any": slice(0, players)}
        seats = won[:, sponges[config.rulings.sponge_is]]
        self._base = _bits((seats == 0).any(axis=1) if config.sponge else np.ones(len(won), bool))

    def possible(self, owned: Mapping[int, int]) -> bool:
        """Whether all tasks (with the seat of each, the Lead's 0) can hold together, by tallies and by cards."""
        left = self._base
        for task, seat in owned.items():
            left &= allowed(self.players, self.tricks, task, seat, self._by_pile, self._by_tricks)
        pairs = combinations(owned.items(), 2)
        return bool(left) and not any(mine == its and bar_each_other(a, b) for (a, mine), (b, its) in pairs)

    def ways(self, tasks: Sequence[int]) -> Iterator[dict[int, int]]:
        """The seats that can come to own these of the mission's tasks: claims go round from the Lead."""
        for places in permutations(range(self.tasks), len(tasks)):
            yield {task: place % self.players for task, place in zip(tasks, places, strict=True)}

    def dead(self, tasks: Sequence[int]) -> bool:
        """Whether no way of drafting these tasks leaves all of them possible."""
        return not any(self.possible(way) for way in self.ways(tasks))


def set_remarks(config: CrucibleConfig, players: int, tasks: Sequence[int]) -> list[Remark]:
    """The smallest sets of these tasks that no draft leaves possible, pairs that one owner can't complete, and odds.

    `tasks` are those of the pool that somebody can complete. Pairs of one owner are only named where a draft can give
    one owner two.
    """
    drafts = Drafts(config, players)
    found = []
    if config.tasks > players:
        for one, other in combinations(tasks, 2):
            if not any(drafts.possible({one: seat, other: seat}) for seat in range(players)):
                subject = f"{TASKS[one].id}+{TASKS[other].id}"
                found.append(Remark("one-owner", subject, "owner", "not for one owner, unless the Seer parts them"))
    counting = [task for task in tasks if _counts(task)]
    dead: list[tuple[int, ...]] = []
    for size in range(2, min(config.tasks, MOST_TOGETHER) + 1):
        for group in combinations(counting, size):
            if not any(set(smaller) <= set(group) for smaller in dead) and drafts.dead(group):
                dead.append(group)
    for group in dead:
        names = "+".join(TASKS[task].id for task in group)
        found.append(Remark("together", names, "dead", _why(drafts, group)))
    loses = config.rulings.impossible_draft == "lose"
    if config.tasks and loses and (odds := _odds(config, tasks, counting, dead)):
        found.append(Remark("draws", "mission", "alive", f"{odds:.2%} of draws hold a dead task or a dead set of them"))
    return found


def _odds(
    config: CrucibleConfig, tasks: Sequence[int], counting: Sequence[int], dead: Sequence[tuple[int, ...]]
) -> float:
    """The share of draws that hold a dead task or set: one less those that hold neither, counted one by one."""
    others = len(tasks) - len(counting)
    clean = 0
    for size in range(min(config.tasks, len(counting)) + 1):
        free = sum(not any(set(bad) <= set(group) for bad in dead) for group in combinations(counting, size))
        clean += free * comb(others, config.tasks - size)
    return 1 - clean / comb(len(config.pool()), config.tasks)


def _counts(task: int) -> bool:
    """Whether a task looks at how many tricks its owner, or others, win."""
    counting = (Family.TRICKS, Family.TRICKS_PLUS, Family.MORE, Family.FEWER, Family.MOST, Family.SAME)
    return FAMILY[task] in (*counting, Family.NONE_OF_THREE, Family.LAST)


def _why(drafts: Drafts, group: Sequence[int]) -> str:
    least = sum(int(PARAMETER[task]) for task in group if FAMILY[task] in (Family.TRICKS, Family.TRICKS_PLUS))
    if least > drafts.tricks:
        return f"they need {least} tricks, and there are at most {drafts.tricks}"
    lead_bound = [TASKS[task].id for task in group if FAMILY[task] in (Family.MORE, Family.FEWER)]
    if len(group) == drafts.tasks and len(lead_bound) == len(group):
        return "one of them falls to the Lead, who can complete neither"
    return f"no sharing out of at most {drafts.tricks} tricks fits, whoever drafts which"
