"""Use cases of one discovered link or domain: show it, decide about it, remove it, make a job of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from outrider.errors import Conflict, InvalidInput, InvalidUrl, NotFound
from outrider.frontier.model import UrlOrigin
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.jobs.options import JobOptions
from outrider.services.discovered.lists import list_links
from outrider.services.jobs.jobs import JobRequest, add_job
from outrider.services.paging import CursorPage, PageRequest
from outrider.services.transaction import one_transaction
from outrider.sources.store import SourceStore
from outrider.urls import host_of, registrable_domain
from outrider.urls.typed import host_named
from outrider.watch.discovery.outside_links import (
    DiscoveredDomain,
    DiscoveredLink,
    DiscoveredStore,
    DomainFilter,
    DomainState,
    LinkFilter,
    LinkKey,
    LinkStatus,
    PathCluster,
    promote,
)
from outrider.watch.source_service import SourceService
from outrider.watch.submit import submit_urls

MOST_DOMAINS = 100  # decided about in one call
LONGEST_NOTES = 2_000
_KEY = re.compile(r"([0-9]{1,9}):(-?[0-9]{1,19}):([0-9a-f]{32})")
_SMALLEST, _LARGEST = -(1 << 63), (1 << 63) - 1  # of a bigint
_DONE = (LinkStatus.PROCESSING, LinkStatus.PROMOTED)


@dataclass(frozen=True, slots=True)
class DomainLinks:
    """The links of a domain, and how their URLs begin."""

    links: CursorPage[DiscoveredLink]
    clusters: Sequence[PathCluster]


@dataclass(frozen=True, slots=True)
class DomainResult:
    """The result for one domain: its new state, or the error that kept it as it is."""

    domain: str
    state: DomainState | None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class DomainResults:
    """The results of a decision about many domains."""

    changed: int
    refused: int
    dry_run: bool
    results: Sequence[DomainResult]


@dataclass(frozen=True, slots=True)
class LinkJob:
    """The job that fetches a discovered link."""

    link: DiscoveredLink
    job_id: UUID
    source: str
    is_new_source: bool


def read_link_key(text: str) -> LinkKey:
    """The key that the id of a link names; raises NotFound for text that is no id."""
    found = _KEY.fullmatch(text)
    if found is None or not _SMALLEST <= int(found[2]) <= _LARGEST:
        raise NotFound("there is no such discovered link: lists give the id of each link")
    return LinkKey(int(found[1]), int(found[2]), UUID(found[3]))


async def show_link(db: asyncpg.Connection, key: LinkKey) -> DiscoveredLink:
    """One discovered link; raises NotFound."""
    async with db.transaction():
        return await DiscoveredStore().link(db, key)


async def remove_link(db: asyncpg.Connection, key: LinkKey) -> None:
    """Remove a discovered link; a worker that meets it again records it again. Raises NotFound."""
    async with db.transaction():
        await DiscoveredStore().remove(db, key)


async def create_link_job(
    db: asyncpg.Connection, key: LinkKey, frontier_options: FrontierOptions, job_options: JobOptions
) -> LinkJob:
    """Fetch a discovered link with a job that runs once, now.

    The job belongs to the source of the link's host; a host without a source becomes one. Raises NotFound,
    and Conflict if a job has the link already or the source is disabled.
    """
    store, frontier = DiscoveredStore(), FrontierStore(frontier_options)
    async with db.transaction():
        link = await store.lock(db, key)
        if link.status in _DONE:
            raise Conflict(f"{link.url} is {link.status} already")
        host = host_of(link.url)
        source_id = (await SourceStore().sources_of(db, [host])).get(host)
        is_new = source_id is None
        if source_id is None:
            settled = await promote(db, SourceService(frontier), link.url, {"mode": "spider"})
            source_id = settled.source.source_id
        source = await SourceStore().by_id(db, source_id)
        job = await add_job(db, JobRequest(str(source.public_id)), job_options)
        await submit_urls(db, frontier, [link.url], source_id, origin=UrlOrigin.DISCOVERED)
        await store.process(db, key)
        return LinkJob(await store.link(db, key), job.job.public_id, source.name, is_new)


async def show_domain(db: asyncpg.Connection, domain: str, now: datetime) -> DiscoveredDomain:
    """One domain that links led to; raises NotFound."""
    wanted = DomainFilter(tuple(DomainState), domain=_domain(domain))
    async with db.transaction():
        found, _, _ = await DiscoveredStore().domains(db, wanted, now)
    if not found:
        raise NotFound(f"no link led to {domain[:200]!r}")
    return found[0]


async def lock_domain(db: asyncpg.Connection, domain: str, now: datetime) -> DiscoveredDomain:
    """One domain, locked against other decisions until the commit; raises NotFound."""
    await DiscoveredStore().lock_domain(db, _domain(domain))
    return await show_domain(db, domain, now)


async def list_domain_links(
    db: asyncpg.Connection, domain: str, page: PageRequest, now: datetime
) -> DomainLinks:
    """The links of a domain, and how their URLs begin; raises NotFound."""
    known = await show_domain(db, domain, now)
    async with db.transaction():
        links = await list_links(db, LinkFilter(domain=known.domain), page)
        return DomainLinks(links, await DiscoveredStore().clusters(db, known.domain))


async def decide_about_domain(
    db: asyncpg.Connection, domain: str, state: DomainState, notes: str | None, now: datetime
) -> DiscoveredDomain:
    """Set the state of a domain, and its notes unless they are None; raises NotFound."""
    if notes is not None and len(notes) > LONGEST_NOTES:
        raise InvalidInput(f"notes have up to {LONGEST_NOTES:,} characters")
    async with db.transaction():
        await DiscoveredStore().mark(db, _domain(domain), state, notes)
        return await show_domain(db, domain, now)


async def decide_about_domains(
    db: asyncpg.Connection,
    domains: Sequence[str],
    state: DomainState,
    notes: str | None = None,
    *,
    dry_run: bool = False,
) -> DomainResults:
    """Set the state of up to 100 domains. A domain that no link led to does not stop the others."""
    if not 1 <= len(domains) <= MOST_DOMAINS:
        raise InvalidInput(f"give 1 to {MOST_DOMAINS} domains, not {len(domains)}")
    results = []
    async with one_transaction(db, dry_run=dry_run):
        for domain in dict.fromkeys(domains):
            results.append(await _decide(db, domain, state, notes))
    refused = sum(each.error is not None for each in results)
    return DomainResults(len(results) - refused, refused, dry_run, results)


async def _decide(db: asyncpg.Connection, domain: str, state: DomainState, notes: str | None) -> DomainResult:
    try:
        return DomainResult(await DiscoveredStore().mark(db, _domain(domain), state, notes), state)
    except NotFound as error:
        return DomainResult(domain, None, str(error))


def _domain(text: str) -> str:
    """The domain that links count for; raises NotFound."""
    try:
        host = host_named(text)
    except InvalidUrl as error:
        raise NotFound(f"{text[:200]!r} is no domain") from error
    return registrable_domain(host) or host
