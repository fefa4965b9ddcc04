"""Sitemaps: what changed lately is announced; an index leads to more sitemaps."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.crawl.visit import Visit
from outrider.errors import InvalidUrl
from outrider.feeds import Sitemap, SitemapEntry, SitemapKind, parse_sitemap
from outrider.feeds.candidates import belongs_to
from outrider.feeds.intervals import Habits, next_interval_s, wanted_interval_s
from outrider.feeds.lastmod import (
    MOST_UNDATED,
    WINDOW,
    Promises,
    choose,
    is_stamped,
    is_trusted,
    lies_after,
)
from outrider.feeds.options import FeedOptions
from outrider.feeds.posting import posting_of
from outrider.fetch.outcome import Fetched, Request
from outrider.frontier.model import Entry, Kind, Origin
from outrider.urls import Rules, UrlKey, host_of, normalize
from outrider.watch.announce import announced, print_of
from outrider.watch.model import Announced, Channel, FoundBy, NewChannel, Pace, Reading, Way
from outrider.watch.store import ChannelStore

ACCEPT = "application/xml,text/xml,application/gzip,application/x-gzip,text/plain;q=0.8,*/*;q=0.5"
DEEPEST = 3  # indexes above a sitemap
MOST_CHILDREN = 500
MOST_AGAIN = 200
NEWS_FASTER = 12  # a news sitemap is a feed by another name
LONGEST_S = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Known:
    """What the database knows about the pages of a sitemap."""

    new: Sequence[Announced]  # undated ones never heard of
    again: Sequence[UrlKey]
    promises: Promises


class SitemapReader:
    """Reads entries of kind `sitemap`."""

    origin = Origin.SITEMAP

    def __init__(self, options: FeedOptions) -> None:
        self._options = options
        self._store = ChannelStore()

    def request(self, entry: Entry, url: str) -> Request:
        return Request(
            url,
            etag=entry.etag,
            last_modified=entry.last_modified,
            accept=ACCEPT,
            max_bytes=self._options.max_sitemap_bytes,
        )

    def interval_s(self, channel: Channel) -> float:
        return channel.sitemap_poll_s or self._options.sitemap_poll_s

    def unchanged(self, channel: Channel, entry: Entry, now: datetime) -> Pace:
        """A child that rests is asked ever more rarely: its index says when it wakes."""
        rests = entry.depth > 0 and not channel.memory.get("is_news")
        interval_s = next_interval_s(channel.interval_s, LONGEST_S) if rests else channel.interval_s
        return Pace(interval_s, interval_s)

    async def read(
        self, channel: Channel, entry: Entry, fetched: Fetched, visit: Visit, now: datetime
    ) -> Reading:
        sitemap, fingerprint = await asyncio.to_thread(_parse, fetched)
        base_s = self.interval_s(channel)
        if fingerprint == channel.memory.get("print"):
            return _same(channel, sitemap, self.unchanged(channel, entry, now))
        if sitemap.kind is SitemapKind.INDEX:
            return _index(channel, entry, sitemap, fingerprint, base_s, now)
        lies = int(channel.memory.get("lies", 0))
        sorted_out = await asyncio.to_thread(
            _sort_out, sitemap, channel, now, is_trusted(lies), visit.plan.rules
        )
        known = await visit.desk.line.run(
            lambda db: self._look_up(db, sorted_out, now, is_trusted(lies)), patience_s=60
        )
        return _urlset(channel, sitemap, sorted_out, known, fingerprint, base_s, now)

    async def _look_up(
        self, db: asyncpg.Connection, pages: "SortedOut", now: datetime, trusted: bool
    ) -> Known:
        return Known(
            new=await self._store.unknown(db, pages.undated, MOST_UNDATED + 1),
            again=await self._store.changed_since(db, pages.dated, now, MOST_AGAIN) if trusted else (),
            promises=await self._store.promises(db, pages.claims, now),
        )


@dataclass(frozen=True, slots=True)
class SortedOut:
    """A urlset's pages: those to queue, those to queue if they are new, and what lastmod claims of all."""

    dated: Sequence[Announced]
    undated: Sequence[Announced]
    claims: Sequence[Announced]
    skipped: Counter[str]
    is_news: bool


def _parse(fetched: Fetched) -> tuple[Sitemap, str]:
    sitemap = parse_sitemap(fetched.body, fetched.exchange.url, fetched.content_type)
    return sitemap, print_of(f"{entry.url} {entry.lastmod} {entry.published_at}" for entry in sitemap.entries)


def _sort_out(sitemap: Sitemap, channel: Channel, now: datetime, trusted: bool, rules: Rules) -> SortedOut:
    choice = choose(sitemap.entries, now, is_trusted=trusted, backfill=channel.backfill)
    skipped: Counter[str] = Counter()
    if choice.old:
        skipped["old"] = choice.old
    dated = _own(choice.dated, channel, skipped, rules)
    undated = _own(choice.undated, channel, skipped, rules)
    claims = dated if trusted else [page for page in undated if page.changed_at is not None][:1000]
    return SortedOut(dated, undated, claims, skipped, any(page.published_at for page in dated))


def _own(
    entries: Sequence[SitemapEntry], channel: Channel, skipped: Counter[str], rules: Rules
) -> list[Announced]:
    """Pages of the site the sitemap is of: it has no say about others."""
    named = (
        (
            entry.url,
            Way.NEWS_SITEMAP if entry.published_at else Way.SITEMAP,
            entry.published_at,
            entry.lastmod,
        )
        for entry in entries
    )
    homes = (channel.url, channel.source_url or channel.url)
    is_own: dict[str, bool] = {}
    own = []
    for page in announced(named, channel.url, skipped, rules):
        host = host_of(page.url)
        if host not in is_own:
            is_own[host] = any(belongs_to(page.url, home) for home in homes)
        if is_own[host]:
            own.append(page)
        else:
            skipped["foreign"] += 1
    return own


def _urlset(
    channel: Channel,
    sitemap: Sitemap,
    pages: SortedOut,
    known: Known,
    fingerprint: str,
    base_s: float,
    now: datetime,
) -> Reading:
    lastmods = [entry.lastmod for entry in sitemap.entries if entry.lastmod is not None]
    lied = is_stamped(lastmods, now) or known.promises.are_worthless
    lies = lies_after(int(channel.memory.get("lies", 0)), lied=lied)
    new = known.new[:MOST_UNDATED]
    if pages.is_news:
        base_s = max(base_s / NEWS_FASTER, 300.0)
    posting = posting_of([page.published_at for page in pages.dated], now) if pages.is_news else None
    habits = Habits(gap_s=posting.gap_s if posting else None, lean=float(channel.memory.get("lean", 1.0)))
    interval_s = wanted_interval_s(base_s, habits)
    is_complete = len(known.new) <= MOST_UNDATED
    memory = {"print": fingerprint if is_complete else None, "lies": lies, "is_news": pages.is_news}
    return Reading(
        items=len(sitemap.entries),
        interval_s=interval_s,
        next_in_s=interval_s,
        is_changed=True,
        memory={name: value for name, value in memory.items() if value},
        is_complete=is_complete,
        announced=[*pages.dated, *new],
        again=known.again,
        skipped=pages.skipped,
    )


def _index(
    channel: Channel, entry: Entry, sitemap: Sitemap, fingerprint: str, base_s: float, now: datetime
) -> Reading:
    """Its children become channels of their own; one that changed long ago has nothing for us."""
    skipped: Counter[str] = Counter()
    children: dict[str, NewChannel] = {}
    lies = is_stamped([each.lastmod for each in sitemap.entries if each.lastmod is not None], now)
    for each in sitemap.entries:
        if each.lastmod and each.lastmod < now - WINDOW and not channel.backfill:
            skipped["old"] += 1
            continue
        try:
            url = normalize(each.url, channel.url)
        except InvalidUrl:
            skipped["invalid"] += 1
            continue
        if url == entry.url:
            skipped["itself"] += 1
        elif entry.depth >= DEEPEST or len(children) >= MOST_CHILDREN:
            skipped["too_many_sitemaps"] += 1
        elif not belongs_to(url, channel.url):
            skipped["foreign"] += 1
        else:
            children[url] = NewChannel(
                url,
                Kind.SITEMAP,
                FoundBy.INDEX,
                parent_id=channel.channel_id,
                depth=entry.depth + 1,
                interval_s=base_s,
                changed_at=None if lies else each.lastmod,
            )
    return Reading(
        items=len(sitemap.entries),
        interval_s=base_s,
        next_in_s=base_s,
        is_changed=True,
        memory={"print": fingerprint},
        children=list(children.values()),
        skipped=skipped,
    )


def _same(channel: Channel, sitemap: Sitemap, pace: Pace) -> Reading:
    return Reading(
        items=len(sitemap.entries),
        interval_s=pace.interval_s,
        next_in_s=pace.next_in_s,
        is_changed=False,
        memory=channel.memory,
    )
