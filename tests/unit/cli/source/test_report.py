"""What is said about a source and its channels, in few words."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.support.sources import watched

from outrider.cli.source.report import channel_state, state_of
from outrider.frontier.model import EntryKind
from outrider.sources.model import ChannelLine, Mode, SourceLine

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
WORKING = SourceLine(watched(searched_at=NOON), 1, 0, 0, None, None, NOON, NOON, pending=1, pages=5)
SILENT = replace(WORKING, feeds=0)
CHANNEL = ChannelLine(
    channel_id=1,
    kind=EntryKind.SITEMAP,
    url="https://blatt.test/sitemap.xml",
    title=None,
    found_by="robots",
    is_candidate=False,
    polls=3,
    items=100_000,
    new_items=200,
    errors=0,
    error_type=None,
    last_error=None,
    interval_s=900,
    polled_at=NOON,
    changed_at=NOON - timedelta(minutes=5),
    disabled_at=None,
    disable_reason=None,
    has_more=False,
    is_cut=False,
    pushed_until=None,
    next_poll_at=NOON,
)


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        (WORKING, "fine"),
        (replace(WORKING, failing=1, failures="not_found"), "1 failing: not found"),
        (SILENT, "no feed or sitemap found: try --mode spider"),
        (replace(SILENT, doubts="forbidden"), "its feed fails: forbidden"),
        (replace(SILENT, failing=1, failures="gone"), "its feed fails: gone"),
        (replace(SILENT, failing=1, failures="robots_blocked"), "its feed is blocked by robots.txt"),
        (
            replace(SILENT, source=watched(searched_at=NOON, search_errors=3, search_notes=["it was down"])),
            "does not answer, tried 3 times",
        ),
        (
            replace(SILENT, source=watched(searched_at=NOON, search_errors=1)),
            "the search for its feeds is not finished",
        ),
        (replace(SILENT, source=watched()), "new: `outrider watch` searches for its feeds"),
        (replace(SILENT, source=watched(mode=Mode.SPIDER)), "fine"),
        (
            replace(WORKING, start_leads_to="https://other.test/"),
            "its start page redirects to https://other.test/: `source edit --url` follows it",
        ),
        (replace(WORKING, source=watched(enabled=False, disable_reason="loud")), "disabled: loud"),
    ],
)
def test_the_state_of_a_source(listed: SourceLine, said: str):
    assert state_of(listed) == said


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({}, "fine, changed 5m ago"),
        ({"changed_at": None}, "fine"),
        ({"pushed_until": NOON + timedelta(hours=1)}, "fine, changed 5m ago, pushed by its hub"),
        ({"has_more": True}, "fine, changed 5m ago, more of it with every poll"),
        (
            {"has_more": True, "is_cut": True},
            "fine, changed 5m ago, more of it with every poll, only its first 100,000 entries are read",
        ),
        ({"errors": 2, "last_error": "it answered 500"}, "2 errors in a row: it answered 500"),
        ({"is_candidate": True}, "not proven yet"),
        ({"polled_at": None}, "not asked yet"),
        (
            {
                "disabled_at": NOON,
                "disable_reason": "robots_blocked",
                "errors": 1,
                "last_error": "blocked by robots.txt (line 2)",
                "next_poll_at": NOON + timedelta(hours=24),
            },
            "blocked by robots.txt (line 2), looked at again 2026-05-02 12:00:00 UTC (in 24 hours)",
        ),
    ],
)
def test_the_state_of_a_channel(facts: dict[str, Any], said: str):
    assert channel_state(replace(CHANNEL, **facts), NOON) == said
