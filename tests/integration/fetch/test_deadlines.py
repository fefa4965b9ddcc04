"""Every request has its own deadline, whatever it waits for and whichever connection carries it."""

import asyncio
import socket
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from tests.support.hostile import Step, page

from outrider.fetch import Failed, Failure, FetchOptions, Request
from outrider.fetch.answer import ResponseReader
from outrider.fetch.body import Discard
from outrider.fetch.connect import connect


@pytest.mark.parametrize(
    ("first_s", "then_s"), [(0.2, 0.5), (20.0, 0.2)], ids=["later than the one before", "sooner"]
)
async def test_each_request_on_a_kept_connection_has_its_own_deadline(server, fetcher, first_s, then_s):
    loop = asyncio.get_running_loop()
    await fetcher.fetch(Request(server.says("/kept", page(b"abc"), Step.KEEP), timeout_s=first_s))
    started = loop.time()

    outcome = await fetcher.fetch(Request(server.says("/hangs", Step.HANG), timeout_s=then_s))

    assert isinstance(outcome, Failed)
    assert outcome.failure is Failure.TIMEOUT
    assert loop.time() - started >= then_s - 0.01
    assert [seen.connection for seen in server.seen] == [1, 1]


class Timers:
    """The running loop, but its timers go off when the test says so."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._set: list[Callable[[], None]] = []

    def time(self) -> float:
        return self._loop.time()

    def create_future(self) -> asyncio.Future:
        return self._loop.create_future()

    def call_at(self, when: float, callback: Callable[[], None]) -> SimpleNamespace:
        self._set.append(callback)
        return SimpleNamespace(cancel=lambda: self._set.remove(callback))

    def ring(self) -> int:
        """How many were set."""
        ringing, self._set = self._set, []
        for callback in ringing:
            callback()
        return len(ringing)


async def test_a_deadline_of_an_answer_that_came_ends_nothing():
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    loop, timers = asyncio.get_running_loop(), Timers()
    connection = await connect(ours, None, "a.test")

    async def ask() -> int:
        answer = ResponseReader(FetchOptions(), lambda _: Discard(), timers, loop.time() + 20)
        asking = asyncio.create_task(connection.ask(b"?", answer))
        await loop.sock_recv(theirs, 1)
        await loop.sock_sendall(theirs, page(b"abc"))
        await asking
        return answer.status

    with theirs:
        await ask()
        assert timers.ring() == 1

        assert await ask() == 200


async def test_waiting_for_a_connection_counts_and_takes_nothing_from_those_behind(server, make_fetcher):
    fetcher = make_fetcher(connections_per_host=1)
    hanging = asyncio.create_task(fetcher.fetch(Request(server.says("/hangs", Step.HANG), timeout_s=0.6)))
    await server.until_asked()
    url = server.says("/", page(b"abc"), Step.KEEP)

    hurried = fetcher.fetch(Request(url, timeout_s=0.2))
    outcomes = await asyncio.gather(hurried, *(fetcher.fetch(Request(url)) for _ in range(3)), hanging)

    assert [getattr(outcome, "failure", None) for outcome in outcomes] == [
        Failure.TIMEOUT, None, None, None, Failure.TIMEOUT,
    ]  # fmt: skip
    assert [seen.target for seen in server.seen] == ["/hangs", "/", "/", "/"]
