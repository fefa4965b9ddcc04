"""A lease that runs short is renewed before a request, or no request is made."""

import random
import time
from types import SimpleNamespace

from tests.support.make import Clerk

from outrider.crawl.turn import MARGIN_S, Turn
from outrider.fetch import FetchOptions
from outrider.hosts.options import HostOptions

TIMEOUT_S = 10.0


def desk_of(clerk):
    return SimpleNamespace(
        stopping=False,
        crowded=False,
        flusher=SimpleNamespace(is_behind=False),
        frontier=clerk.store,
        line=clerk.line,
        fetching=FetchOptions(timeout_s=TIMEOUT_S),
        care=HostOptions(),
        dice=random.Random(1),
    )


async def _short_lease(clerk):
    await clerk.queue("http://a.test/")
    lease = await clerk.claim_one()
    lease.expires = time.monotonic() + TIMEOUT_S + MARGIN_S - 0.5
    return lease


async def test_it_is_renewed_first(clerk):
    lease = await _short_lease(clerk)
    turn = Turn(lease, desk_of(clerk))

    assert await turn.comes()
    assert lease.leaves_time_for(TIMEOUT_S + MARGIN_S, time.monotonic())


async def test_a_lease_somebody_else_has_by_now_ends_the_turn(clerk, database):
    lease = await _short_lease(clerk)
    other = await Clerk.enter(database)
    await clerk.let_lease_run_out("a.test")
    await other.claim_one()
    turn = Turn(lease, desk_of(clerk))

    assert not await turn.comes()
    assert turn.is_lost
    await other.line.close()


async def test_a_long_lease_costs_no_question(clerk):
    await clerk.queue("http://a.test/")
    lease = await clerk.claim_one()
    before = await clerk.host("a.test")

    assert await Turn(lease, desk_of(clerk)).comes()
    assert await clerk.host("a.test") == before
