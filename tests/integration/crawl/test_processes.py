"""A crawl is run by one process at a time; any number of processes may watch."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest
from tests.support.make import Operator

from outrider.crawl.processes import (
    CrawlProcess,
    claim_run,
    end_process,
    is_running,
    is_watching,
    join_watch,
)


@pytest.fixture
async def operator(database):
    operator = await Operator.enter(database)
    yield operator
    await operator.connection.close()


@pytest.fixture
async def other(database):
    other = await Operator.enter(database)
    yield other
    await other.connection.close()


async def test_a_source_is_run_by_one_process_at_a_time(operator, other):
    first, second = CrawlProcess.this(), CrawlProcess.this()
    source = await operator.new_source("running")

    assert await operator.run(lambda db: claim_run(db, source, first))
    assert await operator.run(lambda db: claim_run(db, source, first))
    assert not await other.run(lambda db: claim_run(db, source, second))
    assert await other.run(lambda db: is_running(db, source))
    await operator.run(lambda db: end_process(db, second))
    assert not await other.run(lambda db: claim_run(db, source, second))
    await operator.run(lambda db: end_process(db, first))
    assert not await other.run(lambda db: is_running(db, source))
    assert await other.run(lambda db: claim_run(db, source, second))


async def test_a_process_that_was_killed_runs_nothing_any_more(operator):
    source, here = await operator.new_source("running"), CrawlProcess.this()
    ended = await asyncio.create_subprocess_exec("true")
    await ended.wait()
    killed = replace(here, token=uuid4(), pid=ended.pid)
    await operator.run(lambda db: claim_run(db, source, killed))

    assert not await operator.run(lambda db: is_running(db, source))
    assert await operator.run(lambda db: claim_run(db, source, here))


async def test_a_process_of_another_machine_that_fell_silent_runs_nothing_any_more(operator):
    source, here = await operator.new_source("running"), CrawlProcess.this()
    silent = replace(here, token=uuid4(), machine="elsewhere", pid=1)
    await operator.run(lambda db: claim_run(db, source, silent))
    at_first = await operator.run(lambda db: claim_run(db, source, here))

    await operator.run(lambda db: db.execute("UPDATE crawl_process SET renewed_at = now() - interval '31 s'"))

    assert not at_first
    assert not await operator.run(lambda db: is_running(db, source))
    assert await operator.run(lambda db: claim_run(db, source, here))


async def test_any_number_of_processes_may_watch(operator):
    first, second = CrawlProcess.this(), CrawlProcess.this()
    for process in (first, second, first):
        await operator.run(lambda db, process=process: join_watch(db, process))

    assert await operator.run(is_watching)
    await operator.run(lambda db: end_process(db, first))
    assert await operator.run(is_watching)
    await operator.run(lambda db: end_process(db, second))
    assert not await operator.run(is_watching)
