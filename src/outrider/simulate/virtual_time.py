"""Virtual time, which passes only while no task can run: the clock, and the event loop that moves it.

The real crawler runs on this loop unchanged. A sleep takes no real time, and the order of events does not
depend on real time: the loop reads an answer of the database only when no other task can run, and runs work
for threads and processes synchronously.
"""

import asyncio
import selectors
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

Ready = list[tuple[selectors.SelectorKey, int]]


class VirtualClock:
    """A clock that counts seconds after its start."""

    def __init__(self, start: datetime) -> None:
        self.start = start
        self.elapsed_s = 0.0

    def now(self) -> datetime:
        return self.at(self.elapsed_s)

    def at(self, elapsed_s: float) -> datetime:
        return self.start + timedelta(seconds=elapsed_s)

    def monotonic(self) -> float:
        return self.elapsed_s


class _Jumps(selectors.DefaultSelector):
    """Jumps to the next timer instead of waiting for it; waits only for real I/O."""

    def __init__(self, clock: VirtualClock) -> None:
        super().__init__()
        self.clock = clock
        self.outside = 0  # pending operations that need real I/O

    def select(self, timeout: float | None = None) -> Ready:
        if timeout is not None and timeout <= 0:
            return []
        if self.outside:
            return super().select(None)
        if timeout is None:
            raise RuntimeError("all tasks wait, and no timer is set")
        self.clock.elapsed_s += timeout
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """`asyncio.Runner(loop_factory=lambda: VirtualLoop(clock))`."""

    def __init__(self, clock: VirtualClock) -> None:
        self._jumps = _Jumps(clock)
        super().__init__(self._jumps)
        self._clock_resolution = 1e-6  # coarser than a float of a year's seconds can be

    def time(self) -> float:
        return self._jumps.clock.elapsed_s

    @contextmanager
    def outside(self) -> Iterator[None]:
        """Stop virtual time during real I/O."""
        self._jumps.outside += 1
        try:
            yield
        finally:
            self._jumps.outside -= 1

    def run_in_executor(  # type: ignore[override]
        self, executor: object, func: Callable[..., Any], *args: Any
    ) -> "asyncio.Future[Any]":
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done


@contextmanager
def steady_time(clock: VirtualClock) -> Iterator[None]:
    """Make `time.monotonic()`, which the crawler uses for its pauses, return the virtual time."""
    real = time.monotonic
    time.monotonic = clock.monotonic
    try:
        yield
    finally:
        time.monotonic = real
