"""The ways out of this machine: directly, or through proxies in turn."""

import asyncio
import time
from collections.abc import Mapping

import aiohttp
from yarl import URL

from outrider.fetch.failures import failure_of
from outrider.fetch.headers import standing_headers
from outrider.fetch.options import FetchOptions
from outrider.fetch.outcome import Failure
from outrider.fetch.proxies import Rotation
from outrider.fetch.resolver import GuardedResolver
from outrider.fetch.tls import tls_context
from outrider.fetch.wire import Connector, ProxyRefused, Response, SocksConnector
from outrider.urls import registrable_domain

_PROXY_CONNECT_S = 10.0  # so that a dead proxy is told from a slow page
_DIRECT = ""


class Egress:
    """Sends requests. Sessions are made when first needed, in the event loop that uses them."""

    def __init__(self, options: FetchOptions) -> None:
        self._options = options
        self._tls = tls_context(options)
        self._headers = standing_headers(options)
        self._resolver = GuardedResolver(options)
        self._sessions: dict[str, aiohttp.ClientSession] = {}
        sticky_s = options.proxy_sticky_s if options.proxy_pool else 0.0
        self._proxies = (
            Rotation(options.proxies, rest_s=options.proxy_rest_s, sticky_s=sticky_s)
            if options.proxies
            else None
        )

    async def send(
        self, url: URL, headers: Mapping[str, str] | None, form: Mapping[str, str] | None = None
    ) -> Response:
        """Send one GET, or one POST where there is a form, and return when the head of the answer is here."""
        if self._proxies is None:
            return await self._request(_DIRECT, url, headers, form)
        host = url.raw_host or ""
        proxy = self._proxies.choose(registrable_domain(host) or host, time.monotonic())
        try:
            return await self._send_through(proxy, url, headers, form)
        except Exception as error:
            if failure_of(error) is Failure.PROXY:
                self._proxies.failed(proxy, time.monotonic())
            raise

    async def close(self) -> None:
        await asyncio.gather(*(session.close() for session in self._sessions.values()))
        await self._resolver.close()

    async def _send_through(
        self, proxy: str, url: URL, headers: Mapping[str, str] | None, form: Mapping[str, str] | None
    ) -> Response:
        try:
            response = await self._request(proxy, url, headers, form)
        except aiohttp.ConnectionTimeoutError as error:
            raise ProxyRefused(f"no connection through the proxy in {_PROXY_CONNECT_S:g} s") from error
        except aiohttp.ClientConnectorDNSError as error:
            if proxy.startswith("http"):
                raise ProxyRefused("the proxy's own name is unknown") from error
            raise
        if response.status == 407:
            response.close()
            raise ProxyRefused("the proxy wants a password")
        return response

    async def _request(
        self, way: str, url: URL, headers: Mapping[str, str] | None, form: Mapping[str, str] | None
    ) -> Response:
        session = self._sessions.get(way)
        if session is None:
            session = self._sessions[way] = self._new_session(way)
        proxy = None
        if way.startswith("http"):
            # The proxy looks the name up for itself: we can only refuse what we see pointing inside.
            await self._resolver.vet(url.raw_host or "")
            proxy = way
        method = "GET" if form is None else "POST"
        response = await session.request(
            method, url, headers=headers, data=form, allow_redirects=False, proxy=proxy
        )
        assert isinstance(response, Response)
        return response

    def _new_session(self, way: str) -> aiohttp.ClientSession:
        session = aiohttp.ClientSession(
            connector=self._new_connector(way),
            headers=self._headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(sock_connect=_PROXY_CONNECT_S if way else None),
            response_class=Response,
            auto_decompress=False,
            trust_env=False,
            max_line_size=self._options.head_line_bytes,
            max_field_size=self._options.head_line_bytes,
            max_headers=self._options.head_lines,
        )
        # aiohttp would send a GET again when the server hangs up on the first: two requests for one turn.
        session._retry_connection = False
        return session

    def _new_connector(self, way: str) -> Connector:
        if way.startswith("socks"):
            return SocksConnector(self._options, self._resolver, way, ssl=self._tls)
        if way.startswith("http"):
            return Connector(self._options, None, ssl=self._tls)
        return Connector(self._options, self._resolver, ssl=self._tls)
