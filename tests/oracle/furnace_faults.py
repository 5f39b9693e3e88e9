"""Injected faults: each function makes the legal trace of a showdown illegal in one way, or finds no place for it.

FAULTS maps a name to the function, NAMED_BY to words that the oracle's message has to contain.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from tests.oracle.furnace_oracle import JOKER, ORDER, RULINGS, Rules, best, winners

Event = dict[str, Any]
#: Edits a trace in place; False: no place for it here.
Edit = Callable[[Event, Event, Event, Event, random.Random], bool]

FAULTS: dict[str, Callable[[list[Event], random.Random], list[Event] | None]] = {}
NAMED_BY: dict[str, str] = {}


def fault(named_by: str) -> Callable[[Edit], Edit]:
    """Registers an edit of the four events; the trace it is given is copied first."""

    def register(edit: Edit) -> Edit:
        def on_a_copy(events: list[Event], rng: random.Random) -> list[Event] | None:
            broken = copy.deepcopy(events)
            return broken if edit(broken[0], broken[1], broken[2], broken[3], rng) else None

        FAULTS[edit.__name__] = on_a_copy
        NAMED_BY[edit.__name__] = named_by
        return edit

    return register


def final_hands(setup: Event, deal: Event, showdown: Event) -> list[list[str]]:
    furnace = deal["furnace_up"] + deal["furnace_down"]
    return [showdown["kept"][str(seat)] + furnace for seat in range(setup["players"])]


def a_seat(setup: Event, rng: random.Random) -> int:
    return rng.randrange(setup["players"])


# ---- the setup ---------------------------------------------------------------------------------------------


@fault("setup's game")
def another_game(setup: Event, _deal: Event, _showdown: Event, _end: Event, _rng: random.Random) -> bool:
    setup["game"] = "crucible"
    return True


@fault("setup's players")
def seven_players(setup: Event, _deal: Event, _showdown: Event, _end: Event, _rng: random.Random) -> bool:
    setup["players"] = 7
    return True


@fault("none of")
def unknown_ruling(setup: Event, _deal: Event, _showdown: Event, _end: Event, rng: random.Random) -> bool:
    setup["rulings"][rng.choice(list(RULINGS))] = "maybe"
    return True


@fault("hand_order")
def hand_left_out(setup: Event, _deal: Event, _showdown: Event, _end: Event, rng: random.Random) -> bool:
    setup["hand_order"].remove(rng.choice(ORDER))
    return True


@fault("deck's ranks")
def too_many_ranks(setup: Event, _deal: Event, _showdown: Event, _end: Event, _rng: random.Random) -> bool:
    setup["deck"]["ranks"] = 15
    return True


def _said_under(key: str, setup: Event, deal: Event, showdown: Event, rng: random.Random) -> bool:
    """Tell the trace as if it had been played under another value; only where somebody's category changes."""
    now = setup["rulings"][key]
    setup["rulings"][key] = rng.choice([value for value in RULINGS[key] if value != now])
    values = {name: setup["rulings"][name] for name in ("ace", "furnace_trump", "tie_order")}
    rules = Rules(*(setup["deck"][name] for name in ("families", "ranks", "trumps")), **values)
    rules = rules._replace(order=tuple(setup["hand_order"]))
    hands = final_hands(setup, deal, showdown)
    said = [showdown["category"][str(seat)] for seat in range(setup["players"])]
    return [best(hand, rules)[0] for hand in hands] != said or winners(hands, rules) != showdown["winners"]


@fault("is said to have")
def another_furnace_trump(setup: Event, deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    return _said_under("furnace_trump", setup, deal, showdown, rng)


@fault("is said to have")
def another_ace(setup: Event, deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    return _said_under("ace", setup, deal, showdown, rng)


@fault("winners are said to be")
def another_tie_order(setup: Event, deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    return _said_under("tie_order", setup, deal, showdown, rng)


# ---- the deal ----------------------------------------------------------------------------------------------


@fault("The events are")
def events_swapped(_setup: Event, deal: Event, showdown: Event, _end: Event, _rng: random.Random) -> bool:
    deal["type"], showdown["type"] = showdown["type"], deal["type"]
    return True


@fault("round's number")
def second_round(_setup: Event, deal: Event, _showdown: Event, _end: Event, _rng: random.Random) -> bool:
    deal["n"] = 2
    return True


@fault("does not deal")
def hand_missing(_setup: Event, deal: Event, _showdown: Event, _end: Event, _rng: random.Random) -> bool:
    deal["hands"].pop()
    return True


@fault("cards, not")
def hand_too_large(setup: Event, deal: Event, _showdown: Event, _end: Event, rng: random.Random) -> bool:
    """One card of the others lies here instead."""
    seat = a_seat(setup, rng)
    deal["hands"][seat].append(deal["hands"][seat - 1].pop())
    return True


@fault("is dealt 2 times")
def card_dealt_twice(setup: Event, deal: Event, _showdown: Event, _end: Event, rng: random.Random) -> bool:
    seat = a_seat(setup, rng)
    copied = next(card for card in deal["hands"][seat - 1] if card != JOKER)
    deal["hands"][seat][0] = copied
    return True


@fault("is dealt 2 times")
def furnace_card_in_a_hand(setup: Event, deal: Event, _showdown: Event, _end: Event, rng: random.Random) -> bool:
    up = [card for card in deal["furnace_up"] if card != JOKER]
    if not up:
        return False
    deal["hands"][a_seat(setup, rng)][0] = rng.choice(up)
    return True


@fault("is not in the deck")
def unknown_card(setup: Event, deal: Event, _showdown: Event, _end: Event, rng: random.Random) -> bool:
    deal["hands"][a_seat(setup, rng)][0] = rng.choice(["W1", "Z5", "", "TX", "JK=W5"])
    return True


@fault("The card JK is dealt")
def too_many_jokers(setup: Event, deal: Event, _showdown: Event, _end: Event, rng: random.Random) -> bool:
    deal["hands"][a_seat(setup, rng)] = [JOKER] * setup["match"]["hand"]
    return setup["match"]["hand"] > setup["deck"]["jokers"]


@fault("furnace_up has")
def furnace_card_turned(_setup: Event, deal: Event, _showdown: Event, _end: Event, _rng: random.Random) -> bool:
    """A hidden card lies face up."""
    if not deal["furnace_down"]:
        return False
    deal["furnace_up"].append(deal["furnace_down"].pop())
    return True


@fault("furnace_down has")
def furnace_card_missing(_setup: Event, deal: Event, _showdown: Event, _end: Event, _rng: random.Random) -> bool:
    if not deal["furnace_down"]:
        return False
    deal["furnace_down"].pop()
    return True


@fault("although they are redrawn")
def joker_not_redrawn(setup: Event, deal: Event, _showdown: Event, _end: Event, rng: random.Random) -> bool:
    if setup["rulings"]["community_joker"] == "dead" or not setup["deck"]["jokers"]:
        return False
    lie = rng.choice([lie for lie in ("furnace_up", "furnace_down") if deal[lie]])
    deal[lie][0] = JOKER
    return True


@fault("Jokers lie in the Furnace")
def joker_miscounted(setup: Event, deal: Event, _showdown: Event, _end: Event, _rng: random.Random) -> bool:
    deal["jokers_laid"] += 1
    return bool(setup["rulings"]["community_joker"] == "dead")


@fault("the hands hold all")
def joker_from_nowhere(setup: Event, deal: Event, _showdown: Event, _end: Event, _rng: random.Random) -> bool:
    """A Joker is said to have been laid, but there are none left."""
    deal["jokers_laid"] = 1
    held = sum(hand.count(JOKER) for hand in deal["hands"])
    return setup["rulings"]["community_joker"] == "redraw" and held == setup["deck"]["jokers"]


@fault("not a number")
def jokers_laid_not_counted(_setup: Event, deal: Event, _showdown: Event, _end: Event, rng: random.Random) -> bool:
    deal["jokers_laid"] = rng.choice([None, True, -1, "1"])
    return True


# ---- what is kept ------------------------------------------------------------------------------------------


@fault("showdown is of round")
def showdown_of_another_round(_setup: Event, _deal: Event, showdown: Event, _end: Event, _rng: random.Random) -> bool:
    showdown["round"] = 0
    return True


@fault("keeps a Joker")
def joker_kept(_setup: Event, deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    holders = [seat for seat, hand in enumerate(deal["hands"]) if JOKER in hand]
    if not holders:
        return False
    showdown["kept"][str(rng.choice(holders))][0] = JOKER
    return True


@fault("keeps a card twice")
def card_kept_twice(setup: Event, _deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    kept = showdown["kept"][str(a_seat(setup, rng))]
    kept[-1] = kept[0]
    return len(kept) > 1


@fault("which is not in their hand")
def kept_of_another_hand(setup: Event, _deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    seat = a_seat(setup, rng)
    other = (seat + 1) % setup["players"]
    kept = showdown["kept"]
    kept[str(seat)], kept[str(other)] = kept[str(other)], kept[str(seat)]
    return True


@fault("which is not in their hand")
def kept_of_the_furnace(setup: Event, deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    laid = [card for card in deal["furnace_up"] + deal["furnace_down"] if card != JOKER]
    if not laid:
        return False
    showdown["kept"][str(a_seat(setup, rng))][0] = rng.choice(laid)
    return True


@fault("cards, not")
def kept_too_many(setup: Event, deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    seat = a_seat(setup, rng)
    kept = showdown["kept"][str(seat)]
    kept.append(next(card for card in deal["hands"][seat] if card != JOKER and card not in kept))
    return True


@fault("cards, not")
def kept_too_few(setup: Event, _deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    showdown["kept"][str(a_seat(setup, rng))].pop()
    return True


@fault("The kept of player")
def keeper_missing(setup: Event, _deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    del showdown["kept"][str(a_seat(setup, rng))]
    return True


@fault("who is no player")
def stranger_keeps(setup: Event, _deal: Event, showdown: Event, _end: Event, _rng: random.Random) -> bool:
    showdown["kept"][str(setup["players"])] = ["W2", "W3"]
    return True


# ---- the result --------------------------------------------------------------------------------------------


@fault("is said to have")
def wrong_category(setup: Event, _deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    """The next stronger or weaker hand."""
    seat = str(a_seat(setup, rng))
    place = ORDER.index(showdown["category"][seat])
    showdown["category"][seat] = ORDER[place - 1 if place else 1]
    return True


@fault("is said to have")
def kept_cards_changed(setup: Event, deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    """Somebody keeps another card of the own hand, and the showdown goes on as if not."""
    seat = a_seat(setup, rng)
    kept = showdown["kept"][str(seat)]
    others = [card for card in deal["hands"][seat] if card != JOKER and card not in kept]
    if not others:
        return False
    kept[0] = rng.choice(others)
    values = {name: setup["rulings"][name] for name in ("ace", "furnace_trump", "tie_order")}
    rules = Rules(*(setup["deck"][name] for name in ("families", "ranks", "trumps")), **values)
    name, _ = best(final_hands(setup, deal, showdown)[seat], rules._replace(order=tuple(setup["hand_order"])))
    return bool(name != showdown["category"][str(seat)])


@fault("The category of player")
def category_missing(setup: Event, _deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    del showdown["category"][str(a_seat(setup, rng))]
    return True


@fault("winners are said to be")
def loser_shares(setup: Event, _deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    losers = [seat for seat in range(setup["players"]) if seat not in showdown["winners"]]
    if not losers:
        return False
    showdown["winners"].append(rng.choice(losers))
    return True


@fault("winners are said to be")
def winner_left_out(_setup: Event, _deal: Event, showdown: Event, _end: Event, rng: random.Random) -> bool:
    showdown["winners"].remove(rng.choice(showdown["winners"]))
    return True


@fault("winners are said to be")
def tie_not_shared(_setup: Event, _deal: Event, showdown: Event, _end: Event, _rng: random.Random) -> bool:
    """Of several best hands the first takes it all."""
    tied = len(showdown["winners"]) > 1
    del showdown["winners"][1:]
    return tied


@fault("winners are said to be")
def trump_breaks_no_tie(setup: Event, deal: Event, showdown: Event, _end: Event, _rng: random.Random) -> bool:
    """Who would win without the rule that a combination with a Trump beats one without."""
    values = {name: setup["rulings"][name] for name in ("ace", "furnace_trump", "tie_order")}
    rules = Rules(*(setup["deck"][name] for name in ("families", "ranks", "trumps")), **values)
    rules = rules._replace(order=tuple(setup["hand_order"]))
    showdown["winners"] = winners(final_hands(setup, deal, showdown), rules, trumps_break_ties=False)
    return bool(showdown["trump_decided"])


@fault("trump_decided is")
def trump_decided_flipped(_setup: Event, _deal: Event, showdown: Event, _end: Event, _rng: random.Random) -> bool:
    showdown["trump_decided"] = not showdown["trump_decided"]
    return True


@fault("end's winner is")
def another_winner_at_the_end(setup: Event, _deal: Event, _showdown: Event, end: Event, _rng: random.Random) -> bool:
    end["winner"] = ((end["winner"] or 0) + 1) % setup["players"] if end["winner"] is not None else 0
    return True


@fault("end's winner is")
def tie_with_a_winner(_setup: Event, _deal: Event, showdown: Event, end: Event, _rng: random.Random) -> bool:
    end["winner"] = showdown["winners"][0]
    return len(showdown["winners"]) > 1
