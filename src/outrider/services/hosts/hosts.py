"""Use cases of hosts: list them, show one, block it, reset it and set its delay."""

from dataclasses import astuple, dataclass, field, fields
from typing import Any

import asyncpg

from outrider.errors import InvalidInput, NotFound
from outrider.frontier.host_control import HostControl
from outrider.hosts.options import LONGEST_DELAY_MS, HostOptions
from outrider.hosts.politeness import base_delay
from outrider.hosts.store import HostStore
from outrider.hosts.view import ALL_HOSTS, HostFilter, HostOrder, HostPosition, HostView
from outrider.robots import AGENT
from outrider.robots.files import files_of_host
from outrider.services.as_json import NOT_IN_JSON
from outrider.services.cursor import read_cursor, write_cursor
from outrider.services.paging import CursorPage, PageRequest, TotalIs
from outrider.urls import host_id_of

MOST_HOSTS = 100_000  # in one list
MOST_COUNTED = 10_000
LONGEST_REASON = 500
_POSITION = (bool, int, str, int)  # the fields of HostPosition


@dataclass(frozen=True, slots=True)
class HostSummary(HostView):
    """A host in a list."""

    answer_ms: int  # the average time of an answer


@dataclass(frozen=True, slots=True)
class HostDetails(HostSummary):
    """One host, with its details."""

    queued: int
    robots_delay_s: float | None = field(metadata=NOT_IN_JSON)  # the longest that is asked for


async def list_hosts(
    db: asyncpg.Connection, sort: HostOrder, page: PageRequest, wanted: HostFilter = ALL_HOSTS
) -> CursorPage[HostSummary]:
    """The hosts in the order that `sort` names, the largest first; raises InvalidInput for a wrong cursor."""
    page = page.checked(MOST_HOSTS)
    place = f"hosts {sort.value}"
    after = None if page.cursor is None else HostPosition(*read_cursor(page.cursor, place, _POSITION))
    async with db.transaction():
        found, last = await HostStore().page(db, sort, page.limit, page.offset, after, wanted)
        total, total_is = await _count(db, wanted)
    return CursorPage(
        [HostSummary(**_values(view)) for view in found],
        total,
        page.limit,
        page.offset,
        total_is,
        None if last is None else write_cursor(place, astuple(last)),
    )


async def _count(db: asyncpg.Connection, wanted: HostFilter) -> tuple[int, TotalIs]:
    """How many hosts match: past a bound an estimate for all hosts, a minimum with filters."""
    counted = await HostStore().count(db, MOST_COUNTED + 1, wanted)
    if counted <= MOST_COUNTED:
        return counted, TotalIs.EXACT
    estimate = await HostStore().estimate(db) if wanted == ALL_HOSTS else 0
    if estimate > MOST_COUNTED:
        return estimate, TotalIs.ESTIMATE
    return MOST_COUNTED, TotalIs.AT_LEAST


async def show_host(db: asyncpg.Connection, host: str) -> HostDetails:
    """One host; raises NotFound."""
    async with db.transaction():
        return await _details(db, host)


async def block_host(db: asyncpg.Connection, host: str, reason: str, options: HostOptions) -> HostDetails:
    """Send no more requests to the host; the reason is stored."""
    if not reason.strip():
        raise InvalidInput("a block needs a reason, for later readers")
    async with db.transaction():
        await HostControl().block(db, host, reason[:LONGEST_REASON], options.delay_ms)
        return await _details(db, host)


async def unblock_host(db: asyncpg.Connection, host: str) -> HostDetails:
    """Send requests again; raises NotFound when the host is not blocked."""
    async with db.transaction():
        await HostControl().unblock(db, host)
        return await _details(db, host)


async def reset_host(db: asyncpg.Connection, host: str) -> HostDetails:
    """Lift block and penalty, close the circuit, fetch robots.txt again; raises NotFound."""
    async with db.transaction():
        await HostControl().reset(db, host)
        return await _details(db, host)


async def set_host_delay(
    db: asyncpg.Connection, host: str, asked_ms: int | None, options: HostOptions
) -> HostDetails:
    """Set the operator's pause between requests, or remove it with None. robots.txt may ask for more."""
    if asked_ms is not None and not 0 <= asked_ms <= LONGEST_DELAY_MS:
        raise InvalidInput(f"a delay is at most a day, not {asked_ms / 1000:g} s")
    async with db.transaction():
        asked_s = None if asked_ms is None else asked_ms / 1000
        delay_ms = base_delay(await _robots_delay_s(db, host), asked_s, options)
        await HostControl().set_delay(db, host, asked_ms, delay_ms)
        return await _details(db, host)


async def check_known(db: asyncpg.Connection, host: str) -> HostView:
    """The host without its details, which take longer to read; raises NotFound."""
    view = await HostStore().find(db, host)
    if view is None:
        raise NotFound(f"{host} is not known here: no link points to it and no URL of it was submitted")
    return view


async def _details(db: asyncpg.Connection, host: str) -> HostDetails:
    view = await check_known(db, host)
    queued = await HostStore().queued(db, host)
    return HostDetails(**_values(view), queued=queued, robots_delay_s=await _robots_delay_s(db, host))


async def _robots_delay_s(db: asyncpg.Connection, host: str) -> float | None:
    files = await files_of_host(db, host_id_of(host))
    asked = (file.rules.crawl_delay(AGENT) for file in files)
    return max((seconds for seconds in asked if seconds is not None), default=None)


def _values(view: HostView) -> dict[str, Any]:
    known = {each.name: getattr(view, each.name) for each in fields(HostView)}
    return known | {"answer_ms": view.busy_ms // max(view.requests, 1)}
