"""The player who forces, bets and calls by what it expects to win: `shark`.

A hand's quality is the logit of the percentile it is expected to reach. Of two hands the one of quality a beats the one
of quality b with chance 1 / (1 + exp(-slope (a - b))): fitted to showdowns of two, where 1.55 per unit is right when
both hands are known; others' hands are not, so the slope is less. What others hold is judged by how many cards they
have; what somebody holds who calls, by what the bet should be called with.
"""

from __future__ import annotations

from math import exp, log
from typing import Any

from alchemy_sim.core.jit import helper, large_helper
from alchemy_sim.core.room import stack_floats
from alchemy_sim.games.furnace.match.board import SEATS
from alchemy_sim.games.furnace.match.policies.rummy import answer_by_search, no_card_comes, nothing_will_change
from alchemy_sim.games.furnace.match.table import Ask
from alchemy_sim.games.furnace.match.view import POLICIES
from alchemy_sim.games.furnace.match.weights import Betting
from alchemy_sim.games.furnace.showdown.policies.fast import fast_choice

#: Spread of the quality of hands nobody knows, as the scale of a logistic distribution.
_SPREAD = 0.5
#: What a hand that is good enough to call is better than the worst such, on average.
_ABOVE = 0.6
_MOST_QUALITY = 5.0


@helper
def logit(chance: float) -> float:
    """The quality of a hand that is expected to reach a percentile."""
    if chance <= 0.0:
        return -_MOST_QUALITY
    if chance >= 1.0:
        return _MOST_QUALITY
    return min(max(log(chance / (1.0 - chance)), -_MOST_QUALITY), _MOST_QUALITY)


@helper
def above(distance: float) -> float:
    """The logistic function."""
    return 1.0 / (1.0 + exp(-distance))


@helper
def quality_of(view: Any, seat: int) -> float:
    """What the hand of another player is taken for: the more cards it is chosen from, the better."""
    weights = view.weights[view.me]
    return weights[Betting.RIVAL] + weights[Betting.CARD] * (view.hand_sizes[seat] - view.dealt)


@helper
def may_call(view: Any, seat: int, bet: int) -> bool:
    """Whether another player has the Stones, and the cards, to call a bet."""
    stones = view.board.stones[seat]
    if seat == view.me or not view.playing[seat] or view.hand_sizes[seat] < view.kept:
        return False
    return stones >= bet or (view.short_call == 1 and stones > 0)


@large_helper
def worth_of_bet(view: Any, quality: float, bet: int) -> float:
    """Stones that forcing with a bet is expected to bring: over all sets of others that may call."""
    weights, slope = view.weights[view.me], view.weights[view.me][Betting.SLOPE]
    likely, beaten, stakes = stack_floats(SEATS), stack_floats(SEATS), stack_floats(SEATS)
    number = 0
    for seat in range(view.players):
        if may_call(view, seat, bet):
            stake = float(min(bet, view.board.stones[seat]))
            # who is to call should win so often that the pot pays for it
            needed = weights[Betting.FORCER] + logit(stake / (view.pot + bet + stake)) / slope
            held = quality_of(view, seat)
            likely[number] = above((held - needed) / _SPREAD)
            # the mean of a logistic quality above what is needed
            shown = needed + _SPREAD * log(1.0 + exp((held - needed) / _SPREAD)) / likely[number]
            beaten[number] = above(slope * (quality - shown))
            stakes[number] = stake
            number += 1
    total = 0.0
    for callers in range(1 << number):
        chance, wins, won, lost = 1.0, 1.0, float(view.pot), 0.0
        for each in range(number):
            if callers >> each & 1:
                chance *= likely[each]
                wins *= beaten[each]
                won += stakes[each]
                lost = max(lost, stakes[each])
            else:
                chance *= 1.0 - likely[each]
        lost *= 1.0 + weights[Betting.RISK] * lost / view.board.stones[view.me]
        total += chance * (won * wins - lost * (1.0 - wins))
    return total


@helper
def best_bet(view: Any) -> int:
    """The bet that is expected to bring most, 0 if waiting is worth more."""
    board, me, weights = view.board, view.me, view.weights[view.me]
    _, percentile = fast_choice(view)
    quality, mine = logit(percentile), board.stones[me]
    chosen, most = 0, weights[Betting.WAIT] * view.pot
    if nothing_will_change(view):
        most = 0.0
    for seat in range(view.players):
        # what a player can just call, what it can't, a third of that; and, once, the least bet
        for step in range(4 if seat == 0 else 3):
            rival = board.stones[seat] if seat != me else mine
            bet = rival if step == 0 else rival + 1 if step == 1 else (rival + 2) // 3 if step == 2 else view.min_bet
            if bet < view.min_bet or bet > mine:
                continue
            worth = worth_of_bet(view, quality, bet)
            if worth > most + 1e-9:
                chosen, most = bet, worth
    # where no card comes any more the same question would come back until the round is stalled
    return view.min_bet if chosen == 0 and no_card_comes(view) else chosen


@helper
def calls(view: Any) -> int:
    """Whether to call: when the pot is expected to bring more than the Stones it takes."""
    board, me, weights = view.board, view.me, view.weights[view.me]
    _, percentile = fast_choice(view)
    quality, slope = logit(percentile), weights[Betting.SLOPE]
    stake, before, won, wins = min(view.bet, board.stones[me]), view.pot, 0, 1.0
    for seat in range(view.players):
        there = view.entered[seat]
        if seat == me or there <= 0:
            continue
        before -= there
        won += min(there, stake)
        held = weights[Betting.FORCER] if seat == view.forcer else quality_of(view, seat) + _ABOVE
        wins *= above(slope * (quality - held))
    lost = stake * (1.0 + weights[Betting.RISK] * stake / board.stones[me])
    return 1 if wins * (before + won) > (1.0 - wins) * lost else 0


@POLICIES.declare
def shark_player(view: Any) -> int:
    """Answer by search for the plays, by usefulness for discards, by what is expected for the Furnace."""
    if view.ask == Ask.FORCE:
        return best_bet(view)
    if view.ask == Ask.CALL:
        return calls(view)
    return answer_by_search(view)
