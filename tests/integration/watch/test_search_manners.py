"""A search is a guest like any other: it rests when asked to, and leaves when its lease is gone."""

import asyncpg
import pytest
from tests.support.newsroom import Answer, Engine, Newsroom
from tests.support.publications import alternate, page, rss

from outrider.crawl.politeness import host_session
from outrider.frontier.lease import Lease
from outrider.frontier.store import FrontierStore
from outrider.watch.discovery.search import ChannelSearch


async def test_a_site_that_asks_for_a_rest_keeps_what_was_found_before(
    engine: Engine, room: Newsroom, search: ChannelSearch
):
    room.publish("/", page("Daily", head=alternate("/good") + alternate("/busy")))
    room.publish("/good", rss([("/a", None)]))
    room.publish("/busy", Answer(429, headers={"Retry-After": "600"}))
    await engine.watch("daily", room.origin())

    await search.one()

    assert (f"{room.origin()}/good", "alternate", False) in await engine.found()
    assert [each.path for each in room.asked()] == ["/", "/good", "/busy"]


async def test_a_search_makes_no_request_after_it_lost_its_lease(
    engine: Engine, room: Newsroom, search: ChannelSearch, monkeypatch: pytest.MonkeyPatch
):
    leases: list[Lease] = []
    lease_host = FrontierStore.lease_host

    async def leased(store: FrontierStore, db: asyncpg.Connection, host: str) -> Lease | None:
        lease = await lease_host(store, db, host)
        leases.extend([lease] if lease else [])
        return lease

    async def sleep_until(moment: float) -> None:
        leases[0].expires = 0.0
        await engine.rows("UPDATE host SET lease_seq = lease_seq + 1, lease_owner = NULL RETURNING 1")

    monkeypatch.setattr(FrontierStore, "lease_host", leased)
    monkeypatch.setattr(host_session, "sleep_until", sleep_until)
    room.publish("/", page("Daily"))
    await engine.watch("daily", room.origin())

    await search.one()

    assert len(room.asked("/robots.txt")) == 1
    assert room.asked() == []
