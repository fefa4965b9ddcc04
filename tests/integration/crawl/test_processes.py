"""A crawl is run by one process at a time; any number of processes may watch."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest
from tests.support.make import Clerk

from outrider.crawl.processes import (
    CrawlProcess,
    claim_run,
    end_process,
    is_running,
    is_watching,
    join_watch,
)


@pytest.fixture
async def clerk(database):
    clerk = await Clerk.enter(database)
    yield clerk
    await clerk.line.close()


@pytest.fixture
async def other(database):
    other = await Clerk.enter(database)
    yield other
    await other.line.close()


async def test_a_source_is_run_by_one_process_at_a_time(clerk, other):
    first, second = CrawlProcess.this(), CrawlProcess.this()
    source = await clerk.new_source("running")

    assert await clerk.run(lambda db: claim_run(db, source, first))
    assert await clerk.run(lambda db: claim_run(db, source, first))
    assert not await other.run(lambda db: claim_run(db, source, second))
    assert await other.run(lambda db: is_running(db, source))
    await clerk.run(lambda db: end_process(db, second))
    assert not await other.run(lambda db: claim_run(db, source, second))
    await clerk.run(lambda db: end_process(db, first))
    assert not await other.run(lambda db: is_running(db, source))
    assert await other.run(lambda db: claim_run(db, source, second))


async def test_a_process_that_was_killed_runs_nothing_any_more(clerk):
    source, here = await clerk.new_source("running"), CrawlProcess.this()
    ended = await asyncio.create_subprocess_exec("true")
    await ended.wait()
    killed = replace(here, token=uuid4(), pid=ended.pid)
    await clerk.run(lambda db: claim_run(db, source, killed))

    assert not await clerk.run(lambda db: is_running(db, source))
    assert await clerk.run(lambda db: claim_run(db, source, here))


async def test_a_process_of_another_machine_that_fell_silent_runs_nothing_any_more(clerk):
    source, here = await clerk.new_source("running"), CrawlProcess.this()
    silent = replace(here, token=uuid4(), machine="elsewhere", pid=1)
    await clerk.run(lambda db: claim_run(db, source, silent))
    at_first = await clerk.run(lambda db: claim_run(db, source, here))

    await clerk.run(lambda db: db.execute("UPDATE crawl_process SET renewed_at = now() - interval '31 s'"))

    assert not at_first
    assert not await clerk.run(lambda db: is_running(db, source))
    assert await clerk.run(lambda db: claim_run(db, source, here))


async def test_any_number_of_processes_may_watch(clerk):
    first, second = CrawlProcess.this(), CrawlProcess.this()
    for process in (first, second, first):
        await clerk.run(lambda db, process=process: join_watch(db, process))

    assert await clerk.run(is_watching)
    await clerk.run(lambda db: end_process(db, first))
    assert await clerk.run(is_watching)
    await clerk.run(lambda db: end_process(db, second))
    assert not await clerk.run(is_watching)
