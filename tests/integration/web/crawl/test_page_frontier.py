"""`/frontier`: filters, paging, and changes after a dry run (UI-03)."""

import re
from html import unescape

import pytest
from tests.support.crawled import GONE, HOME, LOOP, NEWS, OLD, WAITING, id_of

from outrider.services.crawl.figures import FrontierStats
from outrider.services.urls import lists as url_list
from outrider.services.urls.lists import Order
from outrider.services.urls.urls import UrlFilters, UrlStatus
from outrider.web.dashboard.frontier import usual_order


def _listed(page):
    return {url for url in (HOME, NEWS, OLD, GONE, LOOP, WAITING) if f'title="{url}"' in page.text}


async def _form(api, path, role="admin", **fields):
    return await api.call("POST", path, role, data=fields)


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("status=dead", {GONE, LOOP}),
        ("status=dead&reason=redirect", {LOOP}),
        ("host=other.test&status=", {LOOP, WAITING}),
        ("source=adhoc&status=pending", {WAITING}),
        ("origin=feed", set()),
        ("kind=page&search=gone", {GONE}),
        ("sort=key&search=later", {WAITING}),
    ],
)
async def test_each_filter_leaves_what_it_names(api, crawl, query, left):
    page = await api.get(f"/frontier?{query}")

    assert page.status_code == 200
    assert _listed(page) == left


async def test_redirect_failures_are_one_click_away(api, crawl):
    page = (await api.get("/frontier")).text

    assert 'href="/frontier?status=dead&amp;reason=redirect"' in page
    assert ">Redirect failures</a>" in page


async def test_the_counts_are_those_of_the_database(api, crawl):
    page = (await api.get("/frontier")).text

    assert "1 URL wait to be fetched, 2 URLs could not be." in page


async def test_pages_of_the_list_hold_each_url_once(api, crawl):
    seen, path = [], "/frontier?limit=2"
    while path:
        page = (await api.get(path, "admin")).text
        seen += re.findall(r'name="selected" value="([^"]+)"', page)
        rest = page.partition('rel="next" href="')[2]
        path = rest.partition('"')[0].replace("&amp;", "&")

    assert sorted(seen) == sorted(id_of(url) for url in (HOME, NEWS, OLD, GONE, LOOP, WAITING))


def test_a_list_that_is_too_long_to_sort_is_listed_by_host():
    counts = {"total_fetching": 0, "total_failed": 0, "by_source": {}, "dead_by_reason": {}}
    many = FrontierStats(total_pending=3_999, total_fetched=5, total_dead=4_001, total_aliases=0, **counts)

    assert usual_order(UrlFilters(), many) is Order.KEY
    assert usual_order(UrlFilters(status=UrlStatus.DEAD), many) is Order.KEY
    assert usual_order(UrlFilters(status=UrlStatus.PENDING), many) is Order.PRIORITY
    assert usual_order(UrlFilters(host="site.test"), many) is Order.PRIORITY


async def test_a_filter_that_cannot_be_used_is_said_on_the_page(api, crawl):
    page = await api.get("/frontier?source=nobody")

    assert page.status_code == 200
    assert "There is no source" in page.text
    assert 'value="nobody"' in page.text


async def test_an_empty_frontier_says_what_to_do_next(api):
    assert "The frontier is empty" in (await api.get("/frontier")).text
    assert "No URL matches" in (await api.get("/frontier?status=dead")).text


async def test_a_user_sees_no_controls_and_may_not_use_them(api, crawl):
    page = (await api.get("/frontier?status=dead")).text

    assert "Retry" not in page
    assert "Submit URLs" not in page
    assert (await api.get("/frontier/confirm?what=clear")).status_code == 403
    assert (await _form(api, "/frontier/clear", "user")).status_code == 403
    assert await crawl.state(WAITING) == "pending"


async def test_retrying_all_that_match_is_counted_first(api, crawl):
    asked = await api.get("/frontier/confirm?what=retry-all&reason=redirect", "admin")

    assert "Retry 1 dead URL?" in asked.text
    assert await crawl.state(LOOP) == "dead"  # nothing has changed yet
    await _form(api, "/frontier/retry-all", reason="redirect")
    assert await crawl.state(LOOP) == "pending"
    assert await crawl.state(GONE) == "dead"


async def test_clearing_the_queue_is_counted_first(api, crawl, pool):
    asked = await api.get("/frontier/confirm?what=clear&host=other.test", "admin")

    assert "Take 1 URL of the host other.test out of the queue?" in asked.text
    assert await crawl.state(WAITING) == "pending"
    await _form(api, "/frontier/clear", host="site.test")
    assert await crawl.state(WAITING) == "pending"
    await _form(api, "/frontier/clear", host="other.test")
    assert await pool.fetchval("SELECT count(*) FROM url WHERE url = $1", WAITING) == 0


async def test_selected_urls_are_retried(api, crawl):
    asked = await api.get(
        f"/frontier/confirm?what=retry&selected={id_of(GONE)}&selected={id_of(HOME)}", "admin"
    )

    assert "Retry 1 dead URL?" in asked.text
    answer = await _form(api, "/frontier/retry", selected=[id_of(GONE), id_of(HOME)])
    assert await crawl.state(GONE) == "pending"
    assert await crawl.state(HOME) == "fetched"
    assert "Not changed" in answer.headers["set-cookie"]


async def test_selected_urls_are_deleted(api, crawl, pool):
    asked = await api.get(f"/frontier/confirm?what=delete&selected={id_of(GONE)}", "admin")

    assert "Delete 1 URL?" in asked.text
    await _form(api, "/frontier/delete", selected=[id_of(GONE)])
    assert await pool.fetchval("SELECT count(*) FROM url WHERE url = $1", GONE) == 0
    assert await pool.fetchval("SELECT count(*) FROM audit WHERE action = 'url.remove'") == 1


async def test_nothing_selected_changes_nothing(api, crawl):
    assert "Nothing to change" in (await api.get("/frontier/confirm?what=delete", "admin")).text
    assert (await _form(api, "/frontier/delete", selected=["0:" + "0" * 32])).status_code == 303
    assert (await _form(api, "/frontier/delete")).status_code == 422


async def test_many_urls_are_submitted_and_each_has_a_result(api, pool):
    text = "http://one.test/a\n\n  http://two.test/b  \nno address\nhttp://one.test/a"
    page = await _form(api, "/frontier/submit", urls=text, source="", priority="7")

    assert "2 new, 0 raised, 1 known already, 1 not usable" in page.text
    assert await pool.fetchval("SELECT count(*) FROM url WHERE kind = 0") == 2
    assert await pool.fetchval("SELECT min(prio) FROM url WHERE kind = 0") == 7
    assert (await _form(api, "/frontier/submit", urls=" \n ")).status_code == 400
    assert (await _form(api, "/frontier/submit", "user", urls="http://x.test/")).status_code == 403


async def test_a_url_with_another_scheme_is_no_link(api):
    page = await _form(api, "/frontier/submit", urls="javascript:alert(1)//http://x")

    assert "javascript:alert(1)" in page.text
    assert 'href="javascript' not in page.text


async def test_a_search_over_the_bound_is_continued_until_it_finds(api, crawl, monkeypatch):
    monkeypatch.setattr(url_list, "MOST_SORTED", 1)
    found, offers, path = set(), 0, "/frontier?search=gone"
    while path:
        page = await api.get(path)
        found |= _listed(page)
        asked = re.search(r'href="([^"]+)">Search on</a>', page.text)
        follows = asked or re.search(r'rel="next" href="([^"]+)"', page.text)
        offers += asked is not None
        path = follows and unescape(follows[1])

    assert found == {GONE}
    assert offers, "a part without a match offers the next one"
    assert "No URL matches" in page.text or _listed(page), "the last part says that nothing follows"


@pytest.mark.parametrize("accepted", ["gzip, br", "identity"])
async def test_a_page_is_compressed_for_those_who_take_it(api, crawl, accepted):
    page = await api.call("GET", "/frontier", headers={"Accept-Encoding": accepted})

    assert page.headers.get("content-encoding") == ("gzip" if "gzip" in accepted else None)
    assert page.headers["vary"] == "Accept-Encoding"
    assert page.text.rstrip().endswith("</html>")
