"""What the rules alone say of a mission, before a card is dealt: tasks that can't be completed, and why.

Every `dead` is a proof, so it says nothing of what is merely hard. The proofs are about totals (what a reaction of so
many cards can add up to), Slag Tokens, and whose task it is; `tallies` has those about how tricks can be shared out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from alchemy_sim.core.game import Remark
from alchemy_sim.games.crucible.config import CrucibleConfig
from alchemy_sim.games.crucible.names import FACES, TASKS
from alchemy_sim.games.crucible.tallies import set_remarks
from alchemy_sim.games.crucible.tasks import FAMILY, PARAMETER, Deed, Family

#: Powers that make room in a Catalyze without lifting its limit altogether.
MAKE_ROOM = ("stabilizer", "void-weaver", "pyromancer")
#: Cards that can show a 9, or a 1, at the same time are more than any reaction has: six on the front, six on the back.
_CATALYSTS = 4

DEAD, NEEDS, OWNER, ALIVE = "dead", "needs", "owner", "alive"


@dataclass(frozen=True)
class Bounds:
    """What totals a mission's reactions can have."""

    config: CrucibleConfig
    players: int

    @property
    def hand(self) -> int:
        """Cards dealt to each."""
        return FACES // self.players

    @property
    def catalyst(self) -> tuple[int, int]:
        """The least and the most a Catalyst counts."""
        value = self.config.catalyst_value
        return (1, 4) if value is None else (value, value)

    @property
    def most(self) -> int:
        """The greatest total of a reaction."""
        return _extreme(self.players, 9, self.catalyst[1], max)

    @property
    def boils(self) -> bool:
        """Whether any total is above the limit."""
        return self.most > self.config.limit

    @property
    def uneven(self) -> bool:
        """Whether hands can become uneven, so that reactions have fewer cards: by a Boil Over that stops one."""
        return self.boils and self.config.slag_cap > 1 and self.config.rulings.boil_over_timing == "immediate"

    def least(self, cards: tuple[int, ...] = ()) -> int:
        """The least total of a reaction with cards of these values in it."""
        others = 0 if self.uneven else self.players - len(cards)
        if not cards and self.uneven:
            others = 1
        return sum(cards) + _extreme(others, 1, self.catalyst[0], min)

    def powers(self, *names: str) -> tuple[str, ...]:
        """Those powers, none where there are no disciplines."""
        return names if self.config.disciplines else ()


def lint(config: CrucibleConfig, players: int) -> list[Remark]:
    """Remarks on the mission, then one on each task of its pool, then on tasks that spoil each other."""
    bounds = Bounds(config, players)
    found = list(_mission(bounds))
    tasks = {task: _task(bounds, task) for task in config.pool()}
    return [*found, *tasks.values(), *set_remarks(config, players, [t for t in tasks if tasks[t].status != DEAD])]


def _mission(bounds: Bounds) -> Iterator[Remark]:
    config = bounds.config
    if config.max_reactions is not None and config.max_reactions < bounds.hand and not config.rulings.early_win:
        reason = f"each of {bounds.hand} cards takes a reaction, and max_reactions is {config.max_reactions}"
        yield Remark("length", "mission", DEAD, f"every mission stalls: {reason}")
    if config.needs_transmute:
        status, needs, reason = _success(bounds, config.target)
        if status != ALIVE:
            yield Remark("extra-goal", "mission", status, f"a successful Transmute: {reason}", needs)
    if config.needs_22_and_18:
        status, needs, reason = _sum_22(bounds)
        if status != ALIVE:
            yield Remark("extra-goal", "mission", status, f"a trick of 22: {reason}", needs)
        if config.target > 18:
            needs = bounds.powers(*(["metallurgist"] if config.target - 5 <= 18 else []), "transmuter")
            reason = f"a Transmute of 18 fizzles below {config.target}"
            yield Remark("extra-goal", "mission", NEEDS if needs else DEAD, reason, needs)


def _task(bounds: Bounds, task: int) -> Remark:
    rule, (status, needs, reason) = _anyone(bounds, task)
    if status == ALIVE:
        barred, which, why = _owners(bounds, task)
        seats = min(bounds.config.tasks, bounds.players)
        if barred and seats == 1 and barred == "the Lead":
            return Remark("owner", TASKS[task].id, DEAD, f"the only owner is the Lead: {why}")
        if barred:
            return Remark("owner", TASKS[task].id, OWNER, f"not for {barred}: {why}", which)
    return Remark(rule, TASKS[task].id, status, reason, needs)


Finding = tuple[str, tuple[str, ...], str]
_FINE: Finding = (ALIVE, (), "nothing in the rules forbids it")


def _anyone(bounds: Bounds, task: int) -> tuple[str, Finding]:
    """Whether anybody at all can complete a task, and by which rule."""
    family, deed = FAMILY[task], PARAMETER[task]
    config = bounds.config
    if family == Family.ONE_BOIL or (family == Family.DEED and deed == Deed.AFTER_BOIL):
        if config.slag_cap == 1:
            return "slag-cap", (DEAD, (), "the first Slag Token loses, so no Boil Over is survived")
        if not bounds.boils:
            return "limit", (DEAD, (), f"no reaction exceeds {config.limit}: {bounds.most} is the most it can have")
    if family == Family.DEED and deed in (Deed.HIGH, Deed.LOW):
        return "target", _success(bounds, config.target)
    if family == Family.DEED and deed == Deed.FIZZLE:
        return "target", _fizzle(bounds)
    if family == Family.DEED and deed == Deed.SUM_22:
        return "limit", _sum_22(bounds)
    if family == Family.LEAD_ONE or family == Family.ONE_BOIL or family == Family.NO_DEED:
        return "task", _FINE
    if family in (Family.TRICKS, Family.TRICKS_PLUS):
        tricks = min(bounds.hand, config.max_reactions or bounds.hand)
        if deed > tricks:
            return "tricks", (DEAD, (), f"{deed} tricks are more than the {tricks} that there can be")
    if family in (Family.NONE_OF_THREE, Family.FEWER, Family.SAME) or (family == Family.TRICKS and deed == 0):
        return "task", _FINE
    return "limit", _room(bounds, _cards(bounds, task))


def _cards(bounds: Bounds, task: int) -> tuple[int, ...]:
    """The values of the least cards that have to be in a trick for this task."""
    if FAMILY[task] != Family.DEED:
        return ()
    low = bounds.catalyst[0]
    wanted: dict[int, tuple[int, ...]] = {
        Deed.NINE: (9,),
        Deed.CATALYST: (low,),
        Deed.TWO_CATALYSTS: (1, 2) if bounds.config.catalyst_value is None else (low, low),
        Deed.TWO_MANDRAKE: (1, 1),
        Deed.THREE_OF_A_SUIT: min((1, 1, 2), (low, low, low), key=sum),
    }
    return wanted.get(PARAMETER[task], ())


def _room(bounds: Bounds, cards: tuple[int, ...]) -> Finding:
    """Whether a trick with these cards in it stays within the limit."""
    least, limit = bounds.least(cards), bounds.config.limit
    if least <= limit:
        return _FINE
    reason = f"a trick with it has at least {least}, and the limit is {limit}"
    # all small powers together: three more, and the dearest card and one more for nothing
    relieved = least - max((*cards, 1)) - max(sorted((*cards, 1, 1))[:-1])
    needs = bounds.powers("purifier", *(MAKE_ROOM if relieved <= limit + 3 else ()))
    return (NEEDS if needs else DEAD), needs, reason


def _sum_22(bounds: Bounds) -> Finding:
    limit = bounds.config.limit
    if limit >= 22:
        return _FINE
    needs = bounds.powers("purifier", *(["stabilizer"] if limit + 3 >= 22 else []))
    return (NEEDS if needs else DEAD), needs, f"22 is above the limit of {limit}"


def _success(bounds: Bounds, target: int) -> Finding:
    if target <= bounds.most:
        return _FINE
    needs = bounds.powers(*(["metallurgist"] if target - 5 <= bounds.most else []), "transmuter")
    reason = f"no Transmute reaches {target}: {bounds.most} is the most a reaction can have"
    return (NEEDS if needs else DEAD), needs, reason


def _fizzle(bounds: Bounds) -> Finding:
    least, target = bounds.least(), bounds.config.target
    if target > least:
        return _FINE
    reason = f"every Transmute reaches {target}: {least} is the least a reaction can have"
    # a Void Weaver's Catalyst counts nothing
    needs = bounds.powers("void-weaver") if target > least - 1 else ()
    return (NEEDS if needs else DEAD), needs, reason


def _owners(bounds: Bounds, task: int) -> tuple[str, tuple[str, ...], str]:
    """Who can't complete a task by their own play, what would help, and why; '' if everybody can."""
    family, deed = FAMILY[task], PARAMETER[task]
    sponge = "the Sponge" if bounds.config.rulings.sponge_is != "lead" else "the Lead, who is the Sponge"
    if family in (Family.MORE, Family.FEWER):
        why = "it compares its owner with the Lead"
        if family == Family.MORE and bounds.config.sponge and bounds.config.rulings.sponge_is != "lead":
            return "the Lead and the Sponge", (), f"{why}, and the Sponge may win no trick"
        return "the Lead", (), why
    if not bounds.config.sponge:
        return "", (), ""
    if family == Family.LEAD_ONE:
        return sponge, (), "it may lead no Transmute"
    if family == Family.DEED and deed <= Deed.CATALYST + 2 and bounds.config.rulings.hoarder_takes == "cards":
        return sponge, bounds.powers("hoarder"), "it may win no trick; only the Hoarder's pile gets cards without one"
    transmutes = family == Family.DEED and deed in (Deed.HIGH, Deed.LOW, Deed.FIZZLE)
    if (family == Family.DEED and not transmutes) or family in (Family.TRICKS_PLUS, Family.LAST, Family.MOST):
        return sponge, (), "it may win no trick"
    if family == Family.TRICKS and deed > 0:
        return sponge, (), "it may win no trick"
    return "", (), ""


def _extreme(cards: int, ingredient: int, catalyst: int, better: Callable[[int, int], int]) -> int:
    """The greatest or least total of so many cards, of ingredients of one value and at most four Catalysts."""
    if better(ingredient, catalyst) == ingredient:
        return cards * ingredient
    few = min(cards, _CATALYSTS)
    return few * catalyst + (cards - few) * ingredient
