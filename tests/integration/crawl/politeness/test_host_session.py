"""A lease that runs short is renewed before a request, or no request is made."""

import time

import pytest
from tests.support.make import Operator

from outrider.crawl.politeness.host_session import HostSession
from outrider.crawl.politeness.leased_fetch import LeasedFetch
from outrider.fetch import Fetcher, FetchOptions
from outrider.frontier.lease import MARGIN_S, Lease
from outrider.hosts.options import HostOptions

TIMEOUT_S = 10.0


def session_of(operator: Operator, lease: Lease, fetcher: Fetcher) -> HostSession:
    tools = LeasedFetch(fetcher, operator.connection, operator.store, FetchOptions(), HostOptions())
    return HostSession(lease, lease.state, tools, TIMEOUT_S)


@pytest.fixture
async def short_lease(operator: Operator) -> Lease:
    """A lease that ends half a second before the longest request."""
    await operator.queue("http://a.test/")
    lease = await operator.claim_one()
    lease.expires = time.monotonic() + TIMEOUT_S + MARGIN_S - 0.5
    return lease


async def test_a_short_lease_is_renewed_first(operator: Operator, short_lease: Lease, fetcher: Fetcher):
    assert await session_of(operator, short_lease, fetcher).may_ask()
    assert short_lease.leaves_time_for(TIMEOUT_S + MARGIN_S, time.monotonic())


async def test_a_lease_that_another_worker_has_by_now_is_lost(
    operator: Operator, short_lease: Lease, fetcher: Fetcher, database: str
):
    other = await Operator.enter(database)
    await operator.let_lease_run_out("a.test")
    await other.claim_one()
    session = session_of(operator, short_lease, fetcher)

    assert not await session.may_ask()
    assert session.is_lost
    await other.connection.close()


async def test_a_long_lease_costs_no_query(operator: Operator, fetcher: Fetcher):
    await operator.queue("http://a.test/")
    lease = await operator.claim_one()
    before = await operator.host("a.test")

    assert await session_of(operator, lease, fetcher).may_ask()
    assert await operator.host("a.test") == before
