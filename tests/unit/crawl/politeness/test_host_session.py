"""A host session, by a clock that the test moves: no request starts that could outlive the lease."""

import random
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from outrider.crawl.politeness.host_session import HostSession
from outrider.fetch.outcome import Request
from outrider.frontier.lease import MARGIN_S, Lease
from outrider.hosts.options import HostOptions

TIMEOUT_S = 10.0


class RenewingLine:
    """Extends the lease, or says that it is lost; counts how often it was asked."""

    def __init__(self, lease: Lease, clock, *, is_kept: bool, lasts_s: float = 10_000) -> None:
        self.renewals = 0
        self._lease = lease
        self._clock = clock
        self._is_kept = is_kept
        self._lasts_s = lasts_s

    async def run(self, renew, **how) -> set[int]:
        self.renewals += 1
        if not self._is_kept:
            return set()
        self._lease.expires = self._clock.now + self._lasts_s
        return {self._lease.host_id}


@pytest.fixture
def session_of(server) -> Callable[..., HostSession]:
    def make(lease: Lease, connection: RenewingLine | None = None) -> HostSession:
        tools = SimpleNamespace(
            fetcher=server,
            host_options=HostOptions(),
            dice=random.Random(1),
            connection=connection,
            frontier=None,
        )
        return HostSession(lease, lease.state, tools, TIMEOUT_S)

    return make


async def test_after_a_lost_lease_the_first_request_waits_the_whole_delay(session_of, lease, server):
    """The process that lost the lease may have ended its last request only a moment ago."""
    session = session_of(lease(was_lost=True))
    assert await session.may_ask()
    await session.ask(Request("http://a.test/"))

    assert server.asked[0][0] == 1.0


@pytest.mark.parametrize(("is_kept", "may_ask"), [(True, True), (False, False)])
async def test_a_process_that_was_stopped_in_its_sleep_asks_whether_the_lease_is_still_its_own(
    session_of, lease, clock, monkeypatch, is_kept, may_ask
):
    """As by SIGSTOP, or on a suspended machine: the clock went on far beyond the lease."""
    held = lease()
    session = session_of(held, RenewingLine(held, clock, is_kept=is_kept))

    async def sleep(seconds: float) -> None:
        clock.now += 20_000

    monkeypatch.setattr(clock, "sleep", sleep)
    session.pause(1)

    assert await session.may_ask() is may_ask
    assert session.is_lost is not is_kept


@pytest.mark.parametrize(("spare_s", "renewals"), [(0.001, 0), (0.0, 1), (-1.0, 1)])
async def test_a_lease_is_renewed_only_when_a_request_could_outlive_it(
    session_of, lease, clock, spare_s, renewals
):
    held = lease(lasts_s=TIMEOUT_S + MARGIN_S + spare_s)
    connection = RenewingLine(held, clock, is_kept=True)

    assert await session_of(held, connection).may_ask()
    assert connection.renewals == renewals


async def test_a_lease_that_cannot_cover_the_wait_and_a_request_is_not_waited_for(session_of, lease, clock):
    held = lease(lasts_s=20)
    session = session_of(held, RenewingLine(held, clock, is_kept=True, lasts_s=20))
    session.pause(15)

    assert not await session.may_ask()
    assert clock.now == 0.0
    assert not session.is_lost


async def test_a_host_goes_back_with_its_state_and_the_rest_of_its_delay(session_of, lease, clock):
    held = lease()
    session = session_of(held)
    await session.ask(Request("http://a.test/"))
    clock.now += 0.25

    release = session.release()

    assert (release.lease, release.state) == (held, session.state)
    assert release.wait_s == pytest.approx(0.75)
