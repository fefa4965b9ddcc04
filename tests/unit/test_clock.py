"""Time as the loops have it."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import uvloop

from outrider.clock import PUNCTUAL_S, sleep_until


@pytest.mark.parametrize("run", [uvloop.run, asyncio.run], ids=["uvloop", "asyncio"])
def test_a_sleeper_is_not_woken_before_its_time(run: Callable[[Coroutine[Any, Any, None]], None]):
    async def sleep() -> None:
        for nth in range(40):
            moment = time.monotonic() + 0.002 + nth / 10_000
            await sleep_until(moment)
            assert time.monotonic() >= moment - PUNCTUAL_S

    run(sleep())


def test_a_moment_that_is_over_takes_no_time():
    uvloop.run(sleep_until(time.monotonic() - 1.0))
