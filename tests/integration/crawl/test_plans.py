"""Policies are read once and believed for five minutes."""

from types import SimpleNamespace

import pytest
from tests.support.make import Clerk

from outrider.crawl import plans as module
from outrider.crawl.plans import Plans
from outrider.errors import NotFound
from outrider.sources.crawl_commands import ensure_crawl
from outrider.sources.policy import Policy


@pytest.fixture
async def clerk(database):
    clerk = await Clerk.enter(database)
    yield clerk
    await clerk.line.close()


@pytest.fixture
def clock(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    clock.monotonic = lambda: clock.now
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.mark.parametrize(("passed_s", "priority"), [(0, 3), (299, 3), (300, 8)])
async def test_a_changed_policy_is_noticed_after_a_while(clerk, clock, passed_s, priority):
    source = await clerk.run(lambda db: ensure_crawl(db, "news", Policy(priority=3)))
    plans = Plans(clerk.line, depth_cap=10)
    await plans.of(source.source_id)
    await clerk.run(lambda db: ensure_crawl(db, "news", Policy(priority=8)))

    clock.now += passed_s

    assert (await plans.of(source.source_id)).policy.priority == priority


async def test_a_source_that_is_not_there_is_said_to_be_missing(clerk):
    with pytest.raises(NotFound, match="99"):
        await Plans(clerk.line, depth_cap=10).of(99)
