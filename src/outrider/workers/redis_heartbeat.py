"""The heartbeat of a worker in Redis, for other programs (WRK-01, WRK-02). PostgreSQL has the real one."""

import json
from datetime import UTC, datetime
from importlib.resources import files

from outrider.crawl.worker_context import WorkerContext
from outrider.errors import OutriderError
from outrider.redis.connect import asking, connect
from outrider.redis.options import RedisOptions
from outrider.redis.outage import Outage
from outrider.workers.figures import current_urls
from outrider.workers.status import status_of

PREFIX = "crawler:worker:"
ACTIVE = "crawler:active_workers"
LIVES_S = 120

_SCRIPT = files(__package__).joinpath("active_workers.lua").read_text(encoding="utf-8")


class RedisHeartbeat:
    """Writes `crawler:worker:{id}` and keeps `crawler:active_workers` free of dead ids."""

    def __init__(self, options: RedisOptions, name: str, context: WorkerContext) -> None:
        self._address = options.address
        self._redis = connect(options)
        self._name = name
        self._context = context
        self._outage = Outage("heartbeats are in PostgreSQL only")

    async def beat(self) -> None:
        """One heartbeat. While Redis is away, nothing happens: the crawl does not need it."""
        try:
            with asking(self._address):
                await self._redis.set(PREFIX + self._name, self._heartbeat(), ex=LIVES_S)
                await self._redis.sadd(ACTIVE, self._name)
                await self._redis.eval(_SCRIPT, 1, ACTIVE, PREFIX)
        except OutriderError as error:
            self._outage.begin(error)
        else:
            self._outage.end()

    async def leave(self) -> None:
        """Remove the worker, and close the connection."""
        try:
            with asking(self._address):
                await self._redis.delete(PREFIX + self._name)
                await self._redis.srem(ACTIVE, self._name)
        except OutriderError as error:
            self._outage.begin(error)
        finally:
            await self._redis.aclose()

    def _heartbeat(self) -> str:
        context = self._context
        figures = {"stopping": context.stopping, "in_flight": context.in_flight}
        urls = current_urls(context)
        return json.dumps(
            {
                "lastHeartbeat": datetime.now(UTC).isoformat(),
                "status": status_of(figures, 0.0).value,
                "currentUrl": urls[0] if urls else None,
            }
        )
