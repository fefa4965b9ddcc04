"""A session works until it expires, is ended, or its user changes; the same in PostgreSQL and Redis."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import asyncpg
import pytest
from tests.support.auth import OPERATOR, PASSWORD, AuthServer, acting_as
from tests.support.redis_server import RedisServer

from outrider.auth.audit import Actor
from outrider.auth.authenticator import Credentials
from outrider.auth.model import Principal, ProvenBy, Role
from outrider.auth.redis_sessions import PREFIX, RedisSessions
from outrider.errors import Unauthenticated, Unavailable
from outrider.redis.connect import connect
from outrider.services.users.changes import (
    change_own_password,
    change_role,
    disable_user,
    enable_user,
    remove_user,
    set_password,
    sign_out_everywhere,
)
from outrider.services.users.sign_in import sign_out

Change = Callable[[asyncpg.Connection, AuthServer], Awaitable[object]]


async def principal_of(db: asyncpg.Connection, server: AuthServer, cookie: str) -> Principal:
    return await server.authenticator.principal(db, Credentials(session=cookie))


async def test_a_session_leads_to_its_user(db: asyncpg.Connection, each_server: AuthServer):
    ann = await each_server.user(db, "ann", Role.ADMIN)
    signed_in = await each_server.sign_in(db, "ANN")

    found = await principal_of(db, each_server, signed_in.session_cookie)

    assert found == Principal(Role.ADMIN, ProvenBy.SESSION, ann.user_id, "ann", signed_in.session_id)
    assert found.session_id != signed_in.session_cookie


@pytest.mark.parametrize("cookie", ["", "x", "x" * 10_000, "é\ud800", "\x00"])
async def test_a_cookie_that_is_no_session_is_refused(
    db: asyncpg.Connection, each_server: AuthServer, cookie: str
):
    with pytest.raises(Unauthenticated, match="sign in"):
        await principal_of(db, each_server, cookie)


async def test_the_id_of_a_session_is_no_cookie(db: asyncpg.Connection, each_server: AuthServer):
    await each_server.user(db, "ann")
    signed_in = await each_server.sign_in(db, "ann")

    with pytest.raises(Unauthenticated):
        await principal_of(db, each_server, signed_in.session_id)


async def test_logging_out_ends_this_session_at_once_and_no_other(
    db: asyncpg.Connection, each_server: AuthServer
):
    await each_server.user(db, "ann")
    first, second = [await each_server.sign_in(db, "ann") for _ in range(2)]
    principal = await principal_of(db, each_server, first.session_cookie)

    await sign_out(db, each_server.tools, Actor(principal), datetime.now(UTC))

    with pytest.raises(Unauthenticated):
        await principal_of(db, each_server, first.session_cookie)
    assert (await principal_of(db, each_server, second.session_cookie)).name == "ann"


CHANGES: dict[str, Change] = {
    "disabled": lambda db, server: disable_user(db, OPERATOR, "ann"),
    "another role": lambda db, server: change_role(db, OPERATOR, "ann", Role.ADMIN),
    "another password": lambda db, server: set_password(
        db, OPERATOR, "ann", "another password", server.tools.passwords
    ),
    "deleted": lambda db, server: remove_user(db, OPERATOR, "ann"),
    "signed out everywhere": lambda db, server: sign_out_everywhere(db, OPERATOR, "ann"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
async def test_a_change_of_the_user_ends_sessions_and_jwts_at_once(
    db: asyncpg.Connection, pool: asyncpg.Pool, each_server: AuthServer, change: Change
):
    await each_server.user(db, "ann")
    await each_server.user(db, "bob")
    ann, bob = [await each_server.sign_in(db, name) for name in ("ann", "bob")]
    bearer = Credentials(bearer=ann.token)
    assert (await each_server.authenticator.principal(db, bearer)).name == "ann"
    assert (await principal_of(db, each_server, ann.session_cookie)).name == "ann"

    async with pool.acquire() as another_process:
        await change(another_process, AuthServer())  # type: ignore[arg-type]

    with pytest.raises(Unauthenticated):
        await principal_of(db, each_server, ann.session_cookie)
    with pytest.raises(Unauthenticated):
        await each_server.authenticator.principal(db, bearer)
    assert (await principal_of(db, each_server, bob.session_cookie)).name == "bob"


async def test_enabling_a_user_brings_no_session_back(db: asyncpg.Connection, each_server: AuthServer):
    await each_server.user(db, "ann")
    before = await each_server.sign_in(db, "ann")
    await disable_user(db, OPERATOR, "ann")
    await enable_user(db, OPERATOR, "ann")

    with pytest.raises(Unauthenticated):
        await principal_of(db, each_server, before.session_cookie)
    after = await each_server.sign_in(db, "ann")
    assert (await principal_of(db, each_server, after.session_cookie)).name == "ann"


async def test_ones_own_password_is_changed_with_the_present_one(db: asyncpg.Connection, server: AuthServer):
    ann = await server.user(db, "ann")
    passwords = server.tools.passwords

    with pytest.raises(Unauthenticated):
        await change_own_password(db, acting_as(ann), "wrong password", "another password", passwords)
    await change_own_password(db, acting_as(ann), PASSWORD, "another password", passwords)

    assert (await server.sign_in(db, "ann", "another password")).user.name == "ann"


async def test_a_session_in_postgresql_lives_for_a_day_and_is_stored_as_a_hash(
    db: asyncpg.Connection, server: AuthServer
):
    await server.user(db, "ann")
    signed_in = await server.sign_in(db, "ann")
    (row,) = await db.fetch("SELECT *, expires_at - created_at AS life FROM user_session")

    assert row["life"].total_seconds() == 86_400
    assert signed_in.session_cookie.encode() not in row["session_hash"]

    await db.execute("UPDATE user_session SET expires_at = now()")
    with pytest.raises(Unauthenticated):
        await principal_of(db, server, signed_in.session_cookie)


async def test_a_session_in_redis_has_its_key_its_fields_and_a_day_to_live(
    db: asyncpg.Connection, redis_server: RedisServer
):
    sessions = RedisSessions(redis_server.options)
    server = AuthServer(sessions)
    ann = await server.user(db, "ann", Role.ADMIN)
    signed_in = await server.sign_in(db, "ann")
    key = f"session:{signed_in.session_id}"
    async with connect(redis_server.options) as client:
        assert await client.keys("*") == [key.encode()]
        stored = json.loads(await client.get(key))
        assert (stored["userId"], stored["role"]) == (ann.user_id, "admin")
        assert datetime.fromisoformat(stored["createdAt"]).tzinfo is not None
        assert 86_300 < await client.ttl(key) <= 86_400
        assert signed_in.session_cookie not in json.dumps(stored)

        await client.pexpire(key, 1)
        while await client.exists(key):
            pass
    with pytest.raises(Unauthenticated):
        await principal_of(db, server, signed_in.session_cookie)
    assert await db.fetchval("SELECT count(*) FROM user_session") == 0
    await sessions.close()


async def test_many_requests_at_once_share_the_connections_to_redis(
    pool: asyncpg.Pool, redis_server: RedisServer
):
    sessions = RedisSessions(redis_server.options)
    server = AuthServer(sessions)
    async with pool.acquire() as db:
        await server.user(db, "ann")
        cookie = (await server.sign_in(db, "ann")).session_cookie

    async def request(_: int) -> str:
        async with pool.acquire() as db:
            return (await principal_of(db, server, cookie)).name

    assert set(await asyncio.gather(*map(request, range(40)))) == {"ann"}
    await sessions.close()


async def test_a_strange_value_in_redis_is_no_session(db: asyncpg.Connection, redis_server: RedisServer):
    sessions = RedisSessions(redis_server.options)
    async with connect(redis_server.options) as client:
        for value in (
            "nonsense",
            "[]",
            "{}",
            '{"userId": "x", "generation": 1}',
            '{"userId": 99, "generation": 1}',
        ):
            await client.set(PREFIX + "ab" * 32, value)
            assert await sessions.find(db, "ab" * 32) is None
    await sessions.close()


async def test_without_redis_a_session_in_redis_cannot_be_judged(
    db: asyncpg.Connection, redis_server: RedisServer
):
    sessions = RedisSessions(redis_server.options)
    server = AuthServer(sessions)
    await server.user(db, "ann")
    signed_in = await server.sign_in(db, "ann")
    redis_server.stop()

    with pytest.raises(Unavailable):
        await principal_of(db, server, signed_in.session_cookie)
    assert (await server.authenticator.principal(db, Credentials(bearer=signed_in.token))).name == "ann"
    await sessions.close()
