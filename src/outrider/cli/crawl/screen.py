"""The live screen of a crawl on a terminal."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.live import Live

from outrider.cli.crawl.panels import ScreenState, picture
from outrider.cli.crawl.snapshot_history import SnapshotHistory
from outrider.crawl.seeds import StartedCrawl
from outrider.services.crawl.session import Task
from outrider.workers.snapshot import Snapshot

REFRESH_S = 0.25

Draw = Callable[[ScreenState, int, int], RenderableType]  # for a terminal so wide and so high


class Screen:
    """Redraws itself after a change, at most four times a second; removed at the end of the crawl."""

    def __init__(self, task: Task, console: Console, draw: Draw = picture) -> None:
        self._task = task
        self._picture_of = draw
        self._console = console
        self._history = SnapshotHistory()
        self._last: Snapshot | None = None
        self._start: StartedCrawl | None = None
        self._draining = False
        self._silent = False
        self._drawn_at = 0.0
        self._size = console.size
        self._live = Live(console=console, auto_refresh=False, transient=True, vertical_overflow="crop")

    def begin(self, start: StartedCrawl) -> None:
        self._start = start

    def show(self, snapshot: Snapshot) -> None:
        self._history.add(snapshot)
        self._last = snapshot
        self._silent = False
        if time.monotonic() - self._drawn_at >= REFRESH_S * 0.9:
            self._draw()

    def drain(self) -> None:
        self._draining = True
        self._draw()

    def silent(self) -> None:
        self._silent = True
        self._draw()

    def _draw(self) -> None:
        if not self._live.is_started:  # the screen may be closed already
            return
        self._drawn_at = time.monotonic()
        if (size := self._console.size) != self._size:
            self._size = size
            self._console.clear()  # the terminal has wrapped the old lines again: they cannot be erased
        self._live.update(self._picture(), refresh=True)

    def _picture(self) -> RenderableType:
        if self._last is None:
            return ""
        look = ScreenState(self._task, self._last, self._history, self._start, self._draining, self._silent)
        return self._picture_of(look, self._console.width, self._console.height)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()
