"""The configuration of a Crucible mission: its numbers (Crucible 2, 3 and 8) and the rulings.

The section numbers are those of RULES.md, which lies beside this file.
"""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from alchemy_sim.config.model import GameConfig, Problem, Rulings
from alchemy_sim.config.weights import check_weights
from alchemy_sim.core.errors import ConfigError, unknown
from alchemy_sim.games.crucible.names import SLUGS, TASKS, task_number
from alchemy_sim.games.crucible.weights import WEIGHTS

#: How many disciplines can be given.
GIVEN = 2


class CrucibleRulings(Rulings):
    """The readings of the rulebook that can be switched, the default first."""

    boil_over_timing: Literal["immediate", "end_of_reaction"] = Field(
        default="immediate",
        description="Crucible 3: a Boil Over ends the reaction at once, or when everyone has played a card",
    )
    early_win: bool = Field(
        default=False,
        description="Crucible 4: the mission is won as soon as every task is complete and the extra goal is met",
    )
    after_loss: Literal["stop", "play_on"] = Field(
        default="stop",
        description="Crucible 4: a lost mission stops, or is played out so that each task's own fate is seen",
    )
    impossible_test: Literal["table", "sharp"] = Field(
        default="table",
        description="Crucible 5: a task is found impossible by the table of section 5 alone, or by further proofs too",
    )
    impossible_draft: Literal["lose", "redraw"] = Field(
        default="lose",
        description="Crucible 5: a task that is impossible from the start loses the mission, or is replaced",
    )
    trick_order: Literal["tricks", "reactions"] = Field(
        default="tricks",
        description="Crucible 5: first, last and first three (T29 to T31) count the tricks, or all reactions",
    )
    fizzle_credit: Literal["all", "last"] = Field(
        default="all",
        description="Crucible 5: a fizzled Transmute counts for T27 for all who played, or only for who played last",
    )
    hoarder_takes: Literal["cards", "trick"] = Field(
        default="cards",
        description="Crucible 7: the Hoarder gets the cards alone, or is credited with the trick too",
    )
    task_order: Literal["strict", "deferred"] = Field(
        default="strict",
        description="Crucible 8: with ordered_tasks, completing a task too early loses, or has to be done again",
    )
    sponge_is: Literal["not_lead", "lead", "any"] = Field(
        default="not_lead",
        description="Crucible 8: the Sponge is drawn among all but the Lead, is the Lead, or is drawn among all",
    )


class CrucibleConfig(GameConfig):
    """One mission."""

    allowed_players: ClassVar[tuple[int, ...]] = (3, 4, 5)

    rulebook: Literal["crucible"] = Field(default="crucible", description="which game")
    players: tuple[int, ...] = Field(default=(3, 4, 5), description="the player counts to simulate, one or a list")
    limit: int = Field(default=22, ge=1, le=999, description="Crucible 3: a Catalyze total above it boils over")
    target: int = Field(default=18, ge=0, le=999, description="Crucible 3: a Transmute total below it fizzles")
    slag_cap: int = Field(
        default=3, ge=1, le=58, description="Crucible 3: the team's Slag Tokens that lose the mission"
    )
    tasks: int = Field(default=3, ge=0, le=len(TASKS), description="Crucible 2: how many tasks are drafted")
    task_pool: tuple[str, ...] | None = Field(
        default=None, description="Crucible 2: the tasks to draw from, ids or slugs; all 40 when left out"
    )
    max_reactions: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        description="Crucible 3: reactions until a mission is stalled; else 4 x hand size",
    )
    catalyst_value: int | None = Field(
        default=None, ge=0, le=99, description="Crucible 3: what every Catalyst counts; its printed value when left out"
    )
    whispers: bool = Field(default=True, description="Crucible 6: whether there are Whisper Tokens")
    disciplines: bool = Field(default=True, description="Crucible 7: whether there are disciplines")
    ordered_tasks: bool = Field(
        default=False, description="Crucible 8: tasks must be completed in draft order (mission 3)"
    )
    needs_transmute: bool = Field(
        default=False, description="Crucible 8: one successful Transmute is needed (mission 2)"
    )
    needs_22_and_18: bool = Field(
        default=False,
        description="Crucible 8: a trick of exactly 22 and a Transmute of exactly 18 are needed (mission 10)",
    )
    sponge: bool = Field(
        default=False, description="Crucible 8: one player may win no trick and lead no Transmute (mission 11)"
    )
    given: tuple[str, ...] = Field(
        default=(), description="one or two disciplines, each given to a seat drawn at random: for experiments"
    )
    blank: tuple[str, ...] = Field(
        default=(),
        description="those of the given disciplines whose card does nothing: what a given one is held against",
    )
    weights: dict[str, dict[str, float]] = Field(
        default={}, description="numbers that players weigh by, of each player by name: only those that differ"
    )
    rulings: CrucibleRulings = Field(default=CrucibleRulings(), description="the readings of the rulebook")

    @field_validator("task_pool")
    @classmethod
    def _pool(cls, pool: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """As ids in the order of the cards: a pool is a set, so its spelling must not change the deal."""
        if pool is None:
            return None
        try:
            numbers = sorted(task_number(name) for name in pool)
        except ConfigError as error:
            raise Problem(str(error)) from None
        if not numbers:
            raise Problem("must name at least one task")
        for one, other in pairwise(numbers):
            if one == other:
                raise Problem(f"names {TASKS[one].id} ({TASKS[one].slug}) twice")
        return tuple(TASKS[number].id for number in numbers)

    @field_validator("given", "blank")
    @classmethod
    def _given(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for name in given:
            if name not in SLUGS:
                raise Problem(unknown("discipline", name, SLUGS))
        if len(given) > GIVEN or len(set(given)) < len(given):
            raise Problem(f"names at most {GIVEN} disciplines, each once")
        return given

    @field_validator("weights")
    @classmethod
    def _weights(cls, weights: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
        check_weights(weights, WEIGHTS)
        return weights

    @model_validator(mode="after")
    def _blank_ones(self) -> Self:
        for name in self.blank:
            if name not in self.given:
                raise Problem(f'"{name}" is blank, but not given', "blank", "given")
        if self.given and not self.disciplines:
            raise Problem("disciplines is false, so none can be given", "given", "disciplines")
        return self

    @model_validator(mode="after")
    def _enough_tasks(self) -> Self:
        if self.task_pool is not None and self.tasks > len(self.task_pool):
            have = len(self.task_pool)
            raise Problem(f"tasks is {self.tasks}, but task_pool names only {have}", "tasks", "task_pool")
        return self

    def pool(self) -> tuple[int, ...]:
        """The numbers (0 to 39) of the tasks to draw from."""
        return tuple(task_number(name) for name in self.task_pool or [task.id for task in TASKS])
