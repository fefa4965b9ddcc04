"""Sitemaps: announces recent changes, and adds the sitemaps of an index as channels.

A sitemap may be 50 MB long. Its body is spooled to a file and read a slice at a time (`sitemap_body.py`), and
a bounded part of the entries is kept (`sitemap_survey.py`). So memory does not depend on its length.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime

import asyncpg

from outrider.crawl.visit import Visit
from outrider.feeds import SitemapEntry, SitemapKind
from outrider.feeds.limits import MAX_SITEMAP_ENTRIES
from outrider.feeds.options import FeedOptions
from outrider.feeds.sitemap import open_sitemap
from outrider.fetch.outcome import Fetched, Request
from outrider.frontier.model import Entry, UrlOrigin
from outrider.logs import get_logger
from outrider.urls import UrlKey
from outrider.watch.channels.model import AnnouncedPage, Channel, ChannelReading, PollSchedule
from outrider.watch.channels.store import ChannelStore
from outrider.watch.polling.announce import dated_by_change
from outrider.watch.polling.intervals import ChannelHistory, next_interval_s, wanted_interval_s
from outrider.watch.polling.lastmod import LastmodAccuracy, false_polls_after, is_trusted
from outrider.watch.polling.lease_renewal import renew_lease
from outrider.watch.polling.new_pages import NewPages
from outrider.watch.polling.posting_rate import posting_of
from outrider.watch.polling.sitemap_body import Runner, SitemapBody
from outrider.watch.polling.sitemap_survey import IndexSurvey, SitemapSurvey, UrlsetSurvey

log = get_logger()

ACCEPT = "application/xml,text/xml,application/gzip,application/x-gzip,text/plain;q=0.8,*/*;q=0.5"
MOST_AGAIN = 200
NEWS_FASTER = 12  # a news sitemap is polled nearly as often as a feed
LONGEST_S = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class KnownPages:
    """What the database knows about recently changed pages."""

    again: Sequence[UrlKey]
    lastmod_accuracy: LastmodAccuracy


class SitemapReader:
    """Reads entries of kind `sitemap`."""

    origin = UrlOrigin.SITEMAP

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
            spool=True,
        )

    def interval_s(self, channel: Channel) -> float:
        return channel.sitemap_poll_s or self._options.sitemap_poll_s

    def unchanged(self, channel: Channel, entry: Entry, now: datetime) -> PollSchedule:
        """An unchanged child sitemap is polled ever more rarely: its index announces its changes."""
        rests = entry.depth > 0 and not channel.memory.get("is_news")
        interval_s = next_interval_s(channel.interval_s, LONGEST_S) if rests else channel.interval_s
        return PollSchedule(interval_s, interval_s)

    async def read(
        self, channel: Channel, entry: Entry, fetched: Fetched, visit: Visit, now: datetime
    ) -> ChannelReading | None:
        with closing(SitemapBody(fetched)) as body:
            came = await body.run(body.fingerprint)
            if came == channel.memory.get("body"):
                return None
            run, url = body.run, fetched.exchange.url
            kind, entries = await run(open_sitemap, body.chunks(), url, fetched.content_type)
            if kind is SitemapKind.INDEX:
                reading = await self._read_index(channel, entry, entries, run, now)
            else:
                reading = await self._read_urlset(channel, entry, entries, run, visit, now)
        # Without a stored digest, an incomplete sitemap is read again even if it is unchanged.
        return replace(reading, memory={**reading.memory, "body": came}) if reading.is_complete else reading

    async def _read_index(
        self, channel: Channel, entry: Entry, entries: Iterator[SitemapEntry], run: Runner, now: datetime
    ) -> ChannelReading:
        base_s = self.interval_s(channel)
        survey = IndexSurvey(channel, entry, now, base_s)
        while await run(survey.take, entries):
            pass
        if survey.fingerprint == channel.memory.get("print"):
            return _same(channel, survey, self.unchanged(channel, entry, now))
        return ChannelReading(
            items=survey.items,
            interval_s=base_s,
            next_in_s=base_s,
            is_changed=True,
            memory={"print": survey.fingerprint},
            children=survey.children(),
            skipped=survey.skipped,
        )

    async def _read_urlset(
        self,
        channel: Channel,
        entry: Entry,
        entries: Iterator[SitemapEntry],
        run: Runner,
        visit: Visit,
        now: datetime,
    ) -> ChannelReading:
        trusted = is_trusted(int(channel.memory.get("lies", 0)))
        survey = UrlsetSurvey(channel, now, visit.plan.rules, is_trusted=trusted)
        newcomers = NewPages(self._store, channel, visit)
        while (undated := await run(survey.take, entries)) is not None:
            await newcomers.take(undated)
            await renew_lease(visit)
        await newcomers.settle()
        if survey.fingerprint == channel.memory.get("print"):
            return _same(channel, survey, self.unchanged(channel, entry, now))
        dated = survey.dated()
        known = await visit.context.connection.run(
            lambda db: self._look_up(db, dated, survey.claims(dated), now, trusted), patience_s=60
        )
        return _urlset(channel, survey, dated, newcomers, known, self.interval_s(channel), now)

    async def _look_up(
        self,
        db: asyncpg.Connection,
        dated: Sequence[AnnouncedPage],
        claims: Sequence[AnnouncedPage],
        now: datetime,
        trusted: bool,
    ) -> KnownPages:
        return KnownPages(
            again=await self._store.changed_since(db, dated, now, MOST_AGAIN) if trusted else (),
            lastmod_accuracy=await self._store.lastmod_accuracy(db, claims, now),
        )


def _urlset(
    channel: Channel,
    survey: UrlsetSurvey,
    dated: Sequence[AnnouncedPage],
    newcomers: NewPages,
    known: KnownPages,
    base_s: float,
    now: datetime,
) -> ChannelReading:
    is_false = survey.is_stamped or known.lastmod_accuracy.are_mostly_false
    false_polls = false_polls_after(int(channel.memory.get("lies", 0)), is_false=is_false)
    is_news = any(page.published_at for page in dated)
    if is_news:
        base_s = max(base_s / NEWS_FASTER, 300.0)
    posting = posting_of([page.published_at for page in dated], now) if is_news else None
    habits = ChannelHistory(
        gap_s=posting.gap_s if posting else None, interval_factor=float(channel.memory.get("lean", 1.0))
    )
    interval_s = wanted_interval_s(base_s, habits)
    is_complete = newcomers.is_complete
    is_cut = survey.items >= MAX_SITEMAP_ENTRIES
    if is_cut and not channel.memory.get("cut"):
        log.warning("sitemap cut", url=channel.url, read=survey.items)
    memory = {
        "print": survey.fingerprint if is_complete else None,
        "lies": false_polls,
        "is_news": is_news,
        "more": not is_complete,
        "cut": is_cut,
    }
    return ChannelReading(
        items=survey.items,
        interval_s=interval_s,
        next_in_s=interval_s,
        is_changed=True,
        memory={name: value for name, value in memory.items() if value},
        is_complete=is_complete,
        announced=[*map(dated_by_change, dated), *newcomers.kept],
        again=known.again,
        skipped=survey.skipped,
    )


def _same(channel: Channel, survey: SitemapSurvey, pace: PollSchedule) -> ChannelReading:
    return ChannelReading(
        items=survey.items,
        interval_s=pace.interval_s,
        next_in_s=pace.next_in_s,
        is_changed=False,
        memory=channel.memory,
    )
