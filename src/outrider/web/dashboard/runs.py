"""`/runs`: which crawls ran, how far they are, and their logs (UI-07)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Form, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.log_archive import log_archive_of
from outrider.runs.model import RunStatus, StartedBy
from outrider.services.crawl.start import read_start_urls, start_crawl
from outrider.services.paging import CursorPage
from outrider.services.runs.details import RunDetails, RunState, RunSummary
from outrider.services.runs.log_tail import LogTail, open_run_log, tail_log
from outrider.services.runs.runs import BY_OPERATOR, RunFilter, cancel_run, show_run, walk_runs
from outrider.sources.policy import Policy
from outrider.sources.scope import ScopeKind
from outrider.web.api.v1.ids import RunId
from outrider.web.api.v1.run_bodies import LONGEST_URL, MOST_PAGES, MOST_URLS
from outrider.web.dashboard.forms import Chosen, LongText, ShortText, Tick, lines_of, whole
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Context, CursorPaging, Db

router = PageRouter()

MOST_PATTERNS = 100
_TOP = 10  # rows of a table of figures


@dataclass(frozen=True, slots=True)
class RunsPage:
    """The list of runs with its filters."""

    runs: CursorPage[RunSummary]
    wanted: RunFilter

    statuses = tuple(RunStatus)
    starters = tuple((each.value, each.value) for each in StartedBy)


@dataclass(frozen=True, slots=True)
class RunPage:
    """One run: its progress, its figures and its log."""

    run: RunDetails
    log: LogTail

    @property
    def can_be_cancelled(self) -> bool:
        return self.run.state in (RunState.RUNNING, RunState.INTERRUPTED)

    def top(self, name: str) -> Sequence[tuple[str, int]]:
        """The largest figures of a group, such as `status_codes`."""
        found: Any = self.run.crawl_metrics.get(name) or {}
        return [(str(key), int(value)) for key, value in list(found.items())[:_TOP]]

    def figure(self, group: str, name: str = "") -> Any:
        """One figure; None if the run does not have it."""
        found: Any = self.run.crawl_metrics.get(group)
        return found.get(name) if name and found else (None if name else found)


@dataclass(frozen=True, slots=True)
class NewRunPage:
    """The form that starts a crawl."""

    urls: str = ""

    scopes = tuple(ScopeKind)


@router.get("/runs")
async def show_runs(
    request: Request,
    db: Db,
    paging: CursorPaging,
    status: Chosen = "",
    source: Chosen = "",
    started_by: Chosen = "",
    job: Annotated[str, Query(max_length=36)] = "",
) -> Response:
    if started_by not in ("", *StartedBy):
        raise InvalidInput(f"a run is started by {', '.join(StartedBy)}")
    wanted = RunFilter(status, source, StartedBy(started_by) if started_by else None, job)
    return render(
        request, "runs/runs.html", RunsPage(await walk_runs(db, wanted, paging), wanted), title="Runs"
    )


@router.get("/runs/new", Role.ADMIN)
async def show_new_run(request: Request, urls: Annotated[str, Query(max_length=8_000)] = "") -> Response:
    return render(request, "runs/new.html", NewRunPage(urls), title="Start a crawl")


@router.post("/runs", "run.start")
async def start_by_form(
    request: Request,
    db: Db,
    context: Context,
    urls: LongText,
    depth: ShortText = "",
    max_pages: ShortText = "",
    delay: ShortText = "",
    scope: Annotated[ScopeKind, Form()] = ScopeKind.HOST,
    include: LongText = "",
    exclude: LongText = "",
    main_text: Tick = False,
    ignore_robots: Tick = False,
) -> Response:
    policy = Policy(
        seeds=read_start_urls(_bounded(lines_of(urls), MOST_URLS, "start URLs")),
        scope=scope,
        include=_bounded(lines_of(include), MOST_PATTERNS, "patterns"),
        exclude=_bounded(lines_of(exclude), MOST_PATTERNS, "patterns"),
        max_depth=whole(depth, "the depth", -1, 100) or 0,
        max_pages=whole(max_pages, "the number of pages", 1, MOST_PAGES),
        delay_s=whole(delay, "the delay", 0, 86_400),
        ignore_robots=ignore_robots,
        main_text=main_text,
    )
    run = await start_crawl(db, policy, context.settings.frontier, context.settings.fetch)
    return done(request, f"/runs/{run.run_id}", f"Run {run.run_id} has begun.")


@router.get("/runs/{run_id}")
async def show_run_page(request: Request, db: Db, context: Context, run_id: RunId) -> Response:
    run = await show_run(db, run_id)
    page = RunPage(run, await tail_log(db, log_archive_of(context.settings), str(run.run_id)))
    return render(request, "runs/run.html", page, title=f"Run {run.run_id}")


@router.get("/runs/{run_id}/log")
async def download_run_log(db: Db, context: Context, run_id: RunId) -> Response:
    found = await open_run_log(db, log_archive_of(context.settings), run_id)
    headers = {"Content-Disposition": f'attachment; filename="{found.name}"'}
    return StreamingResponse(found.chunks(), media_type="application/gzip", headers=headers)


@router.get("/runs/{run_id}/cancel", Role.ADMIN)
async def confirm_cancel_run(request: Request, db: Db, run_id: RunId) -> Response:
    return render(request, "runs/cancel.html", await show_run(db, run_id), title="Cancel a run")


@router.post("/runs/{run_id}/cancel", "run.cancel", in_transaction=False)
async def cancel_run_by_form(
    request: Request, db: Db, context: Context, run_id: RunId, reason: ShortText = ""
) -> Response:
    settings = context.settings
    why = reason.strip()[:500] or BY_OPERATOR
    run = await cancel_run(
        db, run_id, settings.frontier, settings.fetch.timeout_s, why, wait_s=0.0, forces_end=False
    )
    told = "is cancelled" if run.completed_at else "ends when its last requests are written"
    return done(request, f"/runs/{run.run_id}", f"Run {run.run_id} {told}.")


def _bounded(items: Sequence[str], most: int, what: str) -> Sequence[str]:
    if len(items) > most:
        raise InvalidInput(f"give at most {most:,} {what}, not {len(items):,}")
    if any(len(each) > LONGEST_URL for each in items):
        raise InvalidInput(f"one of the {what} is longer than {LONGEST_URL:,} characters")
    return items
