"""The use case of workers."""

from outrider.services.operations.workers import list_workers
from outrider.worker_registry.store import WorkerRegistry
from outrider.workers.status import PoolHealth, WorkerStatus

FIGURES = {"name": "crawler-a", "hosts": 2, "pages": 40, "pages_per_s": 2.5, "urls": ["http://a.test/"]}


async def _add(operator, figures, silent_s=0.0):
    worker_id = await operator.run(lambda db: WorkerRegistry().register(db, "elsewhere:boot:1", 7))
    await operator.run(lambda db: WorkerRegistry().record_heartbeat(db, worker_id, figures))
    await operator.run(
        lambda db: db.execute(
            "UPDATE worker SET beat_at = now() - $2::float8 * interval '1 second' WHERE worker_id = $1",
            worker_id,
            silent_s,
        )
    )
    return worker_id


async def _list(operator):
    return await operator.run(list_workers)


async def test_a_worker_shows_its_last_heartbeat(operator):
    await operator.run(lambda db: WorkerRegistry().record_stop(db, operator.store.worker_id))
    worker_id = await _add(operator, FIGURES)

    pool = await _list(operator)
    assert (pool.health, pool.live, pool.total) == (PoolHealth.HEALTHY, 1, 1)
    [worker] = pool.workers
    assert (worker.id, worker.name, worker.machine, worker.pid) == (worker_id, "crawler-a", "elsewhere", 7)
    assert (worker.status, worker.pages, worker.pages_per_s) == (WorkerStatus.WORKING, 40, 2.5)
    assert worker.current_urls == ["http://a.test/"]


async def test_a_silent_worker_makes_the_pool_unhealthy_until_it_is_forgotten(operator):
    await operator.run(lambda db: WorkerRegistry().record_stop(db, operator.store.worker_id))
    await _add(operator, FIGURES, silent_s=60)
    assert (await _list(operator)).health is PoolHealth.UNHEALTHY

    await _add(operator, FIGURES)
    pool = await _list(operator)
    assert (pool.health, pool.live, pool.total) == (PoolHealth.DEGRADED, 1, 2)
    silent = pool.workers[0]
    assert (silent.status, silent.pages_per_s) == (WorkerStatus.SILENT, 0.0)
    assert silent.silent_s >= 60

    await _add(operator, FIGURES, silent_s=3_700)
    assert (await _list(operator)).total == 2


async def test_without_workers_there_is_no_health(operator):
    await operator.run(lambda db: WorkerRegistry().record_stop(db, operator.store.worker_id))

    assert (await _list(operator)).health is None
