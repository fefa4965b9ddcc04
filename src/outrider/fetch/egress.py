"""Sends requests: chooses the route and the connection, and keeps or closes the connection afterwards."""

import asyncio
import time
from collections.abc import Awaitable

from outrider.fetch.answer import ResponseReader
from outrider.fetch.connection import Connection
from outrider.fetch.failures import Problem
from outrider.fetch.head import header_lines
from outrider.fetch.headers import keep_alive_s, request_headers, standing_headers
from outrider.fetch.options import FetchOptions
from outrider.fetch.outcome import Failure, Request
from outrider.fetch.pool import Pool
from outrider.fetch.proxies import Rotation
from outrider.fetch.resolver import GuardedResolver
from outrider.fetch.routes import DirectRoute, HttpProxyRoute, Route, SocksRoute
from outrider.fetch.slots import Slots
from outrider.fetch.target import Origin
from outrider.fetch.tls import Tls
from outrider.urls import registrable_domain

_PROXY_WANTS_PASSWORD = 407


class Egress:
    """Sends requests directly, or through proxies in rotation."""

    def __init__(self, options: FetchOptions) -> None:
        self._options = options
        self._standing = standing_headers(options)
        self._standing_lines = header_lines(self._standing, {})
        self._resolver = GuardedResolver(options)
        self._pool = Pool(options.idle_connections)
        self._slots = Slots(options.connections_per_host)
        self._busy: set[Connection] = set()
        self._is_closed = False
        tls = Tls(options)
        self._direct = DirectRoute(options, self._resolver, tls)
        self._by_proxy: dict[str, Route] = {
            proxy: (SocksRoute if proxy.startswith("socks") else HttpProxyRoute)(
                proxy, options, self._resolver, tls
            )
            for proxy in options.proxies_in_use
        }
        sticky_s = options.proxy_sticky_s if options.proxy_pool else 0.0
        self._proxies = (
            Rotation(options.proxies_in_use, rest_s=options.proxy_rest_s, sticky_s=sticky_s)
            if options.proxies_in_use
            else None
        )

    def send(self, request: Request, origin: Origin, target: str, answer: ResponseReader) -> Awaitable[None]:
        """Send one request and await its response; raises BlockedAddress, TimeoutError, errors of `answer`.

        The deadline of the response also covers all waiting before the request is sent.
        """
        if self._proxies is None:
            return self._exchange(self._direct, request, origin, target, answer)
        return self._send_by_one_of(self._proxies, request, origin, target, answer)

    async def close(self) -> None:
        """Close all connections. Requests in progress end as failures."""
        self._is_closed = True
        self._pool.close()
        for connection in self._busy:
            connection.abort()
        await self._resolver.close()

    async def _send_by_one_of(
        self, proxies: Rotation, request: Request, origin: Origin, target: str, answer: ResponseReader
    ) -> None:
        proxy = proxies.choose(registrable_domain(origin.host) or origin.host, time.monotonic())
        way = self._by_proxy[proxy]
        try:
            async with asyncio.timeout_at(answer.deadline):
                await way.vet(origin)
            await self._exchange(way, request, origin, target, answer)
            if answer.status == _PROXY_WANTS_PASSWORD:
                raise Problem(Failure.PROXY, "the proxy wants a password")
        except Problem as problem:
            if problem.failure is Failure.PROXY:
                proxies.failed(proxy, time.monotonic())
            raise

    async def _exchange(
        self, way: Route, request: Request, origin: Origin, target: str, answer: ResponseReader
    ) -> None:
        added = request_headers(request)
        lines = self._standing_lines if added is None else header_lines(self._standing, added)
        key = (way, origin)
        if not self._slots.take(key):
            async with asyncio.timeout_at(answer.deadline):
                await self._slots.wait(key)
        try:
            connection = self._pool.take(key, answer.loop.time())
            if connection is None:
                async with asyncio.timeout_at(answer.deadline):
                    connection = await way.connect(origin)
            self._busy.add(connection)
            try:
                if self._is_closed:
                    raise Problem(Failure.RESET, "the fetcher is closed")
                await connection.ask(way.spell(origin, target, lines, request), answer)
            finally:
                self._busy.discard(connection)
                self._keep_or_end(key, connection, answer)
        finally:
            self._slots.give(key)

    def _keep_or_end(self, key: tuple[Route, Origin], connection: Connection, answer: ResponseReader) -> None:
        idle_s = self._options.keepalive_s
        if (promised_s := keep_alive_s(answer.headers)) is not None:
            # Close before the server does: a request on a closing connection is lost and not repeated.
            idle_s = min(idle_s, promised_s - 1)
        if answer.leaves_connection_good and idle_s > 0 and not self._is_closed:
            self._pool.give(key, connection, answer.loop.time() + idle_s)
        else:
            connection.abort()
