"""One request for each call, over connections that are shared, bounded and given back."""

import asyncio
import gc
import socket

import pytest
from tests.support.hostile import Step, head, page

from outrider.fetch import Failed, Failure, Fetched, FetchOptions, Redirected, Request
from outrider.fetch.answer import ResponseReader
from outrider.fetch.body import Discard
from outrider.fetch.connect import connect
from outrider.fetch.failures import Problem


async def test_a_connection_is_used_again(server, fetcher):
    url = server.says("/", page(b"abc"), Step.KEEP)

    for _ in range(3):
        assert isinstance(await fetcher.fetch(Request(url)), Fetched)

    assert [seen.connection for seen in server.seen] == [1, 1, 1]


@pytest.mark.parametrize("status", ["301 Moved", "404 Not Found", "304 Not Modified"])
async def test_an_answer_whose_body_is_not_wanted_gives_its_connection_back(server, fetcher, status):
    body = b"" if "304" in status else b"x" * 10_000
    url = server.says("/", page(body, status, location="/"), Step.KEEP)

    await fetcher.fetch(Request(url))
    await fetcher.fetch(Request(url))

    assert server.connections == 1


async def test_a_long_body_that_is_not_wanted_ends_the_connection(server, fetcher):
    url = server.says("/", head("302 Found", location="/new", content_length=10_000_000), Step.HANG)

    assert isinstance(await fetcher.fetch(Request(url)), Redirected)

    await server.until_open(0)


async def test_a_server_that_hangs_up_after_its_answer_gets_a_new_connection(server, fetcher):
    url = server.says("/", page(b"abc"))

    for _ in range(3):
        assert isinstance(await fetcher.fetch(Request(url)), Fetched)
        await server.until_open(0)

    assert server.connections == 3


CHUNKS = b"3\r\nabc\r\n0\r\n\r\n"
NOT_GOOD_AGAIN = {
    "it says so": page(b"abc", connection="close"),
    "it speaks HTTP/1.0": b"HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc",
    "a second answer follows": page(b"abc") + page(b"def"),
    "rubbish follows": page(b"abc") + b"\x00\x01",
    "a body follows where none may be": b"HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc",
    "a length stands beside chunks": head(transfer_encoding="chunked", content_length=13) + CHUNKS,
}


@pytest.mark.parametrize("answer", NOT_GOOD_AGAIN.values(), ids=NOT_GOOD_AGAIN)
async def test_a_connection_is_not_used_again_when(server, fetcher, answer):
    odd = server.says("/odd", answer, Step.KEEP)
    fine = server.says("/fine", page(b"fine"), Step.KEEP)

    await fetcher.fetch(Request(odd))
    outcome = await fetcher.fetch(Request(fine))

    assert outcome.body == b"fine"
    assert [seen.connection for seen in server.seen] == [1, 2]


@pytest.mark.parametrize("status", ["200 OK", "404 Not Found"])
async def test_trailers_leave_a_connection_good(server, fetcher, status):
    url = server.says(
        "/", head(status, transfer_encoding="chunked") + CHUNKS[:-2] + b"X: 1\r\n\r\n", Step.KEEP
    )

    await fetcher.fetch(Request(url))
    await fetcher.fetch(Request(url))

    assert server.connections == 1


async def test_a_connection_that_spoke_before_it_was_asked_is_of_no_use():
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    loop = asyncio.get_running_loop()
    connection = await connect(ours, None, "a.test")

    await loop.sock_sendall(theirs, page(b"abc"))
    assert await loop.sock_recv(theirs, 1) == b""

    with theirs, pytest.raises(Problem) as caught:
        await connection.ask(b"", ResponseReader(FetchOptions(), lambda _: Discard(), loop))
    assert caught.value.failure is Failure.PROTOCOL


async def test_a_connection_is_left_before_the_server_leaves_it(server, fetcher):
    url = server.says("/", page(b"abc", keep_alive="timeout=1"), Step.KEEP)

    await fetcher.fetch(Request(url))
    await fetcher.fetch(Request(url))

    assert [seen.connection for seen in server.seen] == [1, 2]


@pytest.mark.parametrize("end", [[], [Step.RESET]], ids=["closed", "broken"])
async def test_a_request_whose_connection_dies_is_not_sent_again(server, fetcher, end):
    kept = server.says("/kept", page(b"abc"), Step.KEEP)
    dying = server.says("/dying", *end)
    await fetcher.fetch(Request(kept))

    on_kept = await fetcher.fetch(Request(dying))
    on_fresh = await fetcher.fetch(Request(dying))

    assert isinstance(on_kept, Failed)
    assert isinstance(on_fresh, Failed)
    assert on_kept.failure is on_fresh.failure is Failure.RESET
    assert [seen.target for seen in server.seen] == ["/kept", "/dying", "/dying"]


async def test_idle_connections_are_bounded_and_the_oldest_goes_first(server, make_fetcher):
    fetcher = make_fetcher(idle_connections=2)
    server.says("/", page(b"abc"), Step.KEEP)
    urls = [server.url("/", host=f"{name}.test") for name in "abcde"]

    for url in urls:
        await fetcher.fetch(Request(url))
    await server.until_open(2)
    await fetcher.fetch(Request(urls[-1]))

    assert server.connections == 5


async def test_connections_to_one_host_are_bounded(server, make_fetcher):
    fetcher = make_fetcher(connections_per_host=3)
    url = server.says("/", page(b"abc"), Step.KEEP)

    outcomes = await asyncio.gather(*(fetcher.fetch(Request(url)) for _ in range(20)))

    assert all(isinstance(outcome, Fetched) for outcome in outcomes)
    assert server.connections <= 3


async def test_an_idle_connection_is_closed_in_time(server, make_fetcher, monkeypatch):
    monkeypatch.setattr("outrider.fetch.pool._SWEEP_S", 0.02)
    fetcher = make_fetcher(keepalive_s=0.05)

    await fetcher.fetch(Request(server.says("/", page(b"abc"), Step.KEEP)))

    await server.until_open(0)


async def test_cancelling_ends_the_connection_and_nothing_else(server, fetcher):
    hanging = server.says("/hangs", head(content_length=10), b"abc", Step.HANG)
    fine = server.says("/fine", page(b"abc"))
    task = asyncio.create_task(fetcher.fetch(Request(hanging)))
    await server.until_asked()

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    await server.until_open(0)
    assert isinstance(await fetcher.fetch(Request(fine)), Fetched)


async def test_closing_closes_idle_connections(server, make_fetcher):
    fetcher = make_fetcher()
    await fetcher.fetch(Request(server.says("/", page(b"abc"), Step.KEEP)))

    await fetcher.close()

    await server.until_open(0)


async def test_closing_ends_requests_under_way_as_failures(server, make_fetcher):
    fetcher = make_fetcher(connections_per_host=1)
    url = server.says("/", Step.HANG)
    under_way = asyncio.create_task(fetcher.fetch(Request(url)))
    in_line = asyncio.create_task(fetcher.fetch(Request(url)))
    await server.until_asked()

    await fetcher.close()

    assert [outcome.failure for outcome in (await under_way, await in_line)] == [Failure.RESET] * 2
    assert len(server.seen) == 1


async def test_an_answer_leaves_nothing_for_the_garbage_collector(server, fetcher):
    url = server.says("/", page(b"abc"), Step.KEEP)
    await fetcher.fetch(Request(url))
    gc.collect()
    gc.disable()
    try:
        for _ in range(20):
            await fetcher.fetch(Request(url))
        left = [thing for thing in gc.get_objects() if type(thing) is ResponseReader]
    finally:
        gc.enable()

    assert left == []


async def test_a_hundred_different_ends_leave_no_task_behind(server, make_fetcher):
    fetcher = make_fetcher(connections_per_host=100)
    whole = page(b"abc", connection="close")
    scripts = [[], [Step.RESET], [Step.HANG], [head(content_length=9), b"abc"], [whole]]
    urls = [server.says(f"/{n}", *scripts[n % len(scripts)]) for n in range(100)]
    before = len(asyncio.all_tasks())

    await asyncio.gather(*(fetcher.fetch(Request(url, timeout_s=0.5)) for url in urls))

    await server.until_open(0)
    assert len(asyncio.all_tasks()) == before
    assert len(server.seen) == 100
