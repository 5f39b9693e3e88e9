"""Every registered game of the package, as rows of data: what tests that hold for any game need to know of each."""

from __future__ import annotations

from dataclasses import dataclass

from alchemy_sim.config.load import Experiment, load
from alchemy_sim.core.game import REGISTRY
from tests.conftest import TWIN


@dataclass(frozen=True)
class Row:
    """One game: what is played of it, and by whom.

    `settings` are configurations with what is set in them, `players` two player counts for runs. `policies` are quick
    ones, the first of which draws at random; the first `plain` of them are quick as plain Python too. `change` is an
    entry of `--set` under which some of the first hundred games come out otherwise. `games` of each cell are played:
    few where games are long.
    """

    settings: tuple[tuple[str, ...], ...]
    players: tuple[int, int]
    policies: tuple[str, ...]
    plain: int
    change: str
    games: int = 400

    def experiment(self, *sets: str) -> Experiment:
        """The first of the settings, with more set."""
        config, *given = self.settings[0]
        return load(config, [*given, *sets], self.players)

    def by_seat(self, players: int) -> list[str]:
        """Policies for so many seats, in turn."""
        quick = self.policies[: self.plain] if TWIN else self.policies
        return [quick[seat % len(quick)] for seat in range(players)]


ROWS = {
    "crucible": Row(
        (
            ("crucible/mission-04",),
            ("crucible/mission-11", "rulings.after_loss=play_on"),
            ("crucible/mission-12", "tasks=7", "rulings.impossible_draft=redraw"),
        ),
        (3, 5),
        ("random", "thumb"),
        2,
        "rulings.boil_over_timing=end_of_reaction",
    ),
    "furnace": Row(
        (
            ("furnace/default",),
            (
                "furnace/default",
                "match.stones=3",
                "match.bag_stones=4",
                "match.max_rounds=30",
                "rulings.furnace_trump=own_family",
            ),
        ),
        (2, 4),
        ("random", "builder"),
        1,
        "rulings.furnace_trump=own_family",
        120,
    ),
    "showdown": Row(
        (
            ("furnace/showdown",),
            ("furnace/showdown", "rulings.community_joker=dead", "deck.ranks=13", "match.kept=3", "match.open_cards=2"),
        ),
        (2, 4),
        ("random", "rank", "fast"),
        2,
        "rulings.furnace_trump=own_family",
    ),
    "metallurgie": Row(
        (
            ("metallurgie/default",),
            ("metallurgie/default", "rulings.must_score=true", "rulings.score_scope=any", "rulings.score_again=false"),
            ("metallurgie/default", "game.thresholds=4,3,2,1", "game.removals=4,2,1,1", "rulings.bonus=majority"),
        ),
        (2, 4),
        ("random", "greedy"),
        1,
        "rulings.score_again=false",
        200,
    ),
}


def packaged() -> list[str]:
    """The registered games that live in the package, by name."""
    return [name for name, module in REGISTRY.items() if module.startswith("alchemy_sim.")]
