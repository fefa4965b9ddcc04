"""Health and metrics as streams: states that are read while a client listens, and sent when they change."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any

import asyncpg

from outrider.db.pooled import PooledConnections
from outrider.errors import OutriderError
from outrider.services.as_json import as_json
from outrider.services.operations.live_status import LiveMetrics, read_health, read_metrics, without_database
from outrider.services.positions import current_position
from outrider.web.streams.client import StreamClient
from outrider.web.streams.feed import follow_topic
from outrider.web.streams.frame import Frame, StreamEvent, connected, encode
from outrider.web.streams.topic import Topic

REPEAT_S = 30.0  # a state that does not change is sent again after this time
LARGEST_SHARE = 20  # the pause between two looks is at least so many times as long as a look takes

State = tuple[str, str, Mapping[str, Any]]  # event, what it is about, data
Look = Callable[[], Awaitable[tuple[str, list[State]]]]
StateNumber = tuple[int]  # the positions of the topic: states are counted in each process


class StatusFeed:
    """States of one stream. Each event is a whole state, so a client that comes back needs no history."""

    def __init__(self, stream: str, look: Look, every_s: float) -> None:
        self.topic: Topic[StateNumber] = Topic((0,))
        self._stream = stream
        self._look = look
        self._every_s = every_s
        self._count = 0
        self._position = ""
        self._current: dict[tuple[str, str], Frame[StateNumber]] = {}
        self._sent: dict[tuple[str, str], tuple[Mapping[str, Any], float]] = {}
        self._has_clients = asyncio.Event()

    async def run(self) -> None:
        """Look while there are clients, until cancelled."""
        while True:
            await self._has_clients.wait()
            took_s = await self._look_once()
            await asyncio.sleep(max(self._every_s, took_s * LARGEST_SHARE))
            if not self.topic.clients:
                self._has_clients.clear()
                self._current.clear()
                self._sent.clear()

    async def chunks(self, client: StreamClient, position: str) -> AsyncGenerator[bytes, None]:
        """The present state, then every change."""
        self.topic.join_last(client, 0)
        self._has_clients.set()
        yield connected(self._stream, position)
        yield client.selected(list(self._current.values()))
        async with aclosing(follow_topic(self.topic, client)) as news:
            async for chunk in news:
                yield chunk

    async def _look_once(self) -> float:
        began = time.monotonic()
        position, states = await self._look()
        now = time.monotonic()
        frames = [
            self._frame(position, event, about, data)
            for event, about, data in states
            if self._is_news((event, about), data, now)
        ]
        self.topic.publish(frames, (self._count,))
        return now - began

    def _is_news(self, name: tuple[str, str], data: Mapping[str, Any], now: float) -> bool:
        before, at = self._sent.get(name, (None, 0.0))
        if data == before and now - at < REPEAT_S:
            return False
        self._sent[name] = (data, now)
        return True

    def _frame(self, position: str, event: str, about: str, data: Mapping[str, Any]) -> Frame[StateNumber]:
        self._count += 1
        frame = Frame((self._count,), event, encode(event, data, position or None))
        self._current[event, about] = frame
        return frame


def health_look(connections: PooledConnections) -> Look:
    """Reads the health; a database that is away is unhealthy."""

    async def look() -> tuple[str, list[State]]:
        try:
            found = await connections.run(read_health, is_one_statement=True)
        except (OutriderError, asyncpg.PostgresError) as error:
            found = without_database(str(error))
        data = {"status": found.status.value, "checks": as_json(found.checks)}
        return found.position, [(StreamEvent.HEALTH_STATUS, "", data)]

    return look


class MetricsLook:
    """Reads the figures, and what the stages of the pipeline did since the last look."""

    def __init__(self, connections: PooledConnections) -> None:
        self._connections = connections
        self._before: tuple[LiveMetrics, float] | None = None

    async def __call__(self) -> tuple[str, list[State]]:
        try:
            found = await self._connections.run(read_metrics, is_one_statement=True)
        except (OutriderError, asyncpg.PostgresError):
            return "", []
        now = time.monotonic()
        states: list[State] = [(StreamEvent.METRICS_UPDATE, "", as_json(found))]
        for stage, count in found.stages.items():
            data = {"stage": stage.value, "count": count, "change_per_s": self._rate(stage, count, now)}
            states.append((StreamEvent.PIPELINE_STAGE, stage, data))
        self._before = found, now
        return found.position, states

    def _rate(self, stage: Any, count: int, now: float) -> float:
        if self._before is None:
            return 0.0
        before, then = self._before
        return round((count - before.stages[stage]) / max(now - then, 0.001), 1)


async def position_now(connections: PooledConnections) -> str:
    """The position of the event log; empty while the database is away."""
    try:
        return await connections.run(current_position, is_one_statement=True)
    except (OutriderError, asyncpg.PostgresError):
        return ""
