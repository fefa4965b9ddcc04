"""The statistics of a discovery method decide how often it is used."""

import pytest

from outrider.watch.channels.model import DiscoveryMethod
from outrider.watch.discovery_stats import MethodStats, interval_factor


@pytest.mark.parametrize(
    ("contested", "won", "expected"),
    [
        pytest.param(0, 0, 1.0, id="nothing to compare with"),
        pytest.param(19, 0, 1.0, id="too little to go by"),
        pytest.param(20, 0, 2.0, id="never first"),
        pytest.param(100, 4, 2.0, id="hardly ever first"),
        pytest.param(100, 5, 1.0, id="sometimes first"),
        pytest.param(100, 79, 1.0, id="often first"),
        pytest.param(100, 80, 0.5, id="nearly always first"),
    ],
)
def test_the_lean_of_a_rung(contested: int, won: int, expected: float):
    assert (
        interval_factor(MethodStats(DiscoveryMethod.FEED, seen=200, first=won, contested=contested, won=won))
        == expected
    )
