"""Use cases of runs."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest
from tests.support.make import completion

from outrider.crawl.processes import CrawlProcess, claim_run, end_process
from outrider.crawl.seeds import start
from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.frontier.options import FrontierOptions
from outrider.frontier.stats import StatsStore
from outrider.runs.ending import end_now
from outrider.runs.model import RunStatus, StartedBy
from outrider.runs.store import RunStore
from outrider.services.paging import PageRequest
from outrider.services.runs.details import RunState
from outrider.services.runs.runs import RunFilter, cancel_run, list_runs, show_run, stats_of_runs
from outrider.sources.policy import Policy
from outrider.worker_registry.store import WorkerRegistry

A, B = "http://a.test/", "http://b.test/"


async def _start(operator, *seeds):
    """Start a crawl, as its process does before the first worker runs."""
    begun = await operator.run(lambda db: start(db, Policy(seeds=seeds), operator.store, StatsStore()))
    return begun.run


async def _end(operator, run):
    return await operator.run(lambda db: end_now(db, operator.store, run))


async def _list(operator, page=None, **wanted):
    return await operator.run(lambda db: list_runs(db, RunFilter(**wanted), page or PageRequest()))


async def _show(operator, named):
    return await operator.run(lambda db: show_run(db, str(named)))


async def _cancel(operator, named, wait_s=0.0):
    return await operator.run(
        lambda db: cancel_run(db, str(named), FrontierOptions(), request_s=30.0, wait_s=wait_s)
    )


async def _live_process(operator, run) -> CrawlProcess:
    process = CrawlProcess.this()
    await operator.run(lambda db: claim_run(db, run.source_id, process))
    return process


async def _no_workers(operator):
    """The worker of the fixture has stopped."""
    await operator.run(lambda db: WorkerRegistry().record_stop(db, operator.store.worker_id))


async def test_runs_are_listed_newest_first_and_by_filters(operator):
    first, second = await _start(operator, A), await _start(operator, B)
    await _end(operator, first)

    async def numbers(**wanted):
        return [each.run_id for each in (await _list(operator, **wanted)).items]

    assert await numbers() == [second.run_id, first.run_id]
    assert await numbers(status="running") == [second.run_id]
    assert await numbers(status="completed, running") == [second.run_id, first.run_id]
    assert await numbers(source="http://a.test") == [first.run_id]
    assert await numbers(source=str(second.source_id)) == [second.run_id]
    assert await numbers(source="crawl http://b.test/") == [second.run_id]
    assert await numbers(started_by=StartedBy.SCHEDULE) == []
    assert await numbers(job=str(uuid4())) == []

    part = await _list(operator, PageRequest(limit=1, offset=1))
    assert ([each.run_id for each in part.items], part.total) == ([first.run_id], 2)


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        ({"status": "done"}, "there is no status 'done', only running, completed, failed, cancelled"),
        ({"job": "7"}, "a job is named by its id"),
    ],
)
async def test_a_wrong_filter_is_refused(operator, wanted, error):
    with pytest.raises(InvalidInput, match=error):
        await _list(operator, **wanted)


@pytest.mark.parametrize("source", ["nobody", "http://nobody.test/", "4000000", "no web address:"])
async def test_runs_of_an_unknown_source_are_not_found(operator, source):
    with pytest.raises(NotFound):
        await _list(operator, source=source)


async def test_the_newest_run_is_called_last(operator):
    with pytest.raises(NotFound, match="there is no run yet"):
        await _show(operator, "last")
    await _start(operator, A)
    second = await _start(operator, B)

    assert (await _show(operator, "last")).run_id == second.run_id


@pytest.mark.parametrize("named", ["0", "-1", "1.5", "abc", "", "99999999999", "٣"])
async def test_what_is_no_number_of_a_run_is_refused(operator, named):
    with pytest.raises(InvalidInput, match="RUN is the number of a run, or `last`"):
        await _show(operator, named)


async def test_an_unknown_run_is_not_found(operator):
    with pytest.raises(NotFound, match="there is no run 5"):
        await _show(operator, 5)
    with pytest.raises(NotFound, match="there is no run 5"):
        await _cancel(operator, 5)


async def test_a_run_shows_its_progress_while_it_runs(operator):
    run = await _start(operator, A, B)
    entries = {entry.url: entry for lease in await operator.claim() for entry in lease.entries}
    await operator.complete(completion(entries[A]))

    shown = await _show(operator, run.run_id)
    progress = shown.progress
    assert (progress.added, progress.settled, progress.waiting) == (2, 1, 1)


async def test_a_crawl_is_interrupted_when_its_process_is_gone(operator):
    run = await _start(operator, A)
    process = await _live_process(operator, run)
    assert (await _show(operator, run.run_id)).state is RunState.RUNNING
    ended = await asyncio.create_subprocess_exec("true")
    await ended.wait()
    await operator.run(lambda db: end_process(db, process))
    await operator.run(lambda db: claim_run(db, run.source_id, replace(process, pid=ended.pid)))

    for shown in (await _show(operator, run.run_id), (await _list(operator)).items[0]):
        assert (shown.status, shown.state) == (RunStatus.RUNNING, RunState.INTERRUPTED)
        assert shown.continue_with == "outrider crawl http://a.test/"


async def test_a_cancel_ends_the_run_of_a_dead_crawl_and_a_new_start_fetches_what_was_left(operator):
    run = await _start(operator, A, B)
    [lease, *_] = await operator.claim()  # by a worker that was killed
    await _no_workers(operator)

    shown = await _cancel(operator, run.run_id)

    assert shown.state is RunState.CANCELLED
    entries = shown.crawl_metrics["entries"]
    assert (entries["withdrawn"], entries["settled"]) == (2, 2)
    assert lease.entries
    again = await _start(operator, A, B)
    assert (await _show(operator, again.run_id)).progress.waiting == 2


async def test_a_cancel_of_a_dead_crawl_waits_for_requests_of_live_workers(operator, pool):
    run = await _start(operator, A, B)
    await operator.run(lambda db: WorkerRegistry().record_heartbeat(db, operator.store.worker_id, {}))
    [lease] = await operator.claim(hosts=1)

    async def finish():
        while not (await operator.run(lambda db: RunStore().by_id(db, run.run_id))).is_cancelled:  # noqa: ASYNC110
            await asyncio.sleep(0)
        await operator.complete(completion(lease.entries[0]))

    async with pool.acquire() as db:
        cancelled = cancel_run(db, str(run.run_id), FrontierOptions(), request_s=30.0, wait_s=60.0)
        shown, _ = await asyncio.gather(cancelled, finish())

    assert shown.state is RunState.CANCELLED
    assert shown.crawl_metrics["entries"]["withdrawn"] == 1


async def test_the_process_of_a_live_crawl_ends_its_run(operator):
    run = await _start(operator, A)
    await _live_process(operator, run)

    shown = await _cancel(operator, run.run_id)

    assert (shown.state, shown.progress.waiting) == (RunState.CANCELLING, 0)
    assert shown.continue_with == "outrider crawl http://a.test/"
    assert (await _cancel(operator, run.run_id)).state is RunState.CANCELLING, "a second cancel waits too"


async def test_a_run_that_has_ended_cannot_be_cancelled(operator):
    run = await _start(operator, A)
    await _end(operator, run)

    with pytest.raises(Conflict, match=rf"run {run.run_id} has ended already: completed 20\d\d-"):
        await _cancel(operator, run.run_id)


async def test_the_runs_of_a_source_in_numbers(operator):
    for wanted in ("completed", "cancelled"):
        run = await _start(operator, A)
        if wanted == "cancelled":
            await _no_workers(operator)
            await _cancel(operator, run.run_id)
        else:
            await _end(operator, run)
    await _start(operator, B)

    stats = await operator.run(lambda db: stats_of_runs(db, A))
    assert (stats.total, stats.successful, stats.failed, stats.cancelled) == (2, 1, 0, 1)
    assert stats.success_rate == 1.0
    assert stats.average_duration_s is not None
    assert stats.last_execution_at == (await _show(operator, 2)).started_at
