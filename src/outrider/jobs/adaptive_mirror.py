"""Mirrors adaptive states to Redis, for other programs (ADP-05). Decisions use the state in PostgreSQL."""

from typing import Any
from uuid import UUID

from outrider.errors import OutriderError
from outrider.jobs.adaptive import AdaptiveState
from outrider.redis.connect import asking, connect
from outrider.redis.options import RedisOptions
from outrider.redis.outage import Outage

PREFIX = "crawler:adaptive:"
PATIENCE_S = 0.5  # for one answer: a scheduler waits for it


class AdaptiveMirror:
    """One for each scheduler. While Redis is away the intervals go on by what PostgreSQL knows (ADP-06)."""

    def __init__(self, options: RedisOptions) -> None:
        self._address = options.address
        self._client = connect(options, connect_s=PATIENCE_S, answer_s=PATIENCE_S, tries=1)
        self._outage = Outage("adaptive intervals are kept in PostgreSQL only")

    async def put(self, source_id: UUID, state: AdaptiveState) -> bool:
        """Store the state of a source, by its public id; False if Redis is away."""
        values: dict[Any, Any] = {
            "last_hash": state.last_hash,
            "last_change_at": state.last_change_at.isoformat(),
            "unchanged_count": state.unchanged_count,
            "current_interval": int(state.current_interval.total_seconds()),
        }
        try:
            with asking(self._address):
                await self._client.hset(f"{PREFIX}{source_id}", mapping=values)
        except OutriderError as error:
            self._outage.begin(error)
            return False
        self._outage.end()
        return True

    async def close(self) -> None:
        await self._client.aclose()
