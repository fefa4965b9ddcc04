"""The periodic tasks of a worker for jobs. The caller defines what a run does."""

from outrider.db.reconnecting import ReconnectingConnection
from outrider.events.outbox import work_through
from outrider.events.store import EventStore
from outrider.jobs.follow import Follower
from outrider.jobs.run import Start, run_due
from outrider.periodic_tasks import PeriodicTask
from outrider.redis.options import RedisOptions

FOLLOW_S = 5.0
PUBLISH_S = 5.0
RUN_S = 10.0  # SCH-02
FORGET_S = 3600.0


def job_tasks(
    connection: ReconnectingConnection, start: Start, redis: RedisOptions, worker: str
) -> list[PeriodicTask]:
    """All tasks of jobs, safe in several workers at once.

    `start` starts the run of a source. `worker` is the consumer name of this worker in the stream.
    """
    follower = Follower()
    found = [
        PeriodicTask("follow sources", FOLLOW_S, lambda: work_through(connection, follower.handle)),
        PeriodicTask("run due jobs", RUN_S, lambda: run_due(connection, start)),
        PeriodicTask("forget old events", FORGET_S, lambda: connection.run(EventStore().forget_old)),
    ]
    if redis.events:
        # The Redis client takes a while to load, and most installations do not use it.
        from outrider.events.consume import Consumer
        from outrider.events.publish import Publisher

        publisher, consumer = (
            Publisher(connection, redis),
            Consumer(connection, redis, follower.handle, worker),
        )
        found += [
            PeriodicTask("publish events", PUBLISH_S, publisher.publish),
            PeriodicTask("take events", 0.0, consumer.run),
        ]
    return found
