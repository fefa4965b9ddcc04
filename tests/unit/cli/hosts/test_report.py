"""What is said about a host: its state, and whose wish its delay is."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from outrider.cli.hosts.report import delay_of, trouble_of
from outrider.hosts.model import BreakerState
from outrider.hosts.options import HostOptions
from outrider.hosts.view import HostView
from outrider.services.hosts.words import state_of

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOST = HostView(
    host_id=1,
    host="a.test",
    first_seen_at=NOON,
    last_fetch_at=None,
    requests=4,
    pages=3,
    errors=0,
    bytes=1,
    busy_ms=8,
    last_status=200,
    last_error=None,
    block_reason=None,
    asked_delay_ms=None,
    delay_ms=1000,
    penalty_ms=0,
    rate_limited=0,
    breaker=BreakerState.CLOSED,
    failures=0,
    robots_failures=0,
    due_at=None,
    next_allowed_at=None,
    is_blocked=False,
    leased_to=None,
)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "nothing queued"),
        ({"due_at": NOON}, "due"),
        ({"due_at": NOON + timedelta(seconds=5)}, "due 2026-05-01 12:00:05 UTC (in 5 s)"),
        ({"leased_to": "worker 3"}, "held by worker 3"),
        ({"is_blocked": True, "block_reason": "owner asked"}, "blocked: owner asked"),
        (
            {"breaker": BreakerState.OPEN, "failures": 5, "due_at": NOON + timedelta(minutes=1)},
            "circuit open after 5 failures, tried again 2026-05-01 12:01:00 UTC (in 60 s)",
        ),
        (
            {"next_allowed_at": NOON + timedelta(hours=6), "last_status": 503},
            "left alone until 2026-05-01 18:00:00 UTC (in 6 hours): it answered 503 and asked for it",
        ),
        (
            {"next_allowed_at": NOON + timedelta(hours=8), "last_status": 429, "rate_limited": 10},
            "left alone until 2026-05-01 20:00:00 UTC (in 8 hours): it answered 429 10 times in a row",
        ),
        (
            {"next_allowed_at": NOON + timedelta(hours=1), "last_status": 500, "robots_failures": 3},
            "left alone until 2026-05-01 13:00:00 UTC (in 60 minutes): its robots.txt cannot be read",
        ),
        ({"next_allowed_at": NOON + timedelta(seconds=1), "last_status": 429}, "nothing queued"),
    ],
)
def test_the_state_of_a_host_is_one_phrase(changes, said):
    assert state_of(replace(HOST, **changes), NOON) == said


@pytest.mark.parametrize(
    ("last_error", "said"),
    [
        (None, None),
        ("rejected", None),
        ("certificate_expired", "its certificate has expired: its owner must renew it"),
    ],
)
def test_the_trouble_with_a_host_is_shown_with_what_to_do(last_error, said):
    assert trouble_of(replace(HOST, last_error=last_error)) == said


@pytest.mark.parametrize(
    ("changes", "robots_s", "said"),
    [
        ({}, None, "1 s between requests (the default)"),
        ({"delay_ms": 5000}, 5.0, "5 s between requests (its robots.txt asks for it)"),
        (
            {"delay_ms": 8000, "asked_delay_ms": 8000},
            5.0,
            "8 s between requests (set with `outrider hosts --delay`)",
        ),
        ({"delay_ms": 250}, None, "250 ms between requests (the crawl asks for it)"),
        (
            {"penalty_ms": 4000},
            None,
            "1 s between requests (the default), and 4 s more for answers of 429",
        ),
        ({"delay_ms": None}, None, "1 request/s, the default"),
    ],
)
def test_a_delay_is_shown_with_its_origin(changes, robots_s, said):
    assert delay_of(replace(HOST, **changes), robots_s, HostOptions()) == said
