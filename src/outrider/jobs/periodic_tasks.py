"""The periodic tasks of a worker for jobs: jobs follow their sources."""

from functools import cache
from typing import TYPE_CHECKING

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.events.model import SourceEvent
from outrider.events.outbox import handle_waiting
from outrider.events.store import EventStore
from outrider.periodic_tasks import PeriodicTask
from outrider.redis.options import RedisOptions

if TYPE_CHECKING:
    from outrider.jobs.follow import Follower

FOLLOW_S = 5.0
PUBLISH_S = 5.0
FORGET_S = 3600.0


def job_tasks(
    connection: ReconnectingConnection, redis: RedisOptions, worker: str, *, is_balanced: bool = True
) -> list[PeriodicTask]:
    """All tasks of jobs, safe in several workers at once.

    `worker` is the consumer name of this worker in the stream. Schedulers run the jobs.
    """

    @cache
    def follower() -> "Follower":
        from outrider.jobs.follow import Follower  # slow to import, and a crawl causes no event

        return Follower(is_balanced=is_balanced)

    async def follow(db: asyncpg.Connection, event: SourceEvent) -> None:
        await follower().handle(db, event)

    found = [
        PeriodicTask("follow sources", FOLLOW_S, lambda: handle_waiting(connection, follow)),
        PeriodicTask("forget old events", FORGET_S, lambda: connection.run(EventStore().forget_old)),
    ]
    if redis.events:
        # The Redis client takes a while to load, and most installations do not use it.
        from outrider.events.consume import Consumer
        from outrider.events.publish import Publisher

        publisher, consumer = (
            Publisher(connection, redis),
            Consumer(connection, redis, follow, worker),
        )
        found += [
            PeriodicTask("publish events", PUBLISH_S, publisher.publish),
            PeriodicTask("take events", 0.0, consumer.run),
        ]
    return found
