"""What a server's log says about promises that faults put to the test."""

import pytest
from chaos.faults import FAULTS, Strike
from chaos.promises import was_passed_on
from tests.support.web import Hit


def _hit(at_s: float) -> Hit:
    return Hit("127.0.0.2", "127.0.0.2", "/p/1", 200, int(at_s * 1000), int(at_s * 1000) + 50, 1, 1, "")


def _strike(name: str, began_s: float, over_s: float) -> Strike:
    return Strike(FAULTS[name], began_s * 1000, over_s * 1000)


@pytest.mark.parametrize(
    ("strike", "answered_s", "is_excused"),
    [
        pytest.param(_strike("freeze a worker", 10, 19), [9, 17], True, id="others had the host meanwhile"),
        pytest.param(_strike("freeze a worker", 10, 19), [2, 3], False, id="long before"),
        pytest.param(_strike("freeze a worker", 10, 19), [30, 31], False, id="long after"),
        pytest.param(_strike("lock the documents", 10, 11), [10, 10.4], False, id="no lease ends so soon"),
    ],
)
def test_a_page_is_written_down_twice_only_where_a_host_can_have_passed_to_others(
    strike: Strike, answered_s: list[float], is_excused: bool
) -> None:
    assert was_passed_on([_hit(at) for at in answered_s], [strike]) is is_excused
