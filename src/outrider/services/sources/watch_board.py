"""The figures of all sources during a watch, refreshed in the background."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import Never, Self

from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.watch.overview import WatchOverview, read_overview

EVERY_S = 2.0


class WatchBoard:
    """`async with WatchBoard(dsn) as board:`; without the database the figures stay unchanged."""

    def __init__(self, dsn: str, *, through_pooler: bool = False) -> None:
        self.overview = WatchOverview()
        self._connection = ReconnectingConnection(
            dsn, application_name="outrider board", through_pooler=through_pooler
        )
        self._looking: asyncio.Task[Never] | None = None

    async def __aenter__(self) -> Self:
        self._looking = asyncio.create_task(self._look_again_and_again())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._looking is not None:
            self._looking.cancel()
            with suppress(asyncio.CancelledError):
                await self._looking
        await self._connection.close()

    async def _look_again_and_again(self) -> Never:
        while True:
            with suppress(Unavailable):
                self.overview = await self._connection.run(lambda db: read_overview(db, datetime.now(UTC)))
            await asyncio.sleep(EVERY_S)
