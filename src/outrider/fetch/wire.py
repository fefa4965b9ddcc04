"""Our terms for aiohttp's connections: vetted addresses, bounded heads, few idle ones.

This is the one file that reaches behind aiohttp's public face. What it relies on is shown by the
hostile server in `tests/integration/fetch`.
"""

import asyncio
import functools
import select
import socket
from ssl import SSLContext
from typing import Any

from aiohttp import ClientResponse, TCPConnector
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection
from python_socks import ProxyConnectionError, ProxyError, ProxyTimeoutError
from python_socks.async_.asyncio import Proxy

from outrider.fetch.guard import BlockedAddress, is_permitted
from outrider.fetch.options import FetchOptions
from outrider.fetch.resolver import GuardedResolver

# What may arrive besides the body of a chunked answer: as much as the body, and this. It covers a read-ahead
# that the parser still holds.
_FRAMING_BYTES = 512 * 1024


class HeadTooLarge(Exception):
    """Status line and headers, interim answers included, go beyond the limit."""


class ProxyRefused(Exception):
    """The proxy did not carry the request."""


class MostlyFraming(Exception):
    """The answer is made of chunk headers with next to no content in between."""


class Handler(ResponseHandler):
    """One connection's protocol. It counts what arrives before the final head and around the body.

    A server can send interim answers, headers or chunks of one byte for ever and at full speed;
    the deadline alone would let it have a core for all that time.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, head_bytes: int) -> None:
        super().__init__(loop)
        self._head_bytes = head_bytes
        self._awaits_head = False
        self._received = 0
        self._arrivals = select.poll()
        self._reuse_until = float("inf")
        self.address: str | None = None
        self.broke = False  # ended by an error, not by the server's orderly close

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if peer else None
        self._arrivals.register(transport.get_extra_info("socket").fileno(), select.POLLIN)

    def connection_lost(self, exc: BaseException | None) -> None:
        self.broke = exc is not None
        super().connection_lost(exc)

    def set_response_params(self, **params: Any) -> None:
        self._received = 0
        self._awaits_head = True
        super().set_response_params(**params)

    def feed_data(self, data: Any, size: int = 0) -> None:
        message, _ = data
        if not 100 <= message.code < 200 or message.code == 101:
            self._awaits_head = False
            if self._received > self._head_bytes and self._is_too_large(message.raw_headers):
                self._refuse(HeadTooLarge(f"headers larger than {self._head_bytes} bytes"))
                return
        super().feed_data(data, size)

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        super().data_received(data)
        if self._awaits_head:
            if self._received > self._head_bytes:
                self._refuse(HeadTooLarge(f"headers larger than {self._head_bytes} bytes"))
        elif self._received > _FRAMING_BYTES and self._is_mostly_framing():
            self._refuse(MostlyFraming("more chunk headers than content"))

    def is_connected(self) -> bool:
        """Is this fit for another request?

        Not when something waits to be read: that is a goodbye, or an answer nobody asked for.
        """
        return super().is_connected() and self._loop.time() < self._reuse_until and not self._arrivals.poll(0)

    def reuse_for(self, seconds: float) -> None:
        """Do not send another request on this connection later than that."""
        self._reuse_until = self._loop.time() + seconds

    def _is_too_large(self, headers: tuple[tuple[bytes, bytes], ...]) -> bool:
        return sum(len(name) + len(value) for name, value in headers) > self._head_bytes

    def _is_mostly_framing(self) -> bool:
        payload = self._payload
        return payload is not None and self._received > 2 * payload.total_bytes + _FRAMING_BYTES

    def _refuse(self, reason: Exception) -> None:
        self._awaits_head = False
        self.set_exception(reason)
        if self._payload is not None:
            self._payload.set_exception(reason)
        if self.transport is not None:
            self.transport.abort()


class Response(ClientResponse):
    """An answer that knows which connection it came over, also when that is already back in the pool."""

    handler: Handler

    async def start(self, connection: Connection) -> ClientResponse:
        assert isinstance(connection.protocol, Handler)
        self.handler = connection.protocol
        return await super().start(connection)


class Connector(TCPConnector):
    """Keeps a bounded number of idle connections, and with a resolver connects to vetted addresses only.

    Without one it is for reaching a proxy, which the operator named and which may be anywhere.
    """

    def __init__(self, options: FetchOptions, resolver: GuardedResolver | None, ssl: SSLContext) -> None:
        super().__init__(
            ssl=ssl,
            resolver=resolver,
            use_dns_cache=resolver is None,  # ours has its own
            limit=0,  # the caller's lanes are the limit: waiting here would eat a request's time
            limit_per_host=options.connections_per_host,
            keepalive_timeout=options.keepalive_s,
            socket_factory=functools.partial(_vetted_socket, options) if resolver else None,
        )
        self._most_idle = options.idle_connections
        self._factory: Any = functools.partial(Handler, loop=self._loop, head_bytes=options.head_bytes)

    def _release(self, key: Any, protocol: ResponseHandler, *, should_close: bool = False) -> None:
        super()._release(key, protocol, should_close=should_close)
        # Counted by host, which is the same where a host has one lane.
        if len(self._conns) > self._most_idle:
            for oldest, _ in self._conns.pop(next(iter(self._conns))):
                oldest.close()


class SocksConnector(Connector):
    """Connects through a SOCKS5 proxy, which is told the vetted address and never the name."""

    def __init__(self, options: FetchOptions, resolver: GuardedResolver, proxy: str, ssl: SSLContext) -> None:
        super().__init__(options, resolver, ssl)
        self._allow = options.allow_private
        self._proxy = Proxy.from_url(proxy)

    async def _wrap_create_connection(
        self, *args: Any, addr_infos: Any, req: Any, timeout: Any, client_error: Any = None, **kwargs: Any
    ) -> Any:
        host, port = addr_infos[0][4][:2]
        if not is_permitted(host, self._allow):
            raise BlockedAddress(req.host, host)
        try:
            sock = await self._proxy.connect(host, port, timeout=timeout.sock_connect)
        except (ProxyError, ProxyConnectionError, ProxyTimeoutError) as error:
            raise ProxyRefused(str(error)) from error
        return await self._loop.create_connection(*args, **kwargs, sock=sock)


def _vetted_socket(options: FetchOptions, address: Any) -> socket.socket:
    """The last gate: whatever led here, name or literal, the address is judged at the moment we connect."""
    family, kind, protocol, _, (host, *_) = address
    if not is_permitted(host, options.allow_private):
        raise BlockedAddress(host, host)
    return socket.socket(family, kind, protocol)
