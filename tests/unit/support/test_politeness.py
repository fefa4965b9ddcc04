from dataclasses import dataclass

import pytest
from tests.support.politeness import violations


@dataclass(frozen=True)
class Seen:
    started_ms: float
    ended_ms: float
    address: str = "127.0.0.2"
    path: str = "/"


@pytest.mark.parametrize(
    ("log", "gaps"),
    [
        pytest.param([], [], id="an empty log is polite"),
        pytest.param([Seen(0, 10)], [], id="one request is polite"),
        pytest.param([Seen(0, 10), Seen(110, 120)], [], id="the delay runs from the end of the answer"),
        pytest.param([Seen(0, 10), Seen(109, 120)], [], id="one millisecond is forgiven"),
        pytest.param([Seen(0, 10), Seen(108, 120)], [98], id="two milliseconds are not"),
        pytest.param([Seen(0, 10), Seen(100, 120)], [90], id="a delay from start to start is too short"),
        pytest.param([Seen(0, 50), Seen(20, 30)], [-30], id="two at once"),
        pytest.param([Seen(0, 500), Seen(20, 30), Seen(200, 210)], [-480, -300], id="a long answer"),
        pytest.param([Seen(108, 120), Seen(0, 10)], [98], id="the order of the log does not matter"),
        pytest.param([Seen(0, 10), Seen(11, 20, address="127.0.0.3")], [], id="hosts are judged apart"),
    ],
)
def test_requests_too_close_are_found(log, gaps):
    assert [found.gap_ms for found in violations(log, lambda address: 0.1)] == gaps


def test_overlap_counts_even_where_no_delay_is_asked():
    found = violations([Seen(0, 50), Seen(49, 60)], lambda address: 0.0)

    assert [violation.overlaps for violation in found] == [True]


def test_each_host_has_its_own_delay():
    log = [Seen(0, 10, address=address) for address in ("slow", "quick")]
    log += [Seen(100, 110, address=address) for address in ("slow", "quick")]

    found = violations(log, {"slow": 1.0, "quick": 0.05}.__getitem__)

    assert [violation.address for violation in found] == ["slow"]
    assert str(found[0]) == "slow: / came too soon after / (90 of 1000 ms)"
