"""Changes of the frontier by forms: submit, and retry, delete or clear after a dry run (UI-03)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated

from fastapi import Form, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.errors import InvalidInput, NotFound
from outrider.services.urls.bulk import (
    MOST_SELECTED,
    BulkOutcome,
    plan_retry,
    remove_selected,
    retry_matching,
    retry_selected,
)
from outrider.services.urls.changes import SubmitRequest, SubmittedBatch, clear_queue, submit_batch
from outrider.services.urls.details import show_url
from outrider.services.urls.keys import LONGEST_KEY, read_key
from outrider.services.urls.lists import ListedUrl
from outrider.web.dashboard.fields import (
    Blank,
    HostForm,
    HostText,
    ReasonForm,
    ReasonText,
    SourceForm,
    SourceText,
    UrlText,
)
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dashboard.way_back import came_from
from outrider.web.dependencies import Context, Db
from outrider.wording import plural

router = PageRouter()

LONGEST_SUBMISSION = 2_000_000  # characters
Id = Annotated[str, Query(max_length=LONGEST_KEY)]
Ids = Annotated[list[Annotated[str, Form(max_length=LONGEST_KEY)]], Form(max_length=MOST_SELECTED)]


class BulkChange(StrEnum):
    """What to do with a selection, or with all that a filter matches."""

    RETRY = "retry"
    DELETE = "delete"
    RETRY_ALL = "retry-all"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class FrontierConfirmPage:
    """The dry run of a change."""

    change: BulkChange
    count: int
    selected: Sequence[ListedUrl] = ()
    by_reason: Mapping[str, int] | None = None
    reason: str = ""
    host: str = ""
    source: str = ""
    back: str = "/frontier"

    @property
    def ids(self) -> Sequence[str]:
        return [f"{each.id.host_id}:{each.id.hash}" for each in self.selected]

    @property
    def scope(self) -> str:
        """Which URLs are meant."""
        parts = [f"of the host {self.host}" if self.host else "", f"of {self.source}" if self.source else ""]
        return " ".join(each for each in parts if each)


@dataclass(frozen=True, slots=True)
class SubmitPage:
    """The form to submit URLs, and the result of the last ones."""

    text: str = ""
    source: str = ""
    result: SubmittedBatch | None = None


@router.get("/frontier/confirm", Role.ADMIN)
async def confirm_change(
    request: Request,
    db: Db,
    context: Context,
    what: BulkChange,
    selected: Annotated[list[Id], Query(max_length=MOST_SELECTED)] = [],  # noqa: B006
    reason: ReasonText = None,
    host: HostText = None,
    source: SourceText = None,
) -> Response:
    """What a change would do, with numbers. Nothing is changed."""
    options, back = context.settings.frontier, came_from(request, "/frontier")
    page = FrontierConfirmPage(what, 0, (), None, reason or "", host or "", source or "", back)
    if what is BulkChange.RETRY_ALL:
        plan = await plan_retry(db, reason, host, source, options)
        page = replace(page, count=plan.urls, by_reason=plan.by_reason)
    elif what is BulkChange.CLEAR:
        counted = await clear_queue(db, host, source, options, confirmed=False, dry_run=True)
        page = replace(page, count=counted.urls)
    else:
        urls = await _entries(db, selected)
        if what is BulkChange.RETRY:
            urls = [each for each in urls if each.status == "dead"]
        page = replace(page, count=len(urls), selected=urls)
    return render(request, "frontier/confirm.html", page, title="Confirm")


@router.post("/frontier/retry", "url.retry", in_transaction=False)
async def retry_by_form(request: Request, db: Db, context: Context, selected: Ids) -> Response:
    outcome = await retry_selected(db, [read_key(each) for each in selected], context.settings.frontier)
    return done(request, "/frontier", _told(outcome, "queued again"))


@router.post("/frontier/delete", "url.remove", in_transaction=False)
async def delete_by_form(request: Request, db: Db, context: Context, selected: Ids) -> Response:
    outcome = await remove_selected(db, [read_key(each) for each in selected], context.settings.frontier)
    return done(request, "/frontier", _told(outcome, "deleted"))


@router.post("/frontier/retry-all", "url.retry", in_transaction=False)
async def retry_all_by_form(
    request: Request,
    db: Db,
    context: Context,
    reason: ReasonForm = None,
    host: HostForm = None,
    source: SourceForm = None,
) -> Response:
    queued = await retry_matching(db, reason, host, source, context.settings.frontier)
    return done(request, "/frontier?status=pending", f"{plural(queued, 'URL')} queued again.")


@router.post("/frontier/clear", "url.clear")
async def clear_by_form(
    request: Request, db: Db, context: Context, host: HostForm = None, source: SourceForm = None
) -> Response:
    options = context.settings.frontier
    cleared = await clear_queue(db, host, source, options, confirmed=True, dry_run=False)
    return done(request, "/frontier", f"{plural(cleared.urls, 'URL')} taken out of the queue.")


@router.get("/frontier/submit", Role.ADMIN)
async def show_submit(request: Request, db: Db, url: UrlText = "", source: SourceText = None) -> Response:
    return render(request, "frontier/submit.html", SubmitPage(url, source or ""), title="Submit URLs")


@router.post("/frontier/submit", "url.submit")
async def submit_by_form(
    request: Request,
    db: Db,
    context: Context,
    urls: Annotated[str, Form(max_length=LONGEST_SUBMISSION)],
    source: SourceForm = None,
    priority: Annotated[Annotated[int, Field(ge=1, le=10)] | None, Blank, Form()] = None,
) -> Response:
    """The answer is the page itself, with the result of each URL."""
    given = [line.strip() for line in urls.splitlines() if line.strip()]
    if not given:
        raise InvalidInput("give at least one URL, one in each line")
    asked = SubmitRequest(given, source, priority=priority)
    result = await submit_batch(db, asked, context.settings.frontier)
    page = SubmitPage("", source or "", result)
    return render(request, "frontier/submit.html", page, title="Submit URLs")


async def _entries(db: Db, ids: Sequence[str]) -> list[ListedUrl]:
    found = []
    for each in ids:
        try:
            found.append((await show_url(db, read_key(each))).entry)
        except NotFound:
            continue
    return found


def _told(outcome: BulkOutcome, what: str) -> str:
    told = f"{plural(outcome.done, 'URL')} {what}."
    if not outcome.refused:
        return told
    more = f" and {len(outcome.refused) - 1} more" if len(outcome.refused) > 1 else ""
    return f"{told} Not changed: {outcome.refused[0]}{more}."
