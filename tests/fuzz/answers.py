"""Answers of a server, byte by byte: an outcome whatever it says, and nothing of it in the next answer."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import get_args

from tests.fuzz.storable import check_storable
from tests.support.hostile import Hostile, Step, page

from outrider.fetch import Fetched, Fetcher, FetchOptions, Outcome, Request
from outrider.fetch.guard import networks_of

OPTIONS = FetchOptions(allow_private=networks_of(["127.0.0.0/8"]), timeout_s=30.0, max_body_bytes=1 << 20)
SHORT_S = 0.02  # half an answer is waited for in vain
LEAVE_S = 1.0
# What it says and then hangs up, and what it says and then waits for more.
ENDINGS: tuple[tuple[Step, ...], ...] = ((), (Step.KEEP,))


@contextmanager
def checking() -> Iterator[Callable[[bytes], None]]:
    """One server and one client for many inputs, most of them on connections that had others before."""
    with asyncio.Runner() as runner:
        server, fetcher = runner.run(_opened())
        numbers = count()
        try:
            yield lambda data: runner.run(_check(data, server, fetcher, numbers))
        finally:
            runner.run(_close(server, fetcher))


async def _opened() -> tuple[Hostile, Fetcher]:
    server = await Hostile().__aenter__()
    server.says("/honest", page(b"honest"), Step.KEEP)
    return server, Fetcher(OPTIONS)


async def _close(server: Hostile, fetcher: Fetcher) -> None:
    await fetcher.close()
    with suppress(TimeoutError):  # after an input that broke something
        async with asyncio.timeout(LEAVE_S):
            await server.until_open(0)
    await server.__aexit__()


async def _check(data: bytes, server: Hostile, fetcher: Fetcher, numbers: Iterator[int]) -> None:
    for ending in ENDINGS:
        url = server.says(f"/{next(numbers)}", data, *ending)
        outcome = await fetcher.fetch(Request(url, timeout_s=SHORT_S))
        assert isinstance(outcome, get_args(Outcome))
        check_storable([getattr(outcome, name, None) for name in ("message", "location", "target")])
        if exchange := getattr(outcome, "exchange", None):
            check_storable(exchange.headers)
        after = await fetcher.fetch(Request(server.url("/honest")))
        assert isinstance(after, Fetched), after
        assert after.body == b"honest", after.body[:200]
        await server.until_open(1)  # that of the honest answer; no other stays behind
