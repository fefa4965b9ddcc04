"""The pages of runs: start a crawl, follow it, read its log, cancel it."""

import gzip

import pytest
from tests.support.scheduling import complete_run, watch

from outrider.run_logs.model import LineLevel, LogCategory, NewLine
from outrider.run_logs.store import LineBatch, RunLogStore

SEED = "http://127.0.0.1:9/"


async def start(api, **values):
    answer = await api.call("POST", "/runs", data={"urls": SEED} | values)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def test_a_crawl_is_started_by_its_form(api, pool):
    path = await start(api, depth="2", max_pages="7", exclude="/print\r\n/tag", scope="domain")

    page = (await api.get(path)).text
    policy = await pool.fetchval("SELECT policy FROM source WHERE kind = 'crawl'")
    assert (policy["max_depth"], policy["max_pages"], policy["scope"]) == (2, 7, "domain")
    assert policy["exclude"] == ["/print", "/tag"]
    assert "0 of 1 URL settled" in page
    assert f'data-stream="/api/v1{path}/log/stream"' in page
    assert path.rsplit("/")[-1] in (await api.get("/runs")).text


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"urls": "ftp://x/"}, "ftp"),
        ({"urls": "  "}, "give at least one URL"),
        ({"depth": "deep"}, "the depth is a whole number"),
        ({"urls": "\n".join(f"{SEED}{number}" for number in range(1_001))}, "at most 1,000 start URLs"),
    ],
)
async def test_a_crawl_that_cannot_be_is_refused(api, pool, values, said):
    answer = await api.call("POST", "/runs", data={"urls": SEED} | values)

    assert answer.status_code == 400
    assert said in answer.text.replace("&#39;", "'").replace("Give", "give").replace("The depth", "the depth")
    assert await pool.fetchval("SELECT count(*) FROM run") == 0


async def test_runs_are_filtered(api, operator, pool):
    await start(api)
    await watch(operator, "blatt")
    await complete_run(operator, await pool.fetchval("SELECT job_id FROM job"))

    running = (await api.get("/runs?status=running")).text
    of_blatt = (await api.get("/runs?source=blatt&started_by=schedule")).text

    assert "127.0.0.1" in running
    assert ">blatt<" not in running
    assert ">blatt<" in of_blatt
    assert "127.0.0.1" not in of_blatt
    assert "No run matches" in (await api.get("/runs?status=failed")).text
    assert (await api.get("/runs?started_by=magic")).status_code == 400
    assert (await api.get("/runs?status=magic")).status_code == 400


async def test_an_empty_list_says_what_to_do(api):
    assert 'href="/runs/new"' in (await api.get("/runs", role="admin")).text
    assert 'href="/runs/new"' not in (await api.get("/runs", role="user")).text


async def test_a_cancel_asks_with_numbers_and_then_acts(api, pool):
    path = await start(api)
    run_id = int(path.rsplit("/")[-1])

    asked = (await api.get(f"{path}/cancel", role="admin")).text
    before = await pool.fetchval("SELECT cancel_at FROM run WHERE run_id = $1", run_id)
    done = await api.call("POST", f"{path}/cancel", data={"reason": "a mistake"})

    assert "1 URL will leave the queue" in asked
    assert before is None
    assert (done.status_code, done.headers["location"]) == (303, path)
    assert await pool.fetchval("SELECT cancel_reason FROM run WHERE run_id = $1", run_id) == "a mistake"
    page = (await api.get(path, role="admin")).text
    assert "a mistake" in page
    assert f"{path}/cancel" not in page


async def test_the_log_is_shown_as_text_and_downloaded_whole(api, operator, pool):
    path = await start(api)
    run_id = int(path.rsplit("/")[-1])
    lines = [
        NewLine(number, LineLevel.INFO, LogCategory.FETCH, f"line {number} <img src=x>", {"n": "</pre>"})
        for number in range(250)
    ]
    writer = await pool.fetchval("SELECT gen_random_uuid()")
    async with pool.acquire() as db:
        await RunLogStore().begin(db, run_id)
        await RunLogStore().append(db, LineBatch(run_id, writer, 1, lines), 1_000)

    page = (await api.get(path)).text
    file = await api.get(f"{path}/log")

    assert "line 249 &lt;img src=x&gt;" in page
    assert "<img src=x>" not in page
    assert "line 10 " not in page
    assert "51 earlier lines" in page
    assert f'data-position="{run_id}-251"' in page
    assert file.headers["content-type"] == "application/gzip"
    assert gzip.decompress(file.content).count(b"\n") == 251


async def test_readers_may_look_and_not_start(api, pool):
    path = await start(api)

    page = (await api.get(path, role="user")).text
    refused = await api.call("POST", "/runs", role="user", data={"urls": "http://127.0.0.2:9/"})
    cancelled = await api.call("POST", f"{path}/cancel", role="user")

    assert "Cancel the run" not in page
    assert (refused.status_code, cancelled.status_code) == (403, 403)
    assert await pool.fetchval("SELECT count(*) FROM run WHERE cancel_at IS NULL") == 1
    assert (await api.get("/runs/new", role="user")).status_code == 403
    assert (await api.get("/runs/4711")).status_code == 404
