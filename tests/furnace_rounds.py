"""Rounds of a match as plain dicts, worked out from the events of its trace: nothing here reads a kernel's columns."""

from __future__ import annotations

from typing import Any

Round = dict[str, Any]


def physical(card: str) -> str:
    """The card itself: `JK` of `JK=W5`."""
    return card.split("=")[0]


class Follower:
    """Follows a trace event by event and keeps a dict for each round."""

    def __init__(self, events: list[dict[str, Any]]) -> None:
        self.setup = events[0]
        self.players = self.setup["players"]
        self.match = self.setup["match"]
        self.stones = list(self.setup["stones"])
        self.pot = 0
        self.rounds: list[Round] = []
        self.hands: list[list[str]] = []
        for event, after in zip(events[1:], [*events[2:], None], strict=True):
            getattr(self, event["type"])(event, after)

    def round(self, event: dict[str, Any], _after: Any) -> None:
        self.hands = [list(hand) for hand in event["hands"]]
        nothing = [0] * self.players
        put_in = [before - now for before, now in zip(self.stones, event["stones"], strict=True)]
        self.pot += sum(put_in)
        assert self.pot == event["pot"]
        self.now: Round = {
            "n": event["n"], "starter": event["starter"], "turns": 0, "plays": 0, "reshuffles": 0, "first_33": None,
            "forcer": None, "bet": 0, "calls": {}, "folds": [], "bag_left": None, "winners": [], "category": {},
            "in": [seat for seat, hand in enumerate(event["hands"]) if hand],
            "put_in": put_in, **{name: list(nothing) for name in ("staked", "bag", "others", "declined", "paid")},
        }  # fmt: skip

    def turn(self, event: dict[str, Any], after: dict[str, Any]) -> None:
        now, seat = self.now, event["player"]
        now["turns"] += 1
        now["reshuffles"] += event["reshuffled"]
        for each in event["ante"]:
            now["put_in"][each] += 1
            self.pot += 1
        hand = self.hands[seat]
        hand += [event["draws"]] if event["draws"] else []
        for play in event["plays"]:
            if "stone_from" in play:
                now["bag" if play["stone_from"] == "bag" else "others"][seat] += 1
                continue
            now["plays"] += 1
            for card in [play["with"]] if "retrieve" in play else play["cards"]:
                hand.remove(physical(card))
            if "retrieve" in play:
                hand.append(physical(play["takes"]))
        for card in event["discards"]:
            hand.remove(card)
        if now["first_33"] is None and max(event["points"]) >= self.match["qualify"]:
            now["first_33"] = event["n"]
        now["points"], now["bag_left"] = event["points"], event["bag"]
        now["bag_emptied"] = now.get("bag_emptied", False) or event["bag"] == 0
        able = event["points"][seat] >= self.match["qualify"] and event["stones"][seat] >= self.match["min_bet"]
        entrants = len([card for card in hand if card != "JK"]) >= self.match["kept"]
        if able and entrants and after["type"] != "force":
            now["declined"][seat] += 1
        self.stones = event["stones"]

    def force(self, event: dict[str, Any], after: dict[str, Any]) -> None:
        now, forcer, bet = self.now, event["player"], event["bet"]
        calls = dict(event["calls"])
        now |= {"forcer": forcer, "bet": bet, "calls": calls, "folds": event["folds"], "before": self.pot}
        now["own"] = list(self.stones)
        for seat, stones in ({forcer: bet} | calls).items():
            now["staked"][seat] = stones
            now["put_in"][seat] += stones
            self.pot += stones
        if not calls:
            assert after["type"] == "round_end"
            now["paid"][forcer] = self.pot

    def showdown(self, event: dict[str, Any], _after: Any) -> None:
        now = self.now
        now["winners"], now["category"] = event["winners"], event["category"]
        for seat, stones in event["paid"].items():
            now["paid"][int(seat)] = stones
        assert sum(now["paid"]) == self.pot

    def round_end(self, event: dict[str, Any], _after: Any) -> None:
        now = self.now
        now |= {"outcome": event["outcome"], "stones": event["stones"], "out": event["out"], "pot": self.pot}
        self.pot = event["pot"]
        assert (self.pot == now["pot"]) == (event["outcome"] == "stalled")
        self.stones = event["stones"]
        self.rounds.append(now)

    def end(self, event: dict[str, Any], _after: Any) -> None:
        self.winner = event["winner"]
