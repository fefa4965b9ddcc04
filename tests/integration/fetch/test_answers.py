"""What honest answers become, and what we say to get them."""

import gzip
from datetime import UTC, datetime

import pytest
from tests.support.hostile import Step, head, page

from outrider.clock import FrozenClock
from outrider.fetch import (
    Failed,
    Failure,
    Fetched,
    FetchOptions,
    NotModified,
    Redirected,
    Refusal,
    Refused,
    Rejected,
    Request,
)

NOON = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


async def test_a_page_arrives_with_its_facts(server, fetcher):
    url = server.says("/", page(b"<p>hello", content_type="text/html", etag='"1"', last_modified="yesterday"))

    outcome = await fetcher.fetch(Request(url))

    assert isinstance(outcome, Fetched)
    assert outcome.body == b"<p>hello"
    assert (outcome.content_type, outcome.etag, outcome.last_modified) == ("text/html", '"1"', "yesterday")
    exchange = outcome.exchange
    assert (exchange.url, exchange.status, exchange.wire_bytes) == (url, 200, 8)
    assert exchange.address == "127.0.0.1"
    assert exchange.headers["content-length"] == "8"
    assert exchange.elapsed_ms >= 0


async def test_we_identify_ourselves_and_send_no_more_than_needed(server, fetcher):
    await fetcher.fetch(Request(server.says("/a?b=%2F", page(b""))))

    (seen,) = server.seen
    assert seen.target == "/a?b=%2F"
    assert seen.headers == {
        "host": f"127.0.0.1:{server.port}",
        "user-agent": FetchOptions().agent,
        "accept": "text/html,application/xhtml+xml",
        "accept-encoding": "gzip, deflate, br, zstd",
    }


async def test_a_request_may_add_and_replace_headers(server, fetcher):
    url = server.says("/", page(b""))

    await fetcher.fetch(Request(url, accept="text/plain", headers={"X-Trace": "7"}))

    assert server.seen[0].headers["accept"] == "text/plain"
    assert server.seen[0].headers["x-trace"] == "7"


async def test_validators_travel_there_and_back(server, fetcher):
    url = server.says("/", head("304 Not Modified", etag='"1"'))

    outcome = await fetcher.fetch(Request(url, etag='"1"', last_modified="Sun, 15 Nov 2026 12:00:00 GMT"))

    assert isinstance(outcome, NotModified)
    assert server.seen[0].headers["if-none-match"] == '"1"'
    assert server.seen[0].headers["if-modified-since"] == "Sun, 15 Nov 2026 12:00:00 GMT"


async def test_cookies_are_not_kept(server, fetcher):
    url = server.says("/", page(b"", set_cookie="session=1; Path=/"), Step.KEEP)

    await fetcher.fetch(Request(url))
    await fetcher.fetch(Request(url))

    assert "cookie" not in server.seen[1].headers


@pytest.mark.parametrize("status", ["204 No Content", "205 Reset Content", "200 OK"])
async def test_an_empty_success_is_a_page_without_a_body(server, fetcher, status):
    outcome = await fetcher.fetch(Request(server.says("/", page(b"", status))))

    assert isinstance(outcome, Fetched)
    assert outcome.body == b""


async def test_a_packed_page_is_unpacked_and_counted_as_it_came(server, fetcher):
    text = b"word " * 10_000
    packed = gzip.compress(text)

    outcome = await fetcher.fetch(Request(server.says("/", page(packed, content_encoding="gzip"))))

    assert outcome.body == text
    assert outcome.exchange.wire_bytes == len(packed)


async def test_a_spooled_page_comes_as_a_file(server, fetcher):
    text = b"word " * 200_000

    outcome = await fetcher.fetch(
        Request(server.says("/", page(gzip.compress(text), content_encoding="gzip")), spool=True)
    )

    assert isinstance(outcome, Fetched)
    assert (outcome.body, outcome.file.size) == (b"", len(text))
    with outcome.file.open() as reader:
        assert reader.read() == text


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_reported_and_not_followed(server, fetcher, status):
    url = server.says("/old", page(b"moved", f"{status} Moved", location="new/?b=1#part"))

    outcome = await fetcher.fetch(Request(url))

    assert isinstance(outcome, Redirected)
    assert outcome.location == "new/?b=1#part"
    assert outcome.follow == server.url("/new/?b=1")
    assert outcome.target == server.url("/new?b=1")
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("location", "path"),
    [
        pytest.param(b"/caf\xc3\xa9", "/caf%C3%A9", id="UTF-8"),
        pytest.param(b"/caf\xe9", "/caf%C3%A9", id="Latin-1"),
        pytest.param(b"/a b", "/a%20b", id="a space"),
        pytest.param(b"/caf%e9", "/caf%e9", id="an escape is left alone"),
    ],
)
async def test_a_location_is_read_as_browsers_read_it(server, fetcher, location, path):
    url = server.says("/", b"HTTP/1.1 301 Moved\r\nLocation: " + location + b"\r\nContent-Length: 0\r\n\r\n")

    assert (await fetcher.fetch(Request(url))).follow == server.url(path)


@pytest.mark.parametrize("location", [None, "", "mailto:me@a.test", "http://u:p@a.test/", "http://[/"])
async def test_a_redirect_to_nowhere_says_why(server, fetcher, location):
    headers = {} if location is None else {"location": location}
    url = server.says("/", page(b"", "302 Found", **headers))

    outcome = await fetcher.fetch(Request(url))

    assert isinstance(outcome, Redirected)
    assert (outcome.target, outcome.follow) == (None, None)
    assert outcome.why


@pytest.mark.parametrize("status", [300, 305, 400, 401, 403, 404, 410, 429, 451, 500, 503, 599, 999])
async def test_any_other_answer_is_a_rejection_with_its_status(server, fetcher, status):
    outcome = await fetcher.fetch(Request(server.says("/", page(b"no", f"{status} No"))))

    assert isinstance(outcome, Rejected)
    assert outcome.exchange.status == status
    assert outcome.retry_after_s is None


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("120", 120), ("Sun, 15 Nov 2026 12:01:00 GMT", 60), ("999999", 604_800), ("-1", None), ("later", None)],
)
async def test_retry_after_is_read_in_both_forms_and_capped(server, make_fetcher, value, seconds):
    fetcher = make_fetcher(clock=FrozenClock(NOON))
    url = server.says("/", page(b"", "503 Busy", retry_after=value))

    assert (await fetcher.fetch(Request(url))).retry_after_s == seconds


async def test_a_request_may_have_limits_of_its_own(server, fetcher):
    url = server.says("/", page(b"x" * 2000), Step.KEEP)

    within = await fetcher.fetch(Request(url, max_bytes=2000))
    beyond = await fetcher.fetch(Request(url, max_bytes=1999))
    cut = await fetcher.fetch(Request(url, max_bytes=10, truncate=True))

    assert isinstance(within, Fetched)
    assert isinstance(beyond, Failed)
    assert (beyond.failure, beyond.status) == (Failure.TOO_LARGE, 200)
    assert cut.body == b"x" * 10


@pytest.mark.parametrize(
    "url",
    [
        "",
        "a.test",
        "ftp://a.test/",
        "file:///etc/passwd",
        "http://",
        "http:///x",
        "http://a.test/a b",
        "http://a.test/\r\nX: y",
        "http://a.test/é",
        "http://u:p@a.test/",
        "http://a\\b/",
        "http://a.test:99999/",
        "http://a.test:port/",
        "http://[::1",
        "http://a.test/\ud800",
    ],
)
async def test_what_is_not_a_url_is_refused_without_a_request(server, fetcher, url):
    outcome = await fetcher.fetch(Request(url))

    assert isinstance(outcome, Refused)
    assert outcome.refusal is Refusal.INVALID_URL
    assert server.connections == 0
