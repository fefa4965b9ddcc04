"""How visits are written down."""

import pytest
from tests.support.make import entry

from outrider.crawl.batch import Batch
from outrider.crawl.records import completion_of, measures_of, note_request, settle_move, successor_of
from outrider.fetch.hops import RedirectPolicy
from outrider.fetch.outcome import (
    Exchange,
    Failed,
    Failure,
    Fetched,
    Outcome,
    Redirected,
    Refusal,
    Refused,
    Rejected,
)
from outrider.frontier.model import EntryKind, UrlOrigin
from outrider.urls import key_of

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"
FETCHED = Fetched(Exchange(A, 200, {}, 7, wire_bytes=500), b"<p>")
MOVED = Redirected(Exchange(A, 301, {}, 7), B, B)
BROKEN = Rejected(Exchange(A, 503, {}, 7, wire_bytes=20))
SILENT = Failed(A, Failure.TIMEOUT, "too slow", 30_000)
REFUSED = Refused(A, Refusal.BLOCKED_ADDRESS, "private")


def noted(outcome: Outcome, **of):
    batch = Batch()
    note_request(batch, entry(A, **({"source_id": 4} | of)), outcome)
    [note] = batch.notes
    return note, {name: count for (_, name), count in batch.counts.items()}


@pytest.mark.parametrize(
    ("outcome", "measures"),
    [
        (FETCHED, (200, 7, 500)),
        (BROKEN, (503, 7, 20)),
        (SILENT, (None, 30_000, 0)),
        (REFUSED, (None, 0, 0)),
    ],
    ids=["fetched", "rejected", "failed", "refused"],
)
def test_what_was_measured(outcome, measures):
    assert measures_of(outcome) == measures


@pytest.mark.parametrize(
    ("outcome", "counts"),
    [
        (FETCHED, {"requests": 1, "bytes": 500, "status.200": 1}),
        (MOVED, {"requests": 1, "status.301": 1}),
        (SILENT, {"requests": 1, "failure.timeout": 1}),
        (REFUSED, {"requests": 1, "failure.blocked_address": 1}),
    ],
    ids=["fetched", "moved", "failed", "refused"],
)
def test_every_request_is_counted_by_what_it_came_to(outcome, counts):
    assert noted(outcome)[1] == counts


@pytest.mark.parametrize(
    ("outcome", "kind", "is_page", "is_error"),
    [
        (FETCHED, EntryKind.PAGE, True, False),
        (FETCHED, EntryKind.ROBOTS, False, False),
        (MOVED, EntryKind.PAGE, False, False),
        (BROKEN, EntryKind.PAGE, False, True),
        (SILENT, EntryKind.PAGE, False, True),
    ],
    ids=["page", "robots.txt", "moved", "broken", "silent"],
)
def test_a_hosts_books_tell_pages_from_errors(outcome, kind, is_page, is_error):
    note, _ = noted(outcome, kind=kind)

    assert (note.is_page, note.is_error) == (is_page, is_error)


def test_a_completion_knows_what_its_entry_knew():
    of = entry(A, source_id=4, fetches=3, priority=8, depth=2, origin=UrlOrigin.FEED)

    done = completion_of(of, BROKEN, reason="http_503", retry_in_s=60, attempts=2)

    assert (done.key, done.source_id, done.fetches, done.priority, done.depth) == (of.key, 4, 3, 8, 2)
    assert (done.status, done.reason, done.retry_in_s, done.attempts) == (503, "http_503", 60, 2)


def test_where_a_redirect_leads_takes_its_place_in_the_queue():
    link = successor_of(entry(A, priority=9, depth=2, source_id=4, origin=UrlOrigin.FEED), B)

    assert (link.url, link.host, link.priority, link.depth, link.source_id) == (B, "b.test", 9, 2, 4)
    assert (link.origin, link.parent, link.hops) == (UrlOrigin.FEED, key_of(A), 1)


def test_a_chain_remembers_its_whole_way():
    first = successor_of(entry(A), B)
    second = successor_of(entry(B, hops=first.hops, via=first.via), C)

    assert second.hops == 2
    assert second.via == f"{key_of(A).hash},{key_of(B).hash}"


@pytest.mark.parametrize(
    ("policy", "reason", "moved_to"),
    [
        (RedirectPolicy.CANONICALISE, None, key_of(B)),
        (RedirectPolicy.DEAD_AND_SUBMIT, "redirect", None),
    ],
)
def test_a_moved_address_becomes_an_alias_or_dies_by_policy(policy, reason, moved_to):
    batch = Batch()
    settle_move(batch, entry(A), B, MOVED, policy)

    [done] = batch.completions.values()
    assert (done.reason, done.moved_to, done.status) == (reason, moved_to, 301)
    assert [link.url for link in batch.links_to_ingest()] == [B]
