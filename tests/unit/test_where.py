"""Conditions on games: what they select, and one line for what they can't be."""

from __future__ import annotations

import polars as pl
import pytest

from alchemy_sim.core.errors import UsageError
from alchemy_sim.mc.where import where

ENDING = pl.Enum(["win", "slag", "impossible"])
OTHER = pl.Enum(["T01", "T23"])
FRAME = pl.DataFrame(
    {
        "game": pl.Series([0, 1, 2, 3, 4], dtype=pl.UInt64),
        "seed": pl.Series([2**64 - 1] * 5, dtype=pl.UInt64),
        "ending": pl.Series(["win", "slag", "impossible", "slag", None], dtype=ENDING),
        "was": pl.Series(["win", "win", "win", "slag", "slag"], dtype=ENDING),
        "task_0": pl.Series(["T01", "T23", None, "T01", "T23"], dtype=OTHER),
        "boils": pl.Series([0, 3, 2, 100, 1], dtype=pl.Int8),
        "turns": pl.Series([5, 6, 0, 100, 2], dtype=pl.Int8),
        "lost": pl.Series([None, 4, 1, 2, None], dtype=pl.Int32),
        "hot": pl.Series([True, False, True, False, None], dtype=pl.Boolean),
        "share": pl.Series([0.5, 0.25, 1.0, 0.0, None], dtype=pl.Float64),
    }
)

SELECTS = [
    ("ending == 'win'", [0]),
    ("'win' == ending", [0]),
    ("ending != 'win'", [1, 2, 3]),  # a missing value is neither equal nor different
    ('ending in ("win", "impossible")', [0, 2]),
    ("ending in ['slag']", [1, 3]),
    ("ending in ('slag')", [1, 3]),
    ("ending not in {'slag'}", [0, 2]),
    ("ending == was", [0, 3]),
    ("boils > turns", [2]),
    ("boils + turns == 200", [3]),  # not -56, as in 8 bits
    ("boils * turns >= 10000", [3]),
    ("boils - turns < 0", [0, 1, 4]),
    ("boils / turns == 0.5", [1, 4]),
    ("boils / turns > -1e300", [0, 1, 3, 4]),  # 2 / 0 is missing
    ("boils // turns == 0", [0, 1, 4]),
    ("boils % 2 == 1", [1, 4]),
    ("-boils < -2", [1, 3]),
    ("1 <= boils <= 3", [1, 2, 4]),
    ("boils == -1", []),
    ("boils < 300", [0, 1, 2, 3, 4]),
    ("game >= 3 or game < 1", [0, 3, 4]),
    ("game > -1", [0, 1, 2, 3, 4]),
    ("seed == 18446744073709551615 and game == 2", [2]),
    ("lost is null", [0, 4]),
    ("lost is not null and lost < 4", [2, 3]),
    ("lost is None", [0, 4]),
    ("not (lost < 4)", [1]),
    ("lost in (1, 2)", [2, 3]),
    ("lost < 3 or ending == 'win'", [0, 2, 3]),
    ("hot", [0, 2]),
    ("not hot", [1, 3]),
    ("hot == true", [0, 2]),
    ("hot is null", [4]),
    ("hot == (boils < 3)", [0, 1, 2, 3]),
    ("share >= 0.5", [0, 2]),
    ("task_0 == 'T23' and (ending == 'slag' or boils == 1)", [1, 4]),
    ("  ending\n == 'win' ", [0]),
    ("true", [0, 1, 2, 3, 4]),
]


@pytest.mark.parametrize(("text", "games"), SELECTS, ids=[text for text, _ in SELECTS])
def test_selects(text, games):
    found = where(text, FRAME.schema)
    assert FRAME.filter(found.expression)["game"].to_list() == games
    assert FRAME.lazy().filter(found.expression).collect()["game"].to_list() == games


def test_names_its_columns_in_order():
    assert where("boils == 2 and ending == 'win' or boils > 3", FRAME.schema).columns == ("boils", "ending")


REFUSALS = [
    ("", "--where is empty; it takes a condition, such as \"ending == 'win'\""),
    ("endng == 'win'", '--where: unknown column "endng" (did you mean "ending"?)'),
    ("zzz == 1", '--where: unknown column "zzz"; columns: game, seed, ending, was, task_0'),
    ("ending == win", '--where: unknown column "win"; a label is written in quotes: ending == \'win\''),
    ("ending == 'wim'", '--where: ending is never "wim" (did you mean "win"?); it is one of: win, slag, impossible'),
    ("task_0 in ('T01', 'T24')", '--where: task_0 is never "T24" (did you mean "T23"?); it is one of: T01, T23'),
    ("ending == 3", "--where: ending == 3: ending is a label, not a number; it is one of: win, slag, impossible"),
    ("ending == task_0", "--where: ending == task_0: ending is a label, not a label of another kind; it is one of"),
    ("ending < 'win'", "--where: ending < 'win': labels have no order; use ==, != or in"),
    ("hot < true", "--where: hot < true: only numbers have an order; use ==, != or in"),
    ("boils == 'two'", "--where: boils == 'two': boils is a number, not a text"),
    ("hot == 1", "--where: hot == 1: 1 is a number, not true or false"),
    ("lost == null", "--where: lost == null: write is null, or is not null"),
    ("lost is 3", "--where: lost is 3: is goes with null only; write =="),
    ("boils", "--where: the condition is a number (boils), neither true nor false; compare it with =="),
    ("ending", "--where: the condition is a label (ending), neither true nor false"),
    ("not boils", "--where: boils is a number (boils), neither true nor false"),
    ("boils and hot", "--where: boils is a number (boils), neither true nor false"),
    ("ending + 1 == 2", "--where: ending + 1: ending is no number"),
    ("-ending == 2", "--where: -ending: only numbers have a sign"),
    ("boils ** 2 == 4", "--where: boils ** 2: arithmetic is + - * / // %"),
    ("(boils == 1) & (turns == 2)", "--where: (boils == 1) & (turns == 2): write and, not &"),
    ("boils == 1 | turns == 2", "--where: 1 | turns: write or, not |"),
    ("~hot", "--where: ~hot: write not"),
    ("boils in ()", "--where: boils in (): nothing stands in the list"),
    ("boils in (turns, 1)", "--where: boils in (turns, 1): in takes a list of values"),
    ("boils in (1, 'x')", "--where: boils in (1, 'x'): boils is a number, not a text"),
    ("boils = 2", "--where boils = 2: not a condition: write == to compare"),
    ("boils == 2 && hot", "--where boils == 2 && hot: not a condition: write and, or, not"),
    ("boils <> 2", "--where boils <> 2: not a condition: write !="),
    ("boils ==", "--where boils ==: not a condition:"),
    ("boils == 1e999", "--where: 1e309: no value a column can have"),
    (f"boils == {10**30}", f"--where: {10**30}: no value a column can have"),
    ("__import__('os').system('true')", "--where: __import__('os').system('true'): write comparisons"),
    ("boils.real == 1", "--where: boils.real: write comparisons"),
    ("[boils for boils in (1, 2)]", "--where: [boils for boils in (1, 2)]: write comparisons"),
    ("(lambda: 1)() == 1", "--where: (lambda: 1)(): write comparisons"),
    ("boils if hot else turns", "--where: boils if hot else turns: write comparisons"),
    ("(boils := 1) == 1", "--where: (boils := 1): write comparisons"),
    ("f'{boils}' == '1'", "--where: f'{boils}': write comparisons"),
    ("boils == 1; turns", "--where boils == 1; turns: not a condition:"),
    ("boils\0 == 1", "--where boils"),
    ("hot and " * 400 + "hot", "--where: more than 300 parts"),
    ("(" * 300 + "hot" + ")" * 300, "--where "),
    ("not " * 900 + "hot", "--where: more than 300 parts"),
    ("hot or " * 4000 + "hot", "--where: longer than 4000 characters"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), REFUSALS, ids=[text[:40].replace("\0", "NUL") for text, _ in REFUSALS])
def test_refuses_in_one_line(text, words):
    with pytest.raises(UsageError) as caught:
        where(text, FRAME.schema)
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)


def test_a_condition_may_be_long_and_deep():
    for text in ("hot or " * 290 + "hot", "not " * 290 + "hot", "boils" + " + 1" * 140 + " == 240"):
        FRAME.filter(where(text, FRAME.schema).expression)
