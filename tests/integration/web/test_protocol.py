"""Slow and oversized requests on a real socket: they are ended, and hold nothing."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from starlette.requests import Request
from starlette.responses import Response

from outrider.settings import load
from outrider.web.listen import listen
from outrider.web.process import ApiServer, server_config
from outrider.web.protocol import Bounds

QUICK = Bounds(read_s=0.3, write_s=0.3, idle_s=1, head_bytes=4096, headers=20)


async def echo(scope, receive, send):
    """Answers with the size of the body, or with a large body."""
    request = Request(scope, receive)
    size = len(await request.body())
    body = b"x" * 50_000_000 if scope["path"] == "/large" else str(size).encode()
    await Response(body)(scope, receive, send)


@asynccontextmanager
async def serving_with(bounds: Bounds):
    sockets = listen("127.0.0.1", 0)
    server = ApiServer(server_config(echo, load({}, config=None).settings, bounds))
    task = asyncio.create_task(server.serve(sockets=sockets))
    try:
        yield sockets[0].getsockname()[1], server
    finally:
        server.should_exit = True
        await task


async def exchange(port: int, *parts: bytes) -> bytes:
    """Send the parts, then read until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
        async with asyncio.timeout(30):
            return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


@pytest.mark.parametrize(
    ("parts", "status"),
    [
        pytest.param([], b"408", id="nothing"),
        pytest.param([b"GET / HTTP/1.1\r\nHost: a"], b"408", id="half a head"),
        pytest.param(
            [b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"], b"408", id="half a body"
        ),
    ],
)
async def test_a_slow_request_is_ended(parts, status):
    async with serving_with(QUICK) as (port, server):
        answer = await exchange(port, *parts)
        while server.server_state.connections:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    assert answer[9:12] == status


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(b"X-Long: " + b"a" * 9_000, id="a header without an end"),
        pytest.param(b"X-Long: " + b"a" * 5_000 + b"\r\n\r\n", id="a large header"),
        pytest.param(b"".join(b"X-%d: a\r\n" % each for each in range(50)) + b"\r\n", id="many headers"),
    ],
)
async def test_a_large_head_is_refused(head):
    async with serving_with(Bounds(head_bytes=4096, headers=20)) as (port, _):
        answer = await exchange(port, b"GET / HTTP/1.1\r\nHost: a\r\n" + head)

    assert answer.startswith(b"HTTP/1.1 431 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "head_too_large"


async def test_what_is_no_http_gets_400_in_our_shape():
    async with serving_with(QUICK) as (port, _):
        answer = await exchange(port, b"\x16\x03\x01 hello\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "bad_request"


async def test_a_client_that_reads_nothing_is_dropped():
    async with serving_with(QUICK) as (port, server):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
        writer.write(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        await writer.drain()
        async with asyncio.timeout(30):
            while not server.server_state.connections:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            while server.server_state.connections:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        writer.close()
        del reader


async def test_requests_of_one_connection_with_pauses_are_answered():
    bounds = Bounds(read_s=30, head_bytes=300, headers=20)
    body = b"b" * 1_000
    async with serving_with(bounds) as (port, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(5):
            head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n"
            writer.write(head + body)
            answer = await reader.readuntil(b"\r\n\r\n1000")
            assert answer.startswith(b"HTTP/1.1 200")
        writer.close()
