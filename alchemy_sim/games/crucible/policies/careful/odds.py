"""How likely each kind of task is to be completed by whom: measured, as rows.

Two million missions of careful players with half of the claims made at random, three to five players, limits 18 to 25,
played on after a loss. Logistic regression of each kind's completion gave `ODDS` (log-odds, in hundredths); what is
left of the chance that two tasks are both completed gave the relations (logs of chances). What can't be told from noise
is 0.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from alchemy_sim.games.crucible.table import TASKS

#: The kinds of tasks, T01 to T40; the six suits are one kind each to win and not to win.
KINDS = (
    *("tricks-0", "tricks-1", "tricks-2", "tricks-3", "tricks-4", "tricks-5plus"),
    *("some",) * 6,
    *("no",) * 6,
    *("win-a-9", "win-a-1", "some-catalyst", "no-catalyst"),
    *("sum-22", "one-boil-over", "transmute-high", "transmute-low", "fizzler", "lead-one-transmute"),
    *("first-trick", "last-trick", "none-of-first-three", "after-boil-over"),
    *("more-than-lead", "fewer-than-lead", "most-outright", "same-as-left"),
    *("two-mandrake", "three-of-a-suit", "two-catalysts", "all-low"),
)


class Hand(IntEnum):
    """What a hand shows: the Lead's known Catalyst apart."""

    CATALYST = 0  # the highest
    CATALYSTS = 1
    NINES = 2
    HIGH = 3  # sevens and eights
    LOW = 4  # ranks 1 to 3
    SUITED = 5  # cards of the suit that the task names
    TOP = 6  # the highest of them


class Column(IntEnum):
    """The columns of `ODDS`."""

    PLAYERS = 0  # the log-odds with 3, 4, 5 players at limit 22, target 18, slag cap 3; what follows is added
    LEAD = 3  # for the Lead, with 3, 4, 5 players
    LIMIT = 6  # for each point of the limit above 22
    TARGET = 7  # for each point of the target above 18
    CAP = 8  # for each Slag Token that is allowed beyond 3
    HEAVY = 9  # if Catalysts count 10
    WEAVER = 10  # for a Void Weaver
    LEAD_WEAVER = 11  # and for one who is the Lead
    HAND = 12  # for each unit of `Hand` above the average
    SPONGE = 19  # the log-odds of the Sponge, alone


_ODDS = """
                      3pl  4pl  5pl L3pl L4pl L5pl  lim  tgt  cap C=10 void  L-v    C   Cs    9  7-8  1-3 suit  top  spg
tricks-0              310  354  294  -41  -75  -95    .   26   31 -112   38   72  -13  -16   -7    .    .    .    .  113
tricks-1              303  362  285  -41  -64  -49    4   18   31 -107   30   28  -10  -16    .    .    .    .    . -187
tricks-2              306  353  242  -42  -41   16    7   11   27  -93    .    .    .  -15    .    .   -4    .    . -274
tricks-3              294  307  173  -56  -35   38    7    6   21  -74  -13  -35    .    .    .    .   -7    .    . -344
tricks-4              283  245   96  -55  -15   46    9    .   17  -55  -19  -56    .    4    .    .  -12    .    . -406
tricks-5plus          297  184   27  -54   17   65    9   -5    4    .  -32  -79    4   15    7    3  -17    .    . -390
some                  344  311  236  -21   54  151    4   -9    .    .  -21  -91    4   16    .    .   -9    3   13 -202
no                    418  389  287  -53  -71  -74    5   23   38 -108   32   76   -5  -19    .    .    4   14    .  209
win-a-9               324  272  183   16   70  106   17   -3   12  -24  -22  -96    7    9   63    5    .    .    . -299
win-a-1               432  443  360  -31   21  124    5  -10    .  -21  -16  -38    .   21    .    .  -12    .    . -145
some-catalyst         -97 -170 -193  529  621  616    .    .    . -151 -625 -512   36  153    .    .    .    .    . -217
no-catalyst           341  356  298  -83 -130 -146    .   19   25 -110  131  161  -10  -68    .    .    .    .    .  217
sum-22                 83   74   35  -11   37   89    .    .    .   11   -9  -67    9   17   34   10    4    .    . -458
one-boil-over         176  274  207   17    .    9    .    .    . -118    .   14    .    .   -3    .    .    .    .  140
transmute-high        306  357  360   40   89   81    .  -33   10 -149    .    .    6   19   94   18   12    .    .  152
transmute-low         327  466  474  -63  119  172    .  -77    .  -80    .   19    .  -16  -44  -23  -11    .    .  410
fizzler               473  483  358   47   66  -17    .   24  -21  -36    .    .    .    .    .    .    .    .    .  330
lead-one-transmute    549  405  279  278  348  167   11    9   35 -122  -19    .    .   36   26   12   -8    .    . -800
first-trick           333  351  351  115  139  181    4  -13  -15  -33    . -103    .    .   17    6    .    .    . -151
last-trick            220  204  118  -37    8   52    4   15   26  -62  -35 -111    4   17   -5    .   -6    .    . -140
none-of-first-three   394  470  494  -37  -69  -83    .   -9  -17 -103   44    .  -13    .  -15    .    6    .    .  401
after-boil-over       145  213  133  -14   30  107    .    .    .    .  -11  -55    .    .    .    .   -4    .    . -423
more-than-lead        236  211  147 -999 -999 -999    5    .   14  -65  -28    .    .   21    3    .   -9    .    . -230
fewer-than-lead       259  329  282 -999 -999 -999    7   13   34  -99   20    .    .  -12    .    .    4    .    .  215
most-outright         248  191  123  -44   13   62    6    .   16  -49  -27  -69    3   16    .    .  -10    .    . -264
same-as-left          189  206  174  -51  -40  -32    3   12   18  -56    .  -25    .    .    .    .    .    .    . -111
two-mandrake          163   94   22   16   13    .    5   -6    7    .  -12  -18    .    3    .    .  -12   20   27 -259
three-of-a-suit       344  350  265   12   71   91    8  -11    9  -24  -26  -36    5    .   23   10  -12    .    . -198
two-catalysts        -177 -236 -260  489  580  571    .    .    . -251 -611 -476  122 -170    .    .    .    .    . -296
all-low               366  318  219   86  154  176    .  -11   -8  -28  -42 -170    .    .  -16  -16  -23    .    . -146
"""
#: By what a hand shows: the average with 3, 4, 5 players, of another player and of the Lead each.
MEAN = np.array(
    [
        (1.55, 1.52, 1.17, 1.15, 0.93, 0.91),
        (0.97, 0.94, 0.69, 0.67, 0.53, 0.51),
        (1.99, 1.89, 1.47, 1.36, 1.16, 1.05),
        (4.02, 3.81, 2.98, 2.75, 2.35, 2.14),
        (6.00, 5.68, 4.41, 4.10, 3.47, 3.14),
        (3.16, 2.97, 2.40, 2.25, 1.92, 1.80),
        (7.39, 7.24, 6.75, 6.60, 6.14, 6.02),
    ]
)
#: What it adds to the log of the chance that both tasks are completed if they have the same owner (same), the Lead has
#: the first and another the second (leads), the second's owner sits to the left of the first's (left), or the first was
#: claimed before the second where the order binds (before).
_RELATIONS = """
same
  tricks-0 tricks-1 -5 tricks-2 -5 tricks-3 -5 tricks-4 -5 tricks-5plus -5 some -5 win-a-9 -5 win-a-1 -5
  tricks-0 some-catalyst -5 sum-22 -5 lead-one-transmute -0.5 first-trick -5 last-trick -5 after-boil-over -5
  tricks-0 more-than-lead -5 fewer-than-lead 0.4 most-outright -5 same-as-left -0.8 two-mandrake -5
  tricks-0 three-of-a-suit -5 two-catalysts -5 all-low -5
  tricks-1 tricks-2 -5 tricks-3 -5 tricks-4 -5 tricks-5plus -5 some -0.2 win-a-9 -0.1 win-a-1 -0.2 sum-22 -1.1
  tricks-1 lead-one-transmute -0.4 last-trick -1.8 none-of-first-three -0.3 after-boil-over -1.4
  tricks-1 more-than-lead -2.2 fewer-than-lead 0.1 most-outright -2.1 same-as-left -0.3 two-mandrake -0.2
  tricks-1 all-low -0.1
  tricks-2 tricks-3 -5 tricks-4 -5 tricks-5plus -5 sum-22 -0.3 lead-one-transmute -0.4 last-trick -1.4
  tricks-2 none-of-first-three -0.3 after-boil-over -1.0 more-than-lead -0.7 most-outright -0.4 same-as-left -0.2
  tricks-3 tricks-4 -5 tricks-5plus -5 some 0.1 win-a-9 0.1 lead-one-transmute -0.3 last-trick -1.2
  tricks-3 none-of-first-three -0.5 after-boil-over -0.7 same-as-left -0.1 two-mandrake 0.2
  tricks-4 tricks-5plus -5 some 0.1 win-a-9 0.1 win-a-1 0.1 some-catalyst 0.1 sum-22 0.2 lead-one-transmute -0.2
  tricks-4 last-trick -1.0 none-of-first-three -0.6 after-boil-over -0.6 more-than-lead 0.3 fewer-than-lead -0.3
  tricks-4 most-outright 0.5 same-as-left -0.1 two-mandrake 0.2 three-of-a-suit 0.1 two-catalysts 0.1 all-low 0.1
  tricks-5plus some 0.2 win-a-9 0.2 win-a-1 0.1 sum-22 0.4 fizzler 0.1 lead-one-transmute 0.1 first-trick 0.1
  tricks-5plus last-trick 0.2 none-of-first-three -0.8 after-boil-over 0.2 more-than-lead 0.6 fewer-than-lead -0.8
  tricks-5plus most-outright 1.2 same-as-left -0.2 two-mandrake 0.3 three-of-a-suit 0.1 all-low 0.1
  some sum-22 0.1 last-trick 0.1 none-of-first-three -0.5 after-boil-over 0.1
  no sum-22 -0.2 lead-one-transmute -0.3 after-boil-over 0.1 more-than-lead -0.1 most-outright -0.1
  no two-mandrake -0.1
  win-a-9 sum-22 0.1 first-trick 0.1 last-trick 0.1 none-of-first-three -0.7 after-boil-over 0.1
  win-a-1 none-of-first-three -0.4 after-boil-over 0.1 two-mandrake 0.1
  some-catalyst no-catalyst -5 last-trick 0.1 none-of-first-three -0.4 two-catalysts 0.6
  no-catalyst lead-one-transmute -0.5 more-than-lead -0.1 most-outright -0.1 two-catalysts -5
  sum-22 transmute-low -0.4 first-trick 0.2 last-trick 0.3 none-of-first-three -1.0 after-boil-over 0.2
  sum-22 more-than-lead 0.3 fewer-than-lead -0.5 most-outright 0.4 same-as-left -0.2 two-mandrake 0.1
  one-boil-over transmute-high -0.3 after-boil-over 0.6 more-than-lead -0.2 two-mandrake 0.1
  transmute-high transmute-low -0.1 lead-one-transmute -0.1 after-boil-over -0.2
  fizzler after-boil-over 0.1
  lead-one-transmute last-trick -0.4 after-boil-over -0.1 more-than-lead 0.1 fewer-than-lead -0.2 most-outright 0.2
  lead-one-transmute same-as-left -0.5
  first-trick last-trick 0.1 none-of-first-three -5 after-boil-over 0.3 two-mandrake 0.1
  last-trick none-of-first-three -0.3 after-boil-over 0.3 more-than-lead 0.3 fewer-than-lead -0.4 most-outright 0.5
  last-trick same-as-left -0.1 two-mandrake 0.2 all-low 0.1
  none-of-first-three after-boil-over -0.9 more-than-lead -0.9 fewer-than-lead 0.2 most-outright -1.1
  none-of-first-three same-as-left -0.1 two-mandrake -0.7 three-of-a-suit -0.6 two-catalysts -0.5 all-low -0.4
  after-boil-over two-mandrake 0.2 three-of-a-suit 0.1 all-low 0.1
  more-than-lead fewer-than-lead -5 most-outright 0.9 same-as-left -0.2 two-mandrake 0.2
  fewer-than-lead most-outright -5 all-low -0.2
  most-outright same-as-left -5 two-mandrake 0.2
  two-mandrake three-of-a-suit 0.1
leads
  tricks-0 lead-one-transmute -0.2 more-than-lead 0.1 fewer-than-lead -5
  tricks-1 lead-one-transmute -0.2 more-than-lead 0.1 fewer-than-lead -0.1 two-catalysts -0.4
  tricks-2 tricks-5plus 0.2 lead-one-transmute -0.1
  tricks-3 tricks-4 0.1 tricks-5plus 0.2 some-catalyst -0.2 more-than-lead -0.1 most-outright 0.2
  tricks-4 tricks-3 0.1 tricks-5plus 0.3 more-than-lead -0.3 most-outright 0.5 same-as-left 0.1
  tricks-5plus tricks-2 0.1 tricks-3 0.2 tricks-4 0.3 some-catalyst -0.3 sum-22 0.1 more-than-lead -0.7
  tricks-5plus fewer-than-lead 0.1 most-outright 0.7
  some some-catalyst -0.1 two-catalysts -0.2
  no two-catalysts 0.1
  some-catalyst tricks-0 0.2 tricks-5plus -0.2 no-catalyst 0.2 lead-one-transmute -0.1 first-trick -0.1
  some-catalyst fewer-than-lead 0.2 same-as-left 0.2
  no-catalyst lead-one-transmute -0.2
  sum-22 tricks-5plus 0.2 transmute-high -0.1 more-than-lead -0.2 fewer-than-lead 0.1
  one-boil-over after-boil-over 0.1
  transmute-low sum-22 -0.2 one-boil-over -0.1 after-boil-over -0.1
  lead-one-transmute tricks-0 -0.1 tricks-1 -0.1 last-trick -0.4 more-than-lead -0.2 most-outright -0.1
  lead-one-transmute same-as-left -0.3
  first-trick some-catalyst -0.2 sum-22 0.1 after-boil-over 0.4 two-catalysts -0.3
  last-trick more-than-lead -0.7 most-outright -0.1 same-as-left -0.2
  none-of-first-three some-catalyst 0.2 fewer-than-lead -0.6
  most-outright tricks-3 0.1 tricks-4 0.4 tricks-5plus 0.6 more-than-lead -5 fewer-than-lead 0.1 same-as-left -0.2
  same-as-left tricks-0 -0.1 tricks-5plus 0.1 last-trick -0.2 more-than-lead -0.7 fewer-than-lead -0.4
  same-as-left most-outright -0.4
  two-mandrake transmute-high -0.1 fewer-than-lead 0.2
  two-catalysts tricks-0 0.6 tricks-3 0.2 no-catalyst 0.6 first-trick -0.2 last-trick 0.3 none-of-first-three 0.4
left
  tricks-3 most-outright 0.1 same-as-left 0.1
  tricks-4 tricks-5plus 0.2 most-outright 0.3 same-as-left 0.3
  tricks-5plus most-outright 0.6 same-as-left 0.5
  one-boil-over tricks-5plus 0.1 last-trick 0.1 after-boil-over 0.2
  transmute-high one-boil-over -0.1 after-boil-over -0.2
  last-trick one-boil-over -0.1 same-as-left 0.4
  after-boil-over tricks-0 -0.1 tricks-5plus 0.1 some 0.1 first-trick 0.2 last-trick 0.1 more-than-lead 0.1
  after-boil-over most-outright 0.1
  more-than-lead after-boil-over -0.1
  most-outright tricks-5plus 0.3 same-as-left 0.5
  same-as-left tricks-3 -0.4 tricks-4 -0.9 tricks-5plus -1.5 sum-22 -0.2 one-boil-over 0.1 last-trick -2.7
  same-as-left more-than-lead -0.2 most-outright -5
before
  some tricks-5plus 0.3
  win-a-9 tricks-5plus 0.6 after-boil-over 0.1 two-mandrake 0.2
  win-a-1 tricks-5plus 0.3
  some-catalyst tricks-5plus 0.3
  sum-22 tricks-5plus 0.6
  transmute-high tricks-5plus 4.0 some 1.6 win-a-9 1.7 win-a-1 1.6 some-catalyst 1.7 sum-22 2.6 fizzler 0.9
  transmute-high first-trick 2.1 after-boil-over 4.9 two-mandrake 2.2 three-of-a-suit 2.0 two-catalysts 2.1
  transmute-high all-low 1.9
  transmute-low tricks-5plus 5 some 3.1 win-a-9 3.4 win-a-1 2.8 some-catalyst 3.9 sum-22 5 transmute-high 0.4
  transmute-low fizzler 1.3 first-trick 5 after-boil-over 5 two-mandrake 3.9 three-of-a-suit 2.8 two-catalysts 5
  transmute-low all-low 4.2
  first-trick tricks-5plus 5 some 5 win-a-9 5 win-a-1 5 some-catalyst 5 sum-22 5 fizzler 1.9 after-boil-over 5
  first-trick two-mandrake 5 three-of-a-suit 5 two-catalysts 5 all-low 5
  after-boil-over tricks-5plus 0.4
  two-mandrake tricks-5plus 0.5
  three-of-a-suit tricks-5plus 0.5 all-low 0.1
  all-low tricks-5plus 0.3
"""

_KIND = list(dict.fromkeys(KINDS))
#: The row of each task.
ROW = np.array([_KIND.index(kind) for kind in KINDS], np.int64)
assert len(ROW) == TASKS


def _odds() -> np.ndarray:
    """The table of odds, shape (kinds, columns)."""
    rows = [line.split() for line in _ODDS.strip().splitlines()[1:]]
    assert [row[0] for row in rows] == _KIND
    return np.array([[0.0 if each == "." else float(each) / 100.0 for each in row[1:]] for row in rows])


def _relation(wanted: str) -> np.ndarray:
    """One sort of relations, shape (kinds, kinds)."""
    found = np.zeros((len(_KIND), len(_KIND)))
    sort = ""
    for line in _RELATIONS.strip().splitlines():
        first, *rest = line.split()
        if not rest:
            sort = first
        elif sort == wanted:
            for other, value in zip(rest[::2], rest[1::2], strict=True):
                found[_KIND.index(first), _KIND.index(other)] = float(value)
    return found


ODDS = _odds()
SAME = np.maximum(_relation("same"), _relation("same").T) + np.minimum(_relation("same"), _relation("same").T)
LEADS, LEFT, BEFORE = _relation("leads"), _relation("left"), _relation("before")
