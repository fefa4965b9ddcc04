"""`/health-report`: does every part work, and what happens while one does not? (UI-19)"""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from outrider.services.operations.health_policy import CheckStatus, HealthReport, PartHealth
from outrider.web.api.health import health_of
from outrider.web.dashboard.pages import PageRouter
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Context

router = PageRouter()

# What each part is for, and what happens without it.
_PARTS = {
    "database": (
        "PostgreSQL",
        "Keeps everything: the frontier, pages, jobs and settings of sources.",
        "Nothing works: requests get 503, workers wait and go on by themselves when it is back.",
    ),
    "workers": (
        "Workers",
        "Fetch pages, poll feeds and read what they get.",
        "URLs stay queued. Nothing is lost; they are fetched when a worker runs again.",
    ),
    "scheduler": (
        "Scheduler",
        "Starts jobs when they are due, and ends their runs.",
        "No job starts by itself. Runs that go on are finished by the workers and ended later.",
    ),
    "backup": (
        "Backups",
        "Let you restore the database after a mistake or on a new machine.",
        "Crawls go on; what was learned since the newest good backup has no copy.",
    ),
    "redis": (
        "Redis",
        "Optional: carries events, live logs, visited URLs and host leases between processes.",
        "PostgreSQL does its work, a little slower; nothing is lost.",
    ),
    "object_store": (
        "Data directory",
        "Keeps the archived logs of runs.",
        "Logs stay in the database and are archived later.",
    ),
    "index": (
        "Search index",
        "Finds pages by their text.",
        "Search answers from PostgreSQL.",
    ),
}


@dataclass(frozen=True, slots=True)
class PartLine:
    """One part: what it is for, its check, and what happens without it."""

    name: str
    purpose: str
    without: str
    check: PartHealth

    @property
    def kind(self) -> str:
        return {CheckStatus.OK: "green", CheckStatus.FAILED: "red", CheckStatus.OFF: "secondary"}[
            self.check.status
        ]


@dataclass(frozen=True, slots=True)
class HealthPage:
    """The health of every part."""

    report: HealthReport

    @property
    def parts(self) -> Sequence[PartLine]:
        return [
            PartLine(*_PARTS.get(name, (name, "", "")), check) for name, check in self.report.checks.items()
        ]


@router.get("/health-report", needs_database=False)
async def show_health(request: Request, context: Context) -> Response:
    page = HealthPage(await health_of(context).report())
    return render(request, "health/health.html", page, title="Health")
