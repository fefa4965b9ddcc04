"""The interface of the views of a crawl, and the task that they show."""

from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from outrider.crawl.seeds import Start
from outrider.workers.goals import Goal
from outrider.workers.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Task:
    """The crawl that the user asked for."""

    goal: Goal
    data: Path
    log: Path | None = None  # None: worker logs go to standard error
    is_kept: bool = True  # False: the data directory is thrown away afterwards
    robots_notice: str | None = None  # why robots.txt is not obeyed; None: it is

    @property
    def title(self) -> str:
        first, *others = self.goal.names
        return first if not others else f"{first} and {len(others):,} more"


class View(Protocol):
    """Shows a crawl while it runs. Entered before it starts, left before the summary."""

    def begin(self, start: Start) -> None: ...

    def show(self, snapshot: Snapshot) -> None: ...

    def drain(self) -> None:
        """The crawl was interrupted and finishes its requests in progress."""

    def silent(self) -> None:
        """The database does not answer; the next snapshot means that it answers again."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
