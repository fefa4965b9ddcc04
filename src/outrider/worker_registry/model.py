"""A worker as lists and screens show it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class RegisteredWorker:
    """A worker as its last heartbeat described it."""

    worker_id: int
    machine: str
    pid: int
    started_at: datetime
    beat_at: datetime
    stats: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PoolWorker(RegisteredWorker):
    """A worker that has not stopped, and how long ago its last heartbeat is."""

    silent_s: float
