"""What `alchemy-sim odds` prints, for each game that has odds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from alchemy_sim.cli.hands import furnace_setting
from alchemy_sim.cli.reading import print_rows
from alchemy_sim.core.errors import ConfigError, UsageError, unknown
from alchemy_sim.report.tables import Table, interval

#: Choices of cards that the table shows; --format json and csv have all.
_SHOWN = 8


def crucible_odds(name: str, sets: Sequence[str], cards: int, over: int, style: str) -> None:
    """The chance that so many random cards exceed a total, and the whole distribution for programs."""
    from alchemy_sim.config.load import load
    from alchemy_sim.games.crucible.cards import DECK
    from alchemy_sim.games.crucible.odds import totals

    settings = load("crucible/base" if name == "crucible" else name, sets).settings
    if len(settings) > 1:
        raise UsageError(f"odds: {name} is an experiment; name one mission, or just crucible")
    given: Any = settings[0].config
    if given.rulebook != "crucible":
        raise UsageError(f"odds: --cards and --over are of the Crucible; {name} is of another game")
    if not 1 <= cards <= DECK:
        raise UsageError(f"--cards {cards}: must be from 1 to {DECK}")
    chances = totals(cards, given.catalyst_value)
    chance = float(sum(each for total, each in chances.items() if total > over))
    row = {"config": name, "metric": f"total_of_{cards}_over_{over}", "estimate": chance, "low": chance, "high": chance}
    mean = float(sum(total * each for total, each in chances.items()))
    body = [[f"{cards}", f"{over}", f"{100 * chance:.3f} %", f"1 in {1 / chance:,.4g}" if chance else "never"]]
    notes = [f"exact: all sets of {cards} cards of the shuffled deck; their mean total is {mean:.4g}"]
    table = Table(["cards", "total above", "chance", "that is"], body, "Random cards of the Crucible", notes=notes)
    distribution = {str(total): float(each) for total, each in chances.items()}
    print_rows("odds", style, [{**row, "n": None, "method": "exact"}], [table], distribution=distribution)


def furnace_odds(
    name: str,
    sets: Sequence[str],
    hand: str,
    laid: str,
    keep: str | None,
    players: int,
    against: str | None,
    stakes: tuple[float, float] | None,
    deals: int,
    seed: int,
    style: str,
) -> None:
    """What each choice of a hand gets of the pot, and whether to call."""
    from alchemy_sim.cli.output import ready_game
    from alchemy_sim.games.furnace.config import HandConfig
    from alchemy_sim.games.furnace.names import card_name
    from alchemy_sim.mc.totals import Totals

    setting = furnace_setting("odds", name, sets)
    config: HandConfig = setting.config
    if players not in config.allowed_players:
        raise UsageError(f"--players {players}: the Furnace is played by {', '.join(map(str, config.allowed_players))}")
    if stakes is not None and (stakes[0] < 0 or stakes[1] <= 0):
        raise UsageError(f"--pot {stakes[0]:g} --bet {stakes[1]:g}: a pot is at least 0, a bet more than 0")
    held, shown = (
        [_card(option, each) for each in text.split()] for option, text in (("--hand", hand), ("--open", laid))
    )
    kept = None if keep is None else _kept(keep, held, config.match.kept)
    game = ready_game("showdown")
    from alchemy_sim.games.furnace.showdown.odds import choices_of
    from alchemy_sim.games.furnace.showdown.policies import POLICY_NAMES
    from alchemy_sim.mc.stats import estimate

    player = against or game.default_policy
    if player not in POLICY_NAMES:
        raise UsageError(unknown("--against", player, POLICY_NAMES))
    encoded = game.encode(config, players, (player,) * players)
    try:
        found = choices_of(encoded, held, shown, deals, seed)
    except ConfigError as error:
        raise UsageError(f"odds: {error}") from None
    if kept is not None:
        found = [each for each in found if sorted(each.cards) == kept]
    rows, body = [], []
    for each in found:
        share = estimate(game.metric("first_share"), Totals(each.deals, each.shares, 0, each.squares, 0, 0))
        cards = " ".join(map(card_name, each.cards))
        row = {"config": name, "players": players, "metric": "share", "kept": cards, **vars(share)}
        rows.append({**row, "percentile": each.percentile})
        body.append([cards, interval(share.estimate, share.low, share.high, "pp"), f"{100 * each.percentile:.1f} %"])
    notes = [
        f"{deals:,} deals of the hidden cards, the same for every choice; the others keep as {player} does; seed {seed}"
    ]
    if len(body) > _SHOWN:
        notes.insert(0, f"{len(body) - _SHOWN} more choices: --format csv or json has them all")
    more, words = _stakes(rows[0], players, stakes)
    table = Table(
        ["keep", "gets of the pot", "beats of all hands"],
        body[:_SHOWN],
        f"{players} players, the Furnace shows {' '.join(laid.split())}",
        numbers=frozenset({1, 2}),
        notes=[*words, *notes],
    )
    print_rows("odds", style, rows, [table], against=player, **more)


def _card(option: str, name: str) -> int:
    from alchemy_sim.games.furnace.names import card_number

    try:
        return card_number(name)
    except ConfigError as error:
        raise UsageError(f"{option}: {error}") from None


def _kept(text: str, hand: Sequence[int], number: int) -> list[int]:
    """The cards of `--keep`, ascending; UsageError if they can't be kept from this hand."""
    from alchemy_sim.games.furnace.names import JOKER, card_name

    cards = [_card("--keep", each) for each in text.split()]
    if JOKER in cards:
        raise UsageError("--keep: a Joker can't be kept")
    if len(cards) != number or len(set(cards)) < len(cards):
        raise UsageError(f"--keep {' '.join(text.split())}: {number} different cards are kept")
    for card in cards:
        if card not in hand:
            raise UsageError(f"--keep: {card_name(card)} is not in the hand")
    return sorted(cards)


def _stakes(best: dict[str, Any], players: int, stakes: tuple[float, float] | None) -> tuple[dict[str, Any], list[str]]:
    """What pot and bet make of the best choice: for programs and in words.

    Everyone at the showdown puts in the bet B beside a pot P: a share s of P + n B is worth it if s (P + n B) >= B.
    """
    if stakes is None:
        return {}, []
    pot, bet = stakes
    needed = bet / (pot + players * bet)
    share, low, high = best["estimate"], best["low"], best["high"]
    most = share * pot / (1 - players * share) if players * share < 1 else None
    verdict = "call" if low >= needed else "fold" if high < needed else "not decided: more --games would tell"
    profit = share * (pot + players * bet) - bet
    found = {"pot": pot, "bet": bet, "break_even_share": needed, "break_even_bet": most, "profit": profit}
    limit = "at any bet" if most is None else f"up to a bet of {most:.3g}"
    words = [
        f"{players} bets of {bet:g} beside a pot of {pot:g} pay from a share of {100 * needed:.1f} %: {verdict}",
        f"with the best choice it pays {limit}; here it brings {profit:+.2f} Stones on average",
    ]
    return {**found, "verdict": verdict.split(":")[0]}, words
