"""`/overview`: is it going well, and if not, what needs attention? (UI-02)"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from outrider.auth.model import Role
from outrider.frontier.counter_name import CounterPrefix
from outrider.services.crawl.concerns import ConcernArea
from outrider.services.crawl.overview import CrawlOverview, HistorySpan, read_crawl_overview
from outrider.web.dashboard.chart_table import ChartTable, table_of
from outrider.web.dashboard.pages import PageRouter
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Context, Db

router = PageRouter()

MOST_CODES = 8
PAGE_OF = {  # where a concern is looked into, and the words of the link
    ConcernArea.WORKERS: ("/workers", "See the workers"),
    ConcernArea.SCHEDULER: ("/health-report", "See what is down"),
    ConcernArea.JOBS: ("/jobs?status=failed", "See the failed jobs"),
    ConcernArea.SOURCES: ("/sources?failing=true", "See these sources"),
    ConcernArea.SILENT_SOURCES: ("/sources?silent=true", "See these sources"),
    ConcernArea.HOSTS: ("/hosts?breaker=open", "See these hosts"),
    ConcernArea.FRONTIER: ("/frontier?status=dead", "See what failed"),
    ConcernArea.BACKUP: ("/health-report", "See the state of backups"),
}
WAITS = {  # why hosts with queued URLs are not asked now, as the figures name it
    "leased": "being fetched by a worker",
    "due": "due, waiting for a worker",
    "delayed": "waiting for their delay",
    "throttled": "slowed down, because they asked for it",
    "broken": "resting after failures in a row",
    "held": "blocked or held",
    "later": "planned for later",
}
STATES = {"pending": "Queued", "fetched": "Fetched", "dead": "Dead"}
CLASSES = {"2xx": "2xx success", "3xx": "3xx redirect", "4xx": "4xx not there", "5xx": "5xx server error"}


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """What the overview shows."""

    overview: CrawlOverview
    codes: Sequence[tuple[str, int]]  # status → answers since the beginning
    waiting: Sequence[tuple[str, int]]  # why → hosts
    charts: Sequence[tuple[str, ChartTable]]  # kind of chart, and its table
    spans: Sequence[HistorySpan] = tuple(HistorySpan)

    @property
    def requests(self) -> int:
        return sum(count for _, count in self.codes)

    def page_of(self, area: ConcernArea) -> tuple[str, str]:
        return PAGE_OF[area]


@router.get("/", Role.ANONYMOUS, needs_database=False)
async def lead_to_overview(request: Request) -> Response:
    return RedirectResponse(request.scope.get("root_path", "") + "/overview", 303)


@router.get("/overview")
async def show_overview(
    request: Request, db: Db, context: Context, since: Annotated[str, Query(max_length=10)] = ""
) -> Response:
    span = next((each for each in HistorySpan if each.value == since), HistorySpan.HOUR)
    settings = context.settings
    found = await read_crawl_overview(
        db,
        span,
        datetime.now(UTC),
        needs_scheduler=settings.jobs.enabled,
        has_daily_backup=settings.has_daily_backup,
    )
    return render(request, "overview/overview.html", _page(found), title="Overview")


def _page(found: CrawlOverview) -> OverviewPage:
    codes = sorted(found.figures.group(CounterPrefix.STATUS).items(), key=lambda each: -each[1])
    waiting = [
        (why, found.figures.hosts[name]) for name, why in WAITS.items() if found.figures.hosts.get(name)
    ]
    charts = [
        (
            "line",
            table_of(found.pages_per_s, "pages-over-time", "Pages a second", names={"": "Pages"}, unit="/s"),
        ),
        ("stack", table_of(found.statuses, "status-over-time", "Answers by status", names=CLASSES)),
        ("line", table_of(found.frontier, "frontier-over-time", "URLs in the frontier", names=STATES)),
    ]
    return OverviewPage(found, codes[:MOST_CODES], waiting, charts)
