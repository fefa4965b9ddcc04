"""The sums of discovered domains that the leader makes: what they hold, and what is read beside them."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import cast

import asyncpg
import pytest
from tests.support.make import ADHOC

from outrider.coordination.errors import StaleLeader
from outrider.services.discovered.lists import list_domains
from outrider.services.paging import PageRequest
from outrider.urls import key_of
from outrider.watch.discovery.domain_sums import MOST_SUMMED_BY_READERS, OLDEST_SUMS, sum_domains, sums_as_of
from outrider.watch.discovery.outside_links import (
    DiscoveredDomain,
    DiscoveredStore,
    DomainFilter,
    DomainState,
    OutsideLink,
)

STORE = DiscoveredStore()
NOW = datetime.now(UTC)
FEW = 2


@pytest.fixture
async def db(pool: asyncpg.Pool) -> AsyncIterator[asyncpg.Connection]:
    async with pool.acquire() as connection:
        yield cast(asyncpg.Connection, connection)


async def leads(db: asyncpg.Connection) -> None:
    """The fence of a process that leads."""


async def leads_no_more(db: asyncpg.Connection) -> None:
    raise StaleLeader("another scheduler leads")


async def record(db: asyncpg.Connection, *urls: str) -> None:
    links = [OutsideLink(key_of(url), url, priority=4) for url in urls]
    await STORE.record(db, ADHOC, "https://us.example/story", 1, links)


async def three_links(db: asyncpg.Connection) -> None:
    await record(db, "https://a.example/1", "https://a.example/2", "https://b.example/1")


async def listed(
    db: asyncpg.Connection, *, from_sums: bool = True, **wanted: object
) -> dict[str, DiscoveredDomain]:
    found, _, _ = await STORE.domains(db, DomainFilter(**wanted), NOW, from_sums=from_sums)  # type: ignore[arg-type]
    return {each.domain: each for each in found}


async def test_the_sums_show_what_the_links_show(db):
    await three_links(db)
    await db.execute(
        "UPDATE discovered_link SET http_status = 200, content_type = 'text/html' WHERE url ~ '1'"
    )
    assert await sum_domains(db, leads, NOW, FEW)
    assert await sums_as_of(db, NOW, FEW) == NOW
    from_sums = await listed(db)
    assert from_sums == await listed(db, from_sums=False)
    assert (from_sums["a.example"].links, from_sums["a.example"].ok_ratio) == (2, 1.0)
    assert list(await listed(db, search="B.")) == ["b.example"]
    assert list(await listed(db, domain="a.example")) == ["a.example"]


async def test_links_wait_for_the_next_sums_but_decisions_do_not(db):
    await three_links(db)
    await sum_domains(db, leads, NOW, FEW)
    await record(db, "https://b.example/2", "https://c.example/1")
    await STORE.mark(db, "a.example", DomainState.IGNORED)
    await db.execute(
        "INSERT INTO source_host (host_id, host, source_id) VALUES (7, 'www.b.example', $1)", ADHOC
    )
    found = await listed(db)
    assert {name: (each.links, each.is_watched) for name, each in found.items()} == {"b.example": (1, True)}
    assert not await listed(db, hide_watched=True)
    await sum_domains(db, leads, NOW, FEW)
    assert {name: each.links for name, each in (await listed(db)).items()} == {"b.example": 2, "c.example": 1}


async def test_a_domain_without_links_leaves_the_sums(db):
    await three_links(db)
    await record(db, "https://c.example/1")
    await sum_domains(db, leads, NOW, FEW)
    await db.execute("DELETE FROM discovered_link WHERE domain = 'b.example'")
    await sum_domains(db, leads, NOW, FEW)
    assert set(await listed(db)) == {"a.example", "c.example"}


async def test_few_links_are_summed_up_by_readers(db):
    await three_links(db)
    await sum_domains(db, leads, NOW, FEW)
    assert await sums_as_of(db, NOW, 3) is None, "few links"
    assert not await sum_domains(db, leads, NOW, 3)
    assert await sums_as_of(db, NOW, FEW) is None, "no sums are kept"
    assert not await listed(db)


async def test_sums_that_nobody_renews_are_not_read(db):
    await three_links(db)
    await sum_domains(db, leads, NOW, FEW)
    assert await sums_as_of(db, NOW + OLDEST_SUMS, FEW) == NOW
    assert await sums_as_of(db, NOW + OLDEST_SUMS + timedelta(seconds=1), FEW) is None


async def test_a_leader_whose_term_is_over_sums_up_nothing(db):
    await three_links(db)
    with pytest.raises(StaleLeader):
        await sum_domains(db, leads_no_more, NOW, FEW)
    assert await sums_as_of(db, NOW, FEW) is None


async def test_a_long_list_says_of_when_it_is(db):
    await db.execute(
        """INSERT INTO discovered_link (source_id, host_id, url_hash, url, domain, depth)
           SELECT $1, i % 100, gen_random_uuid(), 'https://d' || i % 100 || '.example/' || i,
                  'd' || i % 100 || '.example', 1
             FROM generate_series(0, $2::int) AS i""",
        ADHOC,
        MOST_SUMMED_BY_READERS,
    )
    page = PageRequest(limit=60)
    assert (await list_domains(db, DomainFilter(), page, NOW)).as_of is None, "no leader summed up"
    await sum_domains(db, leads, NOW)
    found = await list_domains(db, DomainFilter(), page, NOW)
    assert (found.as_of, found.total, len(found.items)) == (NOW, 100, 60)
    rest = await list_domains(db, DomainFilter(), PageRequest(limit=60, after=found.next), NOW)
    assert len({each.domain for each in (*found.items, *rest.items)}) == 100
