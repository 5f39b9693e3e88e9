"""Totals add up: those of a run are the sums of those of any chunks it is cut into, splits by label included."""

from __future__ import annotations

from itertools import pairwise

import pytest

from alchemy_sim.config.load import load
from alchemy_sim.core.game import game
from alchemy_sim.mc.totals import from_json, merge, tally, to_json
from tests.conftest import games


@pytest.mark.parametrize(("name", "players"), [("crucible/mission-04", 4), ("crucible/mission-12", 3)])
def test_totals_are_sums_of_any_chunks(name, players):
    setting = load(name).settings[0]
    crucible = game(setting.game)
    encoded = crucible.encode(setting.config, players, ("thumb",) * players)
    count = games(6000, 30)
    whole = tally(crucible, crucible.simulate(encoded, 3, 0, count))
    merged = {}
    cuts = [0, 1, 3, count // 10, count // 10 + 1, count // 2, count]
    for first, end in pairwise(cuts):
        merged = merge(merged, tally(crucible, crucible.simulate(encoded, 3, first, end - first)))
    assert {key: each for key, each in merged.items() if each.n} == {key: each for key, each in whole.items() if each.n}
    assert from_json(to_json(whole)) == whole
