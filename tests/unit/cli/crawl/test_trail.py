"""What the screen remembers between two looks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from outrider.cli.crawl.trail import SnapshotHistory
from outrider.frontier.model import Totals
from outrider.frontier.stats import Pulse
from outrider.worker_registry.store import RegisteredWorker
from outrider.workers.monitor_queries import RequestIntervals
from outrider.workers.snapshot import Snapshot

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def look(at: float, pages: int = 0, cpu_s: float = 0.0, in_flight: int = 0) -> Snapshot:
    beat = NOON + timedelta(seconds=at)
    return Snapshot(
        at=at,
        totals=Totals(pending=9, others={"pages": pages}),
        pulse=Pulse(1, 0, 0),
        workers=[RegisteredWorker(1, "here", 1, NOON, beat, {"cpu_s": cpu_s, "in_flight": in_flight})],
        next_due_in_s=0,
        pace=RequestIntervals(1, 1),
    )


def test_one_rate_for_each_second_and_a_minute_of_them():
    trail = SnapshotHistory()
    for quarter in range(4 * 90 + 1):
        trail.follow(look(at=quarter / 4, pages=quarter * 2))

    assert len(trail.rates) == 60
    assert set(trail.rates) == {8.0}


def test_a_workers_cpu_is_what_it_used_between_two_beats():
    trail = SnapshotHistory()
    trail.follow(look(at=0, cpu_s=1.0))
    trail.follow(look(at=2, cpu_s=2.5))

    assert trail.cpu == {1: pytest.approx(0.75)}


def test_what_a_worker_used_before_its_first_beat_is_no_share_of_anything():
    trail, first = SnapshotHistory(), look(at=0.1, cpu_s=2.0)
    trail.follow(replace(first, workers=[replace(first.workers[0], beat_at=NOON, stats={})]))
    trail.follow(first)

    assert trail.cpu == {}


def test_a_worker_that_is_gone_uses_nothing():
    trail = SnapshotHistory()
    trail.follow(look(at=0, cpu_s=1.0))
    trail.follow(look(at=1, cpu_s=2.0))
    trail.follow(replace(look(at=2), workers=[]))

    assert trail.cpu == {}


def test_a_reason_that_comes_and_goes_stays_readable():
    trail = SnapshotHistory()
    trail.follow(look(at=1))
    trail.follow(look(at=2, in_flight=1))
    held = trail.waiting
    trail.follow(look(at=4, in_flight=1))

    assert held == "1 host, at 1 request/s"
    assert trail.waiting is None
