"""Who sits where in a tournament: every line-up of the policies, in all its arrangements or in rotation.

A line-up says how many seats each policy has; a seating, which policy has which seat. Line-ups of one policy alone say
nothing of its strength and are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement, product

#: With more seatings than this a line-up is played in rotation only.
MOST_SEATINGS = 400

#: Places of policies in the tournament's list, by seat.
Seating = tuple[int, ...]


def lineup_of(seating: Seating, policies: int) -> tuple[int, ...]:
    """How many seats each of the policies has."""
    return tuple(seating.count(policy) for policy in range(policies))


def seatings(policies: int, players: int, most: int = MOST_SEATINGS) -> tuple[list[Seating], bool]:
    """The seatings of all line-ups with two policies or more, and whether these are all there are.

    If they would be more than `most`, each line-up has one arrangement, its policies spread over the table, and the
    rotations of it. Either way every policy has every seat equally often, in each line-up and in all.
    """
    if policies**players - policies <= most:
        every = [each for each in product(range(policies), repeat=players) if len(set(each)) > 1]
        return every, True
    found: list[Seating] = []
    for lineup in combinations_with_replacement(range(policies), players):
        if len(set(lineup)) > 1:
            found += rotations(spread(lineup))
    return found, False


def spread(lineup: Sequence[int]) -> Seating:
    """A line-up as it sits well mixed: the seats of each policy evenly round the table."""
    places = [
        ((turn + 0.5) / number, number, policy) for policy, number in Counter(lineup).items() for turn in range(number)
    ]
    return tuple(policy for _, _, policy in sorted(places))


def rotations(seating: Seating) -> list[Seating]:
    """The seating and what becomes of it as everyone moves up a seat; each once."""
    return list(dict.fromkeys(seating[turn:] + seating[:turn] for turn in range(len(seating))))
