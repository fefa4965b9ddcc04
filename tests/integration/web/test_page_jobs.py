"""The pages of jobs: the list, its bulk actions, one job and its form."""

import re

import pytest
from tests.support.scheduling import complete_run, fail_run, start_runs, watch

from outrider.run_logs.model import LineLevel, LogCategory, NewLine
from outrider.run_logs.store import LineBatch, RunLogStore

HOSTILE = "<script>alert(1)</script>\u202e"


@pytest.fixture
async def blatt(operator):
    return await watch(operator, "blatt", labels="press")


async def number_of(pool, name):
    return await pool.fetchval(
        "SELECT job_id FROM job JOIN source USING (source_id) WHERE source.name = $1", name
    )


async def status_of(pool, job_id):
    return await pool.fetchval("SELECT status FROM job WHERE job_id = $1", job_id)


def notice(answer):
    return answer.headers["set-cookie"]


async def test_the_list_counts_states_and_filters(api, operator, pool, blatt):
    await watch(operator, "welt")
    await api.post(f"/api/v1/jobs/{await number_of(pool, 'blatt')}/pause")

    every = (await api.get("/jobs")).text
    paused = (await api.get("/jobs?state=paused&label=press")).text
    none = (await api.get("/jobs?search=nothing+like+it")).text

    assert re.search(r"Paused <b>1</b>", every)
    assert re.search(r"Scheduled <b>1</b>", every)
    assert "blatt" in paused
    assert "welt" not in paused
    assert "No job matches" in none
    assert "There is no job yet" not in none


async def test_an_empty_list_says_what_to_do(api):
    page = (await api.get("/jobs", role="admin")).text

    assert "There is no job yet" in page
    assert 'href="/sources/new"' in page


async def test_readers_see_jobs_and_no_controls(api, pool, blatt):
    job_id = await number_of(pool, "blatt")
    for path in ("/jobs", f"/jobs/{job_id}"):
        page = await api.get(path, role="user")
        assert page.status_code == 200
        assert "blatt" in page.text
        assert "/pause" not in page.text
        assert "/jobs/bulk" not in page.text
        assert "New job" not in page.text

    refused = await api.call("POST", f"/jobs/{job_id}/pause", role="user")

    assert refused.status_code == 403
    assert await status_of(pool, job_id) == "scheduled"
    for path in ("/jobs/new", f"/jobs/{job_id}/edit", "/jobs/bulk/confirm?verb=pause&selected=1"):
        assert (await api.get(path, role="user")).status_code == 403
    assert (await api.get("/jobs", role="anonymous")).headers["location"] == "/login?next=%2Fjobs"


async def test_only_valid_actions_are_offered(api, operator, pool, blatt):
    job_id = await number_of(pool, "blatt")

    def verbs(page):
        return set(re.findall(rf'action="/jobs/{job_id}/(\w+)"', page.text))

    scheduled = await api.get(f"/jobs/{job_id}", role="admin")
    await api.call("POST", f"/jobs/{job_id}/pause")
    paused = await api.get(f"/jobs/{job_id}", role="admin")

    assert verbs(scheduled) == {"pause", "run"}
    assert verbs(paused) == {"resume"}
    assert await status_of(pool, job_id) == "paused"
    again = await api.call("POST", f"/jobs/{job_id}/pause", headers={"Referer": "http://outrider.test/jobs"})
    assert (again.status_code, again.headers["location"]) == (303, "/jobs")
    assert "The job is paused" in notice(again)


@pytest.mark.parametrize(
    ("first", "action", "status"),
    [(None, "run", "pending"), ("pause", "resume", "scheduled"), ("fail", "retry", "pending")],
)
async def test_an_action_changes_the_job(api, operator, pool, blatt, first, action, status):
    job_id = await number_of(pool, "blatt")
    if first == "fail":
        added = await api.call("POST", "/jobs", data={"source": "blatt", "max_retries": "0"})
        job_id = int(added.headers["location"].rsplit("/")[-1])
        await fail_run(operator, job_id)
    elif first:
        await api.call("POST", f"/jobs/{job_id}/{first}")

    answer = await api.call("POST", f"/jobs/{job_id}/{action}")

    assert (answer.status_code, answer.headers["location"]) == (303, f"/jobs/{job_id}")
    assert await status_of(pool, job_id) == status


async def test_a_bulk_action_asks_with_numbers_and_then_acts(api, operator, pool, blatt):
    await watch(operator, "welt")
    jobs = [await number_of(pool, name) for name in ("blatt", "welt")]
    await api.call("POST", f"/jobs/{jobs[0]}/pause")

    asked = await api.get(
        f"/jobs/bulk/confirm?verb=pause&selected={jobs[0]}&selected={jobs[1]}", role="admin"
    )

    assert "Pause: 1 job" in asked.text
    assert "1 job will stay as it is" in asked.text
    assert "the job is paused" in asked.text
    assert [await status_of(pool, job) for job in jobs] == ["paused", "scheduled"]  # nothing changed yet
    form = {"verb": "pause", "selected": [str(job) for job in jobs], "back": "/jobs?label=press"}
    done = await api.call("POST", "/jobs/bulk", data=form)
    assert (done.status_code, done.headers["location"]) == (303, "/jobs?label=press")
    assert "1 job is paused. 1 job refused" in notice(done)
    assert [await status_of(pool, job) for job in jobs] == ["paused", "paused"]


async def test_all_that_match_can_be_changed(api, operator, pool, blatt):
    await watch(operator, "welt")

    await api.call("POST", "/jobs/bulk", data={"verb": "pause", "matching": "true", "label": "press"})

    assert await status_of(pool, await number_of(pool, "blatt")) == "paused"
    assert await status_of(pool, await number_of(pool, "welt")) == "scheduled"
    for query in ("verb=pause", "verb=pause&matching=true", "verb=edit&selected=1"):
        assert (await api.get(f"/jobs/bulk/confirm?{query}", role="admin")).status_code == 400


async def test_the_way_back_never_leads_to_another_site(api, pool, blatt):
    form = {"verb": "pause", "selected": str(await number_of(pool, "blatt")), "back": "//evil.example"}

    assert (await api.call("POST", "/jobs/bulk", data=form)).headers["location"] == "/jobs"


async def test_a_job_shows_its_executions_and_its_log(api, operator, pool, blatt):
    job_id = await number_of(pool, "blatt")
    await complete_run(operator, job_id)
    run_id = await pool.fetchval("SELECT max(run_id) FROM run")
    line = NewLine(0.0, LineLevel.WARN, LogCategory.FETCH, f"got {HOSTILE}", {"url": "javascript:alert(2)"})
    async with pool.acquire() as db:
        await RunLogStore().begin(db, run_id)
        await RunLogStore().append(db, LineBatch(run_id, blatt.public_id, 1, [line]), 100)

    page = (await api.get(f"/jobs/{job_id}")).text

    assert f'href="/runs/{run_id}"' in page
    assert "got &lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page
    assert 'href="javascript:' not in page
    assert "\u202e" not in page
    assert f'data-stream="/api/v1/jobs/{job_id}/logs/stream"' in page
    assert f'href="/runs/{run_id}/log"' in page
    assert "Interval in force" in page


async def test_a_job_shows_its_schedule_and_its_adaptive_state(api, operator, pool, blatt):
    job_id = await number_of(pool, "blatt")
    await pool.execute(
        "UPDATE job SET interval_count = 30, interval_type = 'minutes', max_retries = 7 WHERE job_id = $1",
        job_id,
    )
    await fail_run(operator, job_id)
    await complete_run(operator, job_id)
    await pool.execute("DELETE FROM adaptive_state")
    await pool.execute(
        "INSERT INTO adaptive_state (source_id, last_hash, last_change_at, unchanged_count, current_interval)"
        " VALUES ($1, 'same', now(), 3, interval '4 hours')",
        blatt.source_id,
    )

    page = (await api.get(f"/jobs/{job_id}")).text

    assert "Runs every 30 minutes." in page
    assert "of 7 used" in page
    assert "<dt>Interval in force</dt><dd>4 hours</dd>" in page
    assert "<dt>Unchanged</dt><dd>3 runs in a row</dd>" in page
    assert "1 failed run of 2" in page
    assert "50 %" in page


async def test_a_job_that_runs_can_be_cancelled_and_not_removed(api, operator, pool, blatt):
    job_id = await number_of(pool, "blatt")
    scheduler = await start_runs(operator, job_id)

    page = (await api.get(f"/jobs/{job_id}", role="admin")).text
    await scheduler.stop()

    assert "verb=cancel" in page
    assert "verb=remove" not in page


async def test_a_job_is_added_and_edited_by_its_form(api, pool, blatt):
    added = await api.call("POST", "/jobs", data={"source": "blatt", "every": "6", "unit": "hours"})
    path = added.headers["location"]
    form = (await api.get(f"{path}/edit", role="admin")).text
    edited = await api.call(
        "POST", f"{path}/edit", data={"every": "2", "unit": "days", "priority": "70", "max_retries": "0"}
    )

    assert re.search(r'name="every"[^>]*value="6"', form)
    assert edited.headers["location"] == path
    row = await pool.fetchrow("SELECT * FROM job WHERE job_id = $1", int(path.rsplit("/")[-1]))
    assert (row["interval_count"], row["interval_type"], row["priority"]) == (2, "days", 70)
    assert (row["max_retries"], row["adaptive_scheduling"]) == (0, False)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"every": "soon"}, "the interval is a whole number"),
        ({"priority": "101"}, "the priority is a whole number from 0 to 100"),
        ({"source": "nobody"}, "nobody"),
    ],
)
async def test_a_wrong_value_is_said_on_the_form(api, pool, blatt, values, said):
    answer = await api.call(
        "POST",
        "/jobs",
        data={"source": "blatt", "every": "6"} | values,
        headers={"Referer": "http://outrider.test/jobs/new"},
    )

    assert (answer.status_code, answer.headers["location"]) == (303, "/jobs/new")
    assert said.lower() in notice(answer).lower()
    assert await pool.fetchval("SELECT count(*) FROM job") == 1


async def test_an_unknown_job_is_an_error_page(api):
    answer = await api.get("/jobs/4711")

    assert answer.status_code == 404
    assert "<h1>" in answer.text


async def test_a_job_of_a_disabled_source_offers_no_run_and_says_why(api, pool, operator, blatt):
    job_id = await number_of(pool, "blatt")
    await start_runs(operator)
    await fail_run(operator, job_id)
    await pool.execute("UPDATE job SET status = 'failed' WHERE job_id = $1", job_id)
    before = (await api.get(f"/jobs/{job_id}", role="admin")).text
    await api.call("POST", f"/sources/{blatt.source_id}/disable", data={"reason": "a test"})
    page, jobs = [(await api.get(path, role="admin")).text for path in (f"/jobs/{job_id}", "/jobs")]

    assert f"/jobs/{job_id}/retry" in before
    assert "source is disabled" not in before
    for shown in (page, jobs):
        assert f"/jobs/{job_id}/retry" not in shown
        assert f"/jobs/{job_id}/run" not in shown
        assert "source is disabled" in shown
