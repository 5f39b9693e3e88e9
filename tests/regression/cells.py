"""Which cells of every game have a digest: rows of data, one a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from alchemy_sim.config.load import config_model, load
from alchemy_sim.core.game import Encoded, game

#: How many games a digest covers: as many as plain Python plays in a moment, in a few seconds, and compiled code.
FEW, SOME, GAMES = 40, 200, 1000
SIZES = (FEW, SOME, GAMES)


@dataclass(frozen=True)
class Matter:
    """A cell in which the values of a ruling differ: its configuration, players, and what else is set."""

    config: str
    players: int
    sets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """The cells of one game: those with a digest, and what of them is worked out again in other ways.

    `config` is played at every player count by each of `policies`, given with the numbers of games that its digests
    cover. Each value of each ruling is played by the first of them where it `matters`. `plain` is for plain Python: how
    many games, by whom, at which player counts. `portable` are the players whose code is another without `pdep`.
    `alike` are rulings whose values make no difference to the first player: it does of itself what they ask.
    """

    config: str
    policies: dict[str, tuple[int, ...]]
    matters: dict[str, Matter]
    plain: tuple[tuple[int, str, tuple[int, ...]], ...]
    portable: tuple[str, ...]
    alike: tuple[str, ...] = ()


def _mission(number: int, players: int, *sets: str) -> Matter:
    return Matter(f"crucible/mission-{number:02d}", players, sets)


def _pool(tasks: str) -> str:
    return f"task_pool={','.join(tasks.split())}"


ROWS = {
    "crucible": Row(
        "crucible/mission-04",
        {"random": SIZES, "thumb": SIZES, "careful": SIZES},
        {
            "boil_over_timing": _mission(4, 5),
            "early_win": _mission(1, 4),
            "after_loss": _mission(4, 3),
            "impossible_test": _mission(12, 4, "rulings.after_loss=play_on", "slag_cap=6"),
            "impossible_draft": _mission(5, 4, _pool("T24 T32 T33 T34 T01 T02 T07")),
            "trick_order": _mission(4, 3, _pool("T29 T30 T31 T32")),
            "fizzle_credit": _mission(4, 4, _pool("T25 T26 T27 T28")),
            "hoarder_takes": _mission(8, 5, "rulings.after_loss=play_on"),
            "task_order": _mission(3, 4, "tasks=9", "slag_cap=9", "rulings.after_loss=play_on"),
            "sponge_is": _mission(11, 4),
        },
        ((SOME, "random", (4,)), (FEW, "random", (3, 5)), (FEW, "thumb", (4,))),
        ("random", "thumb", "careful"),
    ),
    "furnace": Row(
        "furnace/default",
        # `banker` plays long matches; all but `random` search. Plain Python takes 2 s for a match of two by `random`.
        {"random": (4, FEW, GAMES), "builder": (2, 10, 30), "banker": (2, 5, 10), "shark": (2, 10, 30)},
        {
            switch: Matter("furnace/default", 3)
            for switch in (
                *("ace", "community_joker", "furnace_trump", "tie_order"),
                *("ante_per", "stones_a_turn", "single_extension", "points_for", "short_call"),
            )
        },
        ((4, "random", (2, 4)),),
        ("random",),
    ),
    "showdown": Row(
        "furnace/showdown",
        {"random": SIZES, "rank": SIZES, "fast": SIZES, "best": (2, 10, 50)},
        {
            "ace": Matter("furnace/showdown", 6),
            "community_joker": Matter("furnace/showdown", 6),
            "furnace_trump": Matter("furnace/showdown", 6),
            "tie_order": Matter("furnace/showdown", 6),
        },
        ((SOME, "random", (2, 6)), (FEW, "random", (3, 4, 5)), (FEW, "rank", (3,))),
        ("random",),
    ),
    "metallurgie": Row(
        "metallurgie/default",
        {"random": SIZES, "greedy": SIZES, "careful": (5, FEW, SOME)},
        {
            "must_score": Matter("metallurgie/default", 3),
            # what remains of an area must be large enough, and out of reach until the turn after
            "score_scope": Matter(
                "metallurgie/default",
                3,
                ("game.thresholds=5,4,3,2", "game.removals=2,2,1,1", "rulings.score_again=false"),
            ),
            "score_again": Matter("metallurgie/default", 3),
            "bonus": Matter("metallurgie/default", 3),
        },
        ((FEW, "random", (2, 3, 4)),),
        ("random", "greedy"),
        ("must_score",),
    ),
}


@dataclass(frozen=True)
class Cell:
    """One cell, and the numbers of games its digests cover, ascending."""

    game: str
    config: str
    players: int
    policy: str
    sets: tuple[str, ...]
    sizes: tuple[int, ...]

    @property
    def name(self) -> str:
        """What it is called: `mission-04 3 players random`, and what ruling it is about."""
        ruling = self.sets[-1].removeprefix("rulings.") if self.sets else ""
        return f"{self.config.rpartition('/')[2]} {self.players} players {self.policy} {ruling}".strip()

    @property
    def group(self) -> str:
        """Which of its game's cells it is tested with: those at a number of players, or those of rulings."""
        return "rulings" if self.sets else f"{self.players} players"

    def encoded(self) -> Encoded:
        """What the kernel needs."""
        config: Any = load(self.config, self.sets, [self.players]).settings[0].config
        return game(self.game).encode(config, self.players, [self.policy] * self.players)


def cells(name: str) -> dict[str, Cell]:
    """Every cell of a game that has a digest, by name."""
    row, model = ROWS[name], config_model(name)
    found = [
        Cell(name, row.config, players, policy, (), sizes)
        for players in model.allowed_players
        for policy, sizes in row.policies.items()
    ]
    first, sizes = next(iter(row.policies.items()))
    for switch in model.tables()["rulings"].switches():  # type: ignore[attr-defined]
        at = row.matters[switch.name]
        for value in switch.values:
            sets = (*at.sets, f"rulings.{switch.name}={value}")
            found.append(Cell(name, at.config, at.players, first, sets, sizes))
    return {cell.name: cell for cell in found}
