"""A source on a site that was crawled before has the pages without fetching them again."""

from datetime import datetime

import pytest
from tests.support.newsroom import Engine, MovableClock, Newsroom, feed, sitemap_at
from tests.support.publications import conditional, rss, sitemap
from tests.support.shared_pages import (
    A_MOMENT,
    crawl,
    exported,
    go_on_watching,
    news,
    owner_of,
    publish_site,
    totals,
    visit_only,
)
from tests.support.spider import OTHER_STORY, QUARTER, STORY, article, watch

from outrider.documents.export import PAGES, URLS
from outrider.sources.model import Mode, SourceFilter
from outrider.sources.store import SourceStore
from outrider.urls import key_of


async def test_a_feed_that_announces_what_a_crawl_fetched_before_is_news_to_its_source(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    items: list[tuple[str, datetime | None]] = []
    announced = room.publish("/feed", conditional(lambda _: rss(items)))
    home = publish_site(room)
    story = room.origin() + STORY
    source_id = await engine.watch("news", home, feed(announced))
    await engine.round()
    begun = await crawl(engine, home)
    await engine.round()
    assert await owner_of(engine, story) == begun.source.source_id
    assert await news(engine, source_id, clock) == []

    await go_on_watching(engine)
    items.append((STORY, None))
    await engine.skip(QUARTER)
    await engine.round()

    assert len(room.asked(STORY)) == 1, "it is there already"
    assert await news(engine, source_id, clock) == [story]
    assert (await engine.channel(announced))["new_items"] == 1
    assert (await totals(engine, source_id)).fetched == 1
    [shown], _ = await engine.run(lambda db: SourceStore().page(db, SourceFilter()))
    assert (shown.documents, shown.pages) == (1, 0), "it has one that it did not fetch"
    assert await exported(engine, PAGES, "news") == [story]
    assert story in await exported(engine, URLS, "news")
    everything = await exported(engine, PAGES, None)
    assert everything.count(story) == 1


@pytest.mark.parametrize("by", ["feed", "sitemap", "spider"])
async def test_a_source_added_to_a_crawled_site_has_its_pages(
    engine: Engine, room: Newsroom, clock: MovableClock, by: str
):
    home = publish_site(room)
    story = room.origin() + STORY
    begun = await crawl(engine, home)
    await engine.round()

    if by == "spider":
        source_id = (await watch(engine, home, name="news")).source_id
    elif by == "feed":
        source_id = await engine.watch("news", home, feed(room.publish("/feed", rss([(STORY, None)]))))
    else:
        listed = room.publish("/sitemap.xml", sitemap([(STORY, None)]))
        source_id = await engine.watch("news", home, sitemap_at(listed))
    await engine.skip(A_MOMENT)
    await engine.round()

    assert len(room.asked(STORY)) == 1
    assert await news(engine, source_id, clock) == [story]
    assert story in await exported(engine, PAGES, "news")
    assert story in await exported(engine, PAGES, begun.source.name)
    if by == "spider":
        assert len(room.asked("/")) == 2, "the front page is looked at for the source, once"
        assert await owner_of(engine, home) == begun.source.source_id
        assert (await totals(engine, begun.source.source_id)).pending == 0, "the crawl is over"
        assert (await totals(engine, source_id)).pending >= 1, "and the source looks again"


async def test_a_crawl_that_is_over_is_not_followed_further_when_its_pages_are_visited(
    engine: Engine, room: Newsroom
):
    """What the source finds on the crawl's start page later is the source's alone."""
    stories = [STORY]
    home = publish_site(room, stories)
    begun = await crawl(engine, home)
    await engine.round()
    source = await watch(engine, home)
    await engine.skip(A_MOMENT)
    await engine.round()
    stories.insert(0, OTHER_STORY)

    await engine.skip(QUARTER)
    await engine.round()

    assert await owner_of(engine, room.origin() + OTHER_STORY) == source.source_id
    assert room.origin() + OTHER_STORY not in await exported(engine, URLS, begun.source.name)


async def test_a_page_is_fetched_again_for_the_source_that_asks_for_it(engine: Engine, room: Newsroom):
    """The crawl that owns it is done with it after one visit, which served both."""
    story = room.publish(STORY, article("bridge"))
    begun = await crawl(engine, story)
    announced = room.publish("/feed", rss([(STORY, None)]))
    source = await watch(engine, room.origin() + "/", Mode.FEED, feed=announced, recrawl="2d")
    await visit_only(engine, announced)

    await engine.round()

    [row] = await engine.rows(
        "SELECT source_id, next_fetch_at > now() + interval '47 hours' AS is_planned "
        "FROM url WHERE url_hash = $1",
        key_of(story).hash,
    )
    assert tuple(row) == (begun.source.source_id, True)
    assert (await totals(engine, begun.source.source_id)).pending == 0
    assert (await totals(engine, source.source_id)).pending == 2, "its feed, and the page"
    assert len(room.asked(STORY)) == 1
