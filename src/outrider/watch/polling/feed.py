"""Feeds: announces every entry, and adapts the poll interval to how often the feed posts."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from outrider.crawl.visit import Visit
from outrider.feeds import Feed, parse_feed
from outrider.feeds.options import FeedOptions
from outrider.fetch.outcome import Fetched, Request
from outrider.frontier.model import Entry, UrlOrigin
from outrider.logs import get_logger
from outrider.urls import DEFAULT_RULES, Rules
from outrider.watch.channels.model import (
    AnnouncedPage,
    Channel,
    ChannelReading,
    DiscoveryMethod,
    PollSchedule,
)
from outrider.watch.channels.store import ChannelStore
from outrider.watch.polling.announce import pages_of_feed
from outrider.watch.polling.fingerprint import Fingerprint, fingerprint_of
from outrider.watch.polling.intervals import (
    ChannelHistory,
    asked_interval,
    fresh_for_s,
    next_allowed_time,
    next_interval_s,
    pushed_interval_s,
    wanted_interval_s,
)
from outrider.watch.polling.posting_rate import DORMANT_S, moments, posting_of, remember_news

log = get_logger()

ACCEPT = (
    "application/atom+xml,application/rss+xml,application/feed+json,application/rdf+xml,"
    "application/xml;q=0.9,text/xml;q=0.9,application/json;q=0.8,*/*;q=0.5"
)
LARGE = 200_000  # bytes from which a feed is parsed in a thread


class FeedReader:
    """Reads entries of kind `feed`."""

    origin = UrlOrigin.FEED

    def __init__(self, options: FeedOptions) -> None:
        self._options = options
        self._store = ChannelStore()

    def request(self, entry: Entry, url: str) -> Request:
        return Request(url, etag=entry.etag, last_modified=entry.last_modified, accept=ACCEPT)

    def interval_s(self, channel: Channel) -> float:
        return channel.poll_s or self._options.poll_s

    def unchanged(self, channel: Channel, entry: Entry, now: datetime) -> PollSchedule:
        """After a 304 only the time since the newest entry has changed."""
        return pace_of(channel.memory, channel, self.interval_s(channel), now)

    async def read(
        self, channel: Channel, entry: Entry, fetched: Fetched, visit: Visit, now: datetime
    ) -> ChannelReading | None:
        url, body = fetched.exchange.url, fetched.body
        if fingerprint_of((body,)) == channel.memory.get("body"):
            return None
        if len(body) > LARGE:
            feed = await asyncio.to_thread(parse_feed, body, url, fetched.content_type)
        else:
            feed = parse_feed(body, url, fetched.content_type)
        reading = reading_of(feed, channel, fetched, self.interval_s(channel), now, visit.plan.rules)
        if channel.pushed_for_s is not None and await self._missed(reading.announced, visit):
            return replace(reading, next_in_s=min(reading.next_in_s, reading.interval_s))
        return reading

    async def _missed(self, pages: Sequence[AnnouncedPage], visit: Visit) -> bool:
        """Whether the hub did not push a page of the feed. Such a feed is polled as if it had no hub."""
        if not pages:
            return False
        new = await visit.context.connection.run(
            lambda db: self._store.unknown(db, pages, 1, visit.entry.source_id), patience_s=60
        )
        return bool(new)


def reading_of(
    feed: Feed,
    channel: Channel,
    fetched: Fetched,
    base_s: float,
    now: datetime,
    rules: Rules = DEFAULT_RULES,
) -> ChannelReading:
    """The reading of a parsed feed. Pure."""
    pages, skipped = pages_of_feed(feed, fetched.exchange.url, DiscoveryMethod.FEED, rules)
    if skipped:
        log.info("entries skipped", url=channel.url, **{str(why): times for why, times in skipped.items()})
    memory = _learn(feed, pages, channel, fetched, now)
    is_changed = memory["print"] != channel.memory.get("print")
    pace = pace_of(memory, channel, base_s, now)
    return ChannelReading(
        items=len(pages),
        interval_s=pace.interval_s,
        next_in_s=pace.next_in_s,
        is_changed=is_changed,
        memory=memory,
        announced=pages if is_changed else (),
        skipped=skipped,
        title=feed.title,
        hub=feed.hub,
        topic=feed.self_url or channel.url,
    )


def pace_of(memory: Mapping[str, Any], channel: Channel, base_s: float, now: datetime) -> PollSchedule:
    """The next poll, from the memory of the feed and the time since its newest entry. Pure."""
    newest, gap_s = memory.get("newest"), memory.get("gap_s")
    silence_s = 0.0 if newest is None else now.timestamp() - newest
    habits = ChannelHistory(
        gap_s=None if gap_s is None else max(gap_s, silence_s),
        asked_interval_s=memory.get("wish_s"),
        is_dormant=silence_s > DORMANT_S,
        interval_factor=float(channel.memory.get("lean", 1.0)),
    )
    interval_s = wanted_interval_s(base_s, habits)
    if "print" in channel.memory:
        interval_s = next_interval_s(channel.interval_s, interval_s)
    due_at = next_allowed_time(
        now + timedelta(seconds=pushed_interval_s(interval_s, channel.pushed_for_s)),
        set(memory.get("skip_hours", ())),
        set(memory.get("skip_days", ())),
    )
    return PollSchedule(interval_s, (due_at - now).total_seconds())


def _learn(
    feed: Feed, pages: Sequence[AnnouncedPage], channel: Channel, fetched: Fetched, now: datetime
) -> dict[str, Any]:
    """The memory of a feed for its next poll."""
    before = channel.memory
    fingerprint = str(Fingerprint(f"{page.url} {page.changed_at}" for page in pages))
    news: Sequence[float] = before.get("news", ())
    if "print" in before and before["print"] != fingerprint:
        news = remember_news(news, now)
    posting = posting_of([page.published_at for page in pages], now) or posting_of(moments(news, now), now)
    dates = [page.published_at for page in pages if page.published_at is not None]
    learned: dict[str, Any] = {
        "print": fingerprint,
        "body": fingerprint_of((fetched.body,)),
        "news": news,
        "gap_s": posting.gap_s if posting else None,
        "newest": posting.newest.timestamp() if posting else None,
        "wish_s": asked_interval(
            feed.ttl_minutes, feed.update_period_s, fresh_for_s(fetched.exchange.headers, now)
        ),
        # Skipped hours and days in which entries appeared are ignored: the feed contradicts itself.
        "skip_hours": sorted(feed.skip_hours - {date.hour for date in dates}),
        "skip_days": sorted(feed.skip_days - {date.weekday() for date in dates}),
    }
    return {name: value for name, value in learned.items() if value not in (None, [], ())}
