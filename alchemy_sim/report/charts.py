"""The kinds of figures: dots with interval bars, stacked bars, a map of colours, lines along an axis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from alchemy_sim.report.drawing import COLOURS, MARKERS, MUTED, PAPER, RULE, Drawing, styled

#: Points: the width of a figure, a row of a dot or bar, the space between rows, a square of a map.
_WIDTH, _LINE, _BETWEEN, _SQUARE = 560, 10, 9, 14.5
#: More labels along an axis than these are drawn with a band instead of bars.
_MANY = 12


@dataclass(frozen=True)
class Mark:
    """A number to draw, in the unit of its axis, with its interval if it has one; `tip` says all of it in words."""

    value: float
    low: float | None
    high: float | None
    tip: str


@dataclass(frozen=True)
class Series:
    """Marks of one colour, one for each row or label; None where there is nothing to draw.

    `place` is the number of its colour and marker, so that a series looks the same in every figure of every page.
    """

    name: str
    marks: Sequence[Mark | None]
    place: int


def dots(name: str, label: str, rows: Sequence[str], series: Sequence[Series], axis: str, percent: bool) -> str:
    """A row for each name, in it a dot with its interval for each series."""
    with styled():
        row = _LINE * len(series) + _BETWEEN
        drawing = Drawing(_WIDTH, row * len(rows) + 75)
        axes = drawing.figure.add_subplot()
        _rows(axes, rows)
        for number, each in enumerate(series):
            shift = (number - (len(series) - 1) / 2) * _LINE / row
            for at, mark in enumerate(each.marks):
                if mark is not None:
                    _dot(drawing, axes, mark, at + shift, each.place, across=True)
        _scale(axes, axis, percent, _marks(series), across=True)
        _legend(drawing, series)
        return drawing.svg(name, label)


def bars(name: str, label: str, rows: Sequence[tuple[str, Sequence[str]]], series: Sequence[Series], axis: str) -> str:
    """Stacked bars of percentages: rows in groups, a part for each series; marks go by row, through all groups."""
    with styled():
        count = sum(len(group) for _, group in rows)
        drawing = Drawing(_WIDTH, (_LINE + 2) * count + _BETWEEN * len(rows) + 75)
        axes = drawing.figure.add_subplot()
        places, names, middles = [], [], []
        at = 0.0
        for _, group in rows:
            middles.append(at + (len(group) - 1) / 2)
            places += [at + step for step in range(len(group))]
            names += list(group)
            at += len(group) + _BETWEEN / (_LINE + 2)
        left = [0.0] * count
        for each in series:
            for row, mark in enumerate(each.marks):
                if mark is not None and mark.value > 0:
                    (bar,) = axes.barh(
                        places[row],
                        mark.value,
                        0.82,
                        left[row],
                        color=_colour(each.place),
                        edgecolor=PAPER,
                        linewidth=0.5,
                    )
                    drawing.tip(bar, mark.tip)
                    left[row] += mark.value
        axes.set_ylim(places[-1] + 0.7, -0.7)
        axes.set_yticks(places, names, minor=True)
        axes.yaxis.remove_overlapping_locs = False  # a group's name stands beside the number of its middle bar
        axes.set_yticks(middles, [name for name, _ in rows])
        axes.tick_params(axis="y", which="major", length=0, pad=22)
        axes.tick_params(axis="y", which="minor", length=0, labelsize=8, labelcolor=MUTED)
        _scale(axes, axis, True, [Mark(value, None, None, "") for value in left], across=True)
        handles = [Patch(color=_colour(each.place), label=each.name) for each in series]
        drawing.figure.legend(handles=handles, loc="outside upper left", ncols=6, handlelength=1.2, columnspacing=1.4)
        return drawing.svg(name, label)


def map_(
    name: str,
    label: str,
    rows: Sequence[str],
    columns: Sequence[str],
    marks: Sequence[Sequence[Mark | None]],
    words: tuple[str, str],
) -> str:
    """Percentages as colours, a square for each row and column; the last column, which is of all, stands apart.

    `words` are the figure's title and what its numbers are.
    """
    title, axis = words
    apart = 0.4
    with styled():
        left, above, below = 4.4 * max(map(len, rows)) + 10, 4.4 * max(map(len, columns)) + 10, 46
        wide, high = _SQUARE * (len(columns) + 2 * apart), _SQUARE * len(rows)
        drawing = Drawing(left + wide + 14, above + high + below, layout=None)
        axes = drawing.axes(left, below, wide, high)
        places = [at + (apart if at == len(columns) - 1 and at else 0) for at in range(len(columns))]
        colours = colormaps["viridis"]
        found = [
            (Rectangle((at - 0.46, down - 0.46), 0.92, 0.92, color=colours(mark.value / 100), lw=0), mark.tip)
            for down, row in enumerate(marks)
            for at, mark in zip(places, row, strict=True)
            if mark is not None
        ]
        squares = PatchCollection([square for square, _ in found], match_original=True, clip_on=False)
        drawing.tip(axes.add_collection(squares), *(tip for _, tip in found))
        axes.set(xlim=(-0.5 - apart / 2, len(columns) - 0.5 + 1.5 * apart), ylim=(len(rows) - 0.5, -0.5))
        axes.set_xticks(places, columns, rotation=90)
        axes.set_yticks(range(len(rows)), rows)
        axes.tick_params(length=0, labelsize=8, top=True, labeltop=True, labelbottom=False)
        axes.spines[:].set_visible(False)
        drawing.figure.text(0, 1, title, size=10, weight="bold", va="top")
        _colour_key(drawing.axes(left, 28, wide, 8), axis)
        return drawing.svg(name, label)


def lines(
    name: str, label: str, labels: Sequence[str], series: Sequence[Series], axes_words: tuple[str, str], percent: bool
) -> str:
    """Numbers along an axis of labels in order: dots with bars, or with a band where there are many labels."""
    with styled():
        drawing = Drawing(_WIDTH, 270)
        axes = drawing.figure.add_subplot()
        many = len(labels) > _MANY
        for number, each in enumerate(series):
            shift = 0 if many else (number - (len(series) - 1) / 2) * 0.06
            drawn = [(at + shift, mark) for at, mark in enumerate(each.marks) if mark is not None]
            heights = [mark.value for _, mark in drawn]
            axes.plot([at for at, _ in drawn], heights, color=_colour(each.place), lw=1.2, alpha=1 if many else 0.5)
            if many:
                low = [mark.value if mark.low is None else mark.low for _, mark in drawn]
                high = [mark.value if mark.high is None else mark.high for _, mark in drawn]
                axes.fill_between([at for at, _ in drawn], low, high, color=_colour(each.place), alpha=0.2, lw=0)
            for at, mark in drawn:
                _dot(drawing, axes, mark, at, each.place, across=False, small=many)
        every = -(-len(labels) // 26)
        axes.set_xticks(range(0, len(labels), every), labels[::every])
        axes.set_xlim(-0.5, len(labels) - 0.5)
        axes.set_xlabel(axes_words[0])
        axes.tick_params(axis="x", length=3)
        _scale(axes, axes_words[1], percent, _marks(series), across=False)
        _legend(drawing, series)
        return drawing.svg(name, label)


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def _marker(place: int) -> str:
    return MARKERS[place % len(MARKERS)]


def _marks(series: Iterable[Series]) -> list[Mark]:
    return [mark for each in series for mark in each.marks if mark is not None]


def _rows(axes: Axes, rows: Sequence[str]) -> None:
    """Names down the side, every second row shaded."""
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(axis="y", length=0)
    for at in range(0, len(rows), 2):
        axes.axhspan(at - 0.5, at + 0.5, color=RULE, alpha=0.3, lw=0)


def _dot(drawing: Drawing, axes: Axes, mark: Mark, at: float, place: int, across: bool, small: bool = False) -> None:
    colour = _colour(place)
    if mark.low is not None and mark.high is not None and not small:
        ends, here = [mark.low, mark.high], [at, at]
        (bar,) = axes.plot(*((ends, here) if across else (here, ends)), color=colour, lw=1.8, clip_on=False)
        drawing.tip(bar, mark.tip)
    point = ([mark.value], [at]) if across else ([at], [mark.value])
    (dot,) = axes.plot(*point, _marker(place), color=colour, ms=3 if small else 5.4, mec=PAPER, mew=0.4, clip_on=False)
    drawing.tip(dot, mark.tip)


def _scale(axes: Axes, words: str, percent: bool, marks: Sequence[Mark], across: bool) -> None:
    """The axis of the numbers: from 0 on, in per cent no further than 100."""
    most = max((mark.value if mark.high is None else mark.high for mark in marks), default=0) or 1
    top = min(most * 1.06, 100) if percent else most * 1.06
    axis = axes.xaxis if across else axes.yaxis
    (axes.set_xlim if across else axes.set_ylim)(0, top)
    axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    if percent:
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))
    axis.set_label_text(words)
    axes.grid(axis="x" if across else "y")
    axis.set_tick_params(length=0)


def _legend(drawing: Drawing, series: Sequence[Series]) -> None:
    handles = [
        Line2D([], [], color=_colour(each.place), marker=_marker(each.place), ms=5, label=each.name) for each in series
    ]
    drawing.figure.legend(handles=handles, loc="outside upper left", ncols=4, handlelength=1.8, columnspacing=1.6)


def _colour_key(key: Axes, words: str) -> None:
    """What the colours of a map mean."""
    for step in range(20):
        key.add_patch(Rectangle((step * 5, 0), 5, 1, color=colormaps["viridis"]((step + 0.5) / 20), lw=0))
    key.set(xlim=(0, 100), ylim=(0, 1), yticks=[])
    key.set_xticks([0, 100], ["0 %", "100 %"])
    key.tick_params(length=0, labelsize=8, pad=2)
    key.spines[:].set_visible(False)
    key.set_xlabel(words, fontsize=8, labelpad=2)
