"""Pages of watched sources: keeps articles, visits lists repeatedly, records links to other sites.

Links within the source are queued as for any crawl (`crawl/pages/absorb.py`) if the mode of the source
follows links. This handler adds three things: it records sightings of articles, schedules the next visit of
a list, and handles links to other sites.
"""

from collections.abc import Sequence

import asyncpg

from outrider.crawl.pages.handler import KeptPage, PageHandler
from outrider.crawl.plan import CrawlPlan
from outrider.crawl.visit import Visit
from outrider.extract.article.page_type import PageType
from outrider.extract.article.url import article_url
from outrider.extract.recipe.model import Extracted
from outrider.fetch.outcome import Fetched
from outrider.frontier.counter_name import CounterName
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import Entry, Submission, UrlOrigin
from outrider.frontier.priority import DEFAULT, priority, signals_of
from outrider.sources.model import ADHOC
from outrider.sources.policy import External
from outrider.urls import UrlKey, host_of, key_of
from outrider.watch.channels.model import DiscoveryMethod, Sighting, SightingBatch
from outrider.watch.channels.store import ChannelStore
from outrider.watch.discovery.outside_links import DiscoveredStore, OutsideLink
from outrider.watch.spider.host_owners import HostOwners
from outrider.watch.spider.listings import ListingStore
from outrider.watch.spider.revisit import after_redirect, first_interval, next_interval

GONE = frozenset((DeadReason.NOT_FOUND, DeadReason.GONE, DeadReason.UNSUPPORTED_CONTENT_TYPE))
LOST_S = 86_400.0


class SourcePageHandler(PageHandler):
    """The page handler of `outrider watch`. For a page of a crawl command it works like `PageHandler`."""

    def __init__(self) -> None:
        self._discovered = DiscoveredStore()
        self._listings = ListingStore()
        self._channels = ChannelStore()
        self._neighbours = HostOwners()

    async def read(self, visit: Visit, fetched: Fetched) -> Extracted | None:
        if visit.plan.follow.outside is not External.IGNORE:
            await self._neighbours.refresh(visit.context.connection)
        return await super().read(visit, fetched)

    def kept(self, visit: Visit, kept: KeptPage) -> float | None:
        plan, entry = visit.plan, visit.entry
        if not plan.is_watched:
            return None
        self._take_outside(visit, kept.page_links.outside)
        self._record_sightings(visit, kept.page_links.links)
        if is_list(entry, plan, kept):
            return self._come_back(visit, [link.key for link in kept.page_links.links])
        published_at = kept.read.page.published_at if kept.read else None
        if published_at is not None and entry.origin is UrlOrigin.SPIDER:
            visit.context.flusher.batch.write(
                lambda db: self._listings.date_sighting(db, entry.key, published_at)
            )
        return plan.policy.recrawl_s

    async def confirmed(self, visit: Visit) -> float | None:
        plan, entry = visit.plan, visit.entry
        if not plan.is_watched:
            return None
        interval_s = await visit.context.connection.run(
            lambda db: self._listings.interval(db, entry.key, plan.source_id), patience_s=60
        )
        if interval_s is None or not plan.follow.inside:
            return plan.policy.recrawl_s
        longer_s = next_interval(interval_s, 0, plan.policy.usual_poll_s)
        visit.context.flusher.batch.write(
            lambda db: self._listings.note(db, visit.context.frontier, entry.key, plan.source_id, longer_s, 0)
        )
        return longer_s

    def lost(self, visit: Visit, reason: str) -> float | None:
        """Retry the front page always, and a page that was fetched before unless it is gone."""
        plan, entry = visit.plan, visit.entry
        if not plan.is_watched or not plan.follow.inside:
            return None
        may_return = is_front(entry, plan) or (entry.fetches > 0 and reason not in GONE)
        return LOST_S if may_return else None

    async def redirected(self, visit: Visit, times: int) -> float | None:
        plan, entry = visit.plan, visit.entry
        if not plan.is_watched:
            return None
        usual_s = plan.policy.recrawl_s
        if plan.follow.inside:
            connection, key = visit.context.connection, entry.key
            source_id = entry.source_id
            listed_s = await connection.run(
                lambda db: self._listings.interval(db, key, source_id), patience_s=60
            )
            front_s = plan.policy.usual_poll_s if is_front(entry, plan) else None
            usual_s = listed_s or front_s or usual_s
        return after_redirect(usual_s, times)

    def moved(self, visit: Visit, target: str) -> None:
        """Copy the sightings of the redirecting address to its target."""
        if visit.plan.is_watched:
            visit.context.flusher.batch.write_row(
                self._channels.copy_sightings, (visit.entry.key, key_of(target))
            )

    def _come_back(self, visit: Visit, links: Sequence[UrlKey]) -> float:
        """Queue a list again. The flush computes the interval: the database knows which links are new."""
        store, entry, poll_s = self._listings, visit.entry, visit.plan.policy.usual_poll_s
        to_begin_with_s = first_interval(entry.depth, poll_s)

        async def write(db: asyncpg.Connection) -> None:
            known_s = await store.interval(db, entry.key, entry.source_id)
            new = await store.unknown(db, links, entry.source_id)
            interval_s = to_begin_with_s if known_s is None else next_interval(known_s, new, poll_s)
            await store.note(db, visit.context.frontier, entry.key, entry.source_id, interval_s, new)

        visit.context.flusher.batch.write(write)
        return to_begin_with_s

    def _record_sightings(self, visit: Visit, links: Sequence[Submission]) -> None:
        source_id, articles = visit.entry.source_id, visit.plan.articles
        seen = [
            Sighting(link.key, DiscoveryMethod.SPIDER) for link in links if article_url(link.url, articles)
        ]
        if seen:
            visit.context.flusher.batch.write_row(
                self._channels.record_sighting_batches, SightingBatch(None, source_id, seen)
            )

    def _take_outside(self, visit: Visit, urls: Sequence[str]) -> None:
        """Record links to other sites. A link to a watched site is queued for that site (SPI-08, CON-20)."""
        if not urls:
            return
        entry, batch, store = visit.entry, visit.context.flusher.batch, self._discovered
        depth = entry.depth + 1
        takes_all = visit.plan.follow.outside is External.FRONTIER
        queued = [self._outside(entry, url, takes_all=takes_all) for url in urls]
        wanted = {link.url: link for link in queued if link is not None}
        batch.submit(wanted.values())
        own = visit.plan.policy.priority
        links = [
            OutsideLink(key_of(url), url, _priority(own, url), is_queued=url in wanted)
            for url in dict.fromkeys(urls)
        ]
        batch.write(lambda db: store.record(db, entry.source_id, entry.url, depth, links))
        batch.count(entry.source_id, CounterName.OUTSIDE_LINKS, len(links))

    def _outside(self, entry: Entry, url: str, *, takes_all: bool) -> Submission | None:
        """The submission for the source that watches the host, or for adhoc if `takes_all`; else None."""
        owner = self._neighbours.owner_of(host_of(url))
        if not takes_all if owner is None else not owner.enabled:
            return None
        source_id, own_priority = (ADHOC, DEFAULT) if owner is None else owner[:2]
        return Submission(
            key=key_of(url),
            url=url,
            host=host_of(url),
            priority=_priority(own_priority, url),
            depth=0 if owner is None else 1,  # depth 1: the rules of its own source apply
            source_id=source_id,
            origin=UrlOrigin.DISCOVERED,
            parent=entry.key,
        )


def is_list(entry: Entry, plan: CrawlPlan, kept: KeptPage) -> bool:
    """Whether a page is visited again for its links: front page, lists, and other pages with new links."""
    if not plan.follow.inside:
        return False
    is_fruitful = (
        kept.assessment.page_type is PageType.LISTING or entry.fetches > 0 or bool(kept.page_links.links)
    )
    return is_front(entry, plan) or (not kept.assessment.is_document and is_fruitful)


def is_front(entry: Entry, plan: CrawlPlan) -> bool:
    """Whether this is the start page: the source's address, or the page it redirects to."""
    is_redirect_target = entry.hops > 0 and entry.depth == 0 and entry.origin is UrlOrigin.MANUAL
    return is_redirect_target or entry.url in plan.scope.seeds


def _priority(base: int, url: str) -> int:
    return priority(base, UrlOrigin.DISCOVERED, 0, signals_of(url, external=True))
