"""Searches for channels: one search for each due source, and one pass over new robots.txt files."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.crawl.politeness.leased_fetch import LeasedFetch
from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Conflict
from outrider.feeds.options import FeedOptions
from outrider.frontier.model import EntryKind, Submission, UrlOrigin
from outrider.frontier.priority import SEED
from outrider.frontier.store import FrontierStore
from outrider.logs import get_logger
from outrider.robots import Robots
from outrider.sources.searches import (
    DueSearch,
    claim_search,
    follow_links_instead,
    postpone_search,
    record_search,
)
from outrider.sources.store import SourceStore
from outrider.urls import host_of, key_of
from outrider.watch.channels.found import DiscoveryResult
from outrider.watch.channels.model import FoundBy, NewChannel
from outrider.watch.channels.store import ChannelStore
from outrider.watch.source_service import announced_elsewhere

log = get_logger()

NEVER_S = 100 * 365 * 86_400.0
AT_ONCE = 10  # searches: each obeys the delay of its host, so it mostly waits


@dataclass(frozen=True, slots=True)
class SilentSource:
    """A source in feed mode that was searched and has nothing to poll (FED-24)."""

    source_id: int
    name: str
    url: str
    searched_at: datetime


async def silent_sources(db: asyncpg.Connection) -> list[SilentSource]:
    """Sources in feed mode without a channel, for operators."""
    rows = await db.fetch(Queries.load("outrider.watch").silent_sources)
    return [SilentSource(**dict(row)) for row in rows]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of one search. `found` is None if the host was busy."""

    name: str
    found: DiscoveryResult | None
    added: int = 0
    follows_links: bool = False  # the search found nothing, and the source follows links from now on


class ChannelSearch:
    """The periodic task that finds channels for watched sources without any."""

    def __init__(
        self,
        connection: ReconnectingConnection,
        frontier: FrontierStore,
        options: FeedOptions,
        open_fetch: Callable[[], LeasedFetch],
    ) -> None:
        self._connection = connection
        self._frontier = frontier
        self._options = options
        self._open_fetch = open_fetch
        self._store = ChannelStore()
        self._watched = SourceStore()
        self._sql = Queries.load("outrider.watch")

    async def all(self) -> None:
        """Search every source that is due."""
        await self._each(self._options.discovery_retry_s)

    async def new(self) -> None:
        """Search new sources, and sources whose sites did not answer and are due again."""
        await self._each(NEVER_S)

    async def _each(self, retry_s: float) -> None:
        """Search all due sources, several at a time."""
        is_idle = False  # the last claim found nothing due: the other loops need not claim

        async def claim(db: asyncpg.Connection) -> DueSearch | None:
            nonlocal is_idle
            source = None if is_idle else await claim_search(db, retry_s)
            is_idle = source is None
            return source

        async def one_after_another() -> None:
            nonlocal is_idle
            while source := await self._connection.run(claim, patience_s=60, is_one_statement=True):
                await self._search(source)
                is_idle = False

        ended = await asyncio.gather(*(one_after_another() for _ in range(AT_ONCE)), return_exceptions=True)
        for problem in filter(None, ended):
            raise problem

    async def one(self, retry_s: float | None = None) -> SearchResult | None:
        """Search the source that has waited longest (FED-18, FED-19); None if no source is due.

        A source whose search found nothing is due after `retry_s`. None: the configured time.
        """
        wait_s = self._options.discovery_retry_s if retry_s is None else retry_s
        source = await self._connection.run(lambda db: claim_search(db, wait_s), patience_s=60)
        return None if source is None else await self._search(source)

    async def _search(self, source: DueSearch) -> SearchResult:
        from outrider.watch.discovery.discover import find_channels  # it imports the parsers of feeds

        fetch = self._open_fetch()
        try:
            async with fetch:
                found = await find_channels(fetch.run, source.url)
        except Conflict as busy:
            if not fetch.has_asked:
                return await self._put_off(source, str(busy))
            found = DiscoveryResult(source.url, is_down=True, notes=[str(busy)])
        return await self._conclude(source, found)

    async def offer_sitemaps(self, since_s: float) -> int:
        """Add Sitemap lines of recently fetched robots.txt files as candidates (ROB-15); returns how many."""
        return await self._connection.run(lambda db: self._offer(db, since_s), patience_s=60)

    async def _put_off(self, source: DueSearch, why: str) -> SearchResult:
        log.info("search postponed", source=source.name, why=why)
        await self._connection.run(
            lambda db: postpone_search(db, source.source_id, self._options.discovery_retry_s),
            patience_s=60,
        )
        return SearchResult(source.name, None)

    async def _conclude(self, source: DueSearch, found: DiscoveryResult) -> SearchResult:
        """Store the result. A site that does not answer does not count as a site without channels."""
        source_id, name = source.source_id, source.name
        has_answered = found.is_proven or not (found.is_down or found.channels)

        async def keep(db: asyncpg.Connection) -> tuple[int, bool]:
            owners = await self._watched.channel_owners(db, [channel.url for channel in found.channels])
            notes = [*announced_elsewhere(owners, source_id), *found.kept_notes]
            await record_search(db, source_id, notes, has_answered=has_answered)
            if found.channels:
                return await self._store.add(db, self._frontier, source_id, found.channels), False
            return 0, has_answered and source.may_follow_links and await self._walk(db, source_id)

        added, follows_links = await self._connection.run(keep, patience_s=60)
        if found.channels:
            log.info("channels found", source=name, urls=[channel.url for channel in found.channels])
        elif has_answered:
            log.warning("nothing to poll", source=name, notes=found.notes[:5])
        else:
            log.info("site does not answer", source=name, why=found.notes[-1])
        return SearchResult(name, found, added, follows_links)

    async def _walk(self, db: asyncpg.Connection, source_id: int) -> bool:
        url = await follow_links_instead(db, source_id)
        if url is None:
            return False
        home = Submission(key_of(url), url, host_of(url), SEED, source_id=source_id, origin=UrlOrigin.SPIDER)
        await self._frontier.ingest(db, [home])
        await self._frontier.visit_again(db, [home.key], home.source_id, SEED)
        return True

    async def _offer(self, db: asyncpg.Connection, since_s: float) -> int:
        """Write only new candidates and known ones that are not queued: most were offered before."""
        fresh = await db.fetch(self._sql.fresh_robots, since_s)
        if not fresh:
            return 0
        from outrider.watch.discovery.discover import declared_sitemaps  # it imports the parsers of feeds

        named = [
            (row["source_id"], candidate.url)
            for row in fresh
            for candidate in declared_sitemaps(Robots.parse(row["body"]).sitemaps, row["url"])
        ]
        keys = [key_of(url) for _, url in named]
        wanted = await db.fetch(
            self._sql.worth_offering,
            [key.host_id for key in keys],
            [key.hash for key in keys],
            self._options.discovery_retry_s,
        )
        of_source: dict[int, list[NewChannel]] = defaultdict(list)
        for row in wanted:
            source_id, url = named[row["place"] - 1]
            of_source[source_id].append(NewChannel(url, EntryKind.SITEMAP, FoundBy.ROBOTS, is_candidate=True))
        return sum([await self._store.add(db, self._frontier, *each) for each in of_source.items()])
