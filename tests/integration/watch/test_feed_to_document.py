"""A feed's entries become pages and documents; a second round asks only for what is new."""

from datetime import datetime, timedelta
from typing import Never

import pytest
from tests.support.newsroom import Answer, Engine, MovableClock, Newsroom, feed
from tests.support.publications import conditional, moved, page, rss

from outrider.feeds.options import FeedOptions
from outrider.watch.handlers import channel_handlers
from outrider.watch.periodic_tasks import return_channels

QUARTER = timedelta(minutes=15, seconds=1)
PAGES = """SELECT url, origin, priority, depth, status, parent_url
             FROM url_frontier
            WHERE kind = 'page'
            ORDER BY url"""


async def test_an_entry_becomes_a_page_and_a_document(engine: Engine, room: Newsroom):
    """FED-05, FED-06, TST-08."""
    url = room.publish("/feed", rss([("/a", None), ("/b", None)]))
    for name in "ab":
        room.publish(f"/{name}", page(name))
    source_id = await engine.watch("news", room.origin(), feed(url))

    await engine.round()

    assert [tuple(row) for row in await engine.rows(PAGES)] == [
        (f"{room.origin()}/a", "feed", 7, 0, "fetched", url),
        (f"{room.origin()}/b", "feed", 7, 0, "fetched", url),
    ]
    documents = await engine.rows("SELECT title FROM document WHERE source_id = $1 ORDER BY 1", source_id)
    assert [row["title"] for row in documents] == ["a", "b"]
    channel = await engine.channel(url)
    assert (channel["title"], channel["items"], channel["new_items"], channel["polls"]) == ("News", 2, 2, 1)
    assert 840 < channel["next_in_s"] <= 900


async def test_what_a_feed_announces_is_spelt_as_its_source_asks(engine: Engine, room: Newsroom):
    """SRC-17: as the links of its pages are, or one page would be two."""
    url = room.publish("/feed", rss([("/a/", None)]))
    await engine.watch("news", room.origin(), feed(url), keep_slash=True)

    await engine.round()

    assert [row["url"] for row in await engine.rows(PAGES)] == [f"{room.origin()}/a/"]


async def test_a_second_round_asks_only_for_what_is_new(engine: Engine, room: Newsroom):
    """FED-03, FED-04: the validators are sent, a 304 is a success, known pages are left alone."""
    items = [("/a", None)]
    url = room.publish("/feed", conditional(lambda _: rss(items)))
    for name in "ab":
        room.publish(f"/{name}", conditional(page(name)))
    await engine.watch("news", room.origin(), feed(url))
    await engine.round()
    await engine.skip(QUARTER)

    await engine.round()
    quiet = room.asked()[2:]
    items.insert(0, ("/b", None))
    await engine.skip(QUARTER)
    await engine.round()

    assert [(each.path, each.status) for each in quiet] == [("/feed", 304)]
    assert [(each.path, each.status) for each in room.asked()[3:]] == [("/feed", 200), ("/b", 200)]
    channel = await engine.channel(url)
    assert (channel["polls"], channel["changes"], channel["new_items"]) == (3, 2, 2)


async def test_a_304_clears_errors(engine: Engine, room: Newsroom):
    url = room.publish("/feed", conditional(rss([("/a", None)])))
    await engine.watch("news", room.origin(), feed(url))
    await engine.round()
    room.publish("/feed", Answer(500))
    await engine.skip(QUARTER)
    await engine.round()
    assert (await engine.channel(url))["errors"] == 1

    room.publish("/feed", conditional(rss([("/a", None)])))
    await engine.skip(timedelta(hours=1))
    await engine.round()

    channel = await engine.channel(url)
    assert (channel["errors"], channel["error_type"], channel["reason"]) == (0, None, None)
    assert room.asked("/feed")[-1].status == 304


async def test_a_bad_entry_costs_only_itself(engine: Engine, room: Newsroom):
    """FED-07: no link, or none into the web."""
    bad = [("file:///etc/passwd", None), ("javascript:alert(1)", None), ("", None), ("http://", None)]
    url = room.publish("/feed", rss([*bad, ("/a", None)]))
    room.publish("/a", page("a"))
    await engine.watch("news", room.origin(), feed(url))

    await engine.round()

    assert [row["url"] for row in await engine.rows(PAGES)] == [f"{room.origin()}/a"]
    assert ((await engine.channel(url))["errors"], (await engine.channel(url))["items"]) == (0, 1)


async def test_the_interval_follows_the_posting_rhythm(engine: Engine, room: Newsroom, clock: MovableClock):
    now = clock.now()
    url = room.publish("/feed", rss([(f"/{n}", now - timedelta(minutes=4 * n)) for n in range(10)]))
    await engine.watch("busy", room.origin(), feed(url))

    await engine.round()

    assert (await engine.channel(url))["interval_s"] == 300


async def test_a_source_says_how_often(engine: Engine, room: Newsroom):
    """FED-08."""
    url = room.publish("/feed", rss([("/a", None)]))
    await engine.watch("slow", room.origin(), feed(url), poll_s=1800)

    await engine.round()

    assert 1740 < (await engine.channel(url))["next_in_s"] <= 1800


async def test_the_same_bytes_again_are_as_good_as_a_304(
    engine: Engine, room: Newsroom, clock: MovableClock, monkeypatch: pytest.MonkeyPatch
):
    """Many servers send no validators: what they repeat is not read again, and slows them down alike."""
    items: list[tuple[str, datetime | None]] = [
        (f"/{n}", clock.now() - n * timedelta(hours=2)) for n in range(5)
    ]
    urls = [room.publish("/plain", rss(items)), room.publish("/tagged", conditional(rss(items)), site=1)]
    for site, url in enumerate(urls):
        await engine.watch(f"news {site}", room.origin(site), feed(url))
    await engine.round()
    monkeypatch.setattr("outrider.watch.polling.feed.parse_feed", _nobody_reads)

    await engine.skip(timedelta(hours=20))
    await engine.round()

    assert [each.status for each in room.asked("/plain") + room.asked("/tagged")] == [200, 200, 200, 304]
    plain, tagged = [await engine.channel(url) for url in urls]
    told = ("polls", "changes", "items", "errors", "interval_s")
    assert [plain[name] for name in told] == [tagged[name] for name in told] == [2, 1, 5, 0, 3600]


def _nobody_reads(*_: object) -> Never:
    raise AssertionError("these bytes were read before")


async def test_a_feed_that_moves_with_the_same_bytes_is_read_at_its_new_address(
    engine: Engine, room: Newsroom
):
    old = room.publish("/feed", rss([("/a", None)]))
    new = room.publish("/new", rss([("/a", None)]))
    await engine.watch("news", room.origin(), feed(old))
    await engine.round()

    room.publish("/feed", moved("/new"))
    await engine.skip(QUARTER)
    await engine.round()

    assert [row["url"] for row in await engine.rows("SELECT url FROM channel")] == [new]


async def test_a_source_that_follows_links_only_is_not_polled_and_comes_back(engine: Engine, room: Newsroom):
    """SRC-03: the mode changes, nothing is lost."""
    url = room.publish("/feed", rss([("/a", None)]))
    source_id = await engine.watch("news", room.origin(), feed(url), mode="spider")
    await engine.round()
    channel = await engine.channel(url)
    assert (channel["polls"], channel["next_in_s"], channel["reason"]) == (0, None, "not_polled")

    await engine.rows("UPDATE source SET mode = 'both' WHERE source_id = $1", source_id)
    returned = await engine.run(lambda db: return_channels(db, engine.context.frontier))
    await engine.skip(timedelta(seconds=1))
    await engine.round()

    assert returned == 1
    assert (await engine.channel(url))["polls"] == 1


async def test_an_address_known_as_a_page_becomes_a_channel(engine: Engine, room: Newsroom):
    url = room.publish("/feed", rss([("/a", None)]))
    await engine.watch("first", room.origin(), feed(room.publish("/links", rss([("/feed", None)]))))
    await engine.round()
    assert (await engine.rows("SELECT last_error FROM url_frontier WHERE url = $1", url))[0][0] == (
        "unsupported_content_type"
    )

    await engine.watch("second", room.origin(), feed(url))
    await engine.skip(timedelta(seconds=1))
    await engine.round()

    assert (await engine.channel(url))["items"] == 1


async def test_polling_can_be_switched_off_and_on(engine: Engine, room: Newsroom, clock: MovableClock):
    """FED-20."""
    url = room.publish("/feed", rss([("/a", None)]))
    polling = engine.context.handlers
    engine.context.handlers = {**polling, **channel_handlers(FeedOptions(poll=False), clock)}
    await engine.watch("news", room.origin(), feed(url))
    await engine.round()
    off = await engine.channel(url)

    engine.context.handlers = polling
    await engine.run(lambda db: return_channels(db, engine.context.frontier))
    await engine.skip(timedelta(seconds=1))
    await engine.round()

    assert (off["polls"], off["disabled_at"], off["reason"]) == (0, None, "not_polled")
    assert (await engine.channel(url))["polls"] == 1
    assert len(room.asked("/feed")) == 1
