"""`/urls`: the life of a URL, its versions, and what an administrator does with it."""

from urllib.parse import quote

import pytest
from tests.support.crawled import GONE, HOME, LOOP, NEWS, OLD, WAITING, id_of
from tests.support.make import draft, keep_documents

from outrider.robots.store import RobotsStore
from outrider.urls import host_id_of, key_of


def _page_of(url, more=""):
    return f"/urls?url={quote(url, safe='')}{more}"


async def _form(api, path, role="admin", **fields):
    return await api.call("POST", path, role, data=fields)


async def test_a_dead_url_is_explained(api, crawl):
    page = (await api.get(_page_of(GONE))).text

    assert "Dead: not found." in page
    assert "there is no such page (404)" in page
    assert "Not again, unless someone retries it." in page


async def test_a_redirect_shows_where_it_leads(api, crawl):
    page = (await api.get(_page_of(OLD))).text

    assert f"It redirects to {NEWS}." in page
    assert f'href="{_page_of(NEWS)}"' in page
    assert "301" in page


async def test_the_spelling_that_was_typed_is_traced(api, crawl):
    page = (await api.get(_page_of("HTTP://Site.test:80/news?utm_source=x"))).text

    assert "How the address was normalised" in page
    assert "tracking parameters dropped: utm_source" in page


async def test_the_line_of_robots_txt_that_decides(api, crawl):
    rules = b"User-agent: *\nDisallow: /news\n"
    file = {"host_id": host_id_of("site.test"), "origin": "http://site.test", "status": 200, "body": rules}
    await crawl.run(lambda db: RobotsStore().remember(db, **file, life_s=86_400))
    page = (await api.get(_page_of(NEWS))).text

    assert "disallows it" in page
    assert "by line 2:" in page


async def test_an_unknown_url_can_be_submitted(api):
    user, admin = (
        await api.get(_page_of("http://new.test/")),
        await api.get(_page_of("http://new.test/"), "admin"),
    )

    assert "Not known here." in user.text
    assert "/frontier/submit?url=" in admin.text
    assert "/frontier/submit?url=" not in user.text


async def test_something_that_is_no_url_is_refused_with_an_example(api):
    answer = await api.get(_page_of("javascript:alert(1)"))

    assert answer.status_code == 400
    assert "Type an address such as https://example.com/page." in answer.text


async def test_what_links_to_it(api, crawl):
    page = (await api.get(_page_of(NEWS, "&tab=links"))).text

    assert "Harbour bridge opens" in page


async def test_versions_can_be_compared(api, crawl):
    for text in ("one line\nold word here", "one line\nnew word here"):
        await crawl.run(lambda db, text=text: keep_documents(db, [draft(HOME, text)]))
    life = (await api.get(_page_of(HOME))).text
    diff = await api.get(f"/urls/diff?url={quote(HOME, safe='')}")

    assert "What changed" in life
    assert "<del>old</del>" in diff.text
    assert "<ins>new</ins>" in diff.text
    assert (await api.get(f"/urls/diff?url={quote(HOME, safe='')}&from=1&to=99")).status_code == 404


async def test_a_dead_url_is_retried(api, crawl):
    assert (await _form(api, f"/urls/{id_of(GONE)}/retry", "user")).status_code == 403
    answer = await _form(api, f"/urls/{id_of(GONE)}/retry")

    assert answer.status_code == 303
    assert await crawl.state(GONE) == "pending"


async def test_only_a_dead_url_can_be_retried(api, crawl):
    assert (await _form(api, f"/urls/{id_of(HOME)}/retry")).status_code == 409
    assert await crawl.state(HOME) == "fetched"
    assert "/retry" not in (await api.get(_page_of(HOME), "admin")).text
    assert f"/urls/{id_of(GONE)}/retry" in (await api.get(_page_of(GONE), "admin")).text
    assert "/retry" not in (await api.get(_page_of(GONE))).text


async def test_a_fetched_url_is_fetched_soon(api, crawl):
    answer = await _form(api, f"/urls/{id_of(HOME)}/soon")

    assert answer.status_code == 303
    assert await crawl.state(HOME) == "pending"
    assert (await crawl.row(HOME))["prio"] == 10
    assert (await _form(api, f"/urls/{id_of(WAITING)}/soon")).status_code == 409  # it is due already


async def test_a_url_is_deleted_with_its_page(api, crawl, pool):
    answer = await _form(api, f"/urls/{id_of(HOME)}/delete")

    assert answer.status_code == 303
    assert await pool.fetchval("SELECT count(*) FROM url WHERE url = $1", HOME) == 0
    assert await pool.fetchval("SELECT count(*) FROM document WHERE url_hash = $1", key_of(HOME).hash) == 0
    assert await pool.fetchval("SELECT count(*) FROM audit WHERE action = 'url.remove'") == 1


HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>\u202e'


@pytest.mark.parametrize(
    "path", [_page_of(HOME), f"/pages/{id_of(HOME)}", "/pages", f"/pages/{id_of(HOME)}?tab=metadata"]
)
async def test_hostile_content_is_text(api, crawl, path):
    hostile = draft(HOME, HOSTILE * 3, title=HOSTILE, author=HOSTILE, description=HOSTILE, language="<b>")
    await crawl.run(lambda db: keep_documents(db, [hostile]))
    page = (await api.get(path, "admin")).text

    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    assert "<img" not in page.partition("</nav>")[2]
    assert (await api.get(_page_of(LOOP))).status_code == 200
