"""What a session sees of a crawl while workers go on."""

import pytest
from tests.support.make import Operator, completion

from outrider.frontier.stats import StatsStore
from outrider.settings import Settings
from outrider.sources.policy import Policy
from outrider.workers.goals import CrawlGoal
from outrider.workers.session import Session

URL = "http://last.test/"


@pytest.fixture
async def operator(database):
    operator = await Operator.enter(database)
    yield operator
    await operator.connection.close()


@pytest.fixture
async def session(database):
    session = Session(Settings(), database, CrawlGoal(Policy(seeds=[URL])), lambda: None)
    yield session
    await session.close()


async def test_a_crawl_whose_last_page_ends_during_a_look_does_not_seem_to_wait(
    operator, session, monkeypatch
):
    goal = CrawlGoal(Policy(seeds=[URL]))
    begun = await operator.run(lambda db: goal.begin(db, operator.store))
    lease = await operator.claim_one()
    read_totals = StatsStore.totals

    async def totals_before_the_end(stats, db, source_id=None):
        """Totals, right after which the last page is written and its host released."""
        totals = await read_totals(stats, db, source_id)
        await operator.complete(completion(lease.entries[0]))
        await operator.release(lease)
        return totals

    monkeypatch.setattr(StatsStore, "totals", totals_before_the_end)
    during = await session.final_snapshot(begun)
    monkeypatch.setattr(StatsStore, "totals", read_totals)
    after = await session.final_snapshot(begun)

    assert (during.totals.pending, goal.ending(during, Settings())) == (1, None)
    assert goal.ending(after, Settings()) == "finished", "nothing left to fetch"
