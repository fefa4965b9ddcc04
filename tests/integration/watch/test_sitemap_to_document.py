"""Sitemaps: what changed lately becomes pages; an index leads to more sitemaps, within bounds."""

import gzip
from datetime import datetime, timedelta

import pytest
from tests.support.newsroom import Answer, Engine, MovableClock, Newsroom, sitemap_at
from tests.support.publications import conditional, index, news_sitemap, page, sitemap

from outrider.frontier.model import EntryKind
from outrider.watch.channels.model import NewChannel
from outrider.watch.channels.store import ChannelStore

HOUR = timedelta(hours=1)
PAGES = "SELECT url FROM url_frontier WHERE kind = 'page' ORDER BY url"


async def paths(engine: Engine, room: Newsroom) -> list[str]:
    """Of all pages that were queued."""
    return [row["url"].removeprefix(room.origin()) for row in await engine.rows(PAGES)]


async def test_a_changed_page_becomes_a_document(engine: Engine, room: Newsroom, clock: MovableClock):
    """FED-14, FED-16, FED-17."""
    now = clock.now()
    url = room.publish(
        "/sitemap.xml", sitemap([(f"{room.origin()}/new", now - HOUR), ("/old", now - 49 * HOUR)])
    )
    room.publish("/new", page("new"))
    await engine.watch("news", room.origin(), sitemap_at(url))

    await engine.round()

    [row] = await engine.rows(
        "SELECT url, origin, priority, depth, status, parent_url FROM url_frontier WHERE kind = 'page'"
    )
    assert tuple(row) == (f"{room.origin()}/new", "sitemap", 6, 0, "fetched", url)
    assert [each["title"] for each in await engine.rows("SELECT title FROM document")] == ["new"]
    channel = await engine.channel(url)
    assert (channel["items"], channel["new_items"], channel["interval_s"]) == (2, 1, 6 * 3600)
    assert 5 * 3600 < channel["next_in_s"] <= 6 * 3600, "however slow this machine is at the moment"


async def test_a_second_round_asks_only_for_what_is_new(engine: Engine, room: Newsroom, clock: MovableClock):
    entries: list[tuple[str, datetime | None]] = [("/a", clock.now() - HOUR), ("/b", None)]
    url = room.publish("/sitemap.xml", conditional(lambda _: sitemap(entries)))
    for name in "abc":
        room.publish(f"/{name}", page(name))
    await engine.watch("news", room.origin(), sitemap_at(url))
    await engine.round()
    first = len(room.asked())

    await engine.skip(6 * HOUR)
    await engine.round()
    entries.append(("/c", clock.now()))
    await engine.skip(6 * HOUR)
    await engine.round()

    assert first == 3
    assert [(each.path, each.status) for each in room.asked()[first:]] == [
        ("/sitemap.xml", 304),
        ("/sitemap.xml", 200),
        ("/c", 200),
    ]


async def test_a_page_that_changed_since_is_asked_for_again(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    entries: list[tuple[str, datetime | None]] = [("/a", clock.now() - HOUR)]
    url = room.publish("/sitemap.xml", lambda _: sitemap(entries))
    room.publish("/a", page("first"))
    await engine.watch("news", room.origin(), sitemap_at(url))
    await engine.round()
    await engine.skip(6 * HOUR)

    entries[0] = ("/a", clock.now() - HOUR)
    room.publish("/a", page("second"))
    await engine.round()
    await engine.skip(timedelta(seconds=2))
    await engine.round()

    assert len(room.asked("/a")) == 2
    assert (await engine.rows("SELECT title FROM document"))[0]["title"] == "second"


async def test_entries_without_a_date_come_a_few_hundred_a_poll_until_all_are_known(
    engine: Engine, room: Newsroom
):
    """FED-16: the cap holds, and nothing behind it is forgotten."""
    url = room.publish("/sitemap.xml", conditional(sitemap([(f"/{n:03}", None) for n in range(450)])))
    await engine.watch("news", room.origin(), sitemap_at(url))
    counts = []
    for _ in range(4):
        await engine.poll(url)
        counts.append(len(await paths(engine, room)))
        await engine.skip(6 * HOUR)

    assert counts == [200, 400, 450, 450]
    assert [each.status for each in room.asked("/sitemap.xml")] == [200, 200, 200, 304]


async def test_more_changes_than_one_poll_takes_come_with_the_next_ones(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    """Of 1,300 pages changed lately the latest thousand come first, and none is forgotten."""
    entries = [(f"/{n:04}", clock.now() - n * timedelta(seconds=10)) for n in range(1300)]
    url = room.publish("/sitemap.xml", conditional(sitemap(entries)))
    await engine.watch("news", room.origin(), sitemap_at(url))
    counts, left = [], []
    for _ in range(3):
        await engine.poll(url)
        counts.append(len(await paths(engine, room)))
        left.append("more" in (await engine.channel(url))["memory"])
        await engine.skip(6 * HOUR)

    assert counts == [1200, 1300, 1300]
    assert left == [True, False, False]
    assert [each.status for each in room.asked("/sitemap.xml")] == [200, 200, 304]


async def test_a_gzip_file_in_a_gzip_encoding_is_unpacked_twice(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    """A server that packs whatever it sends packs sitemap.xml.gz once more."""
    body = gzip.compress(gzip.compress(sitemap([("/a", clock.now())]).body))
    headers = {"Content-Type": "application/gzip", "Content-Encoding": "gzip"}
    url = room.publish("/sitemap.xml.gz", Answer(body=body, headers=headers))
    await engine.watch("news", room.origin(), sitemap_at(url))

    await engine.poll(url)

    assert await paths(engine, room) == ["/a"]


async def test_the_same_bytes_again_are_not_read_again(
    engine: Engine, room: Newsroom, clock: MovableClock, monkeypatch: pytest.MonkeyPatch
):
    url = room.publish("/sitemap.xml", sitemap([("/a", clock.now())]))
    await engine.watch("news", room.origin(), sitemap_at(url))
    await engine.poll(url)
    monkeypatch.setattr(
        "outrider.watch.polling.sitemap.open_sitemap", None
    )  # calling it would break the poll

    await engine.skip(6 * HOUR)
    await engine.poll(url)

    channel = await engine.channel(url)
    assert (channel["polls"], channel["changes"], channel["errors"]) == (2, 1, 0)


async def test_an_index_leads_to_channels_of_their_own(engine: Engine, room: Newsroom, clock: MovableClock):
    """FED-15."""
    now = clock.now()
    url = room.publish(
        "/sitemap.xml",
        index([("/s/1.xml.gz", now), ("/s/2.xml", None), ("/s/2019.xml", now - 90 * 24 * HOUR)]),
    )
    packed = gzip.compress(sitemap([("/a", now)]).body)
    room.publish("/s/1.xml.gz", Answer(body=packed, headers={"Content-Type": "application/gzip"}))
    room.publish("/s/2.xml", sitemap([("/b", now)]))
    await engine.watch("news", room.origin(), sitemap_at(url))

    await engine.round()

    assert await paths(engine, room) == ["/a", "/b"]
    children = await engine.rows(
        "SELECT c.url, p.url AS parent FROM channel c JOIN channel p ON p.channel_id = c.parent_id ORDER BY 1"
    )
    assert [(row["url"], row["parent"]) for row in children] == [
        (f"{room.origin()}/s/1.xml.gz", url),
        (f"{room.origin()}/s/2.xml", url),
    ]
    assert room.asked("/s/2019.xml") == []


@pytest.mark.parametrize(("changed_ago", "is_due"), [(HOUR / 6, True), (2 * HOUR, False)])
async def test_a_child_of_an_index_is_polled_at_once_if_it_changed_since_its_last_poll(
    engine: Engine, room: Newsroom, clock: MovableClock, changed_ago: timedelta, is_due: bool
):
    url = room.publish("/sitemap.xml", sitemap([("/a", clock.now())]))
    await engine.watch("news", room.origin(), sitemap_at(url))
    await engine.round()
    await engine.skip(HOUR)
    child = NewChannel(url, EntryKind.SITEMAP, changed_at=clock.now() - changed_ago)

    await engine.run(lambda db: ChannelStore().make_due(db, engine.context.frontier, [child], clock.now()))

    assert ((await engine.channel(url))["next_in_s"] <= 0) is is_due


async def test_an_index_that_includes_itself_ends(engine: Engine, room: Newsroom):
    url = room.publish("/sitemap.xml", index([("/sitemap.xml", None), ("/b.xml", None)]))
    room.publish("/b.xml", index([("/sitemap.xml", None), ("/b.xml", None)]))
    await engine.watch("news", room.origin(), sitemap_at(url))

    await engine.round()

    assert sorted(each.path for each in room.asked()) == ["/b.xml", "/sitemap.xml"]
    assert len(await engine.rows("SELECT FROM channel")) == 2


async def test_indexes_are_followed_three_deep(engine: Engine, room: Newsroom):
    for level in range(6):
        room.publish(f"/{level}.xml", index([(f"/{level + 1}.xml", None)]))
    await engine.watch("deep", room.origin(), sitemap_at(f"{room.origin()}/0.xml"))

    await engine.round()

    assert sorted(each.path for each in room.asked()) == ["/0.xml", "/1.xml", "/2.xml", "/3.xml"]


async def test_an_index_of_thousands_is_cut(engine: Engine, room: Newsroom):
    url = room.publish("/sitemap.xml", index([(f"/{n}.xml", None) for n in range(3000)]))
    await engine.watch("huge", room.origin(), sitemap_at(url))

    await engine.poll(url)

    assert len(await engine.rows("SELECT FROM channel")) == 501
    counts = await engine.rows("SELECT value FROM counter WHERE name = 'skipped.too_many_sitemaps'")
    assert sum(row["value"] for row in counts) == 2500


async def test_a_sitemap_has_no_say_about_other_sites(engine: Engine, room: Newsroom, clock: MovableClock):
    now = clock.now()
    inside = "http://169.254.169.254/latest/meta-data/"
    url = room.publish(
        "/sitemap.xml",
        sitemap([("/a", now), (room.origin(1) + "/b", now), (inside, now), ("file:///etc/x", now)]),
    )
    await engine.watch("news", room.origin(), sitemap_at(url))

    await engine.round()

    assert await paths(engine, room) == ["/a"]


async def test_a_lastmod_that_is_always_now_is_not_believed(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    pages = [f"/{n}" for n in range(6)]
    url = room.publish("/sitemap.xml", lambda request: sitemap([(path, request.now) for path in pages]))
    for path in pages:
        room.publish(path, conditional(page(path)))
    await engine.watch("liar", room.origin(), sitemap_at(url))
    asked = []
    for _ in range(5):
        await engine.round()
        asked.append(len([each for each in room.asked() if each.path in pages]))
        await engine.skip(6 * HOUR)

    assert asked[0] == 6
    assert asked[-1] == asked[-2] == asked[-3], "nothing is fetched again for it any more"
    assert (await engine.channel(url))["memory"]["lies"] >= 2


async def test_a_news_sitemap_is_polled_like_a_feed(engine: Engine, room: Newsroom, clock: MovableClock):
    url = room.publish("/news-sitemap.xml", news_sitemap([("/a", clock.now() - HOUR)]))
    await engine.watch("news", room.origin(), sitemap_at(url))

    await engine.round()

    assert (await engine.channel(url))["interval_s"] == 1800
    [sighting] = await engine.rows("SELECT way, published_at IS NOT NULL AS dated FROM sighting")
    assert (sighting["way"], sighting["dated"]) == ("news_sitemap", True)
