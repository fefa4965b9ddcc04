"""The interface of the views of a crawl."""

from types import TracebackType
from typing import Protocol, Self

from outrider.crawl.seeds import StartedCrawl
from outrider.workers.snapshot import Snapshot


class View(Protocol):
    """Shows a crawl while it runs. Entered before it starts, left before the summary."""

    def begin(self, start: StartedCrawl) -> None: ...

    def show(self, snapshot: Snapshot) -> None: ...

    def drain(self) -> None:
        """The crawl was interrupted and finishes its requests in progress."""

    def silent(self) -> None:
        """The database does not answer; the next snapshot means that it answers again."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
