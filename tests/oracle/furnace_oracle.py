"""Hand evaluation and showdowns of "The Alchemical Furnace", from the rule page alone (Furnace 1, 5, 6 and 7).

It shares no code with the simulation and is written to be obvious: `best` looks at every five-card subset. Only
`five_card_counts` is vectorised, and it recognises the hands in another way than `best`, so the two check each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np

Event = dict[str, Any]
Card = tuple[str, int]  # family and rank value
Ranks = tuple[int, ...]
Key = tuple[Any, ...]

# Furnace 1
FAMILIES = "WCSPE"  # E: a fifth family, for decks that are tuned
TRUMP = "T"
JOKER = "JK"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K", "A")
KNIGHT = "N"
VALUE = {rank: 2 + place for place, rank in enumerate(RANKS)}  # for comparing only: the Ace is always highest

# Furnace 5, strongest first
ORDER = ("royal", "straight_flush", "four", "full_house", "flush", "straight", "three", "two_pair", "pair", "high")

# The switches that a showdown depends on; the first value is the default.
RULINGS: dict[str, tuple[str, ...]] = {
    "ace": ("both", "high", "low"),
    "community_joker": ("redraw", "dead"),
    "furnace_trump": ("wild_family", "own_family"),
    "tie_order": ("ranks_then_trump", "trump_then_ranks"),
}


class Rules(NamedTuple):
    """Everything that the worth of a hand depends on (Furnace 1 and 5)."""

    families: int = 4
    ranks: int = 14
    trumps: bool = True
    ace: str = "both"
    furnace_trump: str = "wild_family"
    tie_order: str = "ranks_then_trump"
    order: tuple[str, ...] = ORDER


# ---- the deck ----------------------------------------------------------------------------------------------


@cache
def deck_ranks(count: int) -> tuple[str, ...]:
    """The deck's ranks, lowest first: 13 go without the Knight, fewer also without the 2, the 3, and so on."""
    if not 5 <= count <= len(RANKS):
        raise ValueError(f"a deck has 5 to {len(RANKS)} ranks, not {count}")
    if count == len(RANKS):
        return RANKS
    without_knight = tuple(rank for rank in RANKS if rank != KNIGHT)
    return without_knight[len(without_knight) - count :]


@cache
def deck_families(families: int, trumps: bool) -> str:
    """The families' letters, the Trumps last."""
    if not 1 <= families <= len(FAMILIES):
        raise ValueError(f"a deck has 1 to {len(FAMILIES)} families, not {families}")
    return FAMILIES[:families] + (TRUMP if trumps else "")


def deck(rules: Rules) -> list[str]:
    """All cards but the Jokers, one of each (Furnace 1)."""
    families = deck_families(rules.families, rules.trumps)
    return [family + rank for family in families for rank in deck_ranks(rules.ranks)]


def _card(name: str, rules: Rules) -> Card:
    """A card's family and value; a card that the deck lacks is a mistake of the caller's."""
    family, rank = name[:1], name[1:]
    known = family != "" and family in deck_families(rules.families, rules.trumps) and rank in deck_ranks(rules.ranks)
    if not known:
        raise ValueError(f"{name!r} is not a card of this deck")
    return family, VALUE[rank]


# ---- one set of at most five cards -------------------------------------------------------------------------


@cache
def _straights(rank_count: int, ace: str) -> dict[frozenset[int], int]:
    """Each straight's ranks and the rank it is compared by: the last one, so A-2-3-4-5 is the lowest (Furnace 1).

    A deck of five ranks has one set of ranks only; where the Ace may end it at either end, it counts as high.
    """
    line = [VALUE[rank] for rank in deck_ranks(rank_count)]
    without_ace, ace_value = line[:-1], line[-1]
    if ace != "high":
        without_ace = [ace_value, *without_ace]
    line = without_ace if ace == "low" else [*without_ace, ace_value]
    return {frozenset(line[start : start + 5]): line[start + 4] for start in range(len(line) - 4)}


def _pattern(values: Ranks) -> tuple[str, Ranks]:
    """The exact rank pattern of at most five cards, and its ranks in the order they are compared (Furnace 5)."""
    groups = sorted(((values.count(value), value) for value in set(values)), reverse=True)
    shape = [size for size, _ in groups]
    ranks = tuple(value for _, value in groups)
    if shape[:1] == [5]:
        return "four", ranks * 2  # five of a rank: the fifth is the kicker
    if shape[:1] == [4]:
        return "four", ranks
    if shape[:2] == [3, 2]:
        return "full_house", ranks
    if shape[:1] == [3]:
        return "three", ranks
    if shape[:2] == [2, 2]:
        return "two_pair", ranks
    if shape[:1] == [2]:
        return "pair", ranks
    return "high", ranks


def _is_flush(families: set[str], rules: Rules) -> bool:
    """Five cards of one family; wild Trumps go with any, five Trumps are a flush too (`furnace_trump`)."""
    if rules.furnace_trump == "wild_family":
        return len(families - {TRUMP}) <= 1
    return len(families) == 1


def _readings(cards: Sequence[Card], rules: Rules) -> dict[str, Ranks]:
    """All that these cards are: the exact rank pattern and, for five cards, straights and flushes besides."""
    values = tuple(sorted((value for _, value in cards), reverse=True))
    name, ranks = _pattern(values)
    found = {name: ranks}
    if len(cards) != 5:
        return found
    straight_to = _straights(rules.ranks, rules.ace).get(frozenset(values))
    flush = _is_flush({family for family, _ in cards}, rules)
    if straight_to is not None:
        found["straight"] = (straight_to,)
    if flush:
        found["flush"] = values  # a wild Trump may double a rank
    if straight_to is not None and flush:
        found["straight_flush"] = (straight_to,)
        if straight_to == VALUE["A"]:  # Ace high: the deck's five highest ranks
            found["royal"] = (straight_to,)
    return found


def _key(cards: Sequence[Card], rules: Rules, trumps_break_ties: bool) -> tuple[str, Key]:
    """What these at most five cards count as, and how they compare (`tie_order`)."""
    readings = _readings(cards, rules)
    name = next(category for category in rules.order if category in readings)
    strength = len(rules.order) - rules.order.index(name)
    ranks = readings[name]  # a missing kicker makes the tuple shorter, hence lower
    if not trumps_break_ties:
        return name, (strength, ranks)
    has_trump = any(family == TRUMP for family, _ in cards)
    if rules.tie_order == "trump_then_ranks":
        return name, (strength, has_trump, ranks)
    return name, (strength, ranks, has_trump)


# ---- a whole hand ------------------------------------------------------------------------------------------


def _check_rules(rules: Rules) -> None:
    """An unknown ruling must not pass for another one."""
    for key in ("ace", "furnace_trump", "tie_order"):
        if getattr(rules, key) not in RULINGS[key]:
            raise ValueError(f"{key} is one of {RULINGS[key]}, not {getattr(rules, key)!r}")
    if sorted(rules.order) != sorted(ORDER):
        raise ValueError(f"the order {rules.order} does not name each category once")


def _best(names: Sequence[str], rules: Rules, trumps_break_ties: bool) -> tuple[str, Key]:
    """The greatest key over all five-card subsets, or of all cards where there are fewer than five."""
    _check_rules(rules)
    cards = [_card(name, rules) for name in names if name != JOKER]
    subsets = combinations(cards, min(5, len(cards)))
    return max((_key(five, rules, trumps_break_ties) for five in subsets), key=lambda found: found[1])


def best(cards: Sequence[str], rules: Rules) -> tuple[str, Key]:
    """The best five cards' category and key, greater being better; Jokers count for nothing (Furnace 5)."""
    return _best(cards, rules, trumps_break_ties=True)


def winners(hands: Sequence[Sequence[str]], rules: Rules, trumps_break_ties: bool = True) -> list[int]:
    """Who has the best hand; without Trumps breaking ties (category, ranks) alone decide."""
    keys = [_best(hand, rules, trumps_break_ties)[1] for hand in hands]
    return [player for player, key in enumerate(keys) if key == max(keys)]


# ---- counting all five-card hands --------------------------------------------------------------------------

# Pairs of equal rank among five cards tell the rank pattern: 3 + 1 for a full house, 6 for four, 10 for five of a rank.
_PATTERN_BY_PAIRS = {0: "high", 1: "pair", 2: "two_pair", 3: "three", 4: "full_house", 6: "four", 10: "four"}


def _straight_masks(rank_count: int, ace: str) -> np.ndarray:
    """For every set of ranks (bit 0 the lowest, the last bit the Ace) whether five bits in a row are set.

    The set is shifted up by one and the Ace copied to bit 0, or moved there, as `ace` says.
    """
    masks = np.arange(1 << rank_count, dtype=np.int32)
    top = 1 << (rank_count - 1)
    has_ace = (masks & top) != 0
    line = (masks if ace != "low" else masks & ~top) << 1
    if ace != "high":
        line |= has_ace
    in_a_row: np.ndarray = (line & line >> 1 & line >> 2 & line >> 3 & line >> 4) != 0
    return in_a_row


def five_card_counts(rules: Rules) -> dict[str, int]:
    """How many of all five-card hands of the deck fall into each category, strongest first (Furnace 6.1).

    A block holds the hands with the same first card. All sets of four cards are listed once, in rising order, so the
    sets that can follow a first card are the list's end.
    """
    _check_rules(rules)
    families, rank_count = len(deck_families(rules.families, rules.trumps)), len(deck_ranks(rules.ranks))
    size = families * rank_count  # card c: family c // rank_count, the Trumps last, rank c % rank_count
    four = np.fromiter(chain.from_iterable(combinations(range(size), 4)), dtype=np.uint8).reshape(-1, 4)
    rank_of_four = [four[:, i] % rank_count for i in range(4)]
    pairs_of_four = np.zeros(len(four), dtype=np.uint8)
    for i, j in combinations(range(4), 2):
        pairs_of_four += rank_of_four[i] == rank_of_four[j]

    # Furnace 5, furnace_trump: a wild Trump adds no family of its own.
    family_bit = np.array([1 << family for family in range(families)], dtype=np.uint8)
    if rules.trumps and rules.furnace_trump == "wild_family":
        family_bit[-1] = 0
    rank_bit = np.array([1 << rank for rank in range(rank_count)], dtype=np.uint16)
    ranks_of_four = np.zeros(len(four), dtype=np.uint16)
    families_of_four = np.zeros(len(four), dtype=np.uint8)
    for i in range(4):
        ranks_of_four |= rank_bit[rank_of_four[i]]
        families_of_four |= family_bit[four[:, i] // rank_count]

    one_family = np.array([mask & (mask - 1) == 0 for mask in range(1 << families)])
    straight_mask = _straight_masks(rank_count, rules.ace)
    five_highest = 0b11111 << (rank_count - 5)
    place = {name: number for number, name in enumerate(rules.order)}
    place_by_pairs = np.full(11, len(ORDER), dtype=np.uint8)
    for number, name in _PATTERN_BY_PAIRS.items():
        place_by_pairs[number] = place[name]

    totals = np.zeros(len(ORDER), dtype=np.int64)
    for first in range(size - 4):
        tail = slice(int(np.searchsorted(four[:, 0], first, side="right")), None)
        pairs = pairs_of_four[tail].copy()
        for i in range(4):
            pairs += rank_of_four[i][tail] == first % rank_count
        ranks = ranks_of_four[tail] | rank_bit[first % rank_count]
        flush = one_family[families_of_four[tail] | family_bit[first // rank_count]]
        straight = (pairs == 0) & straight_mask[ranks]
        both = straight & flush
        royal = both & (ranks == five_highest) & (rules.ace != "low")
        found = place_by_pairs[pairs]
        for name, are in (("flush", flush), ("straight", straight), ("straight_flush", both), ("royal", royal)):
            found[are] = np.minimum(found[are], place[name])
        totals += np.bincount(found, minlength=len(ORDER))
    return {name: int(total) for name, total in zip(rules.order, totals, strict=True)}


# ---- the trace of one showdown -----------------------------------------------------------------------------

EVENT_TYPES = ["setup", "round", "showdown", "end"]


def _is_count(thing: object) -> bool:
    """A whole number of at least zero; JSON's true is not a 1."""
    return isinstance(thing, int) and not isinstance(thing, bool) and thing >= 0


def _is_names(thing: object) -> bool:
    return isinstance(thing, list) and all(isinstance(name, str) for name in thing)


def _setup_faults(setup: Event) -> list[str]:
    """Without a sound first line nothing else can be judged."""
    faults = []
    if setup.get("game") != "furnace":
        faults.append(f"The setup's game is {setup.get('game')!r}, not 'furnace'.")
    if not _is_count(setup.get("players")) or not 2 <= setup["players"] <= 6:
        faults.append(f"The setup's players are {setup.get('players')!r}, not 2 to 6.")
    cards, match, rulings = setup.get("deck"), setup.get("match"), setup.get("rulings")
    if not isinstance(cards, dict) or not isinstance(match, dict) or not isinstance(rulings, dict):
        return [*faults, "The setup lacks its deck, its match or its rulings."]
    for key, low, high in (("families", 1, len(FAMILIES)), ("ranks", 5, len(RANKS))):
        if not _is_count(cards.get(key)) or not low <= cards[key] <= high:
            faults.append(f"The deck's {key} are {cards.get(key)!r}, not {low} to {high}.")
    if not isinstance(cards.get("trumps"), bool):
        faults.append(f"The deck's trumps are {cards.get('trumps')!r}, neither true nor false.")
    if not _is_count(cards.get("jokers")):
        faults.append(f"The deck's jokers are {cards.get('jokers')!r}, not a number.")
    for key in ("hand", "open_cards", "hidden_cards", "kept"):
        if not _is_count(match.get(key)):
            faults.append(f"The match's {key} is {match.get(key)!r}, not a number.")
    for key, values in RULINGS.items():
        if rulings.get(key) not in values:
            faults.append(f"The ruling {key} is {rulings.get(key)!r}, none of {', '.join(values)}.")
    order = setup.get("hand_order")
    if not isinstance(order, list) or not _is_names(order) or sorted(order) != sorted(ORDER):
        faults.append("The setup's hand_order does not name each category once.")
    return faults


def _rules_of(setup: Event) -> Rules:
    cards, rulings = setup["deck"], setup["rulings"]
    return Rules(
        families=cards["families"],
        ranks=cards["ranks"],
        trumps=cards["trumps"],
        ace=rulings["ace"],
        furnace_trump=rulings["furnace_trump"],
        tie_order=rulings["tie_order"],
        order=tuple(setup["hand_order"]),
    )


def _round_form_faults(deal: Event, players: int) -> list[str]:
    """Whether the round's line holds lists of cards where it should."""
    faults = []
    if deal.get("n") != 1:
        faults.append(f"The round's number is {deal.get('n')!r}, not 1.")
    hands = deal.get("hands")
    if not isinstance(hands, list) or len(hands) != players or not all(_is_names(hand) for hand in hands):
        faults.append(f"The round does not deal {players} hands of cards.")
    for key in ("furnace_up", "furnace_down"):
        if not _is_names(deal.get(key)):
            faults.append(f"The round's {key} is not a list of cards.")
    return faults


def _deal_faults(setup: Event, deal: Event) -> list[str]:
    """Sizes, and every card from the one deck (Furnace 1 and 3)."""
    faults = []
    match, rules = setup["match"], _rules_of(setup)
    for player, hand in enumerate(deal["hands"]):
        if len(hand) != match["hand"]:
            faults.append(f"Player {player} is dealt {len(hand)} cards, not {match['hand']}.")
    for key, size in (("furnace_up", match["open_cards"]), ("furnace_down", match["hidden_cards"])):
        if len(deal[key]) != size:
            faults.append(f"The {key} has {len(deal[key])} cards, not {size}.")

    furnace = deal["furnace_up"] + deal["furnace_down"]
    copies = dict.fromkeys(deck(rules), 1) | {JOKER: setup["deck"]["jokers"]}
    in_hands = Counter(chain.from_iterable(deal["hands"]))
    for name, times in (in_hands + Counter(furnace)).items():
        if name not in copies:
            faults.append(f"The card {name} is not in the deck.")
        elif times > copies[name]:
            faults.append(f"The card {name} is dealt {times} times; the deck has {copies[name]}.")

    # Furnace 3, community_joker. How often a Joker went back under `redraw` the dealt cards do not tell.
    jokers, laid = furnace.count(JOKER), deal.get("jokers_laid", "missing")
    if not _is_count(laid):
        faults.append(f"The jokers_laid is {laid!r}, not a number.")
    elif setup["rulings"]["community_joker"] == "dead":
        if laid != jokers:
            faults.append(f"The jokers_laid is {laid}, but {jokers} Jokers lie in the Furnace.")
    elif laid != 0 and in_hands[JOKER] >= copies[JOKER]:
        faults.append(f"The jokers_laid is {laid}, but the hands hold all {copies[JOKER]} Jokers.")
    if setup["rulings"]["community_joker"] == "redraw" and jokers:
        faults.append(f"The Furnace has {jokers} Jokers although they are redrawn.")
    return faults


def _kept_faults(setup: Event, deal: Event, showdown: Event) -> list[str]:
    """Furnace 5: everyone keeps two cards of their own hand, and no Joker."""
    kept, wanted = showdown.get("kept"), setup["match"]["kept"]
    if not isinstance(kept, dict) or not all(_is_names(cards) for cards in kept.values()):
        return ["The showdown's kept are not lists of cards by player."]
    faults = _players_named_faults("kept", kept, setup["players"])
    for player, hand in enumerate(deal["hands"]):
        cards = kept.get(str(player))
        if cards is None:
            continue
        if len(cards) != wanted:
            faults.append(f"Player {player} keeps {len(cards)} cards, not {wanted}.")
        if JOKER in cards:
            faults.append(f"Player {player} keeps a Joker.")
        if len(set(cards)) != len(cards):
            faults.append(f"Player {player} keeps a card twice.")
        faults += [f"Player {player} keeps {name}, which is not in their hand." for name in cards if name not in hand]
    return faults


def _players_named_faults(what: str, named: dict[str, Any], players: int) -> list[str]:
    """Everyone goes to the showdown, nobody else does."""
    everyone = [str(player) for player in range(players)]
    faults = [f"The {what} of player {player} is missing." for player in everyone if player not in named]
    faults += [f"The {what} names {player!r}, who is no player." for player in named if player not in everyone]
    return faults


def _result_faults(setup: Event, deal: Event, showdown: Event, end: Event) -> list[str]:
    """The categories, who wins, whether a Trump decided it, and the last line (Furnace 5 and 7)."""
    faults = []
    rules, players = _rules_of(setup), setup["players"]
    furnace = deal["furnace_up"] + deal["furnace_down"]
    hands = [showdown["kept"][str(player)] + furnace for player in range(players)]

    category = showdown.get("category")
    if isinstance(category, dict):
        faults += _players_named_faults("category", category, players)
        for player, hand in enumerate(hands):
            name, said = best(hand, rules)[0], category.get(str(player))
            if str(player) in category and said != name:
                faults.append(f"Player {player} is said to have {said!r}, but has {name!r}.")
    else:
        faults.append("The showdown lacks the categories by player.")

    best_players, said_winners = winners(hands, rules), showdown.get("winners")
    if not isinstance(said_winners, list) or not all(_is_count(player) for player in said_winners):
        faults.append("The showdown's winners are not a list of players.")
    elif sorted(said_winners) != best_players:
        faults.append(f"The winners are said to be {said_winners}, but are {best_players}.")

    decided = best_players != winners(hands, rules, trumps_break_ties=False)
    if showdown.get("trump_decided") is not decided:
        faults.append(f"The trump_decided is {showdown.get('trump_decided')!r}, but should be {decided}.")

    winner = best_players[0] if len(best_players) == 1 else None
    if isinstance(end.get("winner"), bool) or "winner" not in end or end["winner"] != winner:
        faults.append(f"The end's winner is {end.get('winner', 'missing')!r}, but should be {winner!r}.")
    return faults


def showdown_faults(events: list[Event]) -> list[str]:
    """Replays the trace of one showdown: a sentence for everything that the rules do not allow.

    Where one line cannot be read, the lines that depend on it are not judged.
    """
    types = [event.get("type") for event in events]
    if types != EVENT_TYPES:
        return [f"The events are {types}, not {EVENT_TYPES}."]
    setup, deal, showdown, end = events
    faults = _setup_faults(setup)
    if faults:
        return faults
    faults = _round_form_faults(deal, setup["players"])
    if faults:
        return faults
    if showdown.get("round") != 1:
        faults.append(f"The showdown is of round {showdown.get('round')!r}, not 1.")
    faults += _deal_faults(setup, deal)
    kept_faults = _kept_faults(setup, deal, showdown)
    faults += kept_faults
    dealt = set(chain(deal["furnace_up"], deal["furnace_down"], *deal["hands"]))
    if not kept_faults and dealt <= {*deck(_rules_of(setup)), JOKER}:
        faults += _result_faults(setup, deal, showdown, end)
    return faults
