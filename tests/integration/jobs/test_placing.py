"""Slots from jobs that the database counts: the same as from the jobs one by one, for one and for many."""

import random
from datetime import timedelta

import pytest

from outrider.jobs.model import Interval, Unit
from outrider.jobs.operate import JobChanges, add, edit, pause, resume
from outrider.jobs.placing import SlotChooser
from outrider.jobs.slot_times import start_of
from outrider.jobs.slots import DAY_SLOTS, SlotMap, place
from outrider.jobs.store import JobStore
from outrider.services.transaction import one_transaction

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
INTERVALS = [None, *(number * MINUTE for number in (1, 14, 15, 20, 30, 38, 60, 90, 360, 1440, 2000, 10_080))]
EVERY = [
    (1, "minutes"),
    (14, "minutes"),
    (38, "minutes"),
    (1, "hours"),
    (6, "hours"),
    (1, "days"),
    (9, "days"),
]


async def add_random_jobs(db, dice, number):
    """Jobs of any interval, state and time, early and late, some with an adaptive interval."""
    for _ in range(number):
        name = f"s{dice.random()}"
        source_id = await db.fetchval(
            "INSERT INTO source (name, kind, mode, url) VALUES ($1, 'watch', 'spider', 'https://a.test/')"
            " RETURNING source_id",
            name,
        )
        count, unit = dice.choice([(None, "minutes"), *EVERY])
        status = dice.choice(["pending", "scheduled", "scheduled", "scheduled", "paused", "completed"])
        at = timedelta(seconds=dice.uniform(-2 * 86_400, dice.choice([3_600, 86_400, 400 * 86_400])))
        await db.execute(
            "INSERT INTO job (source_id, status, schedule_enabled, interval_count, interval_type,"
            " next_run_at, slot_at, adaptive_scheduling, paused_at, paused_by)"
            " SELECT $1, $2::text::job_status, $3::int IS NOT NULL, $3, $4,"
            " CASE WHEN $2 <> 'paused' THEN now() + $5::interval END,"
            " CASE WHEN $6 THEN now() + $5::interval - interval '7 minutes' END, $7,"
            " CASE WHEN $2 = 'paused' THEN now() END, CASE WHEN $2 = 'paused' THEN 'operator' END",
            *(source_id, status, count, unit, at, dice.random() < 0.5, dice.random() < 0.5),
        )
        if dice.random() < 0.4:
            await db.execute(
                "INSERT INTO adaptive_state VALUES ($1, 'hash', now(), 3, $2)",
                source_id,
                timedelta(minutes=dice.choice([5, 40, 61, 480, 1440, 1500])),
            )


@pytest.mark.parametrize("seed", range(6))
async def test_the_database_counts_jobs_as_the_slot_map_does(worker_context, seed):
    """BAL-13, BAL-14."""
    dice = random.Random(seed)
    await worker_context.run(lambda db: add_random_jobs(db, dice, 120))

    async def both(db):
        async with db.transaction():
            now = await JobStore().now(db)
            return now, await JobStore().slot_map(db, now), await JobStore().slot_entries(db)

    now, counted, entries = await worker_context.run(both)
    one_by_one = SlotMap(entries, now)

    slots = range(counted._first - 10, counted._first + 4 * DAY_SLOTS)
    assert [counted.load(slot) for slot in slots] == [one_by_one.load(slot) for slot in slots]
    assert counted._rare.sum() == one_by_one._rare.sum()
    assert [counted.place(each) for each in INTERVALS] == [one_by_one.place(each) for each in INTERVALS]


@pytest.mark.parametrize("seed", range(3))
async def test_a_job_is_placed_as_if_it_did_not_exist(worker_context, seed):
    """BAL-03."""
    dice = random.Random(seed)
    await worker_context.run(lambda db: add_random_jobs(db, dice, 60))

    async def compare(db):
        async with db.transaction():
            now, entries = await JobStore().now(db), await JobStore().slot_entries(db)
            for job in await JobStore().all_locked(db, [entry.job_id for entry in entries]):
                others = [entry for entry in entries if entry.job_id != job.job_id]
                wanted = dice.choice(INTERVALS)
                assert await SlotChooser().choose(db, wanted, now, job) == place(others, wanted, now)

    await worker_context.run(compare)


async def paused_jobs(worker_context, number):
    """Jobs of all intervals on a schedule that is full already; they are paused."""
    dice = random.Random(number)
    source = await worker_context.watch()

    async def make(db):
        await add_random_jobs(db, dice, 40)
        jobs = [await add(db, source, Interval(*_unit(dice.choice(EVERY)))) for _ in range(number)]
        return [await pause(db, job.job_id) for job in jobs]

    return await worker_context.run(make)


def _unit(every):
    return every[0], Unit(every[1])


async def test_many_jobs_are_placed_from_one_look_at_the_schedule(worker_context):
    """The batch reads the schedule once, and each job gets the slot that it would have got alone."""
    jobs = await paused_jobs(worker_context, 25)
    queries = []

    async def slots_of(db, choosers):
        async with one_transaction(db, dry_run=True):
            done = [
                await resume(db, job.job_id, slots=slots) for job, slots in zip(jobs, choosers, strict=True)
            ]
            done += [
                await edit(db, job.job_id, JobChanges(every=Interval(5, Unit.HOURS)), slots=slots)
                for job, slots in zip(jobs[:10], choosers, strict=False)
            ]
            return [job.slot_at for job in done]

    async def measure(db):
        async with db.transaction():  # one time for all, so that no slot begins between two of them
            alone = await slots_of(db, [SlotChooser() for _ in jobs])
            with db.query_logger(lambda record: queries.append(record.query)):
                batch = await slots_of(db, [SlotChooser.for_batch()] * len(jobs))
        return alone, batch

    alone, batch = await worker_context.run(measure)

    assert batch == alone
    assert len(set(batch)) > 1
    assert queries.count(JobStore()._sql.slot_rhythms) == 1


async def test_a_batch_reads_the_schedule_again_when_its_slot_has_begun(worker_context):
    """No job of a long batch is placed in a slot that is past."""
    jobs = SlotChooser.for_batch()

    async def choose(db):
        boundary = start_of(2_000_000)
        before = await jobs.choose(db, DAY, boundary - timedelta(seconds=1))
        return before, await jobs.choose(db, DAY, boundary + timedelta(seconds=1)), boundary

    before, after, boundary = await worker_context.run(choose)

    assert before == boundary
    assert after == boundary + 15 * MINUTE


async def test_without_balancing_a_rhythm_starts_now(worker_context):
    """BAL-12."""
    now = await worker_context.now()
    slots = SlotChooser.for_batch(is_balanced=False)

    assert await worker_context.run(lambda db: slots.choose(db, DAY, now)) == now
