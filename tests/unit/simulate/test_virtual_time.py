"""Time that jumps: sleeps cost nothing, end in order, and stand still while the outside world is asked."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest

from outrider.simulate.virtual_time import VirtualClock, VirtualLoop, steady_time

MONDAY = datetime(2026, 1, 5, tzinfo=UTC)


def run(work: Callable[[VirtualLoop], Awaitable[object]]) -> VirtualClock:
    clock = VirtualClock(MONDAY)
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(clock)) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, VirtualLoop)

        async def on_it() -> None:
            await work(loop)

        runner.run(on_it())
    return clock


def test_a_year_of_sleep_takes_no_time():
    began = time.monotonic()

    clock = run(lambda loop: asyncio.sleep(365 * 86_400))

    assert clock.now() == MONDAY + timedelta(days=365)
    assert time.monotonic() - began < 60


def test_sleepers_wake_in_the_order_of_their_times():
    woken: list[tuple[int, float]] = []

    async def sleepers(loop: VirtualLoop) -> None:
        async def sleeper(seconds: int) -> None:
            await asyncio.sleep(seconds)
            woken.append((seconds, loop.time()))

        await asyncio.gather(*(sleeper(seconds) for seconds in (50, 3, 700, 1)))

    run(sleepers)

    assert woken == [(1, 1.0), (3, 3.0), (50, 50.0), (700, 700.0)]


def test_time_stands_still_while_the_outside_world_is_asked():
    async def ask(loop: VirtualLoop) -> None:
        reading, writing = os.pipe()
        answered = loop.create_future()
        loop.add_reader(reading, lambda: answered.done() or answered.set_result(os.read(reading, 1)))
        sleeper = asyncio.create_task(asyncio.sleep(10))
        with loop.outside():
            loop.call_soon(os.write, writing, b"x")
            assert await answered == b"x"
            assert loop.time() == 0
        await sleeper
        loop.remove_reader(reading)
        os.close(reading)
        os.close(writing)

    assert run(ask).elapsed_s == 10


def test_work_for_threads_is_done_on_the_spot():
    async def work(loop: VirtualLoop) -> None:
        assert await asyncio.to_thread(lambda: loop.time()) == 0
        with pytest.raises(ZeroDivisionError):
            await asyncio.to_thread(lambda: 1 / 0)

    run(work)


def test_waiting_for_nothing_is_an_error_and_no_endless_wait():
    with pytest.raises(RuntimeError, match="no timer is set"):
        run(lambda loop: loop.create_future())


def test_steady_time_is_virtual_only_inside():
    clock = VirtualClock(MONDAY)
    clock.elapsed_s = 12.5

    with steady_time(clock):
        inside = time.monotonic()

    assert inside == 12.5
    assert time.monotonic() != 12.5
