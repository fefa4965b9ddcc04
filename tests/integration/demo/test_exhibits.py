"""What the crawler's own parts make of the exhibits, one by one."""

from itertools import combinations

import pytest

from outrider.demo import Expect, demo_site, tour
from outrider.extract import charset, extract, near_duplicates, scan
from outrider.fetch import (
    Failed,
    Failure,
    Fetched,
    Fetcher,
    FetchOptions,
    NotModified,
    Redirected,
    Rejected,
    Request,
)
from outrider.fetch.guard import networks_of
from outrider.robots import Robots
from outrider.urls import normalize

STORY = "river/ferry-returns"
STATUS = {Expect.NOT_FOUND: 404, Expect.GONE: 410, Expect.UNEXPECTED: 418}


@pytest.fixture
async def site():
    async with demo_site() as site:
        yield site


@pytest.fixture
async def fetcher():
    fetcher = Fetcher(FetchOptions(allow_private=networks_of(["127.0.0.0/8"])))
    yield fetcher
    await fetcher.close()


@pytest.fixture
def read(site, fetcher):
    async def read(path):
        fetched = await fetcher.fetch(Request(url=site.url + path))
        assert isinstance(fetched, Fetched)
        return extract(fetched.body, site.url + path, fetched.content_type)

    return read


@pytest.mark.parametrize("exhibit", [e for e in tour if e.path != "/live"], ids=lambda exhibit: exhibit.name)
async def test_one_request_gets_what_the_exhibit_promises(site, fetcher, exhibit):
    outcome = await fetcher.fetch(Request(url=site.url + exhibit.path[1:]))

    match exhibit.expect:
        case Expect.ALIAS | Expect.REDIRECT_LOOP:
            assert isinstance(outcome, Redirected)
        case Expect.NOT_FOUND | Expect.GONE | Expect.UNEXPECTED:
            assert isinstance(outcome, Rejected)
            assert outcome.exchange.status == STATUS[exhibit.expect]
        case Expect.TOO_LARGE:
            assert isinstance(outcome, Failed)
            assert outcome.failure is Failure.TOO_LARGE
        case Expect.UNSUPPORTED:
            assert isinstance(outcome, Fetched)
            assert not outcome.content_type.startswith("text/html")
        case _:
            assert isinstance(outcome, Fetched)


async def test_a_dropped_connection_is_worth_another_try(site, fetcher):
    first = await fetcher.fetch(Request(url=f"{site.url}live"))
    second = await fetcher.fetch(Request(url=f"{site.url}live"))

    assert isinstance(first, Failed)
    assert first.failure is Failure.SHORT_BODY
    assert isinstance(second, Fetched)


async def test_a_known_page_is_not_sent_again(site, fetcher):
    url = f"{site.url}about"
    first = await fetcher.fetch(Request(url=url))
    again = await fetcher.fetch(Request(url=url, etag=first.etag, last_modified=first.last_modified))

    assert isinstance(again, NotModified)


async def test_robots_txt_closes_the_private_pages_and_no_others(site, fetcher):
    fetched = await fetcher.fetch(Request(url=f"{site.url}robots.txt"))
    robots = Robots.parse(fetched.body)

    blocked = [e.expect for e in tour if not robots.allows("outrider", site.url + e.path[1:])]
    assert blocked == [Expect.ROBOTS_BLOCKED]
    assert robots.sitemaps == [f"{site.url}sitemap.xml"]


async def test_an_article_says_who_wrote_it_and_when(read, site):
    page = await read(STORY)

    assert page.title.startswith("After eleven months on blocks, the ferry is back in the water")
    assert (page.author, page.language) == ("Ines Calloway", "en")
    assert page.published_at.isoformat() == "2026-06-12T06:30:00+00:00"
    assert page.canonical_url == site.url + STORY
    assert page.metadata.og_type == "article"
    assert page.metadata.jsonld_schema_type == "NewsArticle"


async def test_the_copies_are_seen_to_be_copies_and_nothing_else_is(read):
    paths = [STORY, "print/ferry-returns", "wire/ferry-returns", "river", "town", "fields", "making", "about"]
    paths += ["people/ines-calloway", "people/tomasz-okafor", "people/goran-petty", "river/heron-count"]
    pages = {path: await read(path) for path in paths}

    alike = {pair for pair in combinations(paths, 2) if near_duplicates(*(pages[path].text for path in pair))}
    assert alike == set(combinations(paths[:3], 2))
    assert pages["print/ferry-returns"].content_hash == pages[STORY].content_hash
    assert pages["wire/ferry-returns"].content_hash != pages[STORY].content_hash


@pytest.mark.parametrize(
    ("path", "encoding", "title"),
    [
        ("almanac/cafe", "windows-1252", "Café Müller reopens"),
        ("almanac/hakodate", "shift_jis", "函館からの手紙"),
    ],
)
async def test_odd_alphabets_are_read(site, fetcher, path, encoding, title):
    fetched = await fetcher.fetch(Request(url=site.url + path))

    assert charset(fetched.body, fetched.content_type) == encoding
    assert extract(fetched.body, site.url + path, fetched.content_type).title == title


@pytest.mark.parametrize(
    ("path", "further_on"),
    [
        ("calendar?month=2031-05", "calendar?month=2044-11"),
        ("market", "market?colour=blue&size=small&sort=oldest&view=grid"),
        ("maps", "maps/maps/northern"),
    ],
)
async def test_a_trap_shows_the_same_page_again_and_again(site, fetcher, path, further_on):
    here = await fetcher.fetch(Request(url=site.url + path))
    there = await fetcher.fetch(Request(url=site.url + further_on))

    texts = [scan(fetched.body, fetched.exchange.url, fetched.content_type).text for fetched in (here, there)]
    assert near_duplicates(*texts)


async def test_tracking_parameters_make_no_new_address(site):
    [exhibit] = [exhibit for exhibit in tour if exhibit.expect is Expect.SAME_URL]

    assert normalize(site.url + exhibit.path[1:]) == normalize(site.url + STORY)


async def test_the_rota_asks_not_to_be_indexed(read):
    assert (await read("almanac/rota")).noindex
    assert not (await read("about")).noindex
