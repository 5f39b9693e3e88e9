"""The tables of `compare`: effects with intervals and verdicts in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from alchemy_sim.mc.compare import Comparison, Finding
from alchemy_sim.mc.effects import Effect
from alchemy_sim.mc.stats import Estimate
from alchemy_sim.mc.verdicts import SAME, UNDECIDED
from alchemy_sim.report.tables import NOTHING, Table, decimals, interval, number

METHODS = {
    "paired": "Bonett and Price for shares of games on the same deals",
    "paired-exact": "exact bounds where fewer than 10 pairs of games differ",
    "paired-t": "Student's t of the differences for means",
    "paired-delta": "delta method, the pair as cluster, for ratios",
    "newcombe": "Newcombe for shares of unpaired games",
    "unpaired": "both half-widths together for other unpaired numbers",
    "identical": "none where both are the same",
}


def comparison_rows(findings: Sequence[Finding], by: str | None = None) -> list[dict[str, Any]]:
    """One row a match and metric (and label): B's estimate, A's as `base`, effect, verdict, pairing gain."""
    rows = []
    for each in findings:
        a, b, effect = each.effect.a, each.effect.b, each.effect
        head: dict[str, Any] = {"config": each.match.b.config_name, "players": each.match.b.players}
        if by is not None:
            head |= {"by": by, "label": each.label}
        rows.append(
            head
            | {
                "metric": each.metric.name,
                "estimate": b.estimate,
                "low": b.low,
                "high": b.high,
                "n": effect.n,
                "method": effect.method,
                "base_config": each.match.a.config_name,
                "base": a.estimate,
                "base_low": a.low,
                "base_high": a.high,
                "effect": effect.effect,
                "effect_low": effect.low,
                "effect_high": effect.high,
                "verdict": each.verdict.word,
                "text": verdict_text(each),
                "margin": each.verdict.margin,
                "more_games": each.verdict.more,
                "pairing_gain": effect.gain,
                "level": each.level,
            }
        )
    return rows


def comparison_tables(
    both: Comparison, findings: Sequence[Finding], a: str, b: str, headline: str, by: str | None = None
) -> list[Table]:
    """The headline metric match by match, then the other metrics; with `by` every label."""
    notes = _notes(both, findings)
    title = f"{a} (A) against {b} (B)"
    if by is not None:
        return [_lines(findings, f"{title}, by {by}", notes, by)]
    main = [each for each in findings if each.metric.name == headline]
    others = [each for each in findings if each.metric.name != headline]
    if not others:
        return [_main(main, title, notes)]
    seen = [each for each in others if each.effect.a.estimate or each.effect.b.estimate or each.effect.effect]
    never = sorted({each.metric.name for each in others} - {each.metric.name for each in seen})
    notes = [*([f"0 in all games: {', '.join(never)}"] if never else []), *notes]
    if len(both.matches) == 1:
        return [_main(main, title, ()), _lines(seen, "other numbers", notes)]
    return [_main(main, title, ()), _counted(seen, len(both.matches), notes)]


def amount(value: float, unit: str) -> str:
    """A difference in words: `3.1 points`, `0.42 reactions`."""
    factor, word = (100.0, "points") if unit == "pp" else (1.0, unit)
    return f"{factor * value:.3g} {word}".rstrip()


def effect_text(effect: Effect, unit: str) -> str:
    """`+3.1 (+2.7 to +3.5)`, in points for rates."""
    if effect.effect is None:
        return NOTHING
    factor = 100.0 if unit == "pp" else 1.0
    if effect.low is None or effect.high is None:
        return f"{factor * effect.effect:+.3g}"
    if effect.method == "identical":
        return "0"
    places = decimals(factor * (effect.high - effect.low) / 2)
    value, low, high = (_signed(factor * each, places) for each in (effect.effect, effect.low, effect.high))
    return f"{value} ({low} to {high})"


def verdict_text(finding: Finding) -> str:
    """The verdict in words: `harder by 3.1 points, 2.7 to 3.5`."""
    effect, verdict, unit = finding.effect, finding.verdict, finding.metric.unit
    if effect.method == "identical":
        return "no change: the very same games"
    if effect.effect == 0 and effect.method.startswith("paired") and effect.gain is None:
        return f"no difference in any of {effect.n:,} games"
    if verdict.word == SAME:
        return f"no change larger than {amount(verdict.margin, unit)}"
    if effect.effect is None or effect.low is None or effect.high is None:
        return NOTHING
    if verdict.word == UNDECIDED:
        return "not decided yet" + (f": {verdict.more:,} more games would" if verdict.more else "")
    factor = 100.0 if unit == "pp" else 1.0
    places = decimals(factor * (effect.high - effect.low) / 2)
    near, far = sorted((abs(effect.low), abs(effect.high)))
    size = f"{number(factor * abs(effect.effect), places)} {'points' if unit == 'pp' else unit}".rstrip()
    return f"{verdict.word} by {size}, {number(factor * near, places)} to {number(factor * far, places)}"


def _signed(value: float, places: int) -> str:
    text = number(value, places)
    return text if text.startswith("-") or not text.strip("0.,") else f"+{text}"


def _name(finding: Finding) -> str:
    a, b = finding.match.a, finding.match.b
    return a.title if a.title == b.title else f"{a.title} / {b.title}"


def _main(findings: Sequence[Finding], title: str, notes: Sequence[str]) -> Table:
    unit = findings[0].metric.unit
    name = findings[0].metric.name.replace("_", " ")
    effect = "effect, points" if unit == "pp" else "effect"
    head = ["configuration", "players", "pairs" if findings[0].effect.gain else "games"]
    rows = [
        [
            _name(each),
            str(each.match.a.players),
            f"{each.effect.n:,}",
            shown(each.effect.a, each.metric.unit),
            shown(each.effect.b, each.metric.unit),
            effect_text(each.effect, unit),
            NOTHING if each.effect.gain is None else f"{each.effect.gain:.2f}",
            verdict_text(each),
        ]
        for each in findings
    ]
    columns = [*head, f"{name} A", f"{name} B", effect, "pairing gain", "verdict"]
    return Table(columns, rows, title, frozenset(range(1, 7)), notes, 2)


def shown(estimate: Estimate, unit: str) -> str:
    """An estimate with its interval."""
    return interval(estimate.estimate, estimate.low, estimate.high, unit)


def _lines(findings: Sequence[Finding], title: str, notes: Sequence[str], by: str | None = None) -> Table:
    rows = [
        [
            _name(each),
            str(each.match.a.players),
            *([] if by is None else [each.label or NOTHING]),
            each.metric.name.replace("_", " "),
            f"{each.effect.n:,}",
            shown(each.effect.a, each.metric.unit),
            shown(each.effect.b, each.metric.unit),
            effect_text(each.effect, each.metric.unit),
            verdict_text(each),
        ]
        for each in findings
    ]
    words = [] if by is None else [by]
    columns = ["configuration", "players", *words, "metric", "games", "A", "B", "effect", "verdict"]
    first = 3 + len(words)
    return Table(columns, rows, title, frozenset({1, *range(first, first + 4)}), notes, 3 if by is None else 4)


def _counted(findings: Sequence[Finding], matches: int, notes: Sequence[str]) -> Table:
    """For each metric: in how many matches it is lower, higher, unchanged, undecided, and the largest change."""
    rows = []
    for metric in dict.fromkeys(each.metric for each in findings):
        mine = [each for each in findings if each.metric is metric]
        count = Counter(each.verdict.word for each in mine)
        changed = [each for each in mine if each.verdict.word not in (SAME, UNDECIDED)]
        largest = max(changed, key=lambda each: abs(each.effect.effect or 0.0), default=None)
        words = (*metric.words, SAME, UNDECIDED)
        where = NOTHING if largest is None else f"{verdict_text(largest)} ({_name(largest)}, {largest.match.a.players})"
        rows.append([metric.name.replace("_", " "), *(str(count[word]) for word in words), where])
    columns = ["metric", "lower", "higher", "no change", "not decided", "largest change (configuration, players)"]
    title = f"other numbers: in how many of {matches} cells"
    more = "one line a cell: --metric NAME; all of them: --format csv"
    return Table(columns, rows, title, frozenset({1, 2, 3, 4}), (more, *notes))


def _notes(both: Comparison, findings: Sequence[Finding]) -> list[str]:
    notes = []
    if both.paired:
        notes.append(f"seed {both.a.seed}: A and B play the same deals, game by game")
    else:
        notes.append(f"unpaired: {both.why}; the same deals on both sides would need fewer games")
    used = {each.effect.method for each in findings}
    methods = "; ".join(words for name, words in METHODS.items() if name in used)
    notes.append(f"all intervals of the effects hold together with 95 % chance ({methods})")
    if any(look is not None for look in both.looks):
        notes.append("looked at after 2,000 games and at each doubling; the intervals allow for that")
    return notes
