"""What players weigh, as rows: a name, a default and what it means.

A configuration may change any, under `[weights.careful]`. The unit is a task: 1 is what completing one is worth.
"""

from __future__ import annotations

#: What `careful` weighs: name -> default, meaning.
CAREFUL: dict[str, tuple[float, str]] = {
    "fail": (8.0, "making a task impossible, or any other certain loss"),
    "step": (0.7, "a trick more for a task that counts tricks"),
    "slag": (0.9, "a Slag Token that the mission can still afford"),
    "burn": (0.027, "a card that leaves play, for each player"),
    "save": (0.043, "a card that stays in play while a trick is wished and time is left, for each player"),
    "turn": (0.035, "a point by which a successful Transmute lowers cards, or (negative) raises them"),
    "wait": (0.18, "the share of a wished trick's worth that waiting for a better chance keeps"),
    "pass": (0.17, "the lead in the hands of who wishes a trick most"),
    "keep": (0.22, "a card that can win a wished trick, kept instead of burnt"),
    "power": (0.12, "a discipline kept for later, of those that raise the limit"),
    "high": (0.018, "a point of a card that leaves the own hand"),
    "exact": (1.5, "hitting a wanted total exactly"),
    "hope": (0.7, "the chance that a power kept for the trick of 22 makes it later"),
    "waste": (0.7, "a trick that nobody needs, divided by half a reaction more than can still be spared"),
    "sponge": (1.0, "for the Sponge: that the next lead would surely force it to win"),
    "dread": (0.5, "a lead surely forced upon a player who had better not lead a Transmute"),
}

#: By player: the numbers it reads from `view.weights`.
WEIGHTS = {"careful": CAREFUL}
