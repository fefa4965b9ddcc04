"""Streams of the logs of runs and jobs: replay, then live, each line once."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from tests.support.run_log_lines import logged_runs
from tests.support.streams import Follower, following, serving, soon

from outrider.app import log_archive_of
from outrider.redis.connect import connect
from outrider.run_logs.redis_stream import copy_once
from outrider.web.streams.streams import streams_of


@pytest.fixture
async def runs(database):
    async with logged_runs(database) as made:
        yield made


@pytest.fixture
async def server(pool, tmp_path):
    async with serving(pool, data=tmp_path) as running:
        yield running


@pytest.fixture
def objects(server):
    return log_archive_of(server.context.settings)


def messages(follower: Follower) -> list[str]:
    return [each.data["message"] for each in follower.events("log:line")]


def has(message):
    return lambda follower: message in messages(follower)


async def test_the_last_lines_come_first_then_new_ones(server, runs):
    run = await runs.run()
    await runs.say(run, *(f"{number}" for number in range(300)))

    async with following(f"{server.address}/api/v1/runs/{run.run_id}/log/stream") as client:
        await client.until(has("299"))
        await runs.say(run, "new")
        await client.until(has("new"))

    assert messages(client) == [*(f"{number}" for number in range(100, 300)), "new"]
    assert client.seen[0].event == "connected"
    assert client.seen[0].id == f"{run.run_id}-101"
    assert client.last_id == f"{run.run_id}-302"
    assert client.seen[1].data["execution_id"] == str(run.public_id)


async def test_a_second_client_shares_the_reader_and_gets_the_last_lines_too(server, runs):
    run = await runs.run()
    await runs.say(run, *(f"{number}" for number in range(250)))
    url = f"{server.address}/api/v1/runs/{run.run_id}/log/stream"

    async with following(url) as first:
        await first.until(has("249"))
        async with following(url) as second:
            await second.until(has("249"))
            await runs.say(run, "new")
            await second.until(has("new"))
            await first.until(has("new"))
            assert len(streams_of(server.context).logs._open) == 1

    assert messages(second) == messages(first) == [*(f"{number}" for number in range(50, 250)), "new"]
    await soon(lambda: streams_of(server.context).logs._open == {})


@pytest.mark.parametrize("count", [150, 2_600])
async def test_a_stream_resumes_exactly(server, runs, count):
    run = await runs.run()
    for start in range(0, count, 500):
        await runs.say(run, *(f"{number}" for number in range(start, min(count, start + 500))))
    url = f"{server.address}/api/v1/runs/{run.run_id}/log/stream"

    async with following(url, last_id=f"{run.run_id}-11") as client:
        await client.until(has(f"{count - 1}"))
        await runs.say(run, "new")
        await client.until(has("new"))

    assert messages(client) == [*(f"{number}" for number in range(10, count)), "new"]


async def test_an_ended_log_ends_its_stream_and_is_not_asked_for_again(server, runs, objects, api):
    run = await runs.run()
    await runs.say(run, "one", "two")
    url = f"{server.address}/api/v1/runs/{run.run_id}/log/stream"

    async with following(url) as client:
        await client.until(has("two"))
        await runs.end(run, objects)
        await client.until(lambda client: client.events("log:ended"))
    async with following(url) as later:
        await later.until(lambda client: client.events("log:ended"))
    async with following(url, last_id=client.last_id) as again:
        await soon(lambda: again.status is not None)

    assert messages(client)[:-1] == ["run started", "one", "two"]
    assert messages(later) == messages(client)
    assert again.status == 204


async def test_a_line_that_is_gone_gets_one_reset(server, runs, objects):
    run = await runs.run()
    await runs.say(run, "one")
    await runs.end(run, objects)
    await runs.operator.run(
        lambda db: db.execute("UPDATE run SET log_object_key = NULL WHERE run_id = $1", run.run_id)
    )

    async with following(
        f"{server.address}/api/v1/runs/{run.run_id}/log/stream", f"{run.run_id}-1"
    ) as client:
        await client.until(lambda client: client.events("log:ended"))

    assert [each.event for each in client.seen] == ["connected", "reset", "log:ended"]


@pytest.mark.parametrize("version", ["stream", "stream/v2"])
async def test_the_stream_of_a_job_goes_on_with_its_next_run(server, runs, objects, version):
    number, job = await runs.job()
    async with following(f"{server.address}/api/v1/jobs/{job}/logs/{version}") as client:
        await client.until(lambda client: client.events("connected"))
        first = await runs.run_of_job(number, 1)
        await runs.say(first, "first")
        await client.until(has("first"))
        await runs.end(first, objects)
        second = await runs.run_of_job(number, 2)
        await runs.say(second, "second")
        await client.until(has("second"))
    async with following(
        f"{server.address}/api/v1/jobs/{number}/logs/{version}", f"{first.run_id}-2"
    ) as again:
        await again.until(has("second"))

    lines = client.events("log:line")
    assert [line.data["message"] for line in lines if line.data["category"] == "fetch"] == ["first", "second"]
    executions = [line.data["execution_id"] for line in lines if line.data["category"] == "fetch"]
    assert executions == [str(first.public_id), str(second.public_id)]
    assert [each.id for each in again.events("log:line")] == [
        each.id for each in lines if each.id > f"{first.run_id}-2"
    ]


@pytest.mark.parametrize("version", ["stream", "stream/v2"])
async def test_the_stream_of_a_job_begins_with_the_last_lines_of_its_newest_run(
    server, runs, objects, version
):
    number, job = await runs.job()
    first = await runs.run_of_job(number, 1)
    await runs.say(first, "of the first run")
    await runs.end(first, objects)
    newest = await runs.run_of_job(number, 2)
    await runs.say(newest, *(f"{number}" for number in range(250)))
    url = f"{server.address}/api/v1/jobs/{job}/logs/{version}"

    async with following(url) as client:
        await client.until(has("249"))
    async with following(f"{url}?after={newest.run_id}-21") as earlier:
        await earlier.until(has("249"))

    assert messages(client) == [f"{number}" for number in range(50, 250)]
    assert messages(earlier) == [f"{number}" for number in range(20, 250)]
    assert all(line.id for line in client.events("log:line"))


async def test_a_position_of_a_run_that_the_job_has_no_more_gets_one_reset(server, runs):
    number, job = await runs.job()
    run = await runs.run_of_job(number, 1)
    await runs.say(run, "line")

    async with following(f"{server.address}/api/v1/jobs/{job}/logs/stream/v2", "999999-7") as client:
        await client.until(has("line"))

    assert [each.event for each in client.seen[:2]] == ["connected", "reset"]
    assert len(client.events("reset")) == 1


async def test_new_lines_come_from_redis_where_it_is_configured(pool, runs, redis_server, tmp_path):
    options = redis_server.options
    settings = {"redis_address": str(options.address), "redis_run_logs": True, "data": tmp_path}
    number, job = await runs.job()
    run = await runs.run_of_job(number, 1)
    await runs.say(run, "old")
    path = f"/api/v1/jobs/{job}/logs/stream/v2"
    async with serving(pool, **settings) as server, following(server.address + path) as client:
        await client.until(has("old"))
        async with connect(options) as redis:
            await soon(lambda: _is_reading(redis))
        for place in range(20):
            await runs.say(run, f"{place}")
            await copy_once(runs.operator.connection, options, run.run_id)
        await client.until(has("19"))

    assert messages(client) == ["run started", "old", *(f"{place}" for place in range(20))]


async def _is_reading(redis) -> bool:
    return any(client["cmd"] == "xread" for client in await redis.client_list())


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/runs/99/log/stream", 404),
        ("/api/v1/runs/nonsense/log/stream", 400),
        ("/api/v1/jobs/99/logs/stream", 404),
        ("/api/v1/jobs/2b7e1516-28ae-4d2a-abf7-158809cf4f3c/logs/stream/v2", 404),
        ("/api/v1/jobs/99/logs/stream?after=1.2", 400),
    ],
)
async def test_what_does_not_exist_is_refused_before_the_stream(api, path, status):
    answer = await api.get(path)

    assert answer.status_code == status
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "path", ["/api/v1/runs/1/log/stream", "/api/v1/jobs/1/logs/stream", "/api/v1/jobs/1/logs/stream/v2"]
)
async def test_a_log_needs_a_user(api, path):
    assert (await api.get(path, role="anonymous")).status_code == 401


async def test_many_clients_of_many_runs_each_get_their_lines(server, runs):
    made = [await runs.run(f"http://site{number}.test/") for number in range(5)]
    clients = []
    async with asyncio.timeout(60):
        async with AsyncExitStack() as held:
            for run in made * 4:
                url = f"{server.address}/api/v1/runs/{run.run_id}/log/stream"
                clients.append((run, await held.enter_async_context(following(url))))
            for _, client in clients:
                await client.until(lambda client: client.events("connected"))
            for number in range(10):
                for run in made:
                    await runs.say(run, f"{run.run_id}.{number}")
            for run, client in clients:
                await client.until(has(f"{run.run_id}.9"))

    for run, client in clients:
        assert messages(client)[1:] == [f"{run.run_id}.{number}" for number in range(10)]
