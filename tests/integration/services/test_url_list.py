"""A list of entries: every filter, every order, whole totals, and never a walk through everything."""

import json

import pytest
from tests.support.make import completion, submission

from outrider.errors import InvalidInput
from outrider.frontier.model import EntryKind, State, UrlOrigin
from outrider.services.urls import lists as url_list
from outrider.services.urls.lists import Order, UrlFilter, list_urls
from outrider.urls import key_of

OLD, SOON, LATE, GONE, DONE, MOVED, FEED = (
    f"http://{name}" for name in ("a.test/old", "a.test/soon", "b.test/late", "b.test/gone", "b.test/done",
                                  "c.test/moved", "c.test/feed")
)  # fmt: skip


@pytest.fixture
async def news(operator):
    """Seven entries of all sorts; returns the source of some of them."""
    source = await operator.new_source("news")
    await operator.queue(OLD, priority=3)
    await operator.queue(SOON, priority=9, origin=UrlOrigin.FEED, source_id=source)
    await operator.queue(LATE, GONE, DONE, MOVED, priority=5, source_id=source, origin=UrlOrigin.SPIDER)
    await operator.ingest([submission(FEED, 7, source_id=source, kind=EntryKind.FEED)])
    await operator.complete(
        completion(LATE, reason="http_500", retry_in_s=3600, attempts=1),
        completion(GONE, reason="max_retries:timeout", attempts=3),
        completion(DONE),
        completion(MOVED, status=301, moved_to=key_of(DONE)),
        completion("http://a.test/robots.txt", kind=EntryKind.ROBOTS),
    )
    return source


async def _listed(operator, **wanted):
    found = await operator.run(lambda db: list_urls(db, UrlFilter(**wanted)))
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
        ({"origin": UrlOrigin.FEED}, {SOON}),
        ({"kind": EntryKind.FEED}, {FEED}),
        ({"kind": EntryKind.ROBOTS}, {"http://a.test/robots.txt"}),
        ({"search": "test/o"}, {OLD}),
        ({"search": "%"}, set()),
        ({"error": "max_retries:timeout"}, {GONE}),
        ({"error": "timeout"}, {GONE}),
        ({"error": "http_500", "status": State.DEAD}, set()),
        ({"host": "nowhere.test"}, set()),
    ],
)
async def test_filters_leave_what_they_name(operator, news, wanted, urls):
    found = await operator.run(lambda db: list_urls(db, UrlFilter(**wanted)))

    assert {line.url for line in found.urls} == urls
    assert (found.total, found.is_exact, found.is_sorted) == (len(urls), True, True)


async def test_a_source_lists_what_it_shares_by_the_state_it_has_for_it(operator, news):
    other = await operator.new_source("other")
    await operator.queue(SOON, DONE, GONE, source_id=other)
    await operator.run(lambda db: operator.store.visit_again(db, [key_of(DONE)], other))

    assert set(await _listed(operator, source_id=other)) == {SOON, DONE, GONE}
    assert set(await _listed(operator, source_id=other, status=State.PENDING)) == {SOON, DONE}
    assert DONE not in await _listed(operator, source_id=news, status=State.PENDING), (
        "only the other waits for it"
    )
    found = await operator.run(lambda db: list_urls(db, UrlFilter(source_id=news, search=DONE)))
    assert [line.status for line in found.urls] == ["fetched"]


async def test_a_source_lists_its_own(operator, news):
    assert set(await _listed(operator, source_id=news)) == {SOON, LATE, GONE, DONE, MOVED, FEED}
    assert set(await _listed(operator, source_id=news, status=State.PENDING)) == {SOON, LATE, FEED}


@pytest.mark.parametrize(
    ("order", "first"),
    [
        (Order.PRIORITY, [SOON, FEED, LATE]),
        (Order.NEXT, [OLD, SOON, FEED]),
        (Order.CREATED, [FEED]),
    ],
)
async def test_the_order_is_the_one_asked_for(operator, news, order, first):
    listed = await _listed(operator, order=order)

    assert listed[: len(first)] == first
    assert len(listed) == 7, "and robots.txt is not among them"


async def test_pages_follow_each_other_without_gap_or_repeat(operator, news):
    pages = [await _listed(operator, limit=3, offset=offset) for offset in (0, 3, 6, 9)]

    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert [url for page in pages for url in page] == await _listed(operator)
    assert (await operator.run(lambda db: list_urls(db, UrlFilter(limit=3)))).total == 7


async def test_a_line_says_what_the_view_says(operator, news):
    [line] = (await operator.run(lambda db: list_urls(db, UrlFilter(status=State.ALIAS)))).urls
    row = dict(await operator.run(lambda db: db.fetchrow("SELECT * FROM url_frontier WHERE url = $1", MOVED)))

    said = {name: getattr(line, name) for name in line.__slots__}
    assert said.pop("id") == key_of(MOVED)
    assert said == {name: row[name] for name in said}


async def test_past_its_bounds_a_list_says_so(operator, news, monkeypatch):
    monkeypatch.setattr(url_list, "MOST_SORTED", 2)

    found = await operator.run(lambda db: list_urls(db, UrlFilter(host="b.test")))

    assert (len(found.urls), found.total, found.is_exact, found.is_sorted) == (2, 2, False, False)
    assert found.examined == 2


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"search": "test/"},
        {"search": "%"},
        {"search": "_"},
        {"search": "test/", "status": State.PENDING},
        {"status": State.DEAD},
        {"error": "timeout"},
        {"error": "timeout", "status": State.DEAD},
        {"error": "nothing like it"},
        {"origin": UrlOrigin.FEED, "kind": EntryKind.PAGE},
        {"kind": EntryKind.ROBOTS},
        {"host": "b.test"},
        {"host": "b.test", "search": "done"},
        {"source_id": 2},
        {"source_id": 2, "status": State.PENDING},
        {"source_id": 2, "search": "done", "host": "b.test"},
    ],
)
async def test_a_walk_over_the_bound_finds_each_match_once(operator, news, monkeypatch, wanted):
    other = await operator.new_source("other")
    await operator.queue(SOON, DONE, GONE, source_id=other)  # which `news` then shares
    assert news == 2
    whole = await _listed(operator, order=Order.KEY, **wanted)
    monkeypatch.setattr(url_list, "MOST_SORTED", 2)

    walked, place = [], None
    for _ in range(20):
        found = await operator.run(
            lambda db, place=place: list_urls(db, UrlFilter(order=Order.KEY, limit=1, after=place, **wanted))
        )
        walked += [line.url for line in found.urls]
        place = found.last
        if place is None:
            break

    assert place is None
    assert walked == whole


async def test_an_offset_behind_the_bound_is_refused_not_answered_with_other_entries(
    operator, news, monkeypatch
):
    monkeypatch.setattr(url_list, "MOST_SORTED", 2)
    wanted = UrlFilter(search="c.test/feed", order=Order.KEY, offset=1)

    with pytest.raises(InvalidInput, match="behind the 2 URLs that one list examines"):
        await operator.run(lambda db: list_urls(db, wanted))


@pytest.mark.parametrize(
    ("wanted", "index"),
    [
        ((State.DEAD, None, None, "dead"), "url_dead"),
        ((State.PENDING, None, None, "pending"), "url_pending"),
        ((None, 7, None, "source"), "url_of_source"),
        ((None, None, 1, "host"), "url_pkey"),
        ((None, None, None, "walk"), "url_pkey"),
    ],
    ids=["dead", "pending", "a source", "a host", "a walk"],
)
async def test_the_usual_filters_are_served_by_an_index(operator, wanted, index):
    await operator.run(
        lambda db: db.execute(
            "INSERT INTO url (host_id, url_hash, url, next_fetch_at, source_id) "
            "SELECT n % 50, md5(n::text)::uuid, 'http://h.test/' || n, now(), n % 20 "
            "FROM generate_series(1, 20000) n"
        )
    )
    await operator.run(lambda db: db.execute("ANALYZE url"))

    async def plan(db):
        async with db.transaction():
            await db.execute("SET LOCAL plan_cache_mode = force_custom_plan")
            *named, way = wanted
            filters = (*named, *(None,) * 4, "priority", 4_000, 50, 0, *(None,) * 5, 1, way, None)
            return await db.fetchval("EXPLAIN (FORMAT JSON) " + url_list._SQL.list_urls, *filters)

    assert index in json.dumps(await operator.run(plan))
