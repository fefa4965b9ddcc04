"""Routes to a server: direct, through an HTTP proxy, through a SOCKS proxy."""

import asyncio
from base64 import b64encode
from socket import socket
from typing import NoReturn, Protocol
from urllib.parse import unquote, urlsplit

from outrider.fetch.answer import ResponseReader, StopReading
from outrider.fetch.connect import connect, connect_within, open_socket
from outrider.fetch.connection import Connection
from outrider.fetch.failures import Problem
from outrider.fetch.guard import BlockedAddress, is_permitted
from outrider.fetch.head import request_bytes
from outrider.fetch.options import FetchOptions
from outrider.fetch.outcome import Failure, Request
from outrider.fetch.resolver import GuardedResolver
from outrider.fetch.target import Origin
from outrider.fetch.tls import Tls

_CONNECT_S = 10.0  # distinguishes a dead proxy from a slow page


class Route(Protocol):
    """How a request reaches its server."""

    async def vet(self, origin: Origin) -> None:
        """Check the address before every request; raises BlockedAddress."""

    async def connect(self, origin: Origin) -> Connection:
        """Open a connection; raises BlockedAddress and Problem."""

    def spell(self, origin: Origin, target: str, lines: str, request: Request) -> bytes:
        """The bytes of the request, in the form that this route needs."""


class DirectRoute:
    """A connection to a checked address of the server itself."""

    def __init__(self, options: FetchOptions, resolver: GuardedResolver, tls: Tls) -> None:
        self._allow = options.allow_private
        self._resolver = resolver
        self._tls = tls

    async def vet(self, origin: Origin) -> None:
        pass  # the address is checked when the connection is made, and does not change

    async def connect(self, origin: Origin) -> Connection:
        addresses = await self._addresses(origin)
        sock = await self._socket(addresses, origin)
        return await connect(
            sock, self._tls.context if origin.scheme == "https" else None, origin.host.rstrip(".")
        )

    def spell(self, origin: Origin, target: str, lines: str, request: Request) -> bytes:
        return request_bytes(
            target, origin.authority, lines, request.form, json=request.json, is_head=request.is_head
        )

    async def _addresses(self, origin: Origin) -> tuple[str, ...]:
        try:
            return await self._resolver.addresses(origin.host)
        except OSError as error:
            raise Problem(Failure.DNS, str(error)) from error

    async def _socket(self, addresses: tuple[str, ...], origin: Origin) -> socket:
        return await open_socket(addresses, origin.port, self._allow)


class SocksRoute(DirectRoute):
    """Through a SOCKS5 proxy, which gets the checked address and never the name."""

    def __init__(self, proxy: str, options: FetchOptions, resolver: GuardedResolver, tls: Tls) -> None:
        super().__init__(options, resolver, tls)
        self._proxy = proxy

    async def _socket(self, addresses: tuple[str, ...], origin: Origin) -> socket:
        if not is_permitted(addresses[0], self._allow):
            raise BlockedAddress(origin.host, addresses[0])
        # Slow to import, and most installations have no proxy.
        from python_socks import ProxyConnectionError, ProxyError, ProxyTimeoutError
        from python_socks.async_.asyncio import Proxy

        try:
            return await Proxy.from_url(self._proxy).connect(addresses[0], origin.port, timeout=_CONNECT_S)
        except (ProxyError, ProxyConnectionError, ProxyTimeoutError, OSError) as error:
            raise Problem(Failure.PROXY, str(error)) from error


class HttpProxyRoute:
    """Through an HTTP proxy: absolute URLs for http, a tunnel for https."""

    def __init__(self, proxy: str, options: FetchOptions, resolver: GuardedResolver, tls: Tls) -> None:
        parts = urlsplit(proxy)
        self._host = parts.hostname or ""
        self._is_secure = parts.scheme == "https"
        self._port = parts.port or (443 if self._is_secure else 80)
        self._credentials = _credentials(parts.username, parts.password)
        self._options = options
        self._resolver = resolver
        self._tls = tls

    async def vet(self, origin: Origin) -> None:
        # The proxy resolves the name itself: only names that resolve to private addresses here are refused.
        await self._resolver.vet(origin.host)

    async def connect(self, origin: Origin) -> Connection:
        connection = await self._reach_or_blame_the_proxy(origin)
        if origin.scheme == "http":
            return connection
        return await connect_within(connection, self._tls.context, origin.host.rstrip("."))

    def spell(self, origin: Origin, target: str, lines: str, request: Request) -> bytes:
        if origin.scheme == "http":
            target, lines = f"http://{origin.authority}{target}", lines + self._credentials
        return request_bytes(
            target, origin.authority, lines, request.form, json=request.json, is_head=request.is_head
        )

    async def _reach_or_blame_the_proxy(self, origin: Origin) -> Connection:
        try:
            async with asyncio.timeout(_CONNECT_S):
                return await self._reach(origin)
        except TimeoutError:
            raise Problem(Failure.PROXY, f"no connection through the proxy in {_CONNECT_S:g} s") from None
        except (Problem, OSError) as error:
            raise Problem(Failure.PROXY, str(error)) from error

    async def _reach(self, origin: Origin) -> Connection:
        """A connection to the proxy, or a TLS connection through it to the server."""
        sock = await open_socket(await self._resolver.look_up(self._host), self._port)
        connection = await connect(sock, self._tls.context if self._is_secure else None, self._host)
        if origin.scheme == "https":
            try:
                await self._open_tunnel(connection, origin)
            except BaseException:
                connection.abort()
                raise
        return connection

    async def _open_tunnel(self, connection: Connection, origin: Origin) -> None:
        place = f"[{origin.host}]:{origin.port}" if ":" in origin.host else f"{origin.host}:{origin.port}"
        answer = ResponseReader(self._options, _stop_at_the_head, asyncio.get_running_loop())
        request = f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n{self._credentials}\r\n"
        await connection.ask(request.encode(), answer)
        if not 200 <= answer.status < 300:
            raise Problem(Failure.PROXY, f"the proxy answered {answer.status}")


def _stop_at_the_head(answer: ResponseReader) -> NoReturn:
    raise StopReading


def _credentials(user: str | None, password: str | None) -> str:
    if user is None:
        return ""
    pair = f"{unquote(user)}:{unquote(password or '')}"
    return f"Proxy-Authorization: Basic {b64encode(pair.encode()).decode()}\r\n"
