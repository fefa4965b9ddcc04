"""The text of `/metrics`: figures of the database, kept for a moment, and counts of the server processes."""

import asyncio
import os
import time
from collections.abc import Iterator, Sequence

import asyncpg
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from outrider import __version__
from outrider.errors import OutriderError
from outrider.services.metrics import catalogue as names
from outrider.services.metrics.catalogue import MetricKind
from outrider.services.metrics.metrics import MetricValues, read_metrics
from outrider.services.operations.health import HealthCheck
from outrider.services.operations.health_policy import CheckStatus
from outrider.web.context import ServerContext

KEPT_S = 5.0
READ_S = 5.0


class Exposition(Collector):
    """Renders the metrics. Several scrapers at once cost one reading of the database."""

    def __init__(self, context: ServerContext, health: HealthCheck, shared: str | None) -> None:
        """`shared` is the directory in which several processes keep their counts together."""
        self._context = context
        self._health = health
        self._shared = shared
        self._turn = asyncio.Lock()
        self._values: Sequence[MetricValues] = ()
        self._read_at = float("-inf")

    async def render(self) -> bytes:
        """The text. Without a database it has the metrics of the server and `crawler_degraded`."""
        async with self._turn:
            if time.monotonic() - self._read_at > KEPT_S:
                self._values = [*await self._read(), await self._degraded()]
                self._read_at = time.monotonic()
            return b"".join(generate_latest(registry) for registry in self._registries())

    def collect(self) -> Iterator[Metric]:
        """The figures of the database, as prometheus_client wants them."""
        for each in (*self._values, MetricValues(names.BUILD, {__version__: 1})):
            kind = CounterMetricFamily if each.metric.kind is MetricKind.COUNTER else GaugeMetricFamily
            family = kind(each.metric.name, each.metric.help, labels=each.metric.labels or None)
            for label, value in each.values.items():
                labels = [label] if isinstance(label, str) else list(label)
                family.add_metric(labels if each.metric.labels else [], value)
            yield family

    async def _read(self) -> list[MetricValues]:
        try:
            async with asyncio.timeout(READ_S), self._context.connection() as db:
                return await read_metrics(db)
        except (TimeoutError, OSError, OutriderError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return []  # `crawler_degraded` says so

    async def _degraded(self) -> MetricValues:
        checks = (await self._health.report()).checks
        return MetricValues(
            names.DEGRADED,
            {name: float(check.status is CheckStatus.FAILED) for name, check in checks.items()},
        )

    def _registries(self) -> Iterator[CollectorRegistry]:
        own = CollectorRegistry()
        own.register(self)
        yield own
        if self._shared is not None:
            together = CollectorRegistry()
            MultiProcessCollector(together, path=self._shared)  # type: ignore[no-untyped-call]
            yield together
        else:
            yield from self._context.parts.get("metric_registries", [])


def forget_process(pid: int, shared: str) -> None:
    """Drop the gauges of a process that ended."""
    from prometheus_client.multiprocess import mark_process_dead

    if os.path.isdir(shared):  # noqa: PTH112
        mark_process_dead(pid, path=shared)  # type: ignore[no-untyped-call]
