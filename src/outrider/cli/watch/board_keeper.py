"""Refreshes the data of the watch screen in the background."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import Never, Self

from rich.console import RenderableType

from outrider.cli.crawl.panels import ScreenState
from outrider.cli.watch.panels import watch_screen
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.watch.board import WatchOverview, look

EVERY_S = 2.0


class BoardKeeper:
    """`async with BoardKeeper(line) as keeper:`; without the database the board stays unchanged."""

    def __init__(self, connection: ReconnectingConnection) -> None:
        self.board = WatchOverview()
        self._connection = connection
        self._looking: asyncio.Task[Never] | None = None

    def draw(self, at: ScreenState, width: int, height: int) -> RenderableType:
        return watch_screen(at, self.board, datetime.now(UTC), width, height)

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
                self.board = await self._connection.run(lambda db: look(db, datetime.now(UTC)))
            await asyncio.sleep(EVERY_S)
