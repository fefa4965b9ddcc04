"""Lanes take the steps of a visit together, on either event loop."""

import asyncio

import pytest
import uvloop

from outrider.crawl.in_step import in_step

LOOPS = [asyncio.new_event_loop, uvloop.new_event_loop]


@pytest.mark.parametrize("loop_factory", LOOPS)
def test_each_lane_does_a_step_before_any_does_the_next(loop_factory):
    done = []

    async def lane(name):
        for step in (1, 2, 3):
            await in_step()
            done.append((step, name))

    async def both():
        await asyncio.gather(lane("a"), lane("b"))

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(both())

    assert done == [(step, name) for step in (1, 2, 3) for name in "ab"]


@pytest.mark.parametrize("loop_factory", LOOPS)
def test_a_lane_can_be_cancelled_between_two_steps(loop_factory):
    async def steps():
        while True:
            await in_step()

    async def cancel():
        lane = asyncio.create_task(steps())
        await asyncio.sleep(0)
        lane.cancel()
        with pytest.raises(asyncio.CancelledError):
            await lane

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(cancel())
