"""The bounds of a request."""

import asyncio

import pytest
from starlette.requests import Request
from starlette.responses import Response

from outrider.web.middleware import request_limits
from outrider.web.middleware.request_limits import RequestLimits

LIMIT = 100


async def _echo(scope, receive, send):
    body = await Request(scope, receive).body()
    await Response(str(len(body)))(scope, receive, send)


async def _status(*chunks, headers=(), path="/x", query=b"", app=_echo):
    """The status of the answer to a request whose body comes in these pieces. None never comes."""
    messages = [
        {"type": "http.request", "body": chunk, "more_body": number < len(chunks)}
        for number, chunk in enumerate(chunks, 1)
    ]
    sent = []

    async def receive():
        message = messages.pop(0) if messages else {"type": "http.disconnect"}
        if message.get("body", b"") is None:
            await asyncio.Event().wait()
        return message

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": list(headers),
    }
    await RequestLimits(app, lambda _: LIMIT)(scope, receive, send)
    return sent[0]["status"]


@pytest.mark.parametrize(
    ("chunks", "status"),
    [((b"x" * 100,), 200), ((b"x" * 101,), 413), ((b"x" * 60, b"x" * 60), 413), ((b"",), 200)],
)
async def test_a_body_over_the_limit_is_refused(chunks, status):
    assert await _status(*chunks) == status


async def test_a_declared_length_over_the_limit_is_refused_before_the_body_is_read():
    assert await _status(None, headers=[(b"content-length", b"101")]) == 413


async def test_a_body_that_never_ends_is_refused(monkeypatch):
    monkeypatch.setattr(request_limits, "READ_TIMEOUT_S", 0.01)
    assert await _status(b"x", None) == 408


@pytest.mark.parametrize(
    ("headers", "query", "status"),
    [
        ([(b"a", b"b")] * 101, b"", 431),
        ([(b"a", b"b" * (64 << 10))], b"", 431),
        ([], b"q=" + b"x" * (16 << 10), 414),
        ([(b"a", b"b")] * 50, b"q=1", 200),
    ],
)
async def test_too_many_headers_and_too_long_addresses_are_refused(headers, query, status):
    assert await _status(b"", headers=headers, query=query) == status
