"""Links that lead out of their source, and their domains: record, list and promote them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import Conflict, InvalidUrl, NotFound
from outrider.sources.source_changes import read_changes
from outrider.sources.store import SourceStore
from outrider.urls import UrlKey, host_of, key_of, normalize, origin_of, registrable_domain
from outrider.watch.source_service import ChangeResult, SourceService

MOST_OF_A_DOMAIN = 200  # links to one domain that one source may record
MOST_LOOKED_AT = 1_000
MOST_COUNTED = 10_000
MOST_CLUSTERS = 50


class LinkStatus(StrEnum):
    """The status of a discovered link."""

    NEW = "new"
    QUEUED = "queued"
    PROCESSING = "processing"  # a job fetches it
    IGNORED = "ignored"
    PROMOTED = "promoted"


class DomainState(StrEnum):
    """What an operator decided about a domain."""

    ACTIVE = "active"
    REVIEWING = "reviewing"
    IGNORED = "ignored"
    PROMOTED = "promoted"


UNDECIDED = (DomainState.ACTIVE, DomainState.REVIEWING)


@dataclass(frozen=True, slots=True)
class OutsideLink:
    """A link from a page to another site."""

    key: UrlKey
    url: str
    priority: int
    is_queued: bool = False


@dataclass(frozen=True, slots=True)
class DiscoveredLink:
    """A recorded link. HTTP status and content type are known only if the page was fetched."""

    id: str  # the numbers of its source and its host, and half of its hash
    source: str
    url: str
    domain: str
    parent_url: str | None
    depth: int
    priority: int
    status: str
    discovered_at: datetime
    queued_at: datetime | None
    http_status: int | None
    content_type: str | None


@dataclass(frozen=True, slots=True)
class DiscoveredDomain:
    """A domain that links led to, and its score from 0 to 100."""

    domain: str
    score: int
    state: str
    is_watched: bool
    links: int
    sources: int
    depth: float
    first_seen: datetime
    last_seen: datetime
    ok_ratio: float | None
    html_ratio: float | None
    referring: Sequence[str]
    notes: str | None


class LinkKey(NamedTuple):
    """The key of a recorded link."""

    source_id: int
    host_id: int
    url_hash: UUID


@dataclass(frozen=True, slots=True)
class PathCluster:
    """The links of a domain whose URLs begin alike."""

    path: str  # host and first segment of the path
    links: int
    example: str


@dataclass(frozen=True, slots=True)
class LinkPosition:
    """The place of a link in the list: the links behind it have greater values."""

    age: int  # when it was discovered, in microseconds, negative
    domain: str
    start: str  # of its URL: as much as is sorted by
    host_id: int
    url_hash: UUID
    source_id: int


@dataclass(frozen=True, slots=True)
class DomainPosition:
    """The place of a domain in the list: the domains behind it have greater values."""

    rank: int  # its score, negative
    fewness: int  # its number of links, negative
    domain: str


@dataclass(frozen=True, slots=True)
class LinkFilter:
    """Which links to list. None and an empty search match every link."""

    status: LinkStatus | None = None
    domain: str | None = None
    source: str | None = None  # its name, number or id
    search: str = ""
    limit: int = 25
    offset: int = 0
    after: LinkPosition | None = None  # only links behind it
    is_reversed: bool = False  # the oldest first


@dataclass(frozen=True, slots=True)
class DomainFilter:
    """Which domains to list: by default those that are neither ignored nor promoted."""

    states: Sequence[DomainState] = UNDECIDED
    search: str = ""
    min_score: int = 0
    hide_watched: bool = False
    limit: int = 25
    offset: int = 0
    after: DomainPosition | None = None  # only domains behind it
    domain: str | None = None  # only this one


class DiscoveredStore:
    """Records and lists links to other sites and their domains."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.watch")

    async def record(
        self,
        db: asyncpg.Connection,
        source_id: int,
        parent_url: str,
        depth: int,
        links: Sequence[OutsideLink],
    ) -> None:
        """Record links. A link that its source recorded before is not recorded again."""
        await db.execute(
            self._sql.record_links,
            source_id,
            parent_url,
            depth,
            [link.key.host_id for link in links],
            [link.key.hash for link in links],
            [link.url for link in links],
            [domain_of(link.url) for link in links],
            [link.priority for link in links],
            [link.is_queued for link in links],
            MOST_OF_A_DOMAIN,
        )

    async def links(
        self, db: asyncpg.Connection, wanted: LinkFilter, source_id: int | None = None
    ) -> tuple[list[DiscoveredLink], int, LinkPosition | None]:
        """A page of the list, newest first, the total, and the place of the last link if there are more.

        `source_id` is that of `wanted.source`. The links are counted up to one more than `MOST_COUNTED`.
        """
        place = (None,) * 6 if wanted.after is None else astuple(wanted.after)
        filters = (wanted.status, wanted.domain, source_id, wanted.search)
        await db.execute(self._sql.plan_for_these_filters)
        total: int = await db.fetchval(self._sql.count_links, *filters, MOST_COUNTED + 1)
        if not total:  # the list would examine every link again
            return [], 0, None
        rows = await db.fetch(
            self._sql.list_links, *filters, wanted.limit + 1, wanted.offset, *place, wanted.is_reversed
        )
        last = _of(LinkPosition, rows[wanted.limit - 1]) if len(rows) > wanted.limit else None
        return [_of(DiscoveredLink, row) for row in rows[: wanted.limit]], total, last

    async def domains(
        self, db: asyncpg.Connection, wanted: DomainFilter, now: datetime, *, from_sums: bool = False
    ) -> tuple[list[DiscoveredDomain], int, DomainPosition | None]:
        """A page of the list, best first, the total, and the place of the last domain if there are more.

        `from_sums` reads the sums that the leader made in place of every link.
        """
        place = (None,) * 3 if wanted.after is None else astuple(wanted.after)
        rows = await db.fetch(
            self._sql.list_domains,
            [state.value for state in wanted.states],
            wanted.search,
            wanted.min_score,
            wanted.hide_watched,
            now,
            wanted.limit + 1,
            wanted.offset,
            *place,
            wanted.domain,
            from_sums,
        )
        if not rows and wanted.offset:  # beyond the end: the total is that of the first page
            first = replace(wanted, offset=0, limit=1)
            _, total, _ = await self.domains(db, first, now, from_sums=from_sums)
            return [], total, None
        last = _of(DomainPosition, rows[wanted.limit - 1]) if len(rows) > wanted.limit else None
        found = [_of(DiscoveredDomain, row) for row in rows[: wanted.limit]]
        return found, rows[0]["total"] if rows else 0, last

    async def mark(
        self, db: asyncpg.Connection, named: str, state: DomainState, notes: str | None = None
    ) -> str:
        """Set the state of a domain or a link, and return its name; raises NotFound if no link led to it.

        `notes` about a domain replace the notes that it has, unless they are None.
        """
        url, domain = await self._find(db, named)
        status = _STATUS_OF[state]
        if url is None:
            await db.execute(self._sql.mark_domain, domain, state.value, notes)
            await db.fetch(self._sql.mark_links, domain, None, None, status.value)
            return domain
        key = key_of(url)
        await db.fetch(self._sql.mark_links, None, key.host_id, key.hash, status.value)
        return url

    async def link(self, db: asyncpg.Connection, key: LinkKey) -> DiscoveredLink:
        """One link; raises NotFound."""
        row = await db.fetchrow(self._sql.link_with_key, *key)
        if row is None:
            raise NotFound("there is no such discovered link")
        found: DiscoveredLink = _of(DiscoveredLink, row)
        return found

    async def lock(self, db: asyncpg.Connection, key: LinkKey) -> DiscoveredLink:
        """One link, locked until the commit; raises NotFound."""
        await db.fetchrow(self._sql.lock_link, *key)
        return await self.link(db, key)

    async def process(self, db: asyncpg.Connection, key: LinkKey) -> None:
        """Record that a job fetches a link."""
        await db.execute(self._sql.process_link, key.host_id, key.url_hash)

    async def remove(self, db: asyncpg.Connection, key: LinkKey) -> None:
        """Remove one link; raises NotFound."""
        if await db.fetchval(self._sql.remove_link, *key) is None:
            raise NotFound("there is no such discovered link")

    async def lock_domain(self, db: asyncpg.Connection, domain: str) -> None:
        """Keep other decisions about a domain out until the commit."""
        await db.execute(self._sql.lock_domain, domain)

    async def clusters(self, db: asyncpg.Connection, domain: str) -> list[PathCluster]:
        """The links of a domain by host and first segment of the path, the most first."""
        rows = await db.fetch(self._sql.path_clusters, domain, MOST_CLUSTERS)
        return [PathCluster(**dict(row)) for row in rows]

    async def front_page(self, db: asyncpg.Connection, named: str) -> str:
        """The start page of a link's site, or of the host of a domain that most links led to."""
        url, domain = await self._find(db, named)
        found = await db.fetch(self._sql.links_of_domain, domain, MOST_LOOKED_AT) if url is None else ()
        addresses = [url] if url is not None else [row["url"] for row in found]
        origins = Counter(origin_of(each) for each in addresses if each.startswith(("http://", "https://")))
        return f"{origins.most_common(1)[0][0] if origins else f'https://{domain}'}/"

    async def _find(self, db: asyncpg.Connection, named: str) -> tuple[str | None, str]:
        """The link if `named` is a URL, and the domain."""
        if "://" not in named:
            domain = _domain_named(named)
            if not await db.fetch(self._sql.links_of_domain, domain, 1):
                raise NotFound(f"no link led to {domain[:200]}")
            return None, domain
        key = key_of(normalize(named))
        row = await db.fetchrow(self._sql.find_link, key.host_id, key.hash)
        if row is None:
            raise NotFound(f"no link led to {named[:200]}")
        return row["url"], row["domain"]


async def promote(
    db: asyncpg.Connection, source_service: SourceService, named: str, values: Mapping[str, str | None]
) -> ChangeResult:
    """Add the site of a discovered domain or link as a source, in one transaction.

    `values` are fields as `outrider source add` takes them. Raises Conflict if a source watches the host.
    """
    store = DiscoveredStore()
    url = await store.front_page(db, named)
    if await SourceStore().sources_of(db, [host_of(url)]):
        raise Conflict(f"{host_of(url)} belongs to a source that is watched already")
    result = await source_service.add(db, read_changes({**values, "url": url}).checked())
    await store.mark(db, named, DomainState.PROMOTED)
    return result


def domain_of(url: str) -> str:
    """The domain that a link counts for: its registrable domain, or else its host."""
    host = host_of(url)
    return registrable_domain(host) or host


def _domain_named(text: str) -> str:
    try:
        return domain_of(normalize(f"https://{text.strip()}"))
    except InvalidUrl as error:
        raise NotFound(f"{text[:200]!r} is neither a domain nor an address") from error


_STATUS_OF = {
    DomainState.ACTIVE: LinkStatus.NEW,
    DomainState.REVIEWING: LinkStatus.NEW,
    DomainState.IGNORED: LinkStatus.IGNORED,
    DomainState.PROMOTED: LinkStatus.PROMOTED,
}


def _of(kind: Any, row: Any) -> Any:
    return kind(**{each.name: row[each.name] for each in fields(kind)})
