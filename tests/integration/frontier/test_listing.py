"""A list of entries: every filter, every order, whole totals, and never a walk through everything."""

import json

import pytest
from tests.support.make import completion, submission

from outrider.frontier import listing
from outrider.frontier.listing import Order, Wanted, list_urls
from outrider.frontier.model import Kind, Origin, State
from outrider.urls import key_of

OLD, SOON, LATE, GONE, DONE, MOVED, FEED = (
    f"http://{name}" for name in ("a.test/old", "a.test/soon", "b.test/late", "b.test/gone", "b.test/done",
                                  "c.test/moved", "c.test/feed")
)  # fmt: skip


@pytest.fixture
async def news(clerk):
    """Seven entries of all sorts; returns the source of some of them."""
    source = await clerk.new_source("news")
    await clerk.queue(OLD, priority=3)
    await clerk.queue(SOON, priority=9, origin=Origin.FEED, source_id=source)
    await clerk.queue(LATE, GONE, DONE, MOVED, priority=5, source_id=source, origin=Origin.SPIDER)
    await clerk.ingest([submission(FEED, 7, source_id=source, kind=Kind.FEED)])
    await clerk.complete(
        completion(LATE, reason="http_500", retry_in_s=3600, attempts=1),
        completion(GONE, reason="max_retries:timeout", attempts=3),
        completion(DONE),
        completion(MOVED, status=301, moved_to=key_of(DONE)),
        completion("http://a.test/robots.txt", kind=Kind.ROBOTS),
    )
    return source


async def _listed(clerk, **wanted):
    found = await clerk.run(lambda db: list_urls(db, Wanted(**wanted)))
    return [line.url for line in found.urls]


@pytest.mark.parametrize(
    ("wanted", "urls"),
    [
        ({"status": State.PENDING}, {OLD, SOON, LATE, FEED}),
        ({"status": State.FETCHED}, {DONE}),
        ({"status": State.DEAD}, {GONE}),
        ({"status": State.ALIAS}, {MOVED}),
        ({"host": "b.test"}, {LATE, GONE, DONE}),
        ({"host": "b.test", "status": State.DEAD}, {GONE}),
        ({"origin": Origin.FEED}, {SOON}),
        ({"kind": Kind.FEED}, {FEED}),
        ({"kind": Kind.ROBOTS}, {"http://a.test/robots.txt"}),
        ({"search": "test/o"}, {OLD}),
        ({"search": "%"}, set()),
        ({"error": "max_retries:timeout"}, {GONE}),
        ({"error": "timeout"}, {GONE}),
        ({"error": "http_500", "status": State.DEAD}, set()),
        ({"host": "nowhere.test"}, set()),
    ],
)
async def test_filters_leave_what_they_name(clerk, news, wanted, urls):
    found = await clerk.run(lambda db: list_urls(db, Wanted(**wanted)))

    assert {line.url for line in found.urls} == urls
    assert (found.total, found.is_exact, found.is_sorted) == (len(urls), True, True)


async def test_a_source_lists_what_it_shares_by_the_state_it_has_for_it(clerk, news):
    other = await clerk.new_source("other")
    await clerk.queue(SOON, DONE, GONE, source_id=other)
    await clerk.run(lambda db: clerk.store.visit_again(db, [key_of(DONE)], other))

    assert set(await _listed(clerk, source_id=other)) == {SOON, DONE, GONE}
    assert set(await _listed(clerk, source_id=other, status=State.PENDING)) == {SOON, DONE}
    assert DONE not in await _listed(clerk, source_id=news, status=State.PENDING), (
        "only the other waits for it"
    )
    found = await clerk.run(lambda db: list_urls(db, Wanted(source_id=news, search=DONE)))
    assert [line.status for line in found.urls] == ["fetched"]


async def test_a_source_lists_its_own(clerk, news):
    assert set(await _listed(clerk, source_id=news)) == {SOON, LATE, GONE, DONE, MOVED, FEED}
    assert set(await _listed(clerk, source_id=news, status=State.PENDING)) == {SOON, LATE, FEED}


@pytest.mark.parametrize(
    ("order", "first"),
    [
        (Order.PRIORITY, [SOON, FEED, LATE]),
        (Order.NEXT, [OLD, SOON, FEED]),
        (Order.CREATED, [FEED]),
    ],
)
async def test_the_order_is_the_one_asked_for(clerk, news, order, first):
    listed = await _listed(clerk, order=order)

    assert listed[: len(first)] == first
    assert len(listed) == 7, "and robots.txt is not among them"


async def test_pages_follow_each_other_without_gap_or_repeat(clerk, news):
    pages = [await _listed(clerk, limit=3, offset=offset) for offset in (0, 3, 6, 9)]

    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert [url for page in pages for url in page] == await _listed(clerk)
    assert (await clerk.run(lambda db: list_urls(db, Wanted(limit=3)))).total == 7


async def test_a_line_says_what_the_view_says(clerk, news):
    [line] = (await clerk.run(lambda db: list_urls(db, Wanted(status=State.ALIAS)))).urls
    row = dict(await clerk.run(lambda db: db.fetchrow("SELECT * FROM url_frontier WHERE url = $1", MOVED)))

    said = {name: getattr(line, name) for name in line.__slots__}
    assert said == {name: row[name] for name in said}


async def test_past_its_bounds_a_list_says_so(clerk, news, monkeypatch):
    monkeypatch.setattr(listing, "MOST_COUNTED", 2)

    found = await clerk.run(lambda db: list_urls(db, Wanted(host="b.test")))

    assert (len(found.urls), found.total, found.is_exact, found.is_sorted) == (3, 2, False, False)


@pytest.mark.parametrize(
    ("wanted", "index"),
    [
        ((State.DEAD, None, None), "url_dead"),
        ((State.PENDING, None, 1), "url_pending"),
        ((None, 7, None), "url_of_source"),
        ((None, None, 1), "url_pkey"),
    ],
    ids=["dead", "pending of a host", "a source", "a host"],
)
async def test_the_usual_filters_are_served_by_an_index(clerk, wanted, index):
    await clerk.run(
        lambda db: db.execute(
            "INSERT INTO url (host_id, url_hash, url, q_at, source_id) "
            "SELECT n % 50, md5(n::text)::uuid, 'http://h.test/' || n, now(), n % 20 "
            "FROM generate_series(1, 20000) n"
        )
    )
    await clerk.run(lambda db: db.execute("ANALYZE url"))

    async def plan(db):
        async with db.transaction():
            await db.execute("SET LOCAL plan_cache_mode = force_custom_plan")
            filters = (*wanted, None, None, None, None, "priority", 100_000, 50, 0)
            return await db.fetchval("EXPLAIN (FORMAT JSON) " + listing._SQL.list_urls, *filters)

    assert index in json.dumps(await clerk.run(plan))
