"""What a worker does, and how healthy all workers are together (WRK-07). Pure."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

from outrider.worker_registry.store import HEARTBEAT_AGE_S


class WorkerStatus(StrEnum):
    """What a worker does."""

    WORKING = "working"  # it has hosts
    IDLE = "idle"
    STOPPING = "stopping"
    SILENT = "silent"  # it has not stopped, but its heartbeats have


class PoolHealth(StrEnum):
    """How many of the workers that have not stopped are alive."""

    HEALTHY = "healthy"  # all
    DEGRADED = "degraded"  # at least half
    UNHEALTHY = "unhealthy"


def status_of(figures: Mapping[str, Any], silent_s: float) -> WorkerStatus:
    """The status of a worker by its last heartbeat, `silent_s` seconds ago."""
    if silent_s > HEARTBEAT_AGE_S:
        return WorkerStatus.SILENT
    if figures.get("stopping"):
        return WorkerStatus.STOPPING
    return WorkerStatus.WORKING if figures.get("hosts") or figures.get("in_flight") else WorkerStatus.IDLE


def health_of(workers: Collection[WorkerStatus]) -> PoolHealth | None:
    """The health of a pool; None if it has no workers."""
    if not workers:
        return None
    live = sum(status is not WorkerStatus.SILENT for status in workers)
    if live == len(workers):
        return PoolHealth.HEALTHY
    return PoolHealth.DEGRADED if 2 * live >= len(workers) else PoolHealth.UNHEALTHY
