"""What a scheduler calls to run a job: given by the feature that crawls, so that jobs know no feature."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

import asyncpg

from outrider.frontier.store import FrontierStore
from outrider.runs.model import Run
from outrider.sources.model import Source


class StartRun(Protocol):
    """Queues the first entries of a run, in the transaction that opens it."""

    async def __call__(
        self, db: asyncpg.Connection, source: Source, run: Run, interval: timedelta | None
    ) -> None: ...


class HashContent(Protocol):
    """A hash over the content of a source's start page and feeds; None if there is none (ADP-02, ADP-08)."""

    async def __call__(self, db: asyncpg.Connection, source: Source) -> str | None: ...


@dataclass(frozen=True, slots=True)
class JobRunner:
    """How the runs of jobs begin, and what they are compared by."""

    start: StartRun
    content_hash: HashContent
    frontier: FrontierStore
