"""Searches that are wrong on purpose: what a comparison must notice, and what positions must be rich enough to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.oracle.furnace_melds import Meld, Triad
from tests.oracle.furnace_oracle import JOKER, TRUMP
from tests.oracle.furnace_turns import Aim, Outcome, State, Turn, worth

Answers = Callable[[Aim], Outcome]
Search = Callable[[Turn, int], Answers]


class NoRetrievals(Turn):
    def retrievals(self, state: State) -> Iterator[State]:
        return iter(())


class NoJokers(Turn):
    """It never lays a Joker of its own hand."""

    def plays(self, state: State) -> Iterator[State]:
        own = self.start.hand.count(JOKER)
        return (then for then in super().plays(state) if then.hand.count(JOKER) - then.owed.count(JOKER) >= own)


class OwnLayoutOnly(Turn):
    def extensions(self, state: State) -> Iterator[State]:
        others = [count for player, count in enumerate(state.put) if player != self.me]
        for then in super().extensions(state):
            if [count for player, count in enumerate(then.put) if player != self.me] == others:
                yield then


class NoTrumpsInRuns(Turn):
    """It knows no Trump that stands for another card."""

    def plays(self, state: State) -> Iterator[State]:
        count = standing_trumps(state)
        return (then for then in super().plays(state) if standing_trumps(then) <= count)


class OneNewMeld(Turn):
    def openings(self, state: State, started: bool) -> Iterator[State]:
        return super().openings(state, started) if len(state.melds) == len(self.start.melds) else iter(())


class NoTriads(Turn):
    def openings(self, state: State, started: bool) -> Iterator[State]:
        return super().openings(state, False)


class TriadFirst(Turn):
    """It takes any meld for a first one."""

    def openings(self, state: State, started: bool) -> Iterator[State]:
        return super().openings(state, True)


class SingleCards(Turn):
    """It forgets that a single extension may be forbidden."""

    def may_stop(self, state: State) -> bool:
        return not state.owed


class EndlessStones(Turn):
    def outcome(self, state: State) -> Outcome:
        return super().outcome(state)._replace(stones=sum(count // 2 for count in state.put))


class AllGoesToMe(Turn):
    """It counts what goes to others for its own."""

    def outcome(self, state: State) -> Outcome:
        found = super().outcome(state)
        return found._replace(gained=found.gained + found.given, given=0)


class PaidForPutting(Turn):
    """It counts the correct card, put in a wild one's place, as an extension."""

    def retrievals(self, state: State) -> Iterator[State]:
        for then in super().retrievals(state):
            (owner,) = (meld.owner for meld in then.melds - state.melds)
            put = (*state.put[:owner], state.put[owner] + 1, *state.put[owner + 1 :])
            yield then._replace(put=put)


def standing_trumps(state: State) -> int:
    return sum(trumps_in(meld) for meld in state.melds)


def trumps_in(meld: Meld) -> int:
    """Trumps that stand for another card."""
    if isinstance(meld, Triad) or meld.family == TRUMP:
        return 0
    return sum(card[0] == TRUMP for card in meld.cards)


def searching(wrong: type[Turn]) -> Search:
    def search(turn: Turn, limit: int) -> Answers:
        found = wrong(turn.position)
        outcomes = {found.outcome(state) for state in found.ends(limit)}
        return lambda aim: found.best(aim, outcomes)

    return search


def greedy(turn: Turn, limit: int) -> Answers:
    """Always the play that is worth most now, as long as one is worth something."""

    def answer(aim: Aim) -> Outcome:
        state, now = turn.start, turn.outcome(turn.start)
        while True:
            plays = [then for then in turn.plays(state) if turn.may_stop(then)]
            best = max(plays, key=lambda then: (worth(aim, turn.outcome(then), turn.needed), then.hand), default=None)
            if best is None or worth(aim, turn.outcome(best), turn.needed) <= worth(aim, now, turn.needed):
                return now
            state, now = best, turn.outcome(best)

    return answer


def first_fit(turn: Turn, limit: int) -> Answers:
    """The first play of a fixed order after which the turn may end, again and again."""
    state = turn.start
    while plays := [then for then in turn.plays(state) if turn.may_stop(then)]:
        state = min(plays, key=lambda then: (then.hand, sorted(map(repr, then.melds))))
    found = turn.outcome(state)
    return lambda aim: found


#: The search, and the least share of random positions in which it is wrong for some aim.
WRONG: dict[str, tuple[Search, float]] = {
    "greedy": (greedy, 0.5),
    "first_fit": (first_fit, 0.6),
    "no retrievals": (searching(NoRetrievals), 0.25),
    "no Jokers": (searching(NoJokers), 0.45),
    "own layout only": (searching(OwnLayoutOnly), 0.4),
    "no Trumps in Runs": (searching(NoTrumpsInRuns), 0.2),
    "one new meld": (searching(OneNewMeld), 0.1),
    "no Triads": (searching(NoTriads), 0.1),
    "Triad first": (searching(TriadFirst), 0.1),
    "single cards": (searching(SingleCards), 0.08),
    "endless Stones": (searching(EndlessStones), 0.12),
    "all goes to me": (searching(AllGoesToMe), 0.3),
    "paid for putting": (searching(PaidForPutting), 0.35),
}
