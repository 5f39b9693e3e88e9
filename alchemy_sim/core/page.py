"""What a game says about its report page: which breakdowns get a section, drawn how, and in what words.

Rows of data. The page itself is made in `report` from these and from the game's metrics and breakdowns, so that a
number has one definition; a game that says nothing here gets the sections that need no words of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Finding:
    """A sentence of the findings on the `count` labels at one end of a split of the section's breakdown.

    `about` heads it; `says` tells of each, with `{label}` and `{value}` in it; `highest` says which end is meant.
    """

    about: str
    says: str
    split: str
    highest: bool = True
    count: int = 1


@dataclass(frozen=True)
class Section:
    """A section about one breakdown: a figure for each of `splits`, and the table that `show --by` prints.

    `figure` is `map` (labels by configuration, per cent as colours; dots where there is one configuration) or `line`
    (labels in their order along an axis that is called `axis`). `names` are longer names of short labels.
    """

    title: str
    by: str
    splits: tuple[str, ...]
    figure: str
    axis: str = ""
    text: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Family:
    """A section about headline proportions that share their first `word` and exclude each other: causes of loss.

    `finding` names the commonest: "Commonest cause of loss".
    """

    word: str
    title: str
    text: str = ""
    finding: str = "Commonest"


@dataclass(frozen=True)
class Page:
    """What a game's report page has beyond the headline: words, and sections in order.

    `high` and `low` say what a configuration is called whose headline metric is high or low; `note` is what a reader
    must know about the numbers as a whole.
    """

    configuration: str = "configuration"
    high: str = "highest"
    low: str = "lowest"
    note: str = ""
    families: tuple[Family, ...] = ()
    sections: tuple[Section, ...] = ()


#: The page of a game that has no words of its own.
PLAIN = Page()
