"""HEAD: the outcome of a GET without its body, whatever the server announces or sends."""

import asyncio

import pytest
from tests.support.hostile import Drip, Hostile, Step, head, page

from outrider.fetch import Failed, Failure, Fetched, NotModified, Redirected, Rejected, Request

FAKE = page(b"poison", x_poison="1")
CHUNKS = b"%x\r\n%b\r\n0\r\n\r\n" % (len(FAKE), FAKE)


async def test_a_head_request_brings_headers_and_no_body(server, fetcher):
    url = server.says("/", head(content_length=5000, content_type="text/html", etag='"a"'), Step.HANG)

    outcome = await fetcher.fetch(Request(url, is_head=True))

    assert isinstance(outcome, Fetched)
    assert (outcome.body, outcome.content_type, outcome.etag) == (b"", "text/html", '"a"')
    assert outcome.exchange.headers["content-length"] == "5000"
    assert [(seen.method, seen.body) for seen in server.seen] == [("HEAD", b"")]


AWAITED_BY_A_GET = {
    "a length": head(content_length=5000),
    "more than any limit": head(content_length=10**15),
    "chunks": head(transfer_encoding="chunked"),
    "no length": head(),
    "an encoding that is not known": head(content_encoding="made-up", content_length=10),
    "an interim answer first": b"HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + head(content_length=9),
}


@pytest.mark.parametrize("answer", AWAITED_BY_A_GET.values(), ids=AWAITED_BY_A_GET)
async def test_no_body_is_awaited_whatever_the_headers_say(server, fetcher, monkeypatch, answer):
    monkeypatch.setattr("outrider.fetch.answer._PATIENCE_S", 1000.0)  # for bodies that are not wanted
    request = Request(server.says("/", answer, Step.HANG), is_head=True, timeout_s=1000.0)

    async with asyncio.timeout(60):
        outcome = await fetcher.fetch(request)

    assert isinstance(outcome, Fetched)
    assert outcome.body == b""


@pytest.mark.parametrize("status", ["405 Method Not Allowed", "501 Not Implemented", "404 Not Found"])
async def test_a_server_that_refuses_head_has_answered(server, fetcher, status):
    url = server.says("/", head(status, content_length=100), Step.HANG)

    outcome = await fetcher.fetch(Request(url, is_head=True))

    assert isinstance(outcome, Rejected)
    assert outcome.exchange.status == int(status[:3])


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See", "307 Temporary", "308 Permanent"])
async def test_a_redirect_is_followed_by_another_head(server, fetcher, status):
    server.says("/new", head(content_length=7), Step.HANG)
    request = Request(server.says("/old", head(status, location="/new", content_length=162)), is_head=True)

    moved = await fetcher.fetch(request)
    assert isinstance(moved, Redirected)
    assert moved.follow is not None
    outcome = await fetcher.fetch(request._replace(url=moved.follow))

    assert isinstance(outcome, Fetched)
    assert [(seen.method, seen.target) for seen in server.seen] == [("HEAD", "/old"), ("HEAD", "/new")]


async def test_validators_are_sent_with_a_head_request(server, fetcher):
    url = server.says("/", head("304 Not Modified"), Step.KEEP)

    outcome = await fetcher.fetch(Request(url, etag='"a"', is_head=True))

    assert isinstance(outcome, NotModified)
    assert server.seen[0].headers["if-none-match"] == '"a"'


SENDS_A_BODY = {
    "with the headers": [head(content_length=len(FAKE)) + FAKE, Step.KEEP],
    "after the headers": [head(content_length=len(FAKE)), FAKE, Step.KEEP],
    "in chunks": [
        head(transfer_encoding="chunked") + b"%x\r\n%b\r\n0\r\n\r\n" % (len(FAKE), FAKE),
        Step.KEEP,
    ],
    "after a length of zero": [head(content_length=0) + FAKE, Step.KEEP],
    "after 204": [head("204 No Content") + FAKE, Step.KEEP],
    "after an error": [head("404 Not Found", content_length=len(FAKE)) + FAKE, Step.KEEP],
    "without end": [head(content_length=10**9), Drip(FAKE)],
}


@pytest.mark.parametrize("script", SENDS_A_BODY.values(), ids=SENDS_A_BODY)
async def test_a_body_that_is_sent_all_the_same_is_not_the_answer_to_the_next_request(
    server, fetcher, script
):
    asked = server.says("/", *script)
    true = server.says("/true", page(b"true"), Step.KEEP)

    await fetcher.fetch(Request(asked, is_head=True))
    for _ in range(3):
        outcome = await fetcher.fetch(Request(true))
        assert isinstance(outcome, Fetched)
        assert outcome.body == b"true"
        assert "x-poison" not in outcome.exchange.headers


async def test_a_body_that_comes_late_finds_no_connection(fetcher):
    """The server waits with the body until the next request is there: no moment of silence is long enough."""
    served = []

    async def serve(reader, writer):
        request = await reader.readuntil(b"\r\n\r\n")
        served.append(request.split(b" ")[0])
        if request.startswith(b"HEAD"):
            writer.write(head(content_length=len(FAKE)))
            await writer.drain()
            if await reader.read(1):  # the first byte of another request on this connection
                writer.write(FAKE)
        else:
            writer.write(page(b"true", connection="close"))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    await fetcher.fetch(Request(url, is_head=True))
    outcome = await fetcher.fetch(Request(url))
    server.close()

    assert isinstance(outcome, Fetched)
    assert outcome.body == b"true"
    assert served == [b"HEAD", b"GET"]


@pytest.mark.parametrize(
    "answer",
    [head(content_length=0), head("204 No Content"), head("304 Not Modified")],
    ids=["no bytes", "204", "304"],
)
async def test_an_answer_without_a_body_leaves_its_connection_good(server, fetcher, answer):
    url = server.says("/", answer, Step.KEEP)

    for _ in range(3):
        await fetcher.fetch(Request(url, is_head=True))

    assert server.connections == 1


async def test_a_head_request_has_the_deadline_of_a_page(server, fetcher):
    outcome = await fetcher.fetch(Request(server.says("/", Step.HANG), is_head=True, timeout_s=0.2))

    assert isinstance(outcome, Failed)
    assert outcome.failure is Failure.TIMEOUT


async def test_a_head_request_goes_through_the_proxy(make_fetcher):
    async with Hostile() as proxy:
        proxy.says("http://a.test/", head(content_length=9), Step.HANG)

        outcome = await make_fetcher(proxies=(f"http://127.0.0.1:{proxy.port}",)).fetch(
            Request("http://a.test/", is_head=True)
        )

        assert isinstance(outcome, Fetched)
        assert [seen.method for seen in proxy.seen] == ["HEAD"]


async def test_no_spool_is_made_for_a_body_that_does_not_come(server, fetcher):
    outcome = await fetcher.fetch(Request(server.says("/", head(), Step.HANG), is_head=True, spool=True))

    assert isinstance(outcome, Fetched)
    assert outcome.file is None
