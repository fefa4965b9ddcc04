"""What the crawler knows about an owned site: its pages, its 404s, and pages that seem to have moved."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.documents.links import outgoing
from outrider.errors import InvalidInput, InvalidUrl
from outrider.redirects.monitor import Miss
from outrider.sites.model import LivePath, OwnedSite
from outrider.sites.paths import read_path
from outrider.urls import host_id_of, host_of, normalize

PageKey = tuple[int, UUID]
PAGES_AT_ONCE = 200
_SQL = Queries.load("outrider.redirects")


@dataclass(frozen=True, slots=True)
class InferredRename:
    """A page that is gone, and the page that seems to be the same (RDM-30). It is a suggestion only."""

    from_path: str
    to_path: str
    evidence: str
    confidence: float


async def pages_of(db: asyncpg.Connection, site: OwnedSite, most: int) -> list[LivePath]:
    """The pages that the crawler has of a site."""
    rows = await db.fetch(_SQL.crawled_pages, _host_ids(site), most)
    found = {
        path: LivePath(path, title=(row["title"] or "")[:1_000].replace("\x00", ""))
        for row in rows
        if (path := path_of(site, row["url"])) is not None
    }
    return list(found.values())


async def linked_pages_of(
    db: asyncpg.Connection, site: OwnedSite, after: PageKey | None
) -> tuple[list[tuple[str, list[str]]], PageKey | None]:
    """Some pages that the crawler has of a site with their links, and where to go on; None after the last."""
    start = after or (-(2**63), UUID(int=0))
    rows = await db.fetch(_SQL.crawled_links, _host_ids(site), *start, PAGES_AT_ONCE)
    pages = [
        (path, [link.url for link in outgoing(row["links"], row["base"] or row["url"])])
        for row in rows
        if (path := path_of(site, row["url"])) is not None
    ]
    is_last = len(rows) < PAGES_AT_ONCE
    return pages, None if is_last else (rows[-1]["host_id"], rows[-1]["url_hash"])


async def missing_of(
    db: asyncpg.Connection, site: OwnedSite, most: int
) -> list[tuple[Miss, datetime | None]]:
    """The addresses of a site that answered 404 or 410 to the crawler, with referring pages and times."""
    rows = await db.fetch(_SQL.crawled_missing, _host_ids(site), most)
    return [
        (Miss(path, 1, row["parent"]), row["last_fetch_at"])
        for row in rows
        if (path := path_of(site, row["url"])) is not None
    ]


async def answered_since(
    db: asyncpg.Connection, site: OwnedSite, since: datetime, most: int
) -> dict[str, datetime]:
    """The pages of a site that answered the crawler after a time, and when."""
    found: dict[str, datetime] = {}
    for row in await db.fetch(_SQL.crawled_since, _host_ids(site), since, most):
        if (path := path_of(site, row["url"])) is not None:
            found.setdefault(path, row["last_fetch_at"])
    return found


async def renames_of(db: asyncpg.Connection, site: OwnedSite, most: int) -> list[InferredRename]:
    """Pages that seem to have moved, the best candidate of each."""
    best: dict[str, InferredRename] = {}
    for row in await db.fetch(_SQL.same_elsewhere, _host_ids(site), most):
        old, new = path_of(site, row["old"]), path_of(site, row["new"])
        if old is not None and new is not None and old != new:
            best.setdefault(old, InferredRename(old, new, row["evidence"], row["confidence"]))
    return list(best.values())


def path_of(site: OwnedSite, url: str) -> str | None:
    """The path of a URL in stored form; None if it is on another site, or no page can have it."""
    try:
        parts = urlsplit(url)
        if parts.netloc.lower() not in site.hosts:
            return None
        return read_path(parts.path or "/", site.settings.rules)
    except (InvalidInput, ValueError):
        return None


def _host_ids(site: OwnedSite) -> Sequence[int]:
    found = set()
    for host in site.hosts:
        for scheme in ("http", "https"):
            try:
                found.add(host_id_of(host_of(normalize(f"{scheme}://{host}/"))))
            except InvalidUrl:
                continue
    return sorted(found)
