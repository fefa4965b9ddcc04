"""A snapshot says where its stream has to begin, and nothing falls between the two."""

import asyncio

import pytest

from outrider.events.log import read_events
from outrider.events.position import Position
from outrider.web.answers import POSITION_HEADER
from outrider.web.api_reference import description

LISTS = [
    "/api/v1/jobs",
    "/api/v1/jobs/{job}/executions",
    "/api/v1/runs",
    "/api/v1/sources",
    "/api/v1/domains",
]
OTHERS = [
    "/api/v1/jobs/{job}",
    "/api/v1/jobs/status-counts",
    "/api/v1/sources/{source}",
    "/api/v1/sources/{source}/details",
    "/api/v1/workers",
]
WAITING = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'event_log_pruned'::regclass)"


async def add_source(api, name):
    answer = await api.post("/api/v1/sources", {"url": f"https://{name}.test/", "name": name})
    assert answer.status_code == 201, answer.text
    job = await api.post("/api/v1/jobs", {"source_id": name})
    assert job.status_code == 201, job.text
    return answer.json(), job.json()


@pytest.fixture
async def db(pool):
    async with pool.acquire() as connection:
        yield connection


@pytest.fixture
async def writer(pool):
    async with pool.acquire() as connection:
        yield connection


async def test_a_change_between_the_two_reads_is_in_the_list_or_after_its_position(api, db, writer):
    await add_source(api, "press")
    before = (await api.get("/api/v1/sources")).json()

    change = writer.transaction()
    await change.start()
    await writer.execute("LOCK TABLE event_log_pruned IN ACCESS EXCLUSIVE MODE")  # the position waits here
    asked = asyncio.create_task(api.get("/api/v1/sources"))
    while not await db.fetchval(WAITING):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await writer.execute(
        "UPDATE source SET enabled = false, disabled_at = now(), disable_reason = 'test' WHERE name = 'press'"
    )
    await writer.execute(
        "INSERT INTO source_event (event_type, source_id, public_id, payload)"
        " SELECT 'SOURCE_DISABLED', source_id, public_id, '{}' FROM source WHERE name = 'press'"
    )
    await change.commit()
    answer = (await asked).json()

    assert before["items"][0]["enabled"]
    missed = await read_events(db, Position.parse(answer["position"]))
    assert not answer["items"][0]["enabled"] or [each.kind for each in missed.events] == ["source.disabled"]


@pytest.mark.parametrize("path", LISTS)
async def test_a_list_has_its_position_in_the_body_and_in_the_header(api, path):
    source, job = await add_source(api, "press")

    answer = await api.get(path.format(job=job["id"], source=source["id"]))

    assert answer.status_code == 200, answer.text
    assert answer.json()["position"] == answer.headers[POSITION_HEADER]
    events = await api.get(f"/api/v1/events?after={answer.json()['position']}")
    assert (events.status_code, events.json()["reset"]) == (200, False)


@pytest.mark.parametrize("path", OTHERS)
async def test_one_object_has_its_position_in_the_header(api, path):
    source, job = await add_source(api, "press")

    answer = await api.get(path.format(job=job["id"], source=source["id"]))

    assert answer.status_code == 200, answer.text
    assert Position.parse(answer.headers[POSITION_HEADER])


async def test_a_list_that_is_the_same_is_not_sent_again_though_the_position_moved(api):
    await add_source(api, "press")
    first = await api.get("/api/v1/runs")
    await add_source(api, "radio")

    # The position stands still behind transactions of other tests on the same server: wait for it to move.
    async with asyncio.timeout(60):
        again = first
        while again.headers[POSITION_HEADER] == first.headers[POSITION_HEADER]:
            again = await api.get("/api/v1/runs", headers={"If-None-Match": first.headers["ETag"]})
            assert again.status_code == 304
            await asyncio.sleep(0.05)


async def test_a_page_of_the_dashboard_follows_from_the_position_before_it_was_read(api, db):
    await add_source(api, "press")

    page = await api.get("/sources")

    _, _, rest = page.text.partition('data-position="')
    missed = await read_events(db, Position.parse(rest.partition('"')[0]))
    assert missed.is_kept


def test_the_description_says_which_answers_have_one():
    positioned = {
        path
        for path, operations in description()["paths"].items()
        if POSITION_HEADER in operations.get("get", {}).get("responses", {}).get("200", {}).get("headers", {})
    }

    assert {"/api/v1/jobs", "/api/v1/jobs/{id}", "/api/v1/executions/{id}", "/api/v1/runs"} <= positioned
    assert {"/api/v1/sources", "/api/v1/domains/{domain}", "/api/v1/workers"} <= positioned
    assert "/api/v1/audit" not in positioned
