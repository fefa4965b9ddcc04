from datetime import UTC, datetime, timedelta
from urllib.parse import urldefrag, urljoin, urlsplit

import aiohttp
import pytest
from selectolax.lexbor import LexborHTMLParser

from outrider.demo import demo_site
from outrider.demo.handlers import SLOW_SECONDS
from outrider.demo.oddities import HUGE_BYTES

ENDLESS = ("/calendar", "/market", "/maps")


@pytest.fixture
async def site():
    async with demo_site() as site:
        yield site


@pytest.fixture
async def session():
    async with aiohttp.ClientSession(auto_decompress=True) as session:
        yield session


async def get(session, url, **options):
    async with session.get(url, allow_redirects=False, **options) as response:
        return response, await response.read()


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("ferry-times", 301, "/river/ferry-returns"),
        ("old", 302, "/older"),
        ("older", 302, "/oldest"),
        ("oldest", 302, "/town"),
        ("lost", 302, "/found"),
        ("found", 302, "/lost"),
        ("town", 200, None),
        ("town/unbuilt-bridge", 404, None),
        ("town/summer-fair-2019", 410, None),
        ("archive?page=3", 200, None),
        ("archive?page=4", 404, None),
        ("archive?page=x", 404, None),
        ("calendar?month=2031-05", 200, None),
        ("calendar?month=never", 404, None),
        ("calendar", 404, None),
        ("market?colour=blue&size=small&sort=oldest&view=grid", 200, None),
        ("maps/maps/maps/maps/northern", 200, None),
        ("private/diary", 200, None),
    ],
)
async def test_paths_answer_as_the_tour_says(site, session, path, status, location):
    response, _ = await get(session, site.url + path)

    assert (response.status, response.headers.get("Location")) == (status, location)


async def test_one_redirect_leads_to_another_host_that_has_its_own_robots_txt(site, session):
    response, _ = await get(session, f"{site.url}print-shop")
    there, body = await get(session, response.headers["Location"])
    robots, _ = await get(session, f"{site.other_url}robots.txt")

    assert response.headers["Location"] == site.other_url
    assert urlsplit(site.other_url).netloc != urlsplit(site.url).netloc
    assert (there.status, robots.status) == (200, 200)
    assert site.url in body.decode()


async def test_the_live_page_is_cut_off_once(site, session):
    with pytest.raises(aiohttp.ClientPayloadError):
        await get(session, f"{site.url}live")
    second, body = await get(session, f"{site.url}live")

    assert second.status == 200
    assert b"the goats are ashore" in body
    assert [asked.path for asked in site.requests] == ["/live", "/live"]


async def test_the_slow_page_takes_its_time(site, session):
    asked_at = datetime.now(UTC)
    response, _ = await get(session, f"{site.url}almanac/slow")

    assert response.status == 200
    assert site.requests[0].at - asked_at >= timedelta(seconds=SLOW_SECONDS)


async def test_a_page_already_known_is_answered_with_304(site, session):
    first, body = await get(session, f"{site.url}about")
    again, nothing = await get(session, f"{site.url}about", headers={"If-None-Match": first.headers["ETag"]})
    other, _ = await get(session, f"{site.url}about", headers={"If-None-Match": '"other"'})

    assert body
    assert (again.status, nothing, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert other.status == 200


async def test_pages_are_compressed_only_on_request(site, session):
    packed, markup = await get(session, site.url, headers={"Accept-Encoding": "gzip"})
    plain, same = await get(session, site.url, headers={"Accept-Encoding": "identity"})

    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert markup == same


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("feeds/rss", "application/rss+xml; charset=utf-8"),
        ("feeds/atom", "application/atom+xml; charset=utf-8"),
        ("sitemap.xml", "application/xml"),
        ("almanac/tide-tables", "application/pdf"),
        ("almanac/cafe", "text/html"),
        ("almanac/hakodate", "text/html"),
        ("", "text/html; charset=utf-8"),
    ],
)
async def test_content_types_say_no_more_than_intended(site, session, path, content_type):
    response, _ = await get(session, site.url + path)

    assert response.headers["Content-Type"] == content_type


async def test_the_oversize_page_can_be_read_whole_or_left_early(site, session):
    async with session.get(f"{site.url}almanac/everything") as response:
        assert response.content_length == HUGE_BYTES
        await response.content.readexactly(1000)
    async with session.get(f"{site.url}almanac/everything") as response:
        assert len(await response.read()) == HUGE_BYTES


async def test_what_was_asked_is_remembered(site, session):
    await get(session, f"{site.url}town?a=b")
    await get(session, f"{site.url}nowhere")
    await get(session, site.other_url)

    assert [(asked.host, asked.path, asked.status) for asked in site.requests] == [
        (urlsplit(site.url).netloc, "/town?a=b", 200),
        (urlsplit(site.url).netloc, "/nowhere", 404),
        (urlsplit(site.other_url).netloc, "/", 200),
    ]


async def test_two_sites_can_run_side_by_side():
    async with demo_site() as one, demo_site() as two:
        assert one.url != two.url


async def test_a_reader_finds_every_page_and_only_the_planned_faults(site, session):
    with pytest.raises(aiohttp.ClientPayloadError):
        await get(session, f"{site.url}live")
    statuses, queue = {}, [site.url]
    while queue:
        url = queue.pop()
        if url in statuses:
            continue
        response, body = await get(session, url)
        statuses[url] = response.status
        if response.content_type != "text/html" or response.status != 200 or len(body) > 1_000_000:
            continue
        for anchor in LexborHTMLParser(body).css("a[href]:not([rel=nofollow]), link[rel=alternate]"):
            target = urldefrag(urljoin(url, anchor.attributes["href"])).url
            if target.startswith(site.url) and not urlsplit(target).path.startswith(ENDLESS):
                queue.append(target)

    by_path = {url.removeprefix(site.url): status for url, status in statuses.items() if "utm_" not in url}
    assert {path: status for path, status in by_path.items() if status != 200} == {
        "ferry-times": 301,
        "old": 302,
        "lost": 302,
        "print-shop": 302,
        "town/unbuilt-bridge": 404,
        "town/summer-fair-2019": 410,
        "almanac/tea": 418,
    }
    assert 40 <= list(by_path.values()).count(200) <= 60
    assert "almanac/sponsors" not in by_path
