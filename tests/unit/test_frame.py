"""Outcome columns as a table and back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from alchemy_sim.config.load import Experiment, Setting
from alchemy_sim.mc.frame import FACTS, shared_columns, to_frame, to_outcomes
from alchemy_sim.mc.plan import cells
from tests.toy_game import ENDINGS, GAME, CoinsConfig

SEED = 2**64 - 1


@pytest.fixture
def both():
    return cells(Experiment("coins", "", (Setting("coins", "coins", CoinsConfig()),), None, None))


def frame_of(cell, both, first=5, count=1000):
    outcomes = GAME.simulate(cell.encoded, SEED, first, count)
    return outcomes, to_frame(cell, SEED, first, outcomes, shared_columns(both, GAME), ["coins", "other"])


def test_facts_stand_first_and_types_are_a_readers(both):
    _, frame = frame_of(both[0], both)
    assert tuple(frame.columns[:5]) == FACTS
    assert frame["game"].to_list() == list(range(5, 1005))
    assert frame.row(0)[:5] == (5, 0, "coins", 2, SEED)
    assert frame.schema["ending"] == pl.Enum(ENDINGS)
    assert frame.schema["hot"] == pl.Boolean
    assert frame.schema["tosses"] == pl.Int16
    assert frame.schema["config"] == pl.Enum(["coins", "other"])


def test_values_are_those_of_the_kernel(both):
    outcomes, frame = frame_of(both[1], both)
    assert frame["ending"].to_list() == [ENDINGS[value] for value in outcomes["ending"]]
    assert frame["first_head"].to_list() == [None if value == -1 else value for value in outcomes["first_head"]]
    assert frame["first_head"].null_count() > 0
    assert frame["hot"].to_list() == [bool(value) for value in outcomes["hot"]]


def test_all_cells_have_one_schema_with_nulls_where_a_column_is_absent(both):
    (_, two), (_, three) = (frame_of(cell, both) for cell in both)
    assert two.schema == three.schema
    assert two["heads_2"].null_count() == two["policy_2"].null_count() == len(two)
    assert "heads_2" not in [column.name for column in shared_columns(both[:1], GAME)]


@pytest.mark.parametrize("index", [0, 1])
def test_there_and_back(both, index):
    outcomes, frame = frame_of(both[index], both)
    back = to_outcomes(GAME, frame)
    for name, values in outcomes.items():
        assert back[name].dtype == values.dtype
        np.testing.assert_array_equal(back[name], values)
    # an absent nullable column reads as absent in every row, an absent other one is left out
    assert set(back) - set(outcomes) == ({"policy_2"} if index == 0 else set())


def test_absent_labels_are_null_not_the_last_label(both):
    outcomes, _ = frame_of(both[0], both)
    column = replace(GAME.columns[0], nullable=True)
    outcomes["ending"] = np.array([-1, 0, 2] + [1] * 997, np.int8)
    frame = to_frame(both[0], 1, 0, outcomes, [column], ["coins"])
    assert frame["ending"].to_list()[:3] == [None, "win", "some_tails"]


def test_strided_columns_are_taken_as_they_are(both):
    records = np.zeros(50, [("a", np.int8), ("tosses", np.int16)])
    records["tosses"] = np.arange(50)
    column = next(column for column in GAME.columns if column.name == "tosses")
    frame = to_frame(both[0], 1, 0, {"tosses": records["tosses"]}, [column], ["coins"])
    assert frame["tosses"].to_list() == list(range(50))
