"""Single feeds and sitemaps switched off, on and dropped by hand."""

from datetime import timedelta

import pytest
from tests.support.newsroom import Answer, Engine, Newsroom, feed, sitemap_at
from tests.support.publications import rss, sitemap

from outrider.errors import InvalidInput, NotFound
from outrider.sources.model import ChannelLine, Source
from outrider.sources.store import SourceStore
from outrider.watch.channels.switch import ChannelSwitch

HOUR = timedelta(hours=1)


@pytest.fixture
async def watched(engine: Engine, room: Newsroom) -> tuple[str, str]:
    """A feed and a sitemap of one source, polled once."""
    announcing = room.publish("/feed", rss([("/a", None)]))
    listing = room.publish("/sitemap.xml", sitemap([("/b", None)]))
    await engine.watch("news", room.origin(), feed(announcing), sitemap_at(listing), sitemap_poll_s=900)
    await engine.round()
    return announcing, listing


@pytest.fixture
def switch(engine: Engine) -> ChannelSwitch:
    return ChannelSwitch(engine.context.frontier)


async def find(engine: Engine, switch: ChannelSwitch, named: str) -> ChannelLine:
    source: Source = await engine.run(lambda db: SourceStore().find(db, "news"))
    found: ChannelLine = await engine.run(lambda db: switch.find(db, source, named))
    return found


async def test_a_channel_that_is_switched_off_is_not_asked_and_the_others_are(
    engine: Engine, room: Newsroom, switch: ChannelSwitch, watched: tuple[str, str]
):
    """SRC-06: apart from its source."""
    off = await find(engine, switch, watched[0])
    await engine.run(lambda db: switch.off(db, off, "too  loud"))

    await engine.skip(HOUR)
    await engine.round()

    assert (len(room.asked("/feed")), len(room.asked("/sitemap.xml"))) == (1, 2)
    assert (await engine.channel(watched[0]))["disable_reason"] == "operator: too loud"


async def test_a_channel_that_is_switched_on_is_asked_at_once(
    engine: Engine, room: Newsroom, switch: ChannelSwitch, watched: tuple[str, str]
):
    channel = await find(engine, switch, watched[0])
    await engine.run(lambda db: switch.off(db, channel, "too loud"))
    await engine.run(lambda db: switch.on(db, channel))

    await engine.skip(timedelta(seconds=2))
    await engine.round()

    assert len(room.asked("/feed")) == 2
    assert (await engine.channel(watched[0]))["disabled_at"] is None


async def test_an_operator_can_enable_a_channel_that_errors_disabled(
    engine: Engine, room: Newsroom, switch: ChannelSwitch, watched: tuple[str, str]
):
    room.publish("/feed", Answer(410))
    await engine.skip(HOUR)
    await engine.round()
    assert (await engine.channel(watched[0]))["disable_reason"] == "gone"
    room.publish("/feed", rss([("/a", None), ("/c", None)]))
    channel = await find(engine, switch, str((await find(engine, switch, watched[0])).channel_id))

    await engine.run(lambda db: switch.on(db, channel))
    await engine.skip(timedelta(seconds=2))
    await engine.round()

    assert len(room.asked("/c")) == 1


async def test_a_dropped_channel_is_forgotten_and_what_it_announced_is_not(
    engine: Engine, room: Newsroom, switch: ChannelSwitch, watched: tuple[str, str]
):
    channel = await find(engine, switch, watched[0])
    await engine.run(lambda db: switch.drop(db, channel))

    assert await engine.channel(watched[0]) is None
    assert len(await engine.rows("SELECT FROM url WHERE url LIKE '%/a'")) == 1
    with pytest.raises(NotFound, match=r"has no channel .* there is .*sitemap\.xml"):
        await find(engine, switch, watched[0])


async def test_switching_off_needs_a_reason(engine: Engine, switch: ChannelSwitch, watched: tuple[str, str]):
    channel = await find(engine, switch, watched[0])

    with pytest.raises(InvalidInput, match="say why"):
        await engine.run(lambda db: switch.off(db, channel, " "))
