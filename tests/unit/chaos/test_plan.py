"""Which rounds a run has, and that those everybody asks about come first."""

import random

import pytest
from chaos.faults import FAULTS
from chaos.plan import DRIPPING, FIRST, MIXTURE, ROUNDS, SILENT, planned

POSSIBLE = {each.name for each in ROUNDS if each.name not in FAULTS or not FAULTS[each.name].why_not()}


@pytest.mark.parametrize("seed", range(3))
def test_every_round_comes_once_the_promised_ones_first_and_a_mixture_after_them(seed: int) -> None:
    names = [each.name for each in planned(random.Random(seed))[0]]

    promised = POSSIBLE & {*FIRST, DRIPPING.name, SILENT.name}
    assert sorted(names) == sorted(POSSIBLE)
    assert set(names[: len(promised)]) == promised
    assert names[len(promised)] == MIXTURE.name


def test_the_same_seed_gives_the_same_order() -> None:
    assert planned(random.Random(7))[0] == planned(random.Random(7))[0]


def test_only_what_is_asked_for_is_played_and_once() -> None:
    first, then = planned(random.Random(1), ["cut the network"])

    assert [each.name for each in first] == ["cut the network"]
    assert list(then) == []


def test_every_promised_fault_is_one_there_is() -> None:
    assert FAULTS.keys() >= set(FIRST)
