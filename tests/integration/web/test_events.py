"""`GET /api/v1/events`: the events of the streams for clients that poll."""

import pytest
from tests.support.event_log import prune, settle, write

from outrider.events.log import current_position

EVENTS = "/api/v1/events"


@pytest.fixture
async def db(pool):
    async with pool.acquire() as connection:
        yield connection


async def test_a_client_that_polls_sees_every_event_once(api, db):
    first = (await api.get(EVENTS)).json()
    await write(db, *(f"{number}" for number in range(7)), kind="job.status")
    await settle(db)

    seen, after, more = [], first["next"], True
    while more:
        answer = (await api.get(f"{EVENTS}?after={after}&limit=3")).json()
        seen += answer["items"]
        after, more = answer["next"], answer["more"]
    last = (await api.get(f"{EVENTS}?after={after}")).json()

    assert (first["items"], first["reset"]) == ([], False)
    assert [each["data"]["subject_id"] for each in seen] == [f"{number}" for number in range(7)]
    assert {each["type"] for each in seen} == {"job:status"}
    assert seen[-1]["position"] == after == str(await current_position(db))
    assert last["items"] == []


async def test_only_the_types_that_are_asked_for(api, db):
    after = (await api.get(EVENTS)).json()["next"]
    await write(db, "one", kind="job.status")
    await write(db, "two", kind="run.ended")
    newest = await write(db, "three", kind="host.blocked")
    await settle(db)

    answer = (await api.get(f"{EVENTS}?after={after}&types=run:ended&types=job:status")).json()

    assert [each["data"]["subject_id"] for each in answer["items"]] == ["one", "two"]
    assert answer["next"] == str(newest)


async def test_a_position_that_is_not_kept_is_a_reset(api, db):
    lost = await write(db, "lost")
    await write(db, *(f"{number}" for number in range(10)))
    await prune(db, most_kept=3)

    answer = (await api.get(f"{EVENTS}?after={lost}")).json()

    assert (answer["items"], answer["reset"]) == ([], True)
    assert answer["next"] == str(await current_position(db))


async def test_it_needs_a_user(api):
    assert (await api.get(EVENTS, role="anonymous")).status_code == 401


@pytest.mark.parametrize(
    ("query", "status"),
    [("after=x", 400), ("types=job.status", 400), ("limit=0", 422), ("limit=5000", 422), ("since=1", 400)],
)
async def test_bad_input_is_refused(api, query, status):
    answer = await api.get(f"{EVENTS}?{query}")

    assert answer.status_code == status
    assert answer.json()["error"]
