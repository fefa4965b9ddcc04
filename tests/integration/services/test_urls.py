"""Use cases of URLs."""

import pytest
from tests.support.make import completion

from outrider.errors import InvalidInput, NotFound
from outrider.frontier.options import FrontierOptions
from outrider.services.paging import PageRequest, TotalIs
from outrider.services.urls import lists as url_list
from outrider.services.urls.lists import MOST_ROWS, Order
from outrider.services.urls.urls import ClearedUrls, UrlFilters, UrlStatus, add_urls, clear_urls, list_urls

OLD, NEW, GONE = (f"http://a.test/{name}" for name in ("old", "new", "gone"))


async def _list(operator, *, sort=Order.PRIORITY, page=None, **filters):
    return await operator.run(lambda db: list_urls(db, UrlFilters(**filters), sort, page or PageRequest()))


@pytest.fixture
async def news(operator):
    """Three entries, one of them dead and of the source `news`."""
    await operator.queue(OLD, priority=3)
    await operator.queue(NEW, priority=9)
    await operator.queue(GONE, source_id=await operator.new_source("news"))
    await operator.complete(completion(GONE, reason="gone", status=410))


async def test_a_list_has_a_page_of_entries_and_its_total(operator, news):
    found = await _list(operator, page=PageRequest(limit=1, offset=1), status=UrlStatus.PENDING)

    assert [line.url for line in found.items] == [OLD]
    assert (found.total, found.total_is, found.limit, found.offset) == (2, TotalIs.EXACT, 1, 1)


async def test_entries_are_found_by_source_and_by_earlier_words_for_a_state(operator, news):
    assert [line.url for line in (await _list(operator, source="news")).items] == [GONE]
    assert [line.url for line in (await _list(operator, status=UrlStatus.FAILED)).items] == [GONE]
    with pytest.raises(NotFound, match="there is no source 'nobody'"):
        await _list(operator, source="nobody")


async def test_a_total_that_was_not_counted_to_its_end_is_at_least_that(operator, news, monkeypatch):
    monkeypatch.setattr(url_list, "MOST_SORTED", 2)

    found = await _list(operator, search="a.test")

    assert (found.total, found.total_is, found.is_sorted) == (2, TotalIs.AT_LEAST, False)


async def test_a_page_that_is_too_large_is_refused(operator):
    with pytest.raises(InvalidInput, match="limit is a number from 1 to 1,000"):
        await _list(operator, page=PageRequest(limit=MOST_ROWS + 1))


async def test_added_urls_are_counted_by_what_became_of_them(operator, news):
    urls = ["http://a.test/next", NEW, GONE]

    found = await operator.run(lambda db: add_urls(db, urls, None, 10, FrontierOptions()))

    assert (found.inserted, found.raised, found.known) == (1, 1, 1)
    assert [each.url for each in found.urls] == urls


async def test_urls_for_a_source_that_does_not_exist_are_not_added(operator):
    with pytest.raises(NotFound, match="there is no source 'nobody'"):
        await operator.run(lambda db: add_urls(db, [OLD], "nobody", None, FrontierOptions()))

    assert (await _list(operator)).total == 0


async def test_a_part_of_the_queue_is_cleared(operator, news):
    await operator.queue("http://b.test/")

    done = await operator.run(lambda db: clear_urls(db, "a.test", None, FrontierOptions()))

    assert done == ClearedUrls(2)
    assert [line.url for line in (await _list(operator, status=UrlStatus.PENDING)).items] == [
        "http://b.test/"
    ]
