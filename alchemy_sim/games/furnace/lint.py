"""What the rules alone say of the hands (Furnace 5): wrong way round in the order, impossible, or not in the list.

The high card is no combination, so the order is not blamed for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from alchemy_sim.core.game import Remark
from alchemy_sim.games.furnace.config import HandConfig, deal_problem
from alchemy_sim.games.furnace.names import CATEGORIES, TITLES
from alchemy_sim.games.furnace.order import Ordering, judge_order

DEAD, INVERTED, UNRANKED, ALIVE = "dead", "inverted", "unranked", "alive"
_NOTHING = CATEGORIES[-1]
_TITLE = dict(zip(CATEGORIES, TITLES, strict=True))


def lint(config: HandConfig, players: int) -> list[Remark]:
    """A remark on each hand of the order as final hands have it, on hands that the list leaves out, and on the deal."""
    problem = deal_problem(config.deck, config.match, players, config.rulings.community_joker)
    if problem:
        return [Remark("deal", "deck", DEAD, problem)]
    ordering = judge_order(config.evaluated(), config.match.final)
    return [*(_hand(ordering, name) for name in ordering.order if name != _NOTHING), *_unranked(config, ordering)]


def _hand(ordering: Ordering, name: str) -> Remark:
    """Where a hand stands against how rare it is."""
    count, cards = ordering.counts[name], f"of {ordering.cards} cards"
    if not count:
        return Remark("order", name, DEAD, f"no hand {cards} is one, or all can be called something stronger")
    commoner = [weak for strong, weak in ordering.inversions if strong == name and weak != _NOTHING]
    rarer = [strong for strong, weak in ordering.inversions if weak == name]
    if not commoner and not rarer:
        return Remark("order", name, ALIVE, f"as rare as its place says: {count:,} hands {cards}")
    parts = []
    if commoner:
        parts.append(f"commoner than {_list(commoner)}, which it beats")
    if rarer:
        parts.append(f"rarer than {_list(rarer)}, which beats it" if len(rarer) == 1 else f"rarer than {_list(rarer)}")
    return Remark("order", name, INVERTED, f"{'; '.join(parts)}: {count:,} hands {cards}")


def _list(names: list[str]) -> str:
    return ", ".join(_TITLE[name] for name in names)


def _unranked(config: HandConfig, ordering: Ordering) -> Iterator[Remark]:
    """Hands that the printed list does not rank, and the ruling that does."""
    deck, cards = config.deck, ordering.cards
    nothing = f"{100 * ordering.counts[_NOTHING] / ordering.total:.1f} % of hands of {cards} cards are none of the list"
    yield Remark("list", "high_card", UNRANKED, f"{nothing}; ruling: the highest cards decide")
    alike = deck.families + deck.trumps
    if alike >= 5:
        others = deck.natural - alike
        number = deck.ranks * sum(comb(alike, k) * comb(others, cards - k) for k in range(5, min(alike, cards) + 1))
        what = f"{number:,} hands of {cards} cards hold five of a rank"
        yield Remark("list", "five_of_a_rank", UNRANKED, f"{what}; ruling: Four of a Kind, the fifth its kicker")
    if deck.trumps and config.rulings.furnace_trump == "wild_family":
        reason = "a wild Trump can double a rank in a flush; ruling: allowed, but not in a straight flush"
        yield Remark("list", "doubled_rank", UNRANKED, reason)
    if config.rulings.community_joker == "dead" and deck.jokers:
        least = config.match.kept + max(config.match.furnace - deck.jokers, 0)
        reason = (
            f"dead Jokers leave as few as {least} cards; ruling: fewer than five are no straight, flush or full house"
        )
        yield Remark("list", "short_hand", UNRANKED, reason)
