"""Links that led out of their source: recorded once, summed up by domain, decided about, promoted."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import cast

import asyncpg
import pytest
from tests.support.make import ADHOC

from outrider.errors import Conflict, NotFound
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.urls import key_of
from outrider.watch.discovery.outside_links import (
    MOST_OF_A_DOMAIN,
    DiscoveredDomain,
    DiscoveredStore,
    DomainFilter,
    DomainState,
    LinkFilter,
    LinkStatus,
    OutsideLink,
    promote,
)
from outrider.watch.source_service import SourceService

STORE = DiscoveredStore()
PARENT = "https://us.example/story"


@pytest.fixture
async def db(pool: asyncpg.Pool) -> AsyncIterator[asyncpg.Connection]:
    async with pool.acquire() as connection:
        yield cast(asyncpg.Connection, connection)


@pytest.fixture
def source_service() -> SourceService:
    return SourceService(FrontierStore(FrontierOptions()))


async def record(db: asyncpg.Connection, *urls: str, source_id: int = ADHOC, depth: int = 1) -> None:
    links = [OutsideLink(key_of(url), url, priority=4) for url in urls]
    await STORE.record(db, source_id, PARENT, depth, links)


async def source(db: asyncpg.Connection, name: str) -> int:
    found: int = await db.fetchval(
        "INSERT INTO source (name, url, kind) VALUES ($1, 'https://' || $1, 'watch') RETURNING source_id",
        name,
    )
    return found


async def domains(db: asyncpg.Connection, **wanted: object) -> list[DiscoveredDomain]:
    found, total, _ = await STORE.domains(db, DomainFilter(**wanted), datetime.now(UTC))  # type: ignore[arg-type]
    assert total == len(found)
    return found


async def test_a_source_may_keep_what_it_links_to_to_itself(db: asyncpg.Connection):
    """SRC-01: allow_source_discovery."""
    quiet = await source(db, "quiet.example")
    await db.execute("UPDATE source SET allow_source_discovery = false WHERE source_id = $1", quiet)

    await record(db, "https://a.example/1", source_id=quiet)

    assert await domains(db) == []


async def test_a_link_is_recorded_once_for_its_source(db: asyncpg.Connection):
    """SPI-09."""
    other = await source(db, "other.example")
    for _ in range(3):
        await record(db, "https://a.example/1", "https://www.a.example/2")
    await record(db, "https://a.example/1", source_id=other)

    found, total, _ = await STORE.links(db, LinkFilter(domain="a.example"))

    assert total == 3
    assert {(link.url, link.source) for link in found} == {
        ("https://a.example/1", "adhoc"),
        ("https://a.example/1", "other.example"),
        ("https://www.a.example/2", "adhoc"),
    }
    assert {(link.parent_url, link.depth, link.priority, link.status) for link in found} == {
        (PARENT, 1, 4, LinkStatus.NEW)
    }


async def test_a_domain_gets_no_more_links_than_tell_what_it_is(db: asyncpg.Connection):
    for start in range(0, 500, 50):
        await record(db, *(f"https://a.example/{start + n}" for n in range(50)))

    assert (await domains(db))[0].links == MOST_OF_A_DOMAIN


@pytest.mark.parametrize(
    ("status", "content_type", "sources", "days", "score"),
    [
        pytest.param(None, None, 1, 0, 24, id="nobody asked yet, seen today from one source"),
        pytest.param(200, "text/html; charset=utf-8", 1, 0, 84, id="a page"),
        pytest.param(404, None, 1, 0, 24, id="not there"),
        pytest.param(200, "application/pdf", 1, 0, 54, id="no page"),
        pytest.param(200, "text/html", 5, 0, 100, id="five sources"),
        pytest.param(200, "text/html", 7, 0, 100, id="more than five count as five"),
        pytest.param(200, "text/html", 1, 15, 74, id="half a month ago"),
        pytest.param(200, "text/html", 1, 45, 64, id="long ago"),
    ],
)
async def test_the_score_of_a_domain(
    db: asyncpg.Connection, status: int | None, content_type: str | None, sources: int, days: int, score: int
):
    """SPI-10: 30 for answers, 30 for HTML, 20 for sources, 20 for freshness."""
    for number in range(sources):
        await record(db, "https://a.example/", source_id=await source(db, f"s{number}.example"))
    await db.execute(
        "UPDATE discovered_link "
        "SET http_status = $1, content_type = $2, discovered_at = now() - $3::interval",
        status,
        content_type,
        timedelta(days=days),
    )

    [domain] = await domains(db)

    assert (domain.score, domain.sources, domain.links) == (score, sources, sources)


async def test_what_the_frontier_knows_of_a_link_counts(db: asyncpg.Connection):
    """Shares are of the links somebody asked for."""
    await record(db, *(f"https://a.example/{n}" for n in range(4)), depth=3)
    for number, (status, content_type) in enumerate([(200, "text/html"), (200, "image/png"), (500, None)]):
        key = key_of(f"https://a.example/{number}")
        await db.execute(
            "INSERT INTO url (host_id, url_hash, url, http_status) VALUES ($1, $2, '', $3)",
            key.host_id,
            key.hash,
            status,
        )
        if content_type:
            await db.execute(
                "INSERT INTO document (host_id, url_hash, content_type, source_id, bytes, words, "
                "http_status, content_hash) VALUES ($1, $2, $3, 1, 0, 0, 200, '')",
                key.host_id,
                key.hash,
                content_type,
            )

    [domain] = await domains(db)

    assert (domain.ok_ratio, domain.html_ratio, domain.depth) == (pytest.approx(2 / 3), 0.5, 3.0)


async def test_domains_are_listed_best_first_and_filtered(db: asyncpg.Connection):
    await record(db, "https://few.example/1")
    await record(db, *(f"https://many.example/{n}" for n in range(3)))
    for number in range(4):
        await record(db, "https://best.example/1", source_id=await source(db, f"s{number}.example"))
    await db.execute("INSERT INTO source_host VALUES (1, 'news.few.example', 1)")

    assert [each.domain for each in await domains(db)] == ["best.example", "many.example", "few.example"]
    assert [each.domain for each in await domains(db, search="MANY")] == ["many.example"]
    assert [each.domain for each in await domains(db, min_score=30)] == ["best.example"]
    assert [each.domain for each in await domains(db, hide_watched=True)] == ["best.example", "many.example"]
    page, total, _ = await STORE.domains(db, DomainFilter(limit=1, offset=1), datetime.now(UTC))
    assert ([each.domain for each in page], total) == (["many.example"], 3)


async def test_an_ignored_domain_is_not_listed_and_gets_no_more_links(db: asyncpg.Connection):
    await record(db, "https://a.example/1", "https://b.example/1")

    assert await STORE.mark(db, "www.A.example", DomainState.IGNORED) == "a.example"
    await record(db, "https://a.example/2", "https://b.example/2")

    assert [(each.domain, each.links) for each in await domains(db)] == [("b.example", 2)]
    [ignored] = await domains(db, states=[DomainState.IGNORED])
    assert (ignored.domain, ignored.links) == ("a.example", 1)

    await STORE.mark(db, "a.example", DomainState.ACTIVE)
    await record(db, "https://a.example/2")
    assert {each.domain: each.links for each in await domains(db)} == {"a.example": 2, "b.example": 2}


async def test_one_link_can_be_ignored_alone(db: asyncpg.Connection):
    await record(db, "https://a.example/1", "https://a.example/2")

    assert await STORE.mark(db, "https://a.example/1", DomainState.IGNORED) == "https://a.example/1"

    ignored, _, _ = await STORE.links(db, LinkFilter(status=LinkStatus.IGNORED))
    assert [link.url for link in ignored] == ["https://a.example/1"]
    assert [each.state for each in await domains(db)] == ["active"]


@pytest.mark.parametrize("named", ["nowhere.example", "https://a.example/unknown", "not a host", ""])
async def test_what_no_link_led_to_is_not_found(db: asyncpg.Connection, named: str):
    await record(db, "https://a.example/1")

    with pytest.raises(NotFound):
        await STORE.mark(db, named, DomainState.IGNORED)


async def test_a_domain_is_promoted_to_a_source(db: asyncpg.Connection, source_service: SourceService):
    """SPI-11: on the host that most links led to, with the values that the operator gives."""
    await record(db, "https://a.example/1", "http://www.a.example/2", "http://www.a.example/3")

    settled = await promote(db, source_service, "a.example", {"name": "A", "mode": "both", "priority": "7"})

    made = settled.source
    assert (made.name, made.url, made.mode, made.priority) == ("A", "http://www.a.example/", "both", 7)
    [domain] = await domains(db, states=[DomainState.PROMOTED])
    assert (domain.domain, domain.is_watched) == ("a.example", True)
    promoted, _, _ = await STORE.links(db, LinkFilter(status=LinkStatus.PROMOTED))
    assert len(promoted) == 3
    with pytest.raises(Conflict):
        await promote(db, source_service, "a.example", {"name": "A again"})


async def test_a_link_is_promoted_by_watching_its_site(db: asyncpg.Connection, source_service: SourceService):
    await record(db, "https://news.a.example/story/1?id=2")

    settled = await promote(db, source_service, "https://news.a.example/story/1?id=2", {})

    assert (settled.source.name, settled.source.url) == ("news.a.example", "https://news.a.example/")
