"""Injected faults: each function makes a legal trace illegal in one way, or finds no place for it.

FAULTS maps a name to the function, NAMED_BY to words that the referee's message has to contain.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.oracle.crucible_notation import (
    CATALYST,
    CATALYZE_POWERS,
    DECK,
    DISCIPLINES,
    PASSIVES,
    SEER,
    SUITS,
    TASKS,
    TRANSMUTE_POWERS,
)

Event = dict[str, Any]
Fault = Callable[[list[Event], random.Random], list[Event] | None]

FAULTS: dict[str, Fault] = {}
NAMED_BY: dict[str, str] = {}
ENDINGS = ("win", "slag", "sponge", "impossible", "incomplete", "extra_goal", "stalled")


def fault(named_by: str) -> Callable[[Fault], Fault]:
    """Registers a fault that edits its trace in place; the trace it is given is copied first."""

    def register(edit: Fault) -> Fault:
        def on_a_copy(events: list[Event], rng: random.Random) -> list[Event] | None:
            return edit(copy.deepcopy(events), rng)

        FAULTS[edit.__name__] = on_a_copy
        NAMED_BY[edit.__name__] = named_by
        return on_a_copy

    return register


# ---- looking around in a legal trace -----------------------------------------------------------------------


def line_of(events: list[Event], kind: str) -> Event | None:
    return next((line for line in events if line["type"] == kind), None)


def places(events: list[Event], kind: str) -> list[int]:
    return [place for place, line in enumerate(events) if line["type"] == kind]


def reactions(events: list[Event]) -> list[Event]:
    return [line for line in events if line["type"] == "reaction"]


def one_of(rng: random.Random, things: list[Any]) -> Any:
    return rng.choice(things) if things else None


def turned(card: str) -> str:
    if card[0] == CATALYST:
        return card
    return f"{SUITS[5 - SUITS.index(card[0])]}{10 - int(card[1])}"


def hands_over_time(events: list[Event]) -> Iterator[tuple[int, list[list[str]]]]:
    """For every reaction its place in the trace and the hands before it; at last the hands after all."""
    hands = [list(hand) for hand in events[0]["hands"]]
    for place in places(events, "reaction"):
        yield place, [list(hand) for hand in hands]
        for player, card, _, powers in events[place]["plays"]:
            hands[player].remove(card)
            if events[place]["outcome"] == "transmuted":
                hands[player].append(card if "anchor" in powers else turned(card))
    yield len(events), hands


def all_plays(events: list[Event]) -> Iterator[tuple[Event, int, list[Any], list[str]]]:
    """Every play: its reaction, its place in it, the play, and the player's hand before it."""
    for place, hands in hands_over_time(events):
        if place < len(events):
            for seat, play in enumerate(events[place]["plays"]):
                yield events[place], seat, play, hands[play[0]]


def kept_by(events: list[Event], player: int) -> str | None:
    line = line_of(events, "disciplines")
    return line["kept"][player] if line and line["kept"] else None


def used_in(events: list[Event], player: int) -> int:
    """The reaction in which the player's power was used; far away if never."""
    for line in events:
        if line["type"] == "swap" and line["player"] == player:
            return line["reaction"]
        if line["type"] == "reaction":
            for play in line["plays"]:
                if play[0] == player and play[3]:
                    return line["n"]
    return 10**6


def start_of(events: list[Event], n: int) -> int:
    """Where the lines of reaction n begin: its whispers, its swap, the reaction itself."""
    for place, line in enumerate(events):
        if (line["type"] == "reaction" and line["n"] == n) or (
            line["type"] in ("whisper", "swap") and line["reaction"] == n
        ):
            return place
    raise ValueError(n)


def place_of(events: list[Event], n: int) -> int:
    return next(p for p in places(events, "reaction") if events[p]["n"] == n)


def tasks_before(events: list[Event], place: int) -> dict[str, tuple[int, str]]:
    """Owner and status of every drafted task before a line."""
    draft = line_of(events, "draft")
    assert draft is not None
    tasks = {name: (owner, "open") for owner, name in draft["claims"]}
    for line in events[:place]:
        if line["type"] == "task":
            tasks[line["task"]] = (line["owner"], line["status"])
        elif line["type"] == "swap":
            tasks[line["gives"]] = (line["other"], tasks[line["gives"]][1])
            tasks[line["takes"]] = (line["player"], tasks[line["takes"]][1])
    return tasks


def fitting(intent: str) -> tuple[str, ...]:
    return CATALYZE_POWERS if intent == "catalyze" else TRANSMUTE_POWERS


def another(rng: random.Random, events: list[Event], player: int | None) -> int:
    return rng.choice([p for p in range(events[0]["players"]) if p != player])


# ---- setup (Crucible 2) ------------------------------------------------------------------------------------


@fault("not in hand")
def deal_swapped(events: list[Event], rng: random.Random) -> list[Event] | None:
    first = next(iter(reactions(events)), None)
    if first is None or first["plays"][0][1][0] == CATALYST:
        return None
    player, card = first["plays"][0][:2]
    other = another(rng, events, player)
    hand, from_hand = events[0]["hands"][player], events[0]["hands"][other]
    swapped = rng.choice([c for c in from_hand if c[0] != CATALYST])
    hand[hand.index(card)], from_hand[from_hand.index(swapped)] = swapped, card
    return events


@fault("not a permutation")
def deal_with_duplicate(events: list[Event], rng: random.Random) -> list[Event] | None:
    hand = events[0]["hands"][rng.randrange(events[0]["players"])]
    place = rng.choice([i for i, card in enumerate(hand) if card[0] != CATALYST])
    hand[place] = rng.choice([card for card in DECK if card != hand[place] and card[0] != CATALYST])
    return events


@fault("hand sizes")
def deal_uneven(events: list[Event], rng: random.Random) -> list[Event] | None:
    hands = events[0]["hands"]
    hands[1].append(hands[0].pop())
    return events


@fault("left over")
def left_over_too_many(events: list[Event], rng: random.Random) -> list[Event] | None:
    events[0]["left_over"].append(events[0]["hands"][0].pop())
    return events


@fault("lead is")
def wrong_lead(events: list[Event], rng: random.Random) -> list[Event] | None:
    events[0]["lead"] = another(rng, events, events[0]["lead"])
    return events


@fault("ponge")
def wrong_sponge(events: list[Event], rng: random.Random) -> list[Event] | None:
    setup, choice = events[0], events[0]["rulings"]["sponge_is"]
    if not setup["mission"]["sponge"]:
        setup["sponge_seat"] = 0
    elif choice == "any":
        setup["sponge_seat"] = None
    else:
        lead = setup["lead"]
        setup["sponge_seat"] = lead if choice == "not_lead" else another(rng, events, lead)
    return events


@fault("not offered")
def kept_not_offered(events: list[Event], rng: random.Random) -> list[Event] | None:
    line = line_of(events, "disciplines")
    if line is None or not line["kept"]:
        return None
    player = rng.randrange(events[0]["players"])
    line["kept"][player] = rng.choice([d for d in DISCIPLINES if d not in line["offered"][player]])
    return events


@fault("not distinct")
def offered_twice(events: list[Event], rng: random.Random) -> list[Event] | None:
    line = line_of(events, "disciplines")
    if line is None or not line["kept"]:
        return None
    give, take = rng.sample(range(events[0]["players"]), 2)
    lost = next(d for d in line["offered"][take] if d != line["kept"][take])
    line["offered"][take][line["offered"][take].index(lost)] = rng.choice(line["offered"][give])
    return events


@fault("expected a disciplines line")
def disciplines_missing(events: list[Event], rng: random.Random) -> list[Event] | None:
    line = line_of(events, "disciplines")
    if line is None or not line["kept"]:
        return None
    events.remove(line)
    return events


@fault("revealed tasks are not distinct")
def revealed_twice(events: list[Event], rng: random.Random) -> list[Event] | None:
    revealed = events[places(events, "draft")[0]]["revealed"]
    if len(revealed) < 2:
        return None
    give, take = rng.sample(range(len(revealed)), 2)
    revealed[take] = revealed[give]
    return events


@fault("number of tasks")
def task_not_revealed(events: list[Event], rng: random.Random) -> list[Event] | None:
    events[places(events, "draft")[0]]["revealed"].pop()
    return events


@fault("claims are by")
def claims_out_of_order(events: list[Event], rng: random.Random) -> list[Event] | None:
    claims = events[places(events, "draft")[0]]["claims"]
    if len(claims) < 2:
        return None
    claims[0][0], claims[1][0] = claims[1][0], claims[0][0]
    return events


@fault("not the revealed tasks")
def claimed_not_revealed(events: list[Event], rng: random.Random) -> list[Event] | None:
    draft = events[places(events, "draft")[0]]
    known = draft["revealed"] + [new for _, new in draft["redrawn"]]
    rng.choice(draft["claims"])[1] = rng.choice([name for name in TASKS if name not in known])
    return events


@fault("redrawn")
def redrawn_needlessly(events: list[Event], rng: random.Random) -> list[Event] | None:
    draft, rulings = events[places(events, "draft")[0]], events[0]["rulings"]
    judged = [line for line in events if line["type"] == "task" and line["reaction"] == 0]
    if judged or (rulings["impossible_draft"] == "redraw" and rulings["impossible_test"] == "sharp"):
        return None
    known = draft["revealed"] + [new for _, new in draft["redrawn"]]
    claim = rng.choice(draft["claims"])
    new = rng.choice([name for name in events[0]["mission"].get("task_pool") or TASKS if name not in known] or [""])
    if not new:
        return None
    draft["redrawn"].append([claim[1], new])
    claim[1] = new
    return events


@fault("was not redrawn")
def redraw_forgotten(events: list[Event], rng: random.Random) -> list[Event] | None:
    draft = events[places(events, "draft")[0]]
    if not draft["redrawn"] or events[0]["rulings"]["impossible_test"] == "sharp":
        return None
    old, new = draft["redrawn"].pop()
    next(claim for claim in draft["claims"] if claim[1] == new)[1] = old
    return events


# ---- whispers (Crucible 6) ---------------------------------------------------------------------------------


def true_hints(hand: list[str], card: str) -> list[str]:
    suit = sorted(other for other in hand if other[0] == card[0])
    hints = ["top"] if card == suit[-1] else []
    hints += ["bottom"] if card == suit[0] else []
    return hints + (["middle"] if suit[0] == suit[-1] else [])


def whispers_with_hands(events: list[Event]) -> list[tuple[int, list[str]]]:
    """Places of the whispers, with the whisperer's hand."""
    hands_at = {events[p]["n"]: hands for p, hands in hands_over_time(events) if p < len(events)}
    return [(p, hands_at[events[p]["reaction"]][events[p]["player"]]) for p in places(events, "whisper")]


@fault("is not true")
def false_hint(events: list[Event], rng: random.Random) -> list[Event] | None:
    found = []
    for place, hand in whispers_with_hands(events):
        for card in hand:
            found += [(place, card, h) for h in ("top", "bottom", "middle") if h not in true_hints(hand, card)]
    if not found:
        return None
    place, card, hint = rng.choice(found)
    events[place] |= {"card": card, "hint": hint}
    return events


@fault("which is not in hand")
def whispered_card_not_held(events: list[Event], rng: random.Random) -> list[Event] | None:
    chosen = one_of(rng, whispers_with_hands(events))
    if chosen is None:
        return None
    events[chosen[0]]["card"] = rng.choice([card for card in DECK if card not in chosen[1]])
    return events


def whisper_inserted(events: list[Event], rng: random.Random, n: int, player: int, hand: list[str]) -> list[Event]:
    card = next(card for card in rng.sample(hand, len(hand)) if true_hints(hand, card))
    hint = rng.choice(true_hints(hand, card))
    line = {"type": "whisper", "reaction": n, "player": player, "card": card, "hint": hint}
    events.insert(start_of(events, n), line)
    return events


@fault("second time")
def second_whisper(events: list[Event], rng: random.Random) -> list[Event] | None:
    found = []
    since = {events[p]["player"]: events[p]["reaction"] for p in places(events, "whisper")}
    for place, hands in hands_over_time(events):
        if place < len(events):
            n = events[place]["n"]
            found += [(n, player, hands[player]) for player in since if since[player] < n and hands[player]]
    chosen = one_of(rng, found)
    return chosen and whisper_inserted(events, rng, *chosen)


@fault("has no whispers")
def forbidden_whisper(events: list[Event], rng: random.Random) -> list[Event] | None:
    if events[0]["mission"]["whispers"]:
        return None
    found = []
    for place, hands in hands_over_time(events):
        if place < len(events):
            found += [(events[place]["n"], player, hand) for player, hand in enumerate(hands) if hand]
    chosen = one_of(rng, found)
    return chosen and whisper_inserted(events, rng, *chosen)


@fault("whispered out of turn")
def whispers_out_of_turn(events: list[Event], rng: random.Random) -> list[Event] | None:
    kinds = [line["type"] for line in events]
    place = one_of(rng, [p for p in range(len(events)) if kinds[p : p + 2] == ["whisper", "whisper"]])
    if place is None:
        return None
    events[place], events[place + 1] = events[place + 1], events[place]
    return events


# ---- the Seer (Crucible 7) ---------------------------------------------------------------------------------


@fault("without having it")
def swap_by_another(events: list[Event], rng: random.Random) -> list[Event] | None:
    place = one_of(rng, places(events, "swap"))
    if place is None:
        return None
    swap = events[place]
    swap["player"] = another(rng, events, swap["player"])
    return events


def swap_inserted(events: list[Event], n: int, player: int, gives: str, other: int, takes: str) -> list[Event]:
    line = {"type": "swap", "reaction": n, "player": player, "gives": gives, "other": other, "takes": takes}
    events.insert(place_of(events, n), line)
    return events


def possible_swaps(events: list[Event], place: int, player: int) -> list[tuple[str, int, str, bool]]:
    """gives, other, takes, and whether both tasks are open."""
    tasks = tasks_before(events, place)
    found = []
    for gives, (owner, status) in tasks.items():
        for takes, (other, other_status) in tasks.items():
            if owner == player and other != player:
                found.append((gives, other, takes, status == "open" and other_status == "open"))
    return found


@fault("second time")
def second_swap(events: list[Event], rng: random.Random) -> list[Event] | None:
    found = []
    for swap in [events[p] for p in places(events, "swap")]:
        for place in places(events, "reaction"):
            line, player = events[place], swap["player"]
            if line["n"] > swap["reaction"] and player in [play[0] for play in line["plays"]]:
                found += [(line["n"], player, *s[:3]) for s in possible_swaps(events, place, player)]
    chosen = one_of(rng, found)
    return chosen and swap_inserted(events, *chosen)


def unspent_seer(events: list[Event], playing: bool) -> Iterator[tuple[int, int, tuple[str, int, str, bool]]]:
    """Reaction, Seer and swap, for reactions in which the Seer has cards and plays one, or does not."""
    for place, hands in hands_over_time(events):
        if place == len(events):
            return
        line = events[place]
        for player, hand in enumerate(hands):
            if kept_by(events, player) != SEER or used_in(events, player) <= line["n"] or not hand:
                continue
            if (player in [play[0] for play in line["plays"]]) == playing:
                for swap in possible_swaps(events, place, player):
                    yield line["n"], player, swap


@fault("was swapped, but it is")
def swap_of_closed_task(events: list[Event], rng: random.Random) -> list[Event] | None:
    chosen = one_of(rng, [(n, p, *s[:3]) for n, p, s in unspent_seer(events, True) if not s[3]])
    return chosen and swap_inserted(events, *chosen)


@fault("without a turn")
def swap_without_turn(events: list[Event], rng: random.Random) -> list[Event] | None:
    chosen = one_of(rng, [(n, p, *s[:3]) for n, p, s in unspent_seer(events, False) if s[3]])
    return chosen and swap_inserted(events, *chosen)


@fault("does not own it")
def swap_of_foreign_task(events: list[Event], rng: random.Random) -> list[Event] | None:
    place = one_of(rng, places(events, "swap"))
    if place is None:
        return None
    events[place]["gives"], events[place]["takes"] = events[place]["takes"], events[place]["gives"]
    return events


# ---- plays (Crucible 3) ------------------------------------------------------------------------------------


@fault("did not follow")
def revoke(events: list[Event], rng: random.Random) -> list[Event] | None:
    found = []
    for line, seat, play, hand in all_plays(events):
        lead_suit = line["plays"][0][1][0]
        if seat > 0 and play[1][0] == lead_suit:
            found += [(play, card) for card in hand if card[0] != lead_suit]
    if not found:
        return None
    play, card = rng.choice(found)
    play[1] = card
    return events


@fault("which is not in hand")
def card_not_held(events: list[Event], rng: random.Random) -> list[Event] | None:
    chosen = one_of(rng, list(all_plays(events)))
    if chosen is None:
        return None
    chosen[2][1] = rng.choice([card for card in DECK if card not in chosen[3]])
    return events


@fault("which is not in hand")
def flip_forgotten(events: list[Event], rng: random.Random) -> list[Event] | None:
    """A card that was flipped is played later as if it had not been."""
    flipped: set[tuple[int, str]] = set()
    found = []
    for line, _, play, hand in all_plays(events):
        if (play[0], play[1]) in flipped and turned(play[1]) not in hand:
            found.append(play)
        if line["outcome"] == "transmuted" and "anchor" not in play[3] and play[1][0] != CATALYST:
            flipped.add((play[0], turned(play[1])))
    play = one_of(rng, found)
    if play is None:
        return None
    play[1] = turned(play[1])
    return events


@fault("which is not in hand")
def anchor_forgotten(events: list[Event], rng: random.Random) -> list[Event] | None:
    """A card kept by the Anchor is played later as if it had been flipped."""
    anchored: set[tuple[int, str]] = set()
    found = []
    for line, _, play, hand in all_plays(events):
        if (play[0], play[1]) in anchored and turned(play[1]) not in hand:
            found.append(play)
        if line["outcome"] == "transmuted" and "anchor" in play[3] and play[1][0] != CATALYST:
            anchored.add((play[0], play[1]))
    play = one_of(rng, [play for play in found if play[1] != turned(play[1])])
    if play is None:
        return None
    play[1] = turned(play[1])
    return events


@fault("running total")
def running_total_off(events: list[Event], rng: random.Random) -> list[Event] | None:
    chosen = one_of(rng, list(all_plays(events)))
    if chosen is None:
        return None
    chosen[2][2] += rng.choice((-1, 1))
    return events


@fault("did not play")
def play_missing(events: list[Event], rng: random.Random) -> list[Event] | None:
    line = one_of(rng, [r for r in reactions(events) if len(r["plays"]) > 1 and r["outcome"] != "boil_over"])
    if line is None:
        return None
    line["plays"].pop()
    line["total"] = line["plays"][-1][2]
    return events


@fault("it was the turn of")
def play_out_of_turn(events: list[Event], rng: random.Random) -> list[Event] | None:
    line = one_of(rng, [r for r in reactions(events) if len(r["plays"]) > 2])
    if line is None:
        return None
    plays = line["plays"]
    place = rng.randrange(1, len(plays) - 1)
    plays[place], plays[place + 1] = plays[place + 1], plays[place]
    return events


@fault("after the Boil Over")
def play_after_boil_over(events: list[Event], rng: random.Random) -> list[Event] | None:
    found = []
    for place, hands in hands_over_time(events):
        if place < len(events) and events[place]["outcome"] == "boil_over":
            plays = events[place]["plays"]
            player = (plays[-1][0] + 1) % events[0]["players"]
            if hands[player] and player not in [play[0] for play in plays]:
                found.append((events[place], player, hands[player]))
    if not found:
        return None
    line, player, hand = rng.choice(found)
    lead_suit = line["plays"][0][1][0]
    card = rng.choice([card for card in hand if card[0] == lead_suit] or hand)
    line["total"] += int(card[1])
    line["plays"].append([player, card, line["total"], []])
    return events


@fault("the reaction's number")
def reaction_misnumbered(events: list[Event], rng: random.Random) -> list[Event] | None:
    line = one_of(rng, reactions(events))
    if line is None:
        return None
    line["n"] += rng.choice((-1, 1))
    return events


# ---- powers (Crucible 7) -----------------------------------------------------------------------------------


@fault("second time")
def power_used_twice(events: list[Event], rng: random.Random) -> list[Event] | None:
    found = []
    for line, _, play, _ in all_plays(events):
        power = kept_by(events, play[0])
        if power in fitting(line["intent"]) and used_in(events, play[0]) < line["n"]:
            found.append((play, power))
    chosen = one_of(rng, found)
    if chosen is None:
        return None
    chosen[0][3].append(chosen[1])
    return events


@fault("without having it")
def power_not_kept(events: list[Event], rng: random.Random) -> list[Event] | None:
    chosen = one_of(rng, [entry for entry in all_plays(events) if not entry[2][3]])
    if chosen is None:
        return None
    line, _, play, _ = chosen
    play[3] = [rng.choice([power for power in fitting(line["intent"]) if power != kept_by(events, play[0])])]
    return events


@fault("does not fit")
def power_of_wrong_intent(events: list[Event], rng: random.Random) -> list[Event] | None:
    found = []
    for line, _, play, _ in all_plays(events):
        power = kept_by(events, play[0])
        wrong = CATALYZE_POWERS if line["intent"] == "transmute" else TRANSMUTE_POWERS
        if power in wrong and used_in(events, play[0]) > line["n"]:
            found.append((play, power))
    chosen = one_of(rng, found)
    if chosen is None:
        return None
    chosen[0][3] = [chosen[1]]
    return events


@fault("which is no power")
def passive_used(events: list[Event], rng: random.Random) -> list[Event] | None:
    plays = [play for _, _, play, _ in all_plays(events) if kept_by(events, play[0]) in PASSIVES]
    play = one_of(rng, plays)
    if play is None:
        return None
    play[3] = [kept_by(events, play[0])]
    return events


# ---- the result of a reaction (Crucible 3) -----------------------------------------------------------------


def relabelled(events: list[Event], rng: random.Random, old: str, new: str) -> Event | None:
    line = one_of(rng, [line for line in reactions(events) if line["outcome"] == old])
    if line is not None:
        line["outcome"] = new
    return line


@fault("outcome is")
def limit_ignored(events: list[Event], rng: random.Random) -> list[Event] | None:
    line = relabelled(events, rng, "boil_over", "safe")
    if line is None:
        return None
    line["winner"] = line["credit"] = line["next_leader"]
    return events


@fault("outcome is")
def false_boil_over(events: list[Event], rng: random.Random) -> list[Event] | None:
    line = relabelled(events, rng, "safe", "boil_over")
    if line is None:
        return None
    line["winner"] = line["credit"] = None
    return events


@fault("outcome is")
def transmuted_below_target(events: list[Event], rng: random.Random) -> list[Event] | None:
    return events if relabelled(events, rng, "fizzled", "transmuted") else None


@fault("outcome is")
def fizzled_above_target(events: list[Event], rng: random.Random) -> list[Event] | None:
    return events if relabelled(events, rng, "transmuted", "fizzled") else None


@fault("slag is")
def wrong_pusher(events: list[Event], rng: random.Random) -> list[Event] | None:
    line = one_of(rng, [line for line in reactions(events) if line["outcome"] == "boil_over"])
    if line is None:
        return None
    pusher = line["next_leader"]
    other = another(rng, events, pusher)
    line["next_leader"] = other
    for later in reactions(events):
        if later["n"] >= line["n"]:
            later["slag"][pusher] -= 1
            later["slag"][other] += 1
    return events


def field_changed(events: list[Event], rng: random.Random, key: str) -> list[Event] | None:
    """One reaction's field names another player."""
    line = one_of(rng, [line for line in reactions(events) if line[key] is not None])
    if line is None:
        return None
    line[key] = another(rng, events, line[key])
    return events


@fault("leader is")
def wrong_leader(events: list[Event], rng: random.Random) -> list[Event] | None:
    return field_changed(events, rng, "leader")


@fault("winner is")
def wrong_winner(events: list[Event], rng: random.Random) -> list[Event] | None:
    return field_changed(events, rng, "winner")


@fault("credit is")
def wrong_credit(events: list[Event], rng: random.Random) -> list[Event] | None:
    return field_changed(events, rng, "credit")


@fault("credit is")
def hoarder_misread(events: list[Event], rng: random.Random) -> list[Event] | None:
    """The credit goes by the other value of hoarder_takes."""
    found = []
    for line, _, play, _ in all_plays(events):
        if "hoarder" in play[3] and line["outcome"] == "safe" and line["winner"] != play[0]:
            found.append((line, line["winner"] if line["credit"] == play[0] else play[0]))
    chosen = one_of(rng, found)
    if chosen is None:
        return None
    chosen[0]["credit"] = chosen[1]
    return events


@fault("next_leader is")
def wrong_next_leader(events: list[Event], rng: random.Random) -> list[Event] | None:
    return field_changed(events, rng, "next_leader")


@fault("total is")
def wrong_total(events: list[Event], rng: random.Random) -> list[Event] | None:
    line = one_of(rng, reactions(events))
    if line is None:
        return None
    line["total"] += rng.choice((-1, 1))
    return events


@fault("slag is")
def slag_miscounted(events: list[Event], rng: random.Random) -> list[Event] | None:
    line = one_of(rng, reactions(events))
    if line is None:
        return None
    line["slag"][rng.randrange(events[0]["players"])] += 1
    return events


# ---- tasks (Crucible 4 and 5) ------------------------------------------------------------------------------


@fault("was judged complete")
def completed_that_was_not(events: list[Event], rng: random.Random) -> list[Event] | None:
    found = []
    for place in places(events, "reaction")[:-1]:
        after = place + 1
        while events[after]["type"] == "task":
            after += 1
        for name, (owner, status) in tasks_before(events, after).items():
            if status == "open":
                found.append((after, events[place]["n"], name, owner))
    chosen = one_of(rng, found)
    if chosen is None:
        return None
    after, n, name, owner = chosen
    line = {"type": "task", "reaction": n, "task": name, "owner": owner, "status": "complete"}
    events.insert(after, line)
    return events


def task_removed(events: list[Event], rng: random.Random, status: str) -> list[Event] | None:
    place = one_of(rng, [p for p in places(events, "task") if events[p]["status"] == status])
    if place is None:
        return None
    del events[place]
    return events


@fault("does not say")
def completion_missing(events: list[Event], rng: random.Random) -> list[Event] | None:
    return task_removed(events, rng, "complete")


@fault("does not say")
def impossible_missing(events: list[Event], rng: random.Random) -> list[Event] | None:
    if events[0]["rulings"]["impossible_test"] == "sharp":
        return None  # nobody can tell from outside that it was proved
    return task_removed(events, rng, "impossible")


@fault("does not say")
def incomplete_missing(events: list[Event], rng: random.Random) -> list[Event] | None:
    return task_removed(events, rng, "incomplete")


@fault("was judged")
def wrong_status(events: list[Event], rng: random.Random) -> list[Event] | None:
    place = one_of(rng, [p for p in places(events, "task") if events[p]["status"] != "impossible"])
    if place is None:
        return None
    events[place]["status"] = "incomplete" if events[place]["status"] == "complete" else "complete"
    return events


@fault("was judged")
def wrong_task_owner(events: list[Event], rng: random.Random) -> list[Event] | None:
    place = one_of(rng, places(events, "task"))
    if place is None:
        return None
    events[place]["owner"] = another(rng, events, events[place]["owner"])
    return events


@fault("does not say")
def task_judged_late(events: list[Event], rng: random.Random) -> list[Event] | None:
    found = []
    for place in places(events, "task"):
        n, status = events[place]["reaction"], events[place]["status"]
        if n < len(reactions(events)) and (status == "complete" or events[0]["rulings"]["impossible_test"] == "table"):
            found.append(place)
    place = one_of(rng, found)
    if place is None:
        return None
    line = events.pop(place)
    line["reaction"] += 1
    events.insert(place_of(events, line["reaction"]) + 1, line)
    return events


@fault("not judged in draft order")
def tasks_judged_out_of_order(events: list[Event], rng: random.Random) -> list[Event] | None:
    last_hands = list(hands_over_time(events))[-1][1]
    last = 10**6 if any(last_hands) else len(reactions(events))
    found = []
    for place in places(events, "task"):
        line, after = events[place], events[place + 1]
        if after["type"] == "task" and line["reaction"] == after["reaction"] < last:
            found.append(place)
    place = one_of(rng, found)
    if place is None:
        return None
    events[place], events[place + 1] = events[place + 1], events[place]
    return events


# ---- the end (Crucible 4) ----------------------------------------------------------------------------------


@fault("ending is")
def wrong_ending(events: list[Event], rng: random.Random) -> list[Event] | None:
    events[-1]["ending"] = rng.choice([ending for ending in ENDINGS if ending != events[-1]["ending"]])
    return events


@fault("the ending's task")
def wrong_ending_task(events: list[Event], rng: random.Random) -> list[Event] | None:
    events[-1]["task"] = rng.choice([name for name in [*TASKS, None] if name != events[-1]["task"]])
    return events


@fault("reactions is")
def reactions_miscounted(events: list[Event], rng: random.Random) -> list[Event] | None:
    events[-1]["reactions"] += rng.choice((-1, 1))
    return events


@fault("lines after the end")
def play_after_end(events: list[Event], rng: random.Random) -> list[Event] | None:
    place = one_of(rng, places(events, "reaction")[-1:])
    return None if place is None else [*events, events[place]]


@fault("after the mission was over")
def played_on(events: list[Event], rng: random.Random) -> list[Event] | None:
    if not reactions(events):
        return None
    extra = copy.deepcopy(reactions(events)[-1])
    extra["n"] += 1
    events[-1]["reactions"] += 1
    return [*events[:-1], extra, events[-1]]


@fault("it was not over")
def end_too_early(events: list[Event], rng: random.Random) -> list[Event] | None:
    count = len(reactions(events))
    if count < 2:
        return None
    last = rng.randrange(1, count)
    events[-1]["reactions"] = last
    return [*events[: start_of(events, last + 1)], events[-1]]


@fault("expected a end line")
def end_missing(events: list[Event], rng: random.Random) -> list[Event] | None:
    return events[:-1]
