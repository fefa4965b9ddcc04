"""Changes of jobs and runs are events, written by the transaction that makes the change."""

import pytest
from tests.support.event_log import settle
from tests.support.job_runs import finish_front_page, open_run

from outrider.errors import Conflict
from outrider.events.log import read_events
from outrider.jobs.operate import cancel, pause, remove, resume


async def events(worker_context, *kinds):
    """The events of these kinds, the oldest first."""

    async def read(db):
        await settle(db)
        return (await read_events(db, None, most=1000, kinds=kinds or None)).events

    return await worker_context.operator.connection.run(read, is_one_statement=True)


async def test_a_run_of_a_job_is_told_from_its_start_to_its_end(worker_context):
    scheduler = await open_run(worker_context)
    await scheduler.watch_runs()
    await finish_front_page(worker_context)
    await scheduler.watch_runs()

    told = await events(worker_context)
    kinds = [event.kind for event in told if not event.kind.startswith("source.")]
    assert kinds == [
        "job.status",  # created
        "job.status",  # running
        "run.started",
        "job.progress",
        "run.ended",
        "job.completed",
        "job.status",  # scheduled again
    ]
    job = await worker_context.job()
    created, running, again = (event.payload for event in told if event.kind == "job.status")
    assert (created["status"], created["previous_status"]) == ("scheduled", None)
    assert (running["status"], running["previous_status"]) == ("running", "scheduled")
    assert (again["status"], again["next_run_at"]) == ("scheduled", job.next_run_at.isoformat())
    [completed] = (event for event in told if event.kind == "job.completed")
    assert completed.subject_id == completed.payload["job_id"] == str(job.public_id)
    assert (completed.payload["status"], completed.payload["execution_number"]) == ("completed", 1)
    [progress] = (event.payload for event in told if event.kind == "job.progress")
    assert (progress["items_done"], progress["items_waiting"]) == (0, 1)


async def test_what_an_operator_does_to_a_job_is_told(worker_context):
    await worker_context.watch()
    await worker_context.follow()
    job_id = (await worker_context.job()).job_id
    await worker_context.run(lambda db: pause(db, job_id))
    await worker_context.run(lambda db: resume(db, job_id))
    await worker_context.run(lambda db: cancel(db, job_id))
    await worker_context.run(lambda db: remove(db, job_id))

    told = await events(worker_context, "job.status", "job.deleted")
    assert [event.payload.get("status") for event in told] == [
        "scheduled",
        "paused",
        "scheduled",
        "cancelled",
        None,
    ]
    assert told[-1].kind == "job.deleted"


async def test_a_change_that_is_undone_leaves_no_event(worker_context):
    await worker_context.watch()
    await worker_context.follow()
    job_id = (await worker_context.job()).job_id

    async def pause_twice(db):
        await pause(db, job_id)
        await pause(db, job_id)

    with pytest.raises(Conflict):
        await worker_context.run(pause_twice)

    told = await events(worker_context, "job.status")
    assert [event.payload["status"] for event in told] == ["scheduled"]


async def test_a_cancelled_run_is_told_twice(worker_context):
    scheduler = await open_run(worker_context)
    job_id = (await worker_context.job()).job_id
    await worker_context.run(lambda db: cancel(db, job_id, "enough"))
    await scheduler.watch_runs()

    told = await events(worker_context, "run.cancelling", "run.ended")
    assert [(event.kind, event.payload["cancel_reason"]) for event in told] == [
        ("run.cancelling", "enough"),
        ("run.ended", "enough"),
    ]


async def test_the_scheduler_says_when_it_has_written(worker_context):
    scheduler = await open_run(worker_context)
    told = []
    scheduler._written = lambda: told.append(1)

    await scheduler.watch_runs()
    first = len(told)
    await scheduler.watch_runs()
    quiet = len(told)
    await finish_front_page(worker_context)
    await scheduler.watch_runs()

    assert (first, quiet, len(told)) == (1, 1, 2)
