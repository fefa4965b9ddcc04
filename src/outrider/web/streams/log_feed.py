"""Follows the log of one run for all of its clients in the process (SSE-06, SSE-07)."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

from outrider.errors import Unavailable
from outrider.events.listen import Wakes
from outrider.logs import get_logger
from outrider.run_logs.model import LogLine, RunNames
from outrider.run_logs.position import LogPosition
from outrider.run_logs.reader import REPLAYED, LiveLines, LogBatch, RunLogReader, follow
from outrider.web.streams.feed import FeedPage, publish
from outrider.web.streams.frame import Frame, StreamEvent, encode, reset
from outrider.web.streams.topic import Topic

log = get_logger()

RETRY_S = 1.0


class LogFeed:
    """Begins with the last 200 lines of the run. New lines come from Redis where it is configured."""

    def __init__(
        self,
        run_id: int,
        names: RunNames,
        reader: RunLogReader,
        listener: Wakes,
        start: LogPosition,
    ) -> None:
        self.run_id = run_id
        self.topic: Topic[LogPosition] = Topic(start)
        self._names = names
        self._reader = reader
        self._listener = listener
        self._live: LiveLines | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self, live: AbstractAsyncContextManager[LiveLines | None]) -> None:
        """Follow the log in a task of its own."""
        self._task = asyncio.create_task(self._run_with(live))

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _run_with(self, live: AbstractAsyncContextManager[LiveLines | None]) -> None:
        async with live as self._live:
            await self.run()

    async def run(self) -> None:
        """Publish every line until the log ends. While the database is away, wait for it."""
        try:
            while not self.topic.is_ended:
                try:
                    await self._follow()
                except Unavailable as away:
                    log.warning("the log of a run cannot be read", run=self.run_id, error=str(away))
                    await asyncio.sleep(RETRY_S)
        except Exception as error:  # such as NotFound: the run was deleted
            log.warning("the stream of a log failed", run=self.run_id, error=str(error))
            self.topic.drop_all()

    async def read(self, after: LogPosition) -> FeedPage[LogPosition]:
        batch = await self._reader.read(self.run_id, after)
        is_ended = batch.is_ended and not batch.is_full
        return FeedPage(self._frames(batch.lines), batch.position, batch.is_kept, is_ended)

    async def _follow(self) -> None:
        reader, topic = self._reader, self.topic
        async for batch in follow(reader, self.run_id, self._listener, topic.position, live=self._live):
            await self._publish(batch)
        topic.end()

    async def _publish(self, batch: LogBatch) -> None:
        if batch.is_kept:
            await publish(self.topic, self._frames(batch.lines), batch.position)
        else:
            self.topic.restart(Frame(batch.position, StreamEvent.RESET, reset(batch.position)))

    def _frames(self, lines: Sequence[LogLine]) -> list[Frame[LogPosition]]:
        event = StreamEvent.LOG_LINE
        return [
            Frame(line.position, event, encode(event, line.as_json(self._names), line.position))
            for line in lines
        ]


async def begin_of_replay(reader: RunLogReader, run_id: int) -> LogPosition:
    """The position before the last 200 lines of a run."""
    return await reader.position_before_last(run_id, REPLAYED)
