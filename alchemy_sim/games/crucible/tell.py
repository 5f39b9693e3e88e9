"""A mission told so that people can act it out with real cards, with the moment it was lost marked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alchemy_sim.games.crucible.names import TASKS, face_number

_TEXT = {task.id: task.text for task in TASKS}
_OUTCOMES = {
    "safe": "safe",
    "boil_over": "BOIL OVER",
    "transmuted": "the Transmute succeeds: cards flip and return",
    "fizzled": "fizzles: the cards are destroyed",
}
_ENDINGS = {
    "win": "The elixir is brewed: every task is complete.",
    "slag": "Lost: the Slag cap is reached.",
    "sponge": "Lost: the Sponge won a trick or led a Transmute.",
    "impossible": "Lost: a drafted task has become impossible.",
    "incomplete": "Lost: no card is left and a task is open.",
    "extra_goal": "Lost: every task is complete, but the mission's extra goal is not met.",
    "stalled": "Lost: the reactions are over and cards are left.",
}


def _player(seat: int) -> str:
    return f"P{seat}"


def _hand(cards: list[str]) -> str:
    """Cards sorted by suit and rank, a gap between suits."""
    groups: dict[str, list[str]] = {}
    for card in sorted(cards, key=face_number):
        groups.setdefault(card[0], []).append(card)
    return "   ".join(" ".join(group) for group in groups.values())


def _task(number: str) -> str:
    return f"{number} ({_TEXT[number]})"


def _setup(event: Mapping[str, Any]) -> list[str]:
    mission = event["mission"]
    lines = [
        f"Game {event['game_index']} under seed {event['seed']}: {event['players']} players, limit {mission['limit']}, "
        f"target {mission['target']}, Slag cap {mission['slag_cap']}.",
        f"Deal; {_player(event['lead'])} is the Lead Alchemist.",
    ]
    if event["sponge_seat"] is not None:
        lines.append(f"{_player(event['sponge_seat'])} is the Sponge.")
    lines += [f"  {_player(seat)}: {_hand(hand)}" for seat, hand in enumerate(event["hands"])]
    if event["left_over"]:
        lines.append(f"  left over, unseen: {_hand(event['left_over'])}")
    return lines


def _disciplines(event: Mapping[str, Any]) -> list[str]:
    if not event["kept"]:
        return []
    lines = ["Disciplines:"]
    for seat, kept in enumerate(event["kept"]):
        declined = [each for each in event["offered"][seat] if each != kept]
        lines.append(f"  {_player(seat)} keeps {kept}" + (f" (not {declined[0]})" if declined else ""))
    return lines


def _draft(event: Mapping[str, Any]) -> list[str]:
    lines = ["Tasks:"]
    for old, new in event["redrawn"]:
        lines.append(f"  {_task(old)} is impossible and replaced by {new}")
    return lines + [f"  {_player(seat)} claims {_task(task)}" for seat, task in event["claims"]]


def _reaction(event: Mapping[str, Any], marked: bool) -> list[str]:
    plays = []
    for seat, card, _, powers in event["plays"]:
        plays.append(f"{_player(seat)} {card}" + "".join(f" [{power}]" for power in powers))
    result = _OUTCOMES[event["outcome"]]
    if event["outcome"] == "safe":
        result = f"safe, {_player(event['winner'])} is highest"
        if event["credit"] != event["winner"]:
            result += f", the trick goes to {_player(event['credit'])}"
    elif event["outcome"] == "boil_over":
        result += f" by {_player(event['next_leader'])} ({sum(event['slag'])} Slag)"
    line = f"{event['n']:>3}. {event['intent'].capitalize():<9} {', '.join(plays)}: {event['total']}, {result}"
    if not marked:
        return [line]
    return [line, "     ^^^ here the loss became certain"]


def _line(event: Mapping[str, Any], lost_reaction: int | None) -> list[str]:
    kind = event["type"]
    if kind == "setup":
        return _setup(event)
    if kind == "disciplines":
        return _disciplines(event)
    if kind == "draft":
        return _draft(event)
    if kind == "whisper":
        return [f"     {_player(event['player'])} whispers {event['card']}: {event['hint']}"]
    if kind == "swap":
        return [
            f"     {_player(event['player'])} (seer) gives {event['gives']} to {_player(event['other'])} "
            f"and takes {event['takes']}"
        ]
    if kind == "reaction":
        return _reaction(event, event["n"] == lost_reaction)
    if kind == "task":
        return [f"     {event['task']} of {_player(event['owner'])} is {event['status']}"]
    task = f" {_task(event['task'])}." if event["task"] else ""
    return [_ENDINGS[event["ending"]] + task]


def tell(events: list[dict[str, Any]], outcomes: Mapping[str, Any]) -> str:
    """The mission as text, one reaction a line; `outcomes` are the columns of that game, by name."""
    lost = outcomes.get("lost_reaction")
    lost_reaction = None if lost is None or lost < 0 else int(lost)
    lines: list[str] = []
    for event in events:
        lines += _line(event, lost_reaction)
        if event["type"] == "draft":
            lines.append("Lost at the draft." if lost_reaction == 0 else "Play:")
    seat = outcomes.get("lost_seat")
    if lost_reaction and seat is not None and seat >= 0:
        lines.append(f"It was {_player(int(seat))}'s card in reaction {lost_reaction} that made the loss certain.")
    return "\n".join(lines) + "\n"
