"""The worker process: an event loop around one worker, stopped by SIGTERM."""

import asyncio
import os
import signal
from functools import partial
from typing import TYPE_CHECKING

import asyncpg

from outrider import logs
from outrider.app import job_tasks_for, watch_tasks_for, worker_context_for
from outrider.crawl.worker_context import WorkerContext
from outrider.db.reconnecting import ReconnectingConnection
from outrider.machine import machine_id
from outrider.periodic_tasks import PeriodicTask
from outrider.settings import Settings
from outrider.supervision.child import SupervisorLink, run_child
from outrider.worker_registry.store import WorkerRegistry
from outrider.workers.memory import tune_memory
from outrider.workers.missing import LOOK_S, report_missing
from outrider.workers.worker import Worker
from outrider.workers.worker_name import worker_name

if TYPE_CHECKING:
    from outrider.workers.redis_heartbeat import RedisHeartbeat

REDIS_BEAT_S = 30.0


def main(settings: Settings, dsn: str, supervisor: SupervisorLink) -> None:
    """Entry point of the child process."""
    tune_memory()
    run_child(lambda: _run(settings, dsn, supervisor), "worker", settings.logs, settings.database, supervisor)


def _redis_heartbeat(settings: Settings, context: WorkerContext, worker_id: int) -> "RedisHeartbeat | None":
    if not settings.redis.workers:
        return None
    # Importing redis is slow, so only workers that use it import it.
    from outrider.workers.redis_heartbeat import RedisHeartbeat

    return RedisHeartbeat(settings.redis, worker_name(settings.crawl, worker_id), context)


async def _run(settings: Settings, dsn: str, supervisor: SupervisorLink) -> None:
    pooled = settings.database.through_pooler
    connections = [
        ReconnectingConnection(dsn, application_name=f"outrider {name}", through_pooler=pooled)
        for name in ("claim", "flush", "ask", "side", "duty", "log")
    ]
    claim_connection, flush_connection, lane_connection, side_connection, *others = connections
    task_connection, log_connection = others

    async def register(db: asyncpg.Connection) -> int:
        return await WorkerRegistry().register(db, machine_id(), os.getpid())

    worker_id = await claim_connection.run(register, patience_s=30)
    logs.bind_to_process(worker_id=worker_id)
    context = worker_context_for(
        settings,
        worker_id,
        flush_connection=flush_connection,
        lane_connection=lane_connection,
        log_connection=log_connection,
    )
    duties = [
        *watch_tasks_for(settings, context, task_connection),
        *job_tasks_for(settings, context, task_connection),
    ]
    duties.append(PeriodicTask("missing workers", LOOK_S, partial(task_connection.run, report_missing)))
    shared = _redis_heartbeat(settings, context, worker_id)
    if shared is not None:
        duties.append(PeriodicTask("heartbeat in redis", REDIS_BEAT_S, shared.beat))
    worker = Worker(context, claim_connection, side_connection, supervisor, duties)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
    supervisor.report_ready()
    try:
        await worker.run()
    finally:
        if shared is not None:
            await shared.leave()
        context.readers.close()
        await context.fetcher.close()
        for connection in connections:
            await connection.close()
