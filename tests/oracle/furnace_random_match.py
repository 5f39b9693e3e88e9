"""Whole matches of "The Alchemical Furnace" between random players, slow and plain, as traces (Furnace 2 to 7).

They are there to try the referee: only the cards' names, the order of their ranks and the worth of hands
(`furnace_oracle`) are shared with it, none of its checks.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from itertools import combinations, groupby, product
from typing import Any

from tests.oracle.furnace_oracle import ORDER, Rules, best, deck, deck_families, deck_ranks

Event = dict[str, Any]
Play = dict[str, Any]
Meld = dict[str, Any]

DECK: Event = {"families": 4, "ranks": 14, "trumps": True, "jokers": 6}
MATCH: dict[str, int] = {
    "stones": 9,
    "bag_stones": 30,
    "hand": 9,
    "open_cards": 3,
    "hidden_cards": 2,
    "kept": 2,
    "qualify": 33,
    "min_bet": 1,
    "max_turns": 200,
    "max_rounds": 1000,
}
RULINGS: dict[str, str] = {
    "ace": "both",
    "ante_per": "round",
    "community_joker": "redraw",
    "stones_a_turn": "per_pair",
    "single_extension": "allowed",
    "points_for": "layout_owner",
    "short_call": "fold",
    "furnace_trump": "wild_family",
    "tie_order": "ranks_then_trump",
}
TRIES = 20  # for a turn that puts no single card on a layout, if that is forbidden
OFTEN = 0.5  # neighbouring extensions are told as one play in every other match


def random_match(
    players: int = 4,
    match: dict[str, int] | None = None,
    rulings: dict[str, str] | None = None,
    cards: Event | None = None,
    seed: int = 1,
) -> list[Event]:
    """The trace of one match (Furnace 7); `match`, `rulings` and `cards` change the defaults."""
    settings = (MATCH | {"players": players} | (match or {}), RULINGS | (rulings or {}), DECK | (cards or {}))
    table = Table(*settings, random.Random(seed))
    table.tell("setup", game="furnace", players=players, match=table.match, rulings=table.rulings)
    table.trace[-1] |= {"deck": table.cards, "hand_order": list(ORDER), "seed": seed, "game_index": 0}
    table.trace[-1] |= {"stones": list(table.stones), "bag": table.bag}
    table.play_match()
    return table.trace


def points_of(name: str) -> int:
    rank = name.rpartition("=")[2][1:]
    return {"A": 11, "J": 10, "N": 10, "Q": 10, "K": 10}.get(rank) or int(rank)


def real(name: str) -> str:
    """The card itself: `JK` of `JK=W5`."""
    return name.split("=")[0]


class Table:
    """One match being played."""

    def __init__(self, match: dict[str, int], rulings: dict[str, str], cards: Event, rng: random.Random) -> None:
        self.match, self.rulings, self.cards, self.rng = match, rulings, cards, rng
        self.rules = Rules(
            families=cards["families"],
            ranks=cards["ranks"],
            trumps=cards["trumps"],
            ace=rulings["ace"],
            furnace_trump=rulings["furnace_trump"],
            tie_order=rulings["tie_order"],
        )
        self.families = deck_families(cards["families"], cards["trumps"])
        ranks = list(deck_ranks(cards["ranks"]))
        self.ranks = ranks
        self.line = {"both": ["A", *ranks], "low": ["A", *ranks[:-1]], "high": ranks}[rulings["ace"]]
        self.players = match["players"]
        self.stones = [match["stones"]] * self.players
        self.bag, self.pot = match["bag_stones"], 0
        self.alive = [True] * self.players
        self.merges = rng.random() < OFTEN
        self.trace: list[Event] = []

    def tell(self, kind: str, **keys: Any) -> None:
        self.trace.append({"type": kind, **copy.deepcopy(keys)})

    def next_alive(self, player: int) -> int:
        player = (player + 1) % self.players
        while not self.alive[player]:
            player = (player + 1) % self.players
        return player

    # ---- match and round (Furnace 2 and 3) -----------------------------------------------------------------

    def play_match(self) -> None:
        starter = self.rng.randrange(self.players)
        for n in range(1, self.match["max_rounds"] + 1):
            if n > 1:
                starter = self.next_alive(starter)
            self.play_round(n, starter)
            if sum(self.alive) == 1:
                self.tell("end", winner=self.alive.index(True), rounds=n)
                return
        self.tell("end", winner=None, rounds=self.match["max_rounds"])

    def ante(self) -> list[int]:
        who = [player for player in range(self.players) if self.alive[player] and self.stones[player]]
        for player in who:
            self.stones[player] -= 1
        self.pot += len(who)
        return who

    def play_round(self, n: int, starter: int) -> None:
        self.ante()
        self.deal()
        up = self.match["open_cards"]
        told = {"hands": self.hands, "furnace_up": self.furnace[:up], "furnace_down": self.furnace[up:]}
        self.tell("round", n=n, starter=starter, pot=self.pot, stones=self.stones, **told)
        player, outcome = starter, "stalled"
        for turn in range(1, self.match["max_turns"] + 1):
            self.play_turn(n, turn, player)
            if self.may_force(player) and self.rng.random() < 0.5:
                outcome = self.force(n, player)
                break
            player = self.next_alive(player)
        out = []
        if outcome != "stalled":
            out = [player for player in range(self.players) if self.alive[player] and self.stones[player] == 0]
        for player in out:
            self.alive[player] = False
        self.tell("round_end", round=n, outcome=outcome, stones=self.stones, pot=self.pot, bag=self.bag, out=out)

    def deal(self) -> None:
        self.pile = deck(self.rules) + ["JK"] * self.cards["jokers"]
        self.rng.shuffle(self.pile)
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        for player in range(self.players):
            if self.alive[player]:
                self.hands[player] = [self.pile.pop() for _ in range(self.match["hand"])]
        self.furnace: list[str] = []
        aside: list[str] = []
        while len(self.furnace) < self.match["open_cards"] + self.match["hidden_cards"]:
            card = self.pile.pop()
            redraw = card == "JK" and self.rulings["community_joker"] == "redraw"
            (aside if redraw else self.furnace).append(card)
        self.pile += aside
        self.rng.shuffle(self.pile)
        self.thrown: list[str] = []
        self.melds: list[Meld] = []
        self.points = [0] * self.players
        self.opened = [False] * self.players

    # ---- a turn (Furnace 3 and 4) --------------------------------------------------------------------------

    def play_turn(self, n: int, turn: int, player: int) -> None:
        antes = self.ante() if self.rulings["ante_per"] == "turn" and turn > 1 else []
        reshuffled, card = False, None
        if not self.pile and self.thrown:
            self.pile, self.thrown, reshuffled = self.thrown, [], True
            self.rng.shuffle(self.pile)
        if self.pile:
            card = self.pile.pop()
            self.hands[player].append(card)
        plays = self.random_plays(player)
        hand = self.hands[player]
        thrown = self.rng.sample(hand, max(0, len(hand) - self.match["hand"]))
        for gone in thrown:
            hand.remove(gone)
        self.thrown += thrown
        told = {"draws": card, "reshuffled": reshuffled, "plays": plays, "discards": thrown, "points": self.points}
        self.tell("turn", round=n, n=turn, player=player, ante=antes, **told, stones=self.stones, bag=self.bag)

    def random_plays(self, player: int) -> list[Play]:
        """Plays until "stop" is drawn; where one card alone is forbidden, such a turn is taken back and tried anew."""
        state = ("hands", "melds", "points", "opened", "stones", "bag")
        before = {key: copy.deepcopy(getattr(self, key)) for key in state}
        for _ in range(TRIES):
            plays = self.plays_until_stop(player)
            if self.rulings["single_extension"] == "allowed" or 1 not in self.laid_on.values():
                return self.merged(plays) if self.merges else plays
            for key, thing in before.items():
                setattr(self, key, copy.deepcopy(thing))
        return []

    def plays_until_stop(self, player: int) -> list[Play]:
        self.laid_on: dict[int, int] = {}
        plays: list[Play] = []
        while True:
            choices = self.choices(player)
            drawn = self.rng.randrange(len(choices) + 1)
            if drawn == len(choices):
                return plays
            for play in choices[drawn]:
                if "uses" in play:
                    play = self.rng.choice(play["uses"])
                self.apply(player, play)
                plays += [play, *self.stones_for(player, play)]

    def merged(self, plays: list[Play]) -> list[Play]:
        """Neighbouring extensions of one meld as one play, the Stones after it."""
        told: list[Play] = []
        for play in plays:
            at = len(told) - 1
            while at >= 0 and "stone_from" in told[at]:
                at -= 1
            if "extend" in play and at >= 0 and told[at].get("extend") == play["extend"]:
                told[at] = {"extend": play["extend"], "cards": told[at]["cards"] + play["cards"]}
            else:
                told.append(play)
        return told

    def choices(self, player: int) -> list[list[Play]]:
        """The legal single plays; a retrieval is followed by one of its immediate uses, to be drawn."""
        hand = self.hands[player]
        if not self.opened[player]:
            return [[play] for play in self.new_runs(hand)]
        choices = [[play] for play in self.simple_plays(hand)]
        for number, meld in enumerate(self.melds, start=1):
            for play, taken, after in self.retrievals(number, meld, hand):
                hand_after = [card for card in hand if card != play["with"]] + [taken]
                self.melds[number - 1] = after
                uses = [use for use in self.simple_plays(hand_after) if taken in map(real, use["cards"])]
                self.melds[number - 1] = meld
                if uses:
                    choices.append([play, {"uses": uses}])
        return choices

    def simple_plays(self, hand: list[str]) -> list[Play]:
        plays = [*self.new_runs(hand), *self.new_triads(hand)]
        for number, meld in enumerate(self.melds, start=1):
            plays += [{"extend": number, "cards": [name]} for name in self.extensions(meld, hand)]
        return plays

    def ways(self, hand: list[str], family: str, rank: str) -> list[str]:
        """How a hand can fill one place of a Run."""
        ways = [family + rank] if family + rank in hand else []
        if family != "T" and "T" + rank in hand:
            ways.append(f"T{rank}={family}{rank}")
        if "JK" in hand:
            ways.append(f"JK={family}{rank}")
        return ways

    def new_runs(self, hand: list[str]) -> Iterator[Play]:
        jokers = hand.count("JK")
        for family in self.families:
            ways = [self.ways(hand, family, rank) for rank in self.line]
            for start in range(len(self.line) - 2):
                for names in product(*ways[start : start + 3]):
                    used = [real(name) for name in names].count("JK")
                    if used <= min(2, jokers):
                        yield {"new": "run", "meld": len(self.melds) + 1, "cards": list(names)}

    def new_triads(self, hand: list[str]) -> Iterator[Play]:
        jokers = hand.count("JK")
        for rank in self.ranks:
            held = [family for family in self.families if family + rank in hand]
            for size in (3, 2, 1):
                for families in combinations(held, size):
                    if 3 - size <= min(jokers, len(self.families) - size):
                        missing = [family for family in self.families if family not in families]
                        cards = [family + rank for family in families]
                        cards += [f"JK={family}{rank}" for family in self.rng.sample(missing, 3 - size)]
                        yield {"new": "triad", "meld": len(self.melds) + 1, "cards": cards}

    def extensions(self, meld: Meld, hand: list[str]) -> Iterator[str]:
        if meld["kind"] == "run":
            low, cards = meld["low"], meld["cards"]
            if len(cards) == len(self.ranks):
                return
            for place in (low - 1, low + len(cards)):
                if 0 <= place < len(self.line):
                    yield from self.ways(hand, meld["family"], self.line[place])
            return
        if len(meld["cards"]) == len(self.families):
            return
        rank = meld["rank"]
        there = [name[0] for name in meld["cards"] if name[0] != "J"]
        for family in self.families:
            if family not in there and family + rank in hand:
                yield family + rank
        if "JK" in hand:
            said = [name[3] for name in meld["cards"] if name[0] == "J"]
            yield f"JK={self.rng.choice([family for family in self.families if family not in there + said])}{rank}"

    def retrievals(self, number: int, meld: Meld, hand: list[str]) -> Iterator[tuple[Play, str, Meld]]:
        """The play, the card taken, and the meld as it lies then."""
        for at, name in enumerate(meld["cards"]):
            if meld["kind"] == "run":
                correct = [name.split("=")[1]] if "=" in name else []
            elif name[0] in "JT":
                there = [other[0] for other in meld["cards"]]
                correct = [family + meld["rank"] for family in self.families if family not in [*there, "T"]]
            else:
                correct = []
            for card in correct:
                if card in hand:
                    after = copy.deepcopy(meld)
                    after["cards"][at] = card
                    takes = name if meld["kind"] == "run" else self.rng.choice([name, real(name)])
                    yield {"retrieve": number, "takes": takes, "with": card}, real(name), after

    def apply(self, player: int, play: Play) -> None:
        hand = self.hands[player]
        if "retrieve" in play:
            meld = self.melds[play["retrieve"] - 1]
            _, taken, after = next(
                found for found in self.retrievals(play["retrieve"], meld, hand) if same_retrieval(found[0], play)
            )
            self.melds[play["retrieve"] - 1] = after
            hand.remove(play["with"])
            hand.append(taken)
            return
        for name in play["cards"]:
            hand.remove(real(name))
        points = sum(map(points_of, play["cards"]))
        if "new" in play:
            self.opened[player] = True
            self.points[player] += points
            self.melds.append(self.new_meld(player, play))
            return
        meld = self.melds[play["extend"] - 1]
        (name,) = play["cards"]
        owner = meld["owner"]
        self.points[player if self.rulings["points_for"] == "who_played" else owner] += points
        rank = name.split("=")[-1][1:]
        if meld["kind"] == "run" and meld["low"] > 0 and self.line[meld["low"] - 1] == rank:
            meld["cards"].insert(0, name)
            meld["low"] -= 1
        else:
            meld["cards"].append(name)

    def new_meld(self, player: int, play: Play) -> Meld:
        names = [name.split("=")[-1] for name in play["cards"]]
        meld: Meld = {"kind": play["new"], "owner": player, "cards": list(play["cards"])}
        if play["new"] == "triad":
            return meld | {"rank": names[0][1:]}
        ranks = [name[1:] for name in names]
        low = next(start for start in range(len(self.line)) if self.line[start : start + 3] == ranks)
        return meld | {"family": names[0][0], "low": low}

    def stones_for(self, player: int, play: Play) -> list[Play]:
        """Furnace 4: the Stone for every second card on a layout."""
        if "extend" not in play:
            return []
        owner = self.melds[play["extend"] - 1]["owner"]
        self.laid_on[owner] = self.laid_on.get(owner, 0) + 1
        if self.laid_on[owner] % 2 or (self.rulings["stones_a_turn"] == "one" and self.laid_on[owner] > 2):
            return []
        if owner == player and self.bag:
            self.bag -= 1
        elif owner != player and self.stones[owner]:
            self.stones[owner] -= 1
        else:
            return []
        self.stones[player] += 1
        return [{"stone_from": "bag" if owner == player else owner}]

    # ---- the Furnace (Furnace 5) ---------------------------------------------------------------------------

    def fit(self, player: int) -> list[str]:
        return [card for card in self.hands[player] if card != "JK"]

    def may_force(self, player: int) -> bool:
        rich = self.stones[player] >= self.match["min_bet"]
        return rich and self.points[player] >= self.match["qualify"] and len(self.fit(player)) >= self.match["kept"]

    def force(self, n: int, forcer: int) -> str:
        bet = self.rng.randint(self.match["min_bet"], self.stones[forcer])
        calls: list[list[int]] = []
        folds: list[int] = []
        player = self.next_alive(forcer)
        while player != forcer:
            put_in = bet if self.stones[player] >= bet else 0
            if not put_in and self.rulings["short_call"] == "all_in":
                put_in = self.stones[player]
            if put_in and len(self.fit(player)) >= self.match["kept"] and self.rng.random() < 0.5:
                calls.append([player, put_in])
            else:
                folds.append(player)
            player = self.next_alive(player)
        self.tell("force", round=n, player=forcer, bet=bet, calls=calls, folds=folds)
        bets = {forcer: bet}
        bets.update((player, put_in) for player, put_in in calls)
        for player, put_in in bets.items():
            self.stones[player] -= put_in
        before, self.pot = self.pot, 0
        if not calls:
            self.stones[forcer] += before + bet
            return "folded"

        kept = {player: self.rng.sample(self.fit(player), self.match["kept"]) for player in sorted(bets)}
        found = {player: best(cards + self.furnace, self.rules) for player, cards in kept.items()}
        order = [player for player, _ in calls] + [forcer]
        paid: dict[int, int] = {}
        levels = [[player for player in order if bets[player] >= level] for level in range(1, max(bets.values()) + 1)]
        for rivals, equal_levels in groupby(levels):
            stones = before + len(rivals) * len(list(equal_levels))
            before = 0
            top = max(found[player][1] for player in rivals)
            tied = [player for player in rivals if found[player][1] == top]
            for player in tied:
                paid[player] = paid.get(player, 0) + stones // len(tied)
            paid[tied[0]] += stones % len(tied)
        for player, stones in paid.items():
            self.stones[player] += stones
        told = {"winners": sorted(paid), "paid": {str(player): paid[player] for player in sorted(paid)}}
        category = {str(player): name for player, (name, _) in found.items()}
        self.tell("showdown", round=n, kept={str(p): cards for p, cards in kept.items()}, category=category, **told)
        return "showdown"


def same_retrieval(one: Play, other: Play) -> bool:
    """The random choice of how a Triad's Joker is named aside."""
    return one["with"] == other["with"] and real(one["takes"]) == real(other["takes"])
