"""Between two leases a host is free for a moment: others who look just then leave it to who comes back."""

import asyncio

from tests.support.make import Operator

from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.store import FrontierStore

HOSTS, PAGES = 20, 30
STRANGER = 1_000_000  # a worker that no other knows of: nobody leaves it a share
MOST = 2 * HOSTS  # a machine that stands still for half a second may lose them all, and once more


async def test_hosts_stay_with_their_worker_however_often_another_one_looks(crawl, serve, database):
    site = serve(pages=PAGES, hosts=HOSTS)
    crawl.set("frontier", urls_per_host=2)
    await crawl.seed(*(f"{origin}/" for origin in site.origins), max_depth=-1)
    stranger = Operator(
        ReconnectingConnection(database, application_name="tests stranger"),
        FrontierStore(crawl.settings.frontier, STRANGER),
    )
    crawling = asyncio.create_task(crawl.run())
    while await stranger.run(lambda db: db.fetchval("SELECT count(*) FROM host WHERE lease_seq = 0")):
        pass

    looks = taken = 0
    while not crawling.done() and taken < MOST:
        leases = await stranger.claim()
        looks, taken = looks + 1, taken + len(leases)
        await stranger.release(*leases, wait_s=0.2)
    await crawling
    await stranger.connection.close()

    leased = await crawl.operator.run(lambda db: db.fetchval("SELECT sum(lease_seq) FROM host"))
    assert leased >= HOSTS * PAGES / 2
    assert looks > 20
    assert taken < MOST
