"""`/sources/new`: watch a site; its name, feeds and sitemaps are found while you watch (UI-09)."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Form, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from outrider.auth.model import Role
from outrider.crawl.politeness.fetch_result import FetchResult
from outrider.errors import OutriderError
from outrider.services.sources.add import ExploredSite, add_source, check_unwatched, explore_site
from outrider.sources.model import Mode
from outrider.sources.source_changes import SourceChanges, read_changes
from outrider.watch.channels.found import DiscoveryResult
from outrider.web.context import ServerContext
from outrider.web.dashboard.forms import ShortText, Tick
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import part_text, render
from outrider.web.dependencies import Context, Db
from outrider.web.site_requests import site_requests

router = PageRouter()

MOST_CHANNELS = 100
LONGEST_URL = 8_000
_HERE = "<!-- progress -->"  # where the search appears in the page

Addresses = Annotated[list[Annotated[str, Form(max_length=LONGEST_URL)]], Form(max_length=MOST_CHANNELS)]


@dataclass(frozen=True, slots=True)
class NewSourcePage:
    """The address of a site to watch."""

    url: str
    is_exploring: bool = False


@dataclass(frozen=True, slots=True)
class FoundSitePage:
    """What was found on a site, and the form that adds it."""

    explored: ExploredSite

    modes = tuple(Mode)

    @property
    def found(self) -> DiscoveryResult:
        return self.explored.found

    @property
    def changes(self) -> SourceChanges:
        return self.explored.changes

    @property
    def name(self) -> str:
        return self.changes.as_source().name

    @property
    def refusal(self) -> str:
        """Why the site is added only by force, without the hints of the command line."""
        return _without_commands(self.explored.refusal or "")


@router.get("/sources/new", Role.ADMIN)
async def show_new_source(
    request: Request, url: Annotated[str, Query(max_length=LONGEST_URL)] = ""
) -> Response:
    return render(request, "sources/new.html", NewSourcePage(url), title="Add a source")


@router.post("/sources/explore", "source.fetch_metadata", needs_database=False)
async def explore(
    request: Request, context: Context, url: Annotated[str, Form(min_length=1, max_length=LONGEST_URL)]
) -> Response:
    """The page comes piece by piece: each request to the site as it is made, then what was found."""
    changes = read_changes({"url": url}).checked()
    page = NewSourcePage(url.strip(), is_exploring=True)
    whole = render(request, "sources/new.html", page, title="Add a source", is_whole=False)
    before, _, after = bytes(whole.body).decode().partition(_HERE)
    pieces = _pieces(request, context, url.strip(), changes, before, after)
    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(pieces, media_type="text/html; charset=utf-8", headers=headers)


@router.post("/sources", "source.create")
async def add_by_form(
    request: Request,
    db: Db,
    context: Context,
    url: Annotated[str, Form(min_length=1, max_length=LONGEST_URL)],
    name: ShortText = "",
    mode: ShortText = "",
    feed: Addresses = [],  # noqa: B006 (pydantic copies it)
    sitemap: Addresses = [],  # noqa: B006
    labels: ShortText = "",
    poll: ShortText = "",
    priority: ShortText = "",
    searched: Tick = False,
    force: Tick = False,
) -> Response:
    values: dict[str, str | Sequence[str] | None] = {
        "url": url,
        "name": name,
        "mode": mode,
        "feed": feed,
        "sitemap": sitemap,
        "labels": labels,
        "poll": poll,
        "priority": priority,
    }
    given = read_changes(values)
    changes = given.checked()
    found = DiscoveryResult(changes.as_source().url, is_reached=True) if searched else None
    added = await add_source(db, changes, found, context.settings.frontier, force=force)
    settled = added.settled
    path = f"/sources/{settled.source.source_id}" if settled else "/sources"
    return done(request, path, f"{added.name} is watched from now on. Its job follows within seconds.")


async def _pieces(
    request: Request,
    context: ServerContext,
    given: str,
    changes: SourceChanges,
    before: str,
    after: str,
) -> AsyncIterator[str]:
    yield before
    asked: asyncio.Queue[str | None] = asyncio.Queue()
    search = asyncio.create_task(_search(context, given, changes, asked))
    try:
        while (url := await asked.get()) is not None:
            yield part_text(request, "sources/_asked.html", url=url)
        yield "</ol>"
        yield part_text(request, "sources/_found.html", page=FoundSitePage(await search))
    except OutriderError as error:
        sentence = _without_commands(str(error))
        yield "</ol>" + part_text(request, "sources/_not_found.html", sentence=sentence, given=given)
    finally:
        search.cancel()
        with suppress(asyncio.CancelledError, OutriderError):
            await search
    yield after


async def _search(
    context: ServerContext, given: str, changes: SourceChanges, asked: asyncio.Queue[str | None]
) -> ExploredSite:
    """Search the site, and tell each request; None in the end."""
    try:
        async with context.connection() as db:
            await check_unwatched(db, changes)
        async with site_requests(context, [changes.as_source().url]) as fetch_one:

            async def told(url: str) -> FetchResult:
                asked.put_nowait(url)
                return await fetch_one(url)

            return await explore_site(told, given, changes, datetime.now(UTC))
    finally:
        asked.put_nowait(None)


def _without_commands(sentence: str) -> str:
    """A sentence without what it says about commands and options of the command line."""
    told = sentence.partition(": `outrider")[0].partition(": name its --")[0]
    return told[:1].upper() + told[1:]
