"""Three Redis servers: a minority that is down, slow or empty changes nothing, a majority does."""

import asyncio
import time

import pytest
from tests.support.coordination import Fleet

from outrider.coordination.lock import Lock
from outrider.coordination.redis_store import PREFIX, RedisLockStore
from outrider.coordination.retries import ONCE
from outrider.errors import Unavailable
from outrider.redis.connect import connect


async def keys_on(fleet: Fleet) -> list[int]:
    """How many locks each server has."""
    found = []
    for server in fleet.servers:
        async with connect(server.options) as client:
            found.append(len(await client.keys(PREFIX + "*")))
    return found


async def test_a_lock_is_on_every_server_and_released_from_every_one(redlock_fleet: Fleet):
    async with redlock_fleet.member() as member:
        held = await Lock(member.store, "x").acquire()
        assert held is not None
        assert await keys_on(redlock_fleet) == [1, 1, 1]

        await held.release()

        assert await keys_on(redlock_fleet) == [0, 0, 0]


async def test_a_lock_on_a_minority_is_none_and_is_given_back(redlock_fleet: Fleet):
    async with redlock_fleet.member() as member:
        for server in redlock_fleet.servers[:2]:
            store = RedisLockStore(server.options)
            await store.try_acquire("x", "another", 30.0)
            await store.close()

        assert await Lock(member.store, "x", retries=ONCE).acquire() is None
        assert await keys_on(redlock_fleet) == [1, 1, 0]


async def test_with_a_minority_down_locks_go_on(redlock_fleet: Fleet):
    redlock_fleet.servers[0].stop()
    async with redlock_fleet.member() as first, redlock_fleet.member() as second:
        held = await Lock(first.store, "x").acquire()

        assert held is not None
        assert await held.extend()
        assert await Lock(second.store, "x", retries=ONCE).acquire() is None
        assert await held.release()


async def test_with_a_majority_down_nothing_is_granted_and_the_sentence_says_why(redlock_fleet: Fleet):
    async with redlock_fleet.member() as member:
        for server in redlock_fleet.servers[1:]:
            server.stop()

        with pytest.raises(Unavailable, match="2 of 3 Redis servers did not answer, and 2 must agree"):
            await Lock(member.store, "x", retries=ONCE).acquire()
        redlock_fleet.servers[1].start()

        assert await Lock(member.store, "x", retries=ONCE).acquire() is not None, "the minority was released"


async def test_a_frozen_server_costs_no_more_than_its_own_timeout(redlock_fleet: Fleet):
    async with redlock_fleet.member() as member:
        await member.store.release("x", "warms the connections up")
        with redlock_fleet.servers[0].frozen():
            held = await Lock(member.store, "x", retries=ONCE).acquire()
            assert held is not None
            assert await held.extend()

        assert held.is_valid(time.monotonic() + 25.0)
        assert await held.extend(), "answers of the time before are not taken for those of today"


async def test_a_restarted_server_gets_the_lock_again_with_the_next_extension(redlock_fleet: Fleet):
    """Without it two restarts during one leadership would let another process have a majority."""
    async with redlock_fleet.member() as member, redlock_fleet.member() as second:
        held = await Lock(member.store, "x").acquire()
        assert held is not None
        for server in redlock_fleet.servers:
            server.stop()
            server.start()
            assert await held.extend()

        assert await keys_on(redlock_fleet) == [1, 1, 1]
        assert await Lock(second.store, "x", retries=ONCE).acquire() is None


async def test_a_majority_that_came_back_empty_ends_the_lock(redlock_fleet: Fleet):
    async with redlock_fleet.member() as member:
        held = await Lock(member.store, "x").acquire()
        assert held is not None
        for server in redlock_fleet.servers[:2]:
            server.stop()
            server.start()

        assert not await held.extend()


async def test_an_answer_that_comes_after_the_lifetime_grants_nothing(redlock_fleet: Fleet):
    lifetime_s = 0.05
    async with redlock_fleet.member() as member:
        with redlock_fleet.servers[0].frozen():  # the two others agree at once, this one takes half a second
            assert await Lock(member.store, "x", ttl_s=lifetime_s, retries=ONCE).acquire() is None


async def test_candidates_that_split_the_servers_do_not_block_each_other_for_ever(redlock_fleet: Fleet):
    async with redlock_fleet.member() as one, redlock_fleet.member() as two, redlock_fleet.member() as three:
        for number in range(5):
            locks = [Lock(member.store, f"x{number}") for member in (one, two, three)]
            winners = [held for held in await asyncio.gather(*(lock.acquire() for lock in locks)) if held]

            assert len(winners) == 1
