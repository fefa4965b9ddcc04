"""Requests made by hand, outside any lane, that still keep each host's delay."""

import time

from outrider.clock import sleep_until
from outrider.fetch import Fetcher, Outcome, Request
from outrider.urls import host_of


class Pacer:
    """Sends requests one after another; the delay runs from the end of a host's previous answer."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._ended: dict[str, float] = {}  # host → when its last answer ended

    async def ask(self, request: Request, delay_s: float) -> Outcome:
        await self.wait_for(host_of(request.url), delay_s)
        return await self.send(request)

    async def wait_for(self, host: str, delay_s: float) -> None:
        """Until the host may be asked."""
        if host in self._ended:
            await sleep_until(self._ended[host] + delay_s)

    async def send(self, request: Request) -> Outcome:
        """At once."""
        try:
            return await self._fetcher.fetch(request)
        finally:
            self.note_answer(host_of(request.url))

    def note_answer(self, host: str) -> None:
        """The host has answered just now, to this program or to another."""
        self._ended[host] = time.monotonic()
