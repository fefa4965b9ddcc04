"""How long a fault lasts beyond its end, read from a server's log."""

import pytest
from chaos.rounds import longest_pause_s
from tests.support.web import Hit


def _hits(**started_s: list[float]) -> list[Hit]:
    return [
        Hit(host, host, "/", 200, int(at * 1000), int(at * 1000) + 10, 1, 1, "")
        for host, times in started_s.items()
        for at in times
    ]


@pytest.mark.parametrize(
    ("over_s", "hits", "pause_s"),
    [
        pytest.param([10], _hits(a=[9, 10.5, 11]), 0.5, id="from the end of the fault to the next request"),
        pytest.param([10], _hits(a=[9.9, 10.1, 16, 17]), 5.9, id="a request in hand ends no pause"),
        pytest.param([10], _hits(a=[9, 10.5], b=[9, 14]), 4.0, id="the host that waits longest counts"),
        pytest.param([10], _hits(a=[1, 9], b=[9]), 0.0, id="a host that was done has no pause"),
        pytest.param([10, 20], _hits(a=[9, 10.2, 21]), 1.0, id="a later fault answers for its own pause"),
        pytest.param([], _hits(a=[1, 50]), 0.0, id="no fault, no pause"),
    ],
)
def test_the_longest_pause(over_s: list[float], hits: list[Hit], pause_s: float) -> None:
    assert longest_pause_s([at * 1000 for at in over_s], hits) == pytest.approx(pause_s)
