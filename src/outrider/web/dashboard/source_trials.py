"""`/sources/{id}/selectors`: what do selectors read from a page, beside what is read without them? (UI-09)"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Form
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.crawl.politeness.fetch_result import FetchResult
from outrider.errors import InvalidInput
from outrider.services.fetch.polite import FetchOne
from outrider.services.sources.lists import latest_articles
from outrider.services.sources.trial import PageTrial, save_selectors, try_page
from outrider.services.sources.view import read_source
from outrider.sources import values
from outrider.sources.model import Source
from outrider.watch.trial import TrialField
from outrider.web.api.v1.ids import SourceId
from outrider.web.dashboard.forms import LongText, Tick
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Context, Db
from outrider.web.site_requests import site_requests

router = PageRouter()

LONGEST_URL = 8_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class FieldPair:
    """One field of a page: with the selectors, and without them."""

    name: str
    tried: TrialField | None
    usual: TrialField | None

    @property
    def is_different(self) -> bool:
        return str(self.tried and self.tried.value) != str(self.usual and self.usual.value)


@dataclass(frozen=True, slots=True)
class SelectorsPage:
    """The tester of selectors, and the result of the last try."""

    source: Source
    url: str
    selectors: str  # JSON, as it was typed
    tried: PageTrial | None = None
    usual: PageTrial | None = None
    problem: str = ""

    @property
    def pairs(self) -> Sequence[FieldPair]:
        tried = {each.name: each for each in self.tried.trial.fields} if self.tried else {}
        usual = {each.name: each for each in self.usual.trial.fields} if self.usual else {}
        return [FieldPair(name, tried.get(name), usual.get(name)) for name in dict.fromkeys([*tried, *usual])]

    @property
    def proposal(self) -> str:
        found = self.tried.proposal if self.tried else None
        return _pretty(found) if found else ""

    @property
    def has_no_proposal(self) -> bool:
        return self.tried is not None and self.tried.proposal == {}


@router.get("/sources/{source_id}/selectors", Role.ADMIN)
async def show_selectors(request: Request, db: Db, source_id: SourceId) -> Response:
    source = (await read_source(db, source_id)).source
    news = await latest_articles(db, str(source.public_id), _EPOCH, 1)
    url = news.articles[0].url if news.articles else ""
    page = SelectorsPage(source, url, _pretty(source.selectors))
    return render(request, "sources/selectors.html", page, title="Test selectors")


@router.post("/sources/{source_id}/selectors/try", "source.test_crawl", needs_database=False)
async def try_selectors(
    request: Request,
    context: Context,
    source_id: SourceId,
    url: Annotated[str, Form(max_length=LONGEST_URL)] = "",
    selectors: LongText = "",
    propose: Tick = False,
) -> Response:
    """One request to the site; what was typed stays in the form, also when it cannot be used."""
    async with context.connection() as db:
        source = (await read_source(db, source_id)).source
    try:
        tried, usual = await _try(context, source, url, _read(selectors), proposes=propose)
        page = SelectorsPage(source, url, selectors, tried, usual)
    except InvalidInput as error:
        problem = str(error)
        page = SelectorsPage(source, url, selectors, problem=problem[:1].upper() + problem[1:])
    return render(request, "sources/selectors.html", page, title="Test selectors")


@router.post("/sources/{source_id}/selectors", "source.update")
async def save_selectors_by_form(
    request: Request, db: Db, context: Context, source_id: SourceId, selectors: LongText = ""
) -> Response:
    source = (await read_source(db, source_id)).source
    await save_selectors(
        db, source, values.selectors(json.dumps(_read(selectors))), context.settings.frontier
    )
    return done(request, f"/sources/{source_id}", "Pages are read by these selectors from now on.")


async def _try(
    context: Context, source: Source, url: str, selectors: Mapping[str, Any], *, proposes: bool
) -> tuple[PageTrial, PageTrial]:
    now, address = datetime.now(UTC), _address(url)
    async with site_requests(context, [address]) as fetch_one:
        once = _Once(fetch_one)
        tried = await try_page(once, address, selectors, source.template, now, proposes=proposes)
        return tried, await try_page(once, address, {}, None, now)


class _Once:
    """Fetches a page once, however often it is asked for."""

    def __init__(self, fetch_one: FetchOne) -> None:
        self._fetch_one = fetch_one
        self._answer: FetchResult | None = None

    async def __call__(self, url: str) -> FetchResult:
        if self._answer is None:
            self._answer = await self._fetch_one(url)
        return self._answer


def _address(written: str) -> str:
    try:
        return values.address(written)
    except ValueError as error:
        raise InvalidInput(f"the page: {error}") from None


def _read(text: str) -> Mapping[str, Any]:
    if not text.strip():
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InvalidInput('selectors are JSON such as {"article": {"title": "h1"}}')
    return found


def _pretty(selectors: Mapping[str, Any] | None) -> str:
    return json.dumps(selectors, indent=2, ensure_ascii=False) if selectors else ""
