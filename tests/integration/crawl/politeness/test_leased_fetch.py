"""Requests outside a lane: under the lease of each host, at its pace, and with its state kept afterwards.

A search for channels, a WebSub hub, the commands and `outrider robots --fetch` all go this way.
"""

import asyncio
from collections.abc import Callable
from itertools import pairwise

import pytest
from tests.support.make import Operator
from tests.support.site import Answer, Site, html, redirect

from outrider.crawl.politeness import host_session
from outrider.crawl.politeness.fetch_result import FetchEnding
from outrider.crawl.politeness.leased_fetch import LeasedFetch
from outrider.crawl.politeness.single_fetch import Limits
from outrider.errors import Conflict, LeaseLost
from outrider.fetch import Fetched, Fetcher, FetchOptions, Redirected, Rejected
from outrider.frontier.lease import MARGIN_S
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.hosts.options import HostOptions

HOST = "127.0.0.2"
DELAY_S = 0.3
PAGE = html("<p>A page.</p>")
FORM = {"hub.mode": "subscribe"}
TIMEOUT_S = 5.0


@pytest.fixture
def open_fetch(operator: Operator, fetcher: Fetcher) -> Callable[..., LeasedFetch]:
    def make(
        *,
        delay_s: float = 0.0,
        patience_s: float = 0.0,
        lease_s: float = 60.0,
        limits: Limits | None = None,
    ) -> LeasedFetch:
        return LeasedFetch(
            fetcher,
            operator.connection,
            FrontierStore(FrontierOptions(lease_s=lease_s)),
            FetchOptions(timeout_s=TIMEOUT_S),
            HostOptions(delay_ms=int(delay_s * 1000)),
            limits=limits,
            patience_s=patience_s,
        )

    return make


def gaps(site: Site) -> list[float]:
    """Seconds from the end of each answer to the next request, by the clock of the server."""
    return [after.started_monotonic - before.ended_monotonic for before, after in pairwise(site.log())]


def asked(site: Site) -> list[str]:
    return [each.path for each in site.log()]


async def test_a_host_is_held_until_the_end_and_then_rests_for_its_delay(operator, serve, open_fetch):
    site = serve({"/a": PAGE})
    async with open_fetch() as fetch:
        single = await fetch.run(f"{site.url}a")
        held = await operator.host(HOST)
        with pytest.raises(Conflict, match="being asked by another command"):
            await open_fetch().run(f"{site.url}a")

    assert single.ending is FetchEnding.FETCHED
    assert held["lease_owner"] == 0
    host = await operator.host(HOST)
    assert host["lease_owner"] is None
    assert (await operator.run(lambda db: operator.store.why_not_free(db, HOST))).rests_s > 0
    assert asked(site) == ["/robots.txt", "/a"]


async def test_the_delay_lies_between_all_requests_to_a_host(serve, open_fetch):
    site = serve({"/a": redirect("/b"), "/b": PAGE})
    async with open_fetch(delay_s=DELAY_S) as fetch:
        await fetch.run(f"{site.url}a")
        await fetch.run(f"{site.url}c")

    assert asked(site) == ["/robots.txt", "/a", "/b", "/c"]
    assert min(gaps(site)) >= DELAY_S


async def test_a_crawl_delay_holds_from_the_robots_txt_on_and_is_stored(operator, serve, open_fetch):
    rules = f"User-agent: *\nCrawl-delay: {DELAY_S}\n"
    site = serve({"/a": PAGE}, robots=Answer(body=rules, headers={"Content-Type": "text/plain"}))
    await operator.run(lambda db: db.execute("ALTER TABLE host ALTER delay_ms SET DEFAULT 0"))
    async with open_fetch() as fetch:
        await fetch.run(f"{site.url}a")

    assert min(gaps(site)) >= DELAY_S
    assert (await operator.host(HOST))["delay_ms"] == DELAY_S * 1000


async def test_the_delay_of_a_known_host_holds_where_the_settings_ask_for_less(operator, serve, open_fetch):
    site = serve({"/a": PAGE})
    async with open_fetch() as fetch:
        await fetch.run(f"{site.url}a")
    await operator.set_host(HOST, delay_ms=str(int(DELAY_S * 1000)), next_allowed_at="now()")
    async with open_fetch() as fetch:
        await fetch.run(f"{site.url}a")

    assert gaps(site)[-1] >= DELAY_S


async def test_a_longer_delay_of_the_settings_is_not_stored(operator, serve, open_fetch):
    """The delay of one command must not slow down the next one, which has settings of its own."""
    site = serve({"/a": PAGE})
    async with open_fetch() as fetch:
        await fetch.run(f"{site.url}a")
    before = await operator.host(HOST)
    await operator.set_host(HOST, next_allowed_at="now()")
    async with open_fetch(delay_s=2 * DELAY_S, limits=Limits(5, ignore_robots=True)) as fetch:
        await fetch.run(f"{site.url}a")

    assert (await operator.host(HOST))["delay_ms"] == before["delay_ms"]


async def test_a_host_that_a_worker_holds_is_not_asked(operator, serve, open_fetch):
    site = serve({"/a": PAGE})
    await operator.queue(f"{site.url}a")
    await operator.claim_one()
    async with open_fetch() as fetch:
        with pytest.raises(Conflict, match="is being asked by the worker tests:"):
            await fetch.run(f"{site.url}a")

    assert asked(site) == []
    assert not fetch.has_asked


async def test_a_patient_fetch_waits_until_the_host_is_free(operator, serve, open_fetch, monkeypatch):
    site = serve({"/a": PAGE})
    await operator.queue(f"{site.url}a")
    lease = await operator.claim_one()
    refused = asyncio.Event()
    why_not_free = FrontierStore.why_not_free

    async def note_refusal(store, db, host):
        refused.set()
        return await why_not_free(store, db, host)

    monkeypatch.setattr(FrontierStore, "why_not_free", note_refusal)
    async with open_fetch(patience_s=30.0) as fetch:
        waiting = asyncio.create_task(fetch.run(f"{site.url}a"))
        await refused.wait()
        before = asked(site)
        await operator.release(lease)
        single = await waiting

    assert before == []
    assert single.ending is FetchEnding.FETCHED


async def test_a_blocked_host_is_refused_however_patient_the_fetch_is(operator, serve, open_fetch):
    site = serve({"/a": PAGE})
    async with open_fetch() as fetch:
        await fetch.run(f"{site.url}a")
    await operator.set_host(HOST, next_allowed_at="'infinity'")
    async with open_fetch(patience_s=3600.0) as fetch:
        with pytest.raises(Conflict, match="is blocked"):
            await fetch.run(f"{site.url}a")


async def test_a_host_that_has_to_rest_is_refused_with_the_time_it_needs(operator, serve, open_fetch):
    site = serve({"/a": PAGE})
    async with open_fetch() as fetch:
        await fetch.run(f"{site.url}a")
    await operator.set_host(HOST, next_allowed_at="now() + interval '1 hour'")
    async with open_fetch(patience_s=60.0) as fetch:
        with pytest.raises(Conflict, match="has to rest for another"):
            await fetch.run(f"{site.url}a")


async def test_a_host_that_asks_for_a_rest_is_asked_nothing_more(operator, serve, open_fetch):
    site = serve({"/a": Answer(status=429, headers={"Retry-After": "600"}), "/b": PAGE})
    async with open_fetch() as fetch:
        await fetch.run(f"{site.url}a")
        with pytest.raises(Conflict, match="has to rest"):
            await fetch.run(f"{site.url}b")

    assert asked(site) == ["/robots.txt", "/a"]
    host = await operator.host(HOST)
    assert host["penalty_ms"] > 0
    assert (await operator.run(lambda db: operator.store.why_not_free(db, HOST))).rests_s > 590


async def test_failures_count_towards_the_circuit_of_the_host(operator, serve, open_fetch):
    site = serve({"/a": Answer(hang_up=True)})
    async with open_fetch() as fetch:
        await fetch.run(f"{site.url}a")

    assert (await operator.host(HOST))["failures"] == 1


async def test_a_lease_that_runs_short_is_renewed_between_requests(operator, serve, open_fetch):
    """The lease would end before the second request could time out."""
    site = serve({"/a": PAGE})
    renewed = []
    async with open_fetch(delay_s=DELAY_S, lease_s=TIMEOUT_S + MARGIN_S + 2 * DELAY_S) as fetch:
        for _ in range(3):
            await fetch.run(f"{site.url}a")
            renewed.append((await operator.host(HOST))["due_at"])

    assert asked(site) == ["/robots.txt", "/a", "/a", "/a"]
    assert renewed[-1] > renewed[0]


async def test_no_request_goes_under_a_lease_that_was_lost_during_the_wait(
    operator, serve, open_fetch, monkeypatch
):
    """As when the process is stopped in its sleep: a worker has the host by then."""
    site = serve({"/a": PAGE})

    async def sleep_until(moment: float) -> None:
        for session in fetch._sessions.values():
            session.lease.expires = 0.0
        await operator.set_host(HOST, lease_seq="lease_seq + 1", lease_owner=str(operator.store.worker_id))

    monkeypatch.setattr(host_session, "sleep_until", sleep_until)
    async with open_fetch(delay_s=DELAY_S) as fetch:
        with pytest.raises(LeaseLost):
            await fetch.run(f"{site.url}a")

    assert asked(site) == ["/robots.txt"]
    assert (await operator.host(HOST))["lease_owner"] == operator.store.worker_id


async def test_a_host_that_cannot_be_held_for_its_delay_is_given_back(operator, serve, open_fetch):
    site = serve({"/a": PAGE})
    async with open_fetch(delay_s=30.0, lease_s=20.0) as fetch:
        with pytest.raises(LeaseLost, match="could not be held"):
            await fetch.run(f"{site.url}a")

    assert (await operator.host(HOST))["lease_owner"] is None


async def test_after_a_lost_lease_the_first_request_waits_the_whole_delay(operator, serve, open_fetch):
    """A command that died may have ended its last request only a moment ago."""
    site = serve({"/a": PAGE})
    async with open_fetch() as fetch:
        await fetch.run(f"{site.url}a")
        ended = site.log()[-1].ended_monotonic
        await operator.set_host(HOST, due_at="now()", delay_ms=str(int(DELAY_S * 1000)))
        async with open_fetch(limits=Limits(5, ignore_robots=True)) as other:
            await other.run(f"{site.url}a")

    assert site.log()[-1].started_monotonic - ended >= DELAY_S


async def test_each_host_on_the_way_is_leased_and_asked_by_its_own_rules(operator, serve, open_fetch):
    rules = "User-agent: *\nDisallow: /private\n"
    site = serve(robots=Answer(body=rules, headers={"Content-Type": "text/plain"}), hosts=2)
    other = serve({"/a": redirect(f"{site.origins[1]}/private")}, first_octet=4)
    async with open_fetch() as fetch:
        single = await fetch.run(f"{other.url}a")

    assert (single.ending, single.url) == (FetchEnding.ROBOTS_BLOCKED, f"{site.origins[1]}/private")
    assert [hop.target for hop in single.hops] == [f"{site.origins[1]}/private"]
    assert asked(site) == ["/robots.txt"]
    for host in ("127.0.0.3", "127.0.0.4"):
        assert (await operator.host(host))["lease_owner"] is None


@pytest.mark.parametrize(("status", "is_followed"), [(307, True), (308, True), (302, False)])
async def test_a_form_is_sent_again_only_where_the_redirect_asks_for_it(
    serve, open_fetch, status, is_followed
):
    site = serve({"/hub": redirect("/new", status), "/new": PAGE})
    async with open_fetch() as fetch:
        outcome = await fetch.post(f"{site.url}hub", FORM)

    assert isinstance(outcome, Fetched if is_followed else Redirected)
    assert asked(site) == (["/hub", "/new"] if is_followed else ["/hub"])


async def test_a_form_that_is_redirected_for_ever_is_sent_a_limited_number_of_times(serve, open_fetch):
    site = serve({f"/{number}": redirect(f"/{number + 1}", 307) for number in range(9)})
    async with open_fetch(limits=Limits(max_redirects=3)) as fetch:
        outcome = await fetch.post(f"{site.url}0", FORM)

    assert isinstance(outcome, Redirected)
    assert asked(site) == ["/0", "/1", "/2", "/3"]


async def test_every_request_and_redirect_is_in_the_history(operator, serve, open_fetch):
    site = serve({"/a": redirect("/b"), "/b": PAGE})
    async with open_fetch() as fetch:
        await fetch.run(f"{site.url}a")

    outcomes = await operator.run(
        lambda db: db.fetchval("SELECT array_agg(outcome ORDER BY at) FROM fetch_log")
    )
    hops = await operator.run(lambda db: db.fetchval("SELECT array_agg(to_url) FROM redirect_hops"))
    assert outcomes == ["rejected", f"redirected to {site.url}b", "fetched"]
    assert hops == [f"{site.url}b"]


async def test_a_robots_txt_in_a_loop_of_redirects_counts_as_missing(serve, open_fetch):
    site = serve({"/a": PAGE}, robots=redirect("/robots.txt"))
    async with open_fetch() as fetch:
        single = await fetch.run(f"{site.url}a")

    assert single.ending is FetchEnding.FETCHED
    assert asked(site) == ["/robots.txt", "/a"]
    assert not isinstance(single.outcome, Rejected)
