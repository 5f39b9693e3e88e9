"""Values of options, parsed here so that a mistake is answered in one line that says what is allowed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

from alchemy_sim.config.locate import shortened
from alchemy_sim.core.errors import UsageError, unknown

MOST_GAMES = 10**12
MOST_SEED = 2**64 - 1
MOST_WORKERS = 1024

_PLAIN = re.compile(r"[+-]?[0-9]+(_[0-9]+)*", re.ASCII)
_POWER = re.compile(r"([0-9]+)(?:\.([0-9]+))?[eE]\+?([0-9]{1,2})", re.ASCII)


def integer(option: str, text: str | None, low: int, high: int) -> int | None:
    """A whole number from `low` to `high`, such as 20000, 20_000 or 2e4; None for an option that isn't given."""
    if text is None:
        return None
    value = _whole(text.strip())
    if value is None or not low <= value <= high:
        most = "2^64 - 1" if high == MOST_SEED else f"{high:,}".replace(",", "_")
        raise UsageError(f"{option} {shortened(text)}: must be a whole number from {low} to {most}")
    return value


def integers(option: str, text: str | None) -> tuple[int, ...] | None:
    """Whole numbers with commas between."""
    if text is None:
        return None
    values = [_whole(each.strip()) for each in text.split(",")]
    if None in values:
        raise UsageError(f"{option} {shortened(text)}: must be whole numbers with commas between, such as 3,4,5")
    return tuple(value for value in values if value is not None)


def choice(option: str, text: str, allowed: Iterable[str]) -> str:
    """One of the allowed words."""
    names = list(allowed)
    if text not in names:
        raise UsageError(unknown(option, shortened(text), names))
    return text


def filled(option: str, text: str, wanted: str) -> str:
    """A text that isn't empty."""
    if not text.strip():
        raise UsageError(f"{option} is empty; it takes {wanted}")
    return text


def _whole(text: str) -> int | None:
    if _PLAIN.fullmatch(text):
        return int(text) if len(text) < 100 else None
    power = _POWER.fullmatch(text)
    if power is None or len(text) >= 100:
        return None
    whole, fraction, exponent = power[1], power[2] or "", int(power[3])
    if len(fraction.rstrip("0")) > exponent:
        return None
    return int(whole + fraction) * 10**exponent // 10 ** len(fraction)


def command_line(command: str, argument: str, given: Iterable[tuple[str, str | None]], *flags: str) -> str:
    """The command line that says the same again, as a shell takes it."""
    words = ["alchemy-sim", command, argument]
    for name, value in given:
        if value is not None:
            words += [name, value]
    return shlex.join([*words, *flags])
