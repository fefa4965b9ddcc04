"""Each figure that feeds a rule, from the real tables: the condition is made and ends."""

import pytest
from tests.support.alerts import leading
from tests.support.scheduling import complete_run, fail_run, start_runs, watch
from tests.support.sites import SiteOwner

from outrider.metrics_history.sampling import sample
from outrider.services.operations.alerts import AlertFilter, list_alerts
from outrider.services.paging import PageRequest
from outrider.services.sites.content_links import save_site_field
from outrider.services.sites.sites import find_site
from outrider.services.sources.feeds import switch_feeds


@pytest.fixture
def sentences(pool):
    async def sentences() -> list[str]:
        async with pool.acquire() as db:
            found = await list_alerts(db, AlertFilter(), PageRequest())
        return [each.sentence for each in found.items]

    return sentences


async def test_an_empty_database_needs_nobody(alerts):
    assert await alerts.look() == []


async def test_work_that_waits_without_a_worker(alerts, operator, sentences):
    await alerts.run("UPDATE worker SET stopped_at = now()")
    await operator.queue("https://a.test/", "https://b.test/")
    assert await sample(operator.connection, leading)
    assert await alerts.look() == [], "a worker may be away for a moment"
    await alerts.wait(119)
    assert await alerts.look() == []
    await alerts.wait(1)
    assert await alerts.look() == ["+no_workers"]
    assert await sentences() == ["No worker runs, and 2 hosts wait for one."]

    await alerts.run("INSERT INTO worker (machine, pid) VALUES ('m', 1)")
    assert await alerts.look() == []
    await alerts.wait(300)
    await alerts.run("UPDATE worker SET beat_at = now()")
    assert await alerts.look() == ["-no_workers"]


async def test_a_worker_that_stopped_is_none(alerts, operator):
    await operator.queue("https://a.test/")
    await alerts.run("UPDATE worker SET stopped_at = now()")
    await alerts.run(
        "INSERT INTO worker (machine, pid, beat_at) VALUES ('m', 2, now() - interval '1 minute')"
    )
    await sample(operator.connection, leading)

    assert await alerts.with_options(silence_s=0.0).look() == ["+no_workers"]


async def test_answers_that_are_errors(alerts, sentences):
    await alerts.sampled("status", "2xx", 0, 100, 200, 300, 400, 500)
    await alerts.sampled("status", "4xx", 0, 10, 20, 30, 40, 50)
    await alerts.sampled("status", "5xx", 0, 20, 40, 60, 80, 100)
    assert await alerts.look() == ["+http_errors"]
    assert await sentences() == ["23% of 650 answers in the last 5 minutes were 4xx or 5xx."]

    await alerts.sampled("status", "5xx", 0, 0, 0, 0, 0, 0)
    assert await alerts.is_over() == ["-http_errors"]


async def test_the_samples_of_the_leader_are_those_that_the_rule_reads(alerts, operator, pool):
    """Counters, as workers write them, and the sampling of the leader."""
    one_minute = alerts.with_options(error_window_s=60.0, least_answers=50)
    await sample(operator.connection, leading)
    await pool.execute("UPDATE metric_sample SET at = at - interval '1 minute'")
    await pool.execute("INSERT INTO counter VALUES (1, 1, 'status.200', 60), (1, 1, 'status.503', 40)")
    await sample(operator.connection, leading)

    assert await one_minute.look() == ["+http_errors"]


async def test_a_queue_that_explodes(alerts, sentences):
    await alerts.sampled("frontier", "pending", *(int(100_000 * 1.2**minute) for minute in range(6)))
    assert await alerts.look() == ["+frontier_growth"]
    assert await sentences() == ["The queue grew from 100,000 to 248,831 URLs in 5 minutes."]

    await alerts.sampled("frontier", "pending", *[248_831] * 6)
    assert await alerts.is_over() == ["-frontier_growth"]


async def test_a_feed_that_keeps_failing(alerts, operator, pool, sentences):
    source = await watch(operator, "blatt", feed="https://blatt.test/feed.xml")
    assert await pool.execute("UPDATE channel SET errors = 9") == "UPDATE 1"
    assert await alerts.look() == []
    await pool.execute("UPDATE channel SET errors = 10, disabled_at = now(), disable_reason = 'network'")
    assert await alerts.look() == ["+feed_errors"]
    assert await sentences() == ["A feed or sitemap of blatt failed 10 times in a row."]
    [alert] = await pool.fetch("SELECT key, subject_id FROM alert")
    assert alert["key"] == f"feed_errors:source:{source.public_id}"

    await pool.execute("UPDATE channel SET errors = 0, disabled_at = NULL")
    assert await alerts.is_over() == ["-feed_errors"]


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param(
            "UPDATE source SET enabled = false, disabled_at = now(), disable_reason = 'sold'",
            id="its source is disabled",
        ),
        pytest.param("UPDATE channel SET is_candidate = true", id="it was never proven"),
        pytest.param("DELETE FROM channel", id="it was removed"),
    ],
)
async def test_a_feed_that_nobody_wants_is_no_alert(alerts, operator, pool, sql):
    await watch(operator, "blatt", feed="https://blatt.test/feed.xml")
    await pool.execute("UPDATE channel SET errors = 50")
    await pool.execute(sql)

    assert await alerts.look() == []


async def test_a_feed_that_an_operator_disabled_is_no_alert(alerts, operator, pool):
    await watch(operator, "blatt", feed="https://blatt.test/feed.xml")
    await pool.execute("UPDATE channel SET errors = 50")
    async with pool.acquire() as db:
        await switch_feeds(db, "blatt", operator.store.options, reason="we know")

    assert await alerts.look() == []


async def test_runs_of_jobs_that_fail(alerts, operator, pool, sentences):
    few = alerts.with_options(least_runs=4)
    await watch(operator, "blatt")
    job_id = await pool.fetchval("SELECT job_id FROM job")
    for _ in range(2):
        await complete_run(operator, job_id)
        await fail_run(operator, job_id)
        await pool.execute("UPDATE job SET backoff_until = NULL, status = 'scheduled', next_run_at = now()")
    assert await alerts.look() == [], "four runs say little"
    assert await few.look() == ["+job_failures"]
    assert await sentences() == ["2 of the latest 4 runs of jobs failed."]

    await pool.execute("UPDATE run SET started_at = started_at - interval '25 hours'")
    assert await few.is_over() == ["-job_failures"]


async def test_schedulers_that_die(alerts, operator, pool, sentences):
    await watch(operator, "blatt")
    await start_runs(operator)
    await pool.execute("UPDATE scheduler SET stale_locks_cleared = 7")
    assert await alerts.look() == [], "nobody knows when these were"
    await pool.execute("UPDATE scheduler SET stale_locks_cleared = 10")
    assert await alerts.look() == ["+stale_locks"]
    assert await sentences() == ["3 runs were taken over from schedulers that died, within an hour."]

    await pool.execute("UPDATE alert_level SET at = at - interval '61 minutes'")
    assert await alerts.is_over() == ["-stale_locks"]


async def test_jobs_that_all_run_at_once(alerts, operator, pool, sentences):
    await watch(operator, "blatt")
    crowd = """INSERT INTO job (source_id, status, schedule_enabled, interval_count, interval_type,
                                next_run_at, slot_at)
               SELECT source_id, 'scheduled', true, 1, 'days', now() + interval '3 hours',
                      now() + interval '3 hours'
                 FROM source, generate_series(1, 120)"""
    await pool.execute(crowd)
    assert await alerts.look() == [], "a rebalance may be under way"
    await alerts.wait(600)
    assert await alerts.look() == ["+uneven_schedule"]
    assert "spread unevenly: the distribution score is 0." in (await sentences())[0]

    await pool.execute(
        "UPDATE job SET next_run_at = now() + job_id % 24 * interval '1 hour', "
        "slot_at = now() + job_id % 24 * interval '1 hour' WHERE interval_type = 'days'"
    )
    assert await alerts.is_over() == ["-uneven_schedule"]


async def test_dead_links_that_become_more(alerts, pool, sentences):
    async with pool.acquire() as db:
        owner = await SiteOwner.register(db)
        await owner.has_pages("/")
        site = await find_site(db, owner.name)
        await save_site_field(db, site, "old", [f"/old/{n}" for n in range(5)])
        assert await alerts.look() == [], "they were there before anybody looked"
        await save_site_field(db, site, "new", [f"/new/{n}" for n in range(10)])
        assert await alerts.look() == ["+dead_links"]
        assert await sentences() == ["The site shop has 15 dead links, 10 more than within the last day."]

        await save_site_field(db, site, "new", [])
    assert await alerts.is_over() == ["-dead_links"]


async def test_dead_links_of_two_days_ago_are_no_rise(alerts, pool):
    async with pool.acquire() as db:
        owner = await SiteOwner.register(db)
        await owner.has_pages("/")
        site = await find_site(db, owner.name)
        await alerts.look()
        await save_site_field(db, site, "new", [f"/new/{n}" for n in range(10)])
    await pool.execute("UPDATE alert_level SET at = at - interval '25 hours'")

    assert await alerts.look() == []


async def test_a_backup_that_fails_and_one_that_is_missing(alerts, sentences):
    ended = "INSERT INTO maintenance_task (task, state, requested_by, started_at, ended_at, error) VALUES "
    await alerts.run(ended + "('backup', 'failed', 'schedule', now() - interval '1 minute', now(), 'full')")
    assert await alerts.look() == [], "it is tried again soon"
    await alerts.wait(1_200)
    assert await alerts.look() == ["+backup"]
    assert await sentences() == ["The last backup failed, or could not be verified."]

    await alerts.run(ended + "('backup', 'completed', 'schedule', now(), now(), NULL)")
    assert await alerts.is_over() == ["-backup"]

    await alerts.run("UPDATE maintenance_task SET started_at = started_at - interval '3 days'")
    assert await alerts.look() == []
    alerts.is_backed_up_daily = True
    await alerts.look()
    await alerts.wait(1_200)
    assert await alerts.look() == ["+backup"]
    assert (await sentences())[0] == "The newest backup is 3 days old, although one is written every day."
