"""A lock keeps its promises on PostgreSQL, on one Redis and on three."""

import asyncio
import time

import pytest
from tests.support.coordination import Fleet

from outrider.coordination.errors import LockHeld
from outrider.coordination.lock import HeldLock, Lock
from outrider.coordination.retries import ONCE, Retries
from outrider.errors import Unavailable

SHORT_S = 0.5
PATIENT = Retries(200, 0.05)


async def taken(lock: Lock) -> HeldLock:
    held = await lock.acquire()
    assert held is not None
    return held


async def test_one_process_holds_a_lock_and_the_next_gets_it_after_its_release(fleet: Fleet):
    async with fleet.member() as first, fleet.member() as second:
        held = await taken(Lock(first.store, "x"))

        assert await Lock(second.store, "x", retries=ONCE).acquire() is None
        assert await held.release()
        assert (await taken(Lock(second.store, "x"))).is_valid(time.monotonic())


async def test_locks_with_other_names_are_free(fleet: Fleet):
    async with fleet.member() as member:
        await taken(Lock(member.store, "x"))

        assert await Lock(member.store, "y", retries=ONCE).acquire() is not None


async def test_of_many_at_once_at_most_one_gets_it(fleet: Fleet):
    async with fleet.member() as one, fleet.member() as two, fleet.member() as three:
        attempts = [Lock(member.store, "x", retries=ONCE).acquire() for member in (one, two, three) * 5]

        found = await asyncio.gather(*attempts, return_exceptions=True)  # a busy machine may time out

        assert sum(isinstance(held, HeldLock) for held in found) <= 1
        assert all(held is None or isinstance(held, HeldLock | Unavailable) for held in found)


async def test_a_lock_expires_by_itself_and_its_holder_knew_before(fleet: Fleet):
    async with fleet.member() as first, fleet.member() as second:
        held = await taken(Lock(first.store, "x", ttl_s=SHORT_S))

        await taken(Lock(second.store, "x", retries=PATIENT))

        assert not held.is_valid(time.monotonic())


async def test_an_extended_lock_outlives_its_first_lifetime(fleet: Fleet):
    async with fleet.member() as first, fleet.member() as second:
        held = await taken(Lock(first.store, "x", ttl_s=SHORT_S))
        first_end = held.ends_at
        held._ttl_s = 30.0

        assert await held.extend()
        assert held.ends_at > first_end + 20.0
        while time.monotonic() < first_end + SHORT_S:
            assert await Lock(second.store, "x", retries=ONCE).acquire() is None


async def test_only_the_holder_extends_and_releases(fleet: Fleet):
    async with fleet.member() as first, fleet.member() as second:
        late = await taken(Lock(first.store, "x", ttl_s=SHORT_S))
        held = await taken(Lock(second.store, "x", retries=PATIENT))

        assert not await late.extend()
        assert not await late.release()
        assert await held.extend()
        assert await Lock(first.store, "x", retries=ONCE).acquire() is None


async def test_an_expired_lock_is_not_extended_even_if_nobody_took_it(fleet: Fleet):
    async with fleet.member() as member:
        held = await taken(Lock(member.store, "x", ttl_s=SHORT_S))
        await taken(Lock(member.store, "clock", ttl_s=SHORT_S))
        await taken(Lock(member.store, "clock", retries=PATIENT))  # as long as the lifetime

        assert not await held.extend()
        assert not held.is_valid(time.monotonic())


async def test_a_waiting_process_gets_a_lock_that_is_released_meanwhile(fleet: Fleet):
    async with fleet.member() as first, fleet.member() as second:
        held = await taken(Lock(first.store, "x"))
        waiting = asyncio.create_task(Lock(second.store, "x", retries=PATIENT).acquire())
        await asyncio.sleep(0)

        await held.release()

        assert await waiting is not None


async def test_a_block_holds_the_lock_and_releases_it_after_an_error(fleet: Fleet):
    async def fail_in_the_block() -> None:
        async with Lock(first.store, "x").hold():
            assert await Lock(second.store, "x", retries=ONCE).acquire() is None
            raise ZeroDivisionError

    async with fleet.member() as first, fleet.member() as second:
        with pytest.raises(ZeroDivisionError):
            await fail_in_the_block()

        async with Lock(second.store, "x", retries=ONCE).hold() as held:
            assert held.is_valid(time.monotonic())


async def test_a_block_does_not_begin_while_another_process_holds_the_lock(fleet: Fleet):
    async with fleet.member() as first, fleet.member() as second:
        await taken(Lock(first.store, "x"))

        with pytest.raises(LockHeld, match="another process holds the lock 'x'"):
            await Lock(second.store, "x", retries=ONCE).hold().__aenter__()


async def test_an_acquisition_whose_answer_got_lost_is_repeated_with_success(fleet: Fleet):
    async with fleet.member() as member:
        await member.store.try_acquire("x", "token", 30.0)

        assert await member.store.try_acquire("x", "token", 30.0) is not None
        assert await member.store.try_acquire("x", "another", 30.0) is None


async def test_tokens_are_random(fleet: Fleet):
    async with fleet.member() as member:
        tokens = {(await taken(Lock(member.store, f"x{number}")))._token for number in range(20)}

        assert len(tokens) == 20
        assert all(len(token) == 32 for token in tokens)


async def test_a_lock_on_postgresql_has_a_fence_that_grows_with_each_acquisition(postgres_fleet: Fleet):
    async with postgres_fleet.member() as member:
        lock, fences = Lock(member.store, "x"), []
        for _ in range(3):
            async with lock.hold() as held:
                fences.append(held.fence)

        assert fences == [1, 2, 3]
