"""Streams of the event log: where they begin, what they resume, what they lose never."""

import socket
from contextlib import AsyncExitStack
from datetime import timedelta
from urllib.parse import urlencode

import aiohttp
import pytest
from tests.support.api import SECRETS, bearer_of, signed_api_on
from tests.support.event_log import prune, settle, write
from tests.support.streams import HEADERS, Follower, following, serving, serving_context, soon

from outrider.auth import stream_tokens
from outrider.errors import Unauthenticated
from outrider.events.listen import follow_events
from outrider.events.log import current_position, write_events
from outrider.events.record import NewEvent
from outrider.web.streams.login_checks import LoginChecks
from outrider.web.streams.streams import streams_of

CRAWLER = "/sse/crawler/events"


def has_event(name):
    return lambda follower: follower.events(name)


@pytest.fixture
async def server(pool):
    async with serving(pool) as running:
        yield running


@pytest.fixture
async def db(pool):
    async with pool.acquire() as connection:
        yield connection


def has(*subjects):
    return lambda follower: set(subjects) <= set(follower.subjects())


async def test_a_stream_begins_with_its_position_and_follows(server, db):
    async with following(server.address + CRAWLER) as client:
        await client.until(lambda client: client.events("connected"))
        await write(db, "one", "two", kind="job.status")
        await write(db, "three", kind="job.progress")
        await write(db, "four", kind="job.completed")
        await client.until(has("four"))
        async with following(f"{server.address}/api/crawler/events", last_id=client.seen[0].id) as same:
            await same.until(has("four"))

    assert [each.event for each in same.seen[1:]] == [
        "job:status", "job:status", "job:progress", "job:completed",
    ]  # fmt: skip
    connected, one, two, _, last = client.seen
    assert connected.event == "connected"
    assert connected.data["position"] == connected.id
    assert (one.event, one.data["subject_id"], two.data["subject_id"]) == ("job:status", "one", "two")
    assert client.last_id == str(await current_position(db)) == last.id


async def test_headers_forbid_buffering_and_caching(server):
    async with following(server.address + CRAWLER) as client:
        await client.until(lambda client: client.events("connected"))

    assert client.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert client.headers["X-Accel-Buffering"] == "no"
    assert "no-store" in client.headers["Cache-Control"]


@pytest.mark.parametrize("way", ["header", "parameter", "both"])
async def test_a_stream_resumes_in_the_middle(server, db, way):
    await write(db, *(f"before {number}" for number in range(5)))
    middle = str(await write(db, "middle"))
    old = str(await current_position(db))
    await write(db, *(f"after {number}" for number in range(5)))
    await settle(db)
    url = server.address + CRAWLER + {"header": "", "parameter": f"?after={middle}"}.get(way, f"?after={old}")

    async with following(url, last_id=None if way == "parameter" else middle) as client:
        await client.until(has("after 4"))
        await write(db, "live")
        await client.until(has("live"))

    assert client.subjects() == [*(f"after {number}" for number in range(5)), "live"]
    assert client.seen[0].id == middle


async def test_more_than_the_buffer_holds_is_read_from_the_database(server, db):
    start = str(await write(db, "start"))
    names = [f"{number}" for number in range(2_500)]
    for place in range(0, len(names), 500):
        await write(db, *names[place : place + 500])
    await settle(db)

    async with following(server.address + CRAWLER, last_id=start) as client:
        await client.until(has(names[-1]))
        await write(db, "live")
        await client.until(has("live"))

    assert client.subjects() == [*names, "live"]


async def test_a_slow_transaction_loses_nothing_and_doubles_nothing(server, db, pool):
    async with pool.acquire() as slow, following(server.address + CRAWLER) as client:
        await client.until(lambda client: client.events("connected"))
        transaction = slow.transaction()
        await transaction.start()
        await write(slow, "slow")
        await write(db, "quick")
        streams_of(server.context).changed()
        await transaction.commit()
        await client.until(has("slow", "quick"))

    assert client.subjects() == ["slow", "quick"]


async def test_a_position_of_a_snapshot_that_is_ahead_of_this_process_is_taken(server, db):
    async with following(server.address + CRAWLER) as first:
        await first.until(lambda client: client.events("connected"))
    position = str(await write(db, "known"))
    await settle(db)

    async with following(f"{server.address}{CRAWLER}?after={position}") as client:
        await client.until(lambda client: client.events("connected"))
        await write(db, "new")
        await client.until(has("new"))

    assert client.subjects() == ["new"]


async def test_a_position_that_is_not_kept_gets_one_reset(server, db):
    lost = str(await write(db, "lost"))
    await write(db, *(f"{number}" for number in range(10)))
    await prune(db, most_kept=3)

    async with following(server.address + CRAWLER, last_id=lost) as client:
        await client.until(lambda client: client.events("reset"))
        again = client.last_id
        await write(db, "new")
        await client.until(has("new"))

    assert [each.event for each in client.seen[:2]] == ["connected", "reset"]
    assert client.seen[0].id is None  # a client that breaks off before the reset must get it again
    assert len(client.events("reset")) == 1
    assert client.subjects() == ["new"]
    async with following(server.address + CRAWLER, last_id=again) as client:
        await client.until(has("new"))
        assert not client.events("reset")


@pytest.mark.parametrize("made_up", ["nonsense", "00000000.1.1", "same history"])
async def test_a_made_up_position_gets_one_reset(server, db, made_up):
    if made_up == "same history":
        made_up = f"{(await current_position(db)).history}.99999999999.1"

    async with following(server.address + CRAWLER, last_id=made_up) as client:
        await client.until(lambda client: client.events("reset"))
        await write(db, "new")
        await client.until(has("new"))

    assert [each.event for each in client.seen[:2]] == ["connected", "reset"]
    assert len(client.events("reset")) == 1


async def test_only_the_types_that_are_asked_for(server, db):
    async with following(f"{server.address}{CRAWLER}?types=job:status,run:ended") as client:
        await client.until(lambda client: client.events("connected"))
        await write(db, "progress", kind="job.progress")
        await write(db, "status", kind="job.status")
        await write(db, "ended", kind="run.ended")
        await client.until(has("ended"))

    assert client.subjects() == ["status", "ended"]


async def test_a_slow_client_is_dropped_alone(server, db):
    """The slow client reads nothing; the others get everything."""
    host, port = server.address.removeprefix("http://").split(":")
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect((host, int(port)))
    slow.sendall(f"GET {CRAWLER} HTTP/1.1\r\nHost: x\r\nx-test-role: user\r\n\r\n".encode())
    streams = streams_of(server.context)
    names = [f"{number}" for number in range(600)]

    async with following(server.address + CRAWLER) as one, following(server.address + CRAWLER) as other:
        await soon(lambda: streams.clients == 3)
        await one.until(lambda client: client.events("connected"))
        await other.until(lambda client: client.events("connected"))
        filler = {"filler": "x" * 15_000}
        for place in range(0, len(names), 20):
            part = names[place : place + 20]
            await write_events(db, [NewEvent("job.status", name, filler) for name in part])
            streams.changed()
            await one.until(has(part[-1]))
            await other.until(has(part[-1]))
        await soon(lambda: streams.clients == 2)

        assert one.subjects() == other.subjects() == names
    slow.close()


async def test_at_the_limit_the_answer_is_503_before_the_stream(pool, db):
    async with serving(pool, stream_clients=2) as server:
        url = server.address + CRAWLER
        async with following(url) as one, following(server.address + "/sse/health/events") as other:
            for client in (one, other):
                await client.until(lambda client: client.events("connected"))
            async with aiohttp.ClientSession(headers=HEADERS) as session, session.get(url) as refused:
                body = await refused.json()

            assert (refused.status, refused.headers["Retry-After"]) == (503, "5")
            assert body["code"] == "unavailable"
        await soon(lambda: streams_of(server.context).clients == 0)
        async with following(url) as again:
            await again.until(lambda client: client.events("connected"))


async def test_streams_of_a_user_are_not_limited(pool, db):
    """A browser gives an EventSource up after one refusal, and every page opens a stream."""
    settings = {"rate_limit_user": 1, "rate_limit_anonymous": 3}
    async with signed_api_on(pool, **settings) as api, serving_context(api.context) as server:
        uma = await bearer_of(api, "uma")
        url = server.address + CRAWLER
        async with following(url, headers=uma) as one, following(url, headers=uma) as other:
            await soon(lambda: None not in (one.status, other.status))
            assert (one.status, other.status) == (200, 200)
            me = [(await api.client.get("/api/v1/auth/me", headers=uma)).status_code for _ in range(2)]
            await write(db, "after the limit")
            await one.until(has("after the limit"))
            async with following(url, headers=uma) as late:
                await soon(lambda: late.status is not None)
        strangers = [(await api.client.get(CRAWLER)).status_code for _ in range(3)]

    assert (late.status, me) == (200, [200, 429])
    assert strangers == [401, 401, 429]  # the login was the first of three


async def sign_in_for_streams(api) -> tuple[dict[str, dict[str, str]], dict[str, str], int]:
    """Headers of Uma by the way she signs in, a parameter with a stream token, and the id of an API token."""
    uma = await bearer_of(api, "uma")
    answer = await api.client.post(
        "/api/v1/auth/login", json={"username": "uma", "password": "password of uma"}
    )
    cookie = {"Cookie": f"outrider_session={answer.cookies['outrider_session']}"}
    api.client.cookies.clear()
    made = (await api.client.post("/api/v1/tokens", json={"name": "ci"}, headers=uma)).json()
    issued = await api.client.post("/api/v1/auth/stream-token", json={"path": CRAWLER}, headers=uma)
    logins = {"jwt": uma, "cookie": cookie, "token": {"Authorization": f"Bearer {made['key']}"}}
    return logins, {"token": issued.json()["token"]}, made["token"]["token_id"]


def is_over(token: str) -> bool:
    """Whether a stream token opens nothing any more."""
    try:
        stream_tokens.read_stream_token(token, CRAWLER, SECRETS.session)
    except Unauthenticated:
        return True
    return False


async def test_open_streams_end_soon_after_their_login_is_revoked(pool, db, monkeypatch):
    monkeypatch.setattr("outrider.web.streams.login_checks.CHECK_S", 0.05)
    rounds, by_login = [], LoginChecks._by_login
    monkeypatch.setattr(LoginChecks, "_by_login", lambda self: rounds.append(1) or by_login(self))
    monkeypatch.setattr(stream_tokens, "LIFE", timedelta(seconds=3 - stream_tokens.LEEWAY_S))
    async with signed_api_on(pool) as api, serving_context(api.context) as server, AsyncExitStack() as opened:
        ada = await bearer_of(api, "ada")
        logins, parameter, token_id = await sign_in_for_streams(api)
        url, clients = server.address + CRAWLER, {}
        for name, headers in {**logins, "ada": ada}.items():
            clients[name] = await opened.enter_async_context(following(url, headers=headers))
        clients["parameter"] = await opened.enter_async_context(following(f"{url}?{urlencode(parameter)}"))
        for client in clients.values():
            await client.until(has_event("connected"))
        await soon(lambda: is_over(parameter["token"]))
        seen = len(rounds)
        await soon(lambda: len(rounds) >= seen + 2)
        await write(db, "still open")
        for client in clients.values():
            await client.until(has("still open"))

        await api.client.delete(f"/api/v1/tokens/{token_id}", headers=logins["jwt"])
        await clients["token"].until(has_event("closing"))
        assert not clients["jwt"].events("closing")
        await api.client.post("/api/v1/auth/logout", headers=logins["jwt"])
        for name in ("jwt", "parameter"):
            await clients[name].until(has_event("closing"))
        assert not clients["cookie"].events("closing")
        await api.client.patch("/api/v1/users/uma", json={"enabled": False}, headers=ada)
        await clients["cookie"].until(has_event("closing"))
        await write(db, "afterwards")
        await clients["ada"].until(has("afterwards"))

    ended = [client for name, client in clients.items() if name != "ada"]
    assert {client.seen[-1].data["reason"] for client in ended} == {"the login was revoked: sign in again"}
    assert not any("afterwards" in client.subjects() for client in ended)


async def test_a_client_that_leaves_frees_its_place(server):
    streams = streams_of(server.context)
    async with following(server.address + CRAWLER) as client:
        await client.until(lambda client: client.events("connected"))
        assert streams.clients == 1

    await soon(lambda: streams.clients == 0)


async def test_at_the_end_of_the_server_every_client_is_told(server):
    async with (
        following(server.address + CRAWLER) as one,
        following(server.address + "/sse/metrics/events") as other,
    ):
        for client in (one, other):
            await client.until(lambda client: client.events("connected"))
        await streams_of(server.context).close()

        for client in (one, other):
            await client.until(lambda client: client.events("closing"))
            assert client.seen[-1].event == "closing"
        late = Follower()
        async with aiohttp.ClientSession() as session:
            await late.follow(session, server.address + CRAWLER)
        assert late.status == 503


async def test_heartbeats_are_comments(pool):
    async with serving(pool) as server:
        streams_of(server.context)._heartbeat_s = 0.05
        async with following(server.address + CRAWLER) as client:
            await client.until(lambda client: len(client.comments) >= 2)

    assert set(client.comments) == {"heartbeat"}
    assert [each.event for each in client.seen] == ["connected"]


async def test_a_database_that_restarts_the_connections_loses_nothing(server, db):
    async with following(server.address + CRAWLER) as client:
        await client.until(lambda client: client.events("connected"))
        await db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        await write(db, "after")
        await client.until(has("after"))

    assert client.subjects() == ["after"]


@pytest.mark.parametrize(
    "path", [CRAWLER, "/sse/health/events", "/sse/metrics/events", "/api/crawler/events"]
)
async def test_a_stream_needs_a_user(api, path):
    answer = await api.get(path, role="anonymous")

    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("query", "status"),
    [("after=yesterday", 400), ("types=job:nothing", 400), ("colour=red", 400), (f"after={'1' * 300}", 422)],
)
async def test_bad_input_is_refused_before_the_stream(api, query, status):
    answer = await api.get(f"{CRAWLER}?{query}")

    assert answer.status_code == status
    assert answer.json()["error"]


async def test_states_come_at_once_and_when_they_change(server, db):
    async with (
        following(server.address + "/sse/health/events") as health,
        following(server.address + "/api/health/events") as same,
        following(server.address + "/api/metrics/events") as metrics,
    ):
        await health.until(lambda client: client.events("health:status"))
        await same.until(lambda client: client.events("health:status"))
        await metrics.until(lambda client: len(client.events("pipeline:stage")) >= 5)
        await db.execute("INSERT INTO counter (slot, source_id, name, value) VALUES (0, 1, 'pages', 7)")
        await metrics.until(
            lambda client: any(each.data["pages"] == 7 for each in client.events("metrics:update"))
        )
        async with following(server.address + "/sse/metrics/events") as later:
            await later.until(lambda client: len(client.events("pipeline:stage")) >= 5)

    counts = {each.data["stage"]: each.data["count"] for each in later.events("pipeline:stage")}
    assert counts == {"queued": 0, "fetching": 0, "fetched": 7, "stored": 0, "dead": 0}
    assert health.seen[0].event == metrics.seen[0].event == "connected"
    assert health.seen[1].data["status"] == "healthy"
    assert health.seen[1].data["checks"]["database"] == {"status": "healthy"}
    stages = {each.data["stage"] for each in metrics.events("pipeline:stage")}
    assert stages == {"queued", "fetching", "fetched", "stored", "dead"}


async def test_a_request_to_one_server_reaches_the_clients_of_another_soon(pool, monkeypatch):
    """The request itself notifies the other server, which does not poll."""
    monkeypatch.setitem(follow_events.__kwdefaults__, "poll_s", 600.0)
    async with serving(pool) as one, serving(pool) as other, following(other.address + CRAWLER) as client:
        await client.until(lambda client: client.events("connected"))
        async with aiohttp.ClientSession(headers={"x-test-role": "admin"}) as session:
            block = {"state": "blocked", "reason": "a trap"}
            url = f"{one.address}/api/v1/domains/trap.test"
            async with session.patch(url, json=block) as answer:
                assert answer.status == 200
        await client.until(has("trap.test"))

    assert [each.event for each in client.seen] == ["connected", "host:blocked"]


async def test_a_change_by_one_server_reaches_the_clients_of_another_soon(pool, db, monkeypatch):
    """The notification of one process wakes the other, which does not poll."""
    monkeypatch.setitem(follow_events.__kwdefaults__, "poll_s", 600.0)
    async with serving(pool) as one, serving(pool) as other, following(other.address + CRAWLER) as client:
        await client.until(lambda client: client.events("connected"))
        await write(db, "there")
        streams_of(one.context).changed()
        await client.until(has("there"))
    assert client.subjects() == ["there"]
