"""What `show --by` tells about missions: by task, discipline, seat, position in the reaction, reaction, ending."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from alchemy_sim.core.game import Breakdown, Outcomes, Split, Strip
from alchemy_sim.games.crucible.columns import ENDINGS, TASK_IDS
from alchemy_sim.games.crucible.names import SLUGS
from alchemy_sim.games.crucible.table import SEATS, Ending, Status

Values = Callable[[Outcomes, str], np.ndarray]

#: Reactions told one by one; later ones share the last label.
REACTIONS = 76


def _all(outcomes: Outcomes, value: int | bool = True) -> np.ndarray:
    """The same value for every game, without a copy of it for each."""
    return np.broadcast_to(np.asarray(value), _games(outcomes))


def _games(outcomes: Outcomes) -> int:
    return len(outcomes["ending"])


def _won(outcomes: Outcomes) -> np.ndarray:
    return outcomes["ending"] == Ending.WIN


def _places(outcomes: Outcomes, pattern: str, first: int = 0) -> Iterator[tuple[int, str]]:
    """The numbers and column names `pattern` has in these outcomes, counted from `first`."""
    place = first
    while pattern.format(place) in outcomes:
        yield place, pattern.format(place)
        place += 1


def _among(values: np.ndarray, wanted: tuple[int, ...]) -> np.ndarray:
    found = values == wanted[0]
    for each in wanted[1:]:
        found |= values == each
    return found


def _by_task(x: tuple[int, ...], y: tuple[int, ...]) -> Callable[[Outcomes], Iterator[Strip]]:
    """Tasks with a status among `x`, of those with one among `y`."""

    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        for _, name in _places(outcomes, "task_{}"):
            status = outcomes[f"{name}_status"]
            yield outcomes[name], _among(status, x), _among(status, y)

    return strips


def _task_wins(outcomes: Outcomes) -> Iterator[Strip]:
    for _, name in _places(outcomes, "task_{}"):
        yield outcomes[name], _won(outcomes), _all(outcomes)


def _task_losses(outcomes: Outcomes) -> Iterator[Strip]:
    for _, name in _places(outcomes, "task_{}"):
        yield outcomes[name], outcomes["ending_task"] == outcomes[name], _all(outcomes)


def _discipline_wins(outcomes: Outcomes) -> Iterator[Strip]:
    for _, name in _places(outcomes, "discipline_{}"):
        yield outcomes[name], _won(outcomes), _all(outcomes)


def _discipline_used(outcomes: Outcomes) -> Iterator[Strip]:
    for seat, name in _places(outcomes, "discipline_{}"):
        yield outcomes[name], outcomes[f"power_used_reaction_{seat}"] >= 0, _all(outcomes)


def _discipline_kept(outcomes: Outcomes) -> Iterator[Strip]:
    for seat, name in _places(outcomes, "discipline_{}"):
        yield outcomes[name], _all(outcomes), _all(outcomes)
        yield outcomes[f"discipline_declined_{seat}"], _all(outcomes, False), _all(outcomes)


def _seat(value: Values, since: Values) -> Callable[[Outcomes], Iterator[Strip]]:
    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        for seat, _ in _places(outcomes, "tricks_{}"):
            yield _all(outcomes, seat), value(outcomes, str(seat)), since(outcomes, str(seat))

    return strips


def _one(outcomes: Outcomes, _seat: str) -> np.ndarray:
    return _all(outcomes)


def _lost(outcomes: Outcomes, _seat: str) -> np.ndarray:
    return ~_won(outcomes)


def _boil_by_position(outcomes: Outcomes) -> Iterator[Strip]:
    for place, name in _places(outcomes, "boil_at_{}", 1):
        yield _all(outcomes, place - 1), outcomes[name], outcomes["reactions"]


def _boil_share_by_position(outcomes: Outcomes) -> Iterator[Strip]:
    for place, name in _places(outcomes, "boil_at_{}", 1):
        yield _all(outcomes, place - 1), outcomes[name], outcomes["boil_overs"]


def _by_reaction(happened: str) -> Callable[[Outcomes], Iterator[Strip]]:
    """Share of missions that were still going before a reaction in which `happened` came in that reaction."""

    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        # one byte a game, for the columns are compared with every reaction
        last = np.minimum(outcomes["reactions"], REACTIONS).astype(np.int8)
        when = np.minimum(outcomes[happened], REACTIONS).astype(np.int8)
        for reaction in range(REACTIONS + 1):
            going = last >= reaction
            if not going.any():
                return
            yield _all(outcomes, reaction), (when == reaction) & going, going

    return strips


def _ending_share(outcomes: Outcomes) -> Iterator[Strip]:
    for ending in range(len(ENDINGS)):
        yield _all(outcomes, ending), outcomes["ending"] == ending, _all(outcomes)


def _by_ending(column: str) -> Callable[[Outcomes], Iterator[Strip]]:
    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        yield outcomes["ending"], outcomes[column], _all(outcomes)

    return strips


_DECIDED = (Status.COMPLETE, Status.IMPOSSIBLE, Status.INCOMPLETE)
_ALL = (Status.OPEN, *_DECIDED)

BREAKDOWNS = (
    Breakdown(
        "task",
        "each drafted task",
        TASK_IDS,
        (
            Split(
                "completed", "completed, of missions that drafted it", _by_task((Status.COMPLETE,), _ALL), "pp", "high"
            ),
            Split(
                "completed_decided",
                "completed, of missions in which it was decided",
                _by_task((Status.COMPLETE,), _DECIDED),
                "pp",
                "high",
            ),
            Split("win_rate", "missions won, of those that drafted it", _task_wins, "pp", "high"),
            Split(
                "lost_by",
                "missions it lost by becoming impossible, of those that drafted it",
                _task_losses,
                "pp",
                "low",
            ),
        ),
    ),
    Breakdown(
        "discipline",
        "each discipline",
        SLUGS,
        (
            Split("win_rate", "missions won, of those in which a seat kept it", _discipline_wins, "pp", "high"),
            Split("kept", "times it was kept, of times it was offered", _discipline_kept, "pp"),
            Split("used", "times its power was used, of times it was kept", _discipline_used, "pp"),
        ),
    ),
    Breakdown(
        "seat",
        "each seat, clockwise (deals are even, so seats differ by policy alone)",
        tuple(str(seat) for seat in range(SEATS)),
        (
            Split("tricks", "tricks a mission", _seat(lambda o, s: o[f"tricks_{s}"], _one), "tricks"),
            Split("slag", "Slag Tokens a mission", _seat(lambda o, s: o[f"slag_{s}"], _one), "Slag Tokens", "low"),
            Split("lead", "missions in which it is the Lead", _seat(lambda o, s: o["lead"] == int(s), _one), "pp"),
            Split(
                "blame",
                "lost missions in which its card made the loss certain",
                _seat(lambda o, s: o["lost_seat"] == int(s), _lost),
                "pp",
                "low",
            ),
        ),
    ),
    Breakdown(
        "position",
        "each card of a reaction, the leader's first",
        tuple(str(place) for place in range(1, SEATS + 1)),
        (
            Split("boil_rate", "Boil Overs caused by that card, per reaction", _boil_by_position, "pp", "low"),
            Split("boil_share", "share of all Boil Overs", _boil_share_by_position, "pp"),
        ),
    ),
    Breakdown(
        "reaction",
        "each reaction; 0 is the draft, the last label holds all later ones",
        (*(str(reaction) for reaction in range(REACTIONS)), f"{REACTIONS}+"),
        (
            Split(
                "lost",
                "missions whose loss became certain in it, of those that came so far",
                _by_reaction("lost_reaction"),
                "pp",
                "low",
            ),
            Split(
                "first_boil",
                "missions with their first Boil Over in it, of those that came so far",
                _by_reaction("first_boil_reaction"),
                "pp",
                "low",
            ),
        ),
    ),
    Breakdown(
        "ending",
        "each ending",
        ENDINGS,
        (
            Split("share", "missions that ended so", _ending_share, "pp"),
            Split("reactions", "reactions of missions that ended so", _by_ending("reactions"), "reactions"),
            Split("boil_overs", "Boil Overs of missions that ended so", _by_ending("boil_overs"), "Boil Overs"),
            Split(
                "transmutes_made",
                "Transmutes made in missions that ended so",
                _by_ending("transmutes_made"),
                "Transmutes",
            ),
        ),
    ),
)
