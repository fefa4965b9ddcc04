"""Registers the links that the crawler found in the pages of an owned site (DLM-20, DLM-21).

It reads what crawls stored and makes no request. Each page is the field `page:/path`; a page that is gone
drops its links. A link to a live path of the site needs no check, so it is not stored.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.links.monitor.hrefs import LONGEST_KEY, LONGEST_URL, FieldLink, field_links, link_key
from outrider.links.monitor.internal import internal_state
from outrider.links.monitor.model import LinkKind, LinkState, LinkType, PathAnswer, PathState
from outrider.links.monitor.queue import queue_checks
from outrider.links.monitor.schedule import is_fresh
from outrider.links.monitor.store import LinkStore
from outrider.redirects.crawled import PAGES_AT_ONCE, PageKey, linked_pages_of, path_of
from outrider.redirects.live_paths import live_paths_of
from outrider.sites.model import OwnedSite
from outrider.sites.paths import for_header
from outrider.sites.store import SiteStore

T = TypeVar("T")

REGISTER_EVERY_S = 3_600.0
MOST_PAGES = 20_000  # of one site
MOST_RENDERED = 100_000  # links of one site
_STORE = LinkStore()
_NOT_STORED = (PathState.LIVE, PathState.UNKNOWN)
_NO_ROUTE = PathAnswer(PathState.NO_ROUTE)


class RunWork(Protocol):
    """Runs a function in a transaction of its own."""

    async def __call__(self, work: Callable[[asyncpg.Connection], Awaitable[T]], /) -> T: ...


class _Part(NamedTuple):
    seen: list[str]  # the fields of the pages
    stored: int
    live: int
    after: PageKey | None  # None: these were the last pages


@dataclass(frozen=True, slots=True)
class RenderedLinks:
    """What a pass over the crawled pages of a site found."""

    pages: int
    links: int  # that are stored
    live: int  # that lead to live paths and are not stored
    dropped: int  # of pages that are gone


async def register_rendered(
    run: RunWork, site: OwnedSite, *, most_links: int = MOST_RENDERED
) -> RenderedLinks:
    """Bring the links of crawled pages up to date, in transactions of bounded size.

    `run` calls a function in a transaction. Pages whose links did not change are not written.
    """
    seen: list[str] = []
    stored = live = pages = 0
    after: PageKey | None = None
    while pages < MOST_PAGES:
        done = await run(partial(_register_part, site=site, after=after, most_links=most_links - stored))
        seen += done.seen
        stored, live, pages = stored + done.stored, live + done.live, pages + PAGES_AT_ONCE
        after = done.after
        if after is None:
            break
    dropped = await run(lambda db: _STORE.keep_rendered(db, site.site_id, seen))
    return RenderedLinks(len(seen), stored, live, dropped)


async def register_all(connection: ReconnectingConnection) -> None:
    """Register the links of all sites that want it; a site that no longer wants it keeps none."""
    offset = 0
    while True:
        sites, _ = await connection.run(lambda db, after=offset: SiteStore().page(db, 100, after))  # type: ignore[misc]
        for site in sites:
            if site.settings.crawl_links:
                await register_rendered(connection.run, site)
            else:
                await connection.run(lambda db, of=site: _STORE.keep_rendered(db, of.site_id, []))  # type: ignore[misc]
        if len(sites) < 100:
            return
        offset += len(sites)


async def _register_part(
    db: asyncpg.Connection, site: OwnedSite, after: PageKey | None, most_links: int
) -> _Part:
    """Register the links of some pages, at most so many links."""
    part, following = await linked_pages_of(db, site, after)
    pages = {f"page:{path}": links for path, links in part}
    pages = {key: links for key, links in pages.items() if len(key.encode()) <= LONGEST_KEY}
    answers = await _answers(db, site, pages)
    known = await _STORE.fields(db, site.site_id, list(pages))
    seen: list[str] = []
    stored = live = 0
    for key, urls in pages.items():
        wanted, states, live_here = _wanted(site, urls, answers)
        live += live_here
        kind, present = known.get(key, (LinkKind.RENDERED, set()))
        if kind is not LinkKind.RENDERED:
            continue  # the owner saves this field
        wanted = wanted[: max(0, most_links - stored)]
        stored += len(wanted)
        seen.append(key)
        if {link.url for link in wanted} != present:
            await _save(db, site.site_id, key, wanted, states)
    return _Part(seen, stored, live, following)


async def _answers(
    db: asyncpg.Connection, site: OwnedSite, pages: Mapping[str, Sequence[str]]
) -> Mapping[str, PathAnswer]:
    """What the site knows about every path that the pages link to."""
    paths = {path for urls in pages.values() for url in urls if (path := path_of(site, url)) is not None}
    return await live_paths_of(db, site)([for_header(path) for path in sorted(paths)])


def _wanted(
    site: OwnedSite, urls: Sequence[str], answers: Mapping[str, PathAnswer]
) -> tuple[list[FieldLink], dict[str, LinkState], int]:
    """The links of a page to store, the states of those within the site, and how many are live."""
    kept: dict[str, FieldLink] = {}
    states: dict[str, LinkState] = {}
    live = 0
    for url in urls:
        path = path_of(site, url)
        answer = None if path is None else answers.get(for_header(path), _NO_ROUTE)
        if answer is not None and answer.state in _NOT_STORED:
            live += answer.state is PathState.LIVE
            continue
        address = url if path is None else site.base_url + for_header(path)
        if len(address.encode()) > LONGEST_URL:
            continue
        for link in field_links([address], site.base_url):
            kept[link.url] = link
            if answer is not None:
                states[link.url] = internal_state(answer)
    return list(kept.values()), states, live


async def _save(
    db: asyncpg.Connection,
    site_id: int,
    source_key: str,
    links: Sequence[FieldLink],
    internal: Mapping[str, LinkState],
) -> None:
    """Replace the links of one page; external ones are queued unless they were checked lately."""
    now = datetime.now(UTC)
    waiting: list[str] = []
    states: dict[int, LinkState] = {}
    for link in await _STORE.replace_field(db, site_id, source_key, links, None, LinkKind.RENDERED):
        if link.link_type is LinkType.INTERNAL:
            states[link.link_id] = internal.get(link.url, internal_state(None))
            continue
        known = await _STORE.checks(db, link_key(link.url), 1)
        if known and is_fresh(known[0].checked_at, now):
            states[link.link_id] = known[0].state
        else:
            waiting.append(link.url)
    await _STORE.set_states(db, states)
    await queue_checks(db, FrontierStore(FrontierOptions()), waiting)
