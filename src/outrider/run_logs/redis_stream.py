"""Copies the logs of runs to Redis streams, and follows them there (SSE-06).

The stream of a job is `logs:JOB`. The id of a line there is its position, so both stores give a line the
same position. Lines are read back from PostgreSQL in their order and added with these ids: Redis refuses an
id that is not greater than the last one, so several workers that copy at once add every line once and in its
order. What Redis lost or missed is read from PostgreSQL.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Misconfigured, NotFound, Unavailable
from outrider.redis.connect import asking, connect
from outrider.redis.options import RedisOptions
from outrider.redis.outage import Outage
from outrider.run_logs.model import LogLine, RunNames
from outrider.run_logs.position import LogPosition
from outrider.run_logs.store import LogFilter, RunLogStore

KEPT_S = 86_400
MOST_KEPT = 100_000  # lines of one job
AT_ONCE = 100
BLOCK_S = 5.0
REST_S = 0.25  # between two copies
COPIED_AT_FIRST = 1_000  # lines of a run whose stream does not exist

_FIELD = b"line"


def stream_of(names: RunNames) -> str:
    return f"logs:{names.log_name}"


class RedisCopy:
    """Copies new lines to Redis. During an outage lines stay in PostgreSQL; the next copy catches up."""

    def __init__(self, connection: ReconnectingConnection, options: RedisOptions) -> None:
        self._connection = connection
        self._options = options
        self._client = connect(options)
        self._store = RunLogStore()
        self._outage = Outage("readers get the lines of run logs from PostgreSQL")
        self._noted: dict[int, None] = {}
        self._has_news = asyncio.Event()

    def note(self, run_id: int) -> None:
        """Report that a run has new lines."""
        self._noted[run_id] = None
        self._has_news.set()

    async def run(self) -> None:
        """Copy the lines of noted runs, until cancelled."""
        while True:
            await self._has_news.wait()
            await self.copy_noted()
            await asyncio.sleep(REST_S)

    async def copy_noted(self) -> None:
        self._has_news.clear()
        while self._noted:
            run_id = next(iter(self._noted))
            del self._noted[run_id]
            await self.copy(run_id)

    async def copy(self, run_id: int) -> int:
        """Copy the lines that the stream does not have; returns how many this call added."""
        try:
            with asking(self._options.address):
                added = await self._copy(run_id)
        except NotFound:
            return 0  # the run is gone
        except (Unavailable, Misconfigured) as away:
            self._outage.begin(away)
            return 0
        self._outage.end()
        return added

    async def close(self) -> None:
        await self._client.aclose()

    async def _copy(self, run_id: int) -> int:
        names = await self._connection.run(lambda db: self._store.names(db, run_id))
        stream, added = stream_of(names), 0
        number = await self._newest_number(stream, run_id)
        while number is not None:
            lines = await self._lines_after(run_id, number)
            if not lines:
                break
            added += await self._add(stream, names, lines)
            number = lines[-1].position.number if len(lines) == AT_ONCE else None
        if added:
            await self._client.expire(stream, KEPT_S)
        return added

    async def _newest_number(self, stream: str, run_id: int) -> int | None:
        """The number of the newest line of this run in the stream; None if a later run is there already."""
        newest: Any = await self._client.xrevrange(stream, count=1)
        if newest:
            position = LogPosition.parse(newest[0][0].decode())
            if position.run_id > run_id:
                return None
            if position.run_id == run_id:
                return position.number
            return 0
        page = await self._connection.run(lambda db: self._store.page_after(db, run_id, 0, LogFilter(), 1))
        return max(0, page.last_number - COPIED_AT_FIRST)

    async def _lines_after(self, run_id: int, number: int) -> Sequence[LogLine]:
        page = await self._connection.run(
            lambda db: self._store.page_after(db, run_id, number, LogFilter(), AT_ONCE)
        )
        return page.lines

    async def _add(self, stream: str, names: RunNames, lines: Sequence[LogLine]) -> int:
        """Add lines in their order; another worker may have added some of them."""
        pipeline = self._client.pipeline(transaction=False)
        for line in lines:
            text = json.dumps(line.as_json(names), ensure_ascii=False, separators=(",", ":"))
            pipeline.xadd(stream, {_FIELD: text.encode()}, id=str(line.position), maxlen=MOST_KEPT)
        answers = await pipeline.execute(raise_on_error=False)
        for answer in answers:
            if isinstance(answer, Exception) and not _is_known(answer):
                raise answer
        return sum(not isinstance(answer, Exception) for answer in answers)


async def copy_once(connection: ReconnectingConnection, options: RedisOptions, run_id: int) -> int:
    """Copy the lines of one run; returns how many were added."""
    copy = RedisCopy(connection, options)
    try:
        return await copy.copy(run_id)
    finally:
        await copy.close()


class RedisFollower:
    """Reads the lines of one run from its stream, for readers that follow."""

    def __init__(self, options: RedisOptions, names: RunNames) -> None:
        self._options = options
        self._stream = stream_of(names)
        self._client: Redis = connect(options, block_s=BLOCK_S)

    async def next_lines(self, after: LogPosition, *, block_s: float = BLOCK_S) -> list[LogLine]:
        """The next lines of the run after a position, or none within `block_s`.

        Raises Unavailable while Redis is away.
        """
        with asking(self._options.address):
            streams: Any = await self._client.xread(
                {self._stream: str(after)}, count=AT_ONCE, block=max(1, round(block_s * 1000))
            )
        lines = [LogLine.from_json(json.loads(fields[_FIELD])) for _, found in streams for _, fields in found]
        own = [line for line in lines if line.position.run_id == after.run_id]
        if lines and not own:  # a later run of the job writes already, so this read did not wait
            await asyncio.sleep(REST_S)
        return own

    async def close(self) -> None:
        await self._client.aclose()


def _is_known(error: Exception) -> bool:
    """Whether Redis refused a line because the stream has it, or a later one."""
    return isinstance(error, ResponseError) and "equal or smaller" in str(error)
