"""Hosts as lists and screens show them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from outrider.hosts.model import BreakerState

MOST_QUEUED = 100_000  # as far as the queued URLs of a host are counted


class HostOrder(StrEnum):
    """The order of a list of hosts: the greatest value first."""

    PAGES = "pages"
    ERRORS = "errors"
    SLOW = "slow"
    DELAY = "delay"


@dataclass(frozen=True, slots=True)
class HostFilter:
    """Which hosts to list. A field that is None does not filter."""

    search: str | None = None  # a part of the name
    is_blocked: bool | None = None
    breaker: BreakerState | None = None


ALL_HOSTS = HostFilter()


@dataclass(frozen=True, slots=True)
class HostPosition:
    """The place of a host in an order: the hosts behind it have greater values."""

    is_unset: bool  # it has no value to sort by
    lead: int  # the value to sort by, negative
    host: str
    host_id: int


@dataclass(frozen=True, slots=True)
class HostView:
    """The statistics and the state of a host. A time without meaning is None."""

    host_id: int
    host: str
    first_seen_at: datetime
    last_fetch_at: datetime | None
    requests: int
    pages: int
    errors: int
    bytes: int
    busy_ms: int
    last_status: int | None
    last_error: str | None
    block_reason: str | None
    asked_delay_ms: int | None
    delay_ms: int | None  # None: no URL of the host was ever queued
    penalty_ms: int
    rate_limited: int  # answers of 429 in a row
    breaker: BreakerState
    failures: int
    robots_failures: int
    due_at: datetime | None
    next_allowed_at: datetime | None
    is_blocked: bool
    leased_to: str | None
