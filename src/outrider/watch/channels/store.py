"""The tables of channels and of sightings. Every method takes the connection, as the frontier's do."""

from collections.abc import Sequence
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries
from outrider.documents.store import DocumentStore
from outrider.extract.article.quality import Unindexed
from outrider.frontier.model import NO_RUN, EntryKind, Submission, UrlOrigin
from outrider.frontier.store import FrontierStore
from outrider.sources.owners import owner_by_id
from outrider.sources.policy import Policy, policy_of_row
from outrider.urls import UrlKey, host_of, key_of
from outrider.watch.channels.model import (
    CHANNEL_PRIORITY,
    AnnouncedPage,
    Channel,
    DiscoveryMethod,
    NewChannel,
    Sighting,
    SightingBatch,
    SuccessfulPoll,
)
from outrider.watch.polling.after_poll import ChannelUpdate
from outrider.watch.polling.lastmod import LastmodAccuracy

MOST_CHANNELS = 2_000  # of one source: bounds an index of sitemap indexes
LONGEST_MESSAGE = 500

_USUAL_S = {EntryKind.FEED: 900, EntryKind.SITEMAP: 6 * 3600}  # FED-08, FED-14
_ORIGIN = {EntryKind.FEED: UrlOrigin.FEED, EntryKind.SITEMAP: UrlOrigin.SITEMAP}
# Reasons for not indexing a page that links led to. They no longer apply once a channel announces the page.
_NO_REASON_WHEN_ANNOUNCED = {
    UrlOrigin.FEED: (Unindexed.PAGE_TYPE, Unindexed.URL_FILTER),
    UrlOrigin.SITEMAP: (Unindexed.PAGE_TYPE,),
}


class ChannelStore:
    """Feeds and sitemaps of sources."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.watch")
        self._documents = DocumentStore()

    async def of_entry(self, db: asyncpg.Connection, key: UrlKey) -> Channel | None:
        row = await db.fetchrow(self._sql.channel_of_entry, key.host_id, key.hash)
        return None if row is None else _channel(row)

    async def add(
        self,
        db: asyncpg.Connection,
        frontier: FrontierStore,
        source_id: int,
        channels: Sequence[NewChannel],
    ) -> int:
        """Add channels and queue them to be polled at once; returns how many were new."""
        added = await self.register(db, frontier, source_id, channels)
        await frontier.ingest(db, [entry_of(source_id, channel) for channel in channels])
        return added

    async def register(
        self,
        db: asyncpg.Connection,
        frontier: FrontierStore,
        source_id: int,
        channels: Sequence[NewChannel],
    ) -> int:
        """Add the rows, and queue channels whose URL is known. The caller ingests the other channels."""
        by_key = {key_of(channel.url): channel for channel in channels}
        policy = (await owner_by_id(db, source_id)).policy
        rows = await db.fetch(
            self._sql.add_channels,
            source_id,
            [key.host_id for key in by_key],
            [key.hash for key in by_key],
            [channel.url for channel in by_key.values()],
            [int(channel.kind) for channel in by_key.values()],
            [channel.found_by.value for channel in by_key.values()],
            [channel.is_candidate for channel in by_key.values()],
            [channel.parent_id for channel in by_key.values()],
            [round(_first_interval_s(channel, policy)) for channel in by_key.values()],
            MOST_CHANNELS,
        )
        new = [_key(row) for row in rows]
        if new:
            await self._take_over(db, frontier, new, [by_key[key].kind for key in new])
        return len(new)

    async def make_due(
        self,
        db: asyncpg.Connection,
        frontier: FrontierStore,
        channels: Sequence[NewChannel],
        now: datetime,
    ) -> None:
        """Poll known channels at once whose `changed_at` is later than their last poll."""
        ages = _ages([(key_of(each.url), each.changed_at) for each in channels], now)
        changed = await db.fetch(self._sql.changed_channels, *ages)
        if changed:
            await frontier.bring_forward(db, [_key(row) for row in changed])

    async def set_poll_interval(
        self,
        db: asyncpg.Connection,
        frontier: FrontierStore,
        source_id: int,
        kind: EntryKind,
        interval_s: float | None,
    ) -> None:
        """Set the poll interval of all channels of a source, and let none of them wait longer.

        None: the default interval.
        """
        new_s = round(interval_s or _USUAL_S[kind])
        polled = await db.fetch(self._sql.set_poll_interval, source_id, int(kind), new_s)
        sooner = await frontier.bring_forward(db, [_key(row) for row in polled], new_s)
        await frontier.wake_known_hosts(db, sooner)

    async def succeeded(self, db: asyncpg.Connection, answers: Sequence[SuccessfulPoll]) -> None:
        """Record successful polls, at most one of each channel."""
        rows = [_answered_row(each) for each in answers]
        await db.execute(self._sql.polls_succeeded, *map(list, zip(*rows, strict=True)))

    async def failed(
        self,
        db: asyncpg.Connection,
        channel: Channel,
        verdict: ChannelUpdate,
        message: str,
        disable_reason: str | None = None,
    ) -> None:
        """Record a failed poll. The default `disable_reason` is the error type."""
        assert verdict.error is not None
        await db.execute(
            self._sql.poll_failed,
            channel.channel_id,
            verdict.errors,
            verdict.error.value,
            message[:LONGEST_MESSAGE],
            (disable_reason or verdict.error.value) if verdict.is_disabled else None,
        )

    async def move(self, db: asyncpg.Connection, frontier: FrontierStore, channel: Channel, url: str) -> None:
        """Change the URL of a channel. The new URL may be known as a page; the caller ingests a new one."""
        key = key_of(url)
        await db.execute(self._sql.move_channel, channel.channel_id, key.host_id, key.hash, url)
        await self._take_over(db, frontier, [key], [channel.kind])

    async def drop_all(self, db: asyncpg.Connection, source_id: int) -> None:
        """Delete every channel of a source."""
        await db.execute(self._sql.drop_channels, source_id)

    async def drop(self, db: asyncpg.Connection, channel_id: int) -> None:
        await db.execute(self._sql.drop_channel, channel_id)

    async def record_sightings(
        self, db: asyncpg.Connection, channel_id: int | None, source_id: int, seen: Sequence[Sighting]
    ) -> None:
        """Record which method saw which pages. `channel_id` is None for links found on a page."""
        await self.record_sighting_batches(db, [SightingBatch(channel_id, source_id, seen)])

    async def record_sighting_batches(self, db: asyncpg.Connection, seen: Sequence[SightingBatch]) -> None:
        """Record sightings of many channels. The first of two equal sightings for a source counts."""
        rows: dict[tuple[UrlKey, DiscoveryMethod, int], tuple[object, ...]] = {}
        for some in seen:
            for each in some.sightings:
                row = (some.channel_id, some.source_id, *each.key, each.way.value, each.published_at)
                rows.setdefault((each.key, each.way, some.source_id), row)
        if rows:
            await db.execute(self._sql.record_sightings, *map(list, zip(*rows.values(), strict=True)))

    async def copy_sightings(self, db: asyncpg.Connection, moved: Sequence[tuple[UrlKey, UrlKey]]) -> None:
        """Copy the sightings of URLs that redirect to the URLs they redirect to."""
        await db.execute(
            self._sql.copy_sightings,
            [key.host_id for key, _ in moved],
            [key.hash for key, _ in moved],
            [target.host_id for _, target in moved],
            [target.hash for _, target in moved],
        )

    async def announce(
        self,
        db: asyncpg.Connection,
        frontier: FrontierStore,
        pages: Sequence[AnnouncedPage],
        source_id: int,
        origin: UrlOrigin,
    ) -> None:
        """Mark known pages as announced. Pages that were refused as mere links are fetched again."""
        removed = _NO_REASON_WHEN_ANNOUNCED[origin]
        keys = await frontier.announce(db, [page.key for page in pages], source_id, origin, removed)
        if keys:
            await self._documents.forget_validators(db, keys)
            await frontier.visit_again(db, keys, source_id)

    async def unknown(
        self, db: asyncpg.Connection, pages: Sequence[AnnouncedPage], most: int, source_id: int
    ) -> list[AnnouncedPage]:
        """The first `most` of these pages that are new to a source."""
        rows = await db.fetch(
            self._sql.unknown_urls,
            [page.key.host_id for page in pages],
            [page.key.hash for page in pages],
            most,
            source_id,
        )
        return [pages[row["place"] - 1] for row in rows]

    async def changed_since(
        self, db: asyncpg.Connection, pages: Sequence[AnnouncedPage], now: datetime, most: int
    ) -> list[UrlKey]:
        """Documents whose announced change is later than their last fetch."""
        rows = await db.fetch(self._sql.changed_since, *_claims(pages, now), most)
        return [_key(row) for row in rows]

    async def lastmod_accuracy(
        self, db: asyncpg.Connection, pages: Sequence[AnnouncedPage], now: datetime
    ) -> LastmodAccuracy:
        """How many announced changes were real changes."""
        [row] = await db.fetch(self._sql.lastmod_accuracy, *_claims(pages, now))
        return LastmodAccuracy(**dict(row))

    async def _take_over(
        self,
        db: asyncpg.Connection,
        frontier: FrontierStore,
        keys: Sequence[UrlKey],
        kinds: Sequence[EntryKind],
    ) -> None:
        """Turn known frontier entries into entries of channels, and poll them at once."""
        await frontier.unshare(db, keys)
        await frontier.set_kinds(db, keys, kinds)
        await frontier.requeue(db, keys, max(CHANNEL_PRIORITY[kind] for kind in kinds))
        await frontier.make_due(db, keys)


def entry_of(
    source_id: int, channel: NewChannel, parent: UrlKey | None = None, run_id: int = NO_RUN
) -> Submission:
    """The frontier entry through which a channel is polled."""
    return Submission(
        key=key_of(channel.url),
        url=channel.url,
        host=host_of(channel.url),
        priority=CHANNEL_PRIORITY[channel.kind],
        depth=channel.depth,
        source_id=source_id,
        origin=_ORIGIN[channel.kind],
        kind=channel.kind,
        parent=parent,
        run_id=run_id,
    )


def _key(row: asyncpg.Record) -> UrlKey:
    return UrlKey(row["host_id"], row["url_hash"].hex)


def _channel(row: asyncpg.Record) -> Channel:
    facts, policy = dict(row), policy_of_row(row)
    del facts["policy"]
    return Channel(
        **facts | {"kind": EntryKind(row["kind"])},
        poll_s=policy.poll_s,
        sitemap_poll_s=policy.sitemap_poll_s,
        backfill=policy.backfill,
    )


def _first_interval_s(channel: NewChannel, policy: Policy) -> float:
    """The interval of the source, or else of the new channel, or else the default."""
    asked_s = policy.poll_s if channel.kind is EntryKind.FEED else policy.sitemap_poll_s
    if asked_s is not None:
        return asked_s
    return channel.interval_s or _USUAL_S[channel.kind]


def _answered_row(answered: SuccessfulPoll) -> tuple[object, ...]:
    """An incomplete reading stores no validators: a 304 would hide the remaining pages for ever."""
    channel, reading = answered.channel, answered.reading
    is_kept = reading is None or reading.is_complete
    return (
        channel.channel_id,
        reading is not None and reading.is_changed,
        None if reading is None else reading.items,
        round(answered.interval_s),
        answered.etag if is_kept else None,
        answered.last_modified if is_kept else None,
        channel.memory if reading is None else reading.memory,
        None if reading is None else reading.title,
        None if reading is None else reading.hub,
        None if reading is None else reading.topic,
    )


def _claims(pages: Sequence[AnnouncedPage], now: datetime) -> tuple[list[int], list[str], list[float]]:
    return _ages([(page.key, page.changed_at) for page in pages], now)


def _ages(
    dated: Sequence[tuple[UrlKey, datetime | None]], now: datetime
) -> tuple[list[int], list[str], list[float]]:
    """Keys as two columns, and the age of each date in seconds: the clock of the database may differ."""
    known = [(key, (now - date).total_seconds()) for key, date in dated if date is not None]
    return [key.host_id for key, _ in known], [key.hash for key, _ in known], [age_s for _, age_s in known]
