"""`/overview`: is it going well, and if not, what needs attention? (UI-02)"""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from outrider.auth.model import Role
from outrider.jobs.overview import JobOverview, read_job_overview
from outrider.services.stats import DatabaseStats, read_stats
from outrider.services.workers import WorkerPool, list_workers
from outrider.web.dashboard.pages import PageRouter
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Db

router = PageRouter()


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """What the overview shows."""

    stats: DatabaseStats
    workers: WorkerPool
    jobs: JobOverview


@router.get("/", Role.ANONYMOUS, needs_database=False)
async def lead_to_overview(request: Request) -> Response:
    return RedirectResponse(request.scope.get("root_path", "") + "/overview", 303)


@router.get("/overview")
async def show_overview(request: Request, db: Db) -> Response:
    page = OverviewPage(await read_stats(db), await list_workers(db), await read_job_overview(db))
    return render(request, "overview/overview.html", page, title="Overview")
