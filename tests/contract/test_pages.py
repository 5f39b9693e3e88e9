"""What every game says about its report page names what the game has."""

from __future__ import annotations

import pytest

from alchemy_sim.core.game import REGISTRY, game
from alchemy_sim.report.runs import headline_split
from tests.toy_game import GAME


@pytest.mark.parametrize("name", dict.fromkeys([*REGISTRY, GAME.name]))
def test_a_page_names_what_the_game_has(name):
    found = game(name)
    breakdowns = {each.name: each for each in found.breakdowns}
    families = headline_split(found)[1]
    assert {each.word for each in found.page.families} <= set(families)
    for section in found.page.sections:
        breakdown = breakdowns[section.by]
        splits = {split.name: split for split in breakdown.splits}
        assert section.splits
        assert {*section.splits, *(each.split for each in section.findings)} <= set(splits)
        assert set(section.names) <= set(breakdown.labels)
        assert section.figure in ("map", "line")
        if section.figure == "map":
            assert {splits[each].unit for each in section.splits} == {"pp"}
        for each in section.findings:
            assert each.count >= 1
            assert each.says.format(label="A", value="B") != each.says
