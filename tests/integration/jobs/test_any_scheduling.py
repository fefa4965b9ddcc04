"""Random actions, crashes and a moving clock with two schedulers on the database, compared with a model.

The model knows only the tables of JOB-03 and JOB-05. A trigger records every transition that is committed.
"""

import random

import pytest
from tests.support.job_runs import settle_waiting

from outrider.errors import Conflict
from outrider.jobs import operate
from outrider.jobs.model import Interval, JobStatus, Unit
from outrider.jobs.store import JobStore

STEPS, JOBS = 200, 3
MOVES = {
    "pending": "scheduled running cancelled",
    "scheduled": "running paused cancelled pending",
    "running": "completed failed scheduled cancelled",
    "completed": "scheduled",
    "failed": "pending",
    "paused": "scheduled cancelled",
    "cancelled": "",
}
VALID = {
    "pause": "scheduled",
    "resume": "paused",
    "cancel": "scheduled running paused pending",
    "retry": "failed",
    "force_run": "scheduled",
}
RECORD = """
  CREATE TABLE moved (was text, became text);
  CREATE FUNCTION record_move() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO moved VALUES (old.status, new.status); RETURN NULL; END $$;
  CREATE TRIGGER record_move AFTER UPDATE ON job FOR EACH ROW WHEN (old.status <> new.status)
    EXECUTE FUNCTION record_move();
"""
PASS_TIME = """
  UPDATE job
     SET next_run_at = next_run_at - $1::float8 * interval '1 minute',
         slot_at = slot_at - $1::float8 * interval '1 minute',
         backoff_until = backoff_until - $1::float8 * interval '1 minute',
         started_at = started_at - $1::float8 * interval '1 minute',
         lock_acquired_at = lock_acquired_at - $1::float8 * interval '1 minute'
"""
PASS_TIME_OF_RUNS = """
  UPDATE run
     SET started_at = started_at - $1::float8 * interval '1 minute',
         cancel_at = cancel_at - $1::float8 * interval '1 minute'
   WHERE status = 'running'
"""
BROKEN = """
  SELECT j.job_id, j.status::text, j.lock_token, j.runs, r.rows, r.highest, r.open
    FROM job j
    CROSS JOIN LATERAL (
      SELECT count(*) AS rows, coalesce(max(execution_number), 0) AS highest,
             count(*) FILTER (WHERE status = 'running') AS open
        FROM run WHERE run.job_id = j.job_id
    ) r
   WHERE r.rows <> j.runs OR r.highest <> j.runs OR r.open <> (j.lock_token IS NOT NULL)::int
      OR (j.status = 'running' AND j.lock_token IS NULL)
      OR (j.lock_token IS NOT NULL AND j.status NOT IN ('running', 'cancelled'))
"""
MISCOUNTED = """
  SELECT r.run_id
    FROM run r
   WHERE r.status = 'running'
     AND (SELECT coalesce(sum(value) FILTER (WHERE name = 'added'), 0)
                 - coalesce(sum(value) FILTER (WHERE name = 'settled'), 0)
            FROM run_counter c WHERE c.run_id = r.run_id)
         <> (SELECT count(*) FROM url u WHERE u.run_id = r.run_id AND u.next_fetch_at IS NOT NULL)
"""


class Walk:
    """A source with three jobs at a time, two schedulers and an operator."""

    def __init__(self, rooms, dice):
        self.rooms, self.dice = rooms, dice
        self.room = rooms[0]
        self.schedulers = []
        self.job_ids = []

    async def begin(self):
        self.source = await self.room.watch(mode="spider")
        await self.room.execute(RECORD)
        for room in self.rooms:
            scheduler = room.scheduler()
            await scheduler.register()
            self.schedulers.append(scheduler)
        for _ in range(JOBS):
            await self.add_job()

    async def add_job(self):
        every = self.dice.choice([None, Interval(5, Unit.MINUTES), Interval(6, Unit.HOURS)])
        job = await self.room.run(lambda db: operate.add(db, self.source, every))
        self.job_ids.append(job.job_id)
        retries = operate.JobChanges(max_retries=self.dice.randint(0, 1))
        await self.room.run(lambda db: operate.edit(db, job.job_id, retries))

    async def status(self, job_id) -> str:
        found = await self.room.run(lambda db: JobStore().locked(db, job_id))
        return found.job.status.value

    async def replace_ended(self):
        """A job that has ended makes room for a new one."""
        for job_id in list(self.job_ids):
            if await self.status(job_id) in (JobStatus.CANCELLED, JobStatus.COMPLETED):
                self.job_ids.remove(job_id)
                await self.add_job()

    async def time_passes(self):
        minutes = self.dice.choice([0.5, 2.0, 6.0, 6.0, 62.0, 400.0])
        await self.room.execute(PASS_TIME, minutes)
        await self.room.execute(PASS_TIME_OF_RUNS, minutes)

    async def operator_acts(self):
        action = self.dice.choice(sorted(VALID))
        if action == "cancel" and self.dice.random() < 0.5:
            return
        room, job_id = self.dice.choice(self.rooms), self.dice.choice(self.job_ids)
        status = await self.status(job_id)

        async def act(db):
            return await getattr(operate, action)(db, job_id)

        if status in VALID[action].split():
            await room.run(act)
        else:
            with pytest.raises(Conflict, match=f"the job is {status}"):
                await room.run(act)

    async def scheduler_works(self):
        scheduler = self.dice.choice(self.schedulers)
        passes = [scheduler.take_over, scheduler.renew, scheduler.watch_runs, scheduler.start_due]
        for each in self.dice.sample(passes, self.dice.randint(1, 3)):
            await each()

    async def scheduler_crashes(self):
        at = self.dice.randrange(2)
        self.schedulers[at] = self.rooms[at].scheduler()
        await self.schedulers[at].register()

    async def worker_works(self):
        dies = self.dice.random() < 0.4
        await settle_waiting(
            self.room, **({"status": 404, "reason": "not_found", "retry_in_s": None} if dies else {})
        )

    async def check(self):
        assert [dict(row) for row in await self.room.run(lambda db: db.fetch(BROKEN))] == []
        assert [dict(row) for row in await self.room.run(lambda db: db.fetch(MISCOUNTED))] == []

    async def bring_to_an_end(self):
        """Whatever happened, one scheduler that goes on working ends every run."""
        last = self.schedulers[0]
        for _ in range(3):
            await self.room.execute(PASS_TIME, 6.0)
            await self.room.execute(PASS_TIME_OF_RUNS, 62.0)
            await last.take_over()
            await last.watch_runs()
        left = "SELECT count(*) FROM job WHERE lock_token IS NOT NULL OR status = 'running'"
        assert await self.room.run(lambda db: db.fetchval(left)) == 0
        left = "SELECT count(*) FROM run WHERE status = 'running'"
        assert await self.room.run(lambda db: db.fetchval(left)) == 0


@pytest.mark.timeout(180)
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_no_history_commits_a_forbidden_transition(worker_context, other_worker_context, seed):
    walk = Walk([worker_context, other_worker_context], random.Random(seed))
    await walk.begin()
    for _ in range(STEPS):
        step = walk.dice.choices(
            [
                walk.time_passes,
                walk.operator_acts,
                walk.scheduler_works,
                walk.scheduler_crashes,
                walk.worker_works,
            ],
            [4, 5, 6, 1, 3],
        )[0]
        await step()
        await walk.check()
        await walk.replace_ended()
    await walk.bring_to_an_end()
    await walk.check()

    rows = await worker_context.run(lambda db: db.fetch("SELECT DISTINCT was, became FROM moved"))
    moves = {(row["was"], row["became"]) for row in rows}
    assert [move for move in moves if move[1] not in MOVES[move[0]].split()] == []
    assert len(moves) >= 5, f"the walk saw little: {sorted(moves)}"
