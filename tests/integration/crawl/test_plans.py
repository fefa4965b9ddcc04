"""Policies are read once and believed for five minutes, those of crawls for ten seconds."""

import asyncio
from types import SimpleNamespace

import pytest
from tests.support.make import Operator
from tests.support.scheduling import watch

from outrider.crawl import plans as module
from outrider.crawl.plans import PlanCache
from outrider.errors import NotFound
from outrider.sources.crawl_commands import ensure_crawl
from outrider.sources.owners import owner_by_id
from outrider.sources.policy import Policy

SET_PRIORITY = (
    "UPDATE source SET policy = policy || jsonb_build_object('priority', $1::int) WHERE name = 'news'"
)


@pytest.fixture
async def operator(database):
    operator = await Operator.enter(database)
    yield operator
    await operator.connection.close()


@pytest.fixture
def clock(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    clock.monotonic = lambda: clock.now
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def reads(operator, monkeypatch):
    """The sources whose plans were read, in order."""
    made = []

    async def counted(db, source_id):
        made.append(source_id)
        return await owner_by_id(db, source_id)

    monkeypatch.setattr(module, "owner_by_id", counted)
    return made


async def _news(operator):
    return (await operator.run(lambda db: ensure_crawl(db, "news", Policy()))).source_id


@pytest.mark.parametrize(("passed_s", "priority"), [(0, 3), (9, 3), (10, 8)])
async def test_a_crawl_that_is_started_again_is_noticed_soon(operator, clock, passed_s, priority):
    source = await operator.run(lambda db: ensure_crawl(db, "news", Policy(priority=3)))
    plans = PlanCache(operator.connection, depth_cap=10)
    await plans.of(source.source_id)
    await operator.run(lambda db: ensure_crawl(db, "news", Policy(priority=8)))

    clock.now += passed_s

    assert (await plans.of(source.source_id)).policy.priority == priority


@pytest.mark.parametrize(("passed_s", "priority"), [(0, 3), (299, 3), (300, 8)])
async def test_a_changed_policy_is_noticed_after_a_while(operator, clock, passed_s, priority):
    source = await watch(operator, "news")
    await operator.run(lambda db: db.execute(SET_PRIORITY, 3))
    plans = PlanCache(operator.connection, depth_cap=10)
    await plans.of(source.source_id)
    await operator.run(lambda db: db.execute(SET_PRIORITY, 8))

    clock.now += passed_s

    assert (await plans.of(source.source_id)).policy.priority == priority


async def test_a_source_that_is_not_there_is_said_to_be_missing(operator):
    with pytest.raises(NotFound, match="99"):
        await PlanCache(operator.connection, depth_cap=10).of(99)


async def test_lanes_that_miss_a_plan_at_once_share_one_read(operator, reads):
    news, plans = await _news(operator), PlanCache(operator.connection, depth_cap=10)

    found = await asyncio.gather(*(plans.of(news) for _ in range(40)))

    assert reads == [news]
    assert all(plan is found[0] for plan in found)


async def test_a_lane_that_is_cancelled_does_not_end_the_read_of_another(operator, monkeypatch):
    news, plans = await _news(operator), PlanCache(operator.connection, depth_cap=10)
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def slow(db, source_id):
        begun.set()
        await may_end.wait()
        return await owner_by_id(db, source_id)

    monkeypatch.setattr(module, "owner_by_id", slow)
    cancelled, waiting = (asyncio.create_task(plans.of(news)) for _ in range(2))
    await begun.wait()
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    may_end.set()

    assert (await waiting).source_id == news


async def test_a_read_that_failed_is_made_again(operator, reads):
    plans = PlanCache(operator.connection, depth_cap=10)
    for _ in range(2):
        with pytest.raises(NotFound):
            await plans.of(99)

    assert reads == [99, 99]
