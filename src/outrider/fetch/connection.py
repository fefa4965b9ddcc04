"""One connection: it carries one request at a time, and knows whether it is fit for another."""

import asyncio
import select
import ssl
from math import inf
from typing import cast

from outrider.fetch.answer import ResponseReader
from outrider.fetch.failures import Problem
from outrider.fetch.outcome import Failure


class Connection(asyncio.Protocol):
    """The bytes of one socket, or of TLS on it."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport
        self._answer: ResponseReader | None = None
        self._ending: Problem | None = None
        self._arrivals = select.poll()
        self._alarm: asyncio.TimerHandle | None = None
        self._rings_at = inf
        self._address: str | None = None
        self.idle_until = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's only look like one
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else None
        self._arrivals.register(transport.get_extra_info("socket").fileno(), select.POLLIN)

    def data_received(self, data: bytes) -> None:
        if self._answer is not None:
            self._answer.feed(data)
        else:
            self._ending = Problem(Failure.PROTOCOL, "the server spoke before it was asked")
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._ending is None:
            self._ending = Problem(Failure.RESET, "the server closed the connection before it was asked")
        if self._answer is not None:
            self._answer.lose_connection(exc)
        if self._alarm is not None:
            self._alarm.cancel()

    async def ask(self, request: bytes, answer: ResponseReader) -> None:
        """Send these bytes, once, and wait for what they bring; raises what `answer` does."""
        if self._ending is not None:
            raise self._ending
        self._answer = answer
        answer.address = self._address
        self._set_alarm(answer)
        try:
            self._transport.write(request)
            await answer.arrive()
        finally:
            self._answer = None

    def is_fit(self, now: float) -> bool:
        """May this carry another request?

        Not when something waits to be read: that is a goodbye, or an answer nobody asked for.
        """
        return self._ending is None and now < self.idle_until and not self._arrivals.poll(0)

    def _set_alarm(self, answer: ResponseReader) -> None:
        """One timer for many requests: an alarm that rings too soon costs less than setting it for each."""
        if answer.deadline < self._rings_at:
            if self._alarm is not None:
                self._alarm.cancel()
            self._rings_at = answer.deadline
            self._alarm = answer.loop.call_at(answer.deadline, self._ring)

    def _ring(self) -> None:
        rang_at, self._rings_at, self._alarm = self._rings_at, inf, None
        if self._answer is None:
            return
        if self._answer.deadline <= rang_at:
            self._answer.run_out_of_time()
        else:
            self._set_alarm(self._answer)

    def abort(self) -> None:
        """Hang up at once."""
        self._transport.abort()

    async def secure(self, tls: ssl.SSLContext, name: str) -> "Connection":
        """The same connection with TLS on top. This one is of no more use."""
        inside = Connection()
        loop = asyncio.get_running_loop()
        transport = await loop.start_tls(self._transport, inside, tls, server_hostname=name)
        assert transport is not None
        inside.connection_made(transport)
        return inside
