"""robots.txt as it is remembered: by origin, for as long as it may be believed."""

import time

import pytest

from outrider.robots.store import LARGEST, RobotsStore
from outrider.urls import host_id_of

HOST = host_id_of("a.test")
RULES = b"User-agent: *\nDisallow: /closed\nCrawl-delay: 2\n"


@pytest.fixture
async def db(pool):
    async with pool.acquire() as connection:
        yield connection


async def _remember(db, origin="http://a.test", status=200, body=RULES, life_s=3600.0):
    await RobotsStore().remember(db, host_id=HOST, origin=origin, status=status, body=body, life_s=life_s)


async def _held(db):
    return await RobotsStore().of_hosts(db, [HOST])


async def test_rules_come_back_as_they_were(db):
    await _remember(db)

    held = (await _held(db))["http://a.test"]

    assert not held.robots.allows("outrider", "http://a.test/closed")
    assert held.robots.allows("outrider", "http://a.test/open")
    assert held.robots.crawl_delay("outrider") == 2
    assert (held.status, held.body) == (200, RULES)


async def test_each_origin_has_its_own(db):
    await _remember(db)
    await _remember(db, origin="https://a.test:8443", status=404, body=b"")

    held = await _held(db)

    assert sorted(held) == ["http://a.test", "https://a.test:8443"]
    assert held["https://a.test:8443"].robots.allows("outrider", "https://a.test:8443/closed")


async def test_the_latest_counts(db):
    await _remember(db)
    await _remember(db, body=b"")

    assert (await _held(db))["http://a.test"].robots.allows("outrider", "http://a.test/closed")


@pytest.mark.parametrize(("life_s", "is_fresh"), [(3600, True), (-1, False)])
async def test_stored_rules_are_valid_until_they_expire(db, life_s, is_fresh):
    await _remember(db, life_s=life_s)

    assert ((await _held(db))["http://a.test"].expires > time.monotonic()) is is_fresh


async def test_no_more_is_stored_than_is_read(db):
    await _remember(db, body=b"#" * (LARGEST + 1000))

    assert len((await _held(db))["http://a.test"].body) == LARGEST


async def test_unknown_hosts_have_none(db):
    assert await RobotsStore().of_hosts(db, [1, 2]) == {}
