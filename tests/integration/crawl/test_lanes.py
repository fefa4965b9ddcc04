"""How many hosts one worker talks to at the same time."""

from collections.abc import Sequence

import pytest
from tests.support.site import Asked, html

HOSTS = 6


def _most_at_once(log: Sequence[Asked]) -> int:
    edges = [(one.started_monotonic, 1) for one in log] + [(one.ended_monotonic, -1) for one in log]
    under_way = most = 0
    for _, change in sorted(edges):
        under_way += change
        most = max(most, under_way)
    return most


@pytest.mark.parametrize("lanes", [1, 3])
async def test_a_worker_asks_no_more_hosts_at_once_than_it_has_lanes(crawl, serve, lanes):
    site = serve(pages=2, hosts=HOSTS, latency=0.05)
    crawl.set("crawl", lanes=lanes)
    await crawl.seed(*site.urls)
    await crawl.run()

    assert set((await crawl.states()).values()) == {"fetched"}
    assert _most_at_once(site.log()) <= lanes


@pytest.mark.parametrize(("turn_s", "leases"), [(0.1, 4), (60, 1)])
async def test_a_host_goes_back_after_a_turn_so_that_what_is_urgent_comes_first(crawl, serve, turn_s, leases):
    site = serve({f"/{name}": html(name) for name in "abcd"})
    crawl.set("crawl", turn_s=turn_s)
    crawl.set("hosts", delay_ms=200)
    await crawl.seed(*(f"{site.origins[0]}/{name}" for name in "abcd"))
    await crawl.run()

    assert set((await crawl.states()).values()) == {"fetched"}
    assert (await crawl.operator.host(site.plan.addresses[0]))["lease_seq"] == leases
