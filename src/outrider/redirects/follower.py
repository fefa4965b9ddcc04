"""Keeps the table of a middleware up to date and reports what it collected, in a thread of its own.

The application never waits for it. While the database or the API is away, the last table goes on answering.
If there is none yet, the application answers everything.
"""

import asyncio
import atexit
import os
import threading
import weakref
from contextlib import suppress
from typing import Protocol

from outrider.logs import get_logger
from outrider.redirects.recorder import Recorder, WaitingReport
from outrider.redirects.serving import ServingTable

log = get_logger()

REPORT_S = 1.0
FIRST_WAIT_S = 0.2
LONGEST_WAIT_S = 5.0
STOP_PATIENCE_S = 3.0


class TableFeed(Protocol):
    """Where a table comes from, and where reports go: a database or an API."""

    async def open(self) -> None:
        """Connect."""

    async def refresh(self, table: ServingTable | None) -> ServingTable | None:
        """The table as it is now: the same one if nothing changed, None if the site is unknown."""

    async def report(self, report: WaitingReport, recorder: Recorder) -> None:
        """Send a report, and clear what was taken."""

    async def wait(self, seconds: float) -> None:
        """Return after so many seconds, or as soon as there is a change."""

    async def close(self) -> None:
        """Disconnect."""


class TableFollower:
    """The thread of one middleware. `table` is None until it is loaded for the first time."""

    def __init__(self, feed: TableFeed, recorder: Recorder, name: str) -> None:
        self.table: ServingTable | None = None
        self.error: str | None = None  # why the feed does not work at present
        self._feed, self._recorder, self._name = feed, recorder, name
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._lock = threading.Lock()
        self._loaded = threading.Event()
        self._stopping = threading.Event()
        _FOLLOWERS.add(self)

    def start(self) -> None:
        """Start the thread, once in each process."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def wait_loaded(self, seconds: float) -> bool:
        """Wait for the first table; False if it did not come in time."""
        return self._loaded.wait(seconds)

    def stop(self) -> None:
        """Report what is left, and end the thread. A feed that is away is not waited for."""
        thread = self._thread
        if thread is not None and thread.is_alive():
            self._stopping.set()
            loop, task = self._loop, self._task
            if loop is not None and task is not None:
                with suppress(RuntimeError):  # the loop has ended meanwhile
                    loop.call_soon_threadsafe(task.cancel)
            thread.join(STOP_PATIENCE_S)

    @property
    def is_started(self) -> bool:
        return self._thread is not None

    def _after_fork(self) -> None:
        """A child process has no thread yet."""
        self._thread = self._loop = self._task = None
        self._lock = threading.Lock()
        self._loaded, self._stopping = threading.Event(), threading.Event()

    def _run(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        report = WaitingReport()
        wait_s = FIRST_WAIT_S
        with suppress(asyncio.CancelledError):
            while not self._stopping.is_set():
                try:
                    await self._feed.open()
                    while not self._stopping.is_set():
                        await self._step(report)
                        wait_s = FIRST_WAIT_S
                        await self._feed.wait(REPORT_S)
                except Exception as error:
                    self._note(error)
                await self._close()
                self._recorder.collect(report)  # the queues stay small while the feed is away
                await asyncio.sleep(wait_s)
                wait_s = min(2 * wait_s, LONGEST_WAIT_S)
        await self._close()
        with suppress(Exception):
            async with asyncio.timeout(STOP_PATIENCE_S / 2):
                await self._last_report(report)
        await self._close()

    async def _step(self, report: WaitingReport) -> None:
        self.table = await self._feed.refresh(self.table)
        if self.table is not None:
            self._loaded.set()
        if self.error is not None:
            log.info("redirects are followed again", site=self._name)
            self.error = None
        if self._recorder.collect(report):
            await self._feed.report(report, self._recorder)

    async def _last_report(self, report: WaitingReport) -> None:
        if self._recorder.collect(report):
            await self._feed.open()
            await self._feed.report(report, self._recorder)

    async def _close(self) -> None:
        with suppress(Exception):
            async with asyncio.timeout(1.0):
                await self._feed.close()

    def _note(self, error: Exception) -> None:
        if self.error is None:
            log.warning("redirects cannot be followed, the last ones stay", site=self._name, error=str(error))
        self.error = f"{type(error).__name__}: {error}"


_FOLLOWERS: "weakref.WeakSet[TableFollower]" = weakref.WeakSet()


def _forked() -> None:
    for follower in list(_FOLLOWERS):
        follower._after_fork()


def stop_all() -> None:
    """End the threads of all middlewares of this process."""
    for follower in list(_FOLLOWERS):
        follower.stop()


os.register_at_fork(after_in_child=_forked)
atexit.register(stop_all)
