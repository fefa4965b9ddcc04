"""Answers of a server, byte by byte: an outcome whatever it says, and nothing of it in the next answer."""

import asyncio
from typing import get_args

from tests.fuzz.storable import check_storable
from tests.support.hostile import Hostile, Step, page

from outrider.fetch import Fetched, Fetcher, FetchOptions, Outcome, Request
from outrider.fetch.guard import networks_of

OPTIONS = FetchOptions(allow_private=networks_of(["127.0.0.0/8"]), timeout_s=30.0, max_body_bytes=1 << 20)
SHORT_S = 0.1  # half an answer is waited for in vain
# What it says and then hangs up, and what it says and then waits for more.
ENDINGS: tuple[tuple[Step, ...], ...] = ((), (Step.KEEP,))


def check(data: bytes) -> None:
    asyncio.run(_check(data))


async def _check(data: bytes) -> None:
    async with Hostile() as server:
        honest = server.says("/honest", page(b"honest"), Step.KEEP)
        for number, ending in enumerate(ENDINGS):
            fetcher = Fetcher(OPTIONS)
            try:
                url = server.says(f"/{number}", data, *ending)
                outcome = await fetcher.fetch(Request(url, timeout_s=SHORT_S))
                assert isinstance(outcome, get_args(Outcome))
                check_storable([getattr(outcome, name, None) for name in ("message", "location", "target")])
                if exchange := getattr(outcome, "exchange", None):
                    check_storable(exchange.headers)
                after = await fetcher.fetch(Request(honest))
                assert isinstance(after, Fetched), after
                assert after.body == b"honest", after.body[:200]
            finally:
                await fetcher.close()
        await server.until_open(0)
