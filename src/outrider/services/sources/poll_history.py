"""The use case that shows the last polls of a source's feeds and sitemaps."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.frontier.stats import StatsStore
from outrider.sources.store import SourceStore
from outrider.urls import key_of

MOST_CHANNELS = 10  # whose polls are looked up
POLLS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Poll:
    """One request for a feed or sitemap."""

    at: datetime
    url: str
    outcome: str
    status: int | None
    elapsed_ms: int
    wire_bytes: int
    error: str | None


async def list_polls(db: asyncpg.Connection, named: str, most: int = POLLS_SHOWN) -> Sequence[Poll]:
    """The last polls of a source, newest first; raises NotFound. Only its first channels are looked up."""
    stats, store = StatsStore(), SourceStore()
    async with db.transaction():
        source = await store.find(db, named)
        channels = await store.channels(db, source.source_id)
        polls = [
            Poll(
                each.at,
                channel.url,
                each.outcome,
                each.status,
                each.elapsed_ms,
                each.wire_bytes,
                each.error_message,
            )
            for channel in channels[:MOST_CHANNELS]
            for each in await stats.history(db, key_of(channel.url), most)
        ]
    return sorted(polls, key=lambda poll: poll.at, reverse=True)[:most]
