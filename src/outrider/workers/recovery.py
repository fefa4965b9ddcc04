"""Frees the hosts of workers that ended without recording a stop, one pass for each call."""

from typing import NamedTuple

import asyncpg

from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.logs import get_logger
from outrider.machine import is_alive, machine_id
from outrider.worker_registry.store import WorkerRegistry

log = get_logger()


class FreedHosts(NamedTuple):
    """The workers that were gone, and their hosts."""

    workers: int
    hosts: int


async def recover_dead_workers(
    db: asyncpg.Connection, options: FrontierOptions, request_s: float
) -> FreedHosts:
    """Free the hosts of this machine's workers whose processes are gone.

    `request_s` is how long the last request of such a worker may still be under way.
    """
    lost, freed, worker_registry = 0, 0, WorkerRegistry()
    for worker_id, pid in await worker_registry.unstopped(db, machine_id()):
        if is_alive(pid):
            continue
        hosts = await FrontierStore(options, worker_id).recover_worker(db, worker_id, request_s)
        await worker_registry.record_stop(db, worker_id)
        log.info("hosts freed", worker_id=worker_id, hosts=hosts)
        lost, freed = lost + 1, freed + hosts
    return FreedHosts(lost, freed)
