"""One connection: it carries one request at a time and says whether it can be reused."""

import asyncio
import select
import ssl
from math import inf
from typing import cast

from outrider.fetch.answer import ResponseReader
from outrider.fetch.failures import Problem
from outrider.fetch.outcome import Failure


class Connection(asyncio.Protocol):
    """The bytes of one socket, or of TLS over it."""

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
        self._transport = cast(asyncio.Transport, transport)  # uvloop has its own classes
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else None
        self._arrivals.register(transport.get_extra_info("socket").fileno(), select.POLLIN)

    def data_received(self, data: bytes) -> None:
        if self._answer is not None:
            self._answer.feed(data)
        else:
            self._ending = Problem(Failure.PROTOCOL, "the server sent data before a request")
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._ending is None:
            self._ending = Problem(Failure.RESET, "the server closed the connection before a request")
        if self._answer is not None:
            self._answer.lose_connection(exc)
        if self._alarm is not None:
            self._alarm.cancel()

    async def ask(self, request: bytes, answer: ResponseReader) -> None:
        """Send these bytes once and wait for the response; raises the errors of `answer`."""
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
        """Whether the connection can carry another request.

        It cannot when unread data waits: the server closed it, or sent a response without a request.
        """
        return self._ending is None and now < self.idle_until and not self._arrivals.poll(0)

    def _set_alarm(self, answer: ResponseReader) -> None:
        """One timer for many requests: a timer that fires too early costs less than a timer per request."""
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
        """Close the connection at once."""
        self._transport.abort()

    async def secure(self, tls: ssl.SSLContext, name: str) -> "Connection":
        """The same connection with TLS. This object must not be used any more."""
        inside = Connection()
        loop = asyncio.get_running_loop()
        transport = await loop.start_tls(self._transport, inside, tls, server_hostname=name)
        assert transport is not None
        inside.connection_made(transport)
        return inside
