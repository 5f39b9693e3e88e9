"""What `show --by` tells about missions: by task, discipline, seat, position in the reaction, reaction, ending."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from alchemy_sim.core.game import Breakdown, Outcomes, Split, Strip
from alchemy_sim.games.crucible.columns import ENDINGS, SLUGS, TASK_IDS
from alchemy_sim.games.crucible.table import SEATS, Ending, Status

Values = Callable[[Outcomes, str], np.ndarray]

#: Reactions told one by one; later ones share the last label.
REACTIONS = 76


def _int(values: np.ndarray) -> np.ndarray:
    return values.astype(np.int64)


def _games(outcomes: Outcomes) -> int:
    return len(outcomes["ending"])


def _won(outcomes: Outcomes) -> np.ndarray:
    return _int(outcomes["ending"] == Ending.WIN)


def _places(outcomes: Outcomes, pattern: str, first: int = 0) -> Iterator[tuple[int, str]]:
    """The numbers and column names `pattern` has in these outcomes, counted from `first`."""
    place = first
    while pattern.format(place) in outcomes:
        yield place, pattern.format(place)
        place += 1


def _by_task(x: tuple[int, ...], y: tuple[int, ...]) -> Callable[[Outcomes], Iterator[Strip]]:
    """Tasks with a status among `x`, of those with one among `y`."""

    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        for _, name in _places(outcomes, "task_{}"):
            status = outcomes[f"{name}_status"]
            yield _int(outcomes[name]), _int(np.isin(status, x)), _int(np.isin(status, y))

    return strips


def _task_wins(outcomes: Outcomes) -> Iterator[Strip]:
    for _, name in _places(outcomes, "task_{}"):
        yield _int(outcomes[name]), _won(outcomes), np.ones(_games(outcomes), np.int64)


def _task_losses(outcomes: Outcomes) -> Iterator[Strip]:
    for _, name in _places(outcomes, "task_{}"):
        lost = _int(outcomes["ending_task"] == outcomes[name])
        yield _int(outcomes[name]), lost, np.ones(_games(outcomes), np.int64)


def _discipline_wins(outcomes: Outcomes) -> Iterator[Strip]:
    for _, name in _places(outcomes, "discipline_{}"):
        yield _int(outcomes[name]), _won(outcomes), np.ones(_games(outcomes), np.int64)


def _discipline_used(outcomes: Outcomes) -> Iterator[Strip]:
    for seat, name in _places(outcomes, "discipline_{}"):
        used = _int(outcomes[f"power_used_reaction_{seat}"] >= 0)
        yield _int(outcomes[name]), used, np.ones(_games(outcomes), np.int64)


def _discipline_kept(outcomes: Outcomes) -> Iterator[Strip]:
    ones = np.ones(_games(outcomes), np.int64)
    for seat, name in _places(outcomes, "discipline_{}"):
        yield _int(outcomes[name]), ones, ones
        yield _int(outcomes[f"discipline_declined_{seat}"]), 0 * ones, ones


def _seat(value: Values, since: Values) -> Callable[[Outcomes], Iterator[Strip]]:
    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        for seat, _ in _places(outcomes, "tricks_{}"):
            yield np.full(_games(outcomes), seat), value(outcomes, str(seat)), since(outcomes, str(seat))

    return strips


def _one(outcomes: Outcomes, _seat: str) -> np.ndarray:
    return np.ones(_games(outcomes), np.int64)


def _lost(outcomes: Outcomes, _seat: str) -> np.ndarray:
    return 1 - _won(outcomes)


def _boil_by_position(outcomes: Outcomes) -> Iterator[Strip]:
    for place, name in _places(outcomes, "boil_at_{}", 1):
        yield np.full(_games(outcomes), place - 1), _int(outcomes[name]), _int(outcomes["reactions"])


def _boil_share_by_position(outcomes: Outcomes) -> Iterator[Strip]:
    for place, name in _places(outcomes, "boil_at_{}", 1):
        yield np.full(_games(outcomes), place - 1), _int(outcomes[name]), _int(outcomes["boil_overs"])


def _by_reaction(happened: str) -> Callable[[Outcomes], Iterator[Strip]]:
    """Share of missions that were still going before a reaction in which `happened` came in that reaction."""

    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        last = np.minimum(_int(outcomes["reactions"]), REACTIONS)
        when = np.minimum(_int(outcomes[happened]), REACTIONS)
        for reaction in range(REACTIONS + 1):
            going = _int(last >= reaction)
            if not going.any():
                return
            yield np.full(_games(outcomes), reaction), _int(when == reaction) * going, going

    return strips


def _ending_share(outcomes: Outcomes) -> Iterator[Strip]:
    ones = np.ones(_games(outcomes), np.int64)
    for ending in range(len(ENDINGS)):
        yield np.full(_games(outcomes), ending), _int(outcomes["ending"] == ending), ones


def _by_ending(column: str) -> Callable[[Outcomes], Iterator[Strip]]:
    def strips(outcomes: Outcomes) -> Iterator[Strip]:
        yield _int(outcomes["ending"]), _int(outcomes[column]), np.ones(_games(outcomes), np.int64)

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
            Split("tricks", "tricks a mission", _seat(lambda o, s: _int(o[f"tricks_{s}"]), _one), "tricks"),
            Split(
                "slag", "Slag Tokens a mission", _seat(lambda o, s: _int(o[f"slag_{s}"]), _one), "Slag Tokens", "low"
            ),
            Split(
                "lead", "missions in which it is the Lead", _seat(lambda o, s: _int(o["lead"] == int(s)), _one), "pp"
            ),
            Split(
                "blame",
                "lost missions in which its card made the loss certain",
                _seat(lambda o, s: _int(o["lost_seat"] == int(s)), _lost),
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
