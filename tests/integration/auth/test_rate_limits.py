"""A window of a minute slides and is atomic; the same in PostgreSQL and in Redis."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import asyncpg
import pytest
from tests.support.auth import AuthServer
from tests.support.redis_server import RedisServer

from outrider.auth.memory_rate_limits import RateLimitsWithFallback
from outrider.auth.metrics import AuthMetrics
from outrider.auth.model import ANONYMOUS, Principal, ProvenBy, Role
from outrider.auth.open_stores import open_rate_limits, open_sessions
from outrider.auth.options import AuthOptions
from outrider.auth.postgres_rate_limits import PostgresRateLimits
from outrider.auth.rate_limits import RateLimitStore, limits_for, take
from outrider.auth.redis_rate_limits import PREFIX, RedisRateLimits
from outrider.auth.redis_sessions import RedisSessions
from outrider.auth.sessions import PostgresSessions
from outrider.errors import TooManyRequests
from outrider.redis.connect import connect
from outrider.redis.options import RedisOptions

ADMIN = Principal(Role.ADMIN, ProvenBy.JWT, 7, "ann")


@dataclass
class Store:
    """A store, and how a test makes its requests older."""

    limits: RateLimitStore
    age: Callable[[str, float], Awaitable[object]]
    size: Callable[[str], Awaitable[int]]


@pytest.fixture(params=["postgresql", "redis"])
async def store(request: pytest.FixtureRequest, pool: asyncpg.Pool) -> AsyncIterator[Store]:
    if request.param == "postgresql":

        async def age_rows(key: str, seconds: float) -> None:
            older = "ARRAY(SELECT hit - make_interval(secs => $2) FROM unnest(hits) AS hit)"
            await pool.execute(f"UPDATE rate_window SET hits = {older} WHERE key = $1", key, seconds)

        async def size_of_row(key: str) -> int:
            return await pool.fetchval("SELECT cardinality(hits) FROM rate_window WHERE key = $1", key) or 0

        yield Store(PostgresRateLimits(), age_rows, size_of_row)
        return
    redis: RedisServer = request.getfixturevalue("redis_server")
    async with connect(redis.options) as client:

        async def age_members(key: str, seconds: float) -> None:
            for member in await client.zrange(PREFIX + key, 0, -1):
                await client.zincrby(PREFIX + key, -seconds * 1_000_000, member)

        async def size_of_set(key: str) -> int:
            return await client.zcard(PREFIX + key)

        limits = RedisRateLimits(redis.options)
        yield Store(limits, age_members, size_of_set)
        await limits.close()


async def test_a_full_window_refuses_until_the_oldest_request_leaves_it(db: asyncpg.Connection, store: Store):
    states = [await store.limits.hit(db, "a", 3) for _ in range(5)]

    assert [state.is_allowed for state in states] == [True, True, True, False, False]
    assert [state.hits for state in states] == [1, 2, 3, 3, 3]
    assert 50 < states[-1].reset_s <= 60
    assert (await store.limits.hit(db, "b", 3)).is_allowed

    await store.age("a", 40)
    waiting = await store.limits.hit(db, "a", 3)
    assert not waiting.is_allowed
    assert 10 < waiting.reset_s <= 20
    await store.age("a", 20)
    assert (await store.limits.hit(db, "a", 3)).hits == 1


async def test_the_window_slides_and_does_not_begin_anew_each_minute(db: asyncpg.Connection, store: Store):
    await store.limits.hit(db, "a", 3)
    await store.age("a", 50)
    await store.limits.hit(db, "a", 3)
    await store.limits.hit(db, "a", 3)
    assert not (await store.limits.hit(db, "a", 3)).is_allowed

    await store.age("a", 15)  # only the first request leaves

    assert (await store.limits.hit(db, "a", 3)).is_allowed
    assert not (await store.limits.hit(db, "a", 3)).is_allowed


async def test_requests_at_the_same_time_do_not_exceed_the_limit(pool: asyncpg.Pool, store: Store):
    async def hit(_: int) -> bool:
        async with pool.acquire() as db:
            return (await store.limits.hit(db, "a", 10)).is_allowed

    assert sum(await asyncio.gather(*map(hit, range(40)))) == 10


async def test_a_flood_takes_bounded_room(db: asyncpg.Connection, store: Store):
    for _ in range(50):
        await store.limits.hit(db, "a", 5)
    await store.age("a", 61)
    await store.limits.hit(db, "a", 5)

    assert await store.size("a") == 1


async def test_the_stricter_limit_applies_and_a_refused_request_counts_nowhere(
    db: asyncpg.Connection, store: Store
):
    metrics, options = AuthMetrics(), AuthOptions(admin_limit=8, seed_limit=3)
    with_seeds = limits_for(ADMIN, None, options, adds_seeds=True)
    for left in (2, 1, 0):
        allowed = await take(db, store.limits, with_seeds, metrics)
        assert (allowed.remaining, allowed.limit) == (left, 3)
    for _ in range(4):
        with pytest.raises(TooManyRequests, match="more than 3 requests"):
            await take(db, store.limits, with_seeds, metrics)

    others = limits_for(ADMIN, None, options)
    for left in (4, 3, 2, 1, 0):
        assert (await take(db, store.limits, others, metrics)).remaining == left
    with pytest.raises(TooManyRequests) as refused:
        await take(db, store.limits, others, metrics)
    assert 1 <= refused.value.retry_after_s <= 60
    assert metrics.registry.get_sample_value("outrider_rate_limited_total", {"limit": "seeds"}) == 4
    assert metrics.registry.get_sample_value("outrider_rate_limited_total", {"limit": "admin"}) == 1


@pytest.mark.parametrize(
    ("principal", "limit"), [(ANONYMOUS, 10), (Principal(Role.USER, ProvenBy.JWT, 8), 100)]
)
async def test_each_role_has_its_limit(
    db: asyncpg.Connection, store: Store, principal: Principal, limit: int
):
    limits = limits_for(principal, "192.0.2.1", AuthOptions())
    for _ in range(limit):
        await take(db, store.limits, limits, AuthMetrics())

    with pytest.raises(TooManyRequests):
        await take(db, store.limits, limits, AuthMetrics())
    neighbour = limits_for(ANONYMOUS, "192.0.2.2", AuthOptions())
    assert await take(db, store.limits, neighbour, AuthMetrics())


async def test_a_service_of_ours_has_no_limit(db: asyncpg.Connection, store: Store):
    limits = limits_for(Principal(Role.SERVICE, ProvenBy.SERVICE_SECRET), None, AuthOptions())

    assert await take(db, store.limits, limits, AuthMetrics()) is None


async def test_a_window_in_redis_expires(db: asyncpg.Connection, redis_server: RedisServer):
    limits = RedisRateLimits(redis_server.options)
    await limits.hit(db, "a", 5)
    async with connect(redis_server.options) as client:
        assert 50 < await client.ttl(PREFIX + "a") <= 60
    await limits.close()


async def test_without_redis_each_process_counts_alone_and_comes_back(
    db: asyncpg.Connection, redis_server: RedisServer
):
    metrics = AuthMetrics()
    limits = RateLimitsWithFallback(RedisRateLimits(redis_server.options), metrics)
    assert (await limits.hit(db, "a", 2)).hits == 1
    redis_server.stop()

    assert [(await limits.hit(db, "a", 2)).is_allowed for _ in range(3)] == [True, True, False]
    assert metrics.registry.get_sample_value("outrider_rate_limit_fallbacks_total") == 3

    redis_server.start()
    assert (await limits.hit(db, "a", 2)).hits == 1
    await limits.close()


async def test_without_the_table_each_process_counts_alone(db: asyncpg.Connection, server: AuthServer):
    limits = RateLimitsWithFallback(PostgresRateLimits(), server.metrics)
    await db.execute("ALTER TABLE rate_window RENAME TO elsewhere")

    assert [(await limits.hit(db, "a", 1)).is_allowed for _ in range(2)] == [True, False]
    assert server.counted("outrider_rate_limit_fallbacks_total") == 2


async def test_settings_choose_the_stores(redis_server: RedisServer):
    shared = RedisOptions(address=redis_server.options.address, sessions=True, rate_limits=True)
    metrics = AuthMetrics()
    in_redis = (open_sessions(shared), open_rate_limits(shared, metrics))

    assert isinstance(in_redis[0], RedisSessions)
    assert isinstance(in_redis[1]._shared, RedisRateLimits)
    assert isinstance(open_sessions(RedisOptions()), PostgresSessions)
    assert isinstance(open_rate_limits(RedisOptions(), metrics)._shared, PostgresRateLimits)
    for each in in_redis:
        await each.close()
