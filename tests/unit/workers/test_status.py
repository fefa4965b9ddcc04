"""What a worker does, and how healthy a pool is."""

from types import SimpleNamespace

import pytest

from outrider.crawl.options import CrawlOptions, read_worker_id
from outrider.workers.figures import PageRate, current_urls
from outrider.workers.status import PoolHealth, WorkerStatus, health_of, status_of
from outrider.workers.worker_name import worker_name

LIVE, SILENT = WorkerStatus.WORKING, WorkerStatus.SILENT


@pytest.mark.parametrize(
    ("figures", "silent_s", "status"),
    [
        ({"hosts": 1}, 0.0, WorkerStatus.WORKING),
        ({"in_flight": 1}, 0.0, WorkerStatus.WORKING),
        ({"hosts": 0, "in_flight": 0}, 10.0, WorkerStatus.IDLE),
        ({}, 0.0, WorkerStatus.IDLE),
        ({"hosts": 3, "stopping": True}, 0.0, WorkerStatus.STOPPING),
        ({"hosts": 3, "stopping": True}, 10.1, WorkerStatus.SILENT),
    ],
)
def test_the_last_heartbeat_says_what_a_worker_does(figures, silent_s, status):
    assert status_of(figures, silent_s) is status


@pytest.mark.parametrize(
    ("workers", "health"),
    [
        ([LIVE], PoolHealth.HEALTHY),
        ([LIVE, WorkerStatus.IDLE, WorkerStatus.STOPPING], PoolHealth.HEALTHY),
        ([LIVE, SILENT], PoolHealth.DEGRADED),
        ([LIVE, SILENT, SILENT], PoolHealth.UNHEALTHY),
        ([SILENT], PoolHealth.UNHEALTHY),
        ([], None),
    ],
)
def test_a_pool_is_healthy_with_all_and_degraded_with_half_of_its_workers(workers, health):
    assert health_of(workers) is health


def test_the_rate_is_that_of_the_last_seconds():
    rate = PageRate()

    assert [rate.after(pages, now) for now, pages in ((0.0, 0), (5.0, 10), (10.0, 20))] == [0.0, 2.0, 2.0]
    assert rate.after(20, 15.0) == 1.0
    assert rate.after(20, 40.0) == 0.0


def test_a_heartbeat_has_a_few_urls_of_bounded_length():
    context = SimpleNamespace(current_urls=dict.fromkeys(range(50), "u" * 1000))

    assert current_urls(context) == ["u" * 300] * 3


@pytest.mark.parametrize(
    ("chosen", "workers", "name"),
    [(None, 1, "7"), ("crawler-a", 1, "crawler-a"), ("crawler-a", 2, "crawler-a-7")],
)
def test_each_worker_has_a_name_of_its_own(chosen, workers, name):
    assert worker_name(CrawlOptions(worker_id=chosen, workers=workers), 7) == name


@pytest.mark.parametrize("text", ["", "a b", "a\n", "x" * 65, "ä"])
def test_a_name_that_cannot_be_a_key_is_refused(text):
    with pytest.raises(ValueError, match="at most 64 letters"):
        read_worker_id(text)
