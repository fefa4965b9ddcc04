"""Page limits hold exactly, however many ask at once."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest

from outrider.frontier.sources import CrawlProcess, SourceStore

SOURCES = SourceStore()


@pytest.mark.parametrize("limit", [1, 50, 100])
async def test_many_at_once_get_the_limit_and_not_one_more(clerk, hire, limit):
    source = await clerk.new_source("limited")
    clerks = [await hire() for _ in range(8)]

    async def reserve_all(one):
        got = []
        while granted := await one.run(lambda db: SOURCES.reserve_pages(db, source, 8, limit)):
            got.append(granted)
        return sum(got)

    granted = await asyncio.gather(*(reserve_all(one) for one in clerks))

    assert sum(granted) == limit


async def test_what_is_returned_is_granted_again(clerk):
    source = await clerk.new_source("limited")
    reserve = lambda db: SOURCES.reserve_pages(db, source, 8, 10)  # noqa: E731
    first = [await clerk.run(reserve) for _ in range(3)]
    await clerk.run(lambda db: SOURCES.return_pages(db, source, 3))

    assert first == [8, 2, 0]
    assert [await clerk.run(reserve), await clerk.run(reserve)] == [3, 0]


async def test_a_lowered_limit_grants_nothing_and_takes_nothing_back(clerk):
    source = await clerk.new_source("limited")
    await clerk.run(lambda db: SOURCES.reserve_pages(db, source, 8, 100))

    assert await clerk.run(lambda db: SOURCES.reserve_pages(db, source, 8, 5)) == 0
    assert await clerk.run(lambda db: SOURCES.reserve_pages(db, source, 8, 10)) == 2


async def test_what_a_crash_left_reserved_is_free_after_the_next_start(clerk):
    source = await clerk.new_source("limited")
    await clerk.run(lambda db: SOURCES.reserve_pages(db, source, 8, 10))
    await clerk.run(lambda db: clerk.store.add_counts(db, {(source, "pages"): 3}))

    await clerk.run(lambda db: SOURCES.settle_pages(db, source))

    assert await clerk.run(lambda db: SOURCES.reserve_pages(db, source, 10, 10)) == 7


async def test_a_source_is_run_by_one_process_at_a_time(clerk, hire):
    other, first, second = await hire(), CrawlProcess.this(), CrawlProcess.this()
    source = await clerk.new_source("running")

    assert await clerk.run(lambda db: SOURCES.claim_run(db, source, first))
    assert await clerk.run(lambda db: SOURCES.claim_run(db, source, first))
    assert not await other.run(lambda db: SOURCES.claim_run(db, source, second))
    assert await other.run(lambda db: SOURCES.is_running(db, source))
    await clerk.run(lambda db: SOURCES.end(db, second))
    assert not await other.run(lambda db: SOURCES.claim_run(db, source, second))
    await clerk.run(lambda db: SOURCES.end(db, first))
    assert not await other.run(lambda db: SOURCES.is_running(db, source))
    assert await other.run(lambda db: SOURCES.claim_run(db, source, second))


async def test_a_process_that_was_killed_runs_nothing_any_more(clerk):
    source, here = await clerk.new_source("running"), CrawlProcess.this()
    ended = await asyncio.create_subprocess_exec("true")
    await ended.wait()
    killed = replace(here, token=uuid4(), pid=ended.pid)
    await clerk.run(lambda db: SOURCES.claim_run(db, source, killed))

    assert not await clerk.run(lambda db: SOURCES.is_running(db, source))
    assert await clerk.run(lambda db: SOURCES.claim_run(db, source, here))


async def test_a_process_of_another_machine_that_fell_silent_runs_nothing_any_more(clerk):
    source, here = await clerk.new_source("running"), CrawlProcess.this()
    silent = replace(here, token=uuid4(), machine="elsewhere", pid=1)
    await clerk.run(lambda db: SOURCES.claim_run(db, source, silent))
    at_first = await clerk.run(lambda db: SOURCES.claim_run(db, source, here))

    await clerk.run(lambda db: db.execute("UPDATE crawl_process SET renewed_at = now() - interval '31 s'"))

    assert not at_first
    assert not await clerk.run(lambda db: SOURCES.is_running(db, source))
    assert await clerk.run(lambda db: SOURCES.claim_run(db, source, here))


async def test_any_number_of_processes_may_watch(clerk):
    first, second = CrawlProcess.this(), CrawlProcess.this()
    for process in (first, second, first):
        await clerk.run(lambda db, process=process: SOURCES.join_watch(db, process))

    assert await clerk.run(SOURCES.is_watching)
    await clerk.run(lambda db: SOURCES.end(db, first))
    assert await clerk.run(SOURCES.is_watching)
    await clerk.run(lambda db: SOURCES.end(db, second))
    assert not await clerk.run(SOURCES.is_watching)
