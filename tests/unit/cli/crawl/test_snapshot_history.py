"""What the screen remembers between two looks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from outrider.cli.crawl.snapshot_history import SnapshotHistory
from outrider.frontier.model import Totals
from outrider.frontier.stats import HostCounts
from outrider.worker_registry.model import RegisteredWorker
from outrider.workers.monitor_queries import RequestIntervals
from outrider.workers.snapshot import Snapshot

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def look(at: float, pages: int = 0, cpu_s: float = 0.0, in_flight: int = 0) -> Snapshot:
    beat = NOON + timedelta(seconds=at)
    return Snapshot(
        at=at,
        totals=Totals(pending=9, others={"pages": pages}),
        host_counts=HostCounts(1, 0, 0),
        workers=[RegisteredWorker(1, "here", 1, NOON, beat, {"cpu_s": cpu_s, "in_flight": in_flight})],
        next_due_in_s=0,
        pace=RequestIntervals(1, 1),
    )


def test_one_rate_for_each_second_and_a_minute_of_them():
    history = SnapshotHistory()
    for quarter in range(4 * 90 + 1):
        history.add(look(at=quarter / 4, pages=quarter * 2))

    assert len(history.rates) == 60
    assert set(history.rates) == {8.0}


def test_a_workers_cpu_is_what_it_used_between_two_beats():
    history = SnapshotHistory()
    history.add(look(at=0, cpu_s=1.0))
    history.add(look(at=2, cpu_s=2.5))

    assert history.cpu == {1: pytest.approx(0.75)}


def test_what_a_worker_used_before_its_first_beat_is_no_share_of_anything():
    history, first = SnapshotHistory(), look(at=0.1, cpu_s=2.0)
    history.add(replace(first, workers=[replace(first.workers[0], beat_at=NOON, stats={})]))
    history.add(first)

    assert history.cpu == {}


def test_a_worker_that_is_gone_uses_nothing():
    history = SnapshotHistory()
    history.add(look(at=0, cpu_s=1.0))
    history.add(look(at=1, cpu_s=2.0))
    history.add(replace(look(at=2), workers=[]))

    assert history.cpu == {}


def test_a_reason_that_comes_and_goes_stays_readable():
    history = SnapshotHistory()
    history.add(look(at=1))
    history.add(look(at=2, in_flight=1))
    held = history.waiting
    history.add(look(at=4, in_flight=1))

    assert held == "1 host, at 1 request/s"
    assert history.waiting is None
