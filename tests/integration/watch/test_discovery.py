"""Sources without a channel are searched, once in a while, and what parses with entries is polled."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.support.newsroom import Answer, Engine, Newsroom, feed
from tests.support.publications import alternate, page, rss, sitemap

from outrider.app import watch_tasks_for
from outrider.feeds.options import FeedOptions
from outrider.urls import host_id_of
from outrider.watch.discovery.search import ChannelSearch, silent_sources


async def test_a_declared_feed_is_found_and_polled(engine: Engine, room: Newsroom, search: ChannelSearch):
    """FED-18."""
    room.publish("/", page("Daily", head=alternate("/broken") + alternate("/good")))
    room.publish("/broken", page("This is no feed"))
    room.publish("/good", rss([("/a", None)]))
    await engine.watch("daily", room.origin())

    searched = await search.one()
    await engine.skip(timedelta(seconds=2))
    await engine.round()

    assert searched is not None
    assert searched.added == 1
    assert await engine.found() == [(f"{room.origin()}/good", "alternate", False)]
    assert [row["url"] for row in await engine.rows("SELECT url FROM url WHERE kind = 0")] == [
        f"{room.origin()}/a"
    ]


async def test_the_usual_addresses_are_tried_until_one_answers(
    engine: Engine, room: Newsroom, search: ChannelSearch
):
    room.publish("/", page("Daily"))
    room.publish("/atom.xml", rss([("/a", None)]))
    room.publish("/feed.xml", rss([("/b", None)]))
    room.publish("/news-sitemap.xml", sitemap([("/c", None)]))
    await engine.watch("daily", room.origin())

    await search.one()

    assert await engine.found() == [
        (f"{room.origin()}/atom.xml", "path", False),
        (f"{room.origin()}/news-sitemap.xml", "path", False),
    ]
    assert [each.path for each in room.asked()] == [
        "/",
        "/feed",
        "/rss",
        "/atom.xml",
        "/sitemap.xml",
        "/sitemap_index.xml",
        "/news-sitemap.xml",
    ]


@pytest.mark.parametrize(
    ("published", "asked"),
    [
        ("/sitemap_index.xml", ["/sitemap.xml", "/sitemap_index.xml", "/news-sitemap.xml"]),
        ("/sitemap.xml", ["/sitemap.xml", "/news-sitemap.xml"]),
    ],
)
async def test_an_index_of_sitemaps_is_looked_for_where_there_is_no_sitemap(
    engine: Engine, room: Newsroom, search: ChannelSearch, published: str, asked: list[str]
):
    """FED-14."""
    room.publish("/", page("Daily"))
    room.publish(published, sitemap([("/a", None)]))
    await engine.watch("daily", room.origin())

    await search.one()

    assert await engine.found() == [(f"{room.origin()}{published}", "path", False)]
    assert [each.path for each in room.asked() if "sitemap" in each.path] == asked


@pytest.mark.parametrize("status", [403, 429, 503])
async def test_a_declared_feed_that_fails_is_asked_again_and_counts_once_it_answers(
    engine: Engine, room: Newsroom, search: ChannelSearch, status: int
):
    room.publish("/", page("Daily", head=alternate("/feed")))
    url = room.publish("/feed", Answer(status))
    await engine.watch("daily", room.origin(), spider_without_feed=True)

    searched = await search.one()
    await engine.skip(timedelta(seconds=2))
    await engine.round()
    failing = await engine.found()
    room.publish("/feed", rss([("/a", None)]))
    await engine.skip(timedelta(hours=1))
    await engine.round()

    assert searched is not None
    assert not searched.follows_links
    assert failing == [(url, "alternate", True)]
    assert await engine.found() == [(url, "alternate", False)]


async def test_the_delay_that_a_search_learned_holds_for_later_requests(
    engine: Engine, room: Newsroom, search: ChannelSearch
):
    """CLM-07: its robots.txt may not answer the next time. Here the search asks for nothing else."""
    room.publish("/robots.txt", Answer(200, b"User-agent: *\nCrawl-delay: 7\nDisallow: /\n"))
    await engine.watch("daily", room.origin())

    await search.one()

    [host] = await engine.rows("SELECT delay_ms, next_allowed_at - now() AS rests FROM host")
    assert host["delay_ms"] == 7000
    assert host["rests"] > timedelta(seconds=5)


async def test_a_source_without_channels_is_listed(engine: Engine, room: Newsroom, search: ChannelSearch):
    """FED-24."""
    room.publish("/", page("Nothing here"))
    await engine.watch("silent", room.origin())
    assert await engine.run(silent_sources) == []

    await search.one()

    assert [each.name for each in await engine.run(silent_sources)] == ["silent"]


async def test_a_source_that_may_walk_walks_when_nothing_is_found(
    engine: Engine, room: Newsroom, search: ChannelSearch
):
    """FED-24."""
    room.publish("/", page("Nothing here"))
    await engine.watch("walker", room.origin(), spider_without_feed=True)

    searched = await search.one()

    assert searched is not None
    assert searched.follows_links
    [source] = await engine.rows("SELECT mode FROM source WHERE name = 'walker'")
    assert source["mode"] == "spider"
    assert [row["url"] for row in await engine.rows("SELECT url FROM url WHERE kind = 0")] == [
        f"{room.origin()}/"
    ]


async def test_sitemap_lines_of_robots_txt_become_candidates_and_prove_themselves(
    engine: Engine, room: Newsroom, search: ChannelSearch
):
    """ROB-15."""
    lines = "\n".join(f"Sitemap: {room.origin()}/{name}.xml" for name in ("good", "bad", "empty"))
    room.publish("/robots.txt", Answer(body=f"{lines}\nSitemap: {room.origin(1)}/else.xml".encode()))
    room.publish("/good.xml", sitemap([("/a", None)]))
    room.publish("/bad.xml", page("Oops"))
    room.publish("/empty.xml", sitemap([]))
    source_id = await engine.watch("news", room.origin(), feed(room.publish("/feed", rss([("/a", None)]))))
    host = room.addresses[0]
    await engine.rows("INSERT INTO source_host VALUES ($1, $2, $3)", host_id_of(host), host, source_id)
    await engine.round()

    offered = await search.offer_sitemaps(3600)
    await engine.skip(timedelta(seconds=2))
    await engine.round()
    again = await search.offer_sitemaps(3600)

    assert offered == 3
    assert again == 0, "what turned out to be none is not offered again for a week"
    assert [each for each in await engine.found() if each[1] == "robots"] == [
        (f"{room.origin()}/good.xml", "robots", False)
    ]


@pytest.mark.parametrize("discover", [True, False])
def test_searching_can_be_switched_off_apart_from_polling(engine: Engine, discover: bool):
    """FED-20."""
    settings = replace(engine.settings, feeds=FeedOptions(discover=discover))

    names = {duty.name for duty in watch_tasks_for(settings, engine.context, engine.context.connection)}

    assert ("search for channels" in names) is discover
    assert "return channels" in names
