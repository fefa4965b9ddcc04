"""Every variable of the earlier crawlers is read, or said to be without effect (CFG-02)."""

import re
from pathlib import Path

import pytest

from outrider.settings.foreign import DROPPED, LATER, POSTGRES_PARTS, WITHOUT_EFFECT
from outrider.settings.load import all_declared

OLD_NAMES = (Path(__file__).parent / "old_variables.txt").read_text().split()
ALIASES = [alias for each in all_declared() for alias in each.setting.alias]


@pytest.mark.parametrize("name", OLD_NAMES)
def test_an_old_name_has_exactly_one_fate(name):
    fates = [name in ALIASES, name in POSTGRES_PARTS, name in DROPPED, name in LATER]

    assert sum(fates) == 1


def test_only_names_of_earlier_versions_are_explained():
    assert set(WITHOUT_EFFECT) <= set(OLD_NAMES)
    assert set(ALIASES) <= set(OLD_NAMES)


@pytest.mark.parametrize("reason", sorted(set(WITHOUT_EFFECT.values())))
def test_a_reason_is_a_sentence_that_points_at_settings_that_exist(reason):
    known = {each.setting.env for each in all_declared()}

    assert reason.endswith(".")
    assert set(re.findall(r"OUTRIDER_\w+", reason)) <= known
