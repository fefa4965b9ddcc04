"""Reports workers that have been missing for two minutes, each once (WRK-08). One pass for each call."""

import asyncpg

from outrider.events.catalogue import EventKind
from outrider.events.log import write_events
from outrider.events.record import NewEvent
from outrider.logs import get_logger
from outrider.worker_registry.store import WorkerRegistry

log = get_logger()

MISSING_S = 120.0
LOOK_S = 30.0


async def report_missing(db: asyncpg.Connection) -> int:
    """Write an event for each worker that has no heartbeat for two minutes; returns how many are new."""
    async with db.transaction():
        missing = await WorkerRegistry().mark_missing(db, MISSING_S)
        await write_events(
            db,
            [
                NewEvent(
                    EventKind.WORKER_MISSING,
                    str(worker.worker_id),
                    {
                        "name": worker.stats.get("name"),
                        "machine": worker.machine,
                        "pid": worker.pid,
                        "last_heartbeat": worker.beat_at.isoformat(),
                        "urls": worker.stats.get("urls", []),
                    },
                )
                for worker in missing
            ],
        )
    for worker in missing:
        log.warning("worker is missing", worker=worker.worker_id, machine=worker.machine, pid=worker.pid)
    return len(missing)
