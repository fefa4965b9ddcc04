"""What `outrider stats` says of workers that share what they know."""

from datetime import UTC, datetime

import pytest

from outrider.cli.stats import shared_urls_line
from outrider.worker_registry.model import RegisteredWorker

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def _worker(**stats: object) -> RegisteredWorker:
    return RegisteredWorker(1, "here", 7, NOON, NOON, {"pages": 3, **stats})


SHARING = _worker(shared_asked=1_500, shared_known=20, shared_failures=0, shared_away=False)
AWAY = _worker(shared_asked=500, shared_known=0, shared_failures=4, shared_away=True)


@pytest.mark.parametrize(
    ("workers", "told"),
    [
        ([], None),
        ([_worker()], None),
        ([_worker(), SHARING], "20 of 1,500 links known from other workers"),
        ([SHARING, AWAY], "20 of 2,000 links known from other workers; Redis is away for 1 worker"),
    ],
    ids=["nobody there", "nobody shares", "one shares", "Valkey is away"],
)
def test_what_is_shared_and_whether_it_still_is(workers, told):
    assert shared_urls_line(workers) == told
