"""Win chances of every choice of cards to keep, for a hand and open cards that are known (Furnace 5).

Percentiles are exact; shares of the pot are counted on drawn deals of all that is hidden, the same for every choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alchemy_sim.core.bits import ONE, ZERO, members_of
from alchemy_sim.core.errors import ConfigError
from alchemy_sim.core.game import Encoded
from alchemy_sim.core.jit import array_of, ask_policy, helper, kernel, quiet_integers, record_type, records, types
from alchemy_sim.core.rng import below, draw, game_key, position, stream
from alchemy_sim.core.room import stack_floats, stack_masks
from alchemy_sim.core.seats import Seats, blame
from alchemy_sim.games.furnace.deck import cards_in, give_deck
from alchemy_sim.games.furnace.evaluate import strength
from alchemy_sim.games.furnace.names import JOKER, card_name
from alchemy_sim.games.furnace.showdown.kernel import show_hand, swap
from alchemy_sim.games.furnace.showdown.policies import OWN_POLICIES, POLICY_NAMES, policy
from alchemy_sim.games.furnace.showdown.policies.choices import MOST_CHOICES, list_choices
from alchemy_sim.games.furnace.showdown.policies.expect import expect
from alchemy_sim.games.furnace.showdown.simulate import ready_view
from alchemy_sim.games.furnace.showdown.table import OUTCOME, SHARES, TABLE, Purpose, blank_table
from alchemy_sim.games.furnace.showdown.view import VIEW
from alchemy_sim.games.furnace.showing import final_hand, keep, may_keep


@dataclass(frozen=True)
class Choice:
    """One way to keep cards: which, the expected percentile (exact), and sums over the drawn deals.

    `shares` adds up what it gets of the pot in 60ths, `squares` their squares, over `deals` deals.
    """

    cards: tuple[int, ...]
    percentile: float
    shares: int
    squares: int
    deals: int


@kernel(types.void(record_type(VIEW), array_of(types.uint64), array_of(types.float64)))
def _promises(view: Any, choices: Any, worth: Any) -> None:
    """All choices of the view's hand and their expected percentiles, -1 behind the last."""
    masks, values = stack_masks(MOST_CHOICES), stack_floats(MOST_CHOICES)
    number = list_choices(view, masks)
    expect(view, masks, number, values)
    for which in range(choices.shape[0]):
        choices[which] = masks[which] if which < number else ZERO
        worth[which] = values[which] if which < number else -1.0


@helper
def _deal_rest(view: Any, table: Any) -> bool:
    """Deal the hidden cards and the others' hands from `table.cards`; seat 0's hand stays. False: to be done again.

    Hands come before the Furnace, so that deals in which many Jokers lie in the hands made the known open cards less
    likely: by one over the number of ways to lay them, and such deals are put back with that chance.
    """
    deck, size = table.deck, table.deck_size
    for card in range(size):
        deck[view.hand + card] = table.cards[card]
    source = stream(table.key, position(0, Purpose.DEAL, 0))
    first, end = view.hand, view.hand + size
    dealt, jokers = (view.players - 1) * view.hand, 0
    for place in range(dealt):
        swap(deck, first + place, first + place + below(draw(source, place), size - place))
        jokers += deck[first + place] == JOKER
    if view.community_joker == 0:
        naturals = view.open_cards
        for place in range(first + dealt, end):
            naturals += deck[place] != JOKER
        chance = 1.0
        for laid in range(view.open_cards):
            chance *= (naturals - jokers - laid) / (naturals - laid)
        if (draw(source, dealt) >> np.uint64(11)) * 2.0**-53 >= chance:
            return False
    pile, laid = first + dealt, view.open_cards
    while laid < view.open_cards + view.hidden_cards:
        swap(deck, pile, pile + below(draw(source, pile + 1), end - pile))
        card = deck[pile]
        pile += 1
        if card != JOKER or view.community_joker != 0:
            table.furnace[laid] = card
            laid += 1
    return True


@kernel(
    types.void(
        record_type(VIEW),
        record_type(TABLE),
        types.uint64,
        types.int64,
        array_of(types.uint8, 2),
        array_of(types.uint8),
        array_of(types.int64, 2),
        array_of(record_type(OUTCOME)),
    )
)
def _draw_deals(
    view: Any, table: Any, seed: Any, deals: int, choices: Any, hand: Any, sums: Any, outcomes: Any
) -> None:
    """Play `deals` showdowns against the seats from 1 on; add up shares and squares of each choice of seat 0."""
    done, tried = 0, ZERO
    while done < deals:
        table.key = game_key(seed, tried)
        tried += ONE
        for place in range(view.hand):
            table.deck[place] = hand[place]
        if not _deal_rest(view, table):
            continue
        best, number = -1, 0
        for seat in range(1, view.players):
            show_hand(view, table, seat)
            chosen = ask_policy(table.policy[seat], view)
            if not may_keep(view, chosen):
                blame(view, table, outcomes[0], chosen)
                return
            keep(view, table, seat, chosen)
            cards, size, key = final_hand(view, table, seat)
            strong = strength(view.hands, size, key, cards)
            if strong > best:
                best, number = strong, 0
            number += strong == best
        for which in range(choices.shape[0]):
            for place in range(view.kept):
                table.kept[0, place] = choices[which, place]
            cards, size, key = final_hand(view, table, 0)
            strong = strength(view.hands, size, key, cards)
            share = SHARES if strong > best else SHARES // (number + 1) if strong == best else 0
            sums[which, 0] += share
            sums[which, 1] += share * share
        done += 1


def _rest(rules: np.ndarray, known: Sequence[int]) -> list[int]:
    """The deck without the known cards. ConfigError names one that the deck has not, or not so often."""
    left = cards_in(rules)
    for card in known:
        if card not in left:
            times = "that often" if card in cards_in(rules) else "at all"
            raise ConfigError(f"{card_name(card)} is not in the deck {times}")
        left.remove(card)
    return left


def choices_of(encoded: Encoded, hand: Sequence[int], laid: Sequence[int], deals: int, seed: int) -> list[Choice]:
    """What every choice of a hand is worth with these open cards, the most promising first.

    Seat 0 holds the hand; the others' cards are drawn, and they keep what their policies keep. ConfigError for a hand
    or open cards that can't be.
    """
    rules = encoded.rules
    wanted = {"hand": (hand, int(rules["hand"][0])), "open": (laid, int(rules["open_cards"][0]))}
    for name, (cards, number) in wanted.items():
        if len(cards) != number:
            raise ConfigError(f"{name}: {len(cards)} cards; {number} are needed")
    if JOKER in laid and not rules["community_joker"][0]:
        raise ConfigError("open: a Joker in the Furnace is replaced (community_joker = redraw), so none can lie there")
    left = _rest(rules, [*hand, *laid])
    view, table = ready_view(rules), blank_table()
    seats = Seats(encoded, POLICY_NAMES, policy, OWN_POLICIES)
    seats.sit_down(table)
    give_deck(table, left)
    table.furnace[: len(laid)] = view.open[: len(laid)] = laid
    view.cards[: len(hand)] = hand
    masks, worth = np.zeros(MOST_CHOICES, np.uint64), np.zeros(MOST_CHOICES)
    outcomes = np.zeros(1, OUTCOME)
    with quiet_integers():
        _promises(view, masks, worth)
        masks, worth = masks[worth >= 0], worth[worth >= 0]
        if not len(masks):
            raise ConfigError(f"hand: Jokers can't be kept, and {int(view.kept)} other cards are needed")
        kept = np.array([[hand[place] for place in members_of(mask)] for mask in masks], np.uint8)
        sums = np.zeros((len(masks), 2), np.int64)
        _draw_deals(view, table, np.uint64(seed), deals, kept, np.array(hand, np.uint8), sums, records(outcomes))
    seats.check(table, outcomes["fault"], 0, lambda _view: "asked for KEEP")
    found = [
        Choice(tuple(cards), float(promise), shares, squares, deals)
        for cards, promise, (shares, squares) in zip(kept.tolist(), worth, sums.tolist(), strict=True)
    ]
    return sorted(found, key=lambda each: (-each.shares, -each.percentile))
