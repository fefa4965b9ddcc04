"""`/hosts`: how each host is treated, and why (UI-05)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from outrider.errors import InvalidInput, NotFound
from outrider.hosts.model import BreakerState
from outrider.hosts.view import HostFilter, HostOrder, HostView
from outrider.robots import AGENT, RobotsVerdict
from outrider.services.hosts.changes import HostRequests, read_host_requests
from outrider.services.hosts.hosts import HostDetails, HostSummary, list_hosts, show_host
from outrider.services.hosts.robots import RobotsAnswer, read_host_robots
from outrider.services.hosts.words import delay_words, state_of
from outrider.services.paging import CursorPage
from outrider.web.api.v1.parameters import HostPath
from outrider.web.dashboard.chart_table import ChartRow, ChartTable
from outrider.web.dashboard.fields import Blank, SearchText
from outrider.web.dashboard.pages import PageRouter
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import CursorPaging, Db

router = PageRouter()

MOST_LINES = 2_000  # of a robots.txt
RANGES = {"24": (timedelta(hours=24), timedelta(minutes=30)), "168": (timedelta(days=7), timedelta(hours=3))}
ORDERS = {
    HostOrder.PAGES: "most pages",
    HostOrder.ERRORS: "most errors",
    HostOrder.SLOW: "slowest answers",
    HostOrder.DELAY: "longest delay",
}
BREAKERS = {
    BreakerState.CLOSED: "closed: all is well",
    BreakerState.OPEN: "open: resting",
    BreakerState.HALF_OPEN: "half open: trying again",
}
NO_HOSTS: CursorPage[HostSummary] = CursorPage((), 0, 50, 0)


@dataclass(frozen=True, slots=True)
class HostsPage:
    """A part of the list of hosts."""

    hosts: CursorPage[HostSummary]
    wanted: HostFilter
    order: HostOrder
    problem: str
    now: datetime
    orders = ORDERS
    breakers = BREAKERS

    @property
    def is_filtered(self) -> bool:
        return self.wanted != HostFilter()

    def state(self, host: HostView) -> str:
        return state_of(host, self.now)


@dataclass(frozen=True, slots=True)
class ShownRobotsFile:
    """One robots.txt, line by line, and the line that decides about the path."""

    answer: RobotsAnswer
    lines: Sequence[str]
    verdict: RobotsVerdict | None
    crawl_delay: float | None
    sitemaps: Sequence[str]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class HostPage:
    """One host: its state, its robots.txt and its requests."""

    host: HostDetails
    state: str
    delay: str
    robots: Sequence[ShownRobotsFile]
    path: str
    hours: str
    chart: ChartTable
    times: ChartTable
    is_complete: bool  # of the charts
    ranges: Sequence[tuple[str, str]] = (("24", "Last 24 hours"), ("168", "Last 7 days"))
    breakers = BREAKERS


@router.get("/hosts")
async def show_hosts(
    request: Request,
    db: Db,
    paging: CursorPaging,
    search: SearchText = None,
    blocked: Annotated[bool | None, Blank, Query()] = None,
    breaker: Annotated[BreakerState | None, Blank, Query()] = None,
    sort: Annotated[HostOrder | None, Blank, Query()] = None,
) -> Response:
    wanted, order = HostFilter(search and search.lower(), blocked, breaker), sort or HostOrder.PAGES
    problem, hosts = "", NO_HOSTS
    try:
        hosts = await list_hosts(db, order, paging, wanted)
    except InvalidInput as error:
        problem = str(error)
    page = HostsPage(hosts, wanted, order, problem, datetime.now(UTC))
    return render(request, "hosts/hosts.html", page, title="Hosts")


@router.get("/hosts/{host}")
async def show_one_host(
    request: Request,
    db: Db,
    host: HostPath,
    path: Annotated[str, Query(max_length=2_000)] = "",
    hours: Annotated[str, Query(max_length=4)] = "24",
) -> Response:
    now, hours = datetime.now(UTC), hours if hours in RANGES else "24"
    details = await show_host(db, host)
    requests = await read_host_requests(db, host, *RANGES[hours], now)
    page = HostPage(
        details,
        state_of(details, now),
        delay_words(details.delay_ms, details.penalty_ms, details.asked_delay_ms, details.robots_delay_s),
        await _robots(db, host, path.strip()),
        path.strip(),
        hours,
        _requests_chart(requests, now),
        _times_chart(requests, now),
        requests.is_complete,
    )
    return render(request, "hosts/host.html", page, title=host[:100])


async def _robots(db: Db, host: str, path: str) -> Sequence[ShownRobotsFile]:
    try:
        found = await read_host_robots(db, host, path or None)
    except NotFound:
        return ()
    return [_file(each) for each in found.files]


def _file(answer: RobotsAnswer) -> ShownRobotsFile:
    rules = answer.file.rules
    lines = answer.file.body.decode("utf-8", "replace").splitlines()
    verdict = None if answer.path is None else rules.verdict(AGENT, answer.file.origin + answer.path)
    delay, sitemaps = rules.crawl_delay(AGENT), list(rules.sitemaps)[:20]
    return ShownRobotsFile(answer, lines[:MOST_LINES], verdict, delay, sitemaps, len(lines) > MOST_LINES)


def _requests_chart(found: HostRequests, now: datetime) -> ChartTable:
    rows = [ChartRow(each.at, [each.answered, each.failed]) for each in found.steps]
    return ChartTable("requests-over-time", "Requests", ["Answered", "Failed"], rows, found.since, now)


def _times_chart(found: HostRequests, now: datetime) -> ChartTable:
    rows = [ChartRow(each.at, [each.elapsed_ms]) for each in found.steps]
    return ChartTable("times-over-time", "Time of an answer", ["Milliseconds"], rows, found.since, now, " ms")
