"""One client of a stream: where it stands in a topic, and what wakes it."""

import asyncio
from collections.abc import Collection
from typing import Any

from outrider.auth.authenticator import Credentials
from outrider.web.streams.frame import HEARTBEAT, SERVER_STOPS, Frame, StreamEvent


class StreamClient:
    """Belongs to at most one topic at a time. All methods are called on the event loop."""

    def __init__(self, wanted: Collection[str] | None = None) -> None:
        """`wanted`: the names of the events it gets; None: all."""
        self.wanted = None if wanted is None else frozenset((*wanted, StreamEvent.RESET))
        self.has_joined = False  # a topic
        self.cursor = 0  # the number of the next frame of the topic
        self.backlog: list[Frame[Any]] = []  # frames of the topic from before it joined
        self.after: Any = None  # frames up to this position are known to it
        self.credentials: Credentials | None = None  # with which the stream was opened
        self.sent_at = 0.0
        self.is_closing = False
        self.closing_reason = SERVER_STOPS
        self.is_dropped = False
        self.dropped: asyncio.Future[None] | None = None  # its response waits for this
        self._needs_heartbeat = False
        self._waiter: asyncio.Future[None] | None = None

    def wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def drop(self) -> None:
        """Disconnect it: it is too slow."""
        self.is_dropped = True
        if self.dropped is not None and not self.dropped.done():
            self.dropped.set_result(None)
        self.wake()

    def close(self, reason: str = SERVER_STOPS) -> None:
        """Let it end, and tell it why."""
        self.closing_reason = reason
        self.is_closing = True
        self.wake()

    def beat(self) -> None:
        """A heartbeat is due."""
        self._needs_heartbeat = True
        self.wake()

    def take_heartbeat(self) -> bytes:
        """The heartbeat if one is due, else nothing."""
        is_due, self._needs_heartbeat = self._needs_heartbeat, False
        return HEARTBEAT if is_due else b""

    def selected(self, frames: Collection[Frame[Any]]) -> bytes:
        """The frames that it wants and does not know."""
        if self.after is not None:
            frames = [frame for frame in frames if frame.position > self.after]
        if self.wanted is not None:
            frames = [frame for frame in frames if frame.event in self.wanted]
        return b"".join([frame.encoded for frame in frames])

    async def wait(self) -> None:
        """Wait for news, for a heartbeat or for the end. The caller has looked for all of them before."""
        if self.is_closing or self.is_dropped or self._needs_heartbeat:
            return
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None
