"""Use cases of the logs of runs: replay one, or follow it until the run ends."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import InvalidInput, NotFound
from outrider.events.listen import EventListener
from outrider.log_archive import log_archive_of
from outrider.run_logs.model import LineLevel, LogCategory, LogLine, RunNames
from outrider.run_logs.position import LogPosition
from outrider.run_logs.reader import REPLAYED, LiveLines, LogBatch, RunLogReader, follow
from outrider.run_logs.store import CHANNEL, LogFilter, RunLogStore
from outrider.settings import Settings

NEWEST = "last"
MOST_DIGITS = 9  # of the number of a run

_SQL = Queries.load("outrider.services")


@dataclass(frozen=True, slots=True)
class LogRequest:
    """Which lines are wanted: those after a position, or the last so many."""

    after: str | None = None
    last: int = REPLAYED
    level: LineLevel = LineLevel.DEBUG
    categories: Sequence[LogCategory] = ()
    is_followed: bool = False

    @property
    def wanted(self) -> LogFilter:
        return LogFilter(self.level, tuple(self.categories) or tuple(LogCategory))


@dataclass(frozen=True, slots=True)
class ShownLines:
    """Lines of a log as people and programs read them; `is_kept` False: lines before them are gone."""

    lines: Sequence[LogLine]
    as_json: Sequence[dict[str, Any]]
    position: LogPosition
    is_kept: bool


async def show_log(settings: Settings, dsn: str, run: str, request: LogRequest) -> AsyncIterator[ShownLines]:
    """The lines of a run, batch by batch; a followed log ends when the run has ended.

    Raises NotFound for an unknown run, and InvalidInput for a position of another run.
    """
    async with _connection(settings, dsn, "log") as connection:
        run_id = await _run_id(connection, run)
        after = None if request.after is None else LogPosition.parse(request.after).of_run(run_id)
        names = await connection.run(lambda db: RunLogStore().names(db, run_id))
        reader = RunLogReader(connection, log_archive_of(settings))
        async with (
            _listener(dsn, is_needed=request.is_followed) as listener,
            live_lines(settings, names, is_needed=request.is_followed) as live,
        ):
            batches = (
                follow(reader, run_id, listener, after, last=request.last, wanted=request.wanted, live=live)
                if request.is_followed
                else _replay(reader, run_id, after, request)
            )
            async for batch in batches:
                said = [line.as_json(names) for line in batch.lines]
                yield ShownLines(batch.lines, said, batch.position, batch.is_kept)


async def _replay(
    reader: RunLogReader, run_id: int, after: LogPosition | None, request: LogRequest
) -> AsyncIterator[LogBatch]:
    """Everything that the log has now."""
    position = after or await reader.position_before_last(run_id, request.last, request.wanted)
    while True:
        batch = await reader.read(run_id, position, wanted=request.wanted)
        yield batch
        if batch.is_ended or (batch.is_kept and not batch.is_full):
            return
        position = batch.position


@asynccontextmanager
async def _connection(settings: Settings, dsn: str, name: str) -> AsyncIterator[ReconnectingConnection]:
    connection = ReconnectingConnection(
        dsn, application_name=f"outrider {name}", through_pooler=settings.database.through_pooler
    )
    try:
        yield connection
    finally:
        await connection.close()


@asynccontextmanager
async def _listener(dsn: str, *, is_needed: bool) -> AsyncIterator[EventListener]:
    listener = EventListener(dsn, application_name="outrider log listener", channel=CHANNEL)
    listening = asyncio.create_task(listener.run()) if is_needed else None
    try:
        yield listener
    finally:
        if listening is not None:
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening


@asynccontextmanager
async def live_lines(
    settings: Settings, names: RunNames, *, is_needed: bool = True
) -> AsyncIterator[LiveLines | None]:
    """The Redis stream of the run, if the settings ask for it."""
    if not (is_needed and settings.redis.run_logs):
        yield None
        return
    # Importing redis takes a tenth of a second, so only commands that use it import it.
    from outrider.run_logs.redis_stream import RedisFollower

    follower = RedisFollower(settings.redis, names)
    try:
        yield follower
    finally:
        await follower.close()


async def _run_id(connection: ReconnectingConnection, run: str) -> int:
    if run == NEWEST:
        newest: int | None = await connection.run(lambda db: db.fetchval(_SQL.newest_run))
        if newest is None:
            raise NotFound("there is no run yet: `outrider crawl URL` starts one")
        return newest
    if not (run.isascii() and run.isdigit() and len(run) <= MOST_DIGITS):
        raise InvalidInput(f"{run[:80]!r} is not the number of a run, such as 17, or `{NEWEST}`")
    return int(run)
