"""The streams of logs: of one run, or of a job, whose runs follow one another (API-50, API-51)."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

import asyncpg

from outrider.db.pooled import PooledConnections
from outrider.events.listen import Wakes
from outrider.log_archive import log_archive_of
from outrider.run_logs.job_runs import is_run_of_job, newest_run_of_job
from outrider.run_logs.model import RunNames
from outrider.run_logs.position import LogPosition
from outrider.run_logs.reader import REPLAYED, RunLogReader
from outrider.run_logs.store import RunLogStore
from outrider.services.runs.logs import live_lines
from outrider.settings import Settings
from outrider.web.streams.client import StreamClient
from outrider.web.streams.feed import catch_up, follow_topic
from outrider.web.streams.frame import StreamEvent, connected, encode, reset
from outrider.web.streams.log_feed import LogFeed, begin_of_replay
from outrider.web.streams.next_runs import NextRuns

PATIENCE_S = 10.0
BEFORE_FIRST_RUN = LogPosition(0, 0)


@dataclass(slots=True)
class _OpenFeed:
    feed: LogFeed
    clients: int = 0


@dataclass(frozen=True, slots=True)
class LogStart:
    """Where a stream of a log begins. `after` None: with the last lines. `is_lost`: lines may be missing."""

    after: LogPosition | None = None
    is_lost: bool = False


class LogStreams:
    """One feed for each run that a client of this process follows, as long as one does."""

    def __init__(
        self, settings: Settings, connections: PooledConnections, listener: Wakes, next_runs: NextRuns
    ) -> None:
        self._settings = settings
        self._connections = connections
        self._listener = listener
        self._next_runs = next_runs
        self._reader = RunLogReader(connections, log_archive_of(settings), patience_s=PATIENCE_S)
        self._open: dict[int, _OpenFeed] = {}
        self._opening = asyncio.Lock()

    async def of_run(self, client: StreamClient, run_id: int, start: LogStart) -> AsyncGenerator[bytes, None]:
        """The log of a run, to its end."""
        async with aclosing(self._run(client, run_id, start, is_first=True)) as lines:
            async for chunk in lines:
                yield chunk

    async def of_job(self, client: StreamClient, job_id: int, start: LogStart) -> AsyncGenerator[bytes, None]:
        """The logs of a job: its newest run or the one of the position, then every later run."""
        start = await self._checked(job_id, start)
        run_id = start.after.run_id if start.after is not None else await self._newest(job_id)
        if run_id is None or run_id == BEFORE_FIRST_RUN.run_id:
            yield connected("log", BEFORE_FIRST_RUN)
            run_id = BEFORE_FIRST_RUN.run_id
        else:
            async with aclosing(self._run(client, run_id, start, is_first=True)) as lines:
                async for chunk in lines:
                    yield chunk
        while not (client.is_closing or client.is_dropped):
            awaited = self._next_runs.expect(job_id, run_id, client.wake)
            try:
                while awaited.run_id is None and not (client.is_closing or client.is_dropped):
                    yield client.take_heartbeat()
                    await client.wait()
            finally:
                self._next_runs.forget(awaited)
            if awaited.run_id is not None:
                run_id = awaited.run_id
                first_line = LogStart(LogPosition(run_id, 0))
                async with aclosing(self._run(client, run_id, first_line, is_first=False)) as lines:
                    async for chunk in lines:
                        yield chunk

    async def is_over(self, run_id: int, after: LogPosition) -> bool:
        """Whether the log of a run has ended at this position."""
        batch = await self._reader.read(run_id, after.of_run(run_id), most=1)
        return batch.is_kept and batch.is_ended and not batch.lines

    async def _run(
        self, client: StreamClient, run_id: int, start: LogStart, *, is_first: bool
    ) -> AsyncGenerator[bytes, None]:
        async with self._following(run_id) as feed:
            if start.after is None:
                position = feed.topic.join_last(client, REPLAYED)
                yield connected("log", position, is_resumable=not start.is_lost)
                if start.is_lost:
                    yield reset(position)
            else:
                if is_first:
                    yield connected("log", start.after)
                async with aclosing(catch_up(feed, client, start.after)) as missed:
                    async for chunk in missed:
                        yield chunk
            if client.has_joined:
                async with aclosing(follow_topic(feed.topic, client)) as news:
                    async for chunk in news:
                        yield chunk
            if not (client.is_closing or client.is_dropped):
                yield encode(StreamEvent.LOG_ENDED, {"run_id": run_id})

    async def _checked(self, job_id: int, start: LogStart) -> LogStart:
        """A position of a run that the job does not have any more is lost."""
        after = start.after
        if after is None or after.run_id == BEFORE_FIRST_RUN.run_id:
            return start
        is_known = await self._connections.run(lambda db: is_run_of_job(db, job_id, after.run_id))
        return start if is_known else LogStart(is_lost=True)

    async def _newest(self, job_id: int) -> int | None:
        return await self._connections.run(lambda db: newest_run_of_job(db, job_id), patience_s=PATIENCE_S)

    @asynccontextmanager
    async def _following(self, run_id: int) -> AsyncIterator[LogFeed]:
        """The feed of a run, which is shared; the last client that leaves ends it."""
        async with self._opening:
            opened = self._open.get(run_id)
            if opened is None:
                opened = self._open[run_id] = _OpenFeed(await self._begin(run_id))
            opened.clients += 1
        try:
            yield opened.feed
        finally:
            opened.clients -= 1
            if not opened.clients:
                self._open.pop(run_id, None)
                opened.feed.stop()

    async def _begin(self, run_id: int) -> LogFeed:
        async def names_of(db: asyncpg.Connection) -> RunNames:
            return await RunLogStore().names(db, run_id)

        names = await self._connections.run(names_of, patience_s=PATIENCE_S)
        start = await begin_of_replay(self._reader, run_id)
        feed = LogFeed(run_id, names, self._reader, self._listener, start)
        feed.start(live_lines(self._settings, names))
        return feed
