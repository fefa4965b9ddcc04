"""Trying out selectors on a real page: fetched politely, read, and nothing kept."""

from collections.abc import AsyncIterator

import pytest
from tests.support.newsroom import Answer, MovableClock, Newsroom, settings_for
from tests.support.prose import prose

from outrider.crawl.politeness.single_fetch import Limits, SingleFetch
from outrider.errors import InvalidInput
from outrider.extract.article.page_type import PageType
from outrider.extract.article.quality import Unindexed
from outrider.extract.recipe.model import Method
from outrider.extract.recipe.selectors import Selectors
from outrider.fetch import Fetcher
from outrider.watch import trial
from outrider.watch.trial import FetchOne

PATH = "/news/2024/05/17/the-bridge-opens"
NONE = Selectors()


@pytest.fixture
async def room(clock: MovableClock) -> AsyncIterator[Newsroom]:
    async with Newsroom(clock) as opened:
        opened.publish(
            PATH, html(f"<title>Title</title><h2>Headline</h2><div class=b><p>{prose('b', 80)}</p></div>")
        )
        yield opened


@pytest.fixture
async def fetch_one() -> AsyncIterator[FetchOne]:
    settings = settings_for()
    fetcher = Fetcher(settings.fetch)
    yield SingleFetch(fetcher, settings.hosts, Limits(max_redirects=5)).run
    await fetcher.close()


def html(body: str, **headers: str) -> Answer:
    return Answer(body=body.encode(), headers={"Content-Type": "text/html; charset=utf-8", **headers})


async def test_every_field_says_where_it_came_from(room: Newsroom, fetch_one: FetchOne):
    """EXT-19."""
    selectors = Selectors.from_json({"article": {"title": "h2", "body": ".b"}})

    tried = await trial.test_extraction(fetch_one, room.origin() + PATH, selectors, None)

    assert tried.is_ok
    assert [(field.name, field.origin) for field in tried.fields] == [
        ("title", "selector article.title"),
        ("published_at", "address"),
        ("text", "selector article.body"),
    ]
    assert tried.fields[0].value == "Headline"
    assert tried.extracted is not None
    assert (tried.extracted.method, tried.extracted.page_type) == (Method.SELECTOR, PageType.ARTICLE)
    assert tried.unindexed is None


async def test_without_selectors_the_defaults_are_shown(room: Newsroom, fetch_one: FetchOne):
    tried = await trial.test_extraction(fetch_one, room.origin() + PATH, NONE, None)

    assert {field.name: field.origin for field in tried.fields}["title"] == "<title>"


async def test_what_would_not_be_found_is_said(room: Newsroom, fetch_one: FetchOne):
    url = room.publish("/short", html("<title>Short</title><p>Few words."))

    tried = await trial.test_extraction(fetch_one, url, NONE, None)

    assert (tried.is_ok, tried.unindexed) == (True, Unindexed.QUALITY_GATE)


@pytest.mark.parametrize(
    ("answer", "reason"), [(Answer(404), "not_found"), (Answer(200), None), (Answer(503), "http_503")]
)
async def test_without_a_page_there_is_nothing_to_read(
    room: Newsroom, fetch_one: FetchOne, answer: Answer, reason: str | None
):
    tried = await trial.test_extraction(fetch_one, room.publish("/gone", answer), NONE, None)

    assert (tried.is_ok, tried.fields, tried.unindexed, tried.single.reason) == (False, [], None, reason)


async def test_robots_txt_is_obeyed(room: Newsroom, fetch_one: FetchOne):
    room.publish("/robots.txt", Answer(body=b"User-agent: *\nDisallow: /news/"))

    tried = await trial.test_extraction(fetch_one, room.origin() + PATH, NONE, None)

    assert (tried.is_ok, tried.single.reason) == (False, "robots_blocked")
    assert room.asked(PATH) == []


async def test_an_unknown_template_is_refused_before_anything_is_asked(room: Newsroom, fetch_one: FetchOne):
    with pytest.raises(InvalidInput, match="there is no template 'wordpess'"):
        await trial.test_extraction(fetch_one, room.origin() + PATH, NONE, "wordpess")

    assert room.asked() == []
