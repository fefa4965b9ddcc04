"""Use cases of runs: list them, show one, cancel one, and the runs of a source in numbers."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import asyncpg

from outrider.crawl.processes import crawled_sources
from outrider.errors import Conflict, InvalidInput, InvalidUrl, NotFound
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.runs.ending import end_if_over, end_now, withdraw_entries
from outrider.runs.listing import (
    ListedRun,
    RunSelection,
    RunStats,
    list_page,
    listed_run,
    newest_run,
    run_of_public_id,
    stats_of_source,
)
from outrider.runs.model import Run, RunStatus, StartedBy
from outrider.runs.store import RunStore
from outrider.services.cursor import read_cursor, write_cursor
from outrider.services.paging import MOST_SHOWN, CursorPage, ListPage, PageRequest, TotalIs, refuse_unknown
from outrider.services.runs.details import RunDetails, RunSummary, details_of, summary_of
from outrider.sources.crawl_commands import crawl_name
from outrider.sources.owners import owner_by_id, owner_called
from outrider.sources.store import SourceStore
from outrider.urls.typed import normalized
from outrider.wording import when
from outrider.worker_registry.store import WorkerRegistry
from outrider.workers.recovery import recover_dead_workers

CURSOR = "runs"
UUID_LENGTH = 36
NEWEST = "last"  # the name of the newest run
LARGEST_NUMBER = 2**31 - 1
CANCEL_WAIT_S = 10.0  # longest wait for the end of a cancelled run
LOOK_S = 0.1
MOST_COUNTED = 10_000  # runs of a list that is read by cursor
BY_OPERATOR = "cancelled by an operator"


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which runs to list, in words. An empty text and None match every run."""

    status: str = ""  # states, separated by commas
    source: str = ""  # name, number or address
    started_by: StartedBy | None = None
    job: str = ""  # its id

    @property
    def is_narrow(self) -> bool:
        return self != RunFilter()


async def list_runs(db: asyncpg.Connection, wanted: RunFilter, page: PageRequest) -> ListPage[RunSummary]:
    """The runs that match `wanted`, newest first; raises NotFound for an unknown source."""
    page = page.checked()
    async with db.transaction():
        selection = await _selection(db, wanted)
        found, total = await list_page(db, selection, page.limit, page.offset)
        lines = await _summaries(db, found)
    return ListPage(lines, total, page.limit, page.offset)


async def walk_runs(db: asyncpg.Connection, wanted: RunFilter, page: PageRequest) -> CursorPage[RunSummary]:
    """Like `list_runs`, for any number of runs: a cursor leads on, and the total is counted up to a bound."""
    page = page.checked()
    before = None if page.cursor is None else read_cursor(page.cursor, CURSOR, [int])[0]
    async with db.transaction():
        selection = await _selection(db, wanted)
        found, total = await list_page(
            db,
            selection,
            page.limit + 1,
            page.offset,
            before=None if before is None else min(before, LARGEST_NUMBER),
            counted=MOST_COUNTED + 1,
        )
        lines = await _summaries(db, found[: page.limit])
    following = write_cursor(CURSOR, [lines[-1].run_id]) if len(found) > page.limit else None
    total_is = TotalIs.EXACT if total <= MOST_COUNTED else TotalIs.AT_LEAST
    return CursorPage(lines, min(total, MOST_COUNTED), page.limit, page.offset, total_is, next=following)


async def show_run(db: asyncpg.Connection, named: str) -> RunDetails:
    """The run of that number, or the newest for `last`; raises NotFound."""
    async with db.transaction():
        found = await listed_run(db, await run_named(db, named))
        run_id = found.run.run_id
        counts = await FrontierStore(FrontierOptions()).run_counts(db, [run_id])
        return details_of(found, counts.get(run_id, {}), await crawled_sources(db), datetime.now(UTC))


async def stats_of_runs(db: asyncpg.Connection, source: str) -> RunStats:
    """The runs of a source in numbers (JOB-18); raises NotFound."""
    async with db.transaction():
        return await stats_of_source(db, await source_named(db, source))


async def cancel_run(
    db: asyncpg.Connection,
    named: str,
    options: FrontierOptions,
    request_s: float,
    why: str = BY_OPERATOR,
    wait_s: float = CANCEL_WAIT_S,
    *,
    forces_end: bool = True,
) -> RunDetails:
    """Cancel a run, and wait for its end for up to `wait_s` seconds; the state says whether it has ended.

    No request begins for the run any more, and its queued entries leave the queue. The process of the crawl
    or the scheduler ends the run. The run of a crawl whose process is dead is ended here, at the end of the
    wait even if requests are under way, unless `forces_end` is False. `request_s` is how long a request may
    take. Raises NotFound, and Conflict for a run that has ended.
    """
    store, frontier = RunStore(), FrontierStore(options)
    run_id = await run_named(db, named)
    if not await store.ask_to_cancel(db, run_id, why):  # unknown, ended, or cancelled before
        _refuse_ended(await store.by_id(db, run_id))
    give_up_at = time.monotonic() + wait_s
    while (run := await store.by_id(db, run_id)).is_open:
        is_late = time.monotonic() >= give_up_at
        await _help_to_end(db, frontier, run, options, request_s, is_late=is_late and forces_end)
        if is_late:
            break
        await asyncio.sleep(LOOK_S)
    return await show_run(db, str(run_id))


async def run_named(db: asyncpg.Connection, named: str) -> int:
    """The number of a run by number, id or `last`; raises NotFound if there is no run of that id, or none."""
    if (public_id := _uuid(named)) is not None:
        found = await run_of_public_id(db, public_id)
        if found is None:
            raise NotFound(f"there is no run {public_id}: `outrider run list` shows them")
        return found
    if named == NEWEST:
        newest = await newest_run(db)
        if newest is None:
            raise NotFound("there is no run yet: `outrider crawl` and due jobs start runs")
        return newest
    return int(checked_run_name(named))


def checked_run_name(named: str) -> str:
    """The number, the id or `last`; raises InvalidInput for anything else."""
    is_number = named.isascii() and named.isdigit() and 1 <= int(named[:20]) <= LARGEST_NUMBER
    if not (is_number or named == NEWEST or _uuid(named) is not None):
        raise InvalidInput(f"RUN is the number of a run, or `{NEWEST}`, not {named[:MOST_SHOWN]!r}")
    return named


async def source_named(db: asyncpg.Connection, named: str) -> int:
    """The number of a watched source or of a crawl command, by name, number or address."""
    try:
        return (await SourceStore().find(db, named)).source_id
    except NotFound as error:
        found = await _crawl_named(db, named)
        if found is None:
            raise error from None
        return found


async def _crawl_named(db: asyncpg.Connection, named: str) -> int | None:
    if named.isascii() and named.isdigit() and int(named[:20]) <= LARGEST_NUMBER:
        return (await owner_by_id(db, int(named))).source_id
    found = await owner_called(db, named)
    if found is None:
        try:
            found = await owner_called(db, crawl_name([normalized(named)[0]]))
        except InvalidUrl:
            return None
    return found


async def _help_to_end(
    db: asyncpg.Connection,
    frontier: FrontierStore,
    run: Run,
    options: FrontierOptions,
    request_s: float,
    *,
    is_late: bool,
) -> None:
    """Withdraw what is queued. If no process will end the run, end it: at once if no worker lives."""
    if run.job_id is not None or run.source_id in await crawled_sources(db):
        await withdraw_entries(db, frontier, run)
        return
    await recover_dead_workers(db, options, request_s)
    if is_late or not await WorkerRegistry().live(db):
        await end_now(db, frontier, run)
    else:
        await end_if_over(db, frontier, run)


async def _selection(db: asyncpg.Connection, wanted: RunFilter) -> RunSelection:
    source_id = await source_named(db, wanted.source) if wanted.source else None
    return RunSelection(_statuses(wanted.status), source_id, wanted.started_by, _job(wanted.job))


async def _summaries(db: asyncpg.Connection, found: Sequence[ListedRun]) -> list[RunSummary]:
    open_ids = [each.run.run_id for each in found if each.run.is_open]
    counts = await FrontierStore(FrontierOptions()).run_counts(db, open_ids)
    crawled = await crawled_sources(db)
    return [summary_of(each, counts.get(each.run.run_id, {}), crawled) for each in found]


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text) if len(text) == UUID_LENGTH else None
    except ValueError:
        return None


def _refuse_ended(run: Run) -> None:
    if run.completed_at is not None:
        ended = when(run.completed_at, datetime.now(UTC))
        raise Conflict(f"run {run.run_id} has ended already: {run.status.value} {ended}")


def _statuses(text: str) -> list[RunStatus] | None:
    names = [name.strip() for name in text.split(",") if name.strip()]
    refuse_unknown("status", names, [each.value for each in RunStatus])
    return [RunStatus(name) for name in names] or None


def _job(text: str) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        raise InvalidInput(
            f"a job is named by its id, which `outrider job show` prints, not by {text[:MOST_SHOWN]!r}"
        ) from None
