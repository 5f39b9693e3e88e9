"""The Furnace's part of `make bench`: evaluations of hands, showdowns, and other people's evaluators beside ours."""

from __future__ import annotations

import gc
from importlib.metadata import version

import numpy as np

from tests.bench.timing import REPEATS, line, seconds

HANDS = 1_000_000
#: Hands for an evaluator that is called once a hand.
SINGLE_CALLS = 100_000


def random_hands(cards: list[int], size: int, number: int) -> np.ndarray:
    """Random hands out of a list of different cards, uint8 of shape (number, size)."""
    rng = np.random.default_rng(1)
    deck = np.array(cards, np.uint8)
    blocks = [
        deck[np.argpartition(rng.random((50_000, len(deck)), np.float32), size, 1)[:, :size]]
        for _ in range(number // 50_000)
    ]
    return np.ascontiguousarray(np.concatenate(blocks))


def evaluations() -> None:
    """Seven-card hands a second, and how many times as many as the fastest evaluator of the package index."""
    import eval7

    from alchemy_sim.games.furnace.evaluate import strengths
    from alchemy_sim.games.furnace.names import RANK_COUNT, RANKS
    from alchemy_sim.games.furnace.tables import Deck, hands_of

    seventy = random_hands([*range(4 * RANK_COUNT), *range(5 * RANK_COUNT, 6 * RANK_COUNT)], 7, HANDS)
    ranks = [rank for rank, name in enumerate(RANKS) if name != "N"]
    poker = random_hands([RANK_COUNT * family + rank for family in range(4) for rank in ranks], 7, HANDS)
    with_trumps, plain = hands_of(Deck()), hands_of(Deck(ranks=13, trumps=False))
    cards = {
        RANK_COUNT * family + rank: eval7.Card(RANKS[rank].replace("10", "T") + suit)
        for family, suit in enumerate("cdhs")
        for rank in ranks
    }
    theirs = [[cards[card] for card in hand] for hand in poker[:SINGLE_CALLS].tolist()]
    gc.freeze()  # a million small objects, which the collector need not look through while we measure
    found: dict[str, list[float]] = {"seventy": [], "poker": [], "eval7": []}
    for _ in range(REPEATS):
        found["seventy"].append(HANDS / seconds(lambda: strengths(with_trumps, seventy)) / 1e6)
        found["poker"].append(HANDS / seconds(lambda: strengths(plain, poker)) / 1e6)
        found["eval7"].append(SINGLE_CALLS / seconds(lambda: [eval7.evaluate(hand) for hand in theirs]) / 1e6)
    line("seven-card hands of the 70-card deck", found["seventy"], "million/s", "at least 60, aim 300")
    line("seven-card hands of poker", found["poker"], "million/s", "")
    line(f"the same by eval7 {version('eval7')}, a call a hand", found["eval7"], "million/s", "")
    ratio = [ours / other for ours, other in zip(found["poker"], found["eval7"], strict=True)]
    line("ours against eval7", ratio, "times", "")


def exact_table() -> None:
    """The exact table of all seven-card hands, in one thread."""
    from alchemy_sim.games.furnace.counting import count_hands
    from alchemy_sim.games.furnace.tables import Deck

    count_hands(Deck(), 5)
    times = []
    for _ in range(3):
        count_hands.cache_clear()
        times.append(seconds(lambda: count_hands(Deck(), 7)))
    line("exact table of all 1.2e9 seven-card hands", times, "s", "under 60")


def showdowns() -> None:
    """Four-player showdowns a second and core."""
    from alchemy_sim.config.load import load
    from alchemy_sim.core.game import game

    showdown = game("showdown")
    showdown.warm()
    config = load("furnace/showdown").settings[0].config
    asked = {"random": "", "rank": "at least 300,000", "fast": "at least 30,000", "best": "at least 100"}
    for policy in showdown.policies:
        encoded = showdown.encode(config, 4, (policy,) * 4)
        games = 50
        showdown.simulate(encoded, 1, 0, games)
        games = max(int(games * 0.5 / seconds(lambda e=encoded, n=games: showdown.simulate(e, 1, 0, n))), 50)
        one = [games / seconds(lambda e=encoded, n=games: showdown.simulate(e, 1, 0, n)) for _ in range(REPEATS)]
        line(f"{policy}, showdowns of 4 players", one, "showdowns/s", asked[policy])


def matches() -> None:
    """Turns a second and core in matches of 4, each with the best plays found exactly; how many had to be searched.

    In matches without forcing, rounds are rummy to the last turn; in the others, bets, calls and showdowns are in it.
    """
    from alchemy_sim.config.load import load
    from alchemy_sim.core.game import game

    furnace = game("furnace")
    furnace.warm()
    rummy = ("weights.builder.late=1000", "match.bag_stones=300", "match.max_rounds=20")
    cases = [
        ("builder", "rummy alone", rummy, 5, "at least 100,000, aim 400,000"),
        ("builder", "whole matches", (), 60, ""),
        ("shark", "whole matches", (), 60, ""),
        ("random", "whole matches", (), 60, ""),
    ]
    for policy, what, sets, games, asked in cases:
        encoded = furnace.encode(load("furnace/default", sets).settings[0].config, 4, (policy,) * 4)
        found = furnace.simulate(encoded, 1, 0, games)
        turns = int(found["turns"].sum())
        took = [turns / seconds(lambda e=encoded, n=games: furnace.simulate(e, 1, 0, n)) for _ in range(REPEATS)]
        line(f"{policy}, {what}, 4 players", took, "turns/s", asked)
        searched, boards = int(found["searched"].sum()) / turns, int(found["nodes"].sum()) / turns
        given_up = int(found["given_up"].sum())
        print(f"  {searched:.1%} of its turns searched, {boards:.1f} boards a turn, {given_up} given up")


if __name__ == "__main__":
    evaluations()
    exact_table()
    showdowns()
    matches()
