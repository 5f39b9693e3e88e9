"""Metrics and splits of matches against plain counting over their traces, and the replay in words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from typing import Any

import numpy as np
import pytest

from alchemy_sim.config.load import load
from alchemy_sim.core.game import game
from alchemy_sim.games.furnace.match.breakdowns import BREAKDOWNS
from alchemy_sim.games.furnace.match.metrics import METRICS
from alchemy_sim.games.furnace.match.per_match import Bins
from alchemy_sim.games.furnace.names import CATEGORIES
from alchemy_sim.mc.totals import Totals, tally
from tests.conftest import games
from tests.furnace_rounds import Follower, Round

SEED = 5
#: Settings, policies by seat and matches: all rulings about bets, rounds that stall, players that differ.
CELLS: dict[str, tuple[tuple[str, ...], tuple[str, ...], int]] = {
    "random": ((), ("random",) * 4, games(30, 1)),
    "builder": ((), ("builder",) * 4, 5),
    "all_in": (("rulings.short_call=all_in",), ("random",) * 3, games(30, 1)),
    "antes": (("rulings.short_call=all_in", "rulings.ante_per=turn"), ("builder", "random", "random"), 6),
    "stalls": (("match.max_turns=12", "match.max_rounds=9", "match.qualify=25"), ("random", "builder") * 3, 8),
}
every_cell = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.compiled] if "builder" in CELLS[name][1] else []) for name in CELLS]
)


@cache
def played(name: str) -> tuple[Any, dict[str, np.ndarray], list[list[dict[str, Any]]]]:
    settings, policies, count = CELLS[name]
    furnace = game("furnace")
    encoded = furnace.encode(load("furnace/default", settings).settings[0].config, len(policies), policies)
    columns = furnace.simulate(encoded, SEED, 0, count)
    return encoded, dict(columns), [furnace.trace(encoded, SEED, index) for index in range(count)]


def within(value: int, labels: tuple[str, ...]) -> str:
    """The label of a range that a number is in, read from the labels themselves."""
    for label in labels:
        low, _, high = label.partition("-")
        if label.endswith("+"):
            if value >= int(label[:-1]):
                return label
        elif int(low) <= value <= int(high or low):
            return label
    raise AssertionError(value)


def tenth(chance: int) -> str:
    return f"{min(chance // 1000, 9) * 10}-{min(chance // 1000, 9) * 10 + 10} %"


def own_share(bet: int, stones: int) -> str:
    for label, quarters in (("all", 4), ("75-99 %", 3), ("50-75 %", 2), ("25-50 %", 1)):
        if bet >= stones * quarters / 4:
            return label
    return "under 25 %"


def pot_share(bet: int, pot: int) -> str:
    for label, parts in (("400 % and more", 4.0), ("200-400 %", 2.0), ("100-200 %", 1.0), ("50-100 %", 0.5)):
        if bet >= pot * parts:
            return label
    return "25-50 %" if 4 * bet >= pot else "under 25 %"


LABELS = {each.name: each.labels for each in BREAKDOWNS}


class Counting:
    """Sums of one match by key: [x, y]."""

    def __init__(self, follower: Follower, columns: dict[str, np.ndarray], index: int, first_row: int) -> None:
        self.found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        self.follower, self.index, self.columns = follower, index, columns
        self.players = follower.players
        self.policies = follower.setup["policies"]
        self.out: dict[int, int] = {}
        self.totals: Counter[tuple[str, int]] = Counter()
        for place, now in enumerate(follower.rounds):
            self.row = first_row + place
            self.complete(now)
            self.round(now)
            self.forcing(now)
            self.calls(now)
            self.waiting(now)
            for seat in now["out"]:
                self.out[seat] = now["n"]
        self.whole()

    def add(self, key: str, x: int, y: int = 1) -> None:
        self.found[key][0] += int(x)
        self.found[key][1] += int(y)

    def frequency(self, by: str, split: str, label: str) -> None:
        for each in LABELS[by]:
            self.add(f"{by}/{split}/{each}", each == label)

    def column(self, name: str) -> int:
        """What no trace tells, from the row."""
        return int(self.columns[f"rounds/{name}"][self.row])

    def complete(self, now: Round) -> None:
        """Who has the best hand of a round, and which; what forcing brought."""
        shown = now["outcome"] == "showdown"
        winners = now["winners"]
        best = now["category"][str(winners[0])] if shown else None
        if shown and self.follower.setup["rulings"]["short_call"] == "all_in":
            # with side pots the trace tells who is paid, which is not who has the best hand
            winners = [self.column("winner")] if not self.column("tied") else [0, 0]
            best = CATEGORIES[self.column("category")]
        now["best"], now["tied"] = best, shown and len(winners) > 1
        now["winner"] = winners[0] if len(winners) == 1 else None
        if now["outcome"] == "folded":
            now["winner"] = now["forcer"]
        forcer = now["forcer"]
        if forcer is not None:
            others = [now["own"][seat] for seat in now["in"] if seat != forcer]
            now["uncallable"] = max(others) < now["bet"]
            now["profit"] = now["paid"][forcer] - now["bet"]

    def round(self, now: Round) -> None:
        add, outcome = self.add, now["outcome"]
        forced, shown, wins = now["forcer"] is not None, outcome == "showdown", now["winner"] == now["forcer"]
        net = [paid - put for paid, put in zip(now["paid"], now["put_in"], strict=True)]
        gained = sum(each for each in net if each > 0)
        for name, kind in (("showdown", "showdown"), ("folded", "folded"), ("stalled", "stalled")):
            add(f"{name}_share", outcome == kind)
        self.frequency("outcome", "share", outcome)
        add(f"outcome/turns/{outcome}", now["turns"])
        add(f"outcome/pot/{outcome}", now["pot"])
        if now["first_33"]:
            add("first_33", now["first_33"])
            add(f"outcome/first_33/{outcome}", now["first_33"])
        add("round_turns", now["turns"])
        add("reshuffles", now["reshuffles"])
        add("plays", now["plays"], now["turns"])
        label = within(now["n"], LABELS["round"])
        for name, value in (("bag", sum(now["bag"])), ("players", sum(now["others"])), ("pots", gained)):
            add(f"income_{name}", value)
            add(f"round/from_{name}/{label}", value)
            self.totals[(name, -1)] += value
        for seat in range(self.players):
            for name, each in (("bag", now["bag"]), ("players", now["others"]), ("pots", net)):
                self.totals[(name, seat)] += each[seat]
        add(f"round/turns/{label}", now["turns"])
        add(f"round/folded/{label}", outcome == "folded")
        if forced:
            add(f"round/uncallable/{label}", now["uncallable"])
            add(f"round/force_profit/{label}", now["profit"])
        if shown:
            decided = self.column("trump_decided")
            self.frequency("category", "wins", now["best"])
            for name, value in (("forcer_wins", wins), ("trump_decided", decided), ("tied", now["tied"])):
                add(name, value)
                add(f"category/{name}/{now['best']}", value)
            add(f"category/pot/{now['best']}", now["pot"])

    def forcing(self, now: Round) -> None:
        if now["forcer"] is None:
            return
        forcer, bet = now["forcer"], now["bet"]
        wins = now["winner"] == forcer
        labels = {
            "points": within(now["points"][forcer], LABELS["points"]),
            "waited": within(now["declined"][forcer], LABELS["waited"]),
            "bet": own_share(bet, now["own"][forcer]),
            "callable": "no" if now["uncallable"] else "yes",
            "pot": within(now["before"], LABELS["pot"]),
            "opponents": str(len(now["in"]) - 1),
        }
        chance = self.column(f"chance_{forcer}")
        labels |= {"chance": tenth(chance)} if chance >= 0 else {}
        for by, label in labels.items():
            self.add(f"{by}/profit/{label}", now["profit"])
            self.add(f"{by}/folded/{label}", now["outcome"] == "folded")
            if now["outcome"] == "showdown":
                self.add(f"{by}/wins/{label}", wins)
            self.frequency(by, "frequency", label)
        self.add("force_profit", now["profit"])
        self.add("uncallable", now["uncallable"])
        if now["uncallable"]:
            self.add("uncallable_taken", now["paid"][forcer] == now["pot"])
        self.add("bet", bet)
        self.add("callers", len(now["calls"]))
        self.add("waited", now["declined"][forcer])
        for by, label in (("seat", str(forcer)), ("policy", self.policies[forcer])):
            self.add(f"{by}/force_profit/{label}", now["profit"])
            if now["outcome"] == "showdown":
                self.add(f"{by}/forcer_wins/{label}", wins)

    def calls(self, now: Round) -> None:
        for seat in [*now["calls"], *now["folds"]]:
            calls, could = seat in now["calls"], now["own"][seat] >= now["bet"]
            profit = now["paid"][seat] - now["staked"][seat]
            labels = {"call_bet": pot_share(now["bet"], now["before"])}
            chance = self.column(f"chance_{seat}")
            labels |= {"call_chance": tenth(chance)} if chance >= 0 else {}
            for by, label in labels.items():
                if calls:
                    self.add(f"{by}/profit/{label}", profit)
                    self.add(f"{by}/paid_off/{label}", profit > 0)
                    self.frequency(by, "frequency", label)
                if could:
                    self.add(f"{by}/called/{label}", calls)
            for by, label in (("seat", str(seat)), ("policy", self.policies[seat])):
                if could:
                    self.add(f"{by}/calls/{label}", calls)
                if calls:
                    self.add(f"{by}/call_profit/{label}", profit)
            if calls:
                self.add("call_profit", profit)

    def waiting(self, now: Round) -> None:
        for seat in now["in"]:
            waited = now["declined"][seat] > 0
            if seat == now["forcer"]:
                label = "forced later" if waited else "forced at once"
            else:
                label = "waited, did not force" if waited else "could not force"
            pot, layouts = now["paid"][seat] - now["put_in"][seat], now["bag"][seat] + now["others"][seat]
            for split, value in (("net", pot + layouts), ("from_pots", pot), ("from_layouts", layouts)):
                self.add(f"waiting/{split}/{label}", value)
            self.frequency("waiting", "frequency", label)
            for by, name in (("seat", str(seat)), ("policy", self.policies[seat])):
                self.add(f"{by}/forces/{name}", seat == now["forcer"])

    def whole(self) -> None:
        rounds, winner, add = len(self.follower.rounds), self.follower.winner, self.add
        add("rounds", rounds)
        turns = sum(now["turns"] for now in self.follower.rounds)
        add("turns", turns)
        add("searched", int(self.columns["searched"][self.index]), turns)
        add("unfinished", winner is None)
        add("first_wins", winner == 0)
        add("out_early", len([out for out in self.out.values() if out < rounds]))
        if self.out:
            add("first_out", min(self.out.values()))
        emptied = [now["n"] for now in self.follower.rounds if now["bag_emptied"]]
        add("bag_emptied", bool(emptied))
        if emptied:
            add("bag_empty_round", emptied[0])
        starter = self.follower.rounds[0]["starter"]
        for seat in range(self.players):
            sits = rounds - self.out.get(seat, rounds)
            add("sitting_out", sits, rounds)
            add(f"order/win_rate/{(seat - starter) % self.players}", seat == winner)
            for by, label in (("seat", str(seat)), ("policy", self.policies[seat])):
                add(f"{by}/win_rate/{label}", seat == winner)
                add(f"{by}/sits_out/{label}", sits, rounds)
                for name in ("bag", "players", "pots"):
                    add(f"{by}/from_{name}/{label}", self.totals[(name, seat)])
        gained = sum(self.totals[(name, -1)] for name in ("bag", "players", "pots"))
        for name in ("bag", "players", "pots"):
            add(f"source/share/{name}", self.totals[(name, -1)], gained)
            add(f"source/income/{name}", self.totals[(name, -1)])
            if winner is not None:
                add(f"source/winner/{name}", self.totals[(name, winner)])


@cache
def counted(name: str) -> dict[str, Totals]:
    """Totals of a cell from its traces."""
    _, columns, traces = played(name)
    first_rows = np.flatnonzero(columns["rounds/round"] == 1).tolist()
    each = [Counting(Follower(events), columns, index, first_rows[index]).found for index, events in enumerate(traces)]
    found = {}
    for key in dict.fromkeys(key for match in each for key in match):
        pairs = [tuple(match.get(key, (0, 0))) for match in each]
        n = sum(y != 0 for _, y in pairs) if "/" in key else len(pairs)
        products = [(x, y, x * x, y * y, x * y) for x, y in pairs]
        found[key] = Totals(n, *map(sum, zip(*products, strict=True)))
    return found


@every_cell
def test_every_metric_is_what_plain_counting_over_traces_finds(name: str) -> None:
    _, columns, _ = played(name)
    found = tally(game("furnace"), columns, by=())
    assert list(found) == [metric.name for metric in METRICS]
    nothing = Totals(len(columns["winner"]))
    for metric in METRICS:
        assert found[metric.name] == counted(name).get(metric.name, nothing), metric.name


@every_cell
def test_every_split_is_what_plain_counting_over_traces_finds(name: str) -> None:
    _, columns, _ = played(name)
    found = {key: totals for key, totals in tally(game("furnace"), columns).items() if "/" in key}
    plain = {key: totals for key, totals in counted(name).items() if "/" in key and totals.n}
    assert {key: found.get(key) for key in plain} == plain
    assert set(found) == set(plain)


@pytest.mark.compiled
def test_the_cells_have_every_split() -> None:
    told = {"/".join(key.split("/")[:2]) for name in CELLS for key in counted(name)}
    assert told >= {f"{each.name}/{split.name}" for each in BREAKDOWNS for split in each.splits}


@every_cell
def test_stones_are_constant_from_round_to_round(name: str) -> None:
    encoded, columns, _ = played(name)
    players, match = encoded.players, encoded.facts["match"]
    seats = range(players)
    total = players * match["stones"] + match["bag_stones"]
    bag = pot = 0
    for row, number in enumerate(columns["rounds/round"].tolist()):
        now = {key[7:]: int(values[row]) for key, values in columns.items() if key.startswith("rounds/")}
        bag = (match["bag_stones"] if number == 1 else bag) - sum(now[f"from_bag_{seat}"] for seat in seats)
        pot = (0 if number == 1 else pot) + sum(now[f"put_in_{seat}"] for seat in seats)
        assert pot == now["pot"]
        pot -= sum(now[f"paid_{seat}"] for seat in seats)
        assert (pot == 0) == (now["outcome"] != 2)
        assert sum(now[f"stones_{seat}"] for seat in seats) + bag + pot == total
        index = now["game"]
        if number == columns["rounds"][index]:
            assert (bag, pot) == (columns["bag"][index], columns["pot"][index])


@every_cell
def test_what_bets_bring_is_what_lay_in_the_pots(name: str) -> None:
    """Stones staked go from one player to another, so forcers and callers together get the pots as they were before."""
    _, _, traces = played(name)
    before = [now["before"] for events in traces for now in Follower(events).rounds if now["forcer"] is not None]
    found = counted(name)
    assert found["force_profit"].x + found["call_profit"].x == sum(before)


def test_labels_that_no_match_carries_have_no_totals() -> None:
    _, columns, _ = played("random")
    found = tally(game("furnace"), columns)
    assert not [key for key in found if key.startswith(("chance/", "call_chance/", "opponents/profit/5"))]


def test_ranges_name_every_number_once() -> None:
    bins = Bins(1, 2, 4, 10)
    assert bins.labels == ("1", "2-3", "4-9", "10+")
    values = np.arange(-3, 40)
    assert [bins.labels[place] if place >= 0 else "" for place in bins.of(values)] == [
        within(value, bins.labels) if value > 0 else "" for value in values.tolist()
    ]


@every_cell
def test_a_replay_tells_everything(name: str) -> None:
    _, _, traces = played(name)
    for events in traces:
        text = game("furnace").tell(events, {})
        lines = text.splitlines()
        turns = [event for event in events if event["type"] == "turn"]
        told = [line for line in lines if re.match(r" *\d+  P\d ", line)]
        assert len(told) == len(turns)
        for turn, line in zip(turns, told, strict=True):
            words = line.replace(";", " ").split()
            seat = turn["player"]
            head = [str(turn["n"]), f"P{seat}", turn["draws"] or "none", str(turn["points"][seat])]
            assert words[:6] == [*head, str(turn["stones"][seat]), str(turn["bag"])]
            cards = [card for play in turn["plays"] for card in play.get("cards", [])] + turn["discards"]
            cards += [play[key] for play in turn["plays"] if "retrieve" in play for key in ("takes", "with")]
            assert not Counter(cards) - Counter(words[6:])
            earned = sum(int(count) for count in re.findall(r"gets (\d+) Stones? from", line))
            assert earned == len([play for play in turn["plays"] if "stone_from" in play])
        assert len([line for line in lines if line.startswith("Round ")]) == len(Follower(events).rounds)
        assert lines[-1].startswith(
            "After" if events[-1]["winner"] is None else f"P{events[-1]['winner']} is the Supreme"
        )
