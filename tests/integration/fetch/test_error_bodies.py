"""The beginning of an error body, for those who ask for it: it never changes the outcome."""

import pytest
from tests.support.hostile import Step, head

from outrider.fetch import Fetched, Rejected, Request

BODY = b"<title>Just a moment...</title>"


async def test_the_beginning_of_an_error_body_is_kept_on_request(server, fetcher):
    url = server.says("/", head("404 Not Found", content_length=len(BODY)), BODY)

    kept = await fetcher.fetch(Request(url, error_bytes=1000))
    cut = await fetcher.fetch(Request(url, error_bytes=10))
    left = await fetcher.fetch(Request(url))

    assert [each.body for each in (kept, cut, left)] == [BODY, BODY[:10], b""]
    assert all(isinstance(each, Rejected) for each in (kept, cut, left))


@pytest.mark.parametrize(
    "answer",
    [
        head("403 Forbidden", content_encoding="made-up", content_length=5),
        head("403 Forbidden", content_encoding="gzip", content_length=5),
        head("403 Forbidden", content_length=50),
    ],
    ids=["an unknown encoding", "no gzip", "shorter than announced"],
)
async def test_an_error_body_that_cannot_be_read_is_left(server, fetcher, answer):
    outcome = await fetcher.fetch(Request(server.says("/", answer, b"12345"), error_bytes=1000))

    assert isinstance(outcome, Rejected)
    assert outcome.exchange.status == 403


async def test_an_endless_error_body_is_not_awaited(server, fetcher):
    url = server.says("/", head("503 Service Unavailable"), BODY, Step.HANG)

    outcome = await fetcher.fetch(Request(url, error_bytes=1000, timeout_s=60.0))

    assert isinstance(outcome, Rejected)
    assert outcome.body == BODY


async def test_a_page_is_fetched_as_ever(server, fetcher):
    url = server.says("/", head("200 OK", content_length=len(BODY)), BODY)

    outcome = await fetcher.fetch(Request(url, error_bytes=1000))

    assert isinstance(outcome, Fetched)
    assert outcome.body == BODY
