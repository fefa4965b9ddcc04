"""Counts the requests of this process by route, method and status class, and its open streams."""

import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from outrider.services.metrics import catalogue as names

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_BUCKETS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class RequestMetrics:
    """The request metrics of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        requests, seconds, streams = names.HTTP_REQUESTS, names.HTTP_SECONDS, names.SSE_CLIENTS
        self._requests = Counter(requests.name, requests.help, requests.labels, registry=self.registry)
        self._seconds = Histogram(
            seconds.name, seconds.help, seconds.labels, buckets=_BUCKETS, registry=self.registry
        )
        self.streams = Gauge(streams.name, streams.help, registry=self.registry, multiprocess_mode="livesum")

    def count(self, route: str, method: str, status: int, took_s: float, *, is_stream: bool) -> None:
        """Count a request that was answered. The time of a stream says nothing about the server."""
        known = method if method in _METHODS else "OTHER"
        self._requests.labels(route, known, f"{status // 100}xx").inc()
        if not is_stream:
            self._seconds.labels(route).observe(took_s)


class CountRequests:
    """ASGI middleware. A request that no route takes counts as `other`, so that labels stay few."""

    def __init__(self, app: ASGIApp, metrics: RequestMetrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, is_stream = time.monotonic(), 500, False

        async def note(message: Message) -> None:
            nonlocal status, is_stream
            if message["type"] == "http.response.start":
                status = message["status"]
                if not is_stream and _is_stream(message):
                    is_stream = True
                    self._metrics.streams.inc()
            await send(message)

        try:
            await self._app(scope, receive, note)
        finally:
            if is_stream:
                self._metrics.streams.dec()
            route = getattr(scope.get("route"), "path", "other")
            took_s = time.monotonic() - began
            self._metrics.count(route, scope["method"], status, took_s, is_stream=is_stream)


def _is_stream(message: Message) -> bool:
    headers = dict(message.get("headers", ()))
    return bool(headers.get(b"content-type", b"").startswith(b"text/event-stream"))
