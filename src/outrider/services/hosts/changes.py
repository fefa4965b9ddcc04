"""Use cases of one host for an operator: change several things at once, and its requests over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

import asyncpg

from outrider.errors import InvalidInput
from outrider.frontier.host_control import HostControl
from outrider.frontier.stats import RequestStep, StatsStore
from outrider.hosts.options import HostOptions
from outrider.hosts.store import HostStore
from outrider.services.hosts.hosts import (
    HostDetails,
    block_host,
    check_known,
    set_host_delay,
    show_host,
    unblock_host,
)
from outrider.urls import host_id_of

MOST_REQUESTS = 50_000  # read for one chart
MOST_STEPS = 500
LONGEST_RANGE = timedelta(days=31)


class HostAccess(StrEnum):
    """Whether requests to a host are made."""

    ALLOWED = "allowed"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class HostChanges:
    """What to change at a host."""

    access: HostAccess | None = None  # None: as it is
    reason: str = ""  # of a block
    sets_delay: bool = False
    delay_ms: int | None = None  # None: the delay of robots.txt or the default


@dataclass(frozen=True, slots=True)
class HostRequests:
    """The requests to a host in steps of time. `is_complete` is False if there were too many to count."""

    host: str
    since: datetime
    step_s: float
    is_complete: bool
    steps: Sequence[RequestStep]  # steps without a request are left out


async def lock_host(db: asyncpg.Connection, host: str) -> HostDetails | None:
    """One host, locked until the commit; None if it is not known. The caller opens the transaction."""
    await HostControl().lock(db, host)
    return None if await HostStore().find(db, host) is None else await show_host(db, host)


async def change_host(
    db: asyncpg.Connection, host: str, changes: HostChanges, options: HostOptions
) -> HostDetails:
    """Set the delay of a host, and allow or block it; all changes or none.

    A host that is not known can be blocked. Raises NotFound, and InvalidInput for a block without a reason.
    """
    if changes.access is None and not changes.sets_delay:
        raise InvalidInput("nothing to change: give delay_ms or state")
    async with db.transaction():
        if changes.access is HostAccess.BLOCKED:
            await block_host(db, host, changes.reason, options)
        elif changes.access is HostAccess.ALLOWED and (await show_host(db, host)).is_blocked:
            await unblock_host(db, host)
        if changes.sets_delay:
            await set_host_delay(db, host, changes.delay_ms, options)
        return await show_host(db, host)


async def read_host_requests(
    db: asyncpg.Connection, host: str, span: timedelta, step: timedelta, now: datetime
) -> HostRequests:
    """The requests to a host since `span` ago, in steps of this length; raises NotFound and InvalidInput."""
    if not timedelta(0) < span <= LONGEST_RANGE:
        raise InvalidInput(f"the range is at most {LONGEST_RANGE.days} days")
    if not timedelta(minutes=1) <= step or span / step > MOST_STEPS:
        raise InvalidInput(f"a step is at least a minute, and the range has at most {MOST_STEPS} steps")
    since, step_s = now - span, step.total_seconds()
    async with db.transaction():
        await check_known(db, host)
        steps = await StatsStore().requests_of_host(db, host_id_of(host), since, step_s, MOST_REQUESTS)
    counted = sum(each.requests for each in steps)
    return HostRequests(host, since, step_s, counted < MOST_REQUESTS, steps)
