"""Figures as SVG that stands inside a page: one style, tips on every mark, the same bytes for the same numbers.

matplotlib draws (by its objects, never pyplot); what it writes is then made fit for a page: colours of text and lines
become the page's own variables, so that they follow it into the dark, and ids that nothing refers to go, for a page
holds several figures.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal
from xml.etree import ElementTree

import matplotlib
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

#: Colours that stand for variables of the page, by what is drawn in them.
INK, MUTED, RULE, PAPER = "#1f2427", "#5b6468", "#d3d8db", "#fdfdfc"
_VARIABLES = {INK: "var(--ink)", MUTED: "var(--muted)", RULE: "var(--rule)", PAPER: "var(--paper)"}
#: Okabe and Ito's colours (2008), told apart by the colour-blind and on light and dark paper alike; black is left out.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#f0e442")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "h")
#: matplotlib's own font, so that the layout is the same wherever it is made; the page then sets its own.
_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "svg.fonttype": "none",
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": RULE,
    "axes.labelcolor": MUTED,
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": RULE,
    "grid.linewidth": 0.6,
    "xtick.color": RULE,
    "ytick.color": RULE,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}
_DIGITS = re.compile(r"-?\d+\.\d{3,}")


class Drawing:
    """A figure of so many points, and the words that show when the pointer rests on a mark."""

    def __init__(self, width: float, height: float, layout: Literal["constrained"] | None = "constrained") -> None:
        self.figure = Figure(figsize=(width / 72, height / 72), layout=layout)
        self._size = (width, height)
        self._tips: dict[str, Sequence[str]] = {}

    def axes(self, left: float, below: float, width: float, height: float) -> Axes:
        """Axes at a place of their own, in points from the lower left corner."""
        across, up = self._size
        return self.figure.add_axes((left / across, below / up, width / across, height / up))

    def tip(self, artist: Artist, *words: str) -> None:
        """What an artist tells about itself; for a collection, what each of its patches does."""
        name = f"tip{len(self._tips)}"
        artist.set_gid(name)
        self._tips[name] = words

    def svg(self, name: str, label: str) -> str:
        """The figure as an element of a page; `name` keeps its ids apart from other figures', `label` says what it is.

        To be called within `styled`.
        """
        matplotlib.rcParams["svg.hashsalt"] = name
        buffer = io.BytesIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        self.figure.savefig(buffer, format="svg", metadata=nothing)
        return _fit_for_a_page(buffer.getvalue(), self._tips, label)


@contextmanager
def styled() -> Iterator[None]:
    """Our style and nothing of the user's; a letter that matplotlib's font lacks is drawn by the reader's own."""
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def _fit_for_a_page(written: bytes, tips: Mapping[str, Sequence[str]], label: str) -> str:
    root = ElementTree.fromstring(written)
    used = set(re.findall(rb'(?:url\(|href=")#([^)"]+)', written))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.endswith(("}metadata", "}style")):
                parent.remove(child)
    tipped = []
    for element in root.iter():
        element.tag = element.tag.partition("}")[2] or element.tag
        element.text = element.text if element.tag == "text" else None
        element.tail = None
        element.attrib = {key.partition("}")[2] or key: _short(value) for key, value in element.attrib.items()}
        name = element.get("id", "")
        if name and name.encode() not in used:
            del element.attrib["id"]
        if name in tips:
            tipped.append((element, tips[name]))
        if element.get("transform", "").startswith(("rotate(-0 ", "rotate(0 ")):
            del element.attrib["transform"]
        if "style" in element.attrib:
            element.set("style", _variables(element.attrib["style"]))
    for element, words in tipped:
        for place, tip in zip([element] if len(words) == 1 else element.findall("path"), words, strict=True):
            title = ElementTree.Element("title")
            title.text = tip
            place.insert(0, title)
    box = root.get("viewBox", "")
    width = box.split()[2]
    root.attrib = {"viewBox": box, "role": "img", "aria-label": label, "style": f"--width: {width}"}
    return ElementTree.tostring(root, encoding="unicode")


def _short(value: str) -> str:
    """An attribute with two decimals at most, on one line."""
    return " ".join(_DIGITS.sub(lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), value).split())


def _variables(style: str) -> str:
    """A style in the page's colours and font."""
    style = re.sub(r"font-family: [^;]*(; )?", "", style)
    for colour, variable in _VARIABLES.items():
        style = style.replace(colour, variable)
    return style
