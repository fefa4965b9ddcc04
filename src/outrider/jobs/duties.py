"""What a worker does so that jobs follow their sources, and run. What a run is, the caller says."""

from outrider.db.line import Line
from outrider.duties import Duty
from outrider.events.outbox import work_through
from outrider.events.store import EventStore
from outrider.jobs.follow import Follower
from outrider.jobs.run import Start, run_due
from outrider.valkey.options import ValkeyOptions

FOLLOW_S = 5.0
PUBLISH_S = 5.0
RUN_S = 10.0  # SCH-02
FORGET_S = 3600.0


def job_duties(line: Line, start: Start, valkey: ValkeyOptions, worker: str) -> list[Duty]:
    """All duties of jobs, safe in several workers at once.

    `start` begins the run of a source. `worker` names this worker among the consumers of the stream.
    """
    follower = Follower()
    found = [
        Duty("follow sources", FOLLOW_S, lambda: work_through(line, follower.handle)),
        Duty("run due jobs", RUN_S, lambda: run_due(line, start)),
        Duty("forget old events", FORGET_S, lambda: line.run(EventStore().forget_old)),
    ]
    if valkey.events:
        # The client's library takes a while to load, and most have no use for it.
        from outrider.events.consume import Consumer
        from outrider.events.publish import Publisher

        publisher, consumer = Publisher(line, valkey), Consumer(line, valkey, follower.handle, worker)
        found += [
            Duty("publish events", PUBLISH_S, publisher.publish),
            Duty("take events", 0.0, consumer.run),
        ]
    return found
