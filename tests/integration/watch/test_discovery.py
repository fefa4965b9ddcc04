"""Sources without a channel are searched, once in a while, and what parses with entries is polled."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Never

import pytest
from tests.support.newsroom import Answer, Engine, Newsroom, feed
from tests.support.publications import page, rss, sitemap

from outrider.app import duties_for
from outrider.feeds.options import FeedOptions
from outrider.urls import host_id_of
from outrider.watch.discovery.errand import Errand
from outrider.watch.discovery.search import Search, silent_sources

HEARD = "SELECT mode, search_errors, search_notes FROM source"
WEEK = timedelta(hours=168)


@pytest.fixture
def search(engine: Engine) -> Search:
    desk = engine.desk
    return Search(
        desk.line,
        desk.frontier,
        FeedOptions(),
        lambda: Errand(desk.fetcher, desk.line, desk.frontier, desk.fetching, desk.care),
    )


async def channels(engine: Engine) -> list[tuple[str, str, bool]]:
    rows = await engine.rows("SELECT url, found_by, is_candidate FROM channel ORDER BY url")
    return [tuple(row) for row in rows]


def alternate(href: str) -> str:
    return f'<link rel="alternate" type="application/rss+xml" href="{href}">'


async def test_a_declared_feed_is_found_and_polled(engine: Engine, room: Newsroom, search: Search):
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
    assert await channels(engine) == [(f"{room.origin()}/good", "alternate", False)]
    assert [row["url"] for row in await engine.rows("SELECT url FROM url WHERE kind = 0")] == [
        f"{room.origin()}/a"
    ]


async def test_the_usual_addresses_are_tried_until_one_answers(
    engine: Engine, room: Newsroom, search: Search
):
    room.publish("/", page("Daily"))
    room.publish("/atom.xml", rss([("/a", None)]))
    room.publish("/feed.xml", rss([("/b", None)]))
    room.publish("/news-sitemap.xml", sitemap([("/c", None)]))
    await engine.watch("daily", room.origin())

    await search.one()

    assert await channels(engine) == [
        (f"{room.origin()}/atom.xml", "path", False),
        (f"{room.origin()}/news-sitemap.xml", "path", False),
    ]
    assert [each.path for each in room.asked()] == [
        "/",
        "/feed",
        "/rss",
        "/atom.xml",
        "/sitemap.xml",
        "/news-sitemap.xml",
    ]


async def test_a_sitemap_too_large_for_a_look_is_left_to_a_poll(
    engine: Engine, room: Newsroom, search: Search
):
    room.publish("/", page("Daily"))
    room.publish("/sitemap.xml", sitemap([("/a" + "x" * 1000, None)] * 12_000))
    await engine.watch("daily", room.origin())

    await search.one()
    unproven = await channels(engine)
    await engine.skip(timedelta(seconds=2))
    await engine.round()

    assert unproven == [(f"{room.origin()}/sitemap.xml", "path", True)]
    assert await channels(engine) == [(f"{room.origin()}/sitemap.xml", "path", False)]


async def test_a_feed_without_entries_does_not_count(engine: Engine, room: Newsroom, search: Search):
    room.publish("/", page("Daily", head=alternate("/feed")))
    room.publish("/feed", rss([]))
    await engine.watch("daily", room.origin())

    await search.one()

    assert await channels(engine) == []


async def test_a_site_is_searched_again_only_after_a_week(engine: Engine, room: Newsroom, search: Search):
    """FED-19: the attempt outlives a restart, because it is in the database before the first request."""
    room.publish("/", page("Nothing here"))
    await engine.watch("silent", room.origin())

    first, second = await search.one(), await search.one()
    await engine.skip(WEEK - timedelta(minutes=1))
    third = await search.one()
    await engine.skip(timedelta(minutes=2))
    fourth = await search.one()

    assert [each is not None for each in (first, second, third, fourth)] == [True, False, False, True]


async def test_a_search_that_was_cut_short_is_made_again_in_an_hour(
    engine: Engine, room: Newsroom, search: Search, monkeypatch: pytest.MonkeyPatch
):
    """Whoever stops a watch in the middle of a search must not wait a week for it."""
    room.publish("/", page("Daily", head=alternate("/feed")))
    room.publish("/feed", rss([("/a", None)]))
    await engine.watch("daily", room.origin())
    with monkeypatch.context() as patched:
        patched.setattr("outrider.watch.discovery.search.look_around", _is_killed)
        with pytest.raises(asyncio.CancelledError):
            await search.one()

    at_once = await search.one()
    await engine.skip(timedelta(hours=1, seconds=1))
    again = await search.one()

    assert at_once is None
    assert again is not None
    assert again.added == 1


async def _is_killed(*_: object) -> Never:
    raise asyncio.CancelledError


async def test_sites_are_searched_once_an_hour_and_not_again_after_a_restart(
    engine: Engine, room: Newsroom, database: str
):
    """FED-19."""
    room.publish("/", page("Nothing here"))
    await engine.watch("silent", room.origin())
    duties = {duty.name: duty for duty in duties_for(engine.settings, engine.desk, engine.desk.line)}

    await duties["search for channels"].run()
    asked = len(room.asked())
    await engine.skip(timedelta(hours=1))
    async with Engine(database, engine.clock) as restarted:
        again = {duty.name: duty for duty in duties_for(engine.settings, restarted.desk, restarted.desk.line)}
        await again["search for channels"].run()

    assert duties["search for channels"].every_s == 3600
    assert asked > 1
    assert len(room.asked()) == asked


async def test_a_source_that_was_just_added_does_not_wait_for_the_hour(
    engine: Engine, room: Newsroom, search: Search
):
    room.publish("/", page("Nothing here"))
    room.publish("/", page("Nothing here"), site=1)
    await engine.watch("old", room.origin())
    await search.all()
    await engine.skip(WEEK)
    await engine.watch("new", room.origin(1))

    await search.new()

    [old, new] = [len(room.asked("/", site)) for site in (0, 1)]
    assert (old, new) == (1, 1), "the old one is due as well, and that is another duty's"


async def test_a_source_with_a_working_channel_is_not_searched(
    engine: Engine, room: Newsroom, search: Search
):
    await engine.watch("news", room.origin(), feed(room.publish("/feed", rss([("/a", None)]))))

    assert await search.one() is None


async def test_a_search_keeps_the_pace_and_the_rules_of_its_host(
    engine: Engine, room: Newsroom, search: Search
):
    """CLM-13."""
    room.publish("/robots.txt", Answer(body=b"User-agent: *\nDisallow: /rss\nCrawl-delay: 0.1"))
    room.publish("/", page("Nothing here"))
    await engine.watch("silent", room.origin())

    await search.one()

    asked = [*room.log]
    gaps = [after.started_ms - before.ended_ms for before, after in pairwise(asked)]
    assert len(asked) > 5
    assert min(gaps) >= 99
    assert "/rss" not in [each.path for each in asked]


async def test_a_busy_host_is_searched_later(engine: Engine, room: Newsroom, search: Search):
    room.publish("/", page("Daily", head=alternate("/feed")))
    room.publish("/feed", rss([("/a", None)]))
    await engine.watch("daily", room.origin())
    host = room.addresses[0]
    lease = await engine.run(lambda db: engine.desk.frontier.borrow(db, host))

    put_off = await search.one()
    await engine.rows("UPDATE host SET lease_owner = NULL WHERE host_id = $1", host_id_of(host))
    await engine.skip(timedelta(hours=1, seconds=1))
    searched = await search.one()

    assert lease is not None
    assert put_off is not None
    assert put_off.found is None
    assert searched is not None
    assert searched.added == 1


async def test_a_site_that_is_down_is_searched_later_and_nothing_is_concluded(
    engine: Engine, room: Newsroom, search: Search
):
    room.publish("/", Answer(503))
    await engine.watch("daily", room.origin(), spider_without_feed=True)

    put_off = await search.one()
    [while_down] = await engine.rows(f"{HEARD} WHERE name = 'daily'")
    room.publish("/", page("Daily", head=alternate("/feed")))
    room.publish("/feed", rss([("/a", None)]))
    at_once = await search.one()
    await engine.skip(timedelta(hours=1, seconds=1))
    searched = await search.one()

    assert put_off is not None
    assert not put_off.walks
    assert tuple(while_down) == ("feed", 1, [f"{room.origin()}/ could not be read: it answered 503"])
    assert at_once is None
    assert searched is not None
    assert searched.added == 1
    [source] = await engine.rows(f"{HEARD} WHERE name = 'daily'")
    assert (source["mode"], source["search_errors"]) == ("feed", 0)


async def test_a_site_that_stays_down_is_searched_ever_more_rarely(
    engine: Engine, room: Newsroom, search: Search
):
    room.publish("/", Answer(503))
    await engine.watch("daily", room.origin())
    hours = []
    for hour in range(24):
        if await search.one() is not None:
            hours.append(hour)
        await engine.skip(timedelta(hours=1, seconds=1))

    assert hours == [0, 1, 3, 7, 15]


async def test_a_site_whose_robots_txt_is_down_is_down(engine: Engine, room: Newsroom, search: Search):
    """Without it nothing else is asked, so nothing is known either."""
    room.publish("/robots.txt", Answer(500))
    room.publish("/", page("Daily"))
    await engine.watch("daily", room.origin(), spider_without_feed=True)

    await search.one()

    [source] = await engine.rows(f"{HEARD} WHERE name = 'daily'")
    assert (source["mode"], source["search_errors"]) == ("feed", 1)


@pytest.mark.parametrize("status", [403, 429, 503])
async def test_a_declared_feed_that_fails_is_asked_again_and_counts_once_it_answers(
    engine: Engine, room: Newsroom, search: Search, status: int
):
    room.publish("/", page("Daily", head=alternate("/feed")))
    url = room.publish("/feed", Answer(status))
    await engine.watch("daily", room.origin(), spider_without_feed=True)

    searched = await search.one()
    await engine.skip(timedelta(seconds=2))
    await engine.round()
    failing = await channels(engine)
    room.publish("/feed", rss([("/a", None)]))
    await engine.skip(timedelta(hours=1))
    await engine.round()

    assert searched is not None
    assert not searched.walks
    assert failing == [(url, "alternate", True)]
    assert await channels(engine) == [(url, "alternate", False)]


async def test_a_declared_feed_that_goes_on_failing_is_given_up(
    engine: Engine, room: Newsroom, search: Search
):
    room.publish("/", page("Daily", head=alternate("/feed")))
    room.publish("/feed", Answer(403))
    await engine.watch("daily", room.origin())
    await search.one()
    for _ in range(5):
        await engine.skip(timedelta(days=1))
        await engine.round()

    assert await channels(engine) == []
    assert len(room.asked("/feed")) == 6


async def test_a_site_that_asks_for_a_rest_keeps_what_was_found_before(
    engine: Engine, room: Newsroom, search: Search
):
    room.publish("/", page("Daily", head=alternate("/good") + alternate("/busy")))
    room.publish("/good", rss([("/a", None)]))
    room.publish("/busy", Answer(429, headers={"Retry-After": "600"}))
    await engine.watch("daily", room.origin())

    await search.one()

    assert (f"{room.origin()}/good", "alternate", False) in await channels(engine)
    assert [each.path for each in room.asked()] == ["/", "/good", "/busy"]


async def test_guesses_that_fail_are_told_in_one_sentence(engine: Engine, room: Newsroom, search: Search):
    room.publish("/", page("Nothing here"))
    room.publish("/rss", Answer(403))
    await engine.watch("silent", room.origin())

    await search.one()

    [source] = await engine.rows(f"{HEARD} WHERE name = 'silent'")
    assert source["search_notes"] == [
        "the page points to no feed",
        f"{room.origin()}/rss could not be read: it answered 403",
        "no feed at /feed, /rss, /atom.xml, /feed.xml, /rss.xml, /index.xml either",
        "no sitemap in robots.txt, none at /sitemap.xml, /news-sitemap.xml",
    ]


async def test_sites_are_searched_side_by_side(engine: Engine, room: Newsroom, search: Search):
    for site in (0, 1):
        room.publish("/", page("Nothing here"), site)
        await engine.watch(f"silent {site}", room.origin(site))

    await search.all()

    order = [each.address for each in room.log]
    last_of_first = len(order) - order[::-1].index(room.addresses[0])
    assert order.index(room.addresses[1]) < last_of_first
    assert {each.name for each in await engine.run(silent_sources)} == {"silent 0", "silent 1"}


async def test_a_source_nobody_can_hear_is_named(engine: Engine, room: Newsroom, search: Search):
    """FED-24."""
    room.publish("/", page("Nothing here"))
    await engine.watch("silent", room.origin())
    assert await engine.run(silent_sources) == []

    await search.one()

    assert [each.name for each in await engine.run(silent_sources)] == ["silent"]


async def test_a_second_source_of_a_site_is_told_whose_its_feed_is(
    engine: Engine, room: Newsroom, search: Search
):
    room.publish("/", page("Daily", head=alternate("/feed")))
    url = room.publish("/feed", rss([("/a", None)]))
    await engine.watch("first", room.origin(), feed(url))
    await engine.watch("second", room.origin())

    await search.one()

    [source] = await engine.rows(f"{HEARD} WHERE name = 'second'")
    assert source["search_notes"][0] == f"{url} announces pages of 'first' already, and stays there"


async def test_a_source_that_may_walk_walks_when_nothing_is_found(
    engine: Engine, room: Newsroom, search: Search
):
    """FED-24."""
    room.publish("/", page("Nothing here"))
    await engine.watch("walker", room.origin(), spider_without_feed=True)

    searched = await search.one()

    assert searched is not None
    assert searched.walks
    [source] = await engine.rows("SELECT mode FROM source WHERE name = 'walker'")
    assert source["mode"] == "spider"
    assert [row["url"] for row in await engine.rows("SELECT url FROM url WHERE kind = 0")] == [
        f"{room.origin()}/"
    ]


async def test_sitemap_lines_of_robots_txt_become_candidates_and_prove_themselves(
    engine: Engine, room: Newsroom, search: Search
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
    assert [each for each in await channels(engine) if each[1] == "robots"] == [
        (f"{room.origin()}/good.xml", "robots", False)
    ]


@pytest.mark.parametrize("discover", [True, False])
def test_searching_can_be_switched_off_apart_from_polling(engine: Engine, discover: bool):
    """FED-20."""
    settings = replace(engine.settings, feeds=FeedOptions(discover=discover))

    names = {duty.name for duty in duties_for(settings, engine.desk, engine.desk.line)}

    assert ("search for channels" in names) is discover
    assert "return channels" in names
