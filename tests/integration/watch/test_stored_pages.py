"""What is stored of a page that is read as a whole: its metadata, and the same whichever way led to it."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.support.newsroom import Answer, Engine, MovableClock, Newsroom
from tests.support.prose import prose
from tests.support.publications import rss, sitemap

from outrider.sources.model import Mode
from outrider.sources.source_changes import read_changes
from outrider.watch.source_service import SourceService

STORY = "/news/2024/05/17/the-council-agrees-on-a-bridge"
THING = {
    "@context": {"@vocab": "https://schema.org/"},
    "@graph": [
        {"@type": "Organization", "@id": "#p", "name": "The Paper"},
        {
            "@type": "NewsArticle",
            "headline": "The bridge",
            "author": [{"name": "Ada Writer"}],
            "publisher": {"@id": "#p"},
            "image": {"url": "https://example.com/i.png"},
            "wordCount": 240,
            "keywords": ["bridge", "council"],
            "datePublished": "2024-05-17T08:00:00Z",
        },
    ],
}
HEAD = (
    "<title>The bridge | The Paper</title><meta name=description content=Agreed>"
    "<meta name=keywords content='bridge, town'><meta property=article:section content=Local>"
    "<meta property=article:opinion content=false><meta property=article:content_tier content=free>"
    "<meta name=twitter:card content=summary><meta name=twitter:site content='@paper'>"
    "<meta property=og:type content=article><meta property=og:site_name content='The Paper'>"
    "<meta property=og:image content=/i.png><meta property=og:image:width content=640>"
)


def page(thing: Any = THING, body: str = "") -> Answer:
    text = "".join(f"<p>{prose(f'bridge {n}', 60)}.</p>" for n in range(4))
    script = thing if isinstance(thing, str) else json.dumps(thing)
    html = (
        f"<!doctype html><html lang=en><head>{HEAD}<script type=application/ld+json>{script}</script></head>"
        f"<body>{body}<article><h1>The bridge</h1>{text}</article></body></html>"
    )
    return Answer(body=html.encode(), headers={"Content-Type": "text/html"})


async def watch(engine: Engine, url: str, mode: Mode, **said: Any) -> None:
    changes = read_changes({"url": url, "mode": mode.value, **said}).checked()
    await engine.run(lambda db: SourceService(engine.context.frontier).add(db, changes))


async def stored_metadata(engine: Engine, room: Newsroom, answer: Answer, **said: Any) -> Any:
    announced = room.publish("/feed", rss([(STORY, None)]))
    room.publish(STORY, answer)
    await watch(engine, room.origin() + "/", Mode.FEED, feed=announced, **said)
    await engine.round()
    [row] = await engine.rows("SELECT title, meta FROM document")
    assert row["title"] == "The bridge"
    return row["meta"]


async def test_metadata_of_a_page_is_stored(engine: Engine, room: Newsroom):
    """EXT-07, EXT-09, EXT-10, STO-05, STO-06."""
    stored = await stored_metadata(engine, room, page())

    assert stored.pop("jsonld_raw") == THING["@graph"]
    assert stored == {
        "keywords": "bridge, town",
        "section": "Local",
        "article_opinion": "false",
        "article_content_tier": "free",
        "twitter_card": "summary",
        "twitter_site": "@paper",
        "og_type": "article",
        "og_site_name": "The Paper",
        "og_image": "/i.png",
        "og_image_width": "640",
        "jsonld_schema_type": "NewsArticle",
        "jsonld_headline": "The bridge",
        "jsonld_author": "Ada Writer",
        "jsonld_publisher_name": "The Paper",
        "jsonld_image_url": "https://example.com/i.png",
        "jsonld_word_count": "240",
        "jsonld_keywords": "bridge, council",
        "jsonld_date_published": "2024-05-17T08:00:00Z",
    }


async def test_what_selectors_find_is_stored_under_their_names(engine: Engine, room: Newsroom):
    """EXT-04."""
    names = ("intro", "category", "section", "article_id", "byline", "keywords")
    body = "".join(f"<b class={name}>The {name}</b>" for name in names) + "<img class=image src=/a.jpg>"
    selectors = {"article": {name: f".{name}" for name in (*names, "image")}}

    stored = await stored_metadata(engine, room, page(body=body), selectors=json.dumps(selectors))

    assert {name: stored[name] for name in (*names, "image")} == {
        **{name: f"The {name}" for name in names},
        "image": f"{room.origin()}/a.jpg",
    }


async def test_numbers_that_the_database_cannot_store_do_not_stop_the_page(engine: Engine, room: Newsroom):
    script = '{"@type": "Article", "headline": "The bridge", "wordCount": 1e999}'

    stored = await stored_metadata(engine, room, page(script))

    assert stored["jsonld_raw"] == [{"@type": "Article", "headline": "The bridge", "wordCount": None}]


@pytest.fixture
async def four_sites(clock: MovableClock) -> AsyncIterator[Newsroom]:
    async with Newsroom(clock, sites=4) as opened:
        yield opened


async def test_a_page_is_the_same_document_whichever_way_led_to_it(engine: Engine, four_sites: Newsroom):
    """EXT-18: announced by a feed, listed in a sitemap, found by following links, or asked for by hand."""
    sites = four_sites
    for site in range(4):
        sites.publish(STORY, page(), site=site)
    feed = sites.publish("/feed", rss([(STORY, None)]), site=0)
    listed = sites.publish("/map.xml", sitemap([(sites.origin(1) + STORY, None)]), site=1)
    front = "".join(f"<h3><a href={link}>Read {link}</a></h3>" for link in (STORY, *"123456"))
    sites.publish("/", Answer(body=front.encode(), headers={"Content-Type": "text/html"}), site=2)
    await watch(engine, sites.origin(0) + "/", Mode.FEED, name="fed", feed=feed)
    await watch(engine, sites.origin(1) + "/", Mode.FEED, name="mapped", sitemap=listed)
    await watch(engine, sites.origin(2) + "/", Mode.SPIDER, name="walked")
    await watch(engine, sites.origin(3) + STORY, Mode.SPIDER, name="asked")

    await engine.round()

    rows = await engine.rows(
        "SELECT f.origin, d.title, d.description, d.author, d.published_at, d.language, d.charset, "
        "d.content_type, d.words, d.bytes, d.content_hash, d.http_status, d.noindex, d.page_type, "
        "d.unindexed, d.meta FROM document d JOIN url_frontier f ON f.id = d.url_hash "
        "WHERE f.url LIKE '%' || $1",
        STORY,
    )
    documents = {row["origin"]: tuple(row)[1:] for row in rows}
    assert set(documents) == {"feed", "sitemap", "spider", "manual"}
    assert documents["feed"][0] == "The bridge"
    assert all(document == documents["feed"] for document in documents.values())


async def test_empty_titles_and_bodies_are_counted_for_their_source(engine: Engine, room: Newsroom):
    """EXT-16: per source, as long as there are no executions to count them for."""
    bodies = {
        "/whole": f"<title>T</title><article><p>{prose('whole', 120)}.</p></article>",
        "/untitled": f"<article><p>{prose('untitled', 120)}.</p></article>",
        "/empty": "<title>T</title>",
        "/nothing": "",
    }
    for path, body in bodies.items():
        room.publish(path, Answer(body=body.encode(), headers={"Content-Type": "text/html"}))
    announced = room.publish("/feed", rss([(path, None) for path in bodies]))
    await watch(engine, room.origin() + "/", Mode.FEED, name="drifting", feed=announced)

    await engine.round()

    rows = await engine.rows(
        "SELECT c.name, sum(c.value)::int AS value FROM counter c JOIN source s USING (source_id) "
        "WHERE s.name = 'drifting' GROUP BY c.name"
    )
    counts = {row["name"]: row["value"] for row in rows}
    assert (counts["extract.empty_title"], counts["extract.empty_body"]) == (2, 2)
    assert counts["extract.skipped.quality_gate"] == 2
    assert counts["pages"] == 4
