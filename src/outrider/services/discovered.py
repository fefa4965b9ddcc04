"""Use cases of discovered links: list them and their domains, decide about them, watch one as a source."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import asyncpg

from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.services.paging import ListPage, PageRequest
from outrider.services.transaction import one_transaction
from outrider.sources.model import Mode
from outrider.watch.discovery.outside_links import (
    DiscoveredDomain,
    DiscoveredLink,
    DiscoveredStore,
    DomainFilter,
    DomainState,
    LinkFilter,
    promote,
)
from outrider.watch.source_service import SourceService


@dataclass(frozen=True, slots=True)
class DiscoveryDecision:
    """A decision: the domain or link, and its new state."""

    named: str
    state: DomainState


@dataclass(frozen=True, slots=True)
class PromotedSource:
    """The source that a discovered domain became, or would become in a dry run."""

    name: str
    url: str
    mode: Mode
    dry_run: bool


async def list_domains(
    db: asyncpg.Connection, wanted: DomainFilter, page: PageRequest, now: datetime
) -> ListPage[DiscoveredDomain]:
    """The domains that links point to, the most promising first."""
    page = page.checked()
    wanted = replace(wanted, limit=page.limit, offset=page.offset)
    async with db.transaction():
        found, total = await DiscoveredStore().domains(db, wanted, now)
    return ListPage(found, total, page.limit, page.offset)


async def list_links(
    db: asyncpg.Connection, wanted: LinkFilter, page: PageRequest
) -> ListPage[DiscoveredLink]:
    """The links from sources to other sites, the latest first."""
    page = page.checked()
    wanted = replace(wanted, limit=page.limit, offset=page.offset)
    async with db.transaction():
        found, total = await DiscoveredStore().links(db, wanted)
    return ListPage(found, total, page.limit, page.offset)


async def decide_about(db: asyncpg.Connection, named: str, state: DomainState) -> DiscoveryDecision:
    """Ignore, review or restore a domain or a link; raises NotFound if it is not recorded."""
    async with db.transaction():
        return DiscoveryDecision(await DiscoveredStore().mark(db, named, state), state)


async def promote_to_source(
    db: asyncpg.Connection,
    named: str,
    values: Mapping[str, str | None],
    options: FrontierOptions,
    *,
    dry_run: bool = False,
) -> PromotedSource:
    """Watch a discovered domain, or the site of a link, from now on.

    `values` are fields of a source as text. Raises NotFound if the domain or link is not recorded,
    Conflict if a source has the site already.
    """
    async with one_transaction(db, dry_run=dry_run):
        settled = await promote(db, SourceService(FrontierStore(options)), named, values)
    source = settled.source
    return PromotedSource(source.name, source.url, source.mode, dry_run)
