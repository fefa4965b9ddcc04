"""The poison guard in a crawl: a URL that takes workers down is parked, its neighbours are fetched."""

from tests.support.site import html
from tests.support.worker import paths


async def _die_on(crawl, url):
    """A worker claims the host, puts the URL on record as it must, and is never heard of again."""
    [lease] = await crawl.operator.claim()
    entry = next(entry for entry in lease.entries if entry.url == url)
    if lease.relapsed:
        await crawl.operator.run(lambda db: crawl.operator.store.mark_in_progress(db, lease, entry.key))
    await crawl.operator.let_lease_run_out(lease.host)
    return lease


async def test_a_url_that_takes_its_worker_down_is_parked(crawl, serve):
    site = serve({"/bad": html("bad"), "/good": html("good")})
    await crawl.seed(site.url + "bad")
    await crawl.operator.queue(site.url + "good", priority=1)
    crash_counts = []
    while (lease := await _die_on(crawl, site.url + "bad")).crash_count < 5:
        crash_counts.append(lease.crash_count)
    await crawl.run()

    assert crash_counts[-4:] == [1, 2, 3, 4]
    assert paths(site) == ["/good"]
    assert await crawl.states() == {site.url + "bad": "dead: poison", site.url + "good": "fetched"}


async def test_a_url_that_survives_is_cleared(crawl, serve):
    site = serve({"/1": html("a"), "/2": html("b")})
    await crawl.seed(site.url + "1", site.url + "2")
    for _ in range(2):
        await _die_on(crawl, site.url + "1")
    await crawl.run()

    assert sorted(paths(site)) == ["/1", "/2"]
    host = await crawl.operator.host("127.0.0.2")
    assert (host["blame"], host["accused"]) == (0, None)
