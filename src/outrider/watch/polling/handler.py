"""Handles the answer to a poll. Feeds and sitemaps differ only in their readers."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import datetime
from typing import Protocol

import asyncpg

from outrider.clock import Clock, SystemClock
from outrider.crawl.admission.skip_reason import SkipReason
from outrider.crawl.batch import Batch
from outrider.crawl.decide import Decision
from outrider.crawl.records import completion_of, successor_of
from outrider.crawl.robots.rules import block_of
from outrider.crawl.visit import Visit
from outrider.errors import InvalidFeed
from outrider.fetch.outcome import Failed, Fetched, NotModified, Outcome, Refused, Rejected, Request
from outrider.frontier.counter_name import CounterPrefix, counter_of, counters_of
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import Entry, UrlOrigin
from outrider.frontier.retry_reason import RetryReason
from outrider.logs import get_logger
from outrider.urls import key_of
from outrider.watch.channels.model import Channel, ChannelReading, PollSchedule, SightingBatch, SuccessfulPoll
from outrider.watch.channels.store import ChannelStore, entry_of
from outrider.watch.polling.after_poll import ChannelState, ChannelUpdate, after_failure, after_success
from outrider.watch.polling.announce import sightings_of, submission_of
from outrider.watch.polling.hops import follow
from outrider.watch.polling.poll_errors import PollError, error_of
from outrider.watch.polling.poll_result import PollResult

log = get_logger()

_SKIPPED = counters_of(CounterPrefix.SKIPPED, SkipReason)
BUSY_S = 60.0  # a redirect led to a host that another worker has leased
# Errors that prove that a candidate is no channel. Other errors may be temporary.
RULED_OUT_BY = frozenset({PollError.NOT_FOUND, PollError.GONE, PollError.PARSE_ERROR, PollError.UNEXPECTED})


class Reader(Protocol):
    """Reads the body of one kind of channel."""

    origin: UrlOrigin  # of the pages it announces

    def request(self, entry: Entry, url: str) -> Request: ...

    def interval_s(self, channel: Channel) -> float:
        """The poll interval of the source, or else of the settings."""

    def unchanged(self, channel: Channel, entry: Entry, now: datetime) -> PollSchedule:
        """The schedule after a 304 or an identical body."""

    async def read(
        self, channel: Channel, entry: Entry, fetched: Fetched, visit: Visit, now: datetime
    ) -> ChannelReading | None:
        """None if the body is the same as last time; raises InvalidFeed if it is no feed or sitemap."""


class PollHandler:
    """The handler of channels: see `crawl/visit.py`."""

    counts_as_page = False

    def __init__(
        self,
        reader: Reader,
        at_once: AbstractAsyncContextManager[object],
        clock: Clock | None = None,
        *,
        is_on: bool = True,
        may_disable: bool = True,
    ) -> None:
        self.at_once = at_once
        self._reader = reader
        self._is_on = is_on
        self._may_disable = may_disable
        self._clock = clock or SystemClock()
        self._store = ChannelStore()

    def refusal(self, visit: Visit) -> DeadReason | None:
        """Refuse only if polling is switched off (FED-20). A disabled channel that is due is polled.

        The entry is dead until `periodic_tasks.return_channels` queues it again.
        """
        return None if self._is_on else DeadReason.NOT_POLLED

    def request(self, entry: Entry, url: str) -> Request:
        return self._reader.request(entry, url)

    async def settle(self, visit: Visit, decision: Decision, outcome: Outcome | None) -> None:
        """Read the answer, then put all its writes into one batch."""
        entry = visit.entry
        channel = await visit.context.connection.run(
            lambda db: self._store.of_entry(db, entry.key), patience_s=60
        )
        if channel is None or not channel.is_wanted or not self._is_on:
            reason = DeadReason.NO_CHANNEL if channel is None else DeadReason.NOT_POLLED
            visit.context.flusher.batch.complete(completion_of(entry, outcome, reason=reason))
            return
        if outcome is None:
            self._blocked(visit, channel, None, entry.url)
            return
        arrival = await follow(visit, outcome)
        if arrival.outcome is None:
            if arrival.is_forbidden:
                self._blocked(visit, channel, outcome, arrival.url)
            else:
                batch = visit.context.flusher.batch
                batch.complete(completion_of(entry, outcome, reason=RetryReason.HOST_BUSY, retry_in_s=BUSY_S))
            return
        await self._answered(visit, channel, arrival.outcome, arrival.moved_to)

    async def _answered(self, visit: Visit, channel: Channel, outcome: Outcome, moved_to: str | None) -> None:
        error = error_of(outcome)
        if error is not None:
            self._failed(visit, channel, outcome, error, _message_of(outcome))
        elif isinstance(outcome, Fetched):
            # A body at a new URL is read even if it is identical: only a channel may move there.
            known = channel if moved_to is None else replace(channel, memory={**channel.memory, "body": None})
            try:
                reading = await self._reader.read(known, visit.entry, outcome, visit, self._clock.now())
            except InvalidFeed as invalid:
                self._failed(visit, channel, outcome, PollError.PARSE_ERROR, str(invalid))
                return
            if reading is None:
                self._unchanged(visit, channel, outcome, PollResult.SAME)
            elif channel.is_candidate and not reading.items:
                self._failed(visit, channel, outcome, PollError.PARSE_ERROR, "it has no entries")
            else:
                self._read(visit, channel, outcome, reading, moved_to)
        elif isinstance(outcome, NotModified):
            self._unchanged(visit, channel, outcome, PollResult.NOT_MODIFIED)

    # The methods below await nothing, so that the writes of one poll land in one batch.

    def _read(
        self, visit: Visit, channel: Channel, fetched: Fetched, reading: ChannelReading, moved_to: str | None
    ) -> None:
        batch, store, frontier = visit.context.flusher.batch, self._store, visit.context.frontier
        verdict = after_success(reading.next_in_s, reading.interval_s)
        now, entry = self._clock.now(), visit.entry
        moves = moved_to is not None and key_of(moved_to) != entry.key
        seen = sightings_of(reading.announced)

        async def write(db: asyncpg.Connection) -> None:
            if reading.children:
                await store.make_due(db, frontier, reading.children, now)
                await store.register(db, frontier, channel.source_id, reading.children)
            if reading.again:
                await frontier.visit_again(db, reading.again, channel.source_id, run_id=entry.run_id)
            if reading.announced:
                await store.announce(db, frontier, reading.announced, channel.source_id, self._reader.origin)
            if moves:
                await store.move(db, frontier, channel, str(moved_to))

        batch.write_row(
            store.succeeded,
            SuccessfulPoll(channel, reading, verdict.interval_s, fetched.etag, fetched.last_modified),
        )
        batch.write_row(
            store.record_sighting_batches, SightingBatch(channel.channel_id, channel.source_id, seen)
        )
        if reading.children or reading.again or reading.announced or moves:
            batch.write(write)
        batch.submit(
            submission_of(
                page, channel.source_id, channel.source_priority, self._reader.origin, entry.key, entry.run_id
            )
            for page in reading.announced
        )
        batch.submit(
            entry_of(channel.source_id, child, entry.key, entry.run_id) for child in reading.children
        )
        result = PollResult.CHANGED if reading.is_changed else PollResult.SAME
        self._count(batch, channel, result, reading.skipped)
        if moves:
            # The new URL is polled at once: it may be on another host with its own schedule.
            batch.submit([successor_of(visit.entry, str(moved_to))])
            batch.complete(completion_of(visit.entry, fetched, moved_to=key_of(str(moved_to))))
            log.info("channel moved", url=channel.url, to=moved_to)
        else:
            batch.complete(completion_of(visit.entry, fetched, retry_in_s=verdict.next_in_s))
        if channel.is_disabled:
            log.info("channel is back", url=channel.url)

    def _unchanged(
        self, visit: Visit, channel: Channel, outcome: Fetched | NotModified, result: PollResult
    ) -> None:
        """A 304 or an identical body counts as a successful poll (FED-04)."""
        batch, store = visit.context.flusher.batch, self._store
        pace = self._reader.unchanged(channel, visit.entry, self._clock.now())
        verdict = after_success(pace.next_in_s, pace.interval_s)
        headers = outcome.exchange.headers

        batch.write_row(
            store.succeeded,
            SuccessfulPoll(
                channel, None, verdict.interval_s, headers.get("etag"), headers.get("last-modified")
            ),
        )
        batch.complete(completion_of(visit.entry, outcome, retry_in_s=verdict.next_in_s))
        self._count(batch, channel, result)

    def _failed(
        self, visit: Visit, channel: Channel, outcome: Outcome, error: PollError, message: str
    ) -> None:
        batch, store = visit.context.flusher.batch, self._store
        retry_after_s = outcome.retry_after_s if isinstance(outcome, Rejected) else None
        verdict = after_failure(
            ChannelState(channel.interval_s, channel.errors, channel.is_disabled),
            error,
            retry_after_s,
            may_disable=self._may_disable,
        )
        self._count(batch, channel, error)
        if channel.is_candidate and (error in RULED_OUT_BY or verdict.is_disabled):
            batch.write(lambda db: store.drop(db, channel.channel_id))
            batch.complete(completion_of(visit.entry, outcome, reason=DeadReason.NOT_A_CHANNEL))
            return
        batch.write(lambda db: store.failed(db, channel, verdict, message))
        batch.complete(completion_of(visit.entry, outcome, reason=error, retry_in_s=verdict.next_in_s))
        _log_failure(channel, verdict, message)

    def _blocked(self, visit: Visit, channel: Channel, outcome: Outcome | None, url: str) -> None:
        """robots.txt blocks the channel, or the address it redirects to.

        The entry waits until the stored robots.txt expires. The next visit requests only robots.txt as long
        as it blocks the channel. Rules that change sooner bring the visit forward (ROB-06, ROB-12, FED-12).
        """
        batch, store = visit.context.flusher.batch, self._store
        block = block_of(url, visit.context)
        message = block.message if url == visit.entry.url else f"{block.message} at {url}, where it redirects"
        verdict = ChannelUpdate(
            block.again_in_s, channel.interval_s, channel.errors + 1, PollError.FORBIDDEN, is_disabled=True
        )
        self._count(batch, channel, PollResult.ROBOTS_BLOCKED)
        batch.write(lambda db: store.failed(db, channel, verdict, message, DeadReason.ROBOTS_BLOCKED))
        batch.complete(
            completion_of(visit.entry, outcome, reason=DeadReason.ROBOTS_BLOCKED, retry_in_s=block.again_in_s)
        )
        _log_failure(channel, verdict, message)

    def _count(
        self,
        batch: Batch,
        channel: Channel,
        result: PollResult | PollError,
        skipped: Mapping[SkipReason, int] | None = None,
    ) -> None:
        batch.count(channel.source_id, counter_of(CounterPrefix.POLLS, result))
        for reason, times in (skipped or {}).items():
            batch.count(channel.source_id, _SKIPPED[reason], times)


def _log_failure(channel: Channel, verdict: ChannelUpdate, message: str) -> None:
    """Log each failed poll: as a warning, or as an error if an operator should act (FED-10, FED-11)."""
    assert verdict.error is not None
    is_news = verdict.is_alarming or not verdict.error.is_expected
    (log.error if is_news else log.warning)(
        "channel disabled" if verdict.is_disabled else "poll failed",
        url=channel.url,
        error_type=verdict.error.value,
        errors=verdict.errors,
        next_in_s=round(verdict.next_in_s),
        error=message[:200],
    )


def _message_of(outcome: Outcome) -> str:
    match outcome:
        case Failed(message=message) | Refused(message=message):
            return message
        case Fetched() | NotModified():
            return ""
        case answered:
            return f"it answered {answered.exchange.status}"
