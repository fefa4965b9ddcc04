"""`/workers`: is every worker alive, and what does it fetch? (UI-12)"""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from outrider.services.operations.workers import WorkerPool, list_workers
from outrider.services.urls.changes import recover_leases
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Context, Db
from outrider.wording import plural

router = PageRouter()


@dataclass(frozen=True, slots=True)
class WorkersPage:
    """The worker processes of all machines."""

    pool: WorkerPool

    @property
    def stale(self) -> int:
        """Workers that have not stopped, but send no heartbeat any more."""
        return self.pool.total - self.pool.live

    @property
    def pages_per_s(self) -> float:
        return sum(each.pages_per_s for each in self.pool.workers)


@router.get("/workers")
async def show_workers(request: Request, db: Db) -> Response:
    return render(request, "workers/workers.html", WorkersPage(await list_workers(db)), title="Workers")


@router.post("/workers/recover", "url.recover")
async def recover_by_form(request: Request, db: Db, context: Context) -> Response:
    settings = context.settings
    freed = await recover_leases(db, settings.frontier, settings.fetch.timeout_s)
    if not freed.recovered and not freed.workers:
        return done(request, "/workers", "There was nothing to recover on this machine.")
    told = (
        f"{plural(freed.recovered, 'host')} of {plural(freed.workers, 'dead worker')} can be fetched again."
    )
    return done(request, "/workers", told)
