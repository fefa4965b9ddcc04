"""Long lists are read page by page: every row once, while others are added."""

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from outrider.errors import InvalidInput
from outrider.hosts.view import HostOrder
from outrider.services.discovered.lists import list_domains, list_links
from outrider.services.hosts.hosts import list_hosts
from outrider.services.paging import PageRequest
from outrider.services.urls import lists as listing
from outrider.services.urls.lists import Order
from outrider.services.urls.urls import UrlFilters, UrlKind, list_urls
from outrider.watch.discovery.outside_links import DomainFilter, LinkFilter

ROWS, ADDED, ADDITIONS = 60, 4, 10
SEEDS = range(3)
NOW = datetime(2026, 5, 1, tzinfo=UTC)

# Few different values, so that most rows are equal in all but the tie-breaker.
ADD_URLS = """
INSERT INTO url (host_id, url_hash, url, prio, next_fetch_at, discovered_at, source_id)
SELECT 1 + n % 3, md5($1 || n)::uuid, 'http://h.test/' || $1 || n, (ARRAY[1, 5, -5, 9])[1 + n % 4],
       (ARRAY[NULL, now(), 'infinity', '-infinity', '2026-05-01'])[1 + n % 5]::timestamptz,
       (ARRAY['2026-05-01 10:00:00.000001', '2026-05-01 10:00:00.000002'])[1 + n % 2]::timestamptz, $3
  FROM generate_series(1, $2::int) n
"""
ADD_HOSTS = """
WITH added AS (
  INSERT INTO host_info (host_id, host, pages, errors, busy_ms, requests)
  SELECT ('x' || left(md5($1 || n), 15))::bit(60)::bigint, 'h' || n % 9 || '.test',
         n % 3, n % 2, n % 4 * 100, n % 3
    FROM generate_series(1, $2::int) n
  RETURNING host_id
)
INSERT INTO host (host_id, delay_ms)
SELECT host_id, 1000 + host_id % 3 FROM added WHERE host_id % 2 = 0
"""
ADD_LINKS = """
INSERT INTO discovered_link (source_id, host_id, url_hash, url, domain, discovered_at)
SELECT $3::int, n % 3, md5($1 || n)::uuid, 'http://h.test/' || repeat('a', 1000) || $1 || n,
       'd' || $4 || n % 20 || '.test',
       (ARRAY['2026-04-30', '2026-04-29'])[1 + n % 2]::timestamptz
  FROM generate_series(1, $2::int) n
"""


async def _walk(operator, seed, add, page_of, name_of):
    """Read a list to its end, and add rows between the pages; returns every name with its number of times."""
    dice, seen, after, pages = random.Random(seed), Counter(), "start", 0
    while after is not None:
        request = PageRequest(dice.randint(1, 13), after=after)
        page = await operator.run(lambda db, request=request: page_of(db, request))
        seen.update(map(name_of, page.items))
        after, pages = page.next, pages + 1
        if after is not None and pages <= ADDITIONS:
            await add(f"added{seed}{pages}", ADDED)
    assert pages > ROWS // 13
    return seen


def _each_once(seen, first):
    assert {name for name in first if seen[name] != 1} == set()
    assert [name for name, times in seen.items() if times > 1] == []


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("seed", SEEDS)
async def test_urls(operator, seed, order):
    source = await operator.new_source("news")

    async def add(tag, number):
        await operator.run(lambda db: db.execute(ADD_URLS, tag, number, source))

    await add("first", ROWS)
    filters = UrlFilters(kind=UrlKind.PAGE)
    seen = await _walk(
        operator, seed, add, lambda db, page: list_urls(db, filters, order, page), lambda line: line.url
    )

    _each_once(seen, [f"http://h.test/first{n}" for n in range(1, ROWS + 1)])


@pytest.mark.parametrize("seed", SEEDS)
async def test_urls_of_a_source_with_those_it_shares(operator, seed):
    one, other = await operator.new_source("one"), await operator.new_source("other")
    shared = [f"http://h{n % 4}.test/{n}" for n in range(20)]
    await operator.queue(*shared, *(f"http://own.test/{n}" for n in range(ROWS)), source_id=one)
    await operator.queue(*shared, source_id=other)

    async def add(tag, number):
        await operator.queue(*(f"http://{tag}.test/{n}" for n in range(number)), source_id=one)

    filters = UrlFilters(source="one")
    seen = await _walk(
        operator, seed, add, lambda db, page: list_urls(db, filters, Order.KEY, page), lambda line: line.url
    )

    _each_once(seen, [*shared, *(f"http://own.test/{n}" for n in range(ROWS))])


@pytest.mark.parametrize("order", HostOrder)
@pytest.mark.parametrize("seed", SEEDS)
async def test_hosts(operator, seed, order):
    async def add(tag, number):
        await operator.run(lambda db: db.execute(ADD_HOSTS, tag, number))

    await add("first", ROWS)
    first = await operator.run(lambda db: db.fetch("SELECT host_id FROM host_info"))
    seen = await _walk(
        operator, seed, add, lambda db, page: list_hosts(db, order, page), lambda host: host.host_id
    )

    _each_once(seen, [row["host_id"] for row in first])


@pytest.mark.parametrize("seed", SEEDS)
async def test_links_that_two_sources_found_at_the_same_time(operator, seed):
    sources = [await operator.new_source("one"), await operator.new_source("other")]

    async def add(tag, number):
        for source in sources:
            await operator.run(lambda db, source=source: db.execute(ADD_LINKS, tag, number, source, ""))

    await add("first", ROWS // 2)
    first = await operator.run(
        lambda db: db.fetch("SELECT s.name, l.url FROM discovered_link l JOIN source s USING (source_id)")
    )
    totals = []

    async def page_of(db, page):
        found = await list_links(db, LinkFilter(), page)
        totals.append(found.total)
        return found

    seen = await _walk(operator, seed, add, page_of, lambda link: (link.source, link.url))

    _each_once(seen, [(row["name"], row["url"]) for row in first])
    assert totals[0] == len(first) == ROWS
    assert totals == sorted(totals), "the total is that of the whole list"


@pytest.mark.parametrize("seed", SEEDS)
async def test_domains(operator, seed):
    source = await operator.new_source("one")

    async def add(tag, number):
        await operator.run(lambda db: db.execute(ADD_LINKS, tag, number, source, tag))

    for group in range(3):
        await add(f"first{group}", 20 + group)
    first = await operator.run(lambda db: db.fetch("SELECT DISTINCT domain FROM discovered_link"))
    assert len(first) == ROWS
    days = count()

    async def page_of(db, page):
        """A page every day: the scores of the first day count."""
        return await list_domains(db, DomainFilter(), page, NOW + timedelta(days=next(days)))

    seen = await _walk(operator, seed, add, page_of, lambda found: found.domain)

    _each_once(seen, [row["domain"] for row in first])


async def test_a_list_that_is_too_long_to_sort_has_no_next_page_but_in_the_order_of_keys(
    operator, monkeypatch
):
    source = await operator.new_source("news")
    await operator.run(lambda db: db.execute(ADD_URLS, "first", ROWS, source))
    filters = UrlFilters(kind=UrlKind.PAGE)

    async def listed(order, after=None):
        return await operator.run(lambda db: list_urls(db, filters, order, PageRequest(5, after=after)))

    small = await listed(Order.PRIORITY)
    monkeypatch.setattr(listing, "MOST_SORTED", ROWS - 1)
    large, by_key = await listed(Order.PRIORITY), await listed(Order.KEY)

    assert (large.next, large.is_sorted) == (None, False)
    assert by_key.next is not None
    assert by_key.is_sorted
    with pytest.raises(InvalidInput, match="too many to sort by priority"):
        await listed(Order.PRIORITY, small.next)
    with pytest.raises(InvalidInput, match="made for another list or order"):
        await listed(Order.KEY, small.next)


async def test_the_order_of_keys_reads_only_one_page_of_the_index(operator):
    await operator.run(
        lambda db: db.execute(
            "INSERT INTO url (host_id, url_hash, url) "
            "SELECT n % 50, md5(n::text)::uuid, 'http://h.test/' || n FROM generate_series(1, 20000) n"
        )
    )
    await operator.run(lambda db: db.execute("ANALYZE url"))

    async def plan(db):
        async with db.transaction():
            await db.execute("SET LOCAL plan_cache_mode = force_custom_plan")
            place = (0, False, 0, 25, "0" * 32)
            rows = await db.fetch(
                "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + listing._SQL.list_urls,
                *(None,) * 7, "key", 51, 51, 0, *place, 1, "walk", None,
            )  # fmt: skip
            return "\n".join(row[0] for row in rows)

    told = await operator.run(plan)
    assert "Index Cond: (ROW(host_id, url_hash) > ROW('25'::bigint" in told
    assert "rows=51" in told
    assert "Seq Scan on url " not in told


@pytest.mark.parametrize("after", ["nonsense", "W10"])
async def test_a_broken_cursor_is_refused(operator, after):
    page = PageRequest(after=after)
    lists = (
        lambda db: list_urls(db, UrlFilters(), Order.NEXT, page),
        lambda db: list_hosts(db, HostOrder.PAGES, page),
        lambda db: list_links(db, LinkFilter(), page),
        lambda db: list_domains(db, DomainFilter(), page, NOW),
    )
    for use_case in lists:
        with pytest.raises(InvalidInput, match="the cursor cannot be read"):
            await operator.run(use_case)


async def test_a_cursor_and_an_offset_exclude_each_other(operator):
    page = PageRequest(offset=1, after="start")

    with pytest.raises(InvalidInput, match="give a cursor or an offset, not both"):
        await operator.run(lambda db: list_hosts(db, HostOrder.PAGES, page))
