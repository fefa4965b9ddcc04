"""The housekeeping that one scheduler of all does: by the leader alone, and refused after its term."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import asyncpg
import pytest
from tests.support.job_runs import finish_front_page, open_run, runs_of

from outrider.backup.options import BackupOptions, DailyBackup
from outrider.coordination.errors import StaleLeader
from outrider.coordination.terms import Terms, fenced
from outrider.db.options import DatabaseOptions
from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.host_control import HostControl
from outrider.jobs.housekeeping import prune_runs
from outrider.jobs.model import PausedBy
from outrider.jobs.operate import pause
from outrider.maintenance.leader_plan import read_plan, recorded
from outrider.periodic_tasks import PeriodicTask
from outrider.redis.connect import connect
from outrider.scheduler.leader import ELECTION, duties, lead
from outrider.settings import Settings

OLD_RUN = """
  INSERT INTO run (source_id, job_id, execution_number, started_by, status, started_at, completed_at,
                   log_object_key)
  SELECT j.source_id, j.job_id, n, 'schedule', 'completed', now() - interval '90 days',
         now() - interval '90 days', 'logs/j/' || n || '.log.gz'
    FROM job j, generate_series(1, 3) AS n
"""

WAITS_FOR_A_LOCK = """
  SELECT count(*) FROM pg_stat_activity WHERE application_name = 'duties' AND wait_event_type = 'Lock'
"""


async def _three_old_runs(worker_context, folder: Path) -> None:
    await worker_context.watch()
    await worker_context.follow()
    await worker_context.execute(OLD_RUN)
    (folder / "logs" / "j").mkdir(parents=True)
    for number in (1, 2, 3):
        (folder / "logs" / "j" / f"{number}.log.gz").write_bytes(b"log")


async def _runs(worker_context) -> int:
    return await worker_context.run(lambda db: db.fetchval("SELECT count(*) FROM run"))


def _settings(folder: Path) -> Settings:
    return Settings(database=replace(DatabaseOptions(), data_dir=folder))


def _duty(name, settings, connection, term):
    """The task of the leader with this name."""
    return next(each for each in duties(settings, connection, term) if each.name == name)


async def test_the_leader_prunes_runs_and_their_logs(worker_context, database, tmp_path):
    await _three_old_runs(worker_context, tmp_path)
    leading = [asyncio.create_task(lead(_settings(tmp_path), database)) for _ in range(2)]
    try:
        async with asyncio.timeout(30):
            while await _runs(worker_context) > 1:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            while len(list((tmp_path / "logs" / "j").iterdir())) > 1:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        leaders = await worker_context.run(lambda db: db.fetchval("SELECT max(fence) FROM leader"))
    finally:
        for task in leading:
            task.cancel()
        await asyncio.gather(*leading, return_exceptions=True)

    assert leaders == 1, "one of the two leads"
    assert [file.name for file in (tmp_path / "logs" / "j").iterdir()] == ["3.log.gz"]


async def test_a_leader_whose_term_is_over_prunes_nothing(worker_context, tmp_path):
    await _three_old_runs(worker_context, tmp_path)
    connection = worker_context.operator.connection
    terms = Terms(connection, ELECTION)
    old = await terms.begin(0, "first")
    await terms.begin(1, "second")

    async def check(db) -> None:
        await fenced(db, old)

    with pytest.raises(StaleLeader):
        await prune_runs(connection, check, lambda key: None)
    prune = _duty("prune runs", _settings(tmp_path), connection, old)
    with pytest.raises(StaleLeader):
        await prune.run()

    assert await _runs(worker_context) == 3


async def test_the_leader_makes_missing_jobs(worker_context, tmp_path):
    await worker_context.watch()
    connection = worker_context.operator.connection
    term = await Terms(connection, ELECTION).begin(0, "first")

    repair = _duty("make missing jobs", _settings(tmp_path), connection, term)
    await repair.run()

    job = await worker_context.job()
    assert job.auto_managed
    first_run_in = job.next_run_at - job.created_at
    assert first_run_in == timedelta(minutes=5), "the first run comes as soon as for any new source"


async def test_the_leader_resumes_what_a_source_paused_and_nothing_that_an_operator_paused(
    worker_context, tmp_path
):
    """A scheduler that starts leads, and repairs jobs at once and every hour."""
    for name in ("left", "held"):
        await worker_context.watch(name)
    await worker_context.follow()
    left, held = await worker_context.jobs()
    for job in (left, held):
        await worker_context.run(lambda db, job=job: pause(db, job.job_id))
    await worker_context.execute("UPDATE job SET paused_by = 'source' WHERE job_id = $1", left.job_id)
    connection = worker_context.operator.connection
    term = await Terms(connection, ELECTION).begin(0, "first")

    await _duty("make missing jobs", _settings(tmp_path), connection, term).run()

    after = {job.job_id: job.paused_by for job in await worker_context.jobs()}
    assert after == {left.job_id: None, held.job_id: PausedBy.OPERATOR}


async def test_the_leader_that_repairs_jobs_keeps_no_source_locked(worker_context, database, tmp_path):
    """The repair of the second source waits here; the job of the first one can be changed meanwhile."""
    for name in ("first", "second"):
        await worker_context.watch(name)
    await worker_context.follow()
    term = await Terms(worker_context.operator.connection, ELECTION).begin(0, "first")
    work = ReconnectingConnection(database, application_name="duties")
    other = await asyncpg.connect(database)
    try:
        async with other.transaction():
            await other.execute("SELECT FROM source WHERE name = 'second' FOR UPDATE")
            repairing = asyncio.create_task(_duty("make missing jobs", _settings(tmp_path), work, term).run())
            async with asyncio.timeout(30):
                while not await worker_context.run(lambda db: db.fetchval(WAITS_FOR_A_LOCK)):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            [free] = await worker_context.run(
                lambda db: db.fetch(
                    "SELECT s.name FROM source s JOIN job j USING (source_id) FOR UPDATE SKIP LOCKED"
                )
            )
        await repairing
    finally:
        await other.close()
        await work.close()

    assert free["name"] == "first"


async def test_a_page_of_a_blocked_host_keeps_no_run_open(worker_context, tmp_path):
    """Its run would end an hour later as one that took too long, and its job would count a failure."""
    scheduler = await open_run(worker_context)
    operator, source = worker_context.operator, await worker_context.source()
    [run] = await runs_of(worker_context)
    await operator.queue("https://shut.test/a", source_id=source.source_id, run_id=run["run_id"])
    await operator.run(lambda db: HostControl().block(db, "shut.test", "a complaint", 1000))
    await finish_front_page(worker_context)
    assert await scheduler.watch_runs() == 1
    term = await Terms(operator.connection, ELECTION).begin(0, "first")

    await _duty("leave blocked hosts", _settings(tmp_path), operator.connection, term).run()

    assert await scheduler.watch_runs() == 0
    [run] = await runs_of(worker_context)
    assert (run["status"], run["items_crawled"]) == ("completed", 0)
    assert await operator.state("https://shut.test/a") == "pending", "it waits for the end of the block"


@pytest.mark.parametrize(("daily", "found"), [(DailyBackup.ON, ["backup"]), (DailyBackup.OFF, [])])
async def test_the_leader_looks_for_missing_daily_backups(worker_context, tmp_path, daily, found):
    await worker_context.execute("UPDATE schema_migration SET applied_at = now() - interval '3 days'")
    settings = replace(_settings(tmp_path), backup=BackupOptions(daily=daily))
    term = await Terms(worker_context.operator.connection, ELECTION).begin(0, "first")

    await _duty("check alerts", settings, worker_context.operator.connection, term).run()

    held = await worker_context.run(lambda db: db.fetch("SELECT kind FROM alert"))
    assert [row["kind"] for row in held] == found


@pytest.mark.parametrize(("is_told", "pages"), [(True, b"7"), (False, None)])
async def test_the_leader_writes_the_totals_to_redis_if_it_is_told_to(
    worker_context, tmp_path, redis_server, is_told, pages
):
    await worker_context.execute("INSERT INTO counter VALUES (1, 1, 'pages', 7)")
    connection = worker_context.operator.connection
    term = await Terms(connection, ELECTION).begin(0, "first")
    settings = replace(_settings(tmp_path), redis=replace(redis_server.options, totals=is_told))

    await _duty("sample figures", settings, connection, term).run()

    async with connect(redis_server.options) as redis:
        assert await redis.get("crawler:stats:pages_crawled") == pages


async def test_the_leader_writes_down_when_each_task_ran_and_runs_again(worker_context, database, tmp_path):
    leading = asyncio.create_task(lead(_settings(tmp_path), database))
    try:
        async with asyncio.timeout(30):
            while len(await worker_context.run(read_plan)) < 5:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    finally:
        leading.cancel()
        await asyncio.wait([leading])
    plan = {each.name: each for each in await worker_context.run(read_plan)}

    prune = plan["prune runs"]
    assert (prune.every_s, prune.runs, prune.last_error) == (3600.0, 1, None)
    assert prune.next_run_at - prune.last_ended_at == timedelta(hours=1)
    assert prune.last_started_at <= prune.last_ended_at
    assert plan["sample figures"].next_run_at < prune.next_run_at


async def test_a_task_that_fails_is_written_down_with_its_error(worker_context, database):
    term = await Terms(worker_context.operator.connection, ELECTION).begin(0, "first")

    async def fail() -> None:
        raise RuntimeError("the disk is full")

    sweep = PeriodicTask("sweep", 60.0, fail)
    task = recorded(sweep, worker_context.operator.connection, partial(fenced, term=term))
    for _ in range(2):
        with pytest.raises(RuntimeError):
            await task.run()

    [kept] = await worker_context.run(read_plan)
    assert (kept.name, kept.runs, kept.last_error) == ("sweep", 2, "the disk is full")


async def test_a_process_that_does_not_lead_any_more_writes_no_plan(worker_context, database):
    terms = Terms(worker_context.operator.connection, ELECTION)
    old = await terms.begin(0, "first")
    await terms.begin(old.fence, "second")

    async def nothing() -> None:
        return None

    task = recorded(
        PeriodicTask("sweep", 60.0, nothing), worker_context.operator.connection, partial(fenced, term=old)
    )
    with pytest.raises(StaleLeader):
        await task.run()

    assert await worker_context.run(read_plan) == []
