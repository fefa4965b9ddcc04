"""What a search comes upon must prove itself before it counts."""

from datetime import timedelta

from tests.support.newsroom import Answer, Engine, Newsroom
from tests.support.publications import alternate, page, rss, sitemap

from outrider.watch.discovery.search import ChannelSearch


async def test_a_sitemap_too_large_for_a_look_is_left_to_a_poll(
    engine: Engine, room: Newsroom, search: ChannelSearch
):
    room.publish("/", page("Daily"))
    room.publish("/sitemap.xml", sitemap([("/a" + "x" * 1000, None)] * 12_000))
    await engine.watch("daily", room.origin())

    await search.one()
    unproven = await engine.found()
    await engine.skip(timedelta(seconds=2))
    await engine.round()

    assert unproven == [(f"{room.origin()}/sitemap.xml", "path", True)]
    assert await engine.found() == [(f"{room.origin()}/sitemap.xml", "path", False)]


async def test_a_feed_without_entries_does_not_count(engine: Engine, room: Newsroom, search: ChannelSearch):
    room.publish("/", page("Daily", head=alternate("/feed")))
    room.publish("/feed", rss([]))
    await engine.watch("daily", room.origin())

    await search.one()

    assert await engine.found() == []


async def test_a_declared_feed_that_goes_on_failing_is_given_up(
    engine: Engine, room: Newsroom, search: ChannelSearch
):
    room.publish("/", page("Daily", head=alternate("/feed")))
    room.publish("/feed", Answer(403))
    await engine.watch("daily", room.origin())
    await search.one()
    for _ in range(5):
        await engine.skip(timedelta(days=1))
        await engine.round()

    assert await engine.found() == []
    assert len(room.asked("/feed")) == 6
