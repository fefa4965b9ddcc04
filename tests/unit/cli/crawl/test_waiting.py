"""The sentence that says why a crawl is not going faster (CAP-08)."""

from datetime import UTC, datetime

import pytest

from outrider.cli.crawl.waiting import waiting_for
from outrider.frontier.model import Totals
from outrider.frontier.stats import HostCounts
from outrider.worker_registry.model import RegisteredWorker
from outrider.workers.monitor_queries import RequestIntervals
from outrider.workers.snapshot import Snapshot

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def look(
    *,
    pending=100,
    leased=4,
    waiting=0,
    broken=0,
    in_flight=0,
    crowded=False,
    due=0.0,
    pace=(1.0, 1.0),
    pages_per_s=4.0,
) -> Snapshot:
    worker = RegisteredWorker(1, "here", 1, NOON, NOON, {"in_flight": in_flight, "crowded": crowded})
    return Snapshot(
        at=10,
        totals=Totals(pending=pending),
        host_counts=HostCounts(leased, waiting, broken),
        workers=[worker],
        next_due_in_s=due,
        pages_per_s=pages_per_s,
        pace=RequestIntervals(*pace),
    )


@pytest.mark.parametrize(
    ("snapshot", "sentence"),
    [
        (look(), "4 hosts, each at 1 request/s"),
        (look(leased=1), "1 host, at 1 request/s"),
        (look(leased=1, waiting=2, pace=(0.5, 10)), "3 hosts, each at 2 requests/s to 1 request every 10 s"),
        (look(leased=0, waiting=1, due=42.0), "nothing is due for another 42 s"),
        (
            look(leased=0, waiting=2, broken=2, due=240.0),
            "nothing is due for another 4 minutes, 2 hosts resting after failures",
        ),
    ],
)
def test_the_hosts_are_the_reason(snapshot, sentence):
    assert waiting_for(snapshot) == sentence


@pytest.mark.parametrize(
    "snapshot",
    [
        pytest.param(look(pending=0), id="nothing is queued"),
        pytest.param(look(crowded=True), id="there are more hosts than lanes"),
        pytest.param(look(in_flight=3), id="most hosts are busy answering"),
        pytest.param(look(pace=(0, 0)), id="no host asks for a pause"),
        pytest.param(look(pace=(0.02, 0.02), pages_per_s=20), id="the pause is too short to explain it"),
        pytest.param(look(leased=0, waiting=0, due=None), id="there is no host"),
    ],
)
def test_the_hosts_are_not_the_reason(snapshot):
    assert waiting_for(snapshot) is None
