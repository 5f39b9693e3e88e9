"""Random positions of Metallurgie in which turns often score: areas about to be large enough, chains, thin bridges."""

from __future__ import annotations

from random import Random

from tests.oracle.metallurgie_oracle import METALS, START, Pattern, Place, Rules, areas, around, places_for

DECK = (44, 30, 18, 11)
#: Thresholds and removals: the game's, and small ones that make long chains.
SIZES = (
    ((9, 7, 5, 3), (5, 4, 3, 2)),
    ((4, 3, 3, 2), (3, 2, 2, 1)),
    ((5, 4, 3, 2), (3, 3, 2, 1)),
    ((6, 5, 4, 3), (4, 3, 3, 2)),
)


def random_rules(rng: Random) -> Rules:
    """Every switch and size; the game's own more often."""
    thresholds, removals = SIZES[rng.choice((0, 0, 0, 1, 2, 3))]
    scope = rng.choice(("touched", "touched", "any"))
    return Rules(thresholds, removals, score_scope=scope, score_again=rng.random() < 0.7)


def grow(rng: Random, places: list[Place], number: int, thin: float) -> list[Place]:
    """The connected places with others laid next to them, so many in all: by a chance where they touch few."""
    laid: Pattern = dict.fromkeys(places, "I")
    while len(laid) < number:
        free = rng.sample(places_for(laid, "I"), 4)
        touching = {place: sum(each in laid for each in around(place)) for place in free}
        laid[(min if rng.random() < thin else max)(free, key=lambda place: touching[place])] = "I"
    return list(laid)


def shape(rng: Random, most: int) -> list[Place]:
    """8 places to so many, connected: round, or with thin bridges and holes."""
    number = min(rng.choice((rng.randint(8, 16), rng.randint(12, 28), rng.randint(20, 40))), most)
    return grow(rng, list(START), number, rng.choice((0.0, 0.2, 0.5, 0.9)))


def bridges(rng: Random, number: int, most: int) -> tuple[set[Place], dict[Place, int]]:
    """So many irons in a thin shape, and the heights of a pattern that hangs on them and so would often split."""
    core = grow(rng, [(0, 0)], number, 0.9)
    laid = grow(rng, core, rng.randint(max(8, number + 3), max(most, number + 3, 8)), 0.9)
    return set(core), {place: 1 if place in core else rng.choice((2, 2, 2, 3, 3, 4)) for place in laid}


def region(rng: Random, among: set[Place], core: set[Place], size: int) -> set[Place]:
    """So many more places, connected with the core if there is one; fewer if there are no more."""
    found: set[Place] = set()
    while len(found) < size and among - core - found:
        free = among - core - found
        near = sorted({each for place in core | found for each in around(place)} & free)
        if not near and (core or found):
            break
        found.add(rng.choice(near or sorted(free)))
    return found


def position(rng: Random, rules: Rules = Rules()) -> tuple[Pattern, tuple[str, ...]]:  # noqa: B008
    """A pattern and a hand: an area of a metal often lacks none to three cards, below it others wait for a chain."""
    most = 40 if sum(rules.thresholds) > 20 else rng.randint(8, 15)  # where areas may be small, few places do
    if rng.random() < 0.15:
        lacking = rng.choice((0, 1, 1, 2))
        core, heights = bridges(rng, rules.thresholds[0] - lacking + rng.choice((0, 0, 1)), min(most, 24))
        return settled(rng, stacks(rng, heights), core, rules), hand(rng, 0, lacking)
    laid = shape(rng, most)
    heights = dict.fromkeys(laid, 1)
    metal = rng.choice((0, 1, 1, 2, 2, 3, 3))
    lacking = rng.choice((0, 1, 2, 2, 3, 3))
    lacking_here = lacking if rng.random() < 0.4 else rules.thresholds[metal] // 2 + 1  # or no such area
    core = region(rng, set(laid), set(), max(rules.thresholds[metal] - lacking_here, 1))
    for place in core:
        heights[place] = metal + 1
    if metal and rng.random() < 0.8:  # where the cards that are lacking may go
        ready = region(rng, set(laid), core, lacking + rng.choice((0, 1)))
        for place in ready:
            heights[place] = metal
        core = core | ready
    for lower in range(metal - 1, -1, -1):
        size = rules.thresholds[lower] - rules.removals[lower + 1] + rng.choice((-2, -1, 0, 0, 1, 2))
        waiting = region(rng, set(laid), core, size)
        for place in waiting:
            heights[place] = lower + 1
        core = core | waiting
    noise = rng.choice((0.1, 0.4, 0.7, 0.9))
    for place in laid:
        if place not in core and rng.random() < noise:
            heights[place] = rng.choice((2, 2, 2, 3, 3, 4))
    return settled(rng, stacks(rng, heights), core, rules), hand(rng, metal, lacking)


def settled(rng: Random, pattern: Pattern, core: set[Place], rules: Rules) -> Pattern:
    """The pattern with its large areas broken up, as if they had been scored, and often those nearly as large."""
    spare = rng.choice((-6, -5, -5, -4, -4, -3, -3, -2, -1, 0))
    most = [max(threshold + spare, threshold // 2) for threshold in rules.thresholds]
    for _ in range(60):
        large = [
            area
            for metal, area in areas(pattern)
            if len(area) >= (rules.thresholds if area <= core else most)[METALS.index(metal)]
        ]
        if not large:
            break
        place = rng.choice(sorted(large[0] - core) or sorted(large[0]))
        height = len(pattern[place])
        higher = height < 4 and sum(len(stack) > height for stack in pattern.values()) < DECK[height]
        lower = height > 1 and not (higher and rng.random() < 0.5)
        if higher or lower:
            pattern[place] = METALS[: height - 1 if lower else height + 1]
    return pattern


def stacks(rng: Random, heights: dict[Place, int]) -> Pattern:
    """A pattern of these heights, with no more cards of a metal than there are."""
    for metal in (3, 2, 1):
        high = sorted(place for place, height in heights.items() if height > metal)
        for place in rng.sample(high, max(len(high) - DECK[metal], 0)):
            heights[place] = metal
    return {place: METALS[:height] for place, height in heights.items()}


def hand(rng: Random, metal: int, lacking: int) -> tuple[str, ...]:
    """One to three cards: often those that are lacking, or the metal and those that go onto it."""
    size, cards = rng.choice((1, 1, 1, 2, 2, 3)), list[str]()
    fitting = rng.random()
    if fitting < 0.25:
        cards = [METALS[metal]] * min(max(lacking, 1), size)
    elif fitting < 0.45:
        start = rng.randint(max(metal - 2, 0), metal)
        cards = list(METALS[start : metal + 1])[:size]
    while len(cards) < size:
        cards.append(rng.choices(METALS, DECK)[0])
    return tuple(sorted(cards))


def drawn_card(rng: Random, cards: tuple[str, ...]) -> str:
    """The card turned up: by the deck, or of a metal in hand, or one below it."""
    chance, one = rng.random(), METALS.index(rng.choice(cards))
    if chance < 0.35:
        return METALS[one]
    if chance < 0.5:
        return METALS[max(one - 1, 0)]
    return rng.choices(METALS, DECK)[0]


def big_position(rng: Random) -> Pattern:
    """Up to 60 places with anything on them, in one part or many: for areas and connectivity only."""
    width = rng.randint(1, 14)
    board = [(q, r) for q in range(-width, width + 1) for r in range(-4, 5)]
    metals = METALS[: rng.randint(1, 4)]
    found = {place: rng.choice(metals) for place in rng.sample(board, rng.randint(0, min(60, len(board))))}
    if rng.random() < 0.5 and found:  # in one part
        keep = region(rng, set(board), {next(iter(found))}, len(found) - 1) | {next(iter(found))}
        found = {place: rng.choice(metals) for place in sorted(keep)}
    return {place: METALS[: METALS.index(metal) + 1] for place, metal in found.items()}
