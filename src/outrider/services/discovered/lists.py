"""Use cases of discovered links: list them and their domains, decide about them, watch one as a source."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import asyncpg

from outrider.errors import InvalidInput
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.services.cursor import read_cursor, write_cursor
from outrider.services.paging import CursorPage, PageRequest, TotalIs
from outrider.services.sources.sources import source_id_named
from outrider.services.transaction import one_transaction
from outrider.sources.model import Mode
from outrider.watch.discovery.domain_sums import sums_as_of
from outrider.watch.discovery.outside_links import (
    MOST_COUNTED,
    DiscoveredDomain,
    DiscoveredLink,
    DiscoveredStore,
    DomainFilter,
    DomainPosition,
    DomainState,
    LinkFilter,
    LinkPosition,
    promote,
)
from outrider.watch.source_service import SourceService

_DOMAINS, _LINKS = "domains", "links"  # in cursors
_EPOCH = datetime.fromtimestamp(0, UTC)
_LONGEST_READING = timedelta(days=30)  # of one list, page by page


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


@dataclass(frozen=True, slots=True)
class DiscoveredDomains(CursorPage[DiscoveredDomain]):
    """Discovered domains. `as_of` is set when their links were summed up before, for all readers: counts,
    times and shares are of that time. State, notes and `is_watched` are always present ones.
    """

    as_of: datetime | None = None


async def list_domains(
    db: asyncpg.Connection, wanted: DomainFilter, page: PageRequest, now: datetime
) -> DiscoveredDomains:
    """The domains that links point to, the most promising first; raises InvalidInput for a wrong cursor.

    Scores fall with time, so the pages after the first are scored for the time of the first one.
    """
    page, after = page.checked(), None
    if page.cursor is not None:
        at, *position = read_cursor(page.cursor, _DOMAINS, (int, int, int, str))
        now, after = _scored_at(at, now), DomainPosition(*position)
    wanted = replace(wanted, limit=page.limit, offset=page.offset, after=after)
    async with db.transaction():
        as_of = await sums_as_of(db, datetime.now(UTC))
        found, total, last = await DiscoveredStore().domains(db, wanted, now, from_sums=as_of is not None)
    following = None if last is None else write_cursor(_DOMAINS, (_microseconds(now), *astuple(last)))
    return DiscoveredDomains(found, total, page.limit, page.offset, next=following, as_of=as_of)


async def list_links(
    db: asyncpg.Connection, wanted: LinkFilter, page: PageRequest
) -> CursorPage[DiscoveredLink]:
    """The links from sources to other sites, the latest first.

    Raises InvalidInput for a wrong cursor, NotFound for a source that does not exist.
    """
    page, after = page.checked(), None
    place = f"{_LINKS} reversed" if wanted.is_reversed else _LINKS
    if page.cursor is not None:
        after = LinkPosition(*read_cursor(page.cursor, place, (int, str, str, int, UUID, int)))
    wanted = replace(wanted, limit=page.limit, offset=page.offset, after=after)
    async with db.transaction():
        source_id = await source_id_named(db, wanted.source)
        found, total, last = await DiscoveredStore().links(db, wanted, source_id)
    following = None if last is None else write_cursor(place, astuple(last))
    total_is = TotalIs.EXACT if total <= MOST_COUNTED else TotalIs.AT_LEAST
    return CursorPage(found, min(total, MOST_COUNTED), page.limit, page.offset, total_is, following)


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


def _microseconds(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1)


def _scored_at(microseconds: int, now: datetime) -> datetime:
    """The time of the first page; raises InvalidInput for one that is long ago or still to come."""
    if not abs(_microseconds(now) - microseconds) < _LONGEST_READING // timedelta(microseconds=1):
        raise InvalidInput("the cursor is too old: start again without it")
    return _EPOCH + timedelta(microseconds=microseconds)
