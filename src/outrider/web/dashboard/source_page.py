"""`/sources/{id}`: what does a source bring, what polls it, and how is it set up? (UI-09)"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import Form
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.errors import Conflict, InvalidInput
from outrider.frontier.priority import DEFAULT as DEFAULT_PRIORITY
from outrider.services.sources.feeds import keep_found_feeds, search_site, searchable_source
from outrider.services.sources.lists import NewsList, SourceDetails, latest_articles, show_source
from outrider.services.sources.poll_history import Poll, list_polls
from outrider.services.sources.view import SourceView, read_source, switch_source, update_source
from outrider.sources.fields import DEFAULT, FIELDS, field_values
from outrider.sources.model import Mode, Source
from outrider.sources.source_changes import read_changes
from outrider.web.answers import etag, to_bytes
from outrider.web.api.v1.ids import SourceId
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Context, Db
from outrider.web.site_requests import site_requests
from outrider.wording import plural

router = PageRouter()

ARTICLES_SHOWN = 15
ARTICLE_AGE = timedelta(days=30)
LONGEST_FIELD = 50_000
FLAGS = ("allow_source_discovery", "backfill", "spider_without_feed", "keep_slash")
FORM_FIELDS = (
    "name",
    "url",
    "mode",
    "priority",
    "labels",
    "poll",
    "sitemap_poll",
    "recrawl",
    "delay",
    "depth",
    "scope",
    "include",
    "exclude",
    "article_pattern",
    "selectors",
    "template",
)
_ADDED = ("feed", "sitemap")  # what a form gives is added to what the source has


@dataclass(frozen=True, slots=True)
class SourcePage:
    """One source with its feeds, polls, articles and job."""

    details: SourceDetails
    polls: Sequence[Poll]
    news: NewsList

    @property
    def source(self) -> Source:
        return self.details.line.source


@dataclass(frozen=True, slots=True)
class SourceForm:
    """The form of a source."""

    source: Source
    values: Mapping[str, str]
    version: str  # of the source that the form shows

    modes = tuple(Mode)

    def value(self, name: str) -> str:
        return self.values.get(name, "")

    def is_on(self, name: str) -> bool:
        """Whether a flag is set; `allow_source_discovery` is, unless it was switched off."""
        return self.values.get(name, "yes" if name == "allow_source_discovery" else "no") == "yes"


@router.get("/sources/{source_id}")
async def show_source_page(request: Request, db: Db, source_id: SourceId) -> Response:
    details = await show_source(db, source_id)
    named = str(details.line.source.public_id)
    since = datetime.now(UTC) - ARTICLE_AGE
    page = SourcePage(
        details, await list_polls(db, named), await latest_articles(db, named, since, ARTICLES_SHOWN)
    )
    return render(request, "sources/source.html", page, title=page.source.name[:80])


@router.get("/sources/{source_id}/edit", Role.ADMIN)
async def show_source_form(request: Request, db: Db, source_id: SourceId) -> Response:
    found = await read_source(db, source_id)
    values = field_values(found.source)
    if found.source.selectors:
        values["selectors"] = json.dumps(found.source.selectors, indent=2, ensure_ascii=False)
    page = SourceForm(found.source, values, _version(found))
    return render(request, "sources/edit.html", page, title="Edit a source")


@router.post("/sources/{source_id}/edit", "source.update")
async def edit_source_by_form(request: Request, db: Db, context: Context, source_id: SourceId) -> Response:
    """Only fields that differ from the stored ones are changed; an empty field is its default."""
    form = {name: str(value) for name, value in (await request.form(max_fields=100)).items()}
    before = field_values((await read_source(db, source_id)).source)
    changed = _changed(form, before)
    if not changed:
        return done(request, f"/sources/{source_id}", "Nothing was changed.")
    check = _unchanged_since(form.get("version", ""))
    saved = await update_source(db, source_id, read_changes(changed), context.settings.frontier, check)
    notes = "".join(f" {note[:1].upper()}{note[1:]}." for note in saved.notes)
    return done(request, f"/sources/{source_id}", f"{saved.source.name} is saved.{notes}")


@router.post("/sources/{source_id}/enable", "source.enable")
async def enable_source_by_form(request: Request, db: Db, context: Context, source_id: SourceId) -> Response:
    found = await switch_source(db, source_id, context.settings.frontier, _accept)
    return done(request, f"/sources/{source_id}", f"{found.source.name} is watched again.")


@router.post("/sources/{source_id}/disable", "source.disable")
async def disable_source_by_form(
    request: Request,
    db: Db,
    context: Context,
    source_id: SourceId,
    reason: Annotated[str, Form(max_length=500)] = "",
) -> Response:
    if not reason.strip():
        raise InvalidInput("a disabled source needs a reason, for later readers")
    found = await switch_source(db, source_id, context.settings.frontier, _accept, reason=reason.strip())
    return done(request, f"/sources/{source_id}", f"{found.source.name} is disabled.")


@router.post("/sources/{source_id}/discover", "source.discover_feed", in_transaction=False)
async def discover_by_form(request: Request, db: Db, context: Context, source_id: SourceId) -> Response:
    source = await searchable_source(db, source_id)
    async with site_requests(context, [source.url]) as fetch_one:
        found = await search_site(fetch_one, source)
    kept = await keep_found_feeds(db, source, found, context.settings.frontier)
    new = f"{plural(kept.added, 'feed')} new" if kept.added else "nothing new"
    seen = plural(len(found.feeds) + len(found.sitemaps), "feed or sitemap", "feeds and sitemaps")
    return done(request, f"/sources/{source_id}", f"The site has {seen}: {new}.")


_USUAL = {"allow_source_discovery": "yes", "priority": str(DEFAULT_PRIORITY)}  # in the form, and not stored


def _changed(form: Mapping[str, str], before: Mapping[str, str]) -> dict[str, str]:
    """The fields of a form that differ from what is stored."""
    given = {name: form.get(name, "").strip()[:LONGEST_FIELD] for name in FORM_FIELDS if name in form}
    if "flags" in form:
        given |= {name: "yes" if form.get(name) == "true" else "no" for name in FLAGS}
    changed = {}
    for name, text in given.items():
        usual = _USUAL.get(name, "no" if name in FLAGS else "")
        if _same(name, text, before.get(name, usual)):
            continue
        field = FIELDS[name]
        can_reset = field.policy is not None or field.cleared is not None
        if text or can_reset:
            changed[name] = text or DEFAULT
    return changed | {name: form[name] for name in _ADDED if form.get(name, "").strip()}


def _same(name: str, text: str, stored: str) -> bool:
    if name == "selectors" and text and stored:
        try:
            return bool(json.loads(text) == json.loads(stored))
        except ValueError:
            return False
    return text.replace("\r\n", "\n") == stored


def _version(found: SourceView) -> str:
    return etag(to_bytes(found)).strip('"')


def _unchanged_since(version: str) -> Any:
    def check(current: SourceView) -> None:
        if version and version != _version(current):
            raise Conflict("this source was changed meanwhile: look at it again, then change it")

    return check


def _accept(_: SourceView) -> None:
    """Every state of the source will do."""
