"""When sites are searched for feeds: at what pace, how often, and how seldom where nobody answers."""

import asyncio
from datetime import timedelta
from itertools import pairwise
from typing import Never

import pytest
from tests.support.newsroom import Answer, Engine, Newsroom, feed
from tests.support.publications import alternate, page, rss

from outrider.app import watch_tasks_for
from outrider.urls import host_id_of
from outrider.watch.discovery.search import ChannelSearch, silent_sources

HEARD = "SELECT mode, search_errors, search_notes FROM source"
WEEK = timedelta(hours=168)


async def test_a_site_is_searched_again_only_after_a_week(
    engine: Engine, room: Newsroom, search: ChannelSearch
):
    """FED-19: the attempt outlives a restart, because it is in the database before the first request."""
    room.publish("/", page("Nothing here"))
    await engine.watch("silent", room.origin())

    first, second = await search.one(), await search.one()
    await engine.skip(WEEK - timedelta(minutes=1))
    third = await search.one()
    await engine.skip(timedelta(minutes=2))
    fourth = await search.one()

    assert [each is not None for each in (first, second, third, fourth)] == [True, False, False, True]


async def _is_killed(*_: object) -> Never:
    raise asyncio.CancelledError


async def test_a_search_that_was_cut_short_is_made_again_in_an_hour(
    engine: Engine, room: Newsroom, search: ChannelSearch, monkeypatch: pytest.MonkeyPatch
):
    """Whoever stops a watch in the middle of a search must not wait a week for it."""
    room.publish("/", page("Daily", head=alternate("/feed")))
    room.publish("/feed", rss([("/a", None)]))
    await engine.watch("daily", room.origin())
    with monkeypatch.context() as patched:
        patched.setattr("outrider.watch.discovery.discover.find_channels", _is_killed)
        with pytest.raises(asyncio.CancelledError):
            await search.one()

    at_once = await search.one()
    await engine.skip(timedelta(hours=1, seconds=1))
    again = await search.one()

    assert at_once is None
    assert again is not None
    assert again.added == 1


async def test_sites_are_searched_once_an_hour_and_not_again_after_a_restart(
    engine: Engine, room: Newsroom, database: str
):
    """FED-19."""
    room.publish("/", page("Nothing here"))
    await engine.watch("silent", room.origin())
    duties = {
        duty.name: duty
        for duty in watch_tasks_for(engine.settings, engine.context, engine.context.connection)
    }

    await duties["search for channels"].run()
    asked = len(room.asked())
    await engine.skip(timedelta(hours=1))
    async with Engine(database, engine.clock) as restarted:
        again = {
            duty.name: duty
            for duty in watch_tasks_for(engine.settings, restarted.context, restarted.context.connection)
        }
        await again["search for channels"].run()

    assert duties["search for channels"].every_s == 3600
    assert asked > 1
    assert len(room.asked()) == asked


async def test_a_source_that_was_just_added_does_not_wait_for_the_hour(
    engine: Engine, room: Newsroom, search: ChannelSearch
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
    engine: Engine, room: Newsroom, search: ChannelSearch
):
    await engine.watch("news", room.origin(), feed(room.publish("/feed", rss([("/a", None)]))))

    assert await search.one() is None


async def test_a_search_keeps_the_pace_and_the_rules_of_its_host(
    engine: Engine, room: Newsroom, search: ChannelSearch
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


async def test_a_busy_host_is_searched_later(engine: Engine, room: Newsroom, search: ChannelSearch):
    room.publish("/", page("Daily", head=alternate("/feed")))
    room.publish("/feed", rss([("/a", None)]))
    await engine.watch("daily", room.origin())
    host = room.addresses[0]
    lease = await engine.run(lambda db: engine.context.frontier.lease_host(db, host))

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
    engine: Engine, room: Newsroom, search: ChannelSearch
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
    assert not put_off.follows_links
    assert tuple(while_down) == ("feed", 1, [f"{room.origin()}/ could not be read: it answered 503"])
    assert at_once is None
    assert searched is not None
    assert searched.added == 1
    [source] = await engine.rows(f"{HEARD} WHERE name = 'daily'")
    assert (source["mode"], source["search_errors"]) == ("feed", 0)


async def test_a_site_that_stays_down_is_searched_ever_more_rarely(
    engine: Engine, room: Newsroom, search: ChannelSearch
):
    room.publish("/", Answer(503))
    await engine.watch("daily", room.origin())
    hours = []
    for hour in range(24):
        if await search.one() is not None:
            hours.append(hour)
        await engine.skip(timedelta(hours=1, seconds=1))

    assert hours == [0, 1, 3, 7, 15]


async def test_a_site_whose_robots_txt_is_down_is_down(engine: Engine, room: Newsroom, search: ChannelSearch):
    """Without it nothing else is asked, so nothing is known either."""
    room.publish("/robots.txt", Answer(500))
    room.publish("/", page("Daily"))
    await engine.watch("daily", room.origin(), spider_without_feed=True)

    await search.one()

    [source] = await engine.rows(f"{HEARD} WHERE name = 'daily'")
    assert (source["mode"], source["search_errors"]) == ("feed", 1)


async def test_sites_are_searched_side_by_side(engine: Engine, room: Newsroom, search: ChannelSearch):
    for site in (0, 1):
        room.publish("/", page("Nothing here"), site)
        await engine.watch(f"silent {site}", room.origin(site))

    await search.all()

    order = [each.address for each in room.log]
    last_of_first = len(order) - order[::-1].index(room.addresses[0])
    assert order.index(room.addresses[1]) < last_of_first
    assert {each.name for each in await engine.run(silent_sources)} == {"silent 0", "silent 1"}
